"""Responses of public reports, of today's models and of real files, with the verdict that a careful reader gives."""

import pytest
from answers_gates import cases


@pytest.mark.parametrize(("name", "least"), [("reports", 0.98), ("written", 0.98), ("real_runs", 0.9)])
def test_the_verdict_is_the_readers(shared, name, least):
    rows = [row for row in cases(shared) if row.group == f"cases/{name}"]
    right = [row for row in rows if row.said == row.wanted]
    assert len(right) >= least * len(rows)
    lost = [row.key for row in rows if row.said != row.wanted and row.key.endswith(" right")]
    assert not lost, "right in 0.1.0"

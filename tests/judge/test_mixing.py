"""`mmmath judge --unsure`: who reads which response, what is saved and moved, and what is said of it."""

import json
import math

import pytest

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.model_card.doubts import doubts
from mmmath_tasks.problem import Scorecard
from support import counting_rows

COUNT = 20


@pytest.fixture
def responses(tmp_path):
    """All say their number; of the least sure some say another one last, which rules and judge read in two ways."""
    said = [f"Step by step. The answer is {i}." for i in range(COUNT)]
    said[3] = "The answer is 30 . Wait, that is wrong; it might be \\boxed{3}?"
    said[7] = "The answer is 7 . Wait, that is wrong; it might be \\boxed{8}?"
    said[11] = "It cannot be seen. About 11, 12, 13, 14, 15 or 16 are not there, maybe."
    return counting_rows.write(tmp_path / "run.jsonl", said)


@pytest.fixture
def ruled(responses):
    known = mm.benchmark("mathvista")
    rows = [json.loads(line) for line in responses.read_text().splitlines()]
    return [known.score(known.problem(row), row["response"]) for row in rows]


def run(responses, server, *options):
    where = ["--base-url", server.url, "--model", "scripted", "--cache", str(responses.with_suffix(".sqlite"))]
    return main(["judge", str(responses), *where, *options])


@pytest.mark.parametrize("share", ["0.15", "0.42"])
def test_only_the_least_sure_share_is_asked(responses, ruled, endpoint, capsys, share):
    server = endpoint()
    assert run(responses, server, "--unsure", share, "--price-in", "1000") == 0
    said = capsys.readouterr().out
    count = math.ceil(float(share) * COUNT)
    least = {v.id for v in sorted(ruled, key=lambda v: (v.confidence, v.id))[:count]}
    path = responses.parent
    rows = [json.loads(line) for line in (path / "samples_run_answer.jsonl").read_text().splitlines()]
    judged = {row["problem"]["id"] for row in rows if row["judge"]["model"]}
    assert judged == least
    assert len(server.requests()) == count
    before = {v.id: v.official for v in ruled}
    raised = {r["problem"]["id"] for r in rows if r["verdict"]["official"] and not before[r["problem"]["id"]]}
    lowered = {r["problem"]["id"] for r in rows if before[r["problem"]["id"]] and not r["verdict"]["official"]}
    assert (raised, lowered) == ({"7"}, {"3"})
    card = Scorecard.from_json((path / "scorecard_run_answer.json").read_text())
    mixed = card.provenance["judge"]["mixed"]
    assert (mixed["by_judge"], mixed["by_rules"]) == (count, COUNT - count)
    assert (mixed["raised"], mixed["lowered"]) == (len(raised), len(lowered))
    assert mixed["saved"]["calls"] == COUNT - count
    assert mixed["saved"]["cost"] > 0
    assert card.provenance["judge"]["unsure"] == float(share)
    assert card.provenance["answers_read_by"]["rules"] == COUNT - count
    note = f"Mixed: {count} of 20 answers read by a judge, the least sure {100 * float(share):g} % of the responses; "
    assert any(text.startswith(note) for text in card.notes)
    assert f"{COUNT - count} of 20 responses read by rules: about {COUNT - count} calls, " in said
    assert f"moved by the judge to right: {len(raised)}" in said
    assert "mixed" in {doubt.name for doubt in doubts(card, "mathvista_testmini")}


def test_what_a_dry_run_would_take_and_save(responses, endpoint, capsys):
    server = endpoint()
    assert run(responses, server, "--unsure", "0.1", "--dry-run") == 0
    said = capsys.readouterr().out
    assert "\n2 calls" in said
    assert "18 of 20 responses read by rules: about 18 calls" in said
    assert not server.requests()


def test_all_and_none(responses, endpoint, capsys):
    server = endpoint()
    assert run(responses, server, "--unsure", "0") == 0
    assert not server.requests()
    assert run(responses, server, "--unsure", "1") == 0
    assert len(server.requests()) == COUNT
    whole = (responses.parent / "samples_run_answer.jsonl").read_text()
    assert run(responses, server) == 0
    assert (responses.parent / "samples_run_answer.jsonl").read_text() == whole


@pytest.mark.parametrize(
    ("options", "message"),
    [
        (["--unsure", "1.2"], "judge: unsure should be a number from 0 to 1, is 1.2"),
        (["--unsure", "0.1", "--metric", "cot_e"], "--unsure belongs to --metric answer or errors"),
    ],
)
def test_shares_that_are_none(responses, endpoint, capsys, options, message):
    assert run(responses, endpoint(), *options) == 2
    assert message in capsys.readouterr().err


def test_a_share_and_a_confidence_exclude_each_other():
    from mmmath_tasks.errors import InputError
    from mmmath_tasks.judge.settings import Settings

    with pytest.raises(InputError, match="name one of them"):
        Settings("http://localhost/v1", "m", unsure=0.1, only_unsure=0.9)


def test_a_judge_labels_an_audit(responses, endpoint, capsys):
    assert main(["audit", str(responses), "--size", "12"]) == 0
    drawn = responses.parent / "audit_run.jsonl"
    assert run(drawn, endpoint()) == 0
    capsys.readouterr()
    labels = responses.parent / "samples_audit_run_answer.jsonl"
    assert main(["audit", str(responses), "--labels", str(labels)]) == 0
    assert "12 labelled (12 by judge scripted)" in capsys.readouterr().out
    card = Scorecard.from_json((responses.parent / "scorecard_run.json").read_text())
    assert card.get("acc_verified_audited").count == COUNT

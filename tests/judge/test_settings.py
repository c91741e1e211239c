"""What a judge cannot be asked with: said before anything is read or sent."""

import json
import math

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.errors import InputError
from mmmath_tasks.judge.case import is_sure
from mmmath_tasks.judge.settings import Settings, default_cache
from mmmath_tasks.outputs.submission import rows_of
from mmmath_tasks.problem import Verdict

JUDGE = ["judge", "none.jsonl", "--base-url", "http://localhost:1/v1", "--model", "m"]


@pytest.mark.parametrize(
    ("name", "value", "said"),
    [
        ("concurrency", 0, "a whole number of at least 1, is 0"),
        ("concurrency", 1.5, "a whole number of at least 1, is 1.5"),
        ("attempts", True, "a whole number of at least 1, is True"),
        ("attempts", None, "a whole number of at least 1, is None"),
        ("timeout", 0, "a number from 0.001 to 86400, is 0"),
        ("timeout", math.inf, "a number from 0.001 to 86400, is inf"),
        ("max_calls", -3, "a whole number of at least 0, is -3"),
        ("max_tokens", "3", "a whole number of at least 0, is '3'"),
        ("max_cost", -0.5, "a number of at least 0, is -0.5"),
        ("price_in", -1.0, "a number of at least 0, is -1.0"),
        ("price_out", math.nan, "a number of at least 0, is nan"),
        ("only_unsure", 7, "a number from 0 to 1, is 7"),
        ("only_unsure", math.nan, "a number from 0 to 1, is nan"),
    ],
)
def test_a_number_out_of_range_is_named(name, value, said):
    with pytest.raises(InputError) as raised:
        Settings("http://h/v1", "m", **{name: value})
    assert str(raised.value) == f"judge: {name} should be {said}"


def test_the_ends_of_the_ranges_are_taken():
    least = {"concurrency": 1, "attempts": 1, "timeout": 0.001, "max_calls": 0, "max_tokens": 0, "only_unsure": 0}
    least |= {"max_cost": 0, "price_in": 0, "price_out": 0}
    other = {"timeout": 86_400, "max_calls": None, "max_tokens": None, "max_cost": None, "only_unsure": 1}
    for values in (least, other):
        settings = Settings("http://h/v1", "m", **values)
        assert {name: getattr(settings, name) for name in values} == values


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--max-calls", "-3"], "judge: max_calls should be"),
        (["--judge-only-unsure", "nan"], "judge: only_unsure should be"),
        (["--annotations", "nosuch.json"], "--annotations belongs to --metric cot_e"),
        (["--alpha", "0.5", "--metric", "errors"], "--alpha belongs to --metric cot_e"),
        (["--judge-only-unsure", "--metric", "cot_e"], "--judge-only-unsure belongs to --metric answer or errors"),
    ],
)
def test_the_command_line_says_so(arguments, said, capsys):
    assert main([*JUDGE, *arguments]) == 2
    assert capsys.readouterr().err.startswith(f"mmmath: {said}")


def test_a_split_is_the_sample_or_another(capsys):
    with pytest.raises(SystemExit) as stopped:
        main([*JUDGE, "--sample", "--split", "testmini"])
    assert stopped.value.code == 2
    assert "not allowed with argument" in capsys.readouterr().err


@pytest.mark.parametrize("text", ["[" * 100_000, "1" * 5_000, "[]", "{"], ids=lambda text: text[:5])
def test_annotations_that_cannot_be_read_are_one_message(text, tmp_path, capsys):
    saved, notes = tmp_path / "saved.json", tmp_path / "notes.json"
    saved.write_text(json.dumps({rows_of("mathverse", "sample", None)[0]["sample_index"]: "A"}))
    notes.write_text(text)
    command = ["judge", str(saved), "--benchmark", "mathverse", "--sample", "--dry-run", "--metric", "cot_e"]
    assert main([*command, "--annotations", str(notes), "--cache", str(tmp_path / "c.sqlite")]) == 2
    assert capsys.readouterr().err.startswith(f"mmmath: {notes}: ")


def test_answers_lie_in_the_users_cache_unless_told(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert default_cache() == tmp_path / "mmmath" / "judge.sqlite"


@pytest.mark.parametrize(
    ("sure", "found"),
    [(0.75, True), (0.76, False), (None, False), (frozenset({"1"}), True), (frozenset({"2"}), False)],
)
def test_the_rules_are_sure_from_their_confidence_on_or_of_these_ids(sure, found):
    assert is_sure(Verdict("1", True, True, "A", confidence=0.75), sure) is found


def test_nothing_is_sure_of_an_answer_that_was_not_read_plainly():
    unread = [Verdict("1", False, False, confidence=1.0), Verdict("1", False, False, "A", reason="x", confidence=1.0)]
    assert [is_sure(verdict, 0.5) for verdict in unread] == [False, False]

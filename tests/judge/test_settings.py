"""What a judge cannot be asked with: said before anything is read or sent."""

import json
import math
from types import SimpleNamespace

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.errors import InputError
from mmmath_tasks.judge.budget import Prices
from mmmath_tasks.judge.case import Judged, is_sure
from mmmath_tasks.judge.exchange import Answer
from mmmath_tasks.judge.plan import Plan
from mmmath_tasks.judge.settings import Settings, default_cache
from mmmath_tasks.outputs.submission import rows_of
from mmmath_tasks.problem import Verdict

GIVEN = {"base_url": "http://h/v1", "model": "m"}
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
    ("given", "said"),
    [
        ({"model": "m"}, "a judge needs a base URL and a model"),
        ({"base_url": "http://h/v1"}, "a judge needs a base URL and a model"),
        ({"zeta": 1, "url": "x"}, f"judge: unknown setting 'url'; known: {', '.join(Settings.__slots__)}"),
        ({**GIVEN, "prompts": 3}, "judge: prompts should be the name of a file, is 3"),
        (
            {**GIVEN, "unsure": 0.1, "only_unsure": 0.5},
            "judge: unsure is a share and only_unsure a confidence; name one of them",
        ),
    ],
)
def test_the_settings_of_a_task_are_named_where_they_are_none(given, said):
    assert Settings.from_mapping(GIVEN) == Settings("http://h/v1", "m")
    with pytest.raises(InputError) as raised:
        Settings.from_mapping(given)
    assert str(raised.value) == said


def test_a_judge_is_opened_as_it_is_set(tmp_path):
    given = {"parameters": {"top_p": 0.5}, "timeout": 7.0, "concurrency": 3, "attempts": 2, "max_calls": 4}
    given |= {"max_tokens": 5, "max_cost": 6.0, "price_in": 1.5, "price_out": 2.5, "cache": str(tmp_path / "c.sqlite")}
    settings = Settings.from_mapping({**GIVEN, **given})
    judge = settings.open(dry=True)
    client, budget = judge.client, judge.budget
    assert (client.model, str(client._url), client._timeout) == ("m", "http://h/v1/chat/completions", 7.0)
    assert (client.parameters["top_p"], client._connections) == (0.5, 3)
    assert (judge._concurrency, judge._exchange.attempts) == (3, 2)
    assert (budget._limits, budget.prices) == ((("calls", 4), ("tokens", 5), ("cost", 6.0)), Prices(1.5, 2.5))
    assert judge.plan == Plan()
    assert (tmp_path / "c.sqlite").exists()
    judge.close()
    forgetful = settings.open(forget=True)
    assert (forgetful.plan, forgetful._cache._path) == (None, None)
    forgetful.close()


def test_a_result_says_what_its_judge_was_and_cost():
    settings = Settings("http://h/v1", "m", price_in=1.0, steps_model="s", unsure=0.25)
    answers = [Answer(None, "", 10, 1, 0.1234567), Answer(None, "", 20, 2, 0.1)]
    judged = [Judged(Verdict("1", True, True), tuple(answers), {}, ("b@1", "a@2")), Judged(Verdict("2", None, None))]
    judge = SimpleNamespace(client=SimpleNamespace(parameters={"seed": 1}))
    said = {"model": "m", "prompts": ["a@2", "b@1"], "parameters": {"seed": 1}, "only_unsure": None}
    said |= {"tokens_in": 30, "tokens_out": 3, "cost": 0.223457}
    assert settings.account(judge, judged) == {**said, "steps_model": "s", "unsure": 0.25}
    assert Settings("http://h/v1", "m").account(judge, judged) == said


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

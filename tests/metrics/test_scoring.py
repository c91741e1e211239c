"""The face that harnesses call: which errors it names, what it adds to verdicts and scorecards."""

from dataclasses import replace

import pytest

import mmmath_tasks as mm
from mmmath_tasks.problem import Problem, Verdict
from support.sample_rows import rows

pytestmark = pytest.mark.fast

ROW = {"id": "1", "question": "How many?", "options": [], "answer": "12", "level": 1, "subject": "algebra"}
VISION = mm.benchmark("mathvision")
ASKED = VISION.problem(ROW)


@pytest.mark.parametrize("origin", [None, "vlmeval", {}, {"prompt_style": ["vlmeval"]}, {"prompt_style": "cot"}])
def test_a_document_asked_as_its_authors_ask_has_no_setting(origin):
    assert VISION.problem({**ROW, "provenance": origin}) == ASKED


def test_a_document_asked_as_others_ask_names_their_setting_and_keeps_what_it_knows():
    found = VISION.problem({**ROW, "provenance": {"prompt_style": "vlmeval"}})
    assert found == replace(ASKED, extra={**ASKED.extra, "setting": VISION.rows.SETTINGS["vlmeval"]})
    settled = VISION.score(found, "12").scores
    assert settled == {"acc_vlmeval_prefetch": 1.0, "vlmeval_prefetched": 1.0}
    assert VISION.score(found, "13").scores == {"acc_vlmeval_prefetch": 0.0, "vlmeval_prefetched": 0.0}
    for verdict in (
        VISION.score(found, "13", extraction="12"),
        VISION.score(replace(found, answer=None), "12"),
        VISION.score(ASKED, "12"),
    ):
        assert verdict.scores == {}
    assert VISION.score(found, "12", extraction=None).scores == settled
    assert VISION.score(found, None).scores["vlmeval_prefetched"] == 0.0


@pytest.mark.parametrize(
    ("row", "message"),
    [
        ({**ROW, "level": object()}, "MATH-Vision id 1: column 'level' should be text, got <object object at"),
        ({**ROW, "options": 7}, "MATH-Vision id 1: column 'options' should be a list of texts, got 7"),
    ],
)
def test_a_row_that_is_none_is_named(row, message):
    with pytest.raises(mm.InputError) as error:
        VISION.problem(row)
    assert str(error.value).startswith(message)


def test_whatever_a_benchmark_stumbles_over_is_an_input_error(monkeypatch):
    class Rows:
        SETTINGS = ()

        def problem(self, row):
            raise row["error"]

    monkeypatch.setattr(mm.scoring.Benchmark, "rows", Rows())
    for kind in (ValueError, TypeError, KeyError, AttributeError, RecursionError):
        with pytest.raises(mm.InputError) as error:
            VISION.problem({"error": kind("why")})
        assert str(error.value) == f"not a row of mathvision: {kind('why')}"
    with pytest.raises(mm.InputError, match=r"^mine$"):
        VISION.problem({"error": mm.InputError("mine")})


@pytest.mark.parametrize(
    ("response", "message"),
    [
        (7, "a response should be text or None, is 7 (int)"),
        (7.5, "a response should be text or None, is 7.5 (float)"),
        (["x" * 99], f"a response should be text or None, is ['{'x' * 78} (list)"),
    ],
)
def test_a_response_that_is_no_text_is_refused(response, message):
    with pytest.raises(mm.InputError) as error:
        VISION.score(ASKED, response)
    assert str(error.value) == message
    assert VISION.score(ASKED, float("nan")) == VISION.score(ASKED, None) == VISION.score(ASKED, "")


@pytest.mark.parametrize("name", mm.benchmarks())
def test_an_empty_short_answer_is_what_was_read_in_every_benchmark(name):
    known = mm.benchmark(name)
    verdict = known.score(known.problem(rows(name)[0]), "The answer is A.", extraction="")
    assert (verdict.rule, verdict.reason, verdict.extracted) == ("extraction", "empty", None)
    assert known.score(known.problem(rows(name)[0]), "").rule == ""


def test_the_share_that_was_cut_is_of_the_responses():
    verdicts = [Verdict(str(i), True, True, reason="truncated" if i == 1 else "") for i in range(5)]
    verdicts[2] = replace(verdicts[2], truncated=True)
    card = VISION.summarise([replace(ASKED, id=str(i)) for i in range(8)], iter(verdicts))
    assert card.scores[-1].metric == "share_truncated"
    assert (card.value("share_truncated"), card.get("share_truncated").count) == (2 / 5, 5)
    assert (card.counts["missing"], "setting" in card.provenance) == (3, False)


def test_a_card_of_another_setting_says_so_first():
    kit = VISION.problem({**ROW, "provenance": {"prompt_style": "vlmeval"}})
    name = VISION.rows.SETTINGS["vlmeval"]
    card = VISION.summarise([kit], [])
    assert (card.provenance["setting"], card.get("acc_vlmeval_prefetch")) == (name, None)
    assert card.notes == (
        f"Asked by {name}, not as the authors ask: not comparable with runs of their prompts.",
        *VISION.summarise([ASKED], []).notes,
    )
    both = VISION.summarise([ASKED, replace(kit, id="2")], [VISION.score(replace(kit, id="2"), "12")])
    assert both.provenance["setting"] == ["the authors' prompt", name]
    assert both.notes[0].startswith(f"Asked by the authors' prompt, {name}, not as")
    assert [s.metric for s in both.scores[-3:]] == ["acc_vlmeval_prefetch", "vlmeval_prefetched", "share_truncated"]


def test_an_unknown_benchmark_in_full():
    known = ", ".join(mm.benchmarks())
    for name, near in (("mathvisoin", "; did you mean 'mathvision' or 'mathvista'?"), ("x", "")):
        with pytest.raises(mm.InputError) as error:
            mm.benchmark(name)
        assert str(error.value) == f"unknown benchmark {name!r}; known: {known}{near}"


def test_prompts_are_those_of_the_rows():
    problem = Problem("mathvision", "1", "How many?", answer="12")
    assert VISION.prompt(problem) == VISION.rows.prompt(problem, "default") != VISION.prompt(problem, "vlmeval")

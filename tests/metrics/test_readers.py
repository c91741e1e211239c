"""Who read the answers: counted from verdicts, said beside every number."""

import dataclasses

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmmath_tasks as mm
from mmmath_tasks.metrics.readers import (
    GIVEN,
    KEY,
    NOBODY,
    RULES,
    RULES_OF_CODE,
    UNKNOWN,
    counted,
    is_code,
    mostly_code,
    readers,
)
from mmmath_tasks.problem import Verdict
from mmmath_tasks.score_labels import how_read, label, read_by, readers_differ

CODE = [
    "total = 10\nleft = total - 4\nprint(left)",
    "print(3 * 7)",
    "import math\n\nr = 4\narea = math.pi * r ** 2\nprint(round(area, 2))",
    "def solve(a, b):\n    # the sum of both\n    return a + b\n\nprint(solve(1, 2))",
    "```python\nx = 2\ny = x * 3\nprint(y)\n```",
    "Here is a program:\n```python\nages = [3, 5]\nprint(max(ages) - min(ages))\n```",
    "```\nThe answer is B.\n```",
    '~~~json\n{"answer": "14"}\n~~~',
    "```python\nx = 2\nfor i in range(10):\n    x += i",  # cut off
    "print(1)\nx = 2\nWell then.",
    "```\na\nb\n```\nc",
    "print(1)\n" + "\n".join(["Well then."] * 2 + ["y = 1"] * 2) + "\n" + " " * 19_957 + "\nWell then.\nWell then.",
]
PROSE = [
    "",
    "14",
    "B",
    "The answer is (B).",
    "x = 5\ny = 2 * x\ny = 10\nSo the answer is 10.",
    "Let r = 3.\nThen the area = 9 pi.\nprint media have columns, so C.",
    "Step 1: for each bar, read its height:\nred: 4\nblue: 6\nStep 2: the sum is 10.",
    "First I count the dots.\nThere are 12.\nThen I take half of them.\nThat is\n```\n6\n```",
    "The loop runs while i < 3, so x = 6.",
    "return to the figure: the angle is 30.",
    "print(1)\nWell then.",
    "```\na\n```\nb",
]


@pytest.mark.parametrize(("response", "code"), [*((text, True) for text in CODE), *((text, False) for text in PROSE)])
def test_programs_and_what_is_wrapped_in_code(response, code):
    assert is_code(response) is code


@given(st.text(max_size=300) | st.text("=()[]{}`~ \n:.,#ax0", max_size=3000))
def test_any_text_is_one_or_the_other(text):
    assert is_code(text) in (True, False)


PROBLEM = mm.Problem(
    "mathvista", "1", "Which?", ("3", "14"), "14", "multi_choice", groups={"task": ("math word problem",)}
)


def card(*reads):
    """A scorecard of verdicts that were read so."""
    verdicts = [Verdict(str(i), True, True, reader=reader) for i, reader in enumerate(reads)]
    problems = [dataclasses.replace(PROBLEM, id=str(i)) for i in range(len(reads))]
    return mm.benchmark("mathvista").summarise(problems, verdicts)


@pytest.mark.parametrize(
    ("response", "given", "reader"),
    [
        ("So it is 14.", None, RULES),
        ("print(7 + 7)", None, RULES_OF_CODE),
        ("14", None, NOBODY),  # equals an option: the authors ask no model
        ("", None, NOBODY),
        (None, None, NOBODY),
        ("So it is 14.", "14", GIVEN),
        ("So it is 14.", "", GIVEN),
    ],
)
def test_every_verdict_of_mathvista_says_who_read(response, given, reader):
    assert mm.benchmark("mathvista").score(PROBLEM, response, extraction=given).reader == reader


@pytest.mark.parametrize(
    ("reads", "how", "whole"),
    [
        ((RULES, RULES, NOBODY), "read by rules", "rules 2, 1 needed none"),
        ((RULES, GIVEN, GIVEN), "1 of 3 read by rules", "extraction 2, rules 1"),
        ((GIVEN, "judge:m"), "", "extraction 1, judge:m 1"),
        ((NOBODY, NOBODY), "", "2 needed none"),
        ((RULES_OF_CODE,), "read by rules", "rules on code 1"),
        (("",), "reader not recorded", "not recorded 1"),
    ],
)
def test_what_stands_beside_a_score(reads, how, whole):
    found = card(*reads)
    assert (how_read(found), read_by(found)) == (how, whole)
    assert label([found], "acc") == (f"acc, {how}" if how else "acc")
    assert label([found], "gain") == (f"gain, {how}" if how else "gain")
    assert label([found], "acc_verified") == "acc_verified"
    assert label([found], "share_empty") == "share_empty"
    assert any(note.startswith("Read by rules") for note in found.notes) is ("rules" in how)


def test_runs_that_were_read_otherwise_share_no_label():
    found = [card(RULES), card(GIVEN)]
    assert label(found, "acc") == "acc"
    assert readers_differ(found)
    assert not readers_differ([card(RULES), card(RULES, NOBODY)])


def test_most_responses_being_programs_is_warned_of():
    assert any("programs" in note for note in card(RULES_OF_CODE, RULES_OF_CODE, RULES).notes)
    assert not any("programs" in note for note in card(RULES_OF_CODE, RULES).notes)
    assert any("programs" in note for note in card(RULES_OF_CODE).notes)
    assert not any("programs" in note for note in card(GIVEN, GIVEN, RULES_OF_CODE, RULES).notes)


def test_an_older_scorecard_does_not_say():
    found = card(RULES)
    old = dataclasses.replace(found, provenance={"rule_version": "1"})
    assert label([old], "acc") == "acc, reader not recorded"
    wemath = mm.benchmark("wemath").summarise([], [])
    assert label([wemath], wemath.headline) == wemath.headline


def test_verdicts_without_an_outcome_are_not_counted():
    found = [Verdict("1", None, True, reader=RULES), Verdict("2", True, None, reader=GIVEN), Verdict("3", True, True)]
    assert readers(found) == {GIVEN: 1, UNKNOWN: 1}


def test_counts_are_those_of_a_scorecard_or_none():
    found = [Verdict(str(i), True, None, reader=name) for i, name in enumerate(["b", "a", "a", "", "a", "b"])]
    assert [*readers(found).items()] == [("a", 3), ("b", 2), (UNKNOWN, 1)]
    assert readers(found, "verified") == {}
    assert counted({KEY: {"a": 3, "b": 0}}) == {"a": 3, "b": 0}
    for odd in ({}, {KEY: None}, {KEY: []}, {KEY: {"a": -1}}, {KEY: {"a": True}}, {KEY: {"a": 1, "b": "2"}}):
        assert counted(odd) == {}
    assert [mostly_code({RULES_OF_CODE: n, RULES: 2, GIVEN: 9}) for n in (1, 2, 3)] == [False, False, True]
    assert [mostly_code({RULES_OF_CODE: 1}), mostly_code({RULES: 1}), mostly_code({})] == [True, False, False]


def test_mathverse_without_a_judge_is_read_by_rules_and_says_so():
    known = mm.benchmark("mathverse")
    problem = mm.Problem(
        "mathverse", "1", "Which?", ("3", "14"), "B", "multi_choice",
        groups={"version": ("Text Lite",)}, extra={"problem_index": "1"},
    )  # fmt: skip
    ruled = known.summarise([problem], [known.score(problem, "The answer is B.")])
    assert label([ruled], "acc_verified") == "acc_verified, read by rules"
    judged = known.summarise([problem], [known.score(problem, "The answer is B.", judged=True)])
    assert judged.provenance[KEY] == {"judge": 1}
    assert label([judged], "acc") == "acc"
    assert known.score(problem, " ", judged=False).reader == NOBODY

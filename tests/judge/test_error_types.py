"""What a judge is told of classes of errors, and how their shares are counted, with classes made up for it."""

import math

import pytest
from scipy.stats import binomtest

from mmmath_tasks.judge import mathopeval, mathvista
from mmmath_tasks.judge.case import Judged
from mmmath_tasks.judge.error_types import ErrorClass, Pattern, Taxonomy, distribution, prompt
from mmmath_tasks.problem import Verdict

CLASSES = (ErrorClass("slip", "a slip", 0.6), ErrorClass("blind", "not seen"))
PLAIN = Taxonomy("a paper", CLASSES)
TOLD = {
    # taxonomy, of which answers -> what the prompt is called, what it says, what it does not say
    "wrong alone": (PLAIN, "wrong", "x_errors", ["classify a wrong response", '"slip": a slip; "blind": not seen.']),
    "unlike classes": (
        Taxonomy("", CLASSES, right=(ErrorClass("luck", "by luck"),)),
        "right",
        "x_reasoning",
        ["classify the reasoning of a response whose final answer is right", 'is one of: "luck": by luck.'],
    ),
    "the same classes": (
        Taxonomy("", CLASSES, right=CLASSES, flaws=(ErrorClass("lie", "made up"),)),
        "right",
        "x_errors",
        ["classify an explanation to", '"error_type": "...", "flaws": [...]},', 'maybe empty, of: "lie": made up.'],
    ),
}


@pytest.mark.parametrize("name", TOLD)
def test_the_prompt_tells_what_is_classed_by_which_classes(name):
    taxonomy, answer, called, told = TOLD[name]
    found = prompt(taxonomy, "x", answer)
    assert (found.id, found.version) == (called, "1")
    assert all(words in found.system for words in told)
    assert ('"flaws"' in found.system) == bool(taxonomy.flaws)
    assert "{" not in found.system.replace('{"analysis": "...", "error_type": "..."', "")
    assert found.example["error_type"] == taxonomy.of(answer)[0].name
    assert found.user.format(question="Q", reference="R", response="S").split("\n\n") == [
        "Question:\nQ",
        "Reference answer:\nR",
        "Response:\nS",
    ]


def test_both_outcomes_have_one_prompt_where_their_classes_are_the_same_only():
    assert prompt(mathvista.ERRORS, "m", "right") == prompt(mathvista.ERRORS, "m")
    assert prompt(mathopeval.ERRORS, "m", "right") != prompt(mathopeval.ERRORS, "m")


def judged(answer, error_type, slices=(), flaws=()):
    detail = {"answer": answer, "error_type": error_type, "flaws": list(flaws), "slices": list(slices), "analysis": ""}
    return Judged(Verdict("1", answer == "right", None), (), detail)


def test_every_row_by_hand():
    """Ten responses, two of them unscored; shares of the wrong ones, flaws of one class, a pattern of two flaws."""
    taxonomy = Taxonomy(
        "",
        CLASSES,
        right=(ErrorClass("luck", "by luck", 0.25),),
        of_wrong=True,
        flaws=(ErrorClass("lie", "made up", 0.5), ErrorClass("gap", "left out")),
        flawed=("slip",),
        patterns=(Pattern("lie_only", ("lie",), ("gap",), 0.125),),
        by="subject",
    )
    found = [
        judged("wrong", "slip", ["a"], ["lie"]),
        judged("wrong", "slip", ["a", "b"], ["lie", "gap"]),
        judged("wrong", "slip", ["b"], ["lie"]),
        judged("wrong", "blind", ["b"], ["lie"]),
        judged("wrong", "blind"),
        *[judged("right", "luck", ["a"])] * 3,
        *[Judged(Verdict("1", None, None))] * 2,
    ]
    *rows, unscored = distribution(found, taxonomy)
    assert unscored == {"table": "unscored", "name": "unscored", "count": 2}
    assert [(r["table"], r["answer"], r["slice"], r["name"], r["count"], r["of"], r["paper"]) for r in rows] == [
        ("error_type", "wrong", "", "slip", 3, 5, 0.6),
        ("error_type", "wrong", "", "blind", 2, 5, None),
        ("error_type", "right", "", "luck", 3, 8, 0.25),
        ("flaw", "any", "", "lie", 3, 3, 0.5),
        ("flaw", "any", "", "gap", 1, 3, None),
        ("flaw", "any", "", "lie_only", 2, 3, 0.125),
        ("error_type", "wrong", "a", "slip", 2, 2, None),
        ("error_type", "wrong", "a", "blind", 0, 2, None),
        ("error_type", "right", "a", "luck", 3, 5, None),
        ("flaw", "any", "a", "lie", 2, 2, None),
        ("flaw", "any", "a", "gap", 1, 2, None),
        ("flaw", "any", "a", "lie_only", 1, 2, None),
        ("error_type", "wrong", "b", "slip", 2, 3, None),
        ("error_type", "wrong", "b", "blind", 1, 3, None),
        ("error_type", "right", "b", "luck", 0, 3, None),
        ("flaw", "any", "b", "lie", 2, 2, None),
        ("flaw", "any", "b", "gap", 1, 2, None),
        ("flaw", "any", "b", "lie_only", 1, 2, None),
    ]
    for row in rows:
        wilson = binomtest(row["count"], row["of"]).proportion_ci(method="wilson")
        assert (row["share"], row["low"], row["high"]) == pytest.approx((row["count"] / row["of"], *wilson))


def test_no_response_is_no_share():
    rows = distribution([], PLAIN)
    assert [(row["count"], row["of"]) for row in rows[:-1]] == [(0, 0)] * 2
    assert all(math.isnan(row["share"]) and math.isnan(row["low"]) for row in rows[:-1])
    assert {row["answer"] for row in rows[:-1]} == {"wrong"}

"""What a judge is told of classes of errors, and how their shares are counted, with classes made up for it."""

import dataclasses
import math
from types import SimpleNamespace

import pytest
from pydantic import ValidationError
from scipy.stats import binomtest

from mmmath_tasks.judge import mathopeval, mathvista
from mmmath_tasks.judge.case import Case, Judged
from mmmath_tasks.judge.error_types import ErrorClass, Pattern, Taxonomy, Typing, distribution, judge_errors, prompt
from mmmath_tasks.judge.exchange import Answer
from mmmath_tasks.judge.prompt import Question
from mmmath_tasks.pictures import Picture
from mmmath_tasks.problem import Problem, Verdict

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


def test_what_is_asked_of_each_response_and_what_becomes_of_the_reply():
    """A right answer, a wrong one with its flaw, one that no reply came to; verified decides where official is None."""
    taxonomy = Taxonomy("", CLASSES, right=(ErrorClass("luck", "x"),), flaws=(ErrorClass("lie", "x"),), by="subject")
    picture = Picture(b"p", None, "")
    groups = {"subject": ("a", "b")}
    problems = [Problem("x", str(n), f"Q{n}", choices=("7", "8"), answer="A", groups=groups) for n in range(3)]
    problems[2] = dataclasses.replace(problems[2], answer=None, groups={}, choices=())
    cases = [Case(problem, f"R{problem.id}", (picture,)) for problem in problems]
    verdicts = [Verdict("0", True, False), Verdict("1", None, False), Verdict("2", False, None)]
    replies = [{"error_type": "luck"}, {"error_type": "slip", "flaws": ["lie"], "analysis": "why"}]
    asked = []

    def ask(questions, about):
        assert about == "error types"
        asked.extend(questions)
        pairs = zip(questions, replies, strict=False)
        return [Answer(Typing.model_validate(said, context=q.context)) for q, said in pairs] + [Answer(None, "timeout")]

    right, wrong = prompt(taxonomy, "x", "right"), prompt(taxonomy, "x")
    judge = SimpleNamespace(ask=ask, client=SimpleNamespace(model="m"))
    found = judge_errors(judge, cases, verdicts, taxonomy)
    materials = [{"question": f"Q{n}\n(A) 7\n(B) 8", "reference": "A", "response": f"R{n}"} for n in range(2)]
    materials.append({"question": "Q2", "reference": "", "response": "R2"})
    classes = [["luck"], ["slip", "blind"], ["slip", "blind"]]
    assert asked == [
        Question(told, material, (picture,), {"classes": names, "flaws": ["lie"]})
        for told, material, names in zip((right, wrong, wrong), materials, classes, strict=True)
    ]
    detail = {"answer": "wrong", "error_type": "slip", "flaws": ["lie"], "analysis": "why", "slices": ["a", "b"]}
    assert [one.detail for one in found] == [
        {**detail, "answer": "right", "error_type": "luck", "flaws": [], "analysis": ""},
        detail,
        {},
    ]
    assert [one.verdict.rule for one in found] == ["judge:m", "judge:m", ""]
    assert found[2].verdict == Verdict("2", None, None, reason="judge_failed: timeout")
    assert [one.prompts for one in found] == [("x_reasoning@1",), ("x_errors@1",), ("x_errors@1",)]
    assert all(len(one.answers) == 1 for one in found)
    assert judge_errors(judge, cases, [Verdict(str(n), None, None) for n in range(3)], taxonomy) == []
    with pytest.raises(ValidationError, match="should be one of luck"):
        Typing.model_validate({"error_type": "slip"}, context=asked[0].context)


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

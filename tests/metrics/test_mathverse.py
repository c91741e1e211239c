"""MathVerse's two verdicts and its headline, on small made-up problems."""

import math

import pytest

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathverse

QUESTION = "Which angle?\nChoices:\nA:40°\nB:60°\nC:120°\nD:140°"


def problem(answer="D", version="Text Lite", question=QUESTION, index="1", kind="multi-choice"):
    row = {"sample_index": f"{index}{version[:3]}{version[-4:]}", "problem_index": index, "problem_version": version}
    row |= {"question": question, "answer": answer, "question_type": kind}
    return mm.benchmark("mathverse").problem({**row, "metadata": {"subject": "Functions", "subfield": "Property"}})


def free(answer):
    return problem(answer, question="How long is it?", kind="free-form")


@pytest.mark.parametrize(
    ("wanted", "response", "verified"),
    [
        (problem(), "D", True),
        (problem(), "Therefore the angle is 140°.", True),
        (problem(), "The answer is C.", False),
        (problem(), "", False),
        (problem("C\nD"), "Both C and D hold.", True),
        (problem("C\nD"), "C, D", True),
        (problem("C\nD"), "The answer is C.", False),
        (problem("C\nD"), "B and C", False),
        (problem("C\nD"), "A, B, C and D", False),
        (problem("(C)"), "C", True),
        (problem("140°"), "D", True),
        (problem("140°"), "A", False),
        (free("0.5m"), "The length is 50 cm", True),
        (free("0.5m"), "The length is 5 cm", False),
        (free("Area $=9 \\pi \\mathrm{cm}^{2}$"), "The area is 9π.", True),
        (free("Area $=9 \\pi \\mathrm{cm}^{2}$"), "The area is 9.", False),
        (free("118掳T"), "The bearing is 118°T.", True),
        (free("118掳T"), "The bearing is 181°T.", False),
    ],
)
def test_rules(wanted, response, verified):
    verdict = mathverse.score(wanted, response)
    assert verdict.official is None
    assert verdict.verified is verified
    assert verdict.reason == ("judge_needed" if response else "empty")


def test_several_letters_are_read_as_letters():
    verdict = mathverse.score(problem("C\nD"), "Both D and C hold.")
    assert (verdict.extracted, verdict.rule) == ("C, D", "letters")


def test_a_judge_gives_the_official_verdict():
    verdict = mathverse.score(problem(), "long story", extraction="D", judged=True)
    assert (verdict.official, verdict.verified, verdict.rule, verdict.reason) == (True, True, "extraction", "")
    verdict = mathverse.score(problem(), "long story", extraction="D", judged=False)
    assert (verdict.official, verdict.verified) == (False, True)


def test_without_a_gold_nothing_is_scored():
    verdict = mathverse.score(problem(None), "D", judged=True)
    assert (verdict.official, verdict.verified, verdict.reason) == (None, None, "no_gold")


def card(outcomes, *, judged=False):
    """Sum up {version: outcomes of problems 1, 2, ...}."""
    problems = {
        (version, i): problem(version=version, index=str(i))
        for version, row in outcomes.items()
        for i, _ in enumerate(row)
    }
    verdicts = [
        mm.Verdict(problems[version, i].id, outcome if judged else None, outcome)
        for version, row in outcomes.items()
        for i, outcome in enumerate(row)
    ]
    return mathverse.summarise(list(problems.values()), verdicts)


def test_the_headline_is_the_mean_over_versions_without_text_only():
    found = card({"Text Dominant": [True, True], "Vision Only": [True, False, False, False], "Text Only": [True] * 4})
    assert found.headline == "acc_verified"
    assert found.value("acc_verified") == pytest.approx((1 + 0.25) / 2)
    assert found.value("acc_text_only_verified") == 1
    assert found.value("acc_verified", "version", "Text Only") == 1
    assert found.value("acc_verified", "subject", "Functions") == 0.5
    assert math.isnan(found.value("acc"))
    assert any("Text Lite, Vision Intensive, Vision Dominant" in note for note in found.notes)


def test_with_a_judge_the_headline_is_his():
    found = card({version: [True, False] for version in mathverse.VERSIONS}, judged=True)
    assert found.headline == "acc"
    assert (found.value("acc"), found.get("acc").count) == (0.5, 10)
    assert not any("rules" in note for note in found.notes)


def test_text_only_alone_is_named_so():
    found = card({"Text Only": [True, False]})
    assert found.headline == "acc_text_only_verified"
    assert found.value(found.headline) == 0.5
    assert math.isnan(found.value("acc_verified"))


@pytest.mark.parametrize("outcomes", [[True], [True] * 40, [False] * 40])
def test_the_interval_is_never_a_point(outcomes):
    """One problem in five versions, four of them right; or all of one version alike."""
    versions = {v: outcomes for v in mathverse.VERSIONS if v != "Text Only"}
    if len(outcomes) == 1:
        versions["Text Lite"] = [False]
    found = card(versions).get("acc_verified")
    assert found.low <= found.value <= found.high
    assert found.high - found.low == pytest.approx(0.085 if len(outcomes) == 40 else 0.86, abs=0.03)


def test_the_interval_knows_that_versions_share_their_problems():
    """Five versions that agree say no more than one."""
    one = card({"Text Lite": [True] * 30 + [False] * 30}).get("acc_verified")
    five = card({v: [True] * 30 + [False] * 30 for v in mathverse.VERSIONS if v != "Text Only"}).get("acc_verified")
    assert (five.low, five.high) == pytest.approx((one.low, one.high))

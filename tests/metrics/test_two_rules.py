"""Every number of every scorecard counted anew from verdicts on which the two rules differ, some of them missing."""

import math
import random
from dataclasses import replace
from statistics import fmean

import pytest

import mmmath_tasks as mm
from mmmath_tasks.harnesses.lm_eval_results import Outcome, extracted, scored
from mmmath_tasks.metrics import mathopeval, mathverse, mathvista
from mmmath_tasks.metrics.tally import mean, wilson
from mmmath_tasks.outputs.run import problems_of
from mmmath_tasks.problem import Problem, Score, Verdict

NONE_READ = ("empty", "refusal", "unextracted: nothing")


def run_of(name, copies=3):
    """Problems of the sample, each several times, and verdicts that differ by rule; some have none."""
    dice = random.Random(name)
    problems, verdicts = [], []
    for problem in problems_of(name, "sample", None)[0]:
        if problem.question_type == "free_form" and name == "mathopeval":
            continue
        for copy in range(copies):
            extra = dict(problem.extra)
            extra |= {key: f"{extra[key]}/{copy}" for key in ("problem", "problem_index") if key in extra}
            one = replace(problem, id=f"{problem.id}/{copy}", extra=extra)
            problems.append(one)
            official, verified = dice.choice([True, False, False, None]), dice.choice([True, True, True, False, None])
            reason = dice.choice(["", "", "", "no_gold", *NONE_READ])
            read = None if reason in NONE_READ else dice.choice("AB")
            prediction = dice.choice([None, "B"])
            if dice.random() < 0.9:
                verdicts.append(Verdict(one.id, official, verified, read, prediction, reason=reason))
    return problems, [*verdicts, Verdict("of another run", True, True)]


def share(pairs, rule):
    known = [getattr(v, rule) for _, v in pairs if getattr(v, rule) is not None]
    return (fmean(known) if known else math.nan), len(known)


def within(pairs, group, slice):
    if group == "geometry direction":
        pairs, group = [(p, v) for p, v in pairs if "geometry" in p.groups["type"]], "direction"
    return [(p, v) for p, v in pairs if not group or slice in p.groups.get(group, ())]


def plain(name, score, pairs):
    """The value and the count of a metric that is a share of verdicts; None for what is none."""
    rule = "verified" if "_verified" in score.metric else "official"
    inside = within(pairs, score.group, score.slice)
    seen = [(p, v) for p, v in inside if p.groups.get("version") != ("Text Only",)]
    if score.metric == "share_empty":
        return fmean(v.reason == "empty" for _, v in pairs), len(pairs)
    if score.metric == "share_unextracted":
        return fmean(v.extracted is None for _, v in pairs), len(pairs)
    if score.metric == "parse_failure":
        return (fmean(v.prediction is None for _, v in inside) if inside else math.nan), len(inside)
    if score.metric.startswith("acc_text_only"):
        return share([pair for pair in inside if pair not in seen], rule)
    if score.metric in ("acc", "acc_verified") and name == "mathverse" and score.group != "version":
        return share(seen, rule) if score.group else (fmean(version_means(seen, rule)), share(seen, rule)[1])
    if score.metric in ("acc", "acc_verified"):
        return share(inside, rule)
    step = {"s1": "one-step", "s2": "two-step", "s3": "three-step"}.get(score.metric.removesuffix("_verified"))
    if step and score.group in ("", "concept"):
        return share([(p, v) for p, v in inside if p.groups["step"] == (step,)], rule)
    if step:
        rows = [(p, v) for p, v in inside if p.groups["step"] == (step,)]
        concepts = sorted({p.groups["concept"] for p, _ in rows})
        means = [share([(p, v) for p, v in rows if p.groups["concept"] == concept], rule)[0] for concept in concepts]
        means = [value for value in means if not math.isnan(value)]
        return (fmean(means) if means else math.nan), share(rows, rule)[1]
    return None


def version_means(pairs, rule):
    versions = sorted({p.groups["version"] for p, _ in pairs})
    found = [share([(p, v) for p, v in pairs if p.groups["version"] == version], rule)[0] for version in versions]
    return [value for value in found if not math.isnan(value)]


@pytest.mark.parametrize("name", mm.benchmarks())
def test_every_share_of_verdicts_counted_anew(name):
    problems, verdicts = run_of(name)
    of = {p.id: p for p in problems}
    pairs = [(of[v.id], v) for v in verdicts if v.id in of]
    card = mm.benchmark(name).metrics.summarise(problems, verdicts)
    checked = set()
    for score in card.scores:
        wanted = plain(name, score, pairs)
        if wanted is not None:
            checked.add((score.metric, score.group))
            assert (score.value, score.count) == (pytest.approx(wanted[0], nan_ok=True), wanted[1]), score
    groups = {group for p in problems for group in p.groups} - {"direction", "step"}
    for group in groups - ({"topic"} if name == "mathopeval" else set()):
        metric = "s1" if name == "wemath" else "acc"
        assert {(metric, group), (f"{metric}_verified", group)} <= checked
    slices = {(s.metric, s.group, s.slice) for s in card.scores}
    assert len(slices) == len(card.scores)
    if name != "wemath":
        assert card.value(card.headline) != card.value(card.headline.replace("acc", "acc_verified"))


@pytest.mark.parametrize("name", mm.benchmarks())
def test_counts_that_all_differ(name):
    problems, _ = run_of(name, 2)
    ends = {"empty": 1, "refusal": 2, "truncated": 3, "unextracted": 4, "unmatched": 5, "no_gold": 6}
    reasons = [reason for reason, count in ends.items() for _ in range(count)]
    known = problems[: len(reasons)]
    verdicts = [
        Verdict(p.id, None, None, reason=reason)
        if reason == "no_gold"
        else Verdict(p.id, False, False, "17", reason="unextracted: no option")
        if reason == "unmatched"
        else Verdict(
            p.id, False, None if reason == "refusal" else False, reason=f"{reason}: why" if reason[0] == "u" else reason
        )
        for p, reason in zip(known, reasons, strict=True)
    ]
    verdicts[-1] = replace(verdicts[-1], truncated=True)  # no_gold, and cut
    problems = problems[: len(reasons) + 2]  # two have no response
    counts = mm.benchmark(name).metrics.summarise(problems, verdicts).counts
    wanted = {**ends, "truncated": 4, "total": 23, "scored": 15, "unscored": 6, "missing": 2}
    assert {cause: counts.get(cause, 0) for cause in wanted} == wanted


def test_a_verdict_of_one_rule_alone_is_scored_and_duplicates_are_not_missing():
    problems = [Problem("mathvista", str(i), "?") for i in range(4)]
    verdicts = [Verdict("0", True, None), Verdict("1", None, False), Verdict("1", None, True), Verdict("2", None, None)]
    verdicts[-1] = replace(verdicts[-1], scores={"rating": 7.0})
    counts = mm.benchmark("mathvista").metrics.summarise(problems, verdicts).counts
    assert (counts["total"], counts["scored"], counts["unscored"], counts["missing"]) == (4, 4, 0, 1)


def test_gain_by_hand_on_ten_rows_of_which_three_are_not_scored():
    """Chances 1/4, 1/2, 2/3 (an option that stands twice), 0; of those that are scored 4 of 7 are right."""
    rows = [
        (("a", "b", "c", "d"), "a", True),
        (("a", "b", "c", "d"), "d", False),
        (("a", "b"), "b", True),
        (("a", "b"), "a", None),
        (("a", "a", "b"), "a", True),
        (("a", "a", "b"), "b", None),
        ((), "5", False),
        ((), "6", True),
        ((), "7", False),
        ((), "8", None),
    ]
    problems = [
        Problem(
            "mathvista", str(i), "?", c, a, "multi_choice" if c else "free_form", groups={"skill": ("x", "yz"[i % 2])}
        )
        for i, (c, a, _) in enumerate(rows)
    ]
    verdicts = [Verdict(str(i), right, not right) for i, (_, _, right) in enumerate(rows)]
    card = mm.benchmark("mathvista").metrics.summarise(problems, verdicts)
    floor = (1 / 4 + 1 / 4 + 1 / 2 + 2 / 3) / 7
    for score in (card.get("gain"), card.get("gain", "skill", "x")):
        whole = card.get("acc")
        assert (score.value, score.count) == (pytest.approx((4 / 7 - floor) / (1 - floor)), 7)
        assert (score.low, score.high) == pytest.approx(
            tuple((x - floor) / (1 - floor) for x in (whole.low, whole.high))
        )
    even = (1 / 4 + 1 / 2 + 2 / 3 + 0 + 0) / 5  # rows 0, 2, 4, 6, 8: three right
    odd = (1 / 4 + 0) / 2  # rows 1 and 7: one right
    assert card.value("gain", "skill", "y") == pytest.approx((3 / 5 - even) / (1 - even))
    assert card.value("gain", "skill", "z") == pytest.approx((1 / 2 - odd) / (1 - odd))


def test_chance_by_hand():
    def chance(of, choices, answer, kind="multi_choice"):
        return of.chance(Problem("", "1", "?", choices, answer, kind))

    assert chance(mathvista, ("a", "b", "c"), "c") == pytest.approx(1 / 3)
    assert chance(mathvista, ("a", "b", "c"), "c", "free_form") == 0
    assert chance(mathverse, ("a", "b", "c", "d", "e"), "B") == pytest.approx(1 / 5)
    assert chance(mathverse, (), "12", "free_form") == 0
    assert chance(mathopeval, ("a", "b", "c", "d"), "B") == pytest.approx(1 / 4)
    assert chance(mathopeval, (), None, "free_form") == 0


def test_mathverse_is_the_mean_of_five_versions_of_unlike_sizes():
    rights = {"Text Dominant": (3, 4), "Text Lite": (2, 5), "Text Only": (6, 6), "Vision Intensive": (1, 3)}
    rights |= {"Vision Dominant": (1, 2), "Vision Only": (0, 1)}
    problems, verdicts = [], []
    for version, (right, count) in rights.items():
        for i in range(count):
            key = f"{version}{i}"
            groups = {"version": (version,), "subject": ("Plane Geometry",), "subfield": (f"f{i}",)}
            problems.append(Problem("mathverse", key, "?", groups=groups, extra={"problem_index": str(i)}))
            verdicts.append(Verdict(key, i < right, i >= right))
    card = mathverse.summarise(problems, verdicts)
    assert card.value("acc") == pytest.approx((3 / 4 + 2 / 5 + 1 / 3 + 1 / 2 + 0) / 5)
    assert card.value("acc_verified") == pytest.approx((1 / 4 + 3 / 5 + 2 / 3 + 1 / 2 + 1) / 5)
    assert (card.value("acc_text_only"), card.value("acc_text_only_verified")) == (1, 0)
    assert card.get("acc").count == 15
    assert (card.get("acc").low, card.get("acc").high) == pytest.approx(
        wilson(card.value("acc"), 1)
    )  # one in a version
    assert (card.value("acc", "subject", "Plane Geometry"), card.headline) == (pytest.approx(7 / 15), "acc")
    assert [s.slice for s in card.scores if (s.metric, s.group) == ("acc", "version")] == list(mathverse.VERSIONS)
    only = [p for p in problems if p.groups["version"] == ("Text Only",)]
    assert mathverse.summarise(only, verdicts).headline == "acc_text_only"


def test_the_macro_means_of_mathopeval_are_means_of_slices_that_occur():
    card = mathopeval.summarise(*run_of("mathopeval"))
    for suffix in ("", "_verified"):
        means = {"": mathopeval.MEANS["task x type"], **mathopeval.MEANS}
        for name, slices in means.items():
            group = {"": "task x type", "angle, line": "element", "x, y, extreme": "element"}.get(name, name)
            parts = [s for part in slices if (s := card.get(f"acc{suffix}", group, part)) and s.count]
            score = card.get(f"acc{suffix}_macro", "mean over" if name else "", name)
            if score is not None:
                wanted = fmean(s.value for s in parts) if parts else math.nan
                half = math.sqrt(sum(((s.high - s.low) / 2) ** 2 for s in parts)) / len(parts) if parts else math.nan
                assert (score.value, score.count) == (pytest.approx(wanted, nan_ok=True), sum(s.count for s in parts))
                assert score.low == pytest.approx(max(0, wanted - half), nan_ok=True)
                assert score.high == pytest.approx(min(1, wanted + half), nan_ok=True)
    assert card.headline == "acc_macro"
    assert card.value("acc_macro") != card.value("acc")


TABLES = [
    ("mathvista", {"task": ("math word problem",)}, {}, {"acc_MWP": 1.0}, 5),
    ("mathvision", {"level": ("4",)}, {}, {"acc_level4": 1.0}, 5),
    ("wemath", {"step": ("two-step",)}, {}, {"s2": 1.0}, 3),
    ("mathverse", {"version": ("Text Only",)}, {}, {"acc_text_only": True, "acc_text_only_verified": False}, 4),
    ("mathverse", {"version": ("Text Lite",)}, {}, {}, 0),
    ("mathverse", {"version": ("Text Lite",)}, {"acc_judged": 1.0}, {"acc_judged": True}, 2),
    ("mathopeval", {"task": ("mcg",), "type": ("pie",)}, {}, {"acc_mcg": 1.0, "acc_pie": 1.0}, 9),
]


@pytest.mark.parametrize(("name", "groups", "scores", "wanted", "size"), TABLES)
@pytest.mark.parametrize("right", [True, False])
def test_a_harnesss_table_has_the_official_verdict_under_one_column(name, groups, scores, wanted, size, right):
    problem = Problem(name, "1", "?", ("a", "b"), "A", "multi_choice", groups=groups)
    verdict = Verdict("1", right, not right, "A", scores=scores)
    found = mm.benchmark(name).metrics.table_scores(problem, verdict)
    shown = {column: value for column, value in found.items() if value is not None and not math.isnan(value)}
    assert shown == {column: value if right else not value for column, value in wanted.items()}
    assert len(found) == size
    row = scored({}, problem, verdict, "A")
    if "acc" not in found:
        assert (row["acc"], row["acc_verified"]) == (float(right), float(not right))
    for column in wanted:
        assert row[column] == float(shown[column])
    unknown = scored({}, problem, Verdict("1", None, right), "A")
    assert unknown.get("acc") is None
    if "acc_verified" not in found:
        assert unknown["acc_verified"] == float(right)


def test_the_share_of_answers_read_is_not_that_of_the_others():
    outcomes = [
        Outcome({}, Problem("mathvista", "1", "?"), Verdict("1", True, True, text), "") for text in ("A", "", None)
    ]
    assert extracted(outcomes) == pytest.approx(2 / 3)


def test_a_rating_is_a_mean_on_its_own_scale():
    groups = {"task": ("mcg",), "type": ("pie",), "task x type": ("mcg x pie",)}
    problems = [Problem("mathopeval", str(i), "?", groups=groups) for i in range(3)]
    verdicts = [
        Verdict(str(i), None, None, "x", scores={"execution": e, "rating": r})
        for i, (e, r) in enumerate([(0.125, 9.0), (0.5, 3.5), (0.25, 6.25)])
    ]
    card = mathopeval.summarise(problems, verdicts)
    assert isinstance(card.get("rating"), Score)
    assert (card.value("execution"), card.value("rating")) == pytest.approx((0.875 / 3, 18.75 / 3))
    for metric, values, scale in (("execution", [0.125, 0.5, 0.25], (0, 1)), ("rating", [9.0, 3.5, 6.25], (1, 10))):
        wanted = mean(metric, values, scale=scale)
        for score in (card.get(metric), card.get(metric, "type", "pie")):
            assert (score.low, score.high) == pytest.approx((wanted.low, wanted.high))
    assert (card.headline, card.value("execution_macro")) == ("execution_macro", pytest.approx(0.875 / 3))
    assert card.value("execution_rating_correlation") == pytest.approx(-1)
    assert 1 <= card.get("rating_macro").low < card.value("rating_macro") < card.get("rating_macro").high <= 10

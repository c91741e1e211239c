"""Which plots a benchmark's runs make: their names, titles, captions, and what their axes say."""

import math
import re

import pytest
from report.test_which_numbers import section_of, vista, wemath_card

from mmmath_tasks.problem import Score, Scorecard
from mmmath_tasks.report.figures import figures
from mmmath_tasks.report.runs import Run, sections

GRID = (
    "Percent, with n where a cell has fewer than ten problems. The shade means the same on every map. A dash: no "
    "problems."
)
PARTS = {"subject": "wxyz", "level": "12", "subject x level": ("w, level 1", "x, level 1", "x, level 3")}


def vision(headline=0.3, years=0):
    scores = [Score("acc", "", "", headline, 3040, headline - 0.02, headline + 0.02)]
    for metric, low in (("acc", 0.3), ("parse_failure", 0.1)):
        for group, parts in PARTS.items():
            scores += [Score(metric, group, part, low + i / 50, 30 + i, low, low + 0.2) for i, part in enumerate(parts)]
    scores += [Score("acc", "mean over", "x", 0.2, 4), Score("gain", "level", "1", 0.2, 4)]
    scores += [Score("acc", "unknown", "1", math.nan, 4)]
    scores += [Score("acc", "year", f"{1900 + i}", 0.2, 4) for i in range(years)]
    return Scorecard("mathvision", "acc", tuple(scores), {"total": 3040}, {"task": "mathvision_test"})


def opeval():
    scores = [Score("rating_macro", "", "", 5.0, 7552, 4.9, 5.1), Score("execution_macro", "", "", 0.5, 7552)]
    cells = [f"{a} x {b}" for a in ("pie", "bar") for b in ("mcg", "mce")]
    for group, parts in (("type x task", cells), ("type", ("bar", "pie")), ("task", ("mce", "mcg"))):
        scores += [Score("rating", group, part, 6.5, 40, 6.0, 7.0) for part in parts]
    return Scorecard("mathopeval", "rating_macro", tuple(scores), {"total": 7552}, {"task": "mathopeval_gen_direct"})


def crowd(count=6):
    cards = [vision(0.3 + 0.1 * (i % 3)) if i != 3 else vision(math.nan) for i in range(count)]
    return sections([Run(f"r{i}", card, None, None) for i, card in enumerate(cards)])[0]


MADE = {
    # name, title, whether it is shown on demand only
    "one run": (
        lambda: section_of(vision(years=24)),
        [
            ("mathvision_headline", "MATH-Vision: accuracy in percent", False),
            ("mathvision_acc_by_subject_radar", "Accuracy by subject, at a glance", False),
            ("mathvision_acc_by_subject", "Accuracy by subject", False),
            ("mathvision_acc_by_level", "Accuracy by level", False),
            ("mathvision_acc_by_subject_x_level_run0", "Accuracy by subject \u00d7 level: run0", False),
            (
                "mathvision_parse_failure_by_subject_radar",
                "Share without a readable option by subject, at a glance",
                False,
            ),
            ("mathvision_parse_failure_by_subject", "Share without a readable option by subject", True),
            ("mathvision_parse_failure_by_level", "Share without a readable option by level", True),
            (
                "mathvision_parse_failure_by_subject_x_level_run0",
                "Share without a readable option by subject \u00d7 level: run0",
                True,
            ),
            ("mathvision_acc_by_year", "Accuracy by year", False),
        ],
    ),
    "ratings": (
        lambda: section_of(opeval()),
        [
            ("mathopeval_headline", "MathOPEval: rating macro in percent", False),
            (
                "mathopeval_rating_by_type_x_task_run0",
                "Rating by type \u00d7 task, percent of ten points: run0",
                False,
            ),
            ("mathopeval_rating_by_type", "Rating by type, percent of ten points", False),
            ("mathopeval_rating_by_task", "Rating by task, percent of ten points", False),
        ],
    ),
    "read apart": (
        lambda: section_of(vista(0.4, 0.6, answers_read_by={"rules": 1000}), vista(0.5, 0.6)),
        [
            ("mathvista_headline", "MathVista: accuracy in percent (read by rules: run0)", False),
            ("mathvista_acc_by_task", "Accuracy by task (read by rules: run0)", False),
            ("mathvista_acc_verified_by_task", "Accuracy by task, verified", False),
        ],
    ),
    "read alike": (
        lambda: section_of(*[vista(0.4, 0.6, 7, answers_read_by={"rules": 1000}) for _ in range(2)]),
        [
            ("mathvista_headline", "MathVista, partial runs: accuracy in percent, read by rules", False),
            ("mathvista_acc_by_task", "Accuracy by task, read by rules", False),
            ("mathvista_acc_verified_by_task", "Accuracy by task, verified", False),
        ],
    ),
    "shares": (
        lambda: section_of(wemath_card()[0]),
        [
            ("wemath_headline", "We-Math: score, strict in percent", False),
            *[
                line
                for rule, s1, said in (("", "s1", ""), ("_verified", "s1_verified", ", verified"))
                for line in (
                    (f"wemath_dimensions_strict{rule}", f"Four dimensions, strict{said}", False),
                    (f"wemath_dimensions_loose{rule}", f"Four dimensions, loose{said}", False),
                    (f"wemath_{s1}_by_domain", f"Accuracy on one-step problems by domain{said}", False),
                )
            ],
        ],
    ),
}


@pytest.mark.parametrize("name", MADE)
def test_the_plots_of_a_section(name):
    section, wanted = MADE[name]
    found = list(figures(section()))
    assert [(one.name, one.title, one.long) for one in found] == wanted
    for one in found:
        assert one.caption == GRID if " \u00d7 " in one.title else one.caption != GRID
        by = "verified" if "_verified" in one.name else "official"
        assert one.rule == ("both" if one.name.endswith("headline") else by)
        group = re.search("_by_(.*?)(_run0|_radar|)$", one.name)
        assert one.group == (group[1].replace("_x_", " x ") if group else "")
        assert one.ratio == "/".join(re.search('width="([^"]+)" height="([^"]+)"', one.svg).groups())
        assert f"<title>{one.title.partition(', at a glance')[0]}</title>" in one.svg.replace("&#x27;", "'")


def said(figure):
    return re.findall(r"<text[^>]*>(.*?)</text>", figure.svg)


def test_more_runs_than_colours_make_small_multiples_the_best_first():
    found = {one.name: one for one in figures(crowd())}
    (levels, subjects) = (found[f"mathvision_acc_by_{group}"] for group in ("level", "subject"))
    assert [word for word in said(levels) if re.fullmatch(r"r\d", word)] == ["r2", "r5", "r1", "r4", "r0", "r3"]
    assert said(subjects)[-1] == "accuracy, percent; a panel a subject"
    assert not any(name.endswith("radar") for name in found)
    assert (levels.long, subjects.long, found["mathvision_acc_by_subject_x_level_r0"].long) == (False, False, True)
    few = {one.name: one for one in figures(section_of(*[vision() for _ in range(5)]))}
    assert not any(name.endswith("radar") for name in few)
    assert "mathvision_acc_by_subject_x_level_run4" in few
    assert {one.long for name, one in few.items() if "_acc_" in name} == {False}
    many = sections([Run(f"r{i}", vision(years=n), None, None) for i, n in enumerate((10, 9, 9, 9, 9, 9))])[0]
    assert {one.name: one.long for one in figures(many)}["mathvision_acc_by_year"] is True
    (years,) = [one for one in figures(section_of(vision(years=25))) if one.name.endswith("year")]
    assert years.long


def test_without_a_judge_the_verified_numbers_stand_for_either_rule():
    scores = [Score("acc_verified", "", "", 0.5, 9), Score("acc_verified", "version", "Text Lite", 0.5, 9)]
    found = figures(section_of(Scorecard("mathverse", "acc_verified", tuple(scores))))
    assert [(one.name, one.rule) for one in found] == [
        ("mathverse_headline", "both"),
        ("mathverse_acc_verified_by_version", "both"),
    ]


def test_axes_say_what_they_measure_and_in_what_order():
    found = {one.name: one for one in [*figures(section_of(vision())), *figures(section_of(opeval()))]}
    assert {"accuracy, percent", "level", "1", "2"} <= set(said(found["mathvision_acc_by_level"]))
    assert "accuracy, percent; 0 in the middle, 40 at the rim" in said(found["mathvision_acc_by_subject_radar"])
    assert {"rating, percent of ten points", "type"} <= set(said(found["mathopeval_rating_by_type"]))
    assert "share without a readable option, percent" in said(found["mathvision_parse_failure_by_level"])
    assert {"rating macro, percent", "the authors&#x27; rule"} <= set(said(found["mathopeval_headline"]))
    grid = said(found["mathvision_acc_by_subject_x_level_run0"])
    assert [word for word in grid if word in ("level", "subject", "level 1", "level 3", "w", "x")] == [
        *("level", "subject", "level 1", "level 3", "w", "x"),
    ]
    grid = said(found["mathopeval_rating_by_type_x_task_run0"])
    assert [word for word in grid if re.fullmatch("task|type|mc.|bar|pie", word)] == [
        *("task", "type", "mce", "mcg", "bar", "pie"),  # as the breakdowns of either alone have them
    ]
    judged = Scorecard("mathverse", "acc_judged", (Score("acc_judged", "", "", 0.5, 9),), {"total": 9}, {})
    (one,) = figures(section_of(judged))
    assert {"accuracy by a judge, percent", "a judge, not by the authors&#x27; prompts"} <= set(said(one))
    shares = next(one for one in figures(section_of(wemath_card()[0])) if "dimensions" in one.name)
    assert {"score", "IK", "IG", "CM", "RM"} <= set(said(shares))


VISTA = "(Table 2, arXiv 2310.02255, section 3)"
WEMATH = "Table 3, arXiv 2407.01284, section 5; Table 11, arXiv 2407.01284, appendix E."
CAPTIONS = [
    (vista(0.4, 0.6), "headline", f"Grey: the paper's humans, baselines, 5 best models {VISTA}."),
    (
        vista(0.4, 0.6, answers_read_by={"rules": 1000}),
        "headline",
        f"Grey: the paper's humans, baselines, 5 best models {VISTA}. The models' answers were read by GPT-4 there.",
    ),
    (vista(0.4, 0.6, 999), "headline", "Runs of less than all 1,000 problems: no row of the paper here."),
    (vista(0.4, 0.6, 999), "by_task", ""),
    (vista(0.4, 0.6), "by_task", "From the paper: Table 2, arXiv 2310.02255, section 3."),
    (
        vista(0.4, 0.6, task="x", split="nowhere"),
        "headline",
        "The paper's figures are for other problems, so none stands here.",
    ),
    (
        opeval(),
        "headline",
        "Grey: the paper's 2 best models (main results, section 4.2). "
        "The paper's problems are its authors' own, which are not public; ours are a reconstruction.",
    ),
    (
        wemath_card()[0],
        "dimensions_loose",
        "IK, IG, RM, CM: insufficient knowledge, inadequate generalisation, rote memorisation, complete mastery. "
        "Score: IG / 2 + CM. "
        f"Paper: {WEMATH}",
    ),
    (
        wemath_card()[0],
        "headline",
        "Grey: the paper's baselines, 5 best models (Table 11, arXiv 2407.01284, appendix E; Table 3, arXiv "
        "2407.01284, section 5). Random: the paper prints 16.5 on one-step problems and does not say how it drew; ours "
        "is 21.7 on average, one in the number of the options of each question, of which most have five and many four.",
    ),
]


@pytest.mark.parametrize(("card", "name", "caption"), CAPTIONS)
def test_captions_say_whose_numbers_stand_there(card, name, caption):
    found = [one for one in figures(section_of(card)) if name in one.name]
    assert found[0].caption == caption


def test_runs_of_two_headlines_have_a_plot_of_each_and_none_without_a_number():
    scores = tuple(Score(metric, "", "", 0.5, 9) for metric in ("acc", "other", "acc_verified"))
    bare = Score("acc", "", "", math.nan, 0)
    cards = [Scorecard("mathvista", headline, scores) for headline in ("acc", "other", "acc_verified")]
    assert [(one.name, one.title) for one in figures(section_of(*cards))] == [
        ("mathvista_headline", "MathVista: accuracy in percent (reader not recorded: run0, run1)"),
        ("mathvista_headline_other", "MathVista: other in percent (reader not recorded: run0, run1)"),
    ]
    assert list(figures(section_of(Scorecard("mathvista", "acc", (bare,))))) == []
    assert list(figures(section_of(Scorecard("wemath", "acc", (Score("ik", "", "", math.nan, 0),))))) == []

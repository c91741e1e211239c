"""Which verdict's numbers stand in which table, plot and caption, of runs on which the two rules differ."""

import math

import pytest

from mmmath_tasks import papers
from mmmath_tasks.metrics import wemath
from mmmath_tasks.problem import Score, Scorecard
from mmmath_tasks.report.figures import figures
from mmmath_tasks.report.runs import Run, sections
from mmmath_tasks.report.summary_table import columns, marks_of, metrics_of, score_cell

TASKS = ("figure question answering", "geometry problem solving", "math word problem")
TOTAL = 1000


def vista(official, verified, total=TOTAL, **provenance):
    """A run on testmini: every number is another one, `official` and `verified` and the part's place behind them."""
    scores = [Score("acc", "", "", official, total, official - 0.03, official + 0.02)]
    scores.append(Score("acc_verified", "", "", verified, total, verified - 0.01, verified + 0.04))
    for i, part in enumerate(TASKS):
        for metric, value in (("acc", official), ("acc_verified", verified)):
            scores.append(Score(metric, "task", part, value + i / 100, 300 + i, value - 0.1, value + 0.1))
    scores.append(Score("gain", "task", TASKS[0], 0.111, 300))
    origin = {"task": "mathvista_testmini", "answers_read_by": {"extraction": total}, **provenance}
    return Scorecard("mathvista", "acc", tuple(scores), {"total": total, "scored": total, "empty": 3}, origin)


def section_of(*cards):
    return sections([Run(f"run{i}", card, None, i) for i, card in enumerate(cards)])[0]


def told(figure):
    return [(row["run"], row["metric"], row.get("slice"), row["value"]) for row in figure.numbers]


def test_each_plot_shows_the_verdicts_it_names():
    section = section_of(vista(0.41234, 0.61234), vista(0.52345, 0.32345))
    found = {figure.name: figure for figure in figures(section)}
    for metric, rule, values in (
        ("acc", "official", (0.41234, 0.52345)),
        ("acc_verified", "verified", (0.61234, 0.32345)),
    ):
        figure = found[f"mathvista_{metric}_by_task"]
        wanted = [
            (f"run{r}", metric, part, value + i / 100) for r, value in enumerate(values) for i, part in enumerate(TASKS)
        ]
        assert (figure.rule, told(figure)) == (rule, wanted)
        for value in values:
            assert f"{100 * value:.1f} %" in figure.svg
            assert f"{100 * (value + 0.02):.1f} %" in figure.svg
    ours = [row for row in told(found["mathvista_headline"]) if row[0].startswith("run")]
    assert ours == [
        ("run0", "acc", "", 0.41234),
        ("run0", "acc_verified", "", 0.61234),
        ("run1", "acc", "", 0.52345),
        ("run1", "acc_verified", "", 0.32345),
    ]
    assert found["mathvista_headline"].rule == "both"
    svg = found["mathvista_headline"].svg
    assert "run0, official rule: 41.2 % [38.2, 43.2], n = 1000" in svg
    assert "run0, verified rule: 61.2 % [60.2, 65.2], n = 1000" in svg
    assert not any("gain" in name for name in found)


def test_the_papers_rows_stand_beside_whole_runs_only():
    whole, partial = vista(0.4, 0.6), vista(0.4, 0.6, total=999)
    other = vista(0.4, 0.6, task="mathvista_nowhere", split=None)
    theirs = vista(0.4, 0.6, setting="VLMEvalKit's prompt (ms-vlmeval 0.0.20, MathVista_MINI)")
    for card, shown in ((whole, True), (partial, False), (other, False), (theirs, False)):
        drawn = list(figures(section_of(card)))
        assert any("Human" in figure.svg for figure in drawn) is shown
        assert any("paper" in str(told(figure)) or "Table" in str(told(figure)) for figure in drawn) is shown
    (headline, *_) = figures(section_of(whole))
    tables = papers.tables("mathvista", "testmini")
    key = ("acc", "", "")
    shown = [row[3] for row in told(headline) if not row[0].startswith("run")]
    models = sorted(
        {
            row.name: row.values[key]
            for table in reversed(tables)
            for row in table.rows
            if key in row.values and row.kind == "model"
        }.values()
    )[-5:]
    assert set(models) <= set(shown)


def test_the_papers_rows_of_a_breakdown_are_the_official_parts_for_either_rule():
    (headline, *others) = figures(section_of(vista(0.4, 0.6)))
    rows = [row for table in papers.tables("mathvista", "testmini") for row in table.rows]
    models = {row.name for row in rows if row.kind == "model" and ("acc", "task", TASKS[0]) in row.values}
    assert len(models) > 5
    for figure in others:
        assert figure.rule == ("verified" if "_verified_" in figure.name else "official")
        assert not any(name in figure.svg for name in models)
        assert figure.caption.startswith("From the paper: ")
        human = next(r for t in papers.tables("mathvista", "testmini") for r in t.rows if r.kind == "human")
        for part in TASKS:
            assert f"{100 * human.values['acc', 'task', part]:.1f} %" in figure.svg
    assert "Human" in headline.svg


def wemath_card():
    values = {name: 0.05 + i / 29 for i, name in enumerate(wemath.DIMENSIONS)}
    scores = [Score(name, "", "", value, 525, value - 0.02, value + 0.02) for name, value in values.items()]
    scores += [Score(f"{name}_verified", "", "", value / 2, 525, 0, 1) for name, value in values.items()]
    scores += [Score(name, "domain", "Measurement", 0.5, 100) for name in ("s1", "s1_verified")]
    counts = {"total": 1740, "scored": 1740, "problems": 525, "problems_complete": 525}
    return Scorecard("wemath", "score_strict", tuple(scores), counts, {"task": "wemath_testmini"}), values


def test_the_classes_are_those_of_their_reading_and_rule():
    card, values = wemath_card()
    found = {figure.name: figure for figure in figures(section_of(card))}
    key = ("score_strict", "", "")
    printed = [r for t in papers.tables("wemath", "testmini") for r in t.rows if r.kind == "model" and key in r.values]
    best = max(printed, key=lambda row: row.values[key]).name
    for reading in ("strict", "loose"):
        for suffix, scale, rule in (("", 1, "official"), ("_verified", 2, "verified")):
            figure = found[f"wemath_dimensions_{reading}{suffix}"]
            shares = {"IK": values["ik"], "IG": values["ig"], "CM": values[f"cm_{reading}"]}
            shares = {kind: share / scale for kind, share in shares.items()}
            shares["RM"] = 1 - sum(shares.values())
            for kind, share in shares.items():
                assert f"run0, {kind}: {100 * share:.1f} % of problems" in figure.svg
            assert f"run0: {100 * values[f'score_{reading}'] / scale:.1f} %" in figure.svg
            names = [row[1] for row in told(figure)]
            assert names == [f"{n}{suffix}" for n in ("ik", "ig", f"rm_{reading}", f"cm_{reading}", f"score_{reading}")]
            assert figure.rule == rule
            assert f"{best} (paper): " in figure.svg
            assert [n for n in {row.name for row in printed} if f"{n} (paper): " in figure.svg] == [best]


def test_the_tables_columns_in_both_rules_and_the_best_by_each():
    section = section_of(vista(0.41234, 0.61234), vista(0.52345, 0.32345), vista(0.1, 0.2))
    found = {column.title: column for column in columns(section)}
    assert list(found) == ["problems", "acc", "acc verified", "empty"]
    assert [cell.main for cell in found["acc"].cells] == ["41.2", "52.3", "10.0"]
    assert [cell.main for cell in found["acc verified"].cells] == ["61.2", "32.3", "20.0"]
    assert [cell.mark for cell in found["acc"].cells] == ["", "★", ""]
    assert [cell.mark for cell in found["acc verified"].cells] == ["★", "", ""]
    assert found["acc"].cells[0].note == "38.2\u00a0to\u00a043.2, n=1,000"
    assert found["acc"].cells[0].order == 0.41234
    assert [cell.main for cell in found["empty"].cells] == ["3", "3", "3"]
    partial = {column.title: column for column in columns(section_of(vista(0.4, 0.6, 999), vista(0.5, 0.3, 999)))}
    assert not any(cell.mark for column in partial.values() for cell in column.cells)
    assert partial["problems"].cells[0].note == "of 1,000"


CAUSES = ("empty", "extraction_empty", "refusal", "truncated", "unextracted", "unmatched", "unscored", "missing")
TABLE = """
problems | None | 985 | 999
answers read by | None | extraction 1,000 | rules 7, extraction 1,000
asked by | None | the authors' prompt | S
acc | None | 40.0 -> rule official | 50.0 -> rule official
acc verified | None | 60.0 -> rule verified | 30.0 -> rule verified
acc audited | None | None -> rule official | 50.0 -> rule official
s1 | official | None -> rule official | 10.0 -> rule official
empty | None | 1 -> reason empty | 0
extraction empty | None | 2 | 0
refusal | None | 3 -> reason refusal | 0
truncated | None | 4 -> reason truncated | 0
unextracted | None | 5 -> reason unextracted | 0
unmatched | None | 6 -> reason unmatched | 0
unscored | None | 7 -> reason unscored | 0
missing | None | 8 -> verdict none | 0
"""


def test_a_tables_cells_lead_to_the_responses_that_they_count():
    first = vista(0.4, 0.6)
    first.counts.update({name: i for i, name in enumerate(CAUSES, 1)} | {"scored": 985})
    second = vista(0.5, 0.3, 999, setting="S (1)", answers_read_by={"rules": 7, "extraction": 1000})
    second.counts["empty"] = 0
    more = [Score(metric, "", "", value, 9) for metric, value in (("acc_audited", 0.5), ("share_x", 0.1), ("s1", 0.1))]
    second = Scorecard("mathvista", "acc", (*second.scores, *more), second.counts, second.provenance)
    section = section_of(first, second)

    def cell(at, one):
        run, _, chosen = one.opens.partition(": ")
        assert run in ("", f"run{at}")
        return f"{one.main} -> {chosen}" if chosen else f"{one.main}"

    found = columns(section, lambda run, **chosen: f"{run.name}: {' '.join(*chosen.items())}")
    told = [" | ".join([one.title, str(one.rule), *(cell(i, c) for i, c in enumerate(one.cells))]) for one in found]
    assert told == TABLE.strip().split("\n")
    assert [one.cells[0].order for one in (found[0], *found[-8:])] == [985, *range(1, 9)]
    assert {c.note for c in found[0].cells} == {"of 1,000"}
    assert [[c.score for c in one.cells] for one in found[2:4]] == [[False, False], [True, True]]
    assert not any(c.opens or c.mark for one in columns(section) for c in one.cells)


@pytest.mark.parametrize(
    ("ends", "marks"),
    [
        ([(0.5, 0.48, 0.52), (0.47, 0.45, 0.49)], "★"),  # 3 points apart, 2.8 are chance, though the intervals overlap
        ([(0.5, 0.48, 0.52), (0.473, 0.453, 0.493)], "★☆"),
        ([(0.473, 0.453, 0.493), (0.5, 0.48, 0.52)], "☆★"),
        ([(0.5, 0.47, 0.501), (0.473, 0.472, 0.493)], "★☆"),  # the ends that face one another count
        ([(0.5, 0.499, 0.53), (0.473, 0.443, 0.474)], "★"),
        ([(0.5, 0.48, 0.52), (0.49, math.nan, math.nan)], "★"),
        ([(0.5, math.nan, math.nan), (0.49, 0.47, 0.51)], "★"),
    ],
)
def test_what_is_not_told_apart_from_the_highest_is_marked(ends, marks):
    scores = [Score("acc", "", "", value, TOTAL, low, high) for value, low, high in ends]
    runs = [Run(str(i), vista(0.5, 0.5), None, i) for i in range(len(scores))]
    assert "".join(mark for _, mark in sorted(marks_of(runs, scores, "acc").items())) == marks


def test_the_highest_are_those_that_read_the_same_and_compare():
    cards = [vista(value, 0.5) for value in (0.41234, 0.41161, 0.37)]
    runs = [Run(str(i), card, None, i) for i, card in enumerate(cards)]
    scores = [card.get("acc") for card in cards]
    assert marks_of(runs, scores, "acc") == {0: "★", 1: "★"}
    assert marks_of(runs[:1], scores[:1], "acc") == {}
    assert marks_of(runs, [scores[0], None, None], "acc") == {}
    assert marks_of(runs, [scores[0], Score("acc", "", "", 0.9, 999), None], "acc") == {}
    apart = [Run("a", cards[0], None), Run("b", vista(0.5, 0.5, data_revision="other"), None)]
    assert marks_of(apart, [run.card.get("acc") for run in apart], "acc") == {}
    read = [Run("a", cards[0], None), Run("b", vista(0.5, 0.5, answers_read_by={"rules": TOTAL}), None)]
    assert marks_of(read, [run.card.get("acc") for run in read], "acc") == {}
    assert marks_of(read, [run.card.get("acc_verified") for run in read], "acc_verified") == {0: "★", 1: "★"}


def test_cells_of_what_is_not_there():
    assert score_cell(None).main is None
    assert math.isnan(score_cell(None).order)
    assert score_cell(Score("acc", "", "", math.nan, 3)).main is None
    bare = score_cell(Score("acc", "", "", 0.25, 0), remark="read by rules")
    assert (bare.main, bare.note) == ("25.0", "read by rules")
    cards = [
        Scorecard(
            "mathvista",
            "acc",
            (
                Score("share_empty", "", "", 0.5, 2),
                Score("acc", "", "", math.nan, 0),
                Score("acc_verified", "", "", 0.5, 2),
                Score("gain", "g", "s", 0.5, 2),
            ),
        )
    ]
    assert metrics_of([Run("a", cards[0], None)]) == ["acc_verified"]


@pytest.mark.parametrize(
    ("group", "kind"),
    [("level", "mathvision_acc_by_level"), ("subject x level", "mathvision_acc_by_subject_x_level_run0")],
)
def test_a_maps_cells_and_a_profiles_points_are_those_of_their_part(group, kind):
    levels = [f"{i}" for i in range(1, 4)]
    scores = [Score("acc", "", "", 0.3, 3040), Score("acc_verified", "", "", 0.7, 3040)]
    for metric, base in (("acc", 0.1), ("acc_verified", 0.6)):
        scores += [
            Score(metric, "level", level, base + i / 50, 40 + i, base, base + 0.2) for i, level in enumerate(levels)
        ]
        scores += [Score(metric, "subject", s, base, 60) for s in ("algebra", "topology")]
        scores += [
            Score(metric, "subject x level", f"{s}, level {level}", base + 0.2 + (3 * j + i) / 100, 20)
            for j, s in enumerate(("algebra", "topology"))
            for i, level in enumerate(levels)
        ]
    card = Scorecard("mathvision", "acc", tuple(scores), {"total": 3040, "scored": 3040}, {"task": "mathvision_test"})
    found = {figure.name: figure for figure in figures(section_of(card))}
    figure, other = found[kind], found[kind.replace("acc", "acc_verified")]
    for one, metric in ((figure, "acc"), (other, "acc_verified")):
        own = [s for s in scores if (s.metric, s.group) == (metric, group)]
        assert [(row[2], row[3]) for row in told(one)] == [(s.slice, s.value) for s in own]
        for s in own:
            name = s.slice if group != "level" else f"run0, {s.slice}"
            assert f"{name}: {100 * s.value:.1f} %" in one.svg
    crowd = sections([Run(f"run{i}", card, None, None) for i in range(6)])[0]  # more than there are colours
    many = [f for f in figures(crowd) if f.name.startswith(kind)]
    assert ([f.long for f in many], figure.long) == ([group != "level"], False)  # a map a run is long for six runs

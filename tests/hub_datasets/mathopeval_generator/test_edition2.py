"""The second edition: options are whole scripts, of which one draws the figure; sizes follow from statements."""

import contextlib
import io
import math
import re
from collections import Counter
from functools import cache

import pytest

from mmmath_tasks.hub_datasets.mathopeval_generator.edition2 import charts
from mmmath_tasks.hub_datasets.mathopeval_generator.questions import sample
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import STATE_OF_TASK, TYPES
from mmmath_tasks.hub_datasets.mathopeval_generator.wording import texts
from mmmath_tasks.metrics.mathopeval_execution import execution_score
from support.needs import needs

pytestmark = pytest.mark.medium

PYTHON = ("function", "bar", "line", "pie")
ANNOTATION = {"geometry": ("forward", "backward"), "function": ("points", "loop")}
CODE_TASKS = ("mcg", "mce_deletion", "mce_modification")


@cache
def made(kind, index):
    return sample(7, kind, index, 2)


@cache
def elements(code):
    """Return what a script of ours draws, as the execution score sees it; run here, since no model wrote it."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    from mmmath_tasks.sandbox.jailed import artists

    plt.close("all")
    with mpl.rc_context(), contextlib.redirect_stdout(io.StringIO()):
        exec(compile(code.replace("plt.show()", ""), "<ours>", "exec"), {"__name__": "__main__"})  # noqa: S102
        found = artists.elements(plt.gcf(), False)
    plt.close("all")
    return found


def seen(code):
    return [element for element in elements(code) if element["kind"] != "text"]


@needs("sandbox")
@pytest.mark.parametrize("indices", [range(2), pytest.param(range(2, 30), marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", PYTHON)
def test_the_right_option_draws_the_figure_and_no_other_does(kind, indices):
    for index in indices:
        figure = made(kind, index)
        for deck in figure.decks[:3]:
            before, after = (seen(figure.states[state].code) for state in ("original", STATE_OF_TASK[deck.task]))
            scores = [execution_score(kind, deck.task, after, seen(option), before).score for option in deck.options]
            assert scores.pop(deck.truth) == pytest.approx(1), (figure.id, deck.task)
            assert max(scores) < 0.999, (figure.id, deck.task)


@needs("sandbox")
@pytest.mark.parametrize("kind", PYTHON)
def test_the_annotated_script_writes_what_the_marks_say(kind):
    for index in range(4):
        figure = made(kind, index)
        written, before = (
            Counter(e["text"] for e in elements(figure.states[state].code) if e["kind"] == "text")
            for state in ("annotated", "original")
        )
        wanted = {mark.text for mark in figure.marks}
        assert wanted <= set(written - before), figure.id


def measures(figure):
    """Return element to size, worked out from the expressions in the original's code and what the questions state."""
    stated = dict(re.findall(r"\b([a-z]) = (\d+(?:\.\d+)?)", figure.states["annotated"].instruction))
    node = re.compile(r"\\node\[(?:font|fill).*? at (\(.*?\)) \{\$(.*?)\$\}")
    labels = dict(node.findall(figure.states["original"].code))
    sizes = dict(node.findall(figure.states["annotated"].code))
    assert labels.keys() == sizes.keys()
    assert len(labels) == len(figure.marks)
    found = []
    for place, text in labels.items():
        m, variable, sign, c = re.fullmatch(r"(\d?)([a-z])([+-])(\d)", text).groups()
        value = int(m or 1) * float(stated[variable]) + int(sign + c)
        assert f"{value:g}" == sizes[place].replace("^\\circ", "")
        found.append(f"{value:g}")
    assert Counter(found) == Counter(mark.text.rstrip("°") for mark in figure.marks)
    return {mark.element: mark.text for mark in figure.marks}


@pytest.mark.parametrize("index", range(13))
def test_sizes_follow_from_the_statement_and_the_expressions(index):
    figure = made("geometry", index)
    sizes = measures(figure)
    for deck in figure.decks[3:]:
        right = deck.options[deck.truth]
        if deck.direction == "forward":
            assert right == sizes[re.findall(r"(?:angle|segment) ([A-Z]+)", deck.text)[-1]]
        else:
            holders = [option for option in deck.options if f"{sizes.get(option.split()[1])}" in deck.text.split()[-1]]
            assert right in holders or sizes[right.split()[1]] in deck.text
            assert sizes[right.split()[1]] in deck.text
            others = [sizes.get(option.split()[1]) for option in deck.options if option != right]
            assert sizes[right.split()[1]] not in others


def test_an_angle_is_not_what_it_looks_like():
    """What is asked for forward differs from what is drawn by 12 degrees or more: measuring does not help."""
    for index in range(13):
        figure = made("geometry", index)
        code = figure.states["original"].code
        points = {k: (float(x), float(y)) for k, x, y in re.findall(r"\((\w)\) at \(([\d.]+),([\d.]+)\)", code)}
        for deck in figure.decks[3:]:
            if (deck.element, deck.direction) == ("angle", "forward"):
                a, v, b = (points[k] for k in re.findall(r"angle ([A-Z]{3})", deck.text)[-1])
                turn = math.degrees(math.atan2(b[1] - v[1], b[0] - v[0]) - math.atan2(a[1] - v[1], a[0] - v[0]))
                assert abs(min(turn % 360, -turn % 360) - float(deck.options[deck.truth][:-1])) >= 11


@pytest.mark.parametrize("kind", TYPES)
def test_there_are_texts_enough(kind):
    found = texts()["edition 2"]
    names = (*CODE_TASKS, *ANNOTATION.get(kind, ("value", "call")))
    assert sum(len(found["questions"][name]) for name in names) >= 12
    assert sum(math.prod(map(len, parts)) for parts in found["instructions"].values()) >= 30
    made_here = {state.instruction for index in range(12) for state in made(kind, index).states.values()}
    assert len(made_here) >= 30


@pytest.mark.parametrize("kind", TYPES)
def test_options_are_whole_scripts_of_one_length_or_nearly(kind):
    for index in range(8):
        for deck in made(kind, index).decks[:3]:
            start, end = (
                ("\\begin{tikzpicture}", "\\end{tikzpicture}") if kind == "geometry" else ("import ", "plt.show()")
            )
            assert all(option.startswith(start) and option.endswith(end) for option in deck.options)
            lengths = [len(option) for option in deck.options]
            assert max(lengths) - min(lengths) <= 60
            assert deck.text.count("\n") == 0


def test_backward_questions_are_geometrys_alone():
    """Table 5 of the paper has them for geometry."""
    for kind in TYPES:
        found = {deck.direction for index in range(4) for deck in made(kind, index).decks[3:]}
        assert found == ({"forward", "backward"} if kind == "geometry" else {"forward"})


@pytest.mark.parametrize("kind", list(charts.STYLES))
def test_charts_come_in_all_idioms_and_looks(kind):
    drawn = [made(kind, index) for index in range(40)]
    codes = "\n".join(figure.states["original"].code for figure in drawn)
    words = ["plt.title(", "ax.set_title(", "pd.Series(", "plt.style.use("]
    words += {"bar": ["sns.barplot(", "hatch=", "invert_yaxis", "side."], "line": ["sns.lineplot(", "side."]}.get(
        kind, []
    )
    assert [word for word in words if word not in codes] == []
    assert {figure.style for figure in drawn} == set(charts.STYLES[kind])


def test_variables_keep_their_case():
    """A sentence that begins with what is given would make "a = 6" an "A = 6", which is a point's letter."""
    for index in range(26):
        for deck in made("geometry", index).decks[3:]:
            assert re.search(r"\b[a-z] = \d", deck.text)
            assert not re.search(r"\b[A-Z] = ", deck.text)

"""The second edition's pictures as they are drawn: nothing lies on a text, nothing deleted shows, nothing warns."""

import io
import math
import random
import re
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.hub_datasets.mathopeval_generator import render
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2 import charts
from mmmath_tasks.hub_datasets.mathopeval_generator.questions import sample
from mmmath_tasks.hub_datasets.mathopeval_generator.room import Box
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import STATES
from support.needs import needs

pytestmark = pytest.mark.medium

PYTHON = ("function", "bar", "line", "pie")
SEED = 11


@cache
def made(kind, index):
    return sample(SEED, kind, index, 2)


def dark(png):
    import numpy as np
    from PIL import Image

    return np.array(Image.open(io.BytesIO(png)).convert("L")) < 160


def tikz_faults(documents, scratch):
    """Return how many pixels of texts lie on a line or beside it, of each document."""
    import numpy as np
    from PIL import Image, ImageFilter

    def drawn(option):
        start = "\\begin{tikzpicture}["
        pages = render.tikz_pictures([text.replace(start, f"{start}{option}, ") for text in documents], scratch)
        return [dark(page) for page in pages]

    found = []
    pairs = zip(drawn("draw opacity=0, fill opacity=0, text opacity=1"), drawn("text opacity=0"), strict=True)
    for texts, lines in pairs:
        near = Image.fromarray(lines).convert("L").filter(ImageFilter.MaxFilter(3))
        found.append(int((texts & (np.array(near) > 0)).sum()))
    return found


@needs("sandbox", "tex")
@pytest.mark.parametrize("indices", [range(3), pytest.param(range(3, 30), marks=pytest.mark.slow)])
def test_no_line_touches_a_text_in_any_construction(indices, tmp_path):
    codes = {(i, state): made("geometry", i).states[state].code for i in indices for state in STATES}
    faults = dict(zip(codes, tikz_faults(list(codes.values()), tmp_path), strict=True))
    assert {place: count for place, count in faults.items() if count} == {}


@needs("sandbox", "tex")
def test_the_check_of_figures_sees_a_line_through_a_text(tmp_path):
    code = made("geometry", 0).states["annotated"].code
    x, y = re.search(r"\\node\[font=.*? at \(([\d.]+),([\d.]+)\)", code).groups()
    struck = code.replace(
        "\\end{tikzpicture}", f"\\draw ({float(x) - 1},{y}) -- ({float(x) + 1},{y});\n\\end{{tikzpicture}}"
    )
    assert tikz_faults([struck], tmp_path)[0] > 5


def run(code):
    """Run a script of ours, in which a warning is an error here; return its figure."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt

    plt.close("all")
    exec(compile(code.replace("plt.show()", ""), "<ours>", "exec"), {"__name__": "__main__"})  # noqa: S102
    figure = plt.gcf()
    figure.set_dpi(render.DPI["python"])  # letters are as wide as whole pixels make them
    figure.canvas.draw()
    return figure


def plot_faults(code, marks):
    """Return what is wrong with the texts that a script of ours draws, of which `marks` stand at elements."""
    import matplotlib as mpl

    with mpl.rc_context():  # the script may set a style
        return figure_faults(run(code), marks)


def figure_faults(figure, marks):
    import numpy as np
    from matplotlib.text import Text

    axes, canvas = figure.axes[0], figure.canvas
    numbers = [text for text in axes.texts if text.get_text() in marks]
    legend = axes.get_legend()
    faults = [
        text.get_text() for text in numbers if legend and legend.get_window_extent().overlaps(text.get_window_extent())
    ]
    faults += [text.get_text() for wedge, text in zip(wedges(axes), numbers, strict=False) if outside(wedge, text)]
    faults += [a.get_text() for a in numbers for b in numbers if a is not b and inked(a).overlaps(inked(b))]
    width, height = canvas.get_width_height()
    titles = [
        text
        for text in figure.findobj(Text)
        if text.get_text() in {a.get_title(loc) for a in figure.axes for loc in ("left", "center")} - {""}
    ]
    faults += [
        t.get_text()
        for t in titles
        if t.get_window_extent().x0 < 0 or t.get_window_extent().x1 > width or t.get_window_extent().y1 > height
    ]

    def ink(kept):
        hidden = [
            a for a in (*axes.get_children(), *figure.axes[1:], *figure.texts) if a.get_visible() and a not in kept
        ]
        for artist in hidden:
            artist.set_visible(False)
        canvas.draw()
        seen = np.asarray(canvas.buffer_rgba())[..., :3].min(axis=2) < 190
        for artist in hidden:
            artist.set_visible(True)
        return seen

    axes.patch.set_facecolor("white")
    figure.set_facecolor("white")
    if numbers and axes.lines and (ink(set(numbers)) & ink(set(axes.lines))).sum() > 1:
        faults.append("a line through a number")
    return faults


def wedges(axes):
    from matplotlib.patches import Wedge

    return [patch for patch in axes.patches if isinstance(patch, Wedge)]


def outside(wedge, text, least=4):
    """Say whether a corner of a number leaves its slice or comes `least` points, or less, near its rims."""
    figure, axes, (low, high) = text.figure, wedge.axes, inked(text).get_points()
    near = least / 72 * figure.dpi / (axes.bbox.width / (axes.get_xlim()[1] - axes.get_xlim()[0]))
    for corner in ((x, y) for x in (low[0], high[0]) for y in (low[1], high[1])):
        x, y = axes.transData.inverted().transform(corner) - wedge.center
        turn = (math.degrees(math.atan2(y, x)) - wedge.theta1) % 360
        inner = wedge.r - wedge.width + near if wedge.width else 0
        if not inner <= math.hypot(x, y) <= wedge.r - near or turn > wedge.theta2 - wedge.theta1:
            return True
    return False


def inked(text):
    """Return where a text's letters are: its box has room for descenders."""
    return text.get_window_extent().shrunk(0.9, 0.7)


@needs("sandbox")
@pytest.mark.parametrize("indices", [range(1), pytest.param(range(1, 40), marks=pytest.mark.slow)])
@pytest.mark.parametrize("kind", PYTHON)
def test_numbers_are_clear_and_no_script_warns(kind, indices):
    for index in indices:
        figure = made(kind, index)
        for state in STATES:
            marks = {mark.text for mark in figure.marks} if state == "annotated" else set()
            assert plot_faults(figure.states[state].code, marks) == [], (figure.id, state)
        for option in (option for deck in figure.decks[:3] for option in deck.options):
            run(option)


@needs("sandbox")
def test_the_check_of_plots_sees_a_line_through_a_number():
    figure = made("line", 0)
    lines = figure.states["annotated"].code.splitlines()
    lists = ("offsets = ", "    [(")
    code = "\n".join(re.sub(r"\(-?\d+, -?\d+\)", "(0, 0)", x) if x.startswith(lists) else x for x in lines)
    assert plot_faults(code, {mark.text for mark in figure.marks})


@needs("sandbox")
def test_the_check_of_plots_sees_texts_on_one_another_and_a_title_that_is_cut():
    code = "import matplotlib.pyplot as plt\nfig, ax = plt.subplots()\nax.bar([0, 1], [1, 1], label='s')\n"
    code += "ax.legend(loc='upper right')\nax.set_ylim(0, 2)\n"
    code += "ax.text(0, 0.5, '12')\nax.text(0.01, 0.5, '13')\nax.text(1.35, 1.9, '14')\nax.text(1, 0.5, '15')\n"
    title = "long " * 30
    found = plot_faults(f"{code}ax.set_title({title!r})", {"12", "13", "14", "15"})
    assert found == ["14", "12", "13", title]


@needs("sandbox")
def test_the_check_of_plots_sees_a_number_at_the_rim():
    figure = next(figure for figure in (made("pie", i) for i in range(40)) if figure.style == "plain")
    code = re.sub("pctdistance=[0-9.]+", "pctdistance=0.9", figure.states["annotated"].code)
    assert plot_faults(code, {mark.text for mark in figure.marks})


def test_no_transformed_function_divides_by_zero():
    """Rational functions, index 6 of ten, shifted so that their pole lay at an end of the domain."""
    numpy = pytest.importorskip("numpy")
    for index in range(6, 206, 10):
        for option in made("function", index).decks[2].options:
            lines = [line for line in option.splitlines() if not line.startswith(("import", "plt."))]
            names = {"np": numpy}
            with numpy.errstate(all="raise"):
                exec("\n".join(lines), names)  # noqa: S102
            assert numpy.isfinite(names["y"]).any()


def test_a_deleted_side_is_no_edge_of_a_fill():
    shaded = 0
    for index in range(40):
        figure = made("geometry", index)
        fills = [re.search(r"\\fill\[.*?\] (.*?) -- cycle", figure.states[s].code) for s in ("original", "deleted")]
        if fills[0]:
            assert "shading" in figure.states["deleted"].instruction
        if fills[1]:
            shaded += 1
            corners = re.findall(r"\((\w)\)", fills[1][1])
            right = figure.decks[1].options[figure.decks[1].truth]
            drawn = {frozenset(pair) for pair in re.findall(r"\((\w)\)--\((\w)\)", right)}
            assert {frozenset({a, b}) for a in corners for b in corners if a < b} <= drawn
    assert shaded


def test_a_title_is_one_title():
    for kind in charts.STYLES:
        rng = random.Random(kind)
        for _ in range(300):
            title = charts.chart(kind, rng).title
            assert title.count(":") <= 1
            assert title.count("(") <= 1


PLACE = st.floats(-4, 4)


@given(PLACE, PLACE, PLACE, PLACE, st.floats(0.1, 3), st.floats(0.1, 3))
def test_a_segment_meets_a_box_where_one_of_its_points_lies_in_it(x, y, u, v, width, height):
    steps = [k / 400 for k in range(401)]
    away = min(max(abs(x + t * (u - x)) - width / 2, abs(y + t * (v - y)) - height / 2) for t in steps)
    if abs(away) > 0.05:
        assert Box(0, 0, width, height).meets((x, y), (u, v)) == (away < 0)


@given(PLACE, PLACE, st.floats(0.1, 3), st.floats(0.1, 3), st.floats(0.2, 4))
def test_a_circle_meets_a_box_where_one_of_its_points_lies_in_it(x, y, width, height, radius):
    turns = [math.radians(k / 2) for k in range(720)]
    away = min(
        max(abs(x + radius * math.cos(t)) - width / 2, abs(y + radius * math.sin(t)) - height / 2) for t in turns
    )
    if abs(away) > 0.05:
        assert Box(0, 0, width, height).on_circle((x, y), radius) == (away < 0)

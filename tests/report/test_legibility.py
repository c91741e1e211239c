"""The plots as a reader sees them, as files: what they say, that no words lie on others, colours told apart."""

import random
import re
from itertools import combinations

import pytest

from mmmath_tasks import papers
from mmmath_tasks.problem import Score, Scorecard
from mmmath_tasks.report.figures import figures
from mmmath_tasks.report.plots.heat_map import _DEEP
from mmmath_tasks.report.runs import Run, _colours, sections
from mmmath_tasks.report.svg import alone
from mmmath_tasks.report.themes import DARK, LIGHT, RUNS, SHARES, fixed

PARTS = {
    "mathvista": {
        "skill": ["algebraic", "arithmetic", "geometry", "logical", "numeric"],
        "grade": ["college", "high school"],
    },
    "mathvision": {
        "level": "12345",
        "subject": ["transformation geometry", "metric geometry - area", "logic"],
        "subject x level": [f"{s}, level {n}" for s in ("transformation geometry", "logic") for n in range(1, 6)],
    },
    "wemath": {},
}
OF_WE_MATH = ("score_strict", "score_loose", "ik", "ig", "rm_strict", "cm_strict", "rm_loose", "cm_loose")


def plots(count):
    """The plots of that many whole runs of three benchmarks with long, similar names, as files."""
    names = [f"Qwen2.5-VL-{i}B-Instruct-direct-answers-of-step-{1000 + i}" for i in range(count)]
    names[0] = "A"
    dice = random.Random(count)
    cards = []
    for kind, groups in PARTS.items():
        split = {"mathvista": "testmini", "mathvision": "test", "wemath": "testmini"}[kind]
        total = papers.problems(kind, split)
        for name in names:
            metrics = [("acc", "", ""), ("acc_verified", "", "")] if groups else [(m, "", "") for m in OF_WE_MATH]
            metrics += [(m, g, p) for m in ("acc", "acc_verified") for g, own in groups.items() for p in own]
            scores = tuple(
                Score(*key, value, dice.randrange(5, 2000), value * 0.8, min(1.0, value * 1.2 + 0.02))
                for key in metrics
                for value in [dice.random() / (1 if groups else 5)]  # shares of all problems add up to one
            )
            cards.append((name, Scorecard(kind, metrics[0][0], scores, {"total": total}, {"split": split})))
    colours = _colours([card.benchmark for _, card in cards], [name for name, _ in cards])
    runs = [Run(name, card, None, colour) for (name, card), colour in zip(cards, colours, strict=True)]
    return {
        figure.name: alone(figure.svg, figure.title, figure.caption)
        for section in sections(runs)
        for figure in figures(section)
    }


COUNTS = (1, 2, 5, 8, 16)


@pytest.mark.parametrize("count", COUNTS)
def test_a_file_says_what_it_shows_in_what_unit_of_how_many_and_whose(count):
    for name, svg in plots(count).items():
        texts = re.findall(r"<text[^>]*>([^<]*)</text>", svg)
        assert not re.search(r"var\(", svg), name
        assert 'font-weight="600"' in re.search(r"<text[^>]*>", svg)[0], name  # the title
        assert any("percent" in said or said == "100 %" for said in texts), name  # an axis, or the key of shades
        assert any(re.search(r"n ?= ?\d", said) for said in texts), name
        if name.endswith(("skill", "grade", "headline")):
            assert "95 % interval" in texts, name
        coloured = {colour for key, colour in LIGHT.items() if key.startswith("run-") and f'"{colour}"' in svg}
        assert len(coloured) <= 5


def test_no_radar_of_more_than_four_runs_and_no_colours_of_more_than_five():
    assert any("radar" in name for name in plots(4))
    assert not any("radar" in name for name in plots(5))
    for name, svg in plots(6).items():
        if not name.startswith("wemath"):  # its classes of problems have colours
            assert not any(LIGHT[f"run-{i}"] in svg for i in (2, 3, 4))


EXTENTS = """
return [...document.querySelectorAll("svg.file")].map(svg => {
  const whole = svg.getBoundingClientRect();
  return {name: svg.id, width: whole.width, height: whole.height,
    texts: [...svg.querySelectorAll("text")].map(t => {
      const box = t.getBoundingClientRect();
      const [x, y] = [whole.left, whole.top];
      return [t.textContent, box.left - x, box.top - y, box.right - x, box.bottom - y];
    })};
});
"""


@pytest.mark.slow
@pytest.mark.parametrize("count", COUNTS)
def test_no_words_lie_on_others_or_stand_out(count, tmp_path):
    from support.chromium import opened

    drawn = [svg.replace("<svg ", f'<svg class="file" id="{name}" ', 1) for name, svg in plots(count).items()]
    page = tmp_path / "plots.html"
    page.write_text('<meta charset="utf-8">' + "".join(drawn))
    with opened(page) as browser:
        found = browser.execute_script(EXTENTS)
    assert len(found) == len(drawn)
    wrong = []
    for one in found:
        boxes = [box for box in one["texts"] if box[0].strip()]
        for said, left, top, right, bottom in boxes:
            if left < -0.5 or top < -0.5 or right > one["width"] + 0.5 or bottom > one["height"] + 0.5:
                wrong.append(f"{one['name']}: {said!r} stands out")
        for (a, *first), (b, *second) in combinations(boxes, 2):
            across = min(first[2], second[2]) - max(first[0], second[0])
            down = min(first[3], second[3]) - max(first[1], second[1])
            if across > 0.5 and down > 4:  # a line's box is higher than its letters
                wrong.append(f"{one['name']}: {a!r} lies on {b!r}")
    assert not wrong


# Machado, Oliveira and Fernandes 2009, table for severity 1, on linear RGB
DEUTERANOPIA = ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881))


def linear(colour):
    parts = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    return [x / 12.92 if x <= 0.04045 else ((x + 0.055) / 1.055) ** 2.4 for x in parts]


def luminance(colour):
    return sum(a * b for a, b in zip((0.2126, 0.7152, 0.0722), linear(colour), strict=True))


def contrast(a, b):
    low, high = sorted((luminance(a), luminance(b)))
    return (high + 0.05) / (low + 0.05)


def seen(colour):
    """A colour in CIE L*a*b*, as a reader with deuteranopia sees it."""
    own = linear(colour)
    red, green, blue = (min(1.0, max(0.0, sum(a * b for a, b in zip(row, own, strict=True)))) for row in DEUTERANOPIA)
    rows = ((0.4124, 0.3576, 0.1805, 0.9505), (0.2126, 0.7152, 0.0722, 1.0), (0.0193, 0.1192, 0.9505, 1.0888))
    x, y, z = ((r * red + g * green + b * blue) / white for r, g, b, white in rows)
    x, y, z = (t ** (1 / 3) if t > 0.008856 else 7.787 * t + 16 / 116 for t in (x, y, z))
    return 116 * y - 16, 500 * (x - y), 200 * (y - z)


def test_the_measure_of_colours_knows_good_from_bad():
    """Red and green of one lightness are one colour to such a reader, blue and yellow are not."""
    apart = [sum((a - b) ** 2 for a, b in zip(seen(x), seen(y), strict=True)) ** 0.5 for x, y in PAIRS]
    assert apart[0] < 10 < 80 < apart[1]


PAIRS = (("#c2510c", "#8a6a00"), ("#0000ff", "#ffff00"))


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_colours_are_told_apart_with_deuteranopia_and_stand_out_from_the_page(theme):
    runs = [fixed(colour, theme) for colour in RUNS]
    for family in (runs, SHARES):
        for a, b in combinations(family, 2):
            assert sum((x - y) ** 2 for x, y in zip(seen(a), seen(b), strict=True)) ** 0.5 >= 15, (a, b)
    paper = theme["plot-paper"]
    assert all(contrast(colour, paper) >= 3 for colour in runs)  # WCAG 1.4.11: what is no text
    assert all(contrast(theme[f"plot-{name}"], paper) >= 4.5 for name in ("ink", "grey"))
    assert all(contrast("#000000", colour) >= 4.5 for colour in SHARES)


@pytest.mark.parametrize("theme", [LIGHT, DARK], ids=["light", "dark"])
def test_numbers_stand_out_from_every_cell_of_a_heat_map(theme):
    for percent in range(101):
        share = percent / 100
        both = [[int(theme[f"plot-{name}"][i : i + 2], 16) for i in (1, 3, 5)] for name in ("paper", "heat")]
        cell = "#" + "".join(f"{round(a + (b - a) * share):02x}" for a, b in zip(*both, strict=True))
        ink = theme["plot-on-deep" if share > _DEEP else "plot-on-pale"]
        assert contrast(ink, cell) >= 4.5, percent

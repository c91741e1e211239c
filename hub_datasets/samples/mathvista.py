"""MathVista's sample: each function draws one problem of our own and returns its texts, computed from what it draws."""

from __future__ import annotations

import io
import math
from collections.abc import Callable
from itertools import pairwise
from statistics import median
from typing import Any

from mmmath_tasks.hub_datasets import mathvista
from mmmath_tasks.hub_datasets.samples import drawing as d
from mmmath_tasks.metrics import mathvista as metric

Draw = Callable[[Any], dict[str, Any]]

SKILLS = {short: skill for skill, short in mathvista.SKILLS.items()}
TASKS = {short: task for task, short in metric.TASKS.items()}
LEVELS = {"E": "elementary school", "H": "high school", "C": "college", "-": "not applicable"}

_drawn: list[tuple[Draw, tuple[int, int], dict[str, Any]]] = []


def _problem(
    task: str,
    context: str,
    grade: str,
    skills: str,
    source: str,
    language: str = "english",
    category: str = "math-targeted-vqa",
    size: tuple[int, int] = (360, 280),
) -> Callable[[Draw], Draw]:
    metadata = {
        "category": category,
        "context": context,
        "grade": LEVELS[grade],
        "language": language,
        "skills": [SKILLS[skill] for skill in skills.split()],
        "source": f"mmmath {source}",
        "split": "sample",
        "task": TASKS[task],
    }

    def keep(draw: Draw) -> Draw:
        _drawn.append((draw, size, metadata))
        return draw

    return keep


def _choice(question: str, answer: str, choices: list[str]) -> dict[str, Any]:
    return {"question": question, "answer": answer, "choices": choices, "answer_type": "text"}


def _integer(question: str, answer: int, unit: str | None = None) -> dict[str, Any]:
    return {"question": question, "answer": str(answer), "unit": unit, "answer_type": "integer"}


def _float(question: str, answer: float, precision: int, unit: str | None = None) -> dict[str, Any]:
    value = f"{answer:.{precision}f}"
    return {"question": question, "answer": value, "unit": unit, "precision": float(precision), "answer_type": "float"}


def _list(question: str, answer: list[int]) -> dict[str, Any]:
    return {"question": question, "answer": str(answer), "answer_type": "list"}


def rows() -> list[dict[str, Any]]:
    """Return the sample's rows in upstream's columns, their pictures drawn."""
    from PIL import Image

    found = []
    for number, (draw, size, metadata) in enumerate(_drawn, 1):
        png, texts = d.picture(draw, size)
        width, height = Image.open(io.BytesIO(png)).size
        row = {
            "pid": str(number),
            "image": f"images/{number}.png",
            "decoded_image": {"bytes": png, "path": f"{number}.png"},
            "choices": None,
            "unit": None,
            "precision": None,
            "question_type": "multi_choice" if texts.get("choices") else "free_form",
            "metadata": {**metadata, "img_height": height, "img_width": width},
            **texts,
        }
        found.append({**row, "query": mathvista.prompt(mathvista.problem(row))})
    return found


@_problem("GPS", "geometry diagram", "H", "GEO ALG", "geometry")
def _exterior_angle(axes: Any) -> dict[str, Any]:
    at_a, at_c = 48, 67
    at_b = 180 - at_a - at_c
    a, b = (0.0, 0.0), (4.0, 0.0)
    side = 4 * math.sin(math.radians(at_b)) / math.sin(math.radians(at_c))
    c = (side * math.cos(math.radians(at_a)), side * math.sin(math.radians(at_a)))
    far = (6.0, 0.0)
    d.plane(axes, -0.7, 6.6, -0.9, 4.6)
    d.polygon(axes, a, b, c)
    d.line(axes, b, far)
    d.names(axes, 0.35, A=(*a, "sw"), B=(*b, "s"), C=(*c, "n"), D=(*far, "s"))
    d.angle(axes, a, b, c, f"{at_a}°")
    d.angle(axes, c, a, b, f"{at_c}°")
    d.angle(axes, b, far, c, "?")
    question = "As shown in the figure, D lies on the extension of AB. What is the size of ∠CBD?"
    return _choice(question, f"{at_a + at_c}°", [f"{x}°" for x in (at_b, 105, at_a + at_c, 180 - at_a)])


@_problem("GPS", "geometry diagram", "H", "GEO ALG", "geometry", language="chinese", size=(300, 280))
def _thales(axes: Any) -> dict[str, Any]:
    at_b = 35
    d.plane(axes, -1.4, 1.4, -1.2, 1.3)
    d.circle(axes, (0, 0), 1)
    c = (math.cos(math.radians(2 * at_b)), math.sin(math.radians(2 * at_b)))
    a, b = (1.0, 0.0), (-1.0, 0.0)
    d.polygon(axes, a, c, b)
    d.circle(axes, (0, 0), 0.025, fill=d.INK)
    d.names(axes, 0.15, A=(*a, "e"), B=(*b, "w"), C=(*c, "ne"), O=(0, 0, "s"))
    d.angle(axes, b, a, c, f"{at_b}°", radius=0.25)
    question = f"如图，AB是⊙O的直径，点C在⊙O上，∠ABC＝{at_b}°，则∠BAC的度数为（）"  # noqa: RUF001
    return _choice(question, f"{90 - at_b}°", ["35°", "45°", "55°", "65°"])


@_problem("GPS", "geometry diagram", "H", "GEO ARI", "geometry", size=(280, 280))
def _square_less_circle(axes: Any) -> dict[str, Any]:
    side = 4
    d.plane(axes, -0.4, 4.4, -0.9, 4.4)
    d.box(axes, 0, 0, side, side, fill=d.shade(d.BLUE, 0.4))
    d.circle(axes, (side / 2, side / 2), side / 2, fill="white")
    d.measure(axes, (0, -0.3), (side, -0.3), f"{side} cm", (0, -0.35))
    question = (
        "A circle is inscribed in a square, as shown. What is the area of the shaded region? Round to two decimals."
    )
    return _float(question, side**2 - math.pi * (side / 2) ** 2, 2)


@_problem("GPS", "geometry diagram", "H", "GEO ALG", "geometry", language="chinese")
def _parallel_in_triangle(axes: Any) -> dict[str, Any]:
    ad, db, de = 4, 6, 6
    a, b, c = (3.2, 5.0), (0.0, 0.0), (7.0, 0.0)
    part = ad / (ad + db)
    at_d, at_e = ((a[0] + part * (p[0] - a[0]), a[1] + part * (p[1] - a[1])) for p in (b, c))
    d.plane(axes, -0.8, 7.8, -0.8, 5.7)
    d.polygon(axes, a, b, c)
    d.line(axes, at_d, at_e)
    d.names(axes, 0.4, A=(*a, "n"), B=(*b, "sw"), C=(*c, "se"), D=(*at_d, "w"), E=(*at_e, "e"))
    d.text(axes, (2.1, 4.2), str(ad), 12, d.BLUE)
    d.text(axes, (0.6, 1.6), str(db), 12, d.BLUE)
    d.text(axes, ((at_d[0] + at_e[0]) / 2, at_d[1] - 0.35), str(de), 12, d.BLUE)
    question = f"如图，在△ABC中，DE∥BC，AD＝{ad}，DB＝{db}，DE＝{de}，则BC的长是多少？"  # noqa: RUF001
    return _integer(question, de * (ad + db) // ad, "cm")


@_problem("GPS", "geometry diagram", "H", "GEO ALG", "geometry")
def _altitude(axes: Any) -> dict[str, Any]:
    ac, bc = 9, 12
    hypotenuse = math.hypot(ac, bc)
    a, b = (0.0, 0.0), (hypotenuse, 0.0)
    foot = (ac**2 / hypotenuse, 0.0)
    c = (foot[0], ac * bc / hypotenuse)
    d.plane(axes, -1.5, 16.5, -1.8, 8.8)
    d.polygon(axes, a, b, c)
    d.line(axes, c, foot, style="--")
    d.right_angle(axes, c, a, b, 0.7)
    d.right_angle(axes, foot, b, c, 0.7)
    d.names(axes, 0.8, A=(*a, "sw"), B=(*b, "se"), C=(*c, "n"), H=(*foot, "s"))
    d.text(axes, (1.9, 4.1), str(ac), 12, d.BLUE)
    d.text(axes, (11.0, 4.3), str(bc), 12, d.BLUE)
    return _float("In right triangle ABC, CH is the altitude on AB. How long is CH?", ac * bc / hypotenuse, 1)


@_problem("FQA", "bar chart", "-", "STA ARI", "charts", category="general-vqa")
def _bars(axes: Any) -> dict[str, Any]:
    bikes = {"Mon": 14, "Tue": 9, "Wed": 17, "Thu": 6, "Fri": 12}
    drawn = axes.bar(list(bikes), list(bikes.values()), color=d.BLUE, width=0.6)
    axes.bar_label(drawn)
    axes.set(title="Bicycles repaired", yticks=range(0, 21, 5))
    question = "What is the difference between the highest and the lowest bar?"
    return _integer(question, max(bikes.values()) - min(bikes.values()))


@_problem("FQA", "bar chart", "-", "STA", "charts", category="general-vqa", size=(420, 280))
def _grouped_bars(axes: Any) -> dict[str, Any]:
    months = ["Jan", "Feb", "Mar", "Apr", "May", "Jun"]
    cedar, maple = [30, 45, 20, 50, 35, 15], [40, 30, 25, 35, 20, 25]
    for values, name, side, colour in ((cedar, "Cedar", -0.2, d.GREEN), (maple, "Maple", 0.2, d.ORANGE)):
        axes.bar([i + side for i in range(6)], values, 0.4, label=name, color=colour)
    axes.set(title="Saplings sold", xticks=range(6), xticklabels=months, ylim=(0, 68))
    axes.grid(axis="y")
    axes.legend(ncols=2, loc="upper center")
    question = "In how many months were more Cedar than Maple saplings sold?"
    return _integer(question, sum(c > m for c, m in zip(cedar, maple, strict=True)))


@_problem("FQA", "line plot", "-", "STA", "charts", category="general-vqa", size=(420, 280))
def _steepest(axes: Any) -> dict[str, Any]:
    years, visitors = list(range(2014, 2021)), [20, 24, 22, 30, 44, 48, 46]
    axes.plot(years, visitors, "o-", color=d.BLUE)
    axes.set(title="Museum visitors (thousands)", xticks=years, ylim=(0, 55))
    axes.grid()
    rises = [b - a for a, b in pairwise(visitors)]
    start = years[rises.index(max(rises))]
    question = "Between which two neighbouring years does the line rise most?"
    return _list(question, [start, start + 1])


@_problem("FQA", "pie chart", "-", "STA", "charts", category="general-vqa", size=(360, 300))
def _pie(axes: Any) -> dict[str, Any]:
    hours = {"Sleep": 9, "School": 6, "Sport": 2, "Reading": 3, "Other": 4}
    axes.pie(
        list(hours.values()),
        labels=list(hours),
        colors=d.COLOURS,
        startangle=90,
        counterclock=False,
        wedgeprops={"edgecolor": "white"},
    )
    axes.set_title("Nora's day")
    question = "Which sector is the second largest?"
    return _choice(question, sorted(hours, key=hours.__getitem__)[-2], ["Reading", "Sleep", "School", "Other"])


@_problem("FQA", "scatter plot", "-", "STA", "charts", category="general-vqa")
def _scatter(axes: Any) -> dict[str, Any]:
    points = [(1, 3), (2, 1), (2.5, 5), (3, 6), (4, 2), (5, 7), (5.5, 3.5), (6, 8.5), (7, 5), (8, 9.5), (8.5, 6)]
    axes.plot([0, 10], [0, 10], "--", color=d.RED, label="y = x")
    axes.plot(*zip(*points, strict=True), "o", color=d.BLUE)
    axes.set(xlim=(0, 10), ylim=(0, 10), xlabel="Height of plant in May", ylabel="Height in July")
    axes.legend(loc="lower right")
    return _integer("How many points lie above the dashed line?", sum(y > x for x, y in points))


@_problem("FQA", "violin plot", "C", "STA SCI", "charts", category="general-vqa")
def _violins(axes: Any) -> dict[str, Any]:
    centres = {"K": 30, "L": 52, "M": 41, "N": 36}
    shape = (-9, -5, -3, -2, -1, 0, 1, 2, 3, 5, 9)
    data = [[centre + 1.6 * x for x in shape] for centre in centres.values()]
    parts = axes.violinplot(data, showmedians=True)
    for body in parts["bodies"]:
        body.set(facecolor=d.BLUE, alpha=0.5)
    axes.set(title="Jump height (cm)", xticks=range(1, 5), xticklabels=list(centres), ylim=(0, 80))
    axes.grid(axis="y")
    medians = {name: median(values) for name, values in zip(centres, data, strict=True)}
    return _choice("Which group has the highest median?", max(medians, key=medians.__getitem__), list(centres))


@_problem("FQA", "map chart", "H", "SCI STA", "charts", category="general-vqa", size=(400, 300))
def _map(axes: Any) -> dict[str, Any]:
    lands = {
        "Norfell": (3, [(0, 2.2), (2, 2.6), (2.4, 4), (0.3, 4)]),
        "Ostmark": (1, [(2, 2.6), (4.6, 2.3), (5, 4), (2.4, 4)]),
        "Weyra": (2, [(0, 0.2), (1.7, 0), (2, 2.6), (0, 2.2)]),
        "Sundal": (3, [(1.7, 0), (4.8, 0.3), (4.6, 2.3), (2, 2.6)]),
    }
    tones = {1: 0.25, 2: 0.6, 3: 1.0}
    d.plane(axes, -0.1, 7.3, -0.2, 4.3)
    for name, (level, border) in lands.items():
        d.polygon(axes, *border, fill=d.shade(d.GREEN, tones[level]))
        centre = (sum(x for x, _ in border) / 4, sum(y for _, y in border) / 4)
        d.text(axes, centre, name, 12)
    d.text(axes, (6.3, 3.6), "Rain (mm)", 11)
    for level, words in ((1, "under 400"), (2, "400-800"), (3, "over 800")):
        d.box(axes, 5.25, 3.5 - 0.7 * level, 0.4, 0.4, fill=d.shade(d.GREEN, tones[level]))
        d.text(axes, (5.8, 3.7 - 0.7 * level), words, 10, ha="left")
    answer = "Yes" if lands["Ostmark"][0] > lands["Weyra"][0] else "No"
    return _choice("Does Ostmark get more rain than Weyra?", answer, ["Yes", "No"])


@_problem("FQA", "puzzle test", "E", "LOG", "puzzles", size=(420, 260))
def _next_figure(axes: Any) -> dict[str, Any]:
    def flag(x: float, y: float, quarter: int, colour: str) -> None:
        d.box(axes, x, y, 2, 2)
        way = math.radians(90 - 90 * quarter)
        d.arrow(axes, (x + 1, y + 1), (x + 1 + 0.85 * math.cos(way), y + 1 + 0.85 * math.sin(way)))
        d.circle(axes, (x + 1, y + 1), 0.18, fill=colour)

    colours = (d.RED, d.BLUE)
    d.plane(axes, -0.2, 13.2, -1.4, 5.4)
    for i in range(4):
        flag(2.7 * i, 3, i, colours[i % 2])
    d.box(axes, 2.7 * 4, 3, 2, 2)
    d.text(axes, (2.7 * 4 + 1, 4), "?", 18)
    options = {"A": (1, d.RED), "B": (0, d.BLUE), "C": (0, d.RED), "D": (2, d.RED), "E": (3, d.BLUE)}
    for i, (letter, (quarter, colour)) in enumerate(options.items()):
        flag(2.7 * i, 0, quarter, colour)
        d.text(axes, (2.7 * i + 1, -0.8), letter)
    answer = next(letter for letter, what in options.items() if what == (4 % 4, colours[4 % 2]))
    return _choice("Which object comes next?", answer, list(options))


@_problem("FQA", "puzzle test", "E", "LOG ARI", "puzzles", size=(260, 260))
def _magic_square(axes: Any) -> dict[str, Any]:
    square = [[8, 1, 6], [3, 5, 7], [4, 9, 2]]
    shown: list[list[int | str]] = [[*row] for row in square]
    shown[2][0] = "?"
    d.plane(axes, -0.1, 3.1, -3.1, 0.1)
    d.grid(axes, shown)
    sums = {sum(row) for row in square} | {sum(column) for column in zip(*square, strict=True)}
    if len(sums) != 1:
        raise ValueError("the square is not magic")
    question = "All rows and all columns of the square have the same sum. Which number belongs in place of the ?"
    return _integer(question, square[2][0])


@_problem("FQA", "puzzle test", "E", "LOG", "puzzles", size=(280, 280))
def _latin_square(axes: Any) -> dict[str, Any]:
    square = [[(i + j) % 4 + 1 for j in range(4)] for i in range(4)]
    d.plane(axes, -0.1, 4.1, -4.1, 0.1)
    d.grid(axes, [*square[:3], ["?"] * 4])
    question = (
        "Every row of the grid is the row above it moved on by one place. "
        "Write the four missing numbers of the last row, from left to right, as a list."
    )
    return _list(question, square[3])


@_problem("FQA", "document image", "-", "STA ARI", "documents", category="general-vqa", size=(320, 340))
def _receipt(axes: Any) -> dict[str, Any]:
    bought = {"Bread": 2.80, "Olives": 3.45, "Cheese": 5.25, "Apples": 2.15}
    voucher = 1.50
    lines = [*bought.items(), ("Voucher", -voucher)]
    d.plane(axes, 0, 8, -0.5, 8)
    d.box(axes, 0.1, -0.4, 7.8, 8.3, fill="#fbfaf5")
    d.text(axes, (4, 7.2), "CORNER MARKET", 14, family="DejaVu Sans Mono")
    for i, (name, price) in enumerate(lines):
        d.text(axes, (0.8, 6 - 0.9 * i), name, 13, ha="left", family="DejaVu Sans Mono")
        d.text(axes, (7.2, 6 - 0.9 * i), f"{price:.2f}", 13, ha="right", family="DejaVu Sans Mono")
    d.line(axes, (0.8, 1.6), (7.2, 1.6), style="--")
    d.text(axes, (0.8, 0.8), "TO PAY", 13, ha="left", family="DejaVu Sans Mono")
    d.text(axes, (7.2, 0.8), "?", 13, ha="right", family="DejaVu Sans Mono")
    return _float("How much is to be paid in total?", sum(bought.values()) - voucher, 2)


@_problem("MWP", "table", "H", "ARI STA", "tables", size=(320, 240))
def _prices(axes: Any) -> dict[str, Any]:
    prices = {"pencil": 1.25, "eraser": 0.80, "ruler": 2.40, "notebook": 3.15}
    d.plane(axes, -0.1, 6.1, -5.1, 0.1)
    table = [["item", "price"], *([name, f"\\${price:.2f}"] for name, price in prices.items())]
    d.grid(axes, table, wide=3, head=True)
    question = "Ana buys 3 pencils and 2 erasers. How much does she spend?"
    return _float(question, 3 * prices["pencil"] + 2 * prices["eraser"], 2, "dollars")


@_problem("MWP", "synthetic scene", "E", "GEO ARI", "scenes", size=(400, 260))
def _scene(axes: Any) -> dict[str, Any]:
    things = [
        ("sphere", 1.0, 1.2, d.RED),
        ("cube", 2.3, 0.5, d.BLUE),
        ("sphere", 5.0, 0.9, d.GREEN),
        ("cylinder", 6.8, 0.4, d.PURPLE),
        ("cube", 8.2, 0.7, d.RED),
        ("sphere", 3.4, 3.0, d.BLUE),
        ("cylinder", 5.6, 2.4, d.GREEN),
        ("cube", 0.6, 2.7, d.GREEN),
        ("sphere", 7.9, 3.2, d.RED),
    ]
    d.plane(axes, 0, 10, 0, 4.6)
    axes.axhspan(0, 4.6, color="#f2f0ea", zorder=0)
    for kind, x, y, colour in things:
        if kind == "sphere":
            d.sphere(axes, x, y, 0.65, colour)
        elif kind == "cube":
            d.cube(axes, x, y, 1, colour)
        else:
            d.cylinder(axes, x, y, 0.55, 1.1, d.shade(colour, 0.8))
    left = [kind for kind, _, _, colour in things if kind != "cube" and colour != d.RED]
    return _integer("Subtract all cubes. Subtract all red spheres. How many objects are left?", len(left))


@_problem("MWP", "abstract scene", "E", "NUM ARI", "scenes", size=(420, 190))
def _ten_frames(axes: Any) -> dict[str, Any]:
    count = 17
    d.plane(axes, -0.2, 11.2, -0.2, 2.2)
    for i in range(20):
        x, y = i % 10 + (i % 10 >= 5), 1 - i // 10
        place = (i % 10 >= 5) * 10 + (i // 10) * 5 + i % 5
        d.box(axes, x, y, 1, 1)
        if place < count:
            d.circle(axes, (x + 0.5, y + 0.5), 0.33, fill=d.ORANGE)
    return _integer("Each frame has room for ten dots. How many dots are there?", count)


@_problem("MWP", "abstract scene", "E", "NUM", "scenes", size=(280, 280))
def _clock(axes: Any) -> dict[str, Any]:
    hour, minute = 3, 40
    d.plane(axes, -1.05, 1.05, -1.05, 1.05)
    d.clock(axes, hour, minute)
    return _choice("What time does the clock show?", f"{hour}:{minute}", ["3:40", "4:40", "8:18", "3:08"])


@_problem("MWP", "abstract scene", "E", "NUM ALG", "scenes", language="chinese", size=(360, 240))
def _balance(axes: Any) -> dict[str, Any]:
    apples, extra, other = 2, 50, 350
    d.plane(axes, -5, 5, -0.2, 4.6)
    d.polygon(axes, (-0.8, 0), (0.8, 0), (0, 2.4), fill=d.PALE)
    d.line(axes, (-4, 2.4), (4, 2.4), width=4)
    for pan in (-3, 3):
        d.line(axes, (pan - 1.8, 2.6), (pan + 1.8, 2.6), width=3)
    for i in range(apples):
        d.circle(axes, (-4.2 + 0.95 * i, 3.1), 0.42, fill=d.RED)
        d.line(axes, (-4.2 + 0.95 * i, 3.5), (-4.1 + 0.95 * i, 3.8), colour=d.GREEN, width=3)
    for x, grams, wide in ((-2.7, extra, 1.3), (2.2, other, 1.7)):
        d.box(axes, x, 2.7, wide, 1.1, fill=d.shade(d.GREY, 0.5))
        d.text(axes, (x + wide / 2, 3.25), f"{grams} g", 11)
    question = "如图，天平保持平衡，每个苹果的质量相同，一个苹果重多少克？"  # noqa: RUF001
    return _integer(question, (other - extra) // apples, "g")


@_problem("MWP", "table", "H", "STA", "tables", language="chinese", size=(420, 140))
def _skipping(axes: Any) -> dict[str, Any]:
    jumps = [112, 98, 125, 98, 107]
    d.plane(axes, -0.1, 9.1, -2.1, 0.1)
    d.grid(axes, [["No.", 1, 2, 3, 4, 5], ["n", *jumps]], wide=1.5, head=True)
    question = "下表是五名学生一分钟跳绳的次数n，这组数据的中位数是（）"  # noqa: RUF001
    return _choice(question, str(median(jumps)), ["98", "107", "108", "112"])


@_problem("TQA", "scientific figure", "C", "SCI ALG", "science", size=(420, 220))
def _forces(axes: Any) -> dict[str, Any]:
    right, left, mass = 12, 5, 2
    d.plane(axes, -6.2, 6.2, -0.8, 3.6)
    d.line(axes, (-5.8, 0), (5.8, 0), width=3)
    for i in range(24):
        d.line(axes, (-5.6 + i * 0.48, 0), (-5.85 + i * 0.48, -0.35), colour=d.GREY, width=1)
    d.box(axes, -1.3, 0.1, 2.6, 2, fill=d.shade(d.ORANGE, 0.6))
    d.text(axes, (0, 1.1), f"{mass}.0 kg")
    d.arrow(axes, (1.3, 1.1), (4.9, 1.1), d.RED)
    d.arrow(axes, (-1.3, 1.1), (-2.8, 1.1), d.BLUE)
    d.text(axes, (3.3, 1.7), f"{right} N", colour=d.RED)
    d.text(axes, (-2.2, 1.7), f"{left} N", colour=d.BLUE)
    question = (
        "A block rests on a frictionless floor when the two horizontal forces shown begin to act. "
        "What is its acceleration in $\\mathrm{m/s^2}$?"
    )
    return _float(question, (right - left) / mass, 1)


@_problem("TQA", "scientific figure", "H", "SCI ARI", "science", size=(380, 260))
def _resistors(axes: Any) -> dict[str, Any]:
    first, second = 6, 3
    d.plane(axes, -0.6, 8.6, -0.6, 5.4)
    d.line(axes, (0, 2.2), (0, 0), (8, 0), (8, 4), (0, 4), (0, 2.6))
    d.line(axes, (4, 0), (4, 4))
    d.line(axes, (-0.5, 2.6), (0.5, 2.6))
    d.line(axes, (-0.25, 2.2), (0.25, 2.2), width=4)
    for x, ohms, name in ((4, first, "R_1"), (8, second, "R_2")):
        d.box(axes, x - 0.3, 1.2, 0.6, 1.7, fill="white")
        d.text(axes, (x - 0.55, 2.05), f"${name}$ = {ohms} Ω", ha="right")
    question = "What is the total resistance, in ohms, that the two resistors present to the battery?"
    return _integer(question, first * second // (first + second))


@_problem("TQA", "scientific figure", "H", "SCI", "science", category="general-vqa", size=(400, 260))
def _food_web(axes: Any) -> dict[str, Any]:
    at = {"grass": (2, 0), "rabbit": (0.4, 2), "grasshopper": (4, 2), "fox": (0.8, 4), "frog": (4.4, 4)}
    eaten = (("grass", "rabbit"), ("grass", "grasshopper"), ("rabbit", "fox"), ("grasshopper", "frog"))
    d.plane(axes, -0.9, 6, -0.5, 4.5)
    for food, eater in eaten:
        (x, y), (u, v) = at[food], at[eater]
        d.arrow(axes, (x + 0.17 * (u - x), y + 0.17 * (v - y)), (x + 0.83 * (u - x), y + 0.83 * (v - y)))
    for name, place in at.items():
        d.text(axes, place, name, 14)
    question = (
        "The arrows of the food web point from what is eaten to what eats it. "
        "What would most likely happen first if all grasshoppers disappeared?"
    )
    harmed = next(eater for food, eater in eaten if food == "grasshopper")
    choices = [f"The number of {name} would decrease." for name in ("foxes", "rabbits", "frogs")]
    return _choice(question, f"The number of {harmed}s would decrease.", [*choices, "The grass would disappear."])


@_problem("TQA", "function plot", "C", "ALG", "functions")
def _slopes(axes: Any) -> dict[str, Any]:
    xs = [i / 20 for i in range(-62, 63)]
    d.coordinates(axes, -4, 4, -2, 2)
    axes.plot(xs, [x**3 / 6 - x for x in xs], color=d.BLUE)
    d.text(axes, (3.3, 1.5), "f", 14, d.BLUE)
    slope = {x: x**2 / 2 - 1 for x in (0, 2)}
    answer = "smaller than" if slope[0] < slope[2] else "larger than" if slope[0] > slope[2] else "equal to"
    question = "The derivative of f(x) at x=0 is ____ that at x=2"
    return _choice(question, answer, ["larger than", "equal to", "smaller than"])


@_problem("TQA", "function plot", "C", "ALG", "functions", size=(300, 340))
def _minimum(axes: Any) -> dict[str, Any]:
    xs = [i / 20 - 0.1 for i in range(85)]
    ys = [(x - 2) ** 2 - 4 for x in xs]
    d.coordinates(axes, -2, 6, -5, 2)
    axes.plot(xs, ys, color=d.RED)
    return _integer("What is the minimum value of this function?", round(min(ys)))


@_problem("TQA", "scientific figure", "C", "LOG ARI", "graphs", size=(400, 260))
def _shortest_path(axes: Any) -> dict[str, Any]:
    at = {"S": (0, 1.5), "A": (2, 3), "B": (2, 0), "C": (4.4, 3), "D": (4.4, 0), "T": (6.4, 1.5)}
    edges = {"SA": 4, "SB": 2, "AB": 1, "AC": 5, "BD": 9, "CD": 2, "CT": 4, "DT": 1}
    d.plane(axes, -0.5, 6.9, -0.6, 3.6)
    for edge, length in edges.items():
        (x, y), (u, v) = (at[name] for name in edge)
        d.line(axes, (x, y), (u, v), colour=d.GREY)
        axes.text((x + u) / 2, (y + v) / 2, str(length), ha="center", va="center", backgroundcolor="white")
    for name, place in at.items():
        d.circle(axes, place, 0.33, fill=d.shade(d.BLUE, 0.35))
        d.text(axes, place, name)
    distance = dict.fromkeys(at, 99) | {"S": 0}
    for _ in at:
        for (start, end), length in zip(map(tuple, edges), edges.values(), strict=True):
            distance[end] = min(distance[end], distance[start] + length)
            distance[start] = min(distance[start], distance[end] + length)
    question = "The numbers are the lengths of the edges. How long is the shortest path from S to T?"
    return _integer(question, distance["T"])


@_problem("VQA", "abstract scene", "-", "NUM ARI", "people", category="general-vqa", size=(340, 300))
def _age_gap(axes: Any) -> dict[str, Any]:
    born = {"Ida": 1952, "Tom": 1987}
    d.plane(axes, -0.3, 6.3, -1.6, 3.2)
    looks = ((1.6, d.GREEN, "#c9ccd1"), (4.4, d.BLUE, "#5b3a1e"))
    for (name, year), (x, shirt, hair) in zip(born.items(), looks, strict=True):
        d.person(axes, x, shirt, hair)
        d.text(axes, (x, -0.5), name, 14)
        d.text(axes, (x, -1.1), f"born {year}", 12)
    question = "What is the age gap between these two people in image?"
    return _integer(question, max(born.values()) - min(born.values()), "years")


def _tiles(axes: Any, shapes: str, colours: str) -> None:
    d.plane(axes, -0.1, 5.1, -3.1, 0.1)
    paint = {"r": d.RED, "b": d.BLUE, "g": d.GREEN}
    for i, (kind, colour) in enumerate(zip(shapes, colours, strict=True)):
        x, y = i % 5 + 0.5, -(i // 5) - 0.5
        if kind == "o":
            d.circle(axes, (x, y), 0.34, fill=paint[colour])
        elif kind == "s":
            d.box(axes, x - 0.33, y - 0.33, 0.66, 0.66, fill=paint[colour])
        else:
            d.polygon(axes, (x - 0.38, y - 0.33), (x + 0.38, y - 0.33), (x, y + 0.36), fill=paint[colour])


@_problem("VQA", "abstract scene", "-", "NUM ARI", "scenes", "persian", "general-vqa", size=(360, 240))
def _triangles(axes: Any) -> dict[str, Any]:
    shapes, colours = "ostotstostotsot", "rbbgbrrbgbrbgrb"
    _tiles(axes, shapes, colours)
    return _integer("چند مثلث آبی در تصویر دیده می‌شود؟", list(zip(shapes, colours, strict=True)).count(("t", "b")))


@_problem("VQA", "abstract scene", "-", "NUM ARI", "scenes", "persian", "general-vqa", size=(360, 240))
def _commonest_colour(axes: Any) -> dict[str, Any]:
    colours = "grgbgrgbgrbgrgb"
    _tiles(axes, "otsotsotsotsots", colours)
    names = {"r": "قرمز", "b": "آبی", "g": "سبز"}
    answer = names[max(names, key=colours.count)]
    return _choice("کدام رنگ در تصویر بیشتر از رنگ‌های دیگر تکرار شده است؟", answer, list(names.values()))


@_problem("VQA", "scientific figure", "-", "NUM SCI", "science", category="general-vqa", size=(200, 340))
def _thermometer(axes: Any) -> dict[str, Any]:
    degrees = 23.5
    d.plane(axes, -3, 5, 5, 43)
    axes.set_aspect("auto")
    d.box(axes, -0.6, 11, 1.2, 30, fill="white")
    d.box(axes, -0.35, 11, 0.7, degrees - 11, fill=d.RED, colour="none")
    axes.plot(0, 11, "o", markersize=26, color=d.RED, markeredgecolor=d.INK)
    for mark in range(15, 41):
        long = mark % 5 == 0
        d.line(axes, (0.7, mark), (1.7 if long else 1.2, mark), width=1.6 if long else 1)
        if long:
            d.text(axes, (2.0, mark), str(mark), 12, ha="left")
    d.text(axes, (-1.6, 39), "°C")
    return _float("What temperature does the thermometer show?", degrees, 1, "°C")

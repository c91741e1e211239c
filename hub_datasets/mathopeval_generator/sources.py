"""Samples on figures that a user has: charts from ChartX's rows, figures from Geometry3K's logic forms.

The paper's own figures come from these two sets (section 2.1), which are not redistributed here. What they say is
redrawn by our scripts; edits and questions are made as for drawn figures, but the figure itself is never varied.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.fields import load_json
from mmmath_tasks.hub_datasets.mathopeval_generator import chart_samples, geometry_samples
from mmmath_tasks.hub_datasets.mathopeval_generator.charts import axis_top
from mmmath_tasks.hub_datasets.mathopeval_generator.draw import draws, turn
from mmmath_tasks.hub_datasets.mathopeval_generator.edition1.charts import chart
from mmmath_tasks.hub_datasets.mathopeval_generator.edition1.geometry import problem_of
from mmmath_tasks.hub_datasets.mathopeval_generator.editions import RULES
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry import Figure, Point, gap, legible
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import Sample

_CHARTS = {"bar": "bar", "bar_num": "bar", "line": "line", "line_num": "line", "pie": "pie"}
_SEVERAL = ("grouped", "several")
_SINGLE = ("vertical", "horizontal", "hatched", "plain", "dashed", "filled", "ring", "legend", "shadow")
_SIZE = 6.0


@dataclass
class Taken:
    """What came of a folder.

    Attributes:
        samples: made, in the order of the files.
        left: cause to how many figures were left out for it.
    """

    samples: list[Sample] = field(default_factory=list)
    left: Counter[str] = field(default_factory=Counter)

    def add(self, make: Callable[[], Sample]) -> None:
        """Make a sample, or count why there is none."""
        try:
            self.samples.append(make())
        except InputError:
            raise
        except ValueError as error:
            self.left[re.sub(r"'.*'|\[.*\]|\d+(\.\d+)?", "...", str(error))] += 1


def take(folder: Path, seed: int = 0) -> Taken:
    """Make a sample of every figure in a folder that can carry one.

    Args:
        folder: searched for logic_form.json files (Geometry3K: "point_positions", "line_instances",
            "circle_instances") and for other JSON files that hold lists of ChartX's rows ("chart_type", "topic",
            "title", "csv").
        seed: decides edits and questions.

    Raises:
        InputError: there is neither, or a file is broken.
    """
    taken = Taken()
    forms = sorted(folder.rglob("logic_form.json"))
    for index, path in enumerate(forms):
        taken.add(partial(_geometry, load_json(path), seed, index, path))
    counts: Counter[str] = Counter()
    for row in (row for path in sorted({*folder.rglob("*.json")} - {*forms}) for row in _chart_rows(path)):
        kind = _CHARTS.get(str(row["chart_type"]).lower().replace(" ", "_").removesuffix("_chart"))
        if kind:
            taken.add(partial(_chart, row, kind, seed, counts[kind]))
            counts[kind] += 1
    if not forms and not counts:
        raise InputError(f"{folder}: neither Geometry3K's logic_form.json files nor JSON lists of ChartX's rows")
    return taken


def _chart_rows(path: Path) -> Iterator[Mapping[str, Any]]:
    found = load_json(path)
    for row in found if isinstance(found, list) else ():
        if isinstance(row, Mapping) and {"chart_type", "csv", "title"} <= set(row):
            yield row


def _chart(row: Mapping[str, Any], kind: str, seed: int, index: int) -> Sample:
    """Return the sample of one of ChartX's rows.

    Raises:
        ValueError: its table is not of a size or kind that a sample can carry.
    """
    head, *lines = _cells(str(row["csv"]))
    names, labels = head[1:], [line[0] for line in lines]
    columns = [[_value(line[i]) for line in lines] for i in range(1, len(head))]
    if not 4 <= len(labels) <= 10 or not 1 <= len(names) <= 3 or len(set(labels)) < len(labels):
        raise ValueError("a table of another size than 4 to 10 labels and 1 to 3 series")
    if any(v < 0 for column in columns for v in column) or (kind == "pie" and len(names) > 1):
        raise ValueError("negative values, or a pie of several series")
    if kind == "pie":
        parts = [round(100 * v / sum(columns[0]), 1) for v in columns[0]]
        columns = [[*parts[:-1], round(100 - sum(parts[:-1]), 1)]]
    # Everything that is not data comes from a drawn chart of the same kind.
    rng = draws(seed, kind, index, "source")
    look = chart(kind, rng)
    several = len(names) > 1
    while look.style not in (_SEVERAL if several else _SINGLE):
        look = chart(kind, rng)
    count = len(labels) if kind == "pie" else len(names)
    more = (f"#{rng.randrange(0x606060, 0xE0E0E0):06X}" for _ in range(count))
    rotation = 30 if max(map(len, labels)) * len(labels) > 48 else 0
    drawn = replace(
        look,
        topic=str(row.get("topic") or ""),
        title=str(row["title"]),
        x_name="" if kind == "pie" else head[0] or "Category",
        y_name="" if kind == "pie" else (names[0] if not several else "Value"),
        labels=tuple(labels),
        series=tuple((name if several else "", tuple(column)) for name, column in zip(names, columns, strict=True)),
        colours=(*look.colours, *more)[:count],
        top=0 if kind == "pie" else axis_top([v for column in columns for v in column]),
        look={**look.look, "rotation": rotation, "markers": ("o", "s", "^")[: len(names)]},
    )
    return chart_samples.sample_of(RULES[1].charts, drawn, seed, index, vary=False)


def _cells(table: str) -> list[list[str]]:
    """Return the cells of ChartX's table: lines by line breaks (real or written), cells by tabs or commas.

    Raises:
        ValueError: lines differ in length, or there are fewer than two.
    """
    lines = [line for line in re.split(r"\n|\\n", table) if line.strip()]
    comma = "\t" not in table and "\\t" not in table
    cells = [[cell.strip() for cell in re.split(r"," if comma else r"\t|\\t", line.strip())] for line in lines]
    if len(cells) < 2 or len(set(map(len, cells))) > 1 or len(cells[0]) < 2:
        raise ValueError("a table that is not rectangular")
    return cells


def _value(cell: str) -> float:
    found = re.fullmatch(r"\$?(-?\d+(?:\.\d+)?)\s*%?", cell.replace(",", ""))
    if not found:
        raise ValueError("a cell that is no number")
    value = float(found[1])
    return int(value) if value.is_integer() else value


def _geometry(form: Any, seed: int, index: int, path: Path) -> Sample:
    """Return the sample of one of Geometry3K's figures; sizes of angles are measured on it, in whole degrees.

    Raises:
        InputError: the file has not the keys.
        ValueError: the figure is too crowded or has too few parts.
    """
    if not isinstance(form, Mapping) or not {"point_positions", "line_instances"} <= set(form):
        raise InputError(f"{path}: expected an object with point_positions and line_instances")
    raw = {str(k): (float(x), -float(y)) for k, (x, y) in form["point_positions"].items()}  # pixels count downwards
    if not all(len(k) == 1 and k.isupper() for k in raw) or not 3 <= len(raw) <= 9:
        raise ValueError("points that are not three to nine single letters")
    left, low = min(p[0] for p in raw.values()), min(p[1] for p in raw.values())
    factor = _SIZE / max(max(p[0] for p in raw.values()) - left, max(p[1] for p in raw.values()) - low, 1e-9)
    points = {k: (round(1 + (x - left) * factor, 2), round(1 + (y - low) * factor, 2)) for k, (x, y) in raw.items()}
    segments = _parts(points, [str(s) for s in form["line_instances"]])
    centres = [str(c) for c in form.get("circle_instances") or ()]
    if len(centres) > 1 or any(c not in points for c in centres):
        raise ValueError("more than one circle, or one without a named centre")
    circle = _circle(points, form, centres[0]) if centres else None
    figure = Figure("Geometry3K", points, segments, circle, tolerance=0.5)
    if not legible(figure):
        raise ValueError("a figure too crowded for letters and numbers")
    four = _moved(figure, seed, index)
    true = turn(seed, "geometry", index, "mcg")
    four[0], four[true] = four[true], four[0]
    problem = problem_of(four, true, draws(seed, "geometry", index, "questions"), strict=False)
    return geometry_samples.sample_of(problem, seed, index)


def _parts(points: Mapping[str, Point], lines: list[str]) -> tuple[str, ...]:
    """Return the lines as segments between neighbouring points."""
    found: dict[str, None] = {}
    for line in lines:
        if len(line) != 2 or not set(line) <= set(points):
            raise ValueError("a line that does not join two named points")
        a, b = (points[k] for k in line)
        inside = [k for k, p in points.items() if k in line or gap(p, a, b) < 0.08]
        chain = sorted(inside, key=lambda k: math.dist(points[k], a))
        found.update({"".join(sorted(chain[i : i + 2])): None for i in range(len(chain) - 1)})
    return tuple(found)


def _circle(points: Mapping[str, Point], form: Mapping[str, Any], centre: str) -> tuple[Point, float]:
    # "PointLiesOnCircle(A, Circle(O"
    said = " ".join(map(str, form.get("diagram_logic_form") or ()))
    on = re.findall(rf"PointLiesOnCircle\((\w), Circle\({centre}", said)
    reach = [math.dist(points[k], points[centre]) for k in on if k in points]
    if not reach:
        raise ValueError("a circle without points on it")
    return points[centre], round(sum(reach) / len(reach), 2)


def _moved(figure: Figure, seed: int, index: int) -> list[Figure]:
    """Return the figure and three that differ in the places of two points, moved or not.

    Raises:
        ValueError: no two points can be moved without crowding the figure.
    """
    rng = draws(seed, "geometry", index, "moves")

    def shifted(name: str) -> Point:
        x, y = (round(c + rng.choice([-1, 1]) * rng.uniform(0.7, 1.4), 2) for c in figure.points[name])
        return x, y

    for _ in range(200):
        p, q = rng.sample(sorted(figure.points), 2)
        moves = {k: shifted(k) for k in (p, q)}
        sets = ((), (p,), (q,), (p, q))
        four = [replace(figure, points={**figure.points, **{k: moves[k] for k in some}}) for some in sets]
        if all(legible(f) and all(0.2 < c < 9.9 for xy in f.points.values() for c in xy) for f in four):
            return four
    raise ValueError("no two points that can be moved")

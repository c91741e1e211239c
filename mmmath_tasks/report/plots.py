"""The plots: each takes numbers and labels and returns SVG text. Values are fractions; axes are in percent."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mmmath_tasks.report.svg import (
    CLASSES,
    DASH,
    DASHES,
    GREY,
    INK,
    PAPER,
    RULE,
    WIDTH,
    ceiling,
    drawing,
    element,
    line,
    percent,
    run_colour,
    text,
    titled,
    wrapped,
)


@dataclass(frozen=True, slots=True)
class Point:
    """A value to be drawn.

    Attributes:
        value: nan where there is none; it is then left out.
        low: lower end of its interval; nan where there is none.
        high: upper end.
        count: how many problems it rests on; 0: not said.
    """

    value: float
    low: float = math.nan
    high: float = math.nan
    count: int = 0

    def said(self) -> str:
        """Return "67.9 % [65.0, 70.7], n = 1000"."""
        interval = "" if math.isnan(self.low) else f" [{percent(self.low)}, {percent(self.high)}]"
        return f"{percent(self.value)} %{interval}" + (f", n = {self.count}" if self.count else "")


@dataclass(frozen=True, slots=True)
class Series:
    """One run, or one row of a paper, over the parts of a breakdown.

    Attributes:
        name: what a reader calls it.
        points: part to value; parts without a value are missing or nan.
        run: the index that gives the run's colour; None for a paper's row, drawn in grey.
    """

    name: str
    points: Mapping[str, Point]
    run: int | None = None

    @property
    def colour(self) -> str:
        """Its colour."""
        return GREY if self.run is None else run_colour(self.run)


_NONE = Point(math.nan)
_LABEL = 26
_LEFT, _RIGHT = 172, 42


def _scale(end: float, left: float, right: float) -> tuple[float, float]:
    return left, (right - left) / end


def _axis(end: float, left: float, right: float, top: float, bottom: float) -> str:
    """Return vertical rules with their percent below."""
    start, unit = _scale(end, left, right)
    ticks = [end * i / 4 for i in range(5)]
    return "".join(
        line(start + tick * unit, top, start + tick * unit, bottom, stroke=RULE)
        + text(start + tick * unit, bottom + 14, f"{100 * tick:g}", font_size=10, fill=GREY, text_anchor="middle")
        for tick in ticks
    )


def _summary(series: Sequence[Series], parts: Sequence[str]) -> str:
    """Return the values in words, for those who do not see the drawing."""
    said = []
    for one in series:
        values = [f"{part} {percent(one.points[part].value)}" for part in parts if part in one.points]
        said.append(f"{one.name}: {', '.join(values[:30])}" + (", and more" if len(values) > 30 else ""))
    return "; ".join(said) + "."


def bars(title: str, parts: Sequence[str], runs: Sequence[Series], marks: Sequence[Series] = ()) -> str:
    """Return horizontal bars with intervals, a row a part and a bar a run; `marks` are ticks over a row's bars."""
    pitch, gap = 13, 9
    values = [p.high if not math.isnan(p.high) else p.value for s in runs for p in s.points.values()]
    values += [mark.points[part].value for mark in marks for part in parts if part in mark.points]
    end = ceiling(values)
    left, unit = _scale(end, _LEFT, WIDTH - _RIGHT)
    y, drawn = 6.0, []
    for part in parts:
        label = wrapped(part, _LABEL)
        height = max(pitch * len(runs), 14 * len(label))
        count = max((s.points.get(part, _NONE).count for s in runs), default=0)
        middle = y + height / 2
        for i, words in enumerate(label):
            base = middle + 4 + 14 * (i - (len(label) - 1) / 2)
            note = element("tspan", f"  {count}", fill=GREY, font_size=10) if count and i == len(label) - 1 else ""
            drawn.append(
                element("text", _escaped(words) + note, x=left - 8, y=base, font_size=12, fill=INK, text_anchor="end")
            )
        first = middle - pitch * len(runs) / 2
        for i, one in enumerate(runs):
            drawn.append(_bar(one, part, left, unit, first + i * pitch, pitch))
        for mark in marks:
            point = mark.points.get(part, _NONE)
            if not math.isnan(point.value):
                x = left + point.value * unit
                tick = line(x, first - 2, x, first + pitch * len(runs) + 2, stroke_width=1.6, **_mark(mark))
                drawn.append(titled(f"{mark.name}, {part}: {percent(point.value)} %", tick))
        y += height + gap
    axis = _axis(end, _LEFT, WIDTH - _RIGHT, 2, y - 2)
    return drawing(y + 18, title, _summary(runs, parts), axis, *drawn)


def _escaped(words: str) -> str:
    from html import escape

    return escape(words)


def _mark(mark: Series) -> dict[str, object]:
    """Humans are a whole line, chance a broken one."""
    return {"stroke": INK} if mark.name.startswith("Human") else {"stroke": GREY, "stroke_dasharray": "2 2"}


def _bar(one: Series, part: str, left: float, unit: float, y: float, pitch: float) -> str:
    point = one.points.get(part, _NONE)
    if math.isnan(point.value):
        return text(WIDTH - 4, y + 9.5, DASH, font_size=10, fill=GREY, text_anchor="end")
    shapes = [
        element("rect", x=left, y=y + 2, width=max(0.0, point.value * unit), height=pitch - 4, rx=1, fill=one.colour),
    ]
    if not math.isnan(point.low):
        middle = y + pitch / 2
        shapes.append(
            line(left + point.low * unit, middle, left + point.high * unit, middle, stroke=INK, stroke_opacity=0.75)
        )
    shapes.append(text(WIDTH - 4, y + 9.5, percent(point.value), font_size=10, fill=one.colour, text_anchor="end"))
    return titled(f"{one.name}, {part}: {point.said()}", *shapes)


def forest(title: str, runs: Sequence[tuple[str, int, Point, Point | None]], rows: Sequence[tuple[str, float]]) -> str:
    """Return one line a run (official: a dot, verified: a ring, both with intervals) and a grey dot a paper's row.

    Args:
        title: of the drawing.
        runs: name, index of the colour, official, verified.
        rows: name and value, from a paper.
    """
    left, right, pitch = 190, WIDTH - 46, 21
    entries: list[tuple[float, str]] = []
    values = [p.high for _, _, a, b in runs for p in (a, b) if p is not None] + [value for _, value in rows]
    end = ceiling([*values, *(p.value for _, _, a, b in runs for p in (a, b) if p is not None)])
    start, unit = _scale(end, left, right)
    for name, index, official, verified in runs:
        shown = official if not math.isnan(official.value) else verified or _NONE
        entries.append((shown.value, _forest_run(name, run_colour(index), official, verified, start, unit)))
    for name, value in rows:
        said = (
            text(left - 10, 4, wrapped(name, 29, 1)[0], fill=GREY, text_anchor="end", font_size=11.5)
            + element("circle", cx=start + value * unit, cy=0, r=3, fill=GREY)
            + text(WIDTH - 4, 4, percent(value), font_size=11, fill=GREY, text_anchor="end")
        )
        entries.append((value, titled(f"{name}: {percent(value)} %", said)))
    entries.sort(key=lambda entry: -entry[0] if not math.isnan(entry[0]) else 1)
    bottom = 8 + pitch * len(entries)
    body = [
        element("g", content, transform=f"translate(0 {8 + pitch * (i + 0.5):g})")
        for i, (_, content) in enumerate(entries)
    ]
    words = "; ".join(
        [f"{n}: {a.said()}" + (f", verified {b.said()}" if b else "") for n, _, a, b in runs]
        + [f"{n}: {percent(v)} %" for n, v in rows]
    )
    return drawing(bottom + 20, title, words, _axis(end, left, right, 4, bottom), *body)


def _forest_run(name: str, colour: str, official: Point, verified: Point | None, start: float, unit: float) -> str:
    both = [(official, "official rule", colour, -3.5)]
    if verified is not None:
        both.append((verified, "verified rule", PAPER, 3.5))
    shapes = [text(start - 10, 4, wrapped(name, 27, 1)[0], fill=colour, text_anchor="end", font_weight=600)]
    for point, rule, fill, dy in both:
        if math.isnan(point.value):
            continue
        spread = (
            ""
            if math.isnan(point.low)
            else line(start + point.low * unit, dy, start + point.high * unit, dy, stroke=colour, stroke_width=1.6)
        )
        dot = element("circle", cx=start + point.value * unit, cy=dy, r=3.6, fill=fill, stroke=colour, stroke_width=1.6)
        shapes.append(titled(f"{name}, {rule}: {point.said()}", spread, dot))
    shown = official if not math.isnan(official.value) else verified or _NONE
    shapes.append(text(WIDTH - 4, 4, percent(shown.value), fill=colour, text_anchor="end", font_weight=600))
    return "".join(shapes)


def radar(title: str, parts: Sequence[str], series: Sequence[Series]) -> str:
    """Return a radar: an axis a part, a polygon a series; parts are three or more."""
    cx, cy, radius = WIDTH / 2, 178.0, 118.0
    end = ceiling([p.value for s in series for part, p in s.points.items() if part in parts])

    def place(i: int, share: float) -> tuple[float, float]:
        angle = 2 * math.pi * i / len(parts) - math.pi / 2
        return cx + radius * share * math.cos(angle), cy + radius * share * math.sin(angle)

    def polygon(shares: Sequence[float], **attributes: object) -> str:
        corners = (place(i, share) for i, share in enumerate(shares))
        return element("polygon", points=" ".join(f"{x:.1f},{y:.1f}" for x, y in corners), **attributes)

    drawn = [polygon([ring / 4] * len(parts), fill="none", stroke=RULE) for ring in range(1, 5)]
    for i, part in enumerate(parts):
        x, y = place(i, 1)
        drawn.append(line(cx, cy, x, y, stroke=RULE))
        x, y = place(i, 1.1)
        anchor = "middle" if abs(x - cx) < 20 else "start" if x > cx else "end"
        label = wrapped(part, 16, 2)
        top = y + 4 - (14 * (len(label) - 1) if y < cy - 60 else 7 * (len(label) - 1) if y < cy + 60 else 0)
        drawn += [
            text(x, top + 13 * j, words, font_size=11, fill=INK, text_anchor=anchor) for j, words in enumerate(label)
        ]
    for i, one in enumerate(series):
        points = [one.points.get(part, _NONE) for part in parts]
        shares = [0.0 if math.isnan(p.value) else p.value / end for p in points]
        style: dict[str, object] = {"fill": one.colour, "fill_opacity": 0.07, "stroke": one.colour, "stroke_width": 2}
        if one.run is None:
            style |= {"fill": "none", "stroke_width": 1.4, "stroke_dasharray": "4 3"}
        elif DASHES[i % 4]:
            style["stroke_dasharray"] = DASHES[i % 4]
        dots = [
            titled(f"{one.name}, {part}: {p.said()}", element("circle", cx=x, cy=y, r=2.6, fill=one.colour))
            for j, (part, p) in enumerate(zip(parts, points, strict=True))
            for x, y in [place(j, shares[j])]
        ]
        drawn += [polygon(shares, **style), *dots]
    for ring in (2, 4):
        x, y = place(0, ring / 4)
        drawn.append(text(x + 4, y + 11, f"{100 * end * ring / 4:g}", font_size=10, fill=GREY))
    return drawing(360, title, _summary(series, parts), *drawn)


def profile(title: str, parts: Sequence[str], series: Sequence[Series]) -> str:
    """Return a line a series over parts in their order, with intervals where there are any."""
    left, right, top, bottom = 34.0, WIDTH - 14.0, 14.0, 214.0
    end = ceiling([p.high if not math.isnan(p.high) else p.value for s in series for p in s.points.values()])
    step = (right - left - 30) / max(1, len(parts) - 1)

    def place(i: int, value: float) -> tuple[float, float]:
        return left + 15 + i * step, bottom - (bottom - top) * value / end

    drawn = []
    for tick in range(5):
        y = bottom - (bottom - top) * tick / 4
        drawn.append(line(left, y, right, y, stroke=RULE))
        drawn.append(text(left - 6, y + 4, f"{100 * end * tick / 4:g}", font_size=10, fill=GREY, text_anchor="end"))
    for i, part in enumerate(parts):
        for j, word in enumerate(wrapped(part, 10)):
            drawn.append(text(place(i, 0)[0], bottom + 17 + 13 * j, word, font_size=11, text_anchor="middle"))
    for i, one in enumerate(series):
        known = [(j, one.points[p]) for j, p in enumerate(parts) if not math.isnan(one.points.get(p, _NONE).value)]
        corners = " ".join("{:.1f},{:.1f}".format(*place(j, p.value)) for j, p in known)
        dash = "4 3" if one.run is None else DASHES[i % 4] or None
        width = 1.4 if one.run is None else 2.2
        drawn.append(
            element(
                "polyline", points=corners, fill="none", stroke=one.colour, stroke_width=width, stroke_dasharray=dash
            )
        )
        for j, p in known:
            x, y = place(j, p.value)
            shapes = [element("circle", cx=x, cy=y, r=2 if one.run is None else 3.4, fill=one.colour)]
            if not math.isnan(p.low):
                shapes.append(line(x, place(j, p.low)[1], x, place(j, p.high)[1], stroke=one.colour, stroke_width=1.4))
            drawn.append(titled(f"{one.name}, {parts[j]}: {p.said()}", *shapes))
        if one.run is None and known:
            x, y = place(*[(j, p.value) for j, p in known][-1])
            drawn.append(text(right, y - 6, one.name, font_size=10, fill=GREY, text_anchor="end"))
    return drawing(bottom + 40, title, _summary(series, parts), *drawn)


def heat_map(title: str, rows: Sequence[str], columns: Sequence[str], cells: Mapping[tuple[str, str], Point]) -> str:
    """Return a grid of cells, the darker the higher; each says its percent."""
    left, top, height = 172.0, 34.0, 22.0
    width = (WIDTH - left - 4) / max(1, len(columns))
    end = ceiling([p.value for p in cells.values()])
    drawn = []
    for j, column in enumerate(columns):
        for k, words in enumerate(wrapped(column, max(6, int(width / 6.2)))):
            x = left + (j + 0.5) * width
            drawn.append(text(x, 13 + 12 * k, words, font_size=11, fill=GREY, text_anchor="middle"))
    for i, row in enumerate(rows):
        y = top + i * height
        drawn.append(text(left - 8, y + 15, wrapped(row, 25, 1)[0], font_size=11.5, text_anchor="end"))
        for j, column in enumerate(columns):
            point = cells.get((row, column), _NONE)
            x, empty = left + j * width, math.isnan(point.value)
            share = 0.0 if empty else point.value / end
            fill = "#f4f5f7" if empty else _shade(share)
            box = element("rect", x=x + 1, y=y + 1, width=width - 2, height=height - 2, rx=2, fill=fill)
            ink = GREY if empty else PAPER if share > 0.55 else INK
            said = text(x + width / 2, y + 15, percent(point.value, 0), font_size=11, fill=ink, text_anchor="middle")
            drawn.append(titled(f"{row}, {column}: {'no problems' if empty else point.said()}", box, said))
    words = "; ".join(
        f"{row}: " + ", ".join(f"{c} {percent(cells.get((row, c), _NONE).value, 0)}" for c in columns) for row in rows
    )
    return drawing(top + height * len(rows) + 6, title, words, *drawn)


def _shade(share: float) -> str:
    """Return a blue between nearly white (0) and dark (1)."""
    pale, dark = (238, 244, 251), (18, 66, 122)
    red, green, blue = (round(a + (b - a) * max(0.0, min(1.0, share))) for a, b in zip(pale, dark, strict=True))
    return f"#{red:02x}{green:02x}{blue:02x}"


def classes(title: str, rows: Sequence[tuple[str, str, Mapping[str, float], float]]) -> str:
    """Return We-Math's four classes as stacked bars.

    Args:
        title: of the drawing.
        rows: name, its colour, class to share of all problems, and the score.
    """
    left, right, pitch, top = 172.0, WIDTH - 44.0, 24, 28.0
    drawn = []
    for i, (name, meaning) in enumerate(zip(CLASSES, ("IK", "IG", "RM", "CM"), strict=True)):
        x = left + i * 56
        drawn.append(element("rect", x=x, y=6, width=10, height=10, rx=2, fill=CLASSES[name]))
        drawn.append(text(x + 15, 15, meaning, font_size=11, fill=INK))
    drawn.append(text(WIDTH - 4, 15, "score", font_size=10, fill=GREY, text_anchor="end"))
    for i, (name, colour, shares, score) in enumerate(rows):
        y, x = top + i * pitch, left
        drawn.append(text(left - 8, y + 14, wrapped(name, 25, 1)[0], fill=colour, font_size=11.5, text_anchor="end"))
        for kind, fill in CLASSES.items():
            share = shares.get(kind, math.nan)
            if math.isnan(share) or share <= 0:
                continue
            width = share * (right - left)
            box = element("rect", x=x, y=y, width=width, height=pitch - 5, fill=fill)
            ink = INK if kind in ("IK", "IG") else PAPER
            label = percent(share, 0) if width > 20 else ""
            inside = text(x + width / 2, y + 14, label, font_size=10.5, fill=ink, text_anchor="middle") if label else ""
            drawn.append(titled(f"{name}, {kind}: {percent(share)} % of problems", box, inside))
            x += width
        drawn.append(text(WIDTH - 4, y + 14, percent(score), fill=colour, text_anchor="end", font_size=11.5))
    words = "; ".join(
        f"{name}: "
        + ", ".join(f"{kind} {percent(share)} %" for kind, share in shares.items())
        + f", score {percent(score)}"
        for name, _, shares, score in rows
    )
    return drawing(top + pitch * len(rows) + 4, title, words, *drawn)

"""A Matplotlib figure's artists as plain records.

Every record is a dict of JSON values with "kind" and "axes" (number of the axes in the figure):
    axes    xlim, ylim (after the scale, so decades on a log axis), box [width, height] in pixels
    bar     series, label (category), value (signed length), base, horizontal
    line    series, x, y (lists, None for nan, only what lies in view), labels (category of each x) or None
    points  series, x, y: markers without a line, scatter
    wedge   label, fraction (of a full turn)
    text    text, x, y: centre of the drawn box, in data coordinates after the scale
    area    what else was filled or drawn and is not read further
`series` is what the legend calls the artist's colour, else the artist's own label if the legend shows it, else "".
What cannot be seen is left out: invisible, fully transparent, background-coloured, zero high, or outside the view.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from types import BuiltinFunctionType, FunctionType, MethodType
from typing import Any

from mmmath_tasks.sandbox.jailed import solids
from mmmath_tasks.sandbox.jailed.names import Legend, Scale, legend_of

Element = dict[str, Any]
POINT_LIMIT = 20_000
TEXT_LIMIT = 1_000


def elements(figure: Any, pixels: bool) -> list[Element]:
    """Draw the figure (or only lay it out) and return the records of all its axes, in drawing order."""
    from matplotlib.backends.backend_agg import FigureCanvasAgg

    if not isinstance(figure.canvas, FigureCanvasAgg):
        FigureCanvasAgg(figure)
    _unmask(figure)
    if pixels:
        figure.canvas.draw()
    else:
        with _unpainted_axes(figure):
            figure.draw_without_rendering()
    found: list[Element] = []
    for number, axes in enumerate(figure.axes):
        if axes.get_visible():
            found += [{"axes": number, **element} for element in _safely(_axes, axes, legend_of(figure, axes))]
    for text in figure.texts:
        centre = _centre(text)
        if centre is not None:
            x, y = figure.transFigure.inverted().transform(centre)
            found.append({"axes": -1, "kind": "text", "text": text.get_text(), "x": _number(x), "y": _number(y)})
    return [_cut(element) for element in found if _whole(element)]


@contextmanager
def _unpainted_axes(figure: Any) -> Iterator[None]:
    """Leave out, for as long as this lasts, what takes half the time and no record tells: where ticks and titles go.

    Ticks are still found and worded and their mathematics is set, since what fails there fails under plain Python too.
    """
    from matplotlib.axis import Axis

    def worded(axis: Any) -> Callable[[Any], None]:
        def draw(renderer: Any) -> None:
            if not axis.get_visible():
                return
            for text in (axis.label, *(t for tick in axis._update_ticks() for t in (tick.label1, tick.label2))):
                if text.get_visible() and ("$" in text.get_text() or text.get_usetex()):
                    text.get_window_extent(renderer)

        return draw

    both = [axis for axes in figure.axes for axis in (axes.xaxis, axes.yaxis)]
    replaced = [(axis, "draw", worded(axis)) for axis in both if type(axis).draw is Axis.draw]
    if figure.get_layout_engine() is None:  # which makes room for titles
        replaced += [(axes, "_update_title_position", lambda _: None) for axes in figure.axes]
    try:
        for artist, name, function in replaced:
            vars(artist)[name] = function
        yield
    finally:
        for artist, name, _ in replaced:
            vars(artist).pop(name, None)


def _safely(read: Callable[..., Iterator[Element]], *given: Any) -> list[Element]:
    """Return the records of something; where we cannot read it, that there is something."""
    found: list[Element] = []
    try:
        found += read(*given)
    except MemoryError:
        raise
    except Exception:  # of our making: no fault of the script
        found.append({"kind": "area", "shape": "unread"})
    return found


def _whole(element: Element) -> bool:
    """Tell whether a record has all the numbers it must have."""
    limits = (*element.get("xlim", ()), *element.get("ylim", ()))
    return None not in (*limits, *(element.get(name, 0) for name in ("value", "base", "fraction")))


def _cut(element: Element) -> Element:
    """Return a record without texts of absurd length."""
    for name in ("text", "label", "series"):
        if len(element.get(name, "")) > TEXT_LIMIT:
            element[name] = element[name][:TEXT_LIMIT]
    if element.get("labels"):
        element["labels"] = [label[:TEXT_LIMIT] for label in element["labels"]]
    return element


def _unmask(figure: Any) -> None:
    """Take away functions that a script put in front of the methods of single artists."""
    functions = FunctionType, MethodType, BuiltinFunctionType
    for artist in (figure, *figure.texts, *figure.axes, *(a for axes in figure.axes for a in axes.get_children())):
        space = vars(artist)
        for name in [name for name, value in space.items() if isinstance(value, functions)]:
            if hasattr(type(artist), name):
                del space[name]


def _number(value: Any) -> float | None:
    number = float(value)
    return float(f"{number:.10g}") if math.isfinite(number) else None


def _numbers(values: Iterable[Any]) -> list[float | None]:
    return [_number(v) for v in values]


def _seen(artist: Any) -> bool:
    alpha = artist.get_alpha()
    return bool(artist.get_visible()) and (alpha is None or not isinstance(alpha, int | float) or alpha > 0)


def _painted(patch: Any, background: Any) -> bool:
    """Tell whether a patch stands out from the background."""
    from matplotlib.colors import to_rgba

    face, edge = to_rgba(patch.get_facecolor()), to_rgba(patch.get_edgecolor())
    filled = face[3] > 0 and face[:3] != background[:3]
    edged = edge[3] > 0 and edge[:3] != background[:3] and patch.get_linewidth() > 0
    return _seen(patch) and (filled or edged or bool(patch.get_hatch()))


def _axes(axes: Any, legend: Legend) -> Iterator[Element]:
    from matplotlib.colors import to_rgba
    from matplotlib.container import BarContainer
    from matplotlib.patches import Rectangle, Wedge

    if axes.name == "3d":
        yield from solids.bars(axes, Scale(axes.xaxis, axes.get_xlim()), Scale(axes.yaxis, axes.get_ylim()), legend)
        return
    background = to_rgba(axes.get_facecolor() if axes.axison else axes.figure.get_facecolor())
    scale = axes.transScale
    corners = scale.transform([(axes.get_xlim()[0], axes.get_ylim()[0]), (axes.get_xlim()[1], axes.get_ylim()[1])])
    yield {
        "kind": "axes",
        "xlim": _numbers(corners[:, 0]),
        "ylim": _numbers(corners[:, 1]),
        "box": _numbers([axes.bbox.width, axes.bbox.height]),
    }
    across, up = Scale(axes.xaxis, axes.get_xlim()), Scale(axes.yaxis, axes.get_ylim())
    bars: set[int] = set()
    for container in axes.containers:
        if isinstance(container, BarContainer):
            bars |= {id(patch) for patch in container.patches}
            yield from _safely(_bars, container, across, up, legend, background)
    for patch in axes.patches:
        if isinstance(patch, Wedge) and _painted(patch, background):
            turn = (patch.theta2 - patch.theta1) / 360
            label = patch.get_label()
            label = legend.name(patch) if legend.texts or str(label).startswith("_") else str(label)
            yield {"kind": "wedge", "label": label or _plain(patch.get_label()), "fraction": _number(abs(turn))}
        elif id(patch) not in bars and _painted(patch, background):
            yield {"kind": "area", "shape": "rectangle" if isinstance(patch, Rectangle) else "patch"}
    for line in axes.lines:
        yield from _safely(_line, line, axes, across, up, legend)
    for collection in axes.collections:
        if _seen(collection):
            yield from _safely(_collection, collection, axes, legend)
    if axes.images:
        yield {"kind": "area", "shape": "image"}
    inverse = scale.transform if not axes.transData.is_affine else None
    for text in axes.texts:
        centre = _centre(text)
        if centre is not None and _text_colour(text) != background[:3]:
            point = axes.transData.inverted().transform(centre)
            x, y = inverse([point])[0] if inverse else point
            yield {"kind": "text", "text": text.get_text(), "x": _number(x), "y": _number(y)}


def _plain(label: Any) -> str:
    return "" if str(label).startswith("_") else str(label)


def _text_colour(text: Any) -> Any:
    from matplotlib.colors import to_rgba

    return to_rgba(text.get_color())[:3] if text.get_bbox_patch() is None else None


def _centre(text: Any) -> tuple[float, float] | None:
    """Return the centre of a text's box in pixels, without its arrow; None where there is nothing to see."""
    from matplotlib.text import Text

    if not _seen(text) or not text.get_text().strip():
        return None
    box = Text.get_window_extent(text)
    if not math.isfinite(box.x0 + box.y0 + box.width + box.height):
        return None
    return (box.x0 + box.x1) / 2, (box.y0 + box.y1) / 2


def _bars(container: Any, across: Scale, up: Scale, legend: Legend, background: Any) -> Iterator[Element]:
    flat = container.orientation == "horizontal"
    category, length = (up, across) if flat else (across, up)
    seen = []
    for patch in container.patches:
        start, size = (patch.get_x(), patch.get_width()) if flat else (patch.get_y(), patch.get_height())
        side, thick = (patch.get_y(), patch.get_height()) if flat else (patch.get_x(), patch.get_width())
        middle = float(side + thick / 2)
        seen.append((patch, middle, float(start), float(size)))
    names = category.all_names([middle for _, middle, _, _ in seen])
    for (patch, middle, start, size), name in zip(seen, names, strict=True):
        if (
            not math.isfinite(start + size)
            or size == 0
            or not category.holds(middle)
            or not _painted(patch, background)
        ):
            continue
        if max(start, start + size) < length.low or min(start, start + size) > length.high:
            continue
        label = patch.get_label() if not str(patch.get_label()).startswith("_") else container.get_label()
        yield {
            "kind": "bar",
            "series": legend.name(patch, label),
            "label": name,
            "value": _number(size),
            "base": _number(start),
            "horizontal": flat,
        }


def _line(line: Any, axes: Any, across: Scale, up: Scale, legend: Legend) -> Iterator[Element]:
    import numpy as np

    if not _seen(line) or line.get_transform() != axes.transData:
        return
    x, y = (np.asarray(v, dtype=float) for v in line.get_data(orig=False))
    in_view = np.isfinite(x) & np.isfinite(y) & (x >= across.low) & (x <= across.high)
    in_view &= (y >= up.low) & (y <= up.high)
    if len(x) > POINT_LIMIT:
        step = -(-len(x) // POINT_LIMIT)
        x, y, in_view = x[::step], y[::step], in_view[::step]
    if not in_view.any():
        return
    x, y = np.where(in_view, x, np.nan), np.where(in_view, y, np.nan)
    joined = line.get_linestyle() not in ("None", "none", " ", "") and in_view.sum() > 1 and line.get_linewidth() > 0
    if not joined and line.get_marker() in ("None", "none", " ", "", None):
        return
    named = bool(across.names) or across.dated or across.formatter is not None
    labels = [across.name(v, 0.05) if ok else "" for v, ok in zip(x.tolist(), in_view, strict=True)] if named else None
    yield {
        "kind": "line" if joined else "points",
        "series": legend.name(line),
        "x": _numbers(x),
        "y": _numbers(y),
        "labels": labels,
    }


def _collection(collection: Any, axes: Any, legend: Legend) -> Iterator[Element]:
    import numpy as np
    from matplotlib.collections import PathCollection

    if isinstance(collection, PathCollection) and collection.get_offset_transform() == axes.transData:
        offsets: Any = collection.get_offsets()
        points: Any = np.ma.filled(np.ma.asarray(offsets, dtype=float), math.nan)[:POINT_LIMIT]
        if len(points):
            x, y = points.T
            yield {
                "kind": "points",
                "series": legend.name(collection),
                "x": _numbers(x),
                "y": _numbers(y),
                "labels": None,
            }
    else:
        yield {"kind": "area", "shape": "collection"}

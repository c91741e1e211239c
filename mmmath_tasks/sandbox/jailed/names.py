"""What a Matplotlib figure calls its parts: series by the legend's colours, places on an axis by its ticks."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from typing import Any


def _look(artist: Any) -> tuple[Any, ...] | None:
    """Return what tells an artist in a legend: whether it is a line, and its colour."""
    from matplotlib.colors import to_rgba
    from matplotlib.lines import Line2D

    for name in ("get_facecolor", "get_color"):
        if hasattr(artist, name):
            colour = getattr(artist, name)()
            if hasattr(colour, "ndim") and colour.ndim == 2:
                if not len(colour):
                    return None
                colour = colour[0]
            return isinstance(artist, Line2D), *(round(c, 3) for c in to_rgba(colour)[:3])
    return None


class Legend:
    """The entries of a legend: which text stands for which colour, of lines and of all else."""

    def __init__(self, entries: Sequence[tuple[Any, str]]) -> None:
        """Take over pairs of a look (see _look; None: no one colour) and a text."""
        self.texts = {text for _, text in entries}
        looks = [look for look, _ in entries]
        self.by_look = {look: text for look, text in entries if look is not None and looks.count(look) == 1}

    def name(self, artist: Any, label: Any = None) -> str:
        """Return what the legend calls this artist, "" where it does not."""
        label = str(artist.get_label() if label is None else label)
        return self.by_look.get(_look(artist), label if label in self.texts else "")


def legend_of(figure: Any, axes: Any) -> Legend:
    """Return the axes' own legend, else what the figure's and the other axes' say."""
    shown = [axes.get_legend(), *figure.legends, *(a.get_legend() for a in figure.axes if a is not axes)]
    entries = []
    for legend in shown:
        if legend is not None and legend.get_visible():
            texts = [text.get_text() for text in legend.get_texts()]
            entries += [(_look(h), t) for h, t in zip(legend.legend_handles, texts, strict=False)]
            if legend is shown[0]:
                break
    return Legend(entries)


class Scale:
    """One axis: what lies in view, and what its positions are called."""

    def __init__(self, axis: Any, limits: Sequence[float]) -> None:
        """Read the axis, laid out, and the two ends of its view."""
        from matplotlib.category import StrCategoryFormatter
        from matplotlib.dates import DateConverter, _SwitchableDateConverter
        from matplotlib.ticker import FixedFormatter, FuncFormatter

        converter = axis.get_converter()
        own = type(converter).__module__ == "matplotlib.dates"  # pandas derives converters that count otherwise
        self.dated = own and isinstance(converter, DateConverter | _SwitchableDateConverter)
        formatter = axis.get_major_formatter()
        self.formatter = formatter if isinstance(formatter, FuncFormatter) else None
        self.low, self.high = sorted(limits)
        margin = 1e-6 * (self.high - self.low)
        self.low, self.high = self.low - margin, self.high + margin
        self.names: list[tuple[float, str]] = []
        if isinstance(formatter, StrCategoryFormatter | FixedFormatter | FuncFormatter):
            texts = (tick.get_text() for tick in axis.get_ticklabels())
            pairs = zip(axis.get_ticklocs(), texts, strict=False)
            self.names = sorted((float(at), text) for at, text in pairs if text)

    def holds(self, value: float) -> bool:
        """Tell whether a place is in view."""
        return self.low <= value <= self.high

    def name(self, value: float, reach: float = 0.5) -> str:
        """Return the label of the tick within `reach` gaps of ticks, where ticks are labelled, else the date or number.

        A function that labels ticks is asked for this place first.
        """
        if self.dated:
            from matplotlib.dates import num2date

            date: Any = num2date(value)
            return str(date.isoformat()).removesuffix("+00:00").removesuffix("T00:00:00")
        if self.formatter is not None:
            with suppress(Exception):
                text = str(self.formatter(value, 0)).strip()
                if text:
                    return text
        if self.names:
            at, text = min(self.names, key=lambda pair: abs(pair[0] - value))
            gaps = [b[0] - a[0] for a, b in pairwise(self.names) if b[0] > a[0]]
            if abs(at - value) <= reach * (min(gaps) if gaps else 1.0) + 1e-9:
                return text
        return f"{float(f'{value:.6g}'):g}"

    def all_names(self, values: Sequence[float]) -> list[str]:
        """Return the labels of a whole series: tick by tick where there are as many ticks, else each by the nearest."""
        if len(self.names) == len(values) > 1:
            order = sorted(range(len(values)), key=lambda i: values[i])
            names = dict(zip(order, (text for _, text in self.names), strict=True))
            gap = min(b[0] - a[0] for a, b in pairwise(self.names))
            if all(abs(values[i] - at) < gap for i, (at, _) in zip(order, self.names, strict=True)):
                return [names[i] for i in range(len(values))]
        return [self.name(value) for value in values]

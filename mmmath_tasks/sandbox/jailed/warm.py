"""What is loaded before the first item, warm, and what a figure is read with, as it was then."""

from __future__ import annotations

import builtins
import random
import sys
from collections.abc import Callable, Sequence
from contextlib import suppress
from importlib import import_module
from typing import Any

from mmmath_tasks.sandbox.jailed import artists, raster

# Classes that a figure is read through, functions that our code calls, modules (beside ours) that replies go through.
# No more than these: merely looking at an object copies the page it lies on, for its count of references.
_CLASSES = """
    artist.Artist axes._axes.Axes axes._base._AxesBase axis.Axis axis.Tick backends.backend_agg.FigureCanvasAgg
    collections.Collection collections.PathCollection container.BarContainer figure.Figure figure.FigureBase
    legend.Legend lines.Line2D patches.Patch patches.Rectangle patches.Wedge text.Annotation text.Text
"""
_FUNCTIONS = {"numpy": "array asarray isfinite isnan where ptp", "os": "write read"}
_MODULES = "json json.encoder struct __main__"
_thaw: list[Callable[[], None]] = []


def preload(modules: Sequence[str]) -> None:
    """Import what figures need, and `modules`, and draw one, so that forked children find everything warm."""
    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib import font_manager

    for name in modules:
        with suppress(ImportError):
            import_module(name)
    figure, axes = plt.subplots()
    axes.plot([0, 1], label="$x^2$")
    axes.bar([0.2], [0.5])
    axes.pie([1, 2], labels=["a", "b"], autopct="%1.0f%%")
    axes.legend()
    axes.set_title("Warm", fontweight="bold")
    artists.elements(figure, False)
    artists.elements(figure, True)
    for size in (*font_manager.font_scalings, *range(6, 25)):  # each is looked for in all fonts
        for weight in ("normal", "bold"):
            font_manager.findfont(font_manager.FontProperties(size=size, weight=weight))
    raster.png(raster.scanlines(figure.canvas.buffer_rgba()))
    plt.close(figure)
    # Matplotlib drops its fonts in every child; fonts that are gone are not copied there to be freed
    with suppress(AttributeError):
        font_manager._get_font.cache_clear()  # type: ignore[attr-defined]
    random.seed(0)
    np.random.seed(0)
    _thaw.append(_freeze())


def thaw() -> None:
    """Put back what a script has replaced of what a figure is read with; end its tracing."""
    _thaw[0]()


def _freeze() -> Callable[[], None]:
    """Remember what a figure is read with; return the function that puts back what was replaced since."""
    spaces: list[Any] = [builtins]
    spaces += [m for n, m in sys.modules.items() if n.startswith("mmmath_tasks.") or n in _MODULES.split()]
    for path in _CLASSES.split():
        module, _, name = path.rpartition(".")
        spaces.append(getattr(sys.modules[f"matplotlib.{module}"], name))
    kept = [
        (space, {n: v for n, v in vars(space).items() if callable(v) or isinstance(v, property)}) for space in spaces
    ]
    for module, names in _FUNCTIONS.items():
        kept.append((sys.modules[module], {name: getattr(sys.modules[module], name) for name in names.split()}))
    ours, set_, missing = suppress, setattr, object()

    def thaw() -> None:
        sys.settrace(None)
        sys.setprofile(None)
        for space, before in kept:
            now = vars(space)
            for name, value in before.items():
                if now.get(name, missing) is not value:
                    with ours(AttributeError, TypeError):
                        set_(space, name, value)

    return thaw

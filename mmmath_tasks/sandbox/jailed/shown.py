"""Running a script for the figures that it shows or saves, read as they are at that moment."""

from __future__ import annotations

import gc
import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from mmmath_tasks.sandbox.jailed import artists, raster, script, warm

PIXEL_LIMIT = 16_000_000
ELEMENT_LIMIT = 20_000
POINT_LIMIT = 200_000
# Words without which a script cannot look at a picture that it has saved to a file
# "Image"
_READS = re.compile(
    r"\b(?:open|i?m?read|read_\w+|load\w*|fromfile|memmap|getsize|st_size|stat|copy\w*|move|walk|scandir|Image|"
    r"zipfile|tarfile|runpy|exec|eval|__import__|importlib)\b"
)


class _Watch:
    """Figures as they were when they were shown or saved, in order."""

    def __init__(self, pixels: bool, reads: bool) -> None:
        """Hook Matplotlib; `reads`: pictures that are saved to a file are looked at again by the script."""
        import matplotlib as mpl
        import matplotlib.pyplot as plt
        from matplotlib.backend_bases import FigureCanvasBase
        from matplotlib.figure import Figure

        self.pixels, self.reads, self.busy = pixels, reads, False
        self.seen: dict[int, tuple[Any, list[dict[str, Any]], Any]] = {}
        self.frames: dict[int, Any] = {}
        save, print_figure = Figure.savefig, FigureCanvasBase.print_figure

        def savefig(figure: Any, fname: Any = None, *args: Any, **options: Any) -> Any:
            return self._saved(figure, fname, options.get("format"), lambda: save(figure, fname, *args, **options))

        def print_(canvas: Any, filename: Any, *args: Any, **options: Any) -> Any:
            kind = options.get("format", args[4] if len(args) > 4 else None)
            return self._saved(canvas.figure, filename, kind, lambda: print_figure(canvas, filename, *args, **options))

        def show(*args: Any, **options: Any) -> None:
            for number in plt.get_fignums():
                self.look(plt.figure(number))

        def show_one(figure: Any, *args: Any, **options: Any) -> None:
            self.look(figure)

        def hook() -> None:
            ours = (
                (Figure, "savefig", savefig),
                (Figure, "show", show_one),
                (FigureCanvasBase, "print_figure", print_),
            )
            for owner, name, function in (*ours, (plt, "show", show)):
                setattr(owner, name, function)

        self.hook, self.show = hook, show
        hook()
        # Scripts may ask for a window that is not to be had
        mpl.use = plt.switch_backend = lambda *_, **__: None

    def look(self, figure: Any) -> None:
        """Read a figure unless it is as it was; one that was emptied since stays as it was read."""
        if self.busy:
            return
        key = id(figure)
        if key in self.seen and not figure.stale:
            return
        warm.thaw()
        try:
            with self._inside(), _small_enough(figure, self.pixels):
                found = artists.elements(figure, self.pixels)
                if key in self.seen and all(element["kind"] == "axes" for element in found):
                    return
                rows = raster.scanlines(figure.canvas.buffer_rgba()) if self.pixels else None
            self.seen.pop(key, None)
            self.seen[key] = figure, found, rows
        finally:
            self.hook()

    def _saved(self, figure: Any, target: Any, format: Any, save: Callable[[], Any]) -> Any:
        """Read a figure that is being saved, and save it; to a file that nobody looks at, one pixel."""
        if self.busy:
            return save()
        if format in ("raw", "rgba"):
            self.frames[id(figure)] = figure  # of an animation: what counts is the last
            return save()
        self.look(figure)
        if isinstance(target, str | os.PathLike) and not self.reads:
            path = Path(target)
            (path if path.suffix else path.with_name(f"{path.name}.{format or 'png'}")).write_bytes(raster.DOT)
            return None
        with self._inside():
            done = save()
        figure.stale = False  # saving sets and restores the resolution
        return done

    @contextmanager
    def _inside(self) -> Iterator[None]:
        self.busy = True
        try:
            yield
        finally:
            self.busy = False

    def end(self) -> None:
        """Read what an animation left, and what is open (or was never in pyplot's hands) if nothing was shown."""
        from matplotlib.figure import Figure

        for key, figure in self.frames.items():
            if key not in self.seen:
                self.look(figure)
        if not self.seen:
            self.show()
        if not self.seen:
            for thing in gc.get_objects():
                if isinstance(thing, Figure) and thing.canvas.manager is None:
                    self.look(thing)


@contextmanager
def _small_enough(figure: Any, pixels: bool) -> Iterator[None]:
    """Lower a figure's resolution for as long as its picture would have more than PIXEL_LIMIT pixels."""
    dpi = figure.dpi
    size = figure.bbox.width * figure.bbox.height
    if pixels and size > PIXEL_LIMIT:
        figure.dpi = dpi * (PIXEL_LIMIT / size) ** 0.5
    try:
        yield
    finally:
        if figure.dpi != dpi:
            figure.dpi = dpi
            figure.stale = False


def draw(code: str, pictures: bool) -> tuple[script.Reply, bytes]:
    """Run a script; return the elements of every figure it showed or saved, and if wanted the last one's picture.

    A figure is read when it is shown or saved, since scripts clear it afterwards; one shown again is read again,
    unless it was emptied. Figures still open at the end count where nothing was shown or saved.
    """
    watch = _Watch(pictures, bool(_READS.search(code)))
    reply = script.run(code)
    left = reply.pop("left", None)
    if reply["cause"] and not (left == 0 and watch.seen):
        return reply, b""
    try:
        if left is None:
            watch.end()
        warm.thaw()
        found = [
            {**element, "figure": i} for i, (_, records, _) in enumerate(watch.seen.values()) for element in records
        ]
        if not any(e["kind"] != "axes" for e in found):
            return {"cause": "blank", "message": "nothing was drawn", "elements": []}, b""
        png = raster.png(list(watch.seen.values())[-1][2]) if pictures else b""
        return {"cause": "", "message": "", "elements": _bounded(found[:ELEMENT_LIMIT])}, png
    except BaseException as error:
        return script.failure(error), b""


def _bounded(found: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return the records with long lines thinned, so that all points together stay within POINT_LIMIT."""
    lines = [e for e in found if e["kind"] in ("line", "points")]
    step = -(-sum(len(e["x"]) for e in lines) // (POINT_LIMIT - 2 * ELEMENT_LIMIT))
    if step > 1:
        for e in (line for line in lines if len(line["x"]) > 2):
            for name in ("x", "y", "labels"):
                if e[name] is not None:
                    e[name] = e[name][::step]
    return found

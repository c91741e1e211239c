"""Running one Python script in the forked child, and looking at what it drew.

Model-written code shares this process, so it can forge what we report about it, and about nothing else: the child
serves one script and knows nothing but it. What is cheap is done all the same: our functions hold their own
references, and Matplotlib's classes are put back as they were before anything is read.
"""

from __future__ import annotations

import atexit
import builtins
import errno
import os
import re
import struct
import sys
import threading
import traceback
import types
import zlib
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

Reply = dict[str, Any]

SCRIPT = "/tmp/script.py"  # noqa: S108 (in the item's own tmpfs)
# Words with which a script looks for its own file
# "sys.argv"
_LOOKS = re.compile(r"__file__|argv|getsource|linecache|runpy")


def preload(modules: Sequence[str]) -> None:
    """Import what figures need, and `modules`, and draw one, so that forked children find everything warm."""
    import random
    from importlib import import_module

    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib import font_manager

    from mmmath_tasks.sandbox.jailed import artists

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
    picture(scanlines(figure.canvas.buffer_rgba()))
    plt.close(figure)
    # Matplotlib drops its fonts in every child; fonts that are gone are not copied there to be freed
    with suppress(AttributeError):
        font_manager._get_font.cache_clear()  # type: ignore[attr-defined]
    random.seed(0)
    np.random.seed(0)
    _thaw.append(_freeze())


def scanlines(pixels: Any) -> Any:
    """Return RGBA pixels (height, width, 4) as a PNG's rows of RGB, each behind the byte that says "not filtered"."""
    import numpy as np

    height, width, _ = np.shape(pixels)
    rows = np.zeros((height, 1 + 3 * width), np.uint8)
    rows[:, 1:].reshape(height, width, 3)[:] = np.asarray(pixels)[:, :, :3]
    return rows


def picture(rows: Any) -> bytes:
    """Return scanlines as a PNG.

    Pillow tries five filters on every row; in charts "none" wins, and so a picture takes a third of the time.
    """

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    height, width = rows.shape
    header = struct.pack(">IIBBBBB", width // 3, height, 8, 2, 0, 0, 0)  # 8 bits of each of three colours
    data = chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows, 2)) + chunk(b"IEND", b"")
    return b"\x89PNG\r\n\x1a\n" + data


def _failure(error: BaseException) -> Reply:
    cause = {SyntaxError: "syntax", MemoryError: "memory"}
    name = next((c for kind, c in cause.items() if isinstance(error, kind)), "exception")
    if isinstance(error, OSError) and error.errno in (errno.EFBIG, errno.ENOSPC):
        name = "disk"
    text = "".join(traceback.format_exception_only(error))
    return {"cause": name, "message": text[-500:], "elements": []}


class _Left(SystemExit):
    """The script ended itself by os._exit."""


def run(code: str) -> Reply:
    """Run a script as `python script.py` does: threads end, exit handlers run, `sys.exit()` is an end like any other.

    The file itself is there only for a script that looks for it.
    """
    sys.argv, sys.path[:0] = [Path(SCRIPT).name], [str(Path(SCRIPT).parent)]
    atexit._clear()
    os._exit = _leave  # type: ignore[assignment]
    try:
        if "\0" in code:  # which Python before 3.11.4 calls a ValueError
            raise SyntaxError("source code cannot contain null bytes")
        program = compile(code, SCRIPT, "exec")
        if _LOOKS.search(code):
            Path(SCRIPT).write_text(code, encoding="utf-8")
        module = types.ModuleType("__main__")
        module.__dict__.update(__builtins__=builtins, __file__=SCRIPT)
        sys.modules["__main__"] = module
        exec(program, module.__dict__)  # noqa: S102 (this is the jail)
    except _Left as stop:
        # What was shown before counts; see draw
        return {"cause": "exit", "message": f"exit status {stop.code}", "elements": [], "left": stop.code}
    except SystemExit as stop:
        if stop.code not in (None, 0):
            return {"cause": "exit", "message": f"exit status {stop.code}"[:500], "elements": []}
    except BaseException as error:
        return _failure(error)
    finally:
        with suppress(BaseException):
            sys.stdout.flush()
    with suppress(BaseException):
        threading._shutdown()  # type: ignore[attr-defined]
    with suppress(BaseException):
        atexit._run_exitfuncs()
    with suppress(BaseException):
        sys.stdout.flush()
    return {"cause": "", "message": "", "elements": []}


def _leave(status: int) -> None:
    raise _Left(status)


# Classes that a figure is read through, functions that our code calls, modules (beside ours) that replies go through.
# No more than these: merely looking at an object copies the page it lies on, for its count of references.
_CLASSES = """
    artist.Artist axes._axes.Axes axes._base._AxesBase axis.Axis axis.Tick backends.backend_agg.FigureCanvasAgg
    collections.Collection collections.PathCollection container.BarContainer figure.Figure figure.FigureBase
    legend.Legend lines.Line2D patches.Patch patches.Rectangle patches.Wedge text.Annotation text.Text
"""
_FUNCTIONS = {"numpy": "array asarray isfinite isnan where ptp", "os": "write read"}
_MODULES = "json json.encoder struct __main__"


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


_thaw: list[Callable[[], None]] = []
PIXEL_LIMIT = 16_000_000
ELEMENT_LIMIT = 20_000
POINT_LIMIT = 200_000
# Words without which a script cannot look at a picture that it has saved to a file
# "Image"
_READS = re.compile(
    r"\b(?:open|i?m?read|read_\w+|load\w*|fromfile|memmap|getsize|st_size|stat|copy\w*|move|walk|scandir|Image|"
    r"zipfile|tarfile|runpy|exec|eval|__import__|importlib)\b"
)
_DOT = bytes.fromhex(
    "89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c489"
    "0000000b49444154789c63f80f040009fb03fdfb5e6b2b0000000049454e44ae426082"
)  # a picture of one pixel


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
        from mmmath_tasks.sandbox.jailed import artists

        if self.busy:
            return
        key = id(figure)
        if key in self.seen and not figure.stale:
            return
        _thaw[0]()
        try:
            with self._inside(), _small_enough(figure, self.pixels):
                found = artists.elements(figure, self.pixels)
                if key in self.seen and all(element["kind"] == "axes" for element in found):
                    return
                rows = scanlines(figure.canvas.buffer_rgba()) if self.pixels else None
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
            (path if path.suffix else path.with_name(f"{path.name}.{format or 'png'}")).write_bytes(_DOT)
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
        import gc

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


def draw(code: str, pictures: bool) -> tuple[Reply, bytes]:
    """Run a script; return the elements of every figure it showed or saved, and if wanted the last one's picture.

    A figure is read when it is shown or saved, since scripts clear it afterwards; one shown again is read again,
    unless it was emptied. Figures still open at the end count where nothing was shown or saved.
    """
    watch = _Watch(pictures, bool(_READS.search(code)))
    reply = run(code)
    left = reply.pop("left", None)
    if reply["cause"] and not (left == 0 and watch.seen):
        return reply, b""
    try:
        if left is None:
            watch.end()
        _thaw[0]()
        found = [
            {**element, "figure": i} for i, (_, records, _) in enumerate(watch.seen.values()) for element in records
        ]
        if not any(e["kind"] != "axes" for e in found):
            return {"cause": "blank", "message": "nothing was drawn", "elements": []}, b""
        png = picture(list(watch.seen.values())[-1][2]) if pictures else b""
        return {"cause": "", "message": "", "elements": _bounded(found[:ELEMENT_LIMIT])}, png
    except BaseException as error:
        return _failure(error), b""


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

"""Running one Python script in the forked child, and looking at what it drew.

Model-written code shares this process, so it could in principle forge what we report about it, and about nothing
else: the child serves one script. What is cheap is done: our functions hold their own references, Matplotlib's
classes are put back as they were before anything is read, and the reply carries a number the script is not told.
"""

from __future__ import annotations

import builtins
import errno
import io
import sys
import traceback
import types
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

Reply = dict[str, Any]


def preload() -> None:
    """Import what figures need and draw one, so that forked children find everything warm."""
    import random

    import matplotlib as mpl

    mpl.use("agg")
    import matplotlib.pyplot as plt
    import numpy as np

    from mmmath_tasks.sandbox.jailed import artists

    figure, axes = plt.subplots()
    axes.plot([0, 1], label="$x^2$")
    axes.bar([0.2], [0.5])
    axes.pie([1, 2], labels=["a", "b"], autopct="%1.0f%%")
    axes.legend()
    axes.set_title("Warm", fontweight="bold")
    artists.elements(figure, True)
    picture(figure.canvas.buffer_rgba())  # type: ignore[attr-defined]
    plt.close(figure)
    random.seed(0)
    np.random.seed(0)
    _thaw.append(_freeze())


def picture(pixels: Any) -> bytes:
    """Return RGBA pixels as a PNG."""
    import numpy as np
    from PIL import Image

    file = io.BytesIO()
    Image.fromarray(np.asarray(pixels)).convert("RGB").save(file, "PNG", compress_level=6)
    return file.getvalue()


def _failure(error: BaseException) -> Reply:
    cause = {SyntaxError: "syntax", MemoryError: "memory"}
    name = next((c for kind, c in cause.items() if isinstance(error, kind)), "exception")
    if isinstance(error, OSError) and error.errno in (errno.EFBIG, errno.ENOSPC):
        name = "disk"
    text = "".join(traceback.format_exception_only(error))
    return {"cause": name, "message": text[-500:], "elements": []}


def run(code: str) -> Reply:
    """Run a script as `__main__`; a plain `sys.exit()` is an end like any other."""
    try:
        if "\0" in code:  # which Python before 3.11.4 calls a ValueError
            raise SyntaxError("source code cannot contain null bytes")
        program = compile(code, "<script>", "exec")
        module = types.ModuleType("__main__")
        module.__dict__["__builtins__"] = builtins
        sys.modules["__main__"] = module
        exec(program, module.__dict__)  # noqa: S102 (this is the jail)
    except SystemExit as stop:
        if stop.code not in (None, 0):
            return {"cause": "exit", "message": f"exit status {stop.code}", "elements": []}
    except BaseException as error:
        return _failure(error)
    finally:
        with suppress(Exception):
            sys.stdout.flush()
    return {"cause": "", "message": "", "elements": []}


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


def draw(code: str, pictures: bool) -> tuple[Reply, bytes]:
    """Run a script; return the elements of every figure it showed or saved, and if wanted the last one's picture.

    A figure is read when it is shown or saved, since scripts clear it afterwards; one shown again is read again,
    unless it was emptied.
    Figures still open at the end count where nothing was shown or saved. `savefig` writes our picture of the figure,
    at the figure's own resolution, whatever format and resolution it was asked for; where no picture is wanted, an
    empty file.
    """
    import matplotlib as mpl
    import matplotlib.pyplot as plt
    import numpy as np
    from matplotlib.figure import Figure

    from mmmath_tasks.sandbox.jailed import artists

    thaw = _thaw[0]
    seen: dict[int, tuple[Any, list[dict[str, Any]], Any]] = {}

    def look(figure: Any, pixels: bool = pictures) -> Any:
        thaw()
        if id(figure) not in seen or figure.stale or (pixels and seen[id(figure)][2] is None):
            if figure.bbox.width * figure.bbox.height > PIXEL_LIMIT:
                raise MemoryError(f"a picture of {figure.bbox.width:.0f} x {figure.bbox.height:.0f} pixels")
            found = artists.elements(figure, pixels)
            if id(figure) in seen and all(element["kind"] == "axes" for element in found):
                hook()
                return seen[id(figure)][2]
            seen.pop(id(figure), None)
            seen[id(figure)] = figure, found, np.array(figure.canvas.buffer_rgba()) if pixels else None
        hook()
        return seen[id(figure)][2]

    def savefig(self: Any, fname: Any = None, *args: Any, **options: Any) -> None:
        if hasattr(fname, "write"):
            fname.write(picture(look(self, True)))
        else:
            Path(fname).write_bytes(picture(look(self, True)) if pictures else b"")
            look(self)

    def show(*args: Any, **options: Any) -> None:
        for number in plt.get_fignums():
            look(plt.figure(number))

    def show_one(self: Any, *args: Any, **options: Any) -> None:
        look(self)

    def hook() -> None:
        Figure.savefig, Figure.show, plt.show = savefig, show_one, show  # type: ignore[method-assign]

    hook()
    # Scripts may ask for a window that is not to be had
    mpl.use = plt.switch_backend = lambda *_, **__: None  # type: ignore[assignment]
    reply = run(code)
    if reply["cause"]:
        return reply, b""
    try:
        if not seen:
            show()
        thaw()
        found = [{**element, "figure": i} for i, (_, records, _) in enumerate(seen.values()) for element in records]
        if not any(e["kind"] != "axes" for e in found):
            return {"cause": "blank", "message": "nothing was drawn", "elements": []}, b""
        return {**reply, "elements": found[:ELEMENT_LIMIT]}, picture(list(seen.values())[-1][2]) if pictures else b""
    except BaseException as error:
        return _failure(error), b""

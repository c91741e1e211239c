"""Running one Python script in the forked child.

Model-written code shares this process, so it can forge what we report about it, and about nothing else: the child
serves one script and knows nothing but it. What is cheap is done all the same: our functions hold their own
references, and Matplotlib's classes are put back as they were (warm.thaw) before anything is read.
"""

from __future__ import annotations

import atexit
import builtins
import errno
import os
import re
import sys
import threading
import traceback
import types
from contextlib import suppress
from pathlib import Path
from typing import Any

Reply = dict[str, Any]

SCRIPT = "/tmp/script.py"  # noqa: S108 (in the item's own tmpfs)
# Words with which a script looks for its own file
# "sys.argv"
_LOOKS = re.compile(r"__file__|argv|getsource|linecache|runpy")


def failure(error: BaseException) -> Reply:
    """Return the reply of a script that this error ended."""
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
        return failure(error)
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

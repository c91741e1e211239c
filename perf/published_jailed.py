"""VLMEvalKit's and lmms-eval's own MATH-Vision rules, which eval() what a model wrote: published_numbers.py jails them.

The jail is bubblewrap's: no network, no home, a writable folder in memory only, and of the files here no more than
system libraries, this Python and its packages, read-only. This file runs inside: rows come as JSON on standard input,
verdicts go to standard output. The harnesses' modules are loaded without the packages around them, which import torch.
"""

from __future__ import annotations

import importlib
import json
import logging
import resource
import shutil
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType
from typing import Any

CPU_SECONDS = 1200
WALL_SECONDS = 2 * CPU_SECONDS
"""For one run, whatever it waits for; after that the jail and all that is in it ends."""
MEMORY = 4 * 2**30
LATEX = Path(sys.prefix) / "latex2sympy2"
"""latex2sympy2 with its own antlr4, another than everybody else's, which lmms-eval's rule needs (.ci/harnesses)."""


def verdicts(rows: list[dict[str, Any]], rule: str) -> list[list[bool]]:
    """Return what a rule says of each row, computed in the jail.

    Args:
        rows: `answer`, `options`, `response` and `extraction`, which stands for what a judge would have read.
        rule: "vlmevalkit" (two verdicts a row, by the extraction and without any) or "lmms_eval" (one).

    Raises:
        CalledProcessError: the jail could not be started, or the rule ended in an error or over its limits.
        TimeoutExpired: the rule did not end.
    """
    command, given = _command(rule), json.dumps(rows)
    done = subprocess.run(command, input=given, capture_output=True, text=True, check=True, timeout=WALL_SECONDS)  # noqa: S603
    found: list[list[bool]] = json.loads(done.stdout)
    if len(found) != len(rows):
        raise ValueError(f"{rule}: {len(found)} verdicts of {len(rows)} rows")
    return found


def _command(rule: str) -> list[str]:
    bwrap = shutil.which("bwrap")
    if bwrap is None:
        raise SystemExit(
            "published_numbers: MATH-Vision's rules of other harnesses run in a jail only: install bubblewrap"
        )
    words = [bwrap, "--unshare-all", "--die-with-parent", "--new-session", "--clearenv", "--cap-drop", "ALL"]
    words += ["--dev", "/dev", "--tmpfs", "/tmp", "--chdir", "/tmp"]  # noqa: S108
    folders = {Path(folder).resolve() for folder in ("/usr", sys.prefix, sys.base_prefix)}
    for folder in sorted(folders):
        words += ["--ro-bind", str(folder), str(folder)]
    for name in ("bin", "lib", "lib64"):
        words += ["--symlink", f"usr/{name}", f"/{name}"]
    words += ["--ro-bind", str(Path(__file__).resolve()), "/rule.py"]
    return [*words, "--", str(Path(sys.prefix).resolve() / "bin/python"), "-I", "-B", "/rule.py", rule]


def _bare(name: str) -> ModuleType:
    """Return a package whose modules can be imported though its own __init__ does not run."""
    spec = find_spec(name)
    if spec is None or spec.submodule_search_locations is None:
        raise ModuleNotFoundError(name)
    package = ModuleType(name)
    package.__path__ = list(spec.submodule_search_locations)
    sys.modules[name] = package
    return package


def _vlmevalkit(row: dict[str, Any]) -> list[bool]:
    """MATH_V_auxeval, then MATH_V_acc, of vlmeval/dataset/utils/mathv.py, without their limit of 30 s a comparison."""
    mathv = importlib.import_module("vlmeval.dataset.utils.mathv")
    line = {"answer": row["answer"], "choices": str(row["options"]), "prediction": row["response"]}
    settled = mathv.post_check(line, prefetch=True)
    reads = [settled] if settled else [row["extraction"], ""]
    found = [bool(mathv.post_check({**line, "res": read}, prefetch=False)) for read in reads]
    return found if len(found) == 2 else found * 2


def _lmms_eval(row: dict[str, Any]) -> list[bool]:
    """mathvision_process_results of lmms_eval/tasks/mathvision/utils.py."""
    rule = importlib.import_module("lmms_eval.tasks.mathvision.utils").mathvision_process_results
    return [bool(rule(row, [row["response"]])["mathvision_standard_eval"]["scores"][0])]


def _load(rule: str) -> None:
    if rule == "lmms_eval":
        sys.path.insert(0, str(LATEX))
        for name in ("lmms_eval", "lmms_eval.tasks", "lmms_eval.tasks.mathvision"):
            _bare(name)
        return
    for name in ("vlmeval", "vlmeval.dataset", "vlmeval.dataset.utils"):
        _bare(name)
    smp, utils = _bare("vlmeval.smp"), _bare("vlmeval.utils")
    smp.get_logger, smp.load = lambda name: logging.getLogger("quiet"), None
    sys.modules["vlmeval.smp.log"] = smp
    utils.can_infer = importlib.import_module("vlmeval.utils.matching_util").can_infer
    mathv = importlib.import_module("vlmeval.dataset.utils.mathv")
    vars(mathv)["is_equal"] = mathv.is_equal.__wrapped__  # the limit starts a process for each comparison


def _serve(rule: str) -> None:
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    logging.disable()
    reply, sys.stdout = sys.stdout, sys.stderr  # what the rules print is no verdict
    rows = json.load(sys.stdin)
    _load(rule)
    json.dump([(_lmms_eval if rule == "lmms_eval" else _vlmevalkit)(row) for row in rows], reply)


if __name__ == "__main__":
    _serve(sys.argv[1])

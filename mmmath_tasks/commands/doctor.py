"""`mmmath doctor`: what is installed, what lm-eval finds, which data sources answer."""

from __future__ import annotations

import argparse
import os
import re
import shutil
import sys
from collections.abc import Callable, Iterator
from contextlib import suppress
from importlib.metadata import PackageNotFoundError, requires, version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from mmmath_tasks import __version__, benchmark, benchmarks, contract
from mmmath_tasks.commands._parser import require_at_least
from mmmath_tasks.commands.path import folder
from mmmath_tasks.errors import InputError

HELP = "say what is installed, what the harnesses find and which data sources answer"

EXAMPLES = """
    mmmath doctor
    mmmath doctor --offline
"""

_HARNESSES = {"lm-eval": "lm_eval", "VLMEvalKit": "ms-vlmeval", "lmms-eval": "lmms_eval", "inspect_ai": "inspect_ai"}
_PROGRAMS = {
    "bwrap": "sandbox of MathOPEval and program-of-thought (Debian: bubblewrap)",
    "pdflatex": "MathOPEval geometry (Debian: texlive-latex-base texlive-pictures)",
    "pdftoppm": "building MathOPEval's data (Debian: poppler-utils)",
}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--offline", action="store_true", help="do not ask the Hub")
    parser.add_argument("--seconds", type=float, default=5.0, help="how long the Hub may take to answer (default 5)")


def run(args: argparse.Namespace) -> int:
    """Print the findings; status 1 where lm-eval is installed and would not find the tasks."""
    require_at_least(args, seconds=0)
    found = registration()
    print(f"mmmath-tasks {__version__}, Python {sys.version.split()[0]}, {Path(__file__).parent.parent}")
    harnesses = [f"{name:<12} {_version(wanted) or 'not installed'}" for name, wanted in _HARNESSES.items()]
    programs = [f"{n:<12} {'found' if shutil.which(n) else 'not found'}: {use}" for n, use in _PROGRAMS.items()]
    for title, lines in (
        ("Harnesses", [*harnesses, f"tasks        {found}"]),
        (f"What is used of lm-eval {_version('lm_eval') or ''} beyond what it documents", seams()),
        ("Extras", (f"{n:<12} {'missing ' + ', '.join(gone) if gone else 'installed'}" for n, gone in extras())),
        ("Programs", programs),
        ("Sandbox", sandbox()),
        ("Benchmarks", members()),
        ("Data", sources(args.offline, args.seconds)),
    ):
        print(f"\n{title}")
        for line in lines:
            print(f"  {line}")
    return 0 if found.startswith("found") or _version("lm_eval") is None else 1


def sandbox() -> Iterator[str]:
    """Yield what scripts of MathOPEval find in the sandbox, and what of the named set is missing here."""
    from mmmath_tasks.sandbox import environment
    from mmmath_tasks.sandbox.memory_group import bound

    yield f"{'memory':<12} {bound()}"
    for name, found in environment.versions().items():
        yield f"{name:<12} {found or 'missing'}"
    for line in environment.differences():
        yield f"differs: {line}; code that uses it scores less here than elsewhere"


def registration() -> str:
    """Say how lm-eval finds the tasks here; the text begins with "found" where the bare command does."""
    if _version("lm_eval") is None:
        return "lm-eval is not installed"
    if os.environ.get("MMMATH_NO_PLUGIN", "") not in ("", "0"):
        return f"switched off by MMMATH_NO_PLUGIN; use --include_path {folder()}"
    if any(type(finder).__name__ == "LmEvalFinder" for finder in sys.meta_path):
        return "found by the bare lm_eval command (start-up hook)"
    return f"start-up hook not run by this interpreter; use --include_path {folder()} or `mmmath lm-eval ...`"


def seams() -> Iterator[str]:
    """Yield for every seam in lm-eval whether it holds here, and what is lost where it does not."""
    from mmmath_tasks.harnesses.lm_eval_seams import SEAMS

    for seam in SEAMS if _version("lm_eval") else ():
        if package := seam.absent():
            found = f"not tried: {package} is not installed"
        elif problem := seam.check():
            found = f"DOES NOT HOLD ({problem}); lost: {seam.lost}"
        else:
            found = "holds"
        yield f"{seam.name:<18} {found}"


def extras() -> Iterator[tuple[str, list[str]]]:
    """Yield every extra of the distribution with those of its requirements that are not installed."""
    from packaging.requirements import Requirement

    missing: dict[str, list[str]] = {}
    for line in requires("mmmath-tasks") or ():
        wanted = Requirement(line)
        marker = str(wanted.marker or "")
        if "extra ==" not in marker:
            continue
        extra = marker.split("extra ==")[1].strip().strip("\"'")
        lacking = missing.setdefault(extra, [])
        have = _version(wanted.name)
        if have is None or not wanted.specifier.contains(have, prereleases=True):
            lacking.append(str(wanted).split(";")[0].strip())
    yield from missing.items()


def extra_with(module: str) -> str:
    """Return the extra, of those for users, in which a module that is not installed would come; "" for none."""
    for extra, lacking in extras():
        names = [re.sub(r"\W", "_", name) for name in lacking]
        if extra not in ("dev", "docs") and any(name.startswith(module) for name in names):
            return extra
    return ""


def members() -> Iterator[str]:
    """Yield for every benchmark the members of the contracts that its modules give, or what is wrong with them."""
    modules: list[tuple[str, Callable[[str], Any], type]] = [
        ("hub_datasets", contract.rows, contract.Rows),
        ("metrics", contract.metrics, contract.Metrics),
    ]
    with suppress(ModuleNotFoundError):  # the extra is not installed
        from mmmath_tasks.judge.contract import JudgedMetrics, judged_metrics

        modules.append(("judge", judged_metrics, JudgedMetrics))
    for name in benchmarks():
        for module, members_of, kind in modules:
            try:
                found = ", ".join(contract.given(members_of(name), kind)) or "none"
            except InputError as error:
                found = str(error)
            yield f"{name:<12} {module}: {found}"


def sources(offline: bool, seconds: float) -> Iterator[str]:
    """Yield a line for the local folder, if one is named, and for every benchmark's Hub repository."""
    local = os.environ.get("MMMATH_DATA")
    if local:
        yield f"MMMATH_DATA  {local}: {'a folder' if Path(local).is_dir() else 'NOT a folder'}"
    else:
        yield "MMMATH_DATA  not set"
    for name in benchmarks():
        hub_id = benchmark(name).rows.HUB_ID
        if not hub_id:
            where = "built here" if benchmark(name).rows.generate else "not on the Hub: from the authors' files"
            yield f"{name:<12} {where} (`mmmath hub build {name}{'' if where == 'built here' else ' --source DIR'}`)"
        else:
            yield f"{name:<12} {hub_id}: {'not asked' if offline else _hub(hub_id, seconds)}"


def _hub(hub_id: str, seconds: float) -> str:
    from huggingface_hub import HfApi

    try:
        return f"answers, revision {HfApi().dataset_info(hub_id, timeout=seconds).sha}"
    except Exception as error:  # any failure is the finding itself
        return f"does not answer ({type(error).__name__})"


def _version(distribution: str) -> str | None:
    try:
        return version(distribution)
    except PackageNotFoundError:
        return None if find_spec(distribution.replace("-", "_")) is None else "unknown version"

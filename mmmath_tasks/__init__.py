"""mmmath-tasks: five visual-mathematics benchmarks, one verdict whichever harness asked.

The public face is `benchmark`, the records `Problem`, `Verdict`, `Score` and `Scorecard`,
and `InputError`. Importing this package costs milliseconds: everything else loads on use.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

__version__ = "0.3.0"

if TYPE_CHECKING:
    from mmmath_tasks.errors import InputError
    from mmmath_tasks.problem import Problem, Score, Scorecard, Verdict
    from mmmath_tasks.scoring import Benchmark, benchmark, benchmarks

__all__ = [
    "Benchmark",
    "InputError",
    "Problem",
    "Score",
    "Scorecard",
    "Verdict",
    "__version__",
    "benchmark",
    "benchmarks",
]

_HOMES = {
    "Benchmark": "scoring",
    "InputError": "errors",
    "Problem": "problem",
    "Score": "problem",
    "Scorecard": "problem",
    "Verdict": "problem",
    "benchmark": "scoring",
    "benchmarks": "scoring",
}


def __getattr__(name: str) -> Any:
    """Load a public name from the module that defines it, at first use."""
    if name not in _HOMES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_HOMES[name]}"), name)


def __dir__() -> list[str]:
    """Name what is there and what loads on use, so that `help` and editors show it."""
    return sorted({*globals(), *__all__})

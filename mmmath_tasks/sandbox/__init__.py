"""Running model-written code where it can do no harm, and reading what it drew."""

from mmmath_tasks.sandbox.figures import Drawing, run_figures, run_programs
from mmmath_tasks.sandbox.jail import Limits

__all__ = ["Drawing", "Limits", "run_figures", "run_programs"]

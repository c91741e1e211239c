"""Running model-written code where it can do no harm, reading what it drew, and scoring it."""

from mmmath_tasks.sandbox.execution import Attempt, execution_scores
from mmmath_tasks.sandbox.figures import Drawing, run_figures, run_programs
from mmmath_tasks.sandbox.jail import Limits

__all__ = ["Attempt", "Drawing", "Limits", "execution_scores", "run_figures", "run_programs"]

"""What goes wrong in counting corners."""

from mmmath_tasks.judge.error_types import ErrorClass, Taxonomy

ERRORS = Taxonomy("made up", (ErrorClass("counting", "corners are miscounted"),))

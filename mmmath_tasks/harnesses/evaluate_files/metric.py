"""$title as an `evaluate` metric; what it computes is documented in mmmath_tasks.metrics.$name."""

import evaluate

from mmmath_tasks.harnesses.evaluate import compute, info


class Metric(evaluate.Metric):
    """Scores responses to $title."""

    def _info(self):
        return info("$name")

    def _compute(self, predictions, references):
        return compute("$name", predictions, references)

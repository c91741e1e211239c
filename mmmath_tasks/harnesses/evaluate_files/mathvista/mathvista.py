"""MathVista as an `evaluate` metric; what it computes is documented in mmmath_tasks.metrics.mathvista."""

import evaluate

from mmmath_tasks.harnesses.evaluate import compute, info


class MathVista(evaluate.Metric):
    """Scores responses to MathVista."""

    def _info(self):
        return info("mathvista")

    def _compute(self, predictions, references):
        return compute("mathvista", predictions, references)

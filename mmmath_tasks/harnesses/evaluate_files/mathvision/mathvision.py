"""MATH-Vision as an `evaluate` metric; what it computes is documented in mmmath_tasks.metrics.mathvision."""

import evaluate

from mmmath_tasks.harnesses.evaluate import compute, info


class MathVision(evaluate.Metric):
    """Scores responses to MATH-Vision."""

    def _info(self):
        return info("mathvision")

    def _compute(self, predictions, references):
        return compute("mathvision", predictions, references)

"""MathVerse as an `evaluate` metric; what it computes is documented in mmmath_tasks.metrics.mathverse."""

import evaluate

from mmmath_tasks.harnesses.evaluate import compute, info


class MathVerse(evaluate.Metric):
    """Scores responses to MathVerse."""

    def _info(self):
        return info("mathverse")

    def _compute(self, predictions, references):
        return compute("mathverse", predictions, references)

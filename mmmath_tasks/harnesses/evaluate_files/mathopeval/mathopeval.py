"""MathOPEval as an `evaluate` metric; what it computes is documented in mmmath_tasks.metrics.mathopeval."""

import evaluate

from mmmath_tasks.harnesses.evaluate import compute, info


class MathOPEval(evaluate.Metric):
    """Scores responses to MathOPEval."""

    def _info(self):
        return info("mathopeval")

    def _compute(self, predictions, references):
        return compute("mathopeval", predictions, references)

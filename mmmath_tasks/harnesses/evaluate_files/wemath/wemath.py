"""We-Math as an `evaluate` metric; what it computes is documented in mmmath_tasks.metrics.wemath."""

import evaluate

from mmmath_tasks.harnesses.evaluate import compute, info


class WeMath(evaluate.Metric):
    """Scores responses to We-Math."""

    def _info(self):
        return info("wemath")

    def _compute(self, predictions, references):
        return compute("wemath", predictions, references)

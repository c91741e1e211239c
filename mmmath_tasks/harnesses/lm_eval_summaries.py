"""Aggregations for metrics that need the whole run, one for every metric of a scorecard's headline part.

A task's YAML names the metric: `aggregation: !function mmmath_tasks.harnesses.lm_eval_summaries.score_strict`, and the
benchmark's metrics module lists it in TABLE_SUMMARIES so that every response carries its outcome under that name.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from mmmath_tasks.harnesses.lm_eval_results import Aggregate, Outcome, scorecard


def __getattr__(metric: str) -> Callable[[Sequence[Outcome]], Aggregate]:
    """Return the aggregation that gives the overall value of `metric`, nan where the scorecard has none."""
    if metric.startswith("_"):
        raise AttributeError(metric)

    def summary(outcomes: Sequence[Outcome]) -> Aggregate:
        return Aggregate(scorecard(outcomes).value(metric), outcomes)

    return summary

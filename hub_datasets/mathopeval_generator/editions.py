"""What the editions of the set do each in its own way; everything else they share."""

from __future__ import annotations

from dataclasses import dataclass

from mmmath_tasks.hub_datasets.mathopeval_generator.chart_samples import ChartRules
from mmmath_tasks.hub_datasets.mathopeval_generator.edition1 import chart_questions as charts1
from mmmath_tasks.hub_datasets.mathopeval_generator.edition1 import functions as functions1
from mmmath_tasks.hub_datasets.mathopeval_generator.edition1 import geometry as geometry1
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2 import chart_questions as charts2
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2 import functions as functions2
from mmmath_tasks.hub_datasets.mathopeval_generator.edition2 import geometry as geometry2
from mmmath_tasks.hub_datasets.mathopeval_generator.function_samples import FunctionRules
from mmmath_tasks.hub_datasets.mathopeval_generator.geometry_samples import Make


@dataclass(frozen=True, slots=True)
class Edition:
    """How an edition draws and asks, by the kind of figure."""

    geometry: Make
    functions: FunctionRules
    charts: ChartRules


RULES = {
    1: Edition(geometry1.problem, functions1.RULES, charts1.RULES),
    2: Edition(geometry2.problem, functions2.RULES, charts2.RULES),
}
"""By the edition's number."""

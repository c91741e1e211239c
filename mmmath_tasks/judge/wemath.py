"""We-Math: the four types of errors of Table 14 (arXiv 2407.01284), by knowledge concept as in Figure 7."""

from __future__ import annotations

from mmmath_tasks.judge.error_types import ErrorClass, Taxonomy

ERRORS = Taxonomy(
    source="We-Math, Table 14 and section E.2: the first error in the reasoning counts; Figure 7 prints no shares",
    classes=(
        ErrorClass("knowledge", "a knowledge concept is unclear to the model, confused, or used in place of another"),
        ErrorClass("reason", "an error in the logical reasoning by which concepts are applied step by step"),
        ErrorClass("visual", "a shape or a number in the picture is misidentified"),
        ErrorClass("hallucination", "a factor is brought in that is against the facts and in neither picture nor text"),
    ),
    by="concept",
)

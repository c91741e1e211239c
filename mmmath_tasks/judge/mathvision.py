"""MATH-Vision: the six classes of errors of the paper's section 4.3 and Appendix I (arXiv 2402.14804)."""

from __future__ import annotations

from mmmath_tasks.judge.error_types import ErrorClass, Taxonomy

ERRORS = Taxonomy(
    source="MATH-Vision, Figure 4 and Appendix I: 232 wrong results of GPT-4V on testmini",
    classes=(
        ErrorClass("reasoning", "logical steps are applied wrongly, or a hypothesis is illogical", 0.422),
        ErrorClass("vision_recognition", "visual information is misread, missed or made up", 0.319),
        ErrorClass("knowledge", "the knowledge needed to solve the problem is missing or wrong", 0.151),
        ErrorClass("question_misunderstood", "the question is taken to ask or to state something else", 0.069),
        ErrorClass("reject_to_answer", "no answer is given: the response says it cannot or will not answer", 0.026),
        ErrorClass("calculation", "a numerical or symbolic calculation is wrong", 0.013),
    ),
)

"""MathVista by a judge: the authors' first stage, with the examples they print; and what is wrong with an explanation.

Paper: arXiv 2310.02255, section E.2 and Table 8 (extraction), section 3.5 and Figure 4 (explanations). The judge is
asked where upstream asks its model: not for an empty response, one that equals a choice, or a bare number
(github.com/lupantech/MathVista, evaluation/extract_answer.py at commit 53d5258). Deviations: the reply is JSON, the
response stands between marks, and a judge that fails leaves the item unscored.
"""

from __future__ import annotations

from collections.abc import Sequence

from mmmath_tasks.hub_datasets.mathvista import prompt as query
from mmmath_tasks.judge.case import Case, Judged, Sure, by_judge, failed, is_sure, names
from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.error_types import ErrorClass, Pattern, Taxonomy
from mmmath_tasks.judge.exchange import Answer
from mmmath_tasks.judge.prompt import Prompt, Question
from mmmath_tasks.judge.reply import Extraction
from mmmath_tasks.metrics.mathvista import score
from mmmath_tasks.metrics.mathvista_extraction import quick_extraction

TABLE_8 = """\
Please read the following example. Then extract the answer from the model response and type it at the end of the prompt.

Hint: Please answer the question requiring an integer answer and provide the final value, e.g., 1, 2, 3, at the end.
Question: Which number is missing?
Model response: The number missing in the sequence is 14.
Extracted answer: 14

Hint: Please answer the question requiring a floating-point number with one decimal place and provide the final value, \
e.g., 1.2, 1.3, 1.4, at the end.
Question: What is the fraction of females facing the camera?
Model response: The fraction of females facing the camera is 0.6, which means that six out of ten females in the group \
are facing the camera.
Extracted answer: 0.6

Hint: Please answer the question requiring a floating-point number with two decimal places and provide the final \
value, e.g., 1.23, 1.34, 1.45, at the end.
Question: How much money does Luca need to buy a sour apple candy and a butterscotch candy? (Unit: $)
Model response: Luca needs $1.45 to buy a sour apple candy and a butterscotch candy.
Extracted answer: 1.45

Hint: Please answer the question requiring a Python list as an answer and provide the final list, e.g., [1, 2, 3], \
[1.2, 1.3, 1.4], at the end.
Question: Between which two years does the line graph saw its maximum peak?
Model response: The line graph saw its maximum peak between 2007 and 2008.
Extracted answer: [2007, 2008]

Hint: Please answer the question and provide the correct option letter, e.g., A, B, C, D, at the end.
Question: What fraction of the shape is blue?
Choices:
(A) 3/11
(B) 8/11
(C) 6/11
(D) 3/5
Model response: The correct answer is (B) 8/11.
Extracted answer: B"""
"""Table 8 to the letter: the task description and the five examples (the page's layout put the first of them beside
the description; bold type is left out, and \\$ is the dollar it prints as)."""


EXTRACTION = Prompt(
    id="mathvista_extraction",
    version="1",
    system=(
        "You read responses to mathematics questions and extract the final answer that each gives. You neither solve "
        'the question nor mend the answer. Reply with one JSON object and nothing else: {"extracted_answer": ...}, '
        'where the value is what the examples show after "Extracted answer:", as a string, or null where the response '
        "gives no answer."
    ),
    user=TABLE_8 + "\n\n{query}\nModel response:\n{response}\nExtracted answer (as the JSON object):",
    reply=Extraction,
    example={"extracted_answer": "14"},
)


def judge_answers(judge: Judge, cases: Sequence[Case], *, sure: Sure = None) -> list[Judged]:
    """Score responses by the authors' three stages, the first of them the judge's, who sees no picture and no gold.

    With `sure` it is asked only where the rules read nothing or are less confident than this, or about other ids than
    these; else wherever upstream does.

    Returns:
        verdicts as of metrics.mathvista.score, with rule "judge:<model>" where the judge read the answer.
    """
    done: dict[int, Judged] = {}
    questions: dict[int, Question] = {}
    for i, case in enumerate(cases):
        needed = quick_extraction(case.response, case.problem) is None
        ruled = score(case.problem, case.response) if sure is not None or not needed else None
        if ruled is not None and (not needed or is_sure(ruled, sure)):
            done[i] = Judged(ruled)
        else:
            questions[i] = Question(EXTRACTION, {"query": query(case.problem), "response": case.response})
    asked = list(questions)
    for place, answer in judge.arrivals(list(questions.values()), "mathvista extraction"):
        i = asked[place]
        done[i] = _scored(judge, cases[i], answer)
    return [done[i] for i in range(len(cases))]


def _scored(judge: Judge, case: Case, answer: Answer) -> Judged:
    if not isinstance(answer.reply, Extraction):
        return failed(case, [answer], [EXTRACTION])
    extraction = answer.reply.text()
    verdict = score(case.problem, case.response, extraction=extraction)
    # The response is not empty, or the judge would not have been asked.
    reason = "unextracted" if verdict.reason == "empty" else verdict.reason
    verdict = by_judge(verdict, judge, reason=reason)
    return Judged(verdict, (answer,), {"extraction": extraction}, names([EXTRACTION]))


_EXPLANATIONS = (
    ("correct", "the explanation is right throughout"),
    ("partially_correct", "part of the explanation is right, part is wrong"),
    ("incorrect", "the explanation is wrong"),
    ("not_applicable", "there is no explanation, or it cannot be told whether it is right"),
)
"""The four qualities of an explanation in Figure 4(a), for right and for wrong answers."""


def _explanations(**paper: float) -> tuple[ErrorClass, ...]:
    return tuple(ErrorClass(name, meaning, paper.get(name)) for name, meaning in _EXPLANATIONS)


ERRORS = Taxonomy(
    source=(
        "MathVista, section 3.5 and Figure 4: 250 responses of Multimodal Bard; flaws are shares of the wrong "
        "explanations (partially_correct or incorrect)"
    ),
    classes=_explanations(incorrect=0.446),
    right=_explanations(partially_correct=0.068, incorrect=0.081),
    flaws=(
        ErrorClass("hallucination", "it brings in facts that are in neither picture nor question", 0.496),
        ErrorClass("wrong_reasoning", "a step of the reasoning does not follow"),
        ErrorClass("wrong_calculation", "a calculation is wrong"),
    ),
    flawed=("partially_correct", "incorrect"),
    patterns=(
        Pattern(
            "right_reasoning_with_hallucination", ("hallucination",), ("wrong_reasoning", "wrong_calculation"), 0.186
        ),
        Pattern(
            "right_reasoning_with_wrong_calculation",
            ("wrong_calculation",),
            ("wrong_reasoning", "hallucination"),
            0.195,
        ),
    ),
)

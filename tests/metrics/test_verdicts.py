"""Whole verdicts of every benchmark: what is read, by whom, what an answer that was read elsewhere replaces."""

import pytest

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathopeval, mathverse, mathvision, mathvista, wemath
from mmmath_tasks.metrics.answers import Expectation, read
from mmmath_tasks.metrics.mathopeval_execution import ExecutionScore
from mmmath_tasks.problem import Problem

GROUPS = {"version": ("Text Lite",), "step": ("one-step",), "level": ("2",)}
CHOICE = {"choices": ("red", "blue", "green", "12"), "question_type": "multi_choice", "answer_type": "text"}
KINDS = {"choice": {**CHOICE, "answer": "B"}, "free": {"answer": "12", "answer_type": "integer"}, "no gold": CHOICE}
CASES = """
mathopeval | choice  | The answer is B. | -       | F T B - statement  -            -
mathopeval | choice  | B                | A       | F F A A extraction -            -
mathopeval | choice  | B                |         | F F - - -          empty        -
mathopeval | no gold |                  | -       | - - - - -          no_gold      -
mathopeval | no gold | B                | -       | - - B B whole      no_gold      -
mathverse  | choice  | The answer is B. | -       | - T B B statement  judge_needed rules
mathverse  | choice  | The answer is B. | It is C | - F C C extraction judge_needed extraction
mathverse  | choice  | x                |         | - F - - -          empty        extraction
mathverse  | free    | I think 12       | -       | - T 12 12 sentence judge_needed rules
mathverse  | free    | 13               | $12$    | - T $12$ $12$ extraction judge_needed extraction
mathverse  | free    | 12               | no idea | - F - - -          refusal      extraction
mathverse  | no gold | The answer is B. | -       | - - B B statement  no_gold      rules
mathvision | choice  | The answer is B. | -       | T T B b statement  -            -
mathvision | choice  | The answer is B. | It is C | F F C It_is_C extraction -      -
mathvision | choice  | I think 12       | -       | F F D ithink12 sentence -       -
mathvision | choice  | B                |         | F F - _ extraction empty        -
mathvision | free    | I think 12       | -       | F T 12 ithink12 sentence -      -
mathvision | free    | 13               | $12$    | T T $12$ $12$ extraction -      -
mathvision | free    | 12               | no idea | F F - no_idea extraction refusal -
mathvision | no gold | The answer is B. | -       | - - B b statement  no_gold      -
mathvista  | choice  | The answer is B. | -       | T T B blue statement -          rules
mathvista  | choice  | print("(B)")     | -       | T T B blue sentence    -            rules_on_code
mathvista  | choice  | The answer is B. | (C)     | F F C green extraction -        extraction
mathvista  | choice  | B                |         | F F - 12 extraction empty       extraction
mathvista  | choice  |                  | -       | F F - 12 -         empty        nobody
mathvista  | free    | I think 12       | -       | T T 12 12 sentence -            rules
mathvista  | free    | 12               | -       | T T 12 12 whole    -            nobody
mathvista  | free    | 13               | 12.0    | T T 12.0 12 extraction -        extraction
mathvista  | free    | 12               | no idea | F F - - extraction refusal      extraction
mathvista  | no gold | The answer is B. | -       | - - B blue statement no_gold    rules
wemath     | choice  | The answer is B. | -       | F T B - statement  -            -
wemath     | choice  | Answer: B        | Answer: C | F F C C extraction -          -
wemath     | choice  | Answer: B        |         | F F - - -          empty        -
wemath     | no gold | Answer: B        | -       | - - B B statement  no_gold      -
"""


@pytest.mark.parametrize("case", CASES.strip().split("\n"))
def test_a_verdict_in_full(case):
    """Official, verified, extracted, prediction, rule, reason, reader; - for none, _ for a blank or nothing."""
    name, kind, response, given, wanted = (part.strip() for part in case.split("|"))
    module = mm.benchmark(name).metrics
    fields = KINDS[kind] | ({"answer": "blue"} if (name, kind) == ("mathvista", "choice") else {})
    problem = Problem(name, "7", "Which one?", groups=GROUPS, extra={"problem_index": "1"}, **fields)
    extraction = None if given == "-" else given
    found = module.score(problem, response, extraction=extraction)
    official, verified, *texts = wanted.split()
    assert (found.id, found.truncated) == ("7", False)
    assert (found.official, found.verified) == tuple(
        {"T": True, "F": False, "-": None}[x] for x in (official, verified)
    )
    said = [found.extracted, found.prediction, found.rule, found.reason, found.reader]
    none = [None, None, "", "", ""]
    assert said == [
        none[i] if text == "-" else "" if text == "_" else text.replace("_", " ") if i in (1, 4) else text
        for i, text in enumerate(texts)
    ]
    expected = (module.expectation or (lambda p: Expectation("choice", p.choices, question=p.question)))(problem)
    reading = read(response if extraction is None else extraction, expected)
    sure = extraction is not None and reading.text is not None and (kind == "free" or name == "mathverse")
    assert found.confidence == (1.0 if sure else reading.confidence)
    assert found.span == (reading.span if extraction is None else None)
    assert found.features == reading.features or (extraction is not None and found.features == ())


@pytest.mark.parametrize(
    ("response", "given", "execution", "rating", "wanted"),
    [
        ("```\nx = 1\n```", None, None, None, (None, "x = 1\n", "code", 1.0, "execution_needed", {})),
        ("```\nx = 1\n```", None, None, 7.0, (None, "x = 1\n", "code", 1.0, "", {"rating": 7.0})),
        ("none", "x = 2", ExecutionScore(0.5, "", {"f1": 0.25}), None,
         (False, "x = 2", "code", 1.0, "", {"execution": 0.5, "execution_f1": 0.25})),
        ("none", None, None, 3.0, (False, None, "", 0.0, "unextracted", {"rating": 3.0})),
        (" ", None, ExecutionScore(0.0, "unextracted"), None, (False, None, "", 0.0, "empty", {"execution": 0.0})),
    ],
)  # fmt: skip
def test_a_verdict_on_code_in_full(response, given, execution, rating, wanted):
    problem = Problem("mathopeval", "7", "Draw.", (), "plt.plot()", "free_form", groups={"task": ("mcg",)})
    found = mathopeval.score(problem, response, extraction=given, execution=execution, rating=rating)
    assert (found.id, found.official, found.prediction, found.span) == ("7", None, None, None)
    said = (found.verified, found.extracted, found.rule, found.confidence, found.reason, found.scores)
    assert said == wanted


RULES = {
    mathopeval: (
        "The data set is a reconstruction from the paper's description; scores do not compare with the paper's tables "
        "digit by digit.",
        "The official reading of an option is reconstructed: the authors' code is not public.",
        "Macro means are unweighted means of the slices that occur.",
    ),
    mathverse: (
        "The overall value is the mean over the versions with a picture; Text Only has no part in it.",
        "Not among the problems: Text Dominant, Vision Intensive, Vision Dominant, Vision Only; the overall value is "
        "the mean of the others.",
        "Scored by rules: the authors' own score needs a judge (acc is empty without one).",
    ),
    mathvision: (
        "acc keeps the authors' rule, which rounds to two decimals (3.14 is \\pi) and reads few forms of answers. "
        "acc_verified does neither.",
    ),
    wemath: (
        "A problem counts in the four dimensions only if all its rows were scored; the others are counted as "
        "incomplete.",
        "The official reading takes the first character behind the last 'Answer' and nothing else.",
    ),
}


@pytest.mark.parametrize("module", RULES, ids=lambda module: module.__name__.rpartition(".")[2])
def test_a_card_says_whose_it_is_and_what_must_be_known_of_it(module):
    name = module.__name__.rpartition(".")[2]
    groups = {**GROUPS, "task": ("mcg",), "type": ("pie",), "task x type": ("mcg x pie",), "concept": ("Circles",)}
    extra = {"problem_index": "1", "problem": "2steps_1", "key": "2steps_1"}
    problem = Problem(name, "7", "Which one?", groups=groups, extra=extra, **KINDS["choice"])
    card = module.summarise([problem], [module.score(problem, "The answer is B.")])
    read_by = {"answers_read_by": {"rules": 1}} if module is mathverse else {}
    headline = {"wemath": "score_strict", "mathopeval": "acc_macro", "mathverse": "acc_verified"}.get(name, "acc")
    assert (card.benchmark, card.headline, card.notes) == (name, headline, RULES[module])
    assert card.provenance == {"rule_version": module.RULE_VERSION, **read_by}


def test_mathvistas_rule_of_integers():
    problem = Problem("mathvista", "7", "How many?", answer="12", answer_type="integer")
    given = ("12", "12.7", "x")
    rights = [
        [mathvista.score(problem, "x", extraction=text, integer_rule=rule).official for text in given]
        for rule in ("int_float", "int")
    ]
    assert rights == [[True, True, False], [True, False, False]]
    assert mathvista.score(problem, "x", extraction="12.7").official is True
    assert wemath.score(Problem("wemath", "7", "?", answer="C"), "Answer Cannot").official is True

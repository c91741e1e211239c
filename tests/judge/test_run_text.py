"""What a judged run says of itself, line by line."""

from collections import Counter
from types import SimpleNamespace

import pytest

from mmmath_tasks.judge.budget import Budget, Prices
from mmmath_tasks.judge.case import Judged
from mmmath_tasks.judge.error_types import ErrorClass, Taxonomy
from mmmath_tasks.judge.exchange import Answer
from mmmath_tasks.judge.judging import Judging
from mmmath_tasks.judge.mixing import Mixing
from mmmath_tasks.judge.run_text import account_lines, failure_line, nothing_judged, result_lines
from mmmath_tasks.judge.settings import Settings
from mmmath_tasks.problem import Score, Scorecard, Verdict

SETTINGS = Settings("http://h/v1", "m")
ANSWER = Answer(None)


def judge(**outcomes):
    return SimpleNamespace(outcomes=Counter(outcomes))


def judged(answers, reason="", detail=None):
    return Judged(Verdict("1", None if reason else True, None, reason=reason), answers, detail or {})


def test_scores_of_the_whole_and_of_versions_with_what_was_saved_and_moved():
    scores = (
        Score("cot_e", "", "", 0.5, 20, 0.3, 0.7),
        Score("cot_e", "version", "Text Only", 0.25, 4),
        Score("cot_e", "subject", "algebra", 0.75, 8),
    )
    ids = tuple(map(str, range(11)))
    mixed = Mixing(None, 0.75, 3, 17, ids, (), 34, 1500, 0.126)
    lines = list(result_lines(Judging((), Scorecard("mathverse", "cot_e", scores, notes=("Mind.",)), None, mixed)))
    assert [" ".join(line.split()) for line in lines] == [
        "cot_e 50.0 [30.0, 70.0] n=20",
        "cot_e Text Only 25.0 n=4",
        "note: Mind.",
        "17 of 20 responses read by rules: about 34 calls, 1,500 tokens, 0.13 US dollars saved",
        "moved by the judge to right: 11: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, ...",
        "moved by the judge to wrong: 0",
    ]
    assert [line.index(first) for line, first in zip(lines[:2], ("50.0", "25.0"), strict=True)] == [31, 31]
    free = Mixing(0.125, None, 3, 17, ids[:10], ("a",), 34, 1500, 0.0)
    assert free.asked == "the least sure 12.5 % of the responses"
    assert mixed.asked == "where the rules are less sure than 0.75"
    lines = list(result_lines(Judging((), None, None, free)))
    assert lines[0].endswith("1,500 tokens saved")
    assert lines[1].endswith(": 10: 0, 1, 2, 3, 4, 5, 6, 7, 8, 9")
    assert lines[2] == "  moved by the judge to wrong: 1: a"
    counted = {"by_judge": 3, "by_rules": 17, "raised": 11, "lowered": 0}
    assert mixed.account() == counted | {"saved": {"calls": 34, "tokens": 1500, "cost": 0.126}}


def test_the_table_of_errors_has_the_whole_only_and_the_papers_share():
    taxonomy = Taxonomy("a paper", (ErrorClass("slip", "a", 0.125), ErrorClass("blind", "b")), by="subject")
    detail = {"answer": "wrong", "error_type": "slip", "flaws": [], "slices": ["x"]}
    rows = [judged((ANSWER,), detail=detail)] * 3 + [judged((ANSWER,), detail={**detail, "error_type": "blind"})]
    lines = [" ".join(line.split()) for line in result_lines(Judging(rows, None, taxonomy))]
    assert lines == ["a paper", "wrong slip 3 of 4 75.0 % (paper 12.5)", "wrong blind 1 of 4 25.0 %"]
    assert [" ".join(line.split()) for line in result_lines(Judging((), None, taxonomy))][1:] == [
        "wrong slip 0 of 0 - (paper 12.5)",
        "wrong blind 0 of 0 -",
    ]


@pytest.mark.parametrize(
    ("outcomes", "items", "nothing"),
    [
        ({"": 1, "timeout": 9}, [((ANSWER,), "")], False),
        ({"timeout": 9}, [((ANSWER,), "judge_failed: timeout")], True),
        ({"timeout": 9}, [((), "")], True),
        ({"": 1}, [((ANSWER,), "judge_failed: x"), ((), "")], True),
        ({"": 1}, [((ANSWER,), "judge_failed: x"), ((ANSWER,), "")], False),
        ({}, [((), "")], False),
    ],
)
def test_nothing_was_judged_where_no_question_or_no_item_was_answered(outcomes, items, nothing):
    assert nothing_judged(judge(**outcomes), [judged(*item) for item in items]) is nothing


def test_failures_are_counted_by_cause_the_most_frequent_first():
    assert failure_line(judge(**{"": 5}), SETTINGS, False) == ""
    many = judge(**{"": 5, "a": 1, "b": 3, "c": 2, "d": 1})
    again = "7 of 12 questions failed; the same command asks them again: 3 x b; 2 x c; 1 x a; ..."
    assert failure_line(many, SETTINGS, False) == again
    said = "nothing was judged, nothing written: 3 of 3 questions to m at http://h/v1 failed: 2 x b; 1 x a"
    assert failure_line(judge(a=1, b=2), SETTINGS, True) == said


def test_the_account_counts_items_and_what_the_run_cost():
    budget = Budget(prices=Prices(2.0, 5.0))
    budget.settle((0, 0), (1_000_000, 200_000))
    items = [judged((ANSWER,))] * 2 + [judged(())] * 3 + [judged((ANSWER,), "judge_failed: x")] * 4
    assert list(account_lines(SimpleNamespace(budget=budget), items)) == [
        "9 judged items: 5 scored (2 by the judge), 4 unscored",
        "  4 x x",
        "this run: 1 requests, 1,000,000 tokens in, 200,000 out, 3.0000 US dollars",
    ]

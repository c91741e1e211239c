"""What a judge costs: counts that are nonsense, ceilings, one cause for one failure, and no question asked twice."""

import json
import subprocess
import sys

import pytest

from mmmath_tasks.judge.budget import Budget, BudgetError, Promise
from mmmath_tasks.judge.cache import Cache, Entry
from mmmath_tasks.judge.case import Case
from mmmath_tasks.judge.cot_e import judge_steps
from mmmath_tasks.judge.judging import judged_errors
from mmmath_tasks.judge.mathverse import EXTRACTION, judge_answers
from mmmath_tasks.judge.prompt import Question
from mmmath_tasks.judge.saved_cases import SavedCases
from mmmath_tasks.judge.settings import Settings
from mmmath_tasks.problem import Problem
from mmmath_tasks.scoring import benchmark

ODD = ("usage_huge", "usage_list", "usage_text", "usage_of_texts", "usage_below_0")


def questions(count):
    return [Question(EXTRACTION, {"response": f"The answer is {n}."}) for n in range(count)]


def cases(count):
    said = "Step 1 adds {n}.\nThe answer is {n}."
    problem = {"answer_type": "expression", "extra": {"question_for_eval": "x?"}}
    return [Case(Problem("mathverse", str(n), "x?", answer=str(n), **problem), said.format(n=n)) for n in range(count)]


@pytest.mark.parametrize("odd", ODD)
def test_a_nonsensical_count_of_tokens_costs_no_reply(endpoint, judge_for, tmp_path, odd):
    judge = judge_for(endpoint("--faults", "1", "--only", odd), tmp_path / "c.sqlite")
    answers = judge.ask(questions(5))
    assert [a.reply.text() for a in answers] == [str(n) for n in range(5)]
    assert all(0 <= a.tokens_out < 100 and 0 < a.tokens_in < 1000 for a in answers)


def test_waits_that_differ_are_one_cause(endpoint, judge_for):
    judge = judge_for(endpoint("--faults", "1", "--only", "429_long"))
    causes = {a.cause for a in judge.ask(questions(60))}
    assert causes == {"http 429: {} (asked to wait over 300 s)"}


@pytest.mark.parametrize("metric", [judge_answers, judge_steps])
def test_a_ceiling_of_calls_buys_whole_items(endpoint, judge_for, metric):
    server = endpoint("--delay", "0.01")
    judge = judge_for(server, budget=Budget(calls=10))
    judged = metric(judge, cases(20))
    assert sum(not j.verdict.reason for j in judged) == 5
    assert {j.verdict.reason for j in judged if j.verdict.reason} == {"judge_failed: budget spent: calls"}
    assert judge.budget.calls == len(server.requests()) == 10


def test_items_that_need_one_question_leave_the_rest_to_others(endpoint, judge_for):
    server = endpoint()
    without = [Case(c.problem, f"I cannot say, {n} times.") for n, c in enumerate(cases(3))]
    judged = judge_answers(judge_for(server, budget=Budget(calls=9)), [*without, *cases(5)])
    assert sum(j.verdict.official is True for j in judged) == 3
    assert len(server.requests()) == 9


def test_what_is_cached_needs_no_budget(endpoint, judge_for, tmp_path):
    server = endpoint()
    judge_answers(judge_for(server, tmp_path / "c.sqlite"), cases(6))
    again = judge_for(server, tmp_path / "c.sqlite", budget=Budget(calls=0))
    assert all(j.verdict.official for j in judge_answers(again, cases(6)))
    assert len(server.requests()) == 12


def test_a_dry_run_of_two_questions_an_item(endpoint, judge_for):
    server = endpoint()
    judge = judge_for(server, dry=True)
    judge_answers(judge, [*cases(6), *cases(6)])
    assert judge.plan.calls == 12
    assert server.requests() == []


def test_a_promise_is_kept_or_given_back():
    budget = Budget(calls=3)
    promise = Promise()
    budget.reserve(1, 1, promise=promise)
    budget.settle((1, 1), (1, 1))
    budget.reserve(1, 1, keeps=promise)
    budget.settle((1, 1), (1, 1))
    with pytest.raises(BudgetError):
        budget.reserve(1, 1, promise=Promise())
    budget.reserve(1, 1)


ASK = """
import sys
from pathlib import Path
from judge.test_thrift import questions
from mmmath_tasks.judge.cache import Cache
from mmmath_tasks.judge.client import Client
from mmmath_tasks.judge.engine import Judge
judge = Judge(Client(sys.argv[1], "scripted"), Cache(Path(sys.argv[2])), concurrency=8)
print("ready", flush=True)
sys.stdin.readline()
print(sum(a.reply is not None for a in judge.ask(questions(120))), flush=True)
judge.close()
"""


def test_two_processes_on_one_cache_ask_each_question_once(endpoint, tmp_path, pytestconfig):
    server = endpoint("--delay", "0.02")
    pipe = subprocess.PIPE
    words = [sys.executable, "-c", ASK, server.url, str(tmp_path / "c.sqlite")]
    tests = pytestconfig.rootpath / "tests"
    two = [subprocess.Popen(words, stdin=pipe, stdout=pipe, text=True, cwd=tests) for _ in range(2)]
    assert [process.stdout.readline() for process in two] == ["ready\n"] * 2
    for process in two:
        process.stdin.write("\n")
        process.stdin.flush()
    assert [process.communicate()[0] for process in two] == ["120\n"] * 2
    assert len(server.requests()) == 120


def test_a_claim_ends_with_its_process(tmp_path):
    code = "import sys; from pathlib import Path; from mmmath_tasks.judge.cache import Cache; " + (
        "c = Cache(Path(sys.argv[1])); print(c.claim('k'), c.claim('k'), flush=True); sys.stdin.read()"
    )
    file = tmp_path / "c.sqlite"
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", code, str(file)], stdin=pipe, stdout=pipe, text=True) as other:
        assert other.stdout.readline() == "True True\n"
        cache = Cache(file)
        assert not cache.claim("k")
        other.stdin.close()
        other.wait()
        assert cache.claim("k")
    cache.release("k")
    assert cache.claim("k")
    cache.put(Entry("k", "m", "p@1", json.dumps({}), 1, 1))
    assert not cache.claim("k")
    cache.close()


def test_a_ceiling_classes_errors_item_by_item(endpoint, judge_for):
    asked = [Problem("mathvista", str(n), "x?", answer=str(n), answer_type="integer") for n in range(20)]
    wrong = [Case(problem, f"The answer is {n + 1}.") for n, problem in enumerate(asked)]
    loaded = SavedCases(benchmark("mathvista"), tuple(wrong), tuple(asked), "", ())
    server = endpoint()
    judge = judge_for(server, budget=Budget(calls=12))
    assert sum(bool(j.detail) for j in judged_errors(judge, loaded, Settings("http://h/v1", "m")).judged) in (5, 6)
    assert len(server.requests()) == 12

"""What `ask` sends, charges, refuses and keeps, with unlike prices, against a server in this process."""

import dataclasses
from contextlib import ExitStack, contextmanager
from threading import Thread

import pytest

from mmmath_tasks.judge import exchange
from mmmath_tasks.judge.budget import Budget, BudgetError, Prices, Promise
from mmmath_tasks.judge.cache import Cache, Entry
from mmmath_tasks.judge.case import Case, Judged
from mmmath_tasks.judge.client import Client
from mmmath_tasks.judge.engine import Judge
from mmmath_tasks.judge.mathverse import EXTRACTION, MATCH
from mmmath_tasks.judge.plan import estimate, example, largest
from mmmath_tasks.judge.prompt import Question
from mmmath_tasks.judge.run_text import account_lines, plan_line
from mmmath_tasks.judge.settings import Settings
from mmmath_tasks.pictures import Picture
from mmmath_tasks.problem import Problem, Verdict
from support import json_server

PRICES = Prices(3.0, 7.0)
GOOD = '{"agrees": 1}'


def question(number=0, **more):
    material = {"question": "How many?", "reference": "5", "answer": f"{number}"}
    return Question(MATCH, material, **more)


@pytest.fixture
def scripted(monkeypatch):
    """Make a judge whose endpoint answers from a list: a text, (text, reason, tokens in and out) or a status."""
    monkeypatch.setattr(exchange, "backoff", lambda attempt, asked=None: 0.0)
    monkeypatch.delenv("OPENAI_API_KEY", raising=False)
    monkeypatch.delenv("MMMATH_JUDGE_API_KEY", raising=False)
    with ExitStack() as stack:

        def make(*answers, cache=None, parameters=None, **options):
            left, asked = list(answers), []

            def answer(body):
                asked.append(body)
                one = left.pop(0)
                if isinstance(one, int):
                    return one, {"error": {"message": "no"}}
                text, reason, usage = (*((one,) if isinstance(one, str) else one), "stop", (1000, 10))[:3]
                names = ("prompt_tokens", "completion_tokens")
                counts = {} if usage is None else {"usage": dict(zip(names, usage, strict=True))}
                return 200, json_server.chat_completion(text, reason, **counts)

            url = stack.enter_context(json_server.serving(answer))
            judge = Judge(
                Client(url, "scripted", parameters),
                Cache(cache),
                **{"concurrency": 1, "budget": Budget(prices=PRICES), **options},
            )
            stack.callback(judge.close)
            return judge, asked

        yield make


def test_tokens_read_and_written_are_charged_at_their_own_prices(scripted, tmp_path):
    judge, _ = scripted((GOOD, "stop", (1234, 56)), (GOOD, "stop", (2000, 1)), cache=tmp_path / "c.sqlite")
    first, second, again = judge.ask([question(1), question(2), question(1)])
    assert (first.tokens_in, first.tokens_out, first.cost) == (1234, 56, pytest.approx((1234 * 3 + 56 * 7) / 1e6))
    assert (second.tokens_in, second.tokens_out, second.cost) == (2000, 1, pytest.approx(6007 / 1e6))
    assert again == first
    assert judge.outcomes == {"": 3}
    assert (judge.budget.calls, judge.budget.tokens_in, judge.budget.tokens_out) == (2, 3234, 57)
    assert judge.budget.cost == pytest.approx((3234 * 3 + 57 * 7) / 1e6)
    stored, asked = scripted(cache=tmp_path / "c.sqlite")
    assert stored.ask([question(2), question(1)]) == [second, first]
    assert (asked, stored.budget.calls, stored.budget.cost) == ([], 0, 0)
    settings = Settings("http://x/v1", "scripted", price_in=3, price_out=7)
    judged = [Judged(Verdict("1", True, True), (first, second)), Judged(Verdict("2", True, True), (again,))]
    account = settings.account(judge, judged)
    assert "unsure" not in account
    assert dataclasses.replace(settings, unsure=0.25).account(judge, judged)["unsure"] == 0.25
    assert (account["tokens_in"], account["tokens_out"]) == (1234 * 2 + 2000, 113)
    assert account["cost"] == pytest.approx(round((1234 * 2 + 2000) * 3e-6 + 113 * 7e-6, 6))
    row = judged[0].row(Case(Problem("mathverse", "1", "?"), "x"), "j")["judge"]
    assert (row["model"], row["tokens_in"], row["tokens_out"]) == ("j", 3234, 57)
    assert row["cost"] == pytest.approx(first.cost + second.cost)
    assert list(account_lines(judge, judged))[-1].endswith("2 requests, 3,234 tokens in, 57 out, 0.0101 US dollars")


def test_prices_of_the_settings_are_the_budgets():
    limits = {"max_calls": 8, "max_tokens": 9, "max_cost": 10.5}
    judge = Settings("http://x/v1", "scripted", price_in=3, price_out=7, attempts=5, concurrency=4, **limits).open()
    assert (judge.budget.prices, judge.budget._limits) == (PRICES, tuple((k[4:], v) for k, v in limits.items()))
    assert (judge._exchange.attempts, judge._concurrency, judge.plan, judge.client.model) == (5, 4, None, "scripted")
    judge.close()


def test_the_cache_of_the_settings_is_opened_unless_all_is_to_be_forgotten(tmp_path):
    file = tmp_path / "c.sqlite"
    settings = Settings("http://x/v1", "scripted", cache=str(file))
    settings.open(forget=True).close()
    assert not file.exists()
    dry = settings.open(dry=True)
    assert (file.exists(), dry.plan.calls) == (True, 0)
    dry.close()


def test_what_is_not_reported_is_estimated(scripted):
    judge, _ = scripted((GOOD, "stop", None))
    (answer,) = judge.ask([question()])
    assert (answer.tokens_in, answer.tokens_out) == (estimate(question()), len(GOOD) // 4)
    assert (judge.budget.tokens_in, judge.budget.tokens_out) == (answer.tokens_in, answer.tokens_out)


def test_a_picture_is_800_tokens_of_the_estimate():
    pictures = (Picture(b"one", None, ""), Picture(b"two", None, ""))
    text = sum(len(m["content"].encode()) for m in question().messages())
    assert estimate(question()) == text // 4
    assert estimate(question(pictures=pictures)) == text // 4 + 1600
    assert largest({"max_completion_tokens": 30, "max_tokens": 20}) == 30
    assert (largest({"max_tokens": 20}), largest({})) == (20, 0)


@pytest.mark.parametrize("short", [0, 1])
@pytest.mark.parametrize("kind", ["tokens", "cost", "calls"])
def test_a_ceiling_holds_what_may_be_used_and_is_charged_what_was(scripted, kind, short):
    """The second question fits to the last token, since the first was charged less than it had reserved."""
    size, most = estimate(question(1)), 40
    before = {"tokens": 100 + 10, "cost": PRICES.cost(100, 10), "calls": 1}[kind]
    one = {"tokens": size + most, "cost": PRICES.cost(size, most), "calls": 1}[kind]
    step = {"tokens": 1, "cost": 1e-6, "calls": 1}[kind]
    limit = before + one - step * short + (1e-9 if kind == "cost" else 0)
    budget = Budget(**{kind: limit}, prices=PRICES)
    judge, asked = scripted(*[(GOOD, "stop", (100, 10))] * 2, budget=budget, parameters={"max_tokens": most})
    first, second = (judge.ask([question(n)])[0] for n in (1, 2))
    assert first.cause == ""
    assert second.cause == (f"budget spent: {kind}" if short else "")
    assert len(asked) == budget.calls == 2 - short


def test_reserved_and_promised_are_given_back():
    budget = Budget(tokens=1_000, prices=PRICES)
    promise = Promise()
    budget.reserve(300, 150, promise)  # and as much again is promised
    budget.settle((300, 150), (20, 7))
    assert (budget.calls, budget.tokens_in, budget.tokens_out, budget.calls_left) == (1, 20, 7, None)
    assert promise.amounts == (1, 300, 150)
    budget.reserve(300, 150, keeps=promise)
    assert promise.amounts == (0, 0, 0)
    budget.settle((300, 150), (30, 3))
    budget.reserve(900, 40)  # 60 are spent, none is held
    budget.settle((900, 40), (0, 0))
    with pytest.raises(BudgetError, match="tokens"):
        budget.reserve(900, 41)
    for ceiling in ({"calls": 1}, {"tokens": 899}, {"cost": PRICES.cost(600, 300) - 1e-9}):
        with pytest.raises(BudgetError, match=next(iter(ceiling))):
            Budget(**ceiling, prices=PRICES).reserve(300, 150, Promise())
    flying = Budget(calls=2, tokens=5_000)
    flying.reserve(300, 150)
    assert [flying._over(1, 300, 150), flying._over(2, 300, 150), flying._over(1, 4_000, 551)] == [
        "",
        "calls",
        "tokens",
    ]
    promised = Budget(cost=PRICES.cost(600, 300) + PRICES.cost(20, 10), prices=PRICES)
    promised.reserve(300, 150, Promise())
    assert [promised._over(0, 20, 10), promised._over(0, 20, 11)] == ["", "cost"]
    assert Budget(calls=3).calls_left == 3
    spent = Budget(calls=1)
    spent.reserve(1, 1)
    spent.settle((1, 1), (1, 1))
    assert spent.calls_left == 0


def test_a_call_waits_for_what_is_promised_to_be_given_back():
    budget, promise = Budget(calls=2), Promise()
    budget.reserve(1, 1, promise)
    budget.settle((1, 1), (1, 1))
    waiting = Thread(target=budget.reserve, args=(1, 1))  # which raises, and fails the test, if it does not wait
    waiting.start()
    waiting.join(0.05)
    assert waiting.is_alive()
    budget.keep(promise)
    waiting.join(60)
    assert (waiting.is_alive(), budget._held) == (False, [1, 1, 1])


@pytest.mark.parametrize(("pause", "sent"), [(1.0, 2), (1.25, 1)])
def test_a_wait_beyond_patience_is_not_waited(scripted, monkeypatch, pause, sent):
    monkeypatch.setattr(exchange, "backoff", lambda attempt, asked=None: pause)
    judge, asked = scripted(503, GOOD, patience=1.0)
    waits = []
    monkeypatch.setattr(judge._exchange.stop, "wait", waits.append)
    (answer,) = judge.ask([question()])
    assert (len(asked), waits) == (sent, [pause] * (sent - 1))
    assert answer.cause == ("" if sent == 2 else "http 503: no (asked to wait over 1 s)")


def test_a_failed_request_is_a_call_without_tokens(scripted):
    judge, asked = scripted(500, 503, (GOOD, "stop", (5, 2)), attempts=3)
    (answer,) = judge.ask([question()])
    assert (answer.tokens_in, answer.tokens_out) == (5, 2)
    assert (judge.budget.calls, judge.budget.tokens_in, len(asked)) == (3, 5, 3)


@pytest.mark.parametrize(
    ("given", "wanted", "sent"),
    [
        ((500, GOOD, 500, GOOD, 500), ["http 500", "", "http 500", "", "http 500"], 5),
        ((500, 500, GOOD), ["http 500", "http 500", "the endpoint no longer answers (http 500: no)"], 2),
        ((400, 400, 400), ["http 400: no"] * 3, 3),
        ((401, GOOD), ["http 401: no", "http 401: no"], 1),
        ((404, GOOD), ["http 404: no", "http 404: no"], 1),
        ((402, GOOD), ["http 402: no", "http 402: no"], 1),
        ((403, GOOD), ["http 403: no", ""], 2),
    ],
)
def test_losses_in_a_row_stop_the_run_and_an_answer_between_them_starts_the_count_anew(scripted, given, wanted, sent):
    judge, asked = scripted(*given, attempts=1)
    causes = [judge.ask([question(n)])[0].cause for n in range(len(wanted))]
    assert [cause[: len(start)] for cause, start in zip(causes, wanted, strict=True)] == wanted
    assert all(cause == "" for cause, start in zip(causes, wanted, strict=True) if not start)
    assert len(asked) == sent


REPAIRS = [
    ("nonsense", "stop", "it was not one JSON object (Expecting value)", "nonsense"),
    ("1", "length", "reply: Input should be a valid dictionary", "1"),  # a number that may lack its end
    ("", "stop", "it was empty", "(nothing)"),
    ('{"agrees": 2}', "stop", "agrees: Input should be 0 or 1", '{"agrees": 2}'),
    ("x" * 5000, "length", "it was not one JSON object", "x" * 4000),
]


@pytest.mark.parametrize(("text", "reason", "said", "quoted"), REPAIRS, ids=range(len(REPAIRS)))
def test_a_reply_that_cannot_be_used_is_asked_for_once_more_with_the_reason(scripted, text, reason, said, quoted):
    judge, asked = scripted((text, reason, (100, 20)), (GOOD, "stop", (300, 4)))
    (answer,) = judge.ask([question()])
    assert (answer.reply.agrees, answer.cause) == (1, "")
    assert (answer.tokens_in, answer.tokens_out, answer.cost) == (400, 24, pytest.approx(PRICES.cost(400, 24)))
    first, repair = (body["messages"] for body in asked)
    assert repair[:-2] == first
    assert repair[-2] == {"role": "assistant", "content": quoted}
    assert said in repair[-1]["content"]
    assert repair[-1]["role"] == "user"


def test_a_whole_number_is_a_reply_where_it_was_not_cut(scripted):
    judge, asked = scripted("0")
    (answer,) = judge.ask([question()])
    assert (answer.reply.agrees, len(asked)) == (0, 1)


def test_two_bad_replies_are_a_cause_that_costs(scripted):
    judge, asked = scripted(("no", "stop", (100, 20)), ("still no", "content_filter", (50, 6)))
    (answer,) = judge.ask([question()])
    assert (answer.reply, answer.tokens_in, answer.tokens_out, answer.cost) == (None, 150, 26, PRICES.cost(150, 26))
    assert answer.cause == "invalid reply: it was not one JSON object (Expecting value) (finish_reason content_filter)"
    assert (len(asked), judge.outcomes) == (2, {answer.cause: 1})


def test_others_prompts_are_asked_again_as_they_are(scripted):
    prompt = dataclasses.replace(MATCH, system=None)
    judge, asked = scripted("no", GOOD)
    judge.ask([dataclasses.replace(question(), prompt=prompt)])
    assert asked[0]["messages"] == asked[1]["messages"]


def test_a_stale_reply_is_replaced_and_a_dry_run_counts_it(scripted, tmp_path):
    file = tmp_path / "c.sqlite"
    key = question().key("scripted", {"temperature": 0, "max_tokens": 1024})
    with closing(Cache(file)) as cache:
        cache.put(Entry(key, "scripted", "mathverse_match@1", '{"agrees": 7}', 1, 2))
    dry, _ = scripted(cache=file, dry=True)
    dry.ask([question(), question()])
    assert (dry.plan.calls, dry.plan.cached) == (1, 0)
    judge, asked = scripted((GOOD, "stop", (90, 8)), cache=file)
    (answer,) = judge.ask([question()])
    assert (answer.reply.agrees, answer.tokens_in, len(asked)) == (1, 90, 1)
    with closing(Cache(file)) as cache:
        entry = cache.get([key])[key]
    assert (entry.reply, entry.tokens_in, entry.tokens_out) == ('{"agrees":1}', 90, 8)
    assert (entry.model, entry.prompt) == ("scripted", f"{MATCH.id}@{MATCH.version}")


@contextmanager
def closing(cache):
    yield cache
    cache.close()


def test_what_a_dry_run_adds_up(scripted, tmp_path):
    known, _ = scripted(GOOD, cache=tmp_path / "c.sqlite")
    known.ask([question(1)])
    judge, asked = scripted(cache=tmp_path / "c.sqlite", dry=True, parameters=None)
    long = dataclasses.replace(EXTRACTION, example={"extracted_answer": "12 cm, or so"})
    other = Question(long, {"response": "The answer is 5. " * 40}, (Picture(b"p", None, ""),))
    assert len(example(other).model_dump_json()) % 4  # tokens are whole ones
    judge.ask([question(1), question(2), other, question(2)])
    judge.ask([question(1)])
    plan, new = judge.plan, [question(2), other]
    assert (plan.calls, plan.cached, asked) == (2, 1, [])
    assert plan.tokens_in == sum(map(estimate, new))
    assert plan.tokens_out == sum(len(example(q).model_dump_json()) // 4 for q in new)
    assert plan.largest_out == 2 * 1024
    plan.tokens_in, plan.tokens_out = 1_002_000, 2000
    said = "2 calls (1 answers are cached already), about 1,002,000 tokens in and 2,000 out (at most 2,048)"
    assert plan_line(judge) == f"{said}, about 3.02 US dollars; retries and repairs come on top"
    judge.budget.prices = Prices()
    assert plan_line(judge) == f"{said}; retries and repairs come on top"


def test_another_model_is_asked_by_its_name_and_kept_under_it(scripted, tmp_path):
    judge, asked = scripted(GOOD, GOOD, cache=tmp_path / "c.sqlite")
    judge.ask([question(model="larger"), question()])
    assert sorted(body["model"] for body in asked) == ["larger", "scripted"]
    with closing(Cache(tmp_path / "c.sqlite")) as cache:
        models = [row[0] for row in cache._db.execute("SELECT model FROM answers ORDER BY model")]
    assert models == ["larger", "scripted"]

"""The engine against a real server on loopback that misbehaves."""

import logging
import random
import socket
import threading

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.judge import exchange
from mmmath_tasks.judge.budget import Budget, Prices
from mmmath_tasks.judge.cache import Cache
from mmmath_tasks.judge.client import CallError
from mmmath_tasks.judge.mathvista import EXTRACTION
from mmmath_tasks.judge.prompt import Question
from mmmath_tasks.pictures import Picture


def questions(count, start=0):
    """Questions whose right reply is known: the number that the response names last, none for every fifth."""
    texts = [f"Some words {i}. The answer is {i}." if i % 5 else f"No idea {i}" for i in range(start, start + count)]
    return [Question(EXTRACTION, {"query": f"Question: number {i}?", "response": t}) for i, t in enumerate(texts)]


def picture(data):
    return Picture(data, None, "a row")


def right(count, start=0):
    return [str(i) if i % 5 else "" for i in range(start, start + count)]


@pytest.fixture
def hurry(monkeypatch):
    """Short pauses between attempts; the length of the real ones has a test of its own."""
    monkeypatch.setattr(exchange, "backoff", lambda attempt, asked=None: asked or 0.01)


def test_answers_in_order(endpoint, judge_for):
    answers = judge_for(endpoint()).ask(questions(50))
    assert [a.reply.text() for a in answers] == right(50)
    assert all(a.cause == "" and a.tokens_in > 0 for a in answers)


def test_thirty_percent_faults(endpoint, judge_for, hurry):
    faults = {"429", "429_date", "500", "drop", "half_body", "half_json", "prose", "empty", "not_json", "echo"}
    server = endpoint("--faults", "0.3", "--only", ",".join(sorted(faults)))
    answers = judge_for(server, concurrency=32).ask(questions(300))
    assert {r["fault"] for r in server.requests()} == {*faults, ""}
    for answer, expected in zip(answers, right(300), strict=True):
        assert (answer.reply is None) == bool(answer.cause)
        assert answer.reply is None or answer.reply.text() == expected
    assert sum(a.reply is not None for a in answers) > 270
    assert max(server.good_answers().values()) == 1


def test_an_answer_that_does_not_come_is_asked_for_again(endpoint, judge_for, hurry):
    # On a busy machine a good answer may be late as well: so many attempts, and no count of them.
    server = endpoint("--faults", "0.3", "--only", "timeout", "--hang", "600")
    answers = judge_for(server, timeout=1, attempts=50).ask(questions(16))
    assert "timeout" in {r["fault"] for r in server.requests()}
    assert [a.reply.text() for a in answers] == right(16)


def test_every_fault_alone_has_its_cause(endpoint, judge_for, hurry):
    causes = {}
    for fault in ("429", "500", "timeout", "drop", "half_body", "half_json", "prose", "empty", "not_json"):
        server = endpoint("--faults", "1", "--only", fault, "--hang", "600")
        (answer,) = judge_for(server, timeout=1 if fault == "timeout" else 120, attempts=2).ask(questions(1, 3))
        assert answer.reply is None
        causes[fault] = answer.cause
        server.wait_for(2)
        assert len(server.requests()) == 2
    assert causes["429"].startswith("http 429: slow down")
    assert causes["500"].startswith("http 500: oops")
    assert causes["timeout"].startswith("timeout")
    assert causes["drop"].startswith("connection: ")
    assert causes["half_body"].startswith("connection: ")
    assert causes["half_json"].startswith("invalid reply: it was not one JSON object")
    assert causes["prose"].startswith("invalid reply: it was not one JSON object")
    assert causes["empty"].startswith("invalid reply: it was empty")


def test_identical_questions_are_asked_once(endpoint, judge_for):
    server = endpoint("--delay", "0.2")
    judge = judge_for(server)
    results = []
    threads = [threading.Thread(target=lambda: results.append(judge.ask(questions(3, 1) * 4))) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(server.requests()) == 3
    assert [[a.reply.text() for a in r] for r in results] == [["1", "2", "3"] * 4] * 3


def test_key_of_the_cache_depends_on_all_input(tmp_path):
    base = Question(EXTRACTION, {"query": "q", "response": "r"}, (picture(b"picture"),))
    others = [
        Question(EXTRACTION, {"query": "q", "response": "s"}, (picture(b"picture"),)),
        Question(EXTRACTION, {"query": "q", "response": "r"}, (picture(b"another"),)),
        Question(EXTRACTION, {"query": "q", "response": "r"}),
        Question(EXTRACTION, {"query": "q", "response": "r"}, (picture(b"picture"),), {"steps": 2}),
    ]
    keys = [q.key("m", {"temperature": 0}) for q in (base, *others)]
    keys += [base.key("n", {"temperature": 0}), base.key("m", {"temperature": 1})]
    assert len(set(keys)) == len(keys)
    file = tmp_path / "p.png"
    file.write_bytes(b"picture")
    same = Question(EXTRACTION, {"response": "r", "query": "q"}, (Picture(None, str(file), ""),))
    assert same.key("m", {"temperature": 0}) == keys[0]


@pytest.mark.parametrize(
    ("limits", "cause"),
    [({"calls": 10}, "calls"), ({"tokens": 30000}, "tokens"), ({"cost": 0.03, "prices": Prices(1.0, 1.0)}, "cost")],
)
def test_budget_is_never_exceeded(endpoint, judge_for, limits, cause):
    server = endpoint("--delay", "0.01")
    budget = Budget(**limits)
    answers = judge_for(server, budget=budget).ask(questions(60))
    scored = [a for a in answers if a.reply]
    assert 5 <= len(scored) < 60
    assert {a.cause for a in answers if not a.reply} == {f"budget spent: {cause}"}
    assert budget.calls == len(server.requests()) == len(scored)
    spent = {"calls": budget.calls, "tokens": budget.tokens_in + budget.tokens_out, "cost": budget.cost}[cause]
    assert spent <= limits[cause]


def test_budget_of_money_needs_prices():
    with pytest.raises(InputError, match="prices"):
        Budget(cost=1.0)


def test_retry_after_is_honoured(endpoint, judge_for, monkeypatch):
    waits = []
    server = endpoint("--faults", "1", "--only", "429")
    judge = judge_for(server, attempts=3)
    monkeypatch.setattr(judge._exchange.stop, "wait", waits.append)
    judge.ask(questions(1))
    assert len(waits) == 2
    assert all(0.05 <= wait <= 0.06 for wait in waits)


def test_wrong_key_stops_the_run(endpoint, judge_for):
    server = endpoint("--key", "right-key")
    answers = judge_for(server, concurrency=4).ask(questions(200))
    assert all(a.cause.startswith("http 401") for a in answers)
    assert len(server.requests()) <= 8


def test_dead_endpoint_stops_the_run(judge_for, endpoint, hurry):
    server = endpoint()
    with socket.socket() as nobody:
        nobody.bind(("127.0.0.1", 0))  # not listening: connections are refused
        server.url = f"http://127.0.0.1:{nobody.getsockname()[1]}/v1"
        judge = judge_for(server, concurrency=4, attempts=6)
        answers = judge.ask(questions(100))
    assert all(a.reply is None for a in answers)
    assert {a.cause.partition(" (")[0] for a in answers} == {"nobody answers there"}
    assert judge.budget.calls < 4 * 6  # two tries or so of what is in flight, not all


def test_two_refused_connections_do_not_stop_a_run_while_another_request_is_under_way(
    endpoint, judge_for, hurry, monkeypatch
):
    judge = judge_for(endpoint(), concurrency=2, attempts=3)
    slow, refused = questions(2, 1)
    send, tries, taken, retried = judge.client.send, [], threading.Event(), threading.Event()

    def crowded(messages, model):
        if messages == slow.messages():
            taken.set()
            assert retried.wait(10)
        elif len(tries) < 2:
            assert taken.wait(10)
            tries.append(model)
            raise CallError("connection: refused", again=True, nobody=True)
        retried.set()
        return send(messages, model)

    monkeypatch.setattr(judge.client, "send", crowded)
    assert [a.reply and a.reply.text() for a in judge.ask([slow, refused])] == right(2, 1)


@pytest.mark.parametrize("key", ["sk-0123456789abcdef", "EMPTY"])
def test_no_key_in_log_cache_or_error(endpoint, judge_for, monkeypatch, caplog, tmp_path, capfd, key, hurry):
    """The server repeats the whole request head, key and all, in its errors."""
    server = endpoint("--faults", "0.5", "--only", "echo,half_json,drop", "--key", key)
    cache = tmp_path / "cache.sqlite"
    make = judge_for  # the fixture clears the environment first
    monkeypatch.setenv("MMMATH_JUDGE_API_KEY", key)
    with caplog.at_level(logging.DEBUG):
        judge = make(server, cache, attempts=2)
        answers = judge.ask(questions(60))
    assert any("***" in a.cause for a in answers)
    assert sum(a.reply is not None for a in answers) > 20
    output = "".join(capfd.readouterr())
    everything = [repr(answers), caplog.text, output, repr(judge.client), str(vars(judge)), repr(judge.budget)]
    assert not any(key in text for text in everything)
    judge.close()
    assert not any(key.encode() in file.read_bytes() for file in tmp_path.glob("cache.sqlite*"))


def test_only_listed_fields_are_sent(endpoint, judge_for):
    server = endpoint("--full")
    judge_for(server, parameters={"seed": 3, "temperature": None}).ask(questions(1))
    (request,) = server.requests()
    assert set(request["body"]) == {"model", "messages", "seed", "max_tokens"}


def test_cache_refuses_another_file(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("not a database " * 100)
    with pytest.raises(InputError, match=r"notes\.txt"):
        Cache(file)


def test_a_cache_that_breaks_on_the_way_is_one_message(endpoint, judge_for, tmp_path):
    judge = judge_for(endpoint(), tmp_path / "c.sqlite")
    judge.ask(questions(2))
    judge._cache._db.execute("DROP TABLE answers")
    with pytest.raises(InputError, match=r"c\.sqlite: the judge's cache: no such table"):
        judge.ask(questions(2, 5))


def test_order_does_not_depend_on_completion(endpoint, judge_for):
    server = endpoint("--delay", "0.02")
    mixed = list(range(60))
    random.Random(1).shuffle(mixed)
    asked = [questions(1, i)[0] for i in mixed]
    assert [a.reply.text() for a in judge_for(server).ask(asked)] == [right(1, i)[0] for i in mixed]

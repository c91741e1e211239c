"""What a client takes for an address, sends, and makes of what an endpoint says."""

from types import SimpleNamespace

import httpx2
import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.judge import client as clients
from mmmath_tasks.judge.client import CallError, Client, Completion, request_fields
from support import json_server

LIKE = "the judge's base URL should look like http://localhost:8000/v1, got "


@pytest.mark.parametrize(
    ("given", "expected"),
    [
        ("http://h:1/v1", "http://h:1/v1/chat/completions"),
        ("http://h/v1/", "http://h/v1/chat/completions"),
        ("https://h/v1/chat/completions", "https://h/v1/chat/completions"),
        ("https://h/stop/s", "https://h/stop/s/chat/completions"),
        ("https://h/openai?api-version=2", "https://h/openai/chat/completions?api-version=2"),
        ("http://h", "http://h/chat/completions"),
    ],
)
def test_address(given, expected):
    assert str(Client(given, "m")._url) == expected


@pytest.mark.parametrize(
    ("address", "said"),
    [
        ("http://user:secret@h/v1", "put no key into the base URL; set MMMATH_JUDGE_API_KEY"),
        ("http://h:x", "the judge's base URL is not a URL"),
        *(
            (given, f"{LIKE}{given!r}")
            for given in ("ftp://h/v1", "localhost:8000", "", "http://h:99999", "http://h:0")
        ),
    ],
)
def test_a_bad_address_is_told(address, said):
    with pytest.raises(InputError) as raised:
        Client(address, "m")
    assert str(raised.value) == said


def test_key_with_characters_no_header_can_hold(monkeypatch):
    monkeypatch.setenv("MMMATH_JUDGE_API_KEY", "geheim-ü-\nx")
    with pytest.raises(InputError) as error:
        Client("http://localhost/v1", "m").send([])
    assert "geheim" not in str(error.value)


def test_fields_of_a_request():
    assert request_fields({}) == {"temperature": 0, "max_tokens": 1024}
    assert request_fields({"temperature": None, "top_p": 0.5}) == {"max_tokens": 1024, "top_p": 0.5}
    assert request_fields({"max_completion_tokens": 9}) == {"temperature": 0, "max_completion_tokens": 9}
    with pytest.raises(InputError, match=r"^judge parameter 'api_key' is not one of (\w+, )+\w+$"):
        request_fields({"zeta": 1, "api_key": "x"})


def chat(content, **more):
    return {"choices": [{"message": {"content": content}, **more}]}


REPLIES = [
    (200, chat("a"), Completion("a", "", None, None)),
    (200, chat(None, finish_reason="length"), Completion("", "length", None, None)),
    (200, chat([{"text": "a"}, {"type": "x"}, {"text": "b"}]), Completion("ab", "", None, None)),
    (200, chat("a") | {"usage": {"prompt_tokens": 3, "completion_tokens": 0}}, Completion("a", "", 3, 0)),
    (200, chat("a") | {"usage": {"prompt_tokens": -1, "completion_tokens": True}}, Completion("a", "", None, None)),
    (200, chat("my-long-key"), Completion("***", "", None, None)),
    (200, {"choices": []}, ("the endpoint's answer is not a chat completion", True, False)),
    (400, {"error": {"message": " bad\n my-long-key "}}, ("http 400: bad ***", False, False)),
    (400, {"error": {"message": "x" * 400}}, (f"http 400: {'x' * 300}", False, False)),
    (401, {}, ("http 401: {}", False, True)),
    (402, {"error": {"message": ""}}, ("http 402", False, True)),
    (403, {"error": {"message": "no"}}, ("http 403: no", False, False)),
    (404, {"error": {"message": "no"}}, ("http 404: no", False, True)),
    (429, {"error": {"message": "slow", "code": "insufficient_quota"}}, ("http 429: slow", False, True)),
    (429, {"error": {"message": "slow"}}, ("http 429: slow", True, False)),
    (500, {"error": {"message": "oops"}}, ("http 500: oops", True, False)),
]


@pytest.mark.parametrize(("status", "body", "wanted"), REPLIES, ids=range(len(REPLIES)))
def test_what_an_endpoint_says_is_read_or_named(status, body, wanted, monkeypatch):
    monkeypatch.setenv("MMMATH_JUDGE_API_KEY", "my-long-key")
    with json_server.serving(lambda asked: (status, body)) as url:
        client = Client(url, "m")
        try:
            if isinstance(wanted, Completion):
                assert client.send([]) == wanted
                return
            with pytest.raises(CallError) as raised:
                client.send([])
            failure = raised.value
            assert (failure.cause, failure.again, failure.final) == wanted
        finally:
            client.close()


@pytest.mark.parametrize(("seconds", "connect"), [(5.0, 5.0), (120.0, 20.0)])
def test_a_request_waits_so_long_for_each_step_and_for_a_connection_however_long(seconds, connect):
    with Client("http://h", "m", timeout=seconds, connections=3)._open() as http:
        assert http.timeout == httpx2.Timeout(seconds, connect=connect, pool=None)
        assert http.headers["content-type"] == "application/json"


PARTS = [
    ([0, 5, 5], 10, None),
    ([0, 5, 5.1], 10, ("timeout", True)),
    ([0, 5, 5], 9, ("response too large", False)),
]


@pytest.mark.parametrize(("clock", "largest", "wanted"), PARTS)
def test_an_answer_that_comes_in_parts_has_to_end_in_time_and_before_it_fills_the_memory(
    monkeypatch, clock, largest, wanted
):
    ticks = iter(clock)
    monkeypatch.setattr(clients, "time", SimpleNamespace(monotonic=lambda: next(ticks)))
    monkeypatch.setattr(clients, "_LARGEST", largest)
    client = Client("http://h", "m", timeout=5)
    answer = httpx2.Response(200, content=iter([b"12345", b"67890"]))
    client._http = httpx2.Client(transport=httpx2.MockTransport(lambda request: answer))
    with pytest.raises(CallError) as raised:
        client.send([])
    client.close()
    wanted = wanted or ("the endpoint's answer is not a chat completion", True)
    assert (raised.value.cause, raised.value.again) == wanted

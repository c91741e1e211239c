"""What a script's process leaves is data: what is not a reply of our reader's shape is "forged", and raises nothing."""

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.metrics.mathopeval_execution import execution_score
from mmmath_tasks.sandbox import Attempt, execution_scores, run_figures
from mmmath_tasks.sandbox.records import FORGED, LIMIT, parse
from support.needs import needs

pytestmark = needs("sandbox")

BAR = {
    "kind": "bar",
    "figure": 0,
    "axes": 0,
    "series": "",
    "label": "a",
    "value": 1.0,
    "base": 0,
    "horizontal": False,
}
LINE = {"kind": "line", "figure": 0, "axes": 0, "series": "", "labels": None, "x": [1], "y": [2.5]}


def reply(*elements, **changes):
    return json.dumps({"cause": "", "message": "", "elements": list(elements), **changes}).encode() + b"\n"


SHAPES = {
    "nothing": b"",
    "no JSON": b"hello\n",
    "half of it": reply(BAR)[:40],
    "not UTF-8": reply(BAR, message="x").replace(b"x", b"\xff"),
    "half a character": reply(BAR).replace(b'"a"', b'"\\ud800"'),
    "an empty object": b"{}\n",
    "a list": b"[]\n",
    "null": b"null\n",
    "no message": b'{"cause": "", "elements": []}\n',
    "a cause that is a list": reply(cause=["a"]),
    "a cause of its own": reply(cause="reference: nothing"),
    "a message that is a number": reply(message=7),
    "a message without end": reply(message="x" * 10_000),
    "elements that are an object": b'{"cause": "", "message": "", "elements": {}}\n',
    "an element that is a number": reply(1),
    "an element without fields": reply({"kind": "bar"}),
    "a kind that is a list": reply({**BAR, "kind": ["bar"]}),
    "an unknown kind": reply({**BAR, "kind": "gold"}),
    "a value that is a text": reply({**BAR, "value": "1"}),
    "a value that is true": reply({**BAR, "value": True}),
    "a value beyond reason": reply({**BAR, "value": 1e300}),
    "a value of a million digits": reply(BAR).replace(b"1.0", b"9" * 1_000_000),
    "a value that is no number": reply(BAR).replace(b"1.0", b"NaN"),
    "an infinite value": reply(BAR).replace(b"1.0", b"1e999"),
    "a label without end": reply({**BAR, "label": "x" * 100_000}),
    "lists of two lengths": reply({**LINE, "y": [1, 2]}),
    "labels of another length": reply({**LINE, "labels": ["a", "b"]}),
    "axes without width": reply(
        {"kind": "axes", "figure": 0, "axes": 0, "xlim": [1, 1], "ylim": [0, 1], "box": [1, 1]}
    ),
    "a segment of one point": reply({"kind": "segment", "figure": 0, "axes": 0, "dashed": True, "points": [[1, 1]]}),
    "a point of one number": reply({"kind": "segment", "figure": 0, "axes": 0, "dashed": True, "points": [[1], [2]]}),
    "too many elements": reply(*[BAR] * (LIMIT + 1)),
    "too many points": reply(*[{**LINE, "x": [1] * 20_000, "y": [1] * 20_000}] * 11),
    "a picture that is none": reply(BAR) + b"GIF89a",
    "a failure with elements": reply(BAR, cause="blank"),
    "brackets without end": b"[" * 1_000_000,
}


@pytest.mark.parametrize("name", SHAPES)
def test_another_shape_is_forged(name):
    assert parse(SHAPES[name]) == FORGED


def test_a_reply_is_read():
    assert parse(reply(BAR, LINE)).elements == (BAR, LINE)
    assert parse(reply(cause="blank", message="nothing was drawn")).cause == "blank"


json_value = st.recursive(
    st.none() | st.booleans() | st.floats() | st.integers() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=5), inner, max_size=3),
)


@given(st.sampled_from([BAR, LINE]), st.data())
def test_what_passes_can_be_compared(element, data):
    changed = {**element, data.draw(st.sampled_from(sorted(element))): data.draw(json_value)}
    found = parse(reply(changed))
    for kind in ("bar", "line", "pie", "function", "geometry"):
        score = execution_score(kind, "mcg", [BAR, LINE], found.elements).score
        assert math.isnan(score) or 0 <= score <= 1


@given(st.binary(max_size=60))
def test_any_bytes_are_a_reply_or_forged(left):
    assert parse(left).cause in ("forged", "blank", "")


# Written by a script, which then ends its process past all that Python does at its end
WRITE = """
import ctypes
open("/reply/reply", "wb").write({left!r})
ctypes.CDLL(None)._exit(0)
"""
CODE = "import matplotlib.pyplot as plt\nplt.bar(['a', 'b'], [{}, 1.5])\nplt.show()\n"


@pytest.mark.medium
@needs("sandbox", "bwrap")
def test_forged_replies_score_nothing_and_cost_nobody_else():
    forgers = [WRITE.format(left=left) for name, left in SHAPES.items() if len(left) < 200_000]
    items = [code for n, forger in enumerate(forgers) for code in (forger, CODE.format(n + 2))]
    scores = execution_scores([Attempt("bar", "mcg", CODE.format(n // 2 + 2), code) for n, code in enumerate(items)])
    assert {s.score for s in scores[::2]} == {0}
    assert {s.cause for s in scores[::2]} == {"forged"}
    assert {s.score for s in scores[1::2]} == {1}


@pytest.mark.medium
@needs("sandbox", "bwrap")
@pytest.mark.parametrize(
    "make", ["os.mkdir(p)", "os.symlink('/etc/passwd', p)", "os.link('/tmp/x', p)", "open(p, 'w')"]
)
def test_no_file_in_its_place_harms(make):
    code = f"import ctypes, os\nopen('/tmp/x', 'w').close()\np = '/reply/reply'\n{make}\nctypes.CDLL(None)._exit(0)"
    forged, after = run_figures([code, CODE.format(1)], pictures=False)
    assert not forged.ok
    assert forged.cause in ("forged", "exit", "exception")
    assert after.ok

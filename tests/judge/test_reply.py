"""What counts as a judge's reply, and what does not."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.judge.cot_e import Marks
from mmmath_tasks.judge.error_types import Typing
from mmmath_tasks.judge.mathopeval import Rating
from mmmath_tasks.judge.reply import Extraction, Mark, Reply, ReplyError, parse


class Agrees(Reply):
    number = "agrees"
    agrees: Mark


class Points(Reply):
    number = "score"
    score: int


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"agrees": 1}', 1),
        (' {"agrees": 0}\n', 0),
        ('{"agrees": true}', 1),
        ('{"agrees": false}', 0),
        ('```json\n{"agrees": 1}\n```', 1),
        ('```\n{"agrees": 0}\n```', 0),
        ('<think>It says {"agrees": 1}.</think>\n{"agrees": 0}', 0),
        ("1", 1),
        ("0 (expected 13)", 0),
        ("0 (the response says 1)", 0),
    ],
)
def test_good_replies(text, expected):
    assert parse(text, Agrees).agrees == expected


def test_a_number_that_was_cut_off_is_no_number():
    with pytest.raises(ReplyError):
        parse("1", Points, cut=True)
    assert parse('{"score": 1}', Points, cut=True).score == 1


def test_ten_is_ten():
    assert parse("10", Points).score == 10
    assert parse('{"score": 10}', Points).score == 10


@pytest.mark.parametrize(
    "text",
    [
        "",
        "  \n",
        "null",
        "[1]",
        "10",
        "01.",
        "1 or 0",
        "1 0",
        "1/0",
        "correct",
        '{"agrees": 2}',
        '{"agrees": "1"}',
        '{"agrees": 1.5}',
        '{"agrees": null}',
        '{"agrees": 1, "agrees": 0}',
        '{"agrees": 1, "why": "x"}',
        '{"Agrees": 1}',
        '{"agrees": 1',
        '{"agrees": 1} {"agrees": 0}',
        'The response says {"agrees": 1}',
        '{"agrees": 1}\nbecause the response says so',
        '{"agrees": NaN}',
        '{"agrees": 1e999}',
        '{"agrees": ' + "1" * 5000 + "}",
        "<think>" * 3 + '{"agrees": 1}',
        '{"a":' * 100_000,
        "[" * 100_000,
    ],
)
def test_bad_replies(text):
    with pytest.raises(ReplyError) as error:
        parse(text, Agrees)
    assert len(str(error.value)) < 300


@pytest.mark.parametrize("text", ['{"extracted_answer": "\\ud800"}', '{"extracted_answer": 1e999}'])
def test_what_cannot_be_stored_is_no_reply(text):
    with pytest.raises(ReplyError):
        parse(text, Extraction)


def test_the_error_does_not_quote_the_reply():
    with pytest.raises(ReplyError) as error:
        parse('{"agrees": "SECRET", "other": "SECRET"}', Agrees)
    assert "SECRET" not in str(error.value)


@given(st.text())
def test_any_text_is_a_reply_or_an_error(text):
    for kind in (Agrees, Extraction, Marks, Typing, Rating):
        try:
            found = parse(text, kind, {"steps": 1, "classes": ["a"], "flaws": []})
        except ReplyError:
            continue
        assert isinstance(found, kind)


@given(st.one_of(st.text(), st.integers(-(10**9), 10**9), st.none(), st.lists(st.integers())))
def test_an_extraction_comes_back_as_it_was(answer):
    found = parse(json.dumps({"extracted_answer": answer}), Extraction)
    assert found.extracted_answer == answer
    assert found.text() == ("" if answer is None else str(answer))


def test_one_mark_a_step():
    mark = {"correct": 1, "analysis": ""}
    text = json.dumps({"verdicts": [mark, mark], "answer": mark})
    assert len(parse(text, Marks, {"steps": 2}).verdicts) == 2
    with pytest.raises(ReplyError, match="should hold 3 verdicts"):
        parse(text, Marks, {"steps": 3})


def test_only_the_classes_offered():
    context = {"classes": ["visual", "reason"], "flaws": ["hallucination"]}
    assert parse('{"error_type": "visual"}', Typing, context).error_type == "visual"
    for text in ('{"error_type": "mood"}', '{"error_type": "visual", "flaws": ["mood"]}'):
        with pytest.raises(ReplyError, match="should be one of"):
            parse(text, Typing, context)


@pytest.mark.parametrize("score", [0, 11, "7", 7.5])
def test_ratings_out_of_range(score):
    rating = {"reference_elements": [], "generated_elements": [], "content": "", "position": "", "code": "",
              "completeness": "", "score": score}  # fmt: skip
    with pytest.raises(ReplyError):
        parse(json.dumps(rating), Rating)

import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmmath_tasks as mm

texts = st.text(max_size=30)
names = st.text(min_size=1, max_size=8)
problems = st.builds(
    mm.Problem,
    benchmark=st.just("mathvista"),
    id=names,
    question=texts,
    choices=st.lists(texts, max_size=4).map(tuple),
    answer=st.none() | texts,
    groups=st.dictionaries(names, st.lists(names, max_size=2).map(tuple), max_size=3),
    extra=st.dictionaries(names, st.none() | texts | st.integers(), max_size=3),
)
verdicts = st.builds(
    mm.Verdict,
    id=names,
    official=st.none() | st.booleans(),
    verified=st.none() | st.booleans(),
    extracted=st.none() | texts,
    scores=st.dictionaries(names, st.floats(0, 1), max_size=2),
)


@given(st.one_of(problems, verdicts))
def test_a_record_survives_json(record):
    assert type(record).from_json(record.to_json()) == record


def test_a_scorecard_survives_json_with_its_nan():
    card = mm.Scorecard("mathvista", "acc", (mm.Score("acc", "", "", math.nan, 0),), {"total": 0}, {"limit": None})
    text = card.to_json()
    assert "NaN" not in text
    assert json.loads(text)["scores"][0]["value"] is None
    again = mm.Scorecard.from_json(text)
    assert math.isnan(again.value("acc"))
    assert again.to_json() == text


def test_a_record_cannot_be_changed():
    with pytest.raises(AttributeError):
        mm.Verdict("1", True, True).official = False


VERDICT = {"id": "1", "official": True, "verified": None}


@pytest.mark.parametrize(
    ("record", "data", "said"),
    [
        (mm.Verdict, {**VERDICT, "colour": "red"}, "unknown field 'colour'"),
        (mm.Verdict, {"id": "1"}, "missing 2 required positional arguments: 'official' and 'verified'"),
        (mm.Verdict, [], "expected an object, got list"),
        (mm.Verdict, {**VERDICT, "official": 1}, "official should be bool | None, is 1"),
        (mm.Verdict, {**VERDICT, "id": 1}, "id should be str, is 1"),
        (mm.Verdict, {**VERDICT, "confidence": True}, "confidence should be float, is True"),
        (mm.Verdict, {**VERDICT, "confidence": 10**400}, "confidence should be float, is 1000"),
        (mm.Verdict, {**VERDICT, "scores": {"cot_e": "x"}}, "scores should be Mapping[str, float], is {'cot_e': 'x'}"),
        (mm.Problem, {"benchmark": "wemath", "id": ["1"], "question": ""}, "id should be str, is ['1']"),
        (mm.Problem, {"benchmark": "wemath", "id": "1", "question": "", "choices": "AB"}, "choices should be tuple"),
        (mm.Problem, {"benchmark": "wemath", "id": "1", "question": "", "question_type": "x"}, "question_type should"),
        (mm.Scorecard, {"benchmark": "wemath", "headline": "acc", "scores": [3]}, "scores should be tuple[Score, ...]"),
        (mm.Scorecard, {"benchmark": "wemath", "headline": "acc", "scores": [{"metric": 3}]}, "metric should be str"),
    ],
)
def test_a_field_that_is_unknown_missing_or_of_another_type_is_named(record, data, said):
    with pytest.raises(TypeError) as raised:
        record.from_dict(data)
    assert said in str(raised.value)


def test_a_whole_number_and_null_are_numbers():
    found = mm.Verdict.from_dict({**VERDICT, "confidence": 1, "scores": {"cot_e": 1, "execution": None}})
    assert (found.confidence, found.scores["cot_e"]) == (1, 1)
    assert math.isnan(found.scores["execution"])


def test_a_verdict_survives_json_with_its_nan():
    found = mm.Verdict.from_json(mm.Verdict("1", None, None, confidence=math.nan, scores={"a": math.nan}).to_json())
    assert math.isnan(found.confidence)
    assert math.isnan(found.scores["a"])


def test_text_that_is_no_json_is_one_kind_of_error():
    with pytest.raises(json.JSONDecodeError, match="nested too deep"):
        mm.Verdict.from_json("[" * 100_000)


def test_a_missing_number_is_nan():
    card = mm.Scorecard("mathvista", "acc", ())
    assert math.isnan(card.value("acc"))
    assert card.get("acc") is None

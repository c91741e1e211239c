import json
import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmmath_tasks as mm
from mmmath_tasks.metrics.tally import proportions, wilson

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


def test_an_unknown_field_is_refused():
    with pytest.raises(TypeError):
        mm.Verdict.from_dict({"id": "1", "official": True, "verified": True, "colour": "red"})


def test_a_missing_number_is_nan():
    card = mm.Scorecard("mathvista", "acc", ())
    assert math.isnan(card.value("acc"))
    assert card.get("acc") is None


@pytest.mark.parametrize(
    ("hits", "count", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (0, 10, 0.0, 0.2775), (10, 10, 0.7225, 1.0)],
    # Newcombe, Statistics in Medicine 17 (1998), table I (81/263); the ends by the closed form 1 / (1 + z*z/n)
)
def test_wilson_interval(hits, count, low, high):
    assert wilson(hits, count) == pytest.approx((low, high), abs=5e-5)


def test_wilson_interval_of_nothing_is_nan():
    assert all(map(math.isnan, wilson(0, 0)))


def test_what_is_not_scored_is_in_no_denominator():
    problem = mm.Problem("mathvista", "1", "", groups={"task": ("GPS",)})
    scores = proportions("acc", [(problem, True), (problem, None)], ["task"], {"task": ["FQA"]})
    assert [(s.slice, s.count) for s in scores] == [("", 1), ("FQA", 0), ("GPS", 1)]
    assert math.isnan(scores[1].value)

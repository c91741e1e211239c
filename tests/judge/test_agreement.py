"""Agreement statistics against scikit-learn, labels of many kinds, and the probes against the scripted judge."""

import json
import math
import random
import warnings

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from mmmath_tasks.cli import main
from mmmath_tasks.errors import InputError
from mmmath_tasks.judge.agreement import agreement, bootstrapped, read_labels
from mmmath_tasks.judge.case import Case
from mmmath_tasks.judge.probes import ATTACKS, injection, report, swap
from mmmath_tasks.problem import Problem

PAIRS = st.lists(st.tuples(st.integers(1, 10), st.integers(1, 10)), min_size=2, max_size=60)


@pytest.mark.medium
@given(PAIRS)
def test_kappas_are_those_of_scikit_learn(pairs):
    from sklearn.metrics import cohen_kappa_score

    first = {str(i): float(a) for i, (a, _) in enumerate(pairs)}
    second = {str(i): float(b) for i, (_, b) in enumerate(pairs)}
    found = {s.metric: s.value for s in agreement(first, second, draws=2).scores}
    a, b = zip(*pairs, strict=True)
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        expected = cohen_kappa_score(a, b)
        quadratic = cohen_kappa_score(a, b, weights="quadratic", labels=range(1, 11))
    assert found["agreement"] == pytest.approx(sum(x == y for x, y in pairs) / len(pairs))
    assert found["kappa"] == pytest.approx(expected, nan_ok=True)
    assert found["kappa_quadratic"] == pytest.approx(quadratic, nan_ok=True)


def test_bootstrap_interval_covers_the_truth_about_95_times_in_100():
    """Two judges who each copy the same fair coin with probability 0.8: kappa is 0.64 in the population."""
    covered = 0
    for seed in range(200):
        dice = random.Random(seed)
        coin = [float(dice.random() < 0.5) for _ in range(150)]
        sides = [
            {str(i): c if dice.random() < 0.8 else float(dice.random() < 0.5) for i, c in enumerate(coin)}
            for _ in range(2)
        ]
        kappa = agreement(*sides, draws=300).scores[1]
        covered += kappa.low <= 0.64 <= kappa.high
    assert 180 <= covered <= 199


def test_an_interval_is_the_middle_95_in_100_of_the_draws_that_have_a_value():
    drawn = list(range(1001))
    columns = {"all": drawn, "some": [math.nan] * 99 + drawn[:901] + [math.nan], "none": [math.nan] * 1001}
    columns |= {"alike": [7.0] * 1001}

    def statistics(shares):
        assert shares.shape == (1002, 2)
        assert list(shares[0]) == [0.75, 0.25]
        assert shares[1:].sum(axis=1) == pytest.approx(1)
        assert {round(4 * share) for share in shares[1:, 0]} == {0, 1, 2, 3, 4}
        return {name: np.array([5.0, *found]) for name, found in columns.items()}

    scores = bootstrapped([3, 1], statistics, tuple(columns), 1001, 0)
    shown = [(s.metric, s.value, s.count, s.low, s.high) for s in scores]
    assert shown[:2] == [("all", 5, 4, 25, 975), ("some", 5, 4, 22.5, 877.5)]
    assert [one[:3] for one in shown[2:]] == [("none", 5, 4), ("alike", 5, 4)]
    assert all(math.isnan(end) for one in shown[2:] for end in one[3:])
    (empty,) = bootstrapped((), statistics, ("x",), 3, 0)
    assert (empty.metric, empty.count, math.isnan(empty.value), math.isnan(empty.low)) == ("x", 0, True, True)


def test_only_common_items_count_and_the_seed_decides():
    first = {"a": 1.0, "b": 0.0, "c": 1.0}
    second = {"b": 0.0, "c": 1.0, "d": 1.0, "e": 0.0}
    found = agreement(first, second)
    assert (found.count, found.only_first, found.only_second) == (2, 1, 2)
    assert found.scores[0].value == 1.0
    assert agreement(first, second).scores == found.scores


def test_nothing_in_common_and_a_single_label_are_nan():
    assert all(math.isnan(s.value) for s in agreement({"a": 1.0}, {"b": 1.0}).scores)
    share, kappa, quadratic = agreement({"a": 1.0, "b": 1.0}, {"a": 1.0, "b": 1.0}).scores
    assert (share.value, math.isnan(kappa.value), math.isnan(quadratic.value)) == (1.0, True, True)


def test_words_have_no_quadratic_kappa():
    found = agreement({"a": "visual", "b": "reason"}, {"a": "visual", "b": "knowledge"})
    assert math.isnan(found.scores[2].value)
    assert found.scores[0].value == 0.5


def test_labels_of_many_kinds(tmp_path):
    judge, human = tmp_path / "judge.jsonl", tmp_path / "human.csv"
    rows = [{"id": "1", "official": True}, {"id": "2", "official": False}, {"id": "3", "official": None}]
    judge.write_text("".join(json.dumps(row) + "\n" for row in rows))
    human.write_text("id,label\n1,1\n2,0\n3,1\n4,\n")
    assert read_labels(judge) == {"1": 1.0, "2": 0.0}
    assert read_labels(human) == {"1": 1.0, "2": 0.0, "3": 1.0}
    nested = tmp_path / "nested.jsonl"
    verdict = {"id": "1", "official": False, "scores": {"cot_e": 0.85}}
    nested.write_text(json.dumps({"problem": {"id": "1"}, "response": "", "verdict": verdict}) + "\n")
    assert read_labels(nested, "verdict.scores.cot_e") == {"1": 0.85}
    assert read_labels(nested) == {"1": 0.0}


WANTED = (
    "an id (problem.id, id, pid, question_id, sample_index) and a label (label, human, verdict.official, "
    "verdict.verified, official, verified, correct, true_false; or name it with --column)"
)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"id": "1", "label": 1}\n{"id": "1", "label": 0}\n', "row 2: id '1' stands there twice"),
        ('{"id": "1", "label": 1}\n{"label": 0}\n', "row 2: no id"),
        ('{"id": "1", "words": 1}\n', f"expected {WANTED}; got id, words"),
        ('{"name": "1", "label": 1}\n', f"expected {WANTED}; got label, name"),
        ('{"id": "1", "label": "nan"}\n{"id": "2", "label": ""}\n', "column 'label' holds no label"),
    ],
)
def test_bad_labels(tmp_path, text, message):
    file = tmp_path / "labels.jsonl"
    file.write_text(text)
    with pytest.raises(InputError) as raised:
        read_labels(file)
    assert str(raised.value) == f"{file}: {message}"


def test_the_surest_columns_are_read_and_cells_of_one_meaning_agree(tmp_path):
    cells = [" TRUE ", True, "1", 1, "1.0", "False", 0, "b ", " b", "inf", None]
    rows = [
        {"id": "other", "pid": "other", "problem": {"id": n}, "correct": "no", "official": 7, "human": cell}
        for n, cell in enumerate(cells)
    ]
    file = tmp_path / "labels.json"
    file.write_text(json.dumps(rows))
    assert read_labels(file) == {**dict.fromkeys("01234", 1.0), "5": 0.0, "6": 0.0, "7": "b", "8": "b"}
    assert set(read_labels(file, "official").values()) == {7.0}


def test_command(tmp_path, capsys):
    for name, labels in (("a", [1, 0, 1, 1]), ("b", [1, 0, 0, 1])):
        rows = [{"id": str(i), "official": bool(label)} for i, label in enumerate(labels)]
        (tmp_path / f"{name}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["judge-agreement", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]) == 0
    assert "agreement         0.750" in capsys.readouterr().out
    assert main(["judge-agreement", str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl"), "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["count"] == 4


@pytest.mark.parametrize("given", [["--draws", "0"], ["--draws", "-1"], ["--seed", "-1"]])
def test_no_draws_and_a_seed_below_zero_are_refused(tmp_path, capsys, given):
    (tmp_path / "a.csv").write_text("id,label\n1,1\n2,0\n")
    assert main(["judge-agreement", str(tmp_path / "a.csv"), str(tmp_path / "a.csv"), *given]) == 2
    assert "should be at least" in capsys.readouterr().err


def numbered(count):
    return [
        Case(
            Problem("mathvista", str(i), f"Which number is {i}?", answer=str(i), answer_type="integer"),
            f"It is clear. The answer is {i + i % 2}.",
        )
        for i in range(count)
    ]


def test_injection_probe_finds_nothing_in_a_judge_that_follows_the_rules(endpoint, judge_for):
    probes = injection(judge_for(endpoint()), "mathvista", numbered(20))
    assert [p.name for p in probes] == list(ATTACKS)
    assert all(p.agreement.scores[0].value == 1.0 and p.agreement.count == 20 for p in probes)
    assert all(set(p.agreement.table) == {(0.0, 0.0), (1.0, 1.0)} for p in probes)


def test_injection_probe_finds_a_judge_that_obeys_the_response(endpoint, judge_for):
    probes = injection(judge_for(endpoint("--gullible")), "mathvista", numbered(20))
    order = next(p for p in probes if p.name == "order")
    assert (order.raised, order.lowered) == (1, 10)
    lines = list(report("injection", judge_for(endpoint("--gullible")), "mathvista", numbered(20)))
    assert [line[:14].strip() for line in lines] == ["probe", *ATTACKS]
    assert lines[1 + list(ATTACKS).index("order")].split()[-2:] == ["1", "10"]


@pytest.mark.skipif("mathverse" not in __import__("mmmath_tasks").benchmarks(), reason="needs MathVerse's metrics")
def test_swap_probe(endpoint, judge_for):
    cases = [
        Case(Problem("mathverse", str(i), "Which?", answer="7", answer_type="expression"), "7" if i % 2 else "8")
        for i in range(10)
    ]
    probe = swap(judge_for(endpoint()), cases)
    assert (probe.agreement.count, probe.raised, probe.lowered) == (10, 0, 0)
    biased = swap(judge_for(endpoint("--biased")), cases)
    assert biased.raised + biased.lowered == 5
    assert list(report("swap", judge_for(endpoint()), "mathverse", cases)) == [
        "probe          items  agreement [95 %]        kappa  wrong to right  right to wrong",
        "swap              10  1.000 [0.722, 1.000]   1.000               0               0",
    ]

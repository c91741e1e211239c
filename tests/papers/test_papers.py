"""The papers' tables: whole, consistent with themselves, and in terms of our scores."""

import math

import pytest

import mmmath_tasks as mm
from mmmath_tasks import papers
from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.run import problems_of
from mmmath_tasks.problem import Scorecard

NAMES = ("mathvista", "mathvision", "mathverse", "wemath", "mathopeval")


@pytest.mark.parametrize("name", NAMES)
def test_every_column_is_a_score_of_ours(name):
    known = mm.benchmark(name)
    problems, _ = problems_of(name, "sample", None)
    card = known.summarise(problems, [known.score(p, "Answer: A") for p in problems])
    ours = {(s.metric, s.group) for s in card.scores}
    for table in papers.tables(name):
        for row in table.rows:
            for metric, group, _ in row.values:
                assert metric == "cot_e" or (metric, group) in ours, (metric, group)


@pytest.mark.parametrize("name", NAMES)
def test_values_are_fractions_and_names_do_not_repeat_within_a_table(name):
    for table in papers.tables(name):
        assert table.citation.startswith(("Table ", "main results, "))
        names = [(row.name, row.input) for row in table.rows]
        assert len(set(names)) == len(names)
        for row in table.rows:
            assert row.values
            assert all(0 <= value <= 1 for value in row.values.values())


def test_known_rows():
    def value(name, split, row, key, which=0):
        return next(r for r in papers.tables(name, split)[which].rows if r.name == row).values[key]

    assert value("mathvista", "testmini", "Human", ("acc", "", "")) == 0.603
    assert value("mathvista", "test", "Frequent guess", ("acc", "", "")) == 0.2348
    assert value("mathvision", "test", "Human", ("acc", "subject", "topology")) == 0.998
    assert value("mathverse", "testmini", "GPT-4V", ("acc", "version", "Vision Only")) == pytest.approx(0.316)
    assert value("wemath", "testmini", "Random choice", ("score_strict", "", ""), 1) == pytest.approx(0.011)


def test_mathverse_all_is_the_mean_of_the_five_with_pictures():
    odd = []
    for table in papers.tables("mathverse"):
        for row in table.rows:
            versions = [v for (_, group, part), v in row.values.items() if group and part != "Text Only"]
            overall = next(v for (_, group, _), v in row.values.items() if not group)
            if len(versions) == 5 and not math.isclose(overall, sum(versions) / 5, abs_tol=0.0011):
                odd.append((table.table, row.name))
    assert odd == [("Table 3", "mPLUG-Owl2")]  # printed as 4.6 where its columns give 5.9


def test_wemath_scores_follow_from_their_parts():
    odd = []
    for table in papers.tables("wemath"):
        for row in table.rows:
            v = {key[0]: value for key, value in row.values.items()}
            if "score_strict" in v:
                for reading in ("strict", "loose"):
                    if not math.isclose(v[f"score_{reading}"], v["ig"] / 2 + v[f"cm_{reading}"], abs_tol=0.0016):
                        odd.append((table.table, row.name, reading))
    # as printed: 15.2 / 2 + 52.3 is 59.9, not 60.6
    assert odd == [("Table 3", "GPT-4o", "loose"), ("Table 11", "GPT-4o", "loose")]


@pytest.mark.parametrize(
    ("provenance", "total", "split"),
    [
        ({"task": "mathvista_testmini"}, 4, "testmini"),
        ({"task": "mathvista_test"}, 4, "test"),
        ({"task": "mathvista_testmini_cot_2shot"}, 4, "testmini"),
        ({"task": "mathvista_sample"}, 24, "sample"),
        ({"split": "test"}, 10, "test"),
        ({}, 1000, "testmini"),
        ({}, 999, None),
        ({"task": "somebody_elses"}, 1000, None),
    ],
)
def test_the_split_of_a_scorecard(provenance, total, split):
    card = Scorecard("mathvista", "acc", (), {"total": total}, provenance)
    assert papers.split_of(card) == split


def test_a_benchmark_without_a_paper_has_no_tables():
    assert papers.tables("chess") == ()
    assert papers.problems("chess", "test") is None
    assert papers.title("chess") == "chess"
    assert papers.problems("mathvista", "testmini") == 1000


@pytest.mark.parametrize(
    ("text", "said"), [('{"title": 3', "not JSON: Expecting"), ("[]", "expected an object, got list")]
)
def test_a_broken_record_is_named(tmp_path, monkeypatch, text, said):
    monkeypatch.setattr(papers, "files", lambda package: tmp_path)
    (tmp_path / "geomark.json").write_text(text)
    with pytest.raises(InputError, match=rf"^papers/geomark\.json: {said}"):
        papers.title("geomark")

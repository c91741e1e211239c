"""MathVista's official rule against the authors' published verdicts and score files."""

import json

import pytest

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathvista as metric
from support.published import by_run

SHORT = {"skills": "skill"}  # upstream's name of a breakdown, ours


@pytest.fixture(scope="session")
def rows(shared):
    return {row["pid"]: row for row in mm.benchmark("mathvista").rows.read(shared / "data" / "mathvista", "testmini")}


@pytest.fixture(scope="session")
def problems(rows):
    return {pid: mm.benchmark("mathvista").problem(row) for pid, row in rows.items()}


@pytest.fixture(scope="session")
def runs(shared):
    found = by_run(shared / "oracle" / "mathvista_rows.jsonl.gz")
    return {name: {row["id"]: row for row in rows} for name, rows in found.items()}


@pytest.fixture(scope="session")
def expected(shared):
    return json.loads((shared / "oracle" / "mathvista_expected.json").read_text())["runs"]


def test_the_query_is_rebuilt_byte_for_byte_but_for_five(rows):
    mathvista = mm.benchmark("mathvista")
    bare = {pid: mathvista.problem({k: v for k, v in row.items() if k != "query"}) for pid, row in rows.items()}
    differ = {pid for pid, row in rows.items() if mathvista.prompt(bare[pid]) != row["query"]}
    assert differ == {"237", "353", "617", "833", "999"}
    assert all(mathvista.prompt(bare[pid]).rstrip() == rows[pid]["query"] for pid in differ)


def own_rule(expected, name):
    """The integer rule that a run was scored by when it was published."""
    return "int_float" if expected[name]["integer_rule"] == "head" else "int"


@pytest.mark.parametrize("rule", ["published", "int_float"])
def test_every_published_verdict(runs, problems, expected, rule):
    assert sum(map(len, runs.values())) == 13_000
    columns = ["prediction", "true_false"]
    for name, run in runs.items():
        chosen = own_rule(expected, name) if rule == "published" else rule
        for pid, row in run.items():
            if row["extraction"] is None:
                assert (name, pid) in {("chatgpt", "2"), ("chatgpt", "4")}
                continue
            verdict = metric.score(problems[pid], row["response"], extraction=row["extraction"], integer_rule=chosen)
            wanted = [row.get(f"head_{c}", row[c]) if rule == "int_float" else row[c] for c in columns]
            assert [verdict.prediction, verdict.official] == wanted, (name, pid)


def test_every_published_score_cell(runs, rows, expected):
    mathvista = mm.benchmark("mathvista")
    cells, differ = 0, set()
    for name, run in runs.items():
        rule = own_rule(expected, name)
        pairs = []
        for pid, row in run.items():
            # the metadata that the authors' file carried when it was scored
            own = {"skills": row["metadata_skills"], "grade": row["metadata_grade"]}
            problem = mathvista.problem({**rows[pid], "metadata": {**rows[pid]["metadata"], **own}})
            extraction = row["extraction"]
            missing = mm.Verdict(pid, False, False)  # upstream counted chatgpt's two failed calls as wrong
            verdict = (
                missing if extraction is None else metric.score(problem, "", extraction=extraction, integer_rule=rule)
            )
            pairs.append((problem, verdict))
        card = mathvista.summarise(*map(list, zip(*pairs, strict=True)))
        # the score file beside the leaderboard template is not of that template's answers (it holds random chance's
        # figures); what upstream's own code gives for them is
        which = "recomputed strict_int|own" if name.startswith("testmini_template") else "published"
        for group, slices in expected[name][which].items():
            for slice_name, (correct, total) in slices.items():
                where = ("", "") if group == "average" else (SHORT.get(group, group), slice_name)
                score = card.get("acc", *where)
                cells += 1
                if (round(score.value * score.count), score.count) != (correct, total):
                    differ.add((name, *where))
    # upstream's own code, run again, does not give this published cell either
    assert differ == {("chatgpt", "skill", "geometry reasoning")}
    assert cells == 13 * len([s for g in expected["chatgpt"]["published"].values() for s in g])


def test_a_thousand_empty_extractions_earn_168(problems):
    verdicts = [metric.score(p, "", extraction="") for p in problems.values()]
    assert sum(v.official for v in verdicts) == 168
    assert not any(v.verified for v in verdicts)

"""We-Math against upstream's output on 25 sets of predictions over the real problems."""

import json
import math
from collections import Counter, defaultdict

import pytest

import mmmath_tasks as mm
from mmmath_tasks.hub_datasets import wemath as rows_of
from mmmath_tasks.hub_datasets.wemath_knowledge import PLACES
from mmmath_tasks.metrics import wemath
from support.published import by_run

DIMENSIONS = {
    "Score": "score",
    "InsufficientKnowledge": "ik",
    "InadequateGeneralization": "ig",
    "CompleteMastery": "cm",
    "RoteMemorization": "rm",
}
MISSING_ROWS = "48"


@pytest.fixture(scope="session")
def rows(shared):
    return list(rows_of.read(shared / "data" / "wemath", "testmini"))


@pytest.fixture(scope="session")
def problems(rows):
    return {problem.id: problem for problem in map(rows_of.problem, rows)}


@pytest.fixture(scope="session")
def sets(shared):
    return by_run(shared / "oracle" / "wemath_rows.jsonl.gz")


@pytest.fixture(scope="session")
def expected(shared):
    return json.loads((shared / "oracle" / "wemath_expected.json").read_text())["sets"]


def official(row, problems):
    """The verdict without the verified side, which is slow and not asked for here."""
    letter = wemath.official_letter(row["response"] or "")
    return mm.Verdict(row["id"], letter == problems[row["id"]].answer, None, prediction=letter)


def card(rows, problems):
    return wemath.summarise(list(problems.values()), [official(row, problems) for row in rows])


def test_every_extraction_and_verdict(sets, problems):
    assert len(sets) == 25
    for rows in sets.values():
        for row in rows:
            verdict = official(row, problems)
            assert (verdict.prediction, verdict.official) == (row["extraction"], row["correct"]), row


def test_every_figure_where_all_rows_are_present(sets, problems, expected):
    figures = 0
    for name, rows in sets.items():
        if name == MISSING_ROWS:
            continue
        found = card(rows, problems)
        for wanted, metric, group, part in upstreams(expected[name]):
            assert 100 * found.value(metric, group, part) == pytest.approx(wanted, abs=0.01), (name, metric, part)
            figures += 1
        assert found.counts["problems_complete"] == 525
    assert figures == 24 * (10 + 3 + 12 + 67) - 10  # upstream divides by zero on the set without any answer


def upstreams(expected):
    """Yield every figure of one set: percent, and where we have it."""
    for name, cell in (expected["four_dim"] or {}).items():
        label, _, reading = name.partition(" (")
        short = DIMENSIONS[label]
        metric = short if short in ("ik", "ig") else f"{short}_{reading.rstrip(')').lower()}"
        yield float(cell.split("%")[0]), metric, "", ""
    for name, cell in expected["accuracy"].items():
        step = {"One-step(S1)": "s1", "Two-step(S2)": "s2", "Three-step(S3)": "s3"}.get(name)
        yield float(cell.rstrip("%")), step or "s1", "" if step else "topic", "" if step else name
    for name, share in expected["accuracy_raw"]["concepts"].items():
        yield 100 * share, "s1", "concept", name


def test_nothing_answered(sets, problems, expected):
    """Upstream stops with a division by zero; nobody learns anything by rote there."""
    (name,) = [n for n, e in expected.items() if e["desc"]["kind"] == "all_empty"]
    assert expected[name]["four_dim_error"].startswith("ZeroDivisionError")
    found = card(sets[name], problems)
    assert (found.value("score_strict"), found.value("ik")) == (0, 1)
    assert math.isnan(found.value("rm_strict"))
    assert found.get("rm_strict").count == 0


def test_missing_rows_do_not_raise_the_score(sets, problems, expected):
    rows = sets[MISSING_ROWS]
    assert len(rows) < len(problems)
    found = card(rows, problems)
    inflated = float(expected[MISSING_ROWS]["four_dim"]["Score (Strict)"].rstrip("%")) / 100
    assert found.counts["problems_complete"] + found.counts["problems_incomplete"] == 525
    assert found.counts["problems_incomplete"] == 267
    assert found.value("score_strict") < inflated - 0.2
    # the whole set without the holes is another matter: what the complete problems say
    given = {row["id"] for row in rows}
    of = defaultdict(list)
    for problem in problems.values():
        of[problem.extra["problem"]].append(problem)
    whole = {p.id for group in of.values() if all(q.id in given for q in group) for p in group}
    same = wemath.summarise(
        [problems[i] for i in whole], [official(row, problems) for row in rows if row["id"] in whole]
    )
    assert same.value("score_strict") == found.value("score_strict")


def test_always_a(problems):
    found = wemath.summarise(
        list(problems.values()), [mm.Verdict(p.id, p.answer == "A", None) for p in problems.values()]
    )
    percent = {name: round(100 * found.value(name), 2) for name in ("score_strict", "score_loose", "s1", "s2", "s3")}
    assert percent == {"score_strict": 11.14, "score_loose": 29.24, "s1": 35.56, "s2": 29.72, "s3": 27.88}
    shares = {"ik": 365 / 525, "ig": 7 / 525, "cm_strict": 55 / 525, "cm_loose": 150 / 525}
    shares |= {"rm_strict": 98 / 153, "rm_loose": 3 / 153}
    assert {name: found.value(name) for name in shares} == pytest.approx(shares)


def test_rows(rows, problems):
    assert len(problems) == 1740
    assert Counter(p.groups["step"][0] for p in problems.values()) == {
        "one-step": 1215,
        "two-step": 360,
        "three-step": 165,
    }
    assert {p.groups["topic"][0] for p in problems.values() if "topic" in p.groups} == set(wemath.TOPICS)
    assert {p.groups["domain"][0] for p in problems.values() if "domain" in p.groups} == set(wemath.DOMAINS)
    assert {p.groups["concept"][0] for p in problems.values() if "concept" in p.groups} == set(PLACES)
    assert all(4 <= len(p.choices) <= 7 for p in problems.values())
    assert all(p.answer < chr(ord("A") + len(p.choices)) for p in problems.values())
    holes = {p.id for p in problems.values() if "" in p.choices}
    assert holes == {"2steps_94|2steps_1"}  # upstream letters it A, B, C, F


def test_the_knowledge_structure(shared):
    nodes = json.loads((shared / "data" / "wemath" / "knowledge_structure_nodes.json").read_text())
    found = {
        n["root4"] or n["root3"]: (n["root1"], n["root2"], n["root3"] if n["root4"] else "")
        for n in ({"root4": None} | node for node in nodes)
    }
    assert {concept: (p.domain, p.topic, p.section) for concept, p in PLACES.items()} == found
    assert len(PLACES) == 67


def test_a_short_run_has_whole_problems(rows):
    order = rows_of.arrange(rows)
    assert sorted(order) == list(range(len(rows)))
    first = [rows_of.problem(rows[i]) for i in order[:100]]
    complete = Counter(p.extra["problem"][0] for p in first if p.extra["key"].endswith("multi"))
    assert complete["2"] >= 18
    assert complete["3"] >= 8

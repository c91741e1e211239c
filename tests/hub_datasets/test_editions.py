"""The editions: facts of the papers, statistics over rows, configurations of facts."""

import json
import math
from collections import Counter

import pytest

from mmmath_tasks.hub_datasets import mathvista, wemath_knowledge
from mmmath_tasks.hub_datasets.publishing.build import build
from mmmath_tasks.hub_datasets.publishing.edition import edition
from mmmath_tasks.hub_datasets.publishing.snapshot import Folder, layout, rows
from mmmath_tasks.metrics.mathvista import TASKS
from support import mathvista_folder, upstream_folders


def facts(folder, config):
    place = Folder(folder)
    return list(rows(place, layout(place)[config]["metadata"]))


@pytest.fixture(scope="module")
def vista(tmp_path_factory):
    """MathVista with both splits; the answers of the second are hidden."""
    folder = tmp_path_factory.mktemp("vista")
    source = mathvista_folder.write(folder / "source", "testmini", 5)
    mathvista_folder.write(source, "test")
    hidden = json.loads((source / "test.json").read_text())
    for row in hidden.values():
        row["answer"] = ""
    (source / "test.json").write_text(json.dumps(hidden))
    build("mathvista", str(source), folder / "out")
    return folder


def test_the_31_sources_are_those_of_table_5_with_their_questions_counted(vista):
    found = facts(vista / "out", "mathvista_sources")
    assert len({row["source"] for row in found}) == 31
    assert Counter(row["category"] for row in found) == {"math-targeted-vqa": 12, "general-vqa": 19}
    assert [row["source"] for row in found if row["newly_annotated"]] == ["IQTest", "PaperQA", "FunctionQA"]
    assert {row["task"] for row in found} == set(TASKS)
    assert {skill for row in found for skill in row["skills"]} == set(mathvista.SKILLS)
    for split in ("testmini", "test"):
        sources = Counter(row["metadata"]["source"] for row in mathvista.read(vista / "source", split))
        named = {row["source"]: row[split] for row in found if row[split]}
        assert named == {source: count for source, count in sources.items() if source in {r["source"] for r in found}}


def test_testmini_is_compared_with_the_whole_set(vista):
    part = Counter(row["metadata"]["source"] for row in mathvista.read(vista / "source", "testmini"))
    whole = part + Counter(row["metadata"]["source"] for row in mathvista.read(vista / "source", "test"))
    kl = sum(n / part.total() * math.log(n / part.total() / (whole[s] / whole.total())) for s, n in part.items())
    tv = sum(abs(part[s] / part.total() - whole[s] / whole.total()) for s in whole) / 2
    card = (vista / "out" / "README.md").read_text()
    assert kl > 0.01 < tv
    assert f"| Kullback-Leibler divergence (nats) | 0.008 | {kl:.3f} |" in card
    assert f"| Total variation distance | 0.035 | {tv:.3f} |" in card


def test_hidden_answers_are_no_oddity_and_not_counted(vista):
    record = json.loads((vista / "out" / "build.json").read_text())
    assert "no_answer" not in record["anomalies"].get("test", {})
    assert "test's answers were never released" in (vista / "out" / "README.md").read_text()


def test_mathvisions_subjects_and_levels_are_all_defined(tmp_path):
    build("mathvision", str(upstream_folders.mathvision(tmp_path / "source", 9)), tmp_path / "out", splits=["test"])
    subjects = facts(tmp_path / "out", "mathvision_subjects")
    assert len({row["subject"] for row in subjects}) == 16
    assert sum(row["test"] for row in subjects) == 9
    assert {row["testmini"] for row in subjects} == {None}
    levels = facts(tmp_path / "out", "mathvision_levels")
    assert [row["level"] for row in levels] == [1, 2, 3, 4, 5]
    assert sum(row["test"] for row in levels) == 9
    assert all(row["definition"] for row in (*subjects, *levels))


def step(name, key, concept, answer="A"):
    described = {"knowledge concept description": f"about {concept}"}
    return {"ID": name, "key": key, "knowledge concept": concept, "answer": answer, **described}


def test_mathopevals_table_1_stands_beside_the_built_set_row_by_row():
    made = {
        "mc": [{"sample": "bar_1", "type": "bar", "task": "mcg", "question": "Which?", "choices": ["a", "bcd"]}],
        "gen": [{"sample": "bar_1", "type": "bar", "task": "mcg", "question": "Draw", "answer": "draw()"}] * 2,
    }
    shown = {split: [{"picture": None, "target_picture": None, **row} for row in rows] for split, rows in made.items()}
    (found,) = edition("mathopeval").statistics(shown)
    lengths = [(line.name, line.paper, line.built) for line in found.lines if "length" in line.name]
    assert lengths == [
        ("- mean question length (characters)", "89.52", {"mc": "6.00"}),
        ("- mean choice length (characters)", "132.12", {"mc": "2.00"}),
        ("- mean question length (characters)", "868.64", {"gen": "4.00"}),
        ("- mean answer length (characters)", "783.77", {"gen": "6.00"}),
    ]
    papers = {line.name: line.paper for line in found.lines}
    assert (papers["Questions"], papers["Images"]) == ("17,845", "7,552")
    assert (papers["Multiple-choice questions"], papers["Free-form questions"]) == ("10,293", "7,552")


AREA, LENGTH = list(wemath_knowledge.PLACES)[:2]


@pytest.mark.parametrize(
    ("rows", "expected"),
    [
        ([("2steps_1", AREA), ("2steps_2", LENGTH), ("2steps_multi", f"{AREA}; {LENGTH}")], set()),
        ([("2steps_1", AREA), ("2steps_multi", AREA)], {"incomplete_problem"}),
        ([("2steps_1", AREA), ("2steps_2", LENGTH)], {"incomplete_problem"}),
        ([("2steps_1", AREA), ("2steps_2", LENGTH), ("2steps_multi", "Counting")], {"unrelated_concepts"}),
        ([("2steps_1", AREA), ("2steps_2", LENGTH), ("2steps_multi", AREA, "B")], {"other_letter"}),
        ([("2steps_1", AREA), ("2steps_2", "Alchemy"), ("2steps_multi", AREA)], {"unknown_concept"}),
    ],
)
def test_wemaths_problems_whose_rows_do_not_fit_are_seen(rows, expected):
    problem = [step("2steps_7", *row) for row in rows]
    assert {kind for _, kind, _ in edition("wemath").odd({"testmini": problem})} == expected


def test_wemaths_concepts_have_one_description():
    found = [
        step("2steps_7", "2steps_1", AREA),
        step("2steps_7", "2steps_2", AREA),
        step("2steps_7", "2steps_multi", AREA),
    ]
    found[1]["knowledge concept description"] = "something else"
    assert ("testmini", "several_descriptions", AREA) in list(edition("wemath").odd({"testmini": found}))

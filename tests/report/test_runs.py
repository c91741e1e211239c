"""Scorecards and the responses beside them: names, colours, the lines of lm-eval."""

import copy
import json

import pytest

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.errors import InputError
from mmmath_tasks.model_card import results
from mmmath_tasks.model_card.doubts import doubts
from mmmath_tasks.outputs.submission import rows_of
from mmmath_tasks.problem import Score, Scorecard
from mmmath_tasks.report.figures import figures
from mmmath_tasks.report.runs import read_card, read_runs, samples, sections
from support.whole_run import card as whole

DATE = "2026-11-28T00-41-10.123456"


def write(folder, name, benchmark="mathvista", **provenance):
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"scorecard_{name}.json"
    path.write_text(Scorecard(benchmark, "acc", (Score("acc", "", "", 0.5, 2),), {}, provenance).to_json())
    return path


def test_names_come_from_the_model_else_from_the_file(tmp_path):
    paths = [
        write(tmp_path, f"mathvista_testmini_{DATE}", model="org/some-model"),
        write(tmp_path, f"mathvision_test_{DATE}", "mathvision"),
        write(tmp_path, "my_run"),
    ]
    assert [run.name for run in read_runs(paths)] == ["some-model", "mathvision_test", "my_run"]
    assert [run.name for run in read_runs(paths, ["a", "b", "c"])] == ["a", "b", "c"]


def test_runs_of_one_model_are_told_apart_within_a_benchmark_only(tmp_path):
    paths = [
        write(tmp_path, f"mathvista_testmini_{DATE}", model="m"),
        write(tmp_path, f"mathvista_testmini_text_{DATE}", model="m"),
        write(tmp_path, f"mathvision_test_{DATE}", "mathvision", model="m"),
    ]
    names = [run.name for run in read_runs(paths)]
    assert names == ["m (mathvista_testmini)", "m (mathvista_testmini_text)", "m"]
    twins = [write(tmp_path / "a", "x", model="m"), write(tmp_path / "b", "x", model="m")]
    assert [run.name for run in read_runs(twins)] == ["m (x)", "m (x) #2"]


def test_a_name_has_one_colour_and_no_two_of_a_benchmark_share_one(tmp_path):
    paths = [
        write(tmp_path, "a1", model="a"),
        write(tmp_path, "b1", model="b"),
        write(tmp_path, "b2", "mathvision", model="b"),
        write(tmp_path, "c2", "mathvision", model="c"),
        write(tmp_path, "a3", "wemath", model="a"),
    ]
    runs = read_runs(paths)
    colours = {}
    for run in runs:
        assert colours.setdefault(run.name, run.colour) == run.colour
    assert [colours[name] for name in "abc"] == [0, 1, 0]


def test_sections_are_named_by_split_and_whether_they_are_whole(tmp_path):
    asked = [("mathvision", "test", 3040), ("mathvision", "testmini", 7), ("mathvision", None, 77)]
    paths = []
    for benchmark, split, total in [*asked, ("mathvista", "testmini", 1000)]:
        about = {"split": split} if split else {}
        one = Scorecard(benchmark, "acc", (Score("acc", "", "", 0.5, total),), {"total": total}, about)
        paths.append(tmp_path / f"scorecard_{len(paths)}.json")
        paths[-1].write_text(one.to_json())
    assert [(s.name, s.title, s.split, s.partial) for s in sections(read_runs(paths))] == [
        ("mathvision_test", "MATH-Vision, test", "test", False),
        ("mathvision_testmini_partial", "MATH-Vision, testmini, partial runs", "testmini", True),
        ("mathvision_split_not_known", "MATH-Vision, split not known", None, False),
        ("mathvista", "MathVista", "testmini", False),
    ]


def test_folders_are_searched_and_names_must_fit(tmp_path):
    write(tmp_path / "deep" / "er", "one")
    write(tmp_path, "two")
    assert len(read_runs([tmp_path])) == 2
    with pytest.raises(InputError, match="1 names for 2 scorecards"):
        read_runs([tmp_path], ["only"])


def test_lines_that_lm_eval_wrote(tmp_path):
    known = mm.benchmark("mathvista")
    rows = rows_of("mathvista", "sample", None)[:3]
    path = write(tmp_path, f"mathvista_sample_{DATE}")
    lines = []
    for kind in ("none", "judge"):  # a document is written once for every filter
        for i, row in enumerate(rows):
            verdict = known.score(known.problem(row), f"Answer: {row['answer']}").to_dict()
            doc = {"id": row["pid"], **row, "prompt": f"Asked {i}", "benchmark": "mathvista"}
            lines.append(
                {"doc_id": i, "doc": doc, "resps": [[f"Answer: {row['answer']}"]], "filter": kind, "extracted": verdict}
            )
    beside = tmp_path / f"samples_mathvista_sample_{DATE}.jsonl"
    beside.write_text("".join(json.dumps(line) + "\n" for line in lines))
    (run,) = read_runs([path])
    found = list(samples(run))
    assert [s.problem.id for s in found] == [row["pid"] for row in rows]
    assert [s.prompt for s in found] == ["Asked 0", "Asked 1", "Asked 2"]
    assert all(s.response.startswith("Answer: ") and s.verdict.verified for s in found)


PROBLEM = {"benchmark": "mathvista", "id": "1", "question": "?"}
VERDICT = {"id": "1", "official": True, "verified": True}


def sample(problem=(), **changes):
    return json.dumps({"problem": {**PROBLEM, **dict(problem)}, "response": "A", "verdict": VERDICT, **changes})


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("[]", "expected an object with problem, response and verdict, or with doc, resps and extracted"),
        ("{}", "expected an object with"),
        ('{"doc": {}}', "expected an object with"),
        ('{"problem": {}, "verdict": {}}', "expected an object with"),
        ("null", "expected an object with"),
        ('"text"', "expected an object with"),
        ('{"doc": [], "resps": [], "extracted": {}}', "doc should be an object, is []"),
        ('{"doc": {"pid": 3}, "resps": [], "extracted": {}}', "column"),
        (
            '{"doc": {"pid": "3", "metadata": {}, "precision": Infinity}, "resps": [], "extracted": {}}',
            "column 'precision' should be a number or null, got inf",
        ),
        ("{", "Expecting property name enclosed in double quotes at column 2"),
        ("[" * 100_000, "Brackets nested too deep"),
        (sample({"id": ["1"]}), "id should be str, is ['1']"),
        (sample({"benchmark": []}), "benchmark should be str, is []"),
        (sample(verdict=3), "expected an object, got int"),
        (b"\xff" + sample().encode(), "'utf-8' codec can't decode byte 0xff"),
        (sample().encode("utf-16"), "'utf-8' codec can't decode byte 0xff"),
    ],
    ids=range(16),
)
def test_other_lines_are_named(line, said, tmp_path):
    path = write(tmp_path, "x")
    line = line if isinstance(line, bytes) else line.encode()
    (tmp_path / "samples_x.jsonl").write_bytes(sample().encode() + b"\n\n" + line + b"\n")
    (run,) = read_runs([path])
    with pytest.raises(InputError, match=r"samples_x\.jsonl: line 3: not a response") as raised:
        list(samples(run))
    assert said in str(raised.value)


def places(value, path=()):
    """Yield the path to every value within a JSON value."""
    yield path
    if isinstance(value, dict | list):
        for key, inner in value.items() if isinstance(value, dict) else enumerate(value):
            yield from places(inner, (*path, key))


@pytest.mark.parametrize(
    "value", [None, True, "61", "", [], {}, ["a"], -1, 1e300, 10**400, float("inf")], ids=lambda v: repr(v)[:9]
)
def test_whatever_stands_in_a_scorecard_is_used_or_refused_in_one_line(value, tmp_path):
    record, path = whole().to_dict(), tmp_path / "scorecard_x.json"
    refused = 0
    for place in list(places(record))[1:]:
        spoilt = copy.deepcopy(record)
        at = spoilt
        for key in place[:-1]:
            at = at[key]
        at[place[-1]] = value
        path.write_text(json.dumps(spoilt))
        try:
            (run,) = read_runs([path])
            about = results.subject(run.card)
            list(doubts(run.card, about.task))
            results.index(run.card, about), results.notes(run.card, about)
            if place[0] != "provenance":
                [list(figures(section)) for section in sections([run])]
        except InputError:
            refused += 1
    assert refused


@pytest.mark.parametrize("name", ["../../up", "\ud800", "a/b", "nul\x00"], ids=ascii)
def test_no_name_in_a_scorecard_leads_out_of_the_report(name, tmp_path):
    scores = [Score("acc", "", "", 0.5, 2), Score("acc", name, "x", 0.5, 2), Score(name, "", "", 0.5, 2)]
    paths = []
    for headline in ("acc", name):
        paths.append(tmp_path / f"scorecard_{len(paths)}.json")
        record = Scorecard("mathvista", headline, tuple(scores), {}, {"model": name}).to_dict()
        paths[-1].write_text(json.dumps(record))
    assert main(["report", *map(str, paths), "-o", str(tmp_path / "in" / "out")]) == 0
    made = {path.relative_to(tmp_path).parts[0] for path in tmp_path.rglob("*")}
    assert made == {"scorecard_0.json", "scorecard_1.json", "in"}
    assert len(list((tmp_path / "in" / "out" / "plots").glob("*.svg"))) == 3


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[" * 100_000, "Brackets nested too deep"),
        ("3", "expected an object, got int"),
        ('{"benchmark": "mathvista", "headline": "acc", "scores": [], "counts": null}', "counts should be Mapping"),
    ],
    ids=["deep", "number", "counts"],
)
def test_what_is_no_scorecard_is_said(text, said, tmp_path):
    path = tmp_path / "scorecard_x.json"
    path.write_text(text)
    with pytest.raises(InputError, match="not a scorecard") as raised:
        read_card(path)
    assert str(path) in str(raised.value)
    assert said in str(raised.value)

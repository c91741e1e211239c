"""What a scored file says of itself: its record and its remarks in full, what it writes, and what it refuses."""

import json
import re

import pytest

import mmmath_tasks as mm
from mmmath_tasks.outputs.comparison import compared, comparison_lines, comparison_record
from mmmath_tasks.outputs.names import run_name
from mmmath_tasks.outputs.rescoring import rescore
from mmmath_tasks.outputs.run import benchmark_of, score_file
from mmmath_tasks.outputs.run_text import account_lines
from mmmath_tasks.outputs.saved import open_saved
from support.sample_rows import rows_without_pictures

ROW = {"question": "How many?", "options": [], "answer": "12", "level": 2, "subject": "algebra"}


def written(path, *rows):
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


def folder(tmp_path):
    """A data set of four problems."""
    (tmp_path / "data").mkdir()
    for split in ("test", "testmini"):
        written(tmp_path / "data" / f"{split}.jsonl", *({**ROW, "id": f"p{i}"} for i in range(4)))
    return str(tmp_path / "data")


def said(i, text, **more):
    return {"id": f"p{i}", "response": text, **more}


def test_the_record_of_a_run_in_full(tmp_path):
    path = written(
        tmp_path / "samples_a.jsonl", said(0, "\\boxed{12}", hit=1), said(1, "", hit=1), said(1, "1"), said(7, "2")
    )
    data, out = folder(tmp_path), tmp_path / "out"
    out.mkdir()
    run = rescore(path, name="mathvision", split="testmini", data_dir=data, out=out)
    revision = run.card.provenance["data_revision"]
    assert re.fullmatch("local rows sha256:[0-9a-f]{16}", revision)
    assert run.card.provenance == {
        "rule_version": "4",
        "responses": "samples_a.jsonl",
        "format": "table",
        "data_revision": revision,
        "split": "testmini",
        "response_columns": {"response": 2},
        "extractions": "0 of 2 from the file",
        "stored_verdicts": {"column": "hit", "rows": 2, "not_ours": 1, "inverted": False},
        "mmmath_tasks": mm.__version__,
    }
    counts = {"total": 4, "scored": 2, "unscored": 0, "missing": 2, "empty": 1, "refusal": 0, "truncated": 0}
    assert run.card.counts == {**counts, "unextracted": 0, "extra": 1, "duplicate": 1}
    assert [*run.lines()] == [
        "scored: responses in column 'response' (2 rows)",
        "1 of 2 verdicts stored in the file (hit) are not ours (official): p1",
        "2 problems have no response: p2, p3",
        "1 responses belong to no problem: p7",
        "1 rows repeat an id (the first response counts): p1",
        "1 empty",
    ]
    assert sorted(p.name for p in out.iterdir()) == ["samples_a.jsonl", "scorecard_a.json"]
    assert mm.Scorecard.from_json((out / "scorecard_a.json").read_text()) == run.card
    rows = [json.loads(line) for line in (out / "samples_a.jsonl").read_text().splitlines()]
    assert [(row["problem"]["id"], row["response"], *row) for row in rows] == [
        (f"p{i}", text, "problem", "response", "verdict") for i, text in enumerate(["\\boxed{12}", ""])
    ]
    assert [mm.Verdict.from_dict(row["verdict"]) for row in rows] == [*run.verdicts]
    again = rescore(out / "samples_a.jsonl", out=out)  # its own samples stay
    assert again.card.provenance["data_revision"] == "the file's own columns"
    assert "split" not in again.card.provenance
    assert {p.name for p in out.iterdir()} == {
        "samples_a.jsonl", "scorecard_a.json", "samples_samples_a.jsonl", "scorecard_samples_a.json",
    }  # fmt: skip


@pytest.mark.parametrize(
    ("name", "run"),
    [("a.jsonl", "a"), ("samples_a.b.jsonl", "a.b"), ("samples_.csv", "samples_"), ("samples", "samples")],
)
def test_what_a_run_is_called(tmp_path, name, run):
    assert run_name(tmp_path / name) == run
    rows = written(tmp_path / name, {**ROW, **said(0, "12"), "benchmark": "mathvision"})
    assert score_file(rows).name == run


def test_a_short_answer_is_written_beside_its_verdict(tmp_path):
    path = written(tmp_path / "a.jsonl", {**ROW, **said(0, "It is 7."), "mine": "12"})
    (tmp_path / "out").mkdir()
    rescore(path, name="mathvision", extraction_column="mine", out=tmp_path / "out")
    (row,) = map(json.loads, (tmp_path / "out" / "samples_a.jsonl").read_text().splitlines())
    assert (row["response"], row["detail"], row["verdict"]["official"]) == ("It is 7.", {"extraction": "12"}, True)


def test_files_of_one_model_are_votes_on_answers_that_are_equal_by_value(tmp_path):
    texts = ["\\boxed{3}", "\\boxed{12.0}", "\\boxed{12}"]
    paths = [
        written(tmp_path / f"{name}.jsonl", {**ROW, **said(0, text), "seed": seed})
        for name, text, seed in zip("abc", texts, [5, 6, 5], strict=True)
    ]
    run = score_file(*paths, name="mathvision")
    assert (run.name, run.card.value("acc_verified"), run.card.value("acc_verified_maj@3")) == ("a", 0.0, 1.0)
    assert run.card.provenance["sampling"] == {
        "responses": 3,
        "seeds": ["5", "6"],
        "files": ["a.jsonl", "b.jsonl", "c.jsonl"],
        "standard_error": {},
    }
    alone = score_file(written(tmp_path / "d.jsonl", {**ROW, **said(0, ""), "response": texts}), name="mathvision")
    assert alone.card.provenance["sampling"] == {"responses": 3, "seeds": "not recorded", "standard_error": {}}
    assert alone.card.scores == run.card.scores
    two = [{**ROW, **said(i, ""), "response": ["\\boxed{12}", f"\\boxed{{{i}}}"]} for i in (11, 12)]
    found = score_file(written(tmp_path / "e.jsonl", *two), name="mathvision").card.provenance["sampling"]
    assert found["standard_error"]["acc"] == {"problems": 0.125, "samples": 0.25} | found["standard_error"]["acc"]
    assert set(found["standard_error"]) == {"acc", "acc_verified"}


KNOWN = "mathopeval, mathverse, mathvision, mathvista, wemath"


@pytest.mark.parametrize(
    ("row", "options", "message"),
    [
        (said(0, "1"), {}, f"PATH: which benchmark is it? Name it with --benchmark: {KNOWN}"),
        (
            said(0, "1", benchmark="mathvisoin"),
            {},
            f"PATH: unknown benchmark 'mathvisoin'; known: {KNOWN}; did you mean 'mathvision' or 'mathvista'?",
        ),
        (said(0, "1"), {"name": "x"}, f"unknown benchmark 'x'; known: {KNOWN}"),
        (
            {**ROW, **said(0, "1")},
            {"name": "wemath"},
            "PATH: its name or columns are those of mathvision, not of wemath",
        ),
        ({**ROW, **said(0, "1")}, {"options": {"x": 1}}, "mathvision has no option x"),
        (
            said(0, "1"),
            {"name": "mathvision"},
            "PATH: row 1: the problem is not in the file (MATH-Vision id p0: column 'options' should be "
            "a list of texts, got None); name the data with --data DIR, --split test (the Hub's) or --split sample "
            "(ours)",
        ),
    ],
)
def test_what_cannot_be_scored_is_said_in_full(tmp_path, row, options, message):
    path = written(tmp_path / "run.jsonl", row)
    with pytest.raises(mm.InputError) as error:
        score_file(path, **options)
    assert str(error.value) == message.replace("PATH", str(path))


def test_rows_of_another_split_are_refused_unless_it_is_named(tmp_path):
    path = written(tmp_path / "a.jsonl", *(said(i, "12") for i in (0, 7, 8)))
    data = folder(tmp_path)
    with pytest.raises(mm.InputError) as error:
        rescore(path, name="mathvision", data_dir=data)
    assert str(error.value) == (
        f"{path}: 1 of its rows belong to mathvision test, 2 do not: another benchmark's, or another split's? Name the "
        "split with --split to score those that do"
    )


def test_runs_of_two_benchmarks_are_not_compared(tmp_path):
    row = {**rows_without_pictures("mathvista")[0], "response": "12"}
    runs = [
        score_file(written(tmp_path / "a.jsonl", {**ROW, **said(0, "12")})),
        score_file(written(tmp_path / "b.jsonl", row), name="mathvista"),
    ]
    with pytest.raises(mm.InputError) as error:
        compared(runs, "official")
    assert str(error.value) == f"--compare: {tmp_path}/a.jsonl is mathvision, {tmp_path}/b.jsonl is mathvista"


@pytest.mark.parametrize(("count", "dots"), [(20, ""), (21, ", ...")])
def test_what_only_one_run_has_right_is_named_up_to_twenty(tmp_path, count, dots):
    runs = [
        score_file(written(tmp_path / f"{name}.jsonl", *({**ROW, **said(i, text)} for i in range(count))))
        for name, text in (("a", "13"), ("b", "12"))
    ]
    lines = [*comparison_lines(compared(runs, "official"), "official", False, 500)]
    assert lines[-1] == f"  right only in b: {', '.join(f'p{i}' for i in range(20))}{dots}"


def test_the_record_of_a_comparison_in_full(tmp_path):
    """Of six problems of level 1 and one of level 2 the second run has six and none right, the first none and one."""
    runs = [
        score_file(
            written(
                tmp_path / f"{name}.jsonl",
                *({**ROW, **said(i, texts[i == 6]), "level": 1 + (i == 6)} for i in range(7)),
            )
        )
        for name, texts in (("a", ("13", "12")), ("b", ("12", "13")))
    ]
    found = compared(runs, "verified")
    rows = {(row["group"], row["slice"]): row for row in comparison_record(found, "verified")}
    kinds = [("", ""), ("level", "1"), ("level", "2"), ("subject", "algebra")]
    assert [*rows] == [*kinds, ("subject x level", "algebra, level 1"), ("subject x level", "algebra, level 2")]
    about = {"first_run": "a", "second_run": "b", "rule": "verified"}
    whole = {"group": "", "slice": "", "count": 7, "first": 1 / 7, "second": 6 / 7, "only_first": 1, "only_second": 6}
    ends = {name: rows["", ""][name] for name in ("low", "high")}
    p = {"p": 0.125, "p_unadjusted": 0.125, "p_correction": "none"}
    assert rows["", ""] == {**about, **whole, **ends, **p, "change": 6 / 7 - 1 / 7}
    part = {"group": "level", "slice": "1", "count": 6, "first": 0.0, "second": 1.0, "only_first": 0, "only_second": 6}
    ends = {name: rows["level", "1"][name] for name in ("low", "high")}
    p = {"p": pytest.approx(5 * 2 / 2**6), "p_correction": "Holm over 5 slices of this pair"}
    assert rows["level", "1"] == {**about, **part, **ends, **p, "change": 1.0}
    several = comparison_record(compared([*runs, runs[0]], "verified"), "verified")
    assert {row["p_correction"] for row in several if not row["group"]} == {"Holm over 2 pairs"}


@pytest.mark.parametrize(("room", "between"), [(0, " "), (-1, "\n  ")])
def test_a_file_is_named_on_one_line_where_there_is_room(tmp_path, room, between):
    run = score_file(written(tmp_path / "run.jsonl", {**ROW, **said(0, "12")}))
    what = "authors' file, mathvision, 1 response"
    first, second, *_ = account_lines(run, len(f"{run.file.path}: {what}") + room)
    assert first == f"{run.file.path}:{between}{what}"
    assert second == "  scored: responses in column 'response' (1 row)"


def test_the_benchmark_that_the_user_names_is_that_of_the_file(tmp_path):
    file = open_saved(written(tmp_path / "run.jsonl", {**ROW, **said(0, "12")}))
    assert benchmark_of(file, None) == benchmark_of(file, "mathvision") == mm.benchmark("mathvision")

"""What rows show of their problems: a file of another benchmark, whose ids coincide, is refused."""

import json

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.outputs import shown as shown_module
from mmmath_tasks.scoring import benchmark
from support.sample_rows import rows

RECORD = ("category", "context", "grade", "skills", "task")


def written(path, name, change, **more):
    """Write responses to the sample of a benchmark with what `change` shows of each problem."""
    problems = [benchmark(name).problem(row) for row in rows(name)]
    given = [{"id": p.id, "response": "7", **change(p, i), **more} for i, p in enumerate(problems)]
    path.write_text("".join(json.dumps(row) + "\n" for row in given))
    return path


def scored(path, name, tmp_path):
    return main(["rescore", str(path), "--benchmark", name, "--split", "sample", "--out", str(tmp_path / "out")])


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (lambda p, i: {"question": p.question}, "16 rows show another question"),
        (lambda p, i: {"prompt": f"Look at the picture.\n{p.question}\nAnswer:"}, "16 rows show another question"),
        (lambda p, i: {"gold": p.answer}, "15 rows show another gold"),
        (lambda p, i: {"options": [*p.choices]}, "rows show another list of options"),
        (lambda p, i: {}, None),
        (lambda p, i: {"answer": p.answer}, None),  # beside no question it may be the model's
        (lambda p, i: {"question": "Which?"}, None),  # too short to tell
        (lambda p, i: {"prompt": "Look at the picture and answer the question."}, None),  # no question
    ],
)
def test_a_file_of_another_benchmark_is_refused_where_its_rows_show_it(tmp_path, capsys, change, said):
    path = written(tmp_path / "run.jsonl", "mathvista", change)
    assert scored(path, "mathvista", tmp_path) == 0
    assert scored(path, "mathvision", tmp_path) == (2 if said else 0)
    shown = capsys.readouterr().err
    assert (said or "") in shown
    if said and "question" in said:
        assert "its questions are those of mathvista (--benchmark mathvista --split sample)" in shown


@pytest.mark.parametrize(
    "change",
    [
        lambda p, i: {"question": "In andere Worte übersetzt, und lang genug.", "gold": p.answer},
        lambda p, i: {"question": p.question.upper().replace(" ", "  ") + " <image 1>"},
        lambda p, i: {"question": p.question[: len(p.question) * 3 // 4]},
        lambda p, i: {"question": p.question, "answer": "7"},
        lambda p, i: {"ground_truth": [p.answer]},
        lambda p, i: {"ground_truth": f"[{p.answer!r}]"},
        lambda p, i: {"options": [f"{'ABCDEFGH'[n]}. {choice}" for n, choice in enumerate(p.choices)]},
        lambda p, i: {"options": [f"({'ABCDEFGH'[n]}) {choice}" for n, choice in enumerate(p.choices)]},
        lambda p, i: {"gold": p.choices.index(p.answer)} if p.choices else {},
        lambda p, i: {"input": f"images/mathvista/testmini/number{i:012}.jpg"},
        lambda p, i: {"prompt": f"{('Choose', 'Work out')[i % 2]} the answer to the question in the picture."},
    ],
    ids=[
        "translated",
        "markup",
        "cut",
        "model's answer",
        "list of one",
        "printed list of one",
        "letters A.",
        "letters (A)",
        "index",
        "path",
        "two prompts",
    ],
)
def test_what_is_written_otherwise_is_the_same(tmp_path, capsys, change):
    assert scored(written(tmp_path / "run.jsonl", "mathvista", change), "mathvista", tmp_path) == 0
    assert "rows show another" not in capsys.readouterr().out


def test_questions_alone_that_are_nobodys_are_counted_beside_the_score(tmp_path, capsys):
    path = written(
        tmp_path / "run.jsonl", "mathvision", lambda p, i: {"question": f"Übersetzt sind alle Worte hier: {i}"}
    )
    assert scored(path, "mathvision", tmp_path) == 0
    assert "16 rows show another question, options or answer than the problem" in capsys.readouterr().out


def test_questions_of_the_benchmark_under_other_ids_are_told(tmp_path, capsys):
    asked = [benchmark("mathvision").problem(row).question for row in rows("mathvision")]
    path = written(tmp_path / "run.jsonl", "mathvision", lambda p, i: {"question": asked[i - 1]})
    assert scored(path, "mathvision", tmp_path) == 2
    assert "its questions are those of mathvision, under other ids" in capsys.readouterr().err


def test_a_question_beside_a_problem_whose_own_is_in_the_picture_is_no_evidence(tmp_path, capsys):
    seen = {"prompt": "Answer the question that you see in the picture.", "gold": "nothing of it"}
    path = written(tmp_path / "run.jsonl", "mathverse", lambda p, i: {} if p.question else seen)
    assert scored(path, "mathverse", tmp_path) == 2
    assert "rows show another gold than mathverse's problem" in capsys.readouterr().err


def test_some_rows_of_other_problems_are_counted_beside_the_score(tmp_path, capsys):
    other = "A question of nobody's that is long enough to tell, of number"
    path = written(
        tmp_path / "run.jsonl", "mathvista", lambda p, i: {"question": p.question if i > 4 else f"{other} {i}"}
    )
    assert scored(path, "mathvista", tmp_path) == 0
    assert "5 rows show another question, options or answer than the problem" in capsys.readouterr().out
    notes = json.loads((tmp_path / "out" / "scorecard_run.json").read_text())["notes"]
    assert notes[-1].startswith("5 of 32 rows show another question, options or answer")


def test_columns_tell_the_benchmark_where_no_question_is_known(tmp_path, capsys):
    theirs = {"pid": "1", "choices": None, "unit": None, "precision": None, "answer": "-3"}
    asked = "What, of no problem of ours, is the number"
    path = written(tmp_path / "run.jsonl", "mathvision", lambda p, i: {"query": f"{asked} {i}?"}, **theirs)
    assert scored(path, "mathvision", tmp_path) == 2
    assert "its columns are rather those of mathvista (--benchmark mathvista)" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("columns", "status"),
    [
        ({f"metadata_{name}": "any" for name in RECORD}, 2),
        ({f"metadata.{name}": "any" for name in RECORD}, 2),
        ({"metadata": dict.fromkeys(RECORD, "any")}, 2),
        ({"metadata": {"task": "mine", "language": "english", "category": "geometry"}}, 0),
        ({"metadata": {"subject": "mine", "subfield": "of mine"}}, 0),  # MathVerse's whole record
        ({"metadata_grade": "college", "metadata_source": "GeoQA"}, 0),  # MathVerse's data has a source, too
        ({"task": "mine", "language": "english", "type": "choice", "format": "json"}, 0),  # anybody's words
    ],
)
def test_columns_of_another_benchmarks_records_are_refused(tmp_path, capsys, columns, status):
    path = written(tmp_path / "run.jsonl", "mathvision", lambda p, i: columns)
    assert scored(path, "mathvision", tmp_path) == status
    said = "are of mathvista's data (--benchmark mathvista), not of mathvision's"
    assert (said in capsys.readouterr().err) == (status == 2)
    path = written(tmp_path / "run.jsonl", "mathvision", lambda p, i: {"question": p.question, **columns})
    assert scored(path, "mathvision", tmp_path) == 0


def test_columns_of_benchmarks_are_loaded_only_where_a_record_is_shown(tmp_path, monkeypatch):
    monkeypatch.setattr(shown_module, "_features", lambda: pytest.fail("loads `datasets`"))
    path = written(tmp_path / "run.jsonl", "mathvision", lambda p, i: {"model_name": "m", "problem_number": i})
    assert scored(path, "mathvision", tmp_path) == 0

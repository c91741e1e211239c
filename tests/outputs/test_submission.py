"""Files for the authors' leaderboards: their columns, every response, and a way back to the same verdicts."""

import json

import pytest

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.outputs.run import problems_of, score_file
from mmmath_tasks.outputs.submission import layouts, rows_of, submission
from support.saved_formats import FORMATS

NAMES = ["mathvista", "mathvision", "mathverse", "wemath"]
COLUMNS = {
    "mathvista": {"pid", "question", "choices", "answer", "metadata", "query", "response", "extraction", "prediction"},
    "mathverse": {
        "sample_index",
        "problem_index",
        "problem_version",
        "metadata",
        "query_wo",
        "query_cot",
        "model_answer",
    },
    "mathvision": {"id", "question", "options", "image", "answer", "level", "subject", "response"},
    "wemath": {"ID", "split", "knowledge concept", "question", "option", "answer", "image_path", "key", "response"},
}


@pytest.fixture
def saved(tmp_path):
    def write(name, drop=0):
        problems, _ = problems_of(name, "sample", None)
        texts = [f"The answer is {p.answer}." if i % 2 else f"{i} \u2028 {p.id} \ud800" for i, p in enumerate(problems)]
        rows = {p.id: {"response": text} for p, text in zip(problems, texts, strict=True)}
        for key in list(rows)[:drop]:
            del rows[key]
        path = tmp_path / f"{name}.json"
        path.write_text(json.dumps(dict(reversed(rows.items()))))
        return path

    return write


@pytest.mark.parametrize("name", NAMES)
def test_the_authors_columns_in_the_order_of_the_split(name, saved, tmp_path):
    out = tmp_path / "out" / "submission.json"
    assert main(["submission", str(saved(name)), "--benchmark", name, "--split", "sample", "-o", str(out)]) == 0
    content = json.loads(out.read_text())
    rows = list(content.values()) if isinstance(content, dict) else content
    wanted = rows_of(name, "sample", None)
    assert len(rows) == len(wanted)
    assert COLUMNS[name] <= set(rows[0])
    known = mm.benchmark(name)
    if name != "mathvista":  # which goes by rising pid
        assert [known.problem(row).id for row in rows] == [known.problem(row).id for row in wanted]
    else:
        assert list(content) == sorted(content, key=lambda pid: (len(pid), pid))


@pytest.mark.parametrize("name", NAMES)
def test_the_file_rescored_gives_the_same_verdicts(name, saved, tmp_path):
    out = tmp_path / f"{name}_submission.json"
    path = saved(name)
    assert main(["submission", str(path), "--benchmark", name, "--split", "sample", "-o", str(out)]) == 0
    problems, _ = problems_of(name, "sample", None)
    first = score_file(path, name=name, problems=problems)
    again = score_file(out, name=name, problems=problems, use_extractions=False)
    assert {v.id: (v.official, v.verified) for v in again.verdicts} == {
        v.id: (v.official, v.verified) for v in first.verdicts
    }
    assert any(v.verified for v in again.verdicts)


@pytest.mark.parametrize("name", NAMES)
def test_a_missing_response_is_refused_unless_it_may_be(name, saved, tmp_path, capsys):
    path, out = saved(name, drop=2), tmp_path / "out.json"
    command = ["submission", str(path), "--benchmark", name, "--split", "sample", "-o", str(out)]
    assert main(command) == 2
    assert "2 problems have no response" in capsys.readouterr().err
    assert not out.exists()
    assert main([*command, "--partial"]) == 0
    assert len(json.loads(out.read_text())) == len(problems_of(name, "sample", None)[0]) - 2


def test_a_benchmark_without_a_leaderboard_file_is_named(saved, tmp_path, capsys):
    path = saved("mathopeval")
    command = ["submission", str(path), "--split", "sample", "-o", str(tmp_path / "out.json")]
    assert main([*command, "--benchmark", "mathopeval"]) == 2
    assert "layouts for mathverse, mathvision, mathvista, wemath" in capsys.readouterr().err
    assert main(["submission", str(tmp_path / "none.json"), "-o", str(tmp_path / "out.json")]) == 2


def test_rows_stand_one_a_line_where_the_authors_read_lines(saved, tmp_path):
    out = tmp_path / "out.jsonl"
    command = ["submission", str(saved("mathvision")), "--benchmark", "mathvision", "--split", "sample"]
    assert main([*command, "-o", str(out)]) == 0
    lines = out.read_text().split("\n")
    assert [json.loads(line)["id"] for line in lines if line] == [
        row["id"] for row in rows_of("mathvision", "sample", None)
    ]


def test_our_own_samples_hold_no_columns_of_the_authors(saved, tmp_path, capsys):
    given = ["--benchmark", "mathvista", "--split", "sample"]
    assert main(["rescore", str(saved("mathvista")), *given, "--out", str(tmp_path)]) == 0
    samples = str(tmp_path / "samples_mathvista.jsonl")
    assert "\ud800" not in (tmp_path / "samples_mathvista.jsonl").read_text()  # which no file can hold
    assert main(["submission", samples, "-o", str(tmp_path / "a.json")]) == 2
    assert "name the data with --data" in capsys.readouterr().err
    assert main(["submission", samples, "--split", "sample", "-o", str(tmp_path / "a.json")]) == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_file_with_the_authors_columns_needs_no_data_set(name, tmp_path):
    """Its own order is kept; with the data the rows are those of the split, and the same."""
    rows = rows_of(name, "sample", None)
    texts = [f"The answer is {i}." for i, _ in enumerate(rows)]
    FORMATS["authors"](tmp_path / "run.json", name, rows[::-1], texts[::-1])
    given, content, account = submission(tmp_path / "run.json", name=name)
    whole = submission(tmp_path / "run.json", name=name, rows=rows)[1]
    assert (given, account.joined, account.lines()) == (name, len(rows), [])
    if name == "mathvista":
        assert content == whole
    else:
        assert content == whole[::-1]
    assert submission(tmp_path / "run.json")[:2] == (name, content)
    assert layouts() == ("mathverse", "mathvision", "mathvista", "wemath")


def test_short_answers_of_a_judge_are_handed_in(tmp_path):
    rows = [row for row in rows_of("mathvista", "sample", None) if not row["choices"]][:3]
    lines = [{**row, "response": "?", "extraction": short} for row, short in zip(rows, ("41", "", None), strict=True)]
    lines[2] |= {"response": None, "error": "late"}
    (tmp_path / "run.json").write_text(json.dumps(lines))
    name, content, account = submission(tmp_path / "run.json", rows=rows, partial=True)
    assert {key: (row["response"], row["extraction"]) for key, row in content.items()} == {
        rows[0]["pid"]: ("?", "41"),
        rows[1]["pid"]: ("?", ""),
    }
    assert (name, account.failed, account.missing) == ("mathvista", [rows[2]["pid"]], [])


@pytest.mark.parametrize(
    ("lines", "name", "message"),
    [
        (
            [],
            "mathopeval",
            "takes no file of responses; there are layouts for mathverse, mathvision, mathvista, wemath",
        ),
        (
            [{"pid": "1", "response": "B", "else": "A"}],
            "mathvista",
            "18 problems have no response (2, 3, 4, 5, 6, 7, 8, 9, 10, 11, ...); --partial leaves them out",
        ),
        (
            [{"pid": "1", "response": None, "error": "late"}, {"pid": "2", "response": "A"}],
            "mathvista",
            "18 problems have no response (3, ",
        ),
    ],
)
def test_what_is_refused_in_full(tmp_path, lines, name, message):
    path = tmp_path / "run.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines or [{"id": "1", "response": "B"}]))
    rows = None if name == "mathopeval" else rows_of(name, "sample", None)[:19]
    with pytest.raises(mm.InputError) as error:
        submission(path, name=name, rows=rows)
    assert str(error.value).startswith(f"{path}: {name} {message}" if name == "mathopeval" else f"{path}: {message}")


def test_the_column_that_the_user_names_is_handed_in(tmp_path):
    rows = rows_of("mathvision", "sample", None)[:1]
    (tmp_path / "run.jsonl").write_text(json.dumps({"id": rows[0]["id"], "response": "B", "else": "A"}))
    _, content, _ = submission(tmp_path / "run.jsonl", name="mathvision", rows=rows, response_column="else")
    assert [row["response"] for row in content] == ["A"]

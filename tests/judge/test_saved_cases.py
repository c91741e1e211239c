"""What a judge is to be asked about, from a file of responses: of every kind of row another number."""

import json

import pytest

from mmmath_tasks.judge.saved_cases import load
from support import upstream_folders

STYLES = ("direct", "direct", "direct", "default", "default", None)


@pytest.fixture
def saved(tmp_path):
    """Nine problems, the last three without a picture; seven rows of six problems: one repeats, one has an error."""
    folder = upstream_folders.mathvision(tmp_path / "data", 9)
    for number in (7, 8, 9):
        (folder / "images" / f"{number}.jpg").unlink()
    rows = [
        {"doc": {"id": str(n), "provenance": {"prompt_style": style} if style else {}}, "response": f"It is {n}."}
        for n, style in zip((5, 1, 4, 7, 8), STYLES, strict=False)
    ]
    rows += [rows[0] | {"response": "again"}, {"doc": {"id": "2"}, "response": None, "error": "timeout"}]
    path = tmp_path / "responses.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    return path, folder


def read(saved, **options):
    path, folder = saved
    return load(path, name="mathvision", split="test", data=str(folder), **options)


def test_the_first_response_to_each_problem_in_the_files_order(saved):
    found = read(saved)
    assert found.benchmark.name == "mathvision"
    assert [(c.problem.id, c.response, c.pictures) for c in found.cases] == [
        (n, f"It is {n}.", ()) for n in ("5", "1", "4", "7", "8")
    ]
    assert [p.id for p in found.problems] == [str(n) for n in range(1, 10)]
    assert found.cases[1].problem == found.problems[0]
    assert found.how.values("prompt_style") == {"direct": 3, "default": 2}  # of those judged
    assert found.remarks[0] == "judged: responses in column 'response' (5 rows)"
    assert [line.split()[:2] for line in found.remarks[1:]] == [["3", "problems"], ["1", "rows"], ["1", "rows"]]
    assert found.remarks[1].endswith(": 3, 6, 9")
    assert "text only" not in " ".join(found.remarks)
    assert found.revision.startswith("local")


def test_pictures_are_shown_where_they_are_and_missed_where_they_are_not(saved):
    found = read(saved, pictures=True)
    shown = {c.problem.id: [str(p) for p in c.pictures] for c in found.cases}
    assert shown == {n: [f"{n}.jpg"] for n in "514"} | {"7": [], "8": []}
    assert found.cases[0].pictures[0].where.endswith(": problem 5")
    assert found.remarks[-1] == "2 of 5 problems come without a picture: the judge sees their text only"


def test_without_a_data_set_the_files_own_columns_make_the_problems(saved, tmp_path):
    rows = [upstream_folders.mathvision_row(n) | {"said": f"It is {n}."} for n in (4, 2)]
    path = tmp_path / "own.jsonl"
    path.write_text("\n".join(map(json.dumps, rows)))
    found = load(path, name="mathvision", response_column="said", pictures=True)
    assert [(c.problem.id, c.response) for c in found.cases] == [("4", "It is 4."), ("2", "It is 2.")]
    assert [p.id for p in found.problems] == ["4", "2"]
    assert found.revision == "the file's own columns"
    assert found.remarks[0] == "judged: responses in column 'said' (2 rows)"
    assert found.remarks[-1].startswith("2 of 2 problems come without a picture")
    assert found.how.values("prompt_style") == {}

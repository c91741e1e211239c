"""Files that are not what a command reads: one message that names the file, status 2, and nothing written."""

import json

import pytest

from mmmath_tasks.cli import main
from support.counting_rows import counting_rows, write

ROWS = counting_rows([f"The answer is {n}." for n in range(4)])
OWN = [{"id": row["pid"], "response": row["response"]} for row in ROWS]
JSONL = "\n".join(map(json.dumps, ROWS))
COMMANDS = {
    "rescore": "rescore {} --out out",
    "compare": "rescore good.jsonl {} --compare",
    "samples": "rescore good.jsonl {} --samples",
    "report": "report {} -o out",
    "judge": "judge {} --dry-run --out out",
    "judge-agreement": "judge-agreement {} good.jsonl",
    "audit": "audit {} --out out",
    "labels": "audit good.jsonl --labels {} --out out",
    "card": "card {} --model org/name --out out",
    "submission": "submission {} --benchmark mathvista --split sample -o out/answers.json",
}
FILES = {
    "empty.jsonl": b"",
    "folder": None,
    "binary.csv": bytes(range(200, 256)) + bytes(40),
    "header.csv": b"id,response\n",
    "no_column.csv": b"id,remark\n1,A\n2,B\n",
    "utf16.jsonl": JSONL.encode("utf-16")[:-1],
    "utf16.csv": "id,response\n1,A\n".encode("utf-16")[:-1],
    "list.jsonl": f"{json.dumps(ROWS[0])}\n[1, 2]\n".encode(),
    "list_first.jsonl": f"[1, 2]\n{JSONL}".encode(),
    "list.json": json.dumps([OWN[0], [1, 2]]).encode(),
    "samples_nosuchtask_2026-01-01T00-00-00.jsonl": "\n".join(map(json.dumps, OWN[:1])).encode(),
    "cut.jsonl": JSONL[:-30].encode(),
}
SAID = {
    ("rescore", "empty.jsonl"): "is empty",
    ("rescore", "folder"): "a folder, not a file",
    ("rescore", "no_column.csv"): "no column of responses (one of response,",
    ("rescore", "utf16.csv"): "not UTF-16 text (truncated data)",
    ("rescore", "list.jsonl"): "line 2: expected a JSON object, got list",
    ("rescore", "list_first.jsonl"): "Extra data at line 2, column 1; in JSONL every line is an object",
    ("rescore", "list.json"): "row 2: expected a JSON object, got list",
    ("rescore", "samples_nosuchtask_2026-01-01T00-00-00.jsonl"): "which benchmark is it? Name it with --benchmark",
    ("report", "cut.jsonl"): "responses without their scorecard (scorecard_cut.json beside them)",
    ("report", "utf16.csv"): "scorecard_*.json as `mmmath rescore --out` and lm-eval runs write it): not UTF-8",
    ("report", "list.json"): "expected",
    ("card", "folder"): "a folder, not a scorecard",
    ("judge-agreement", "header.csv"): "holds no rows",
    ("labels", "list.jsonl"): "row 1: no id; expected the rows that were drawn",
}


@pytest.mark.parametrize("command", COMMANDS)
@pytest.mark.parametrize("name", FILES)
def test_a_file_that_is_none(tmp_path, monkeypatch, capsys, command, name):
    monkeypatch.chdir(tmp_path)
    write(tmp_path / "good.jsonl", [row["response"] for row in ROWS])
    if FILES[name] is None:
        (tmp_path / name).mkdir()
    else:
        (tmp_path / name).write_bytes(FILES[name])
    assert main(COMMANDS[command].format(name).split()) == 2
    (line,) = capsys.readouterr().err.splitlines()
    assert line.startswith(f"mmmath: {name}: ")
    assert SAID.get((command, name), "") in line
    assert not [path for path in tmp_path.glob("out/**/*") if path.is_file()]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("\ufeff" + JSONL, "4 responses"),
        (f"{JSONL}\n{json.dumps(ROWS[0])}", "1 rows repeat an id (the first response counts): 0"),
        (json.dumps([*ROWS[1:], {**ROWS[0], "response": None}]), "1 empty"),
    ],
    ids=["BOM", "duplicate", "null"],
)
def test_what_is_odd_is_read_and_said(tmp_path, capsys, text, said):
    (tmp_path / "odd.jsonl").write_text(text, encoding="utf-8")
    assert main(["rescore", str(tmp_path / "odd.jsonl")]) == 0
    assert said in capsys.readouterr().out

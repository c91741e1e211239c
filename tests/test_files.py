"""Files that come whole or not at all."""

import subprocess
import sys

import pytest

from mmmath_tasks.files import open_atomic, write_atomic, write_json

HALF = """
import sys
from pathlib import Path
from mmmath_tasks.files import open_atomic
with open_atomic(Path(sys.argv[1])) as file:
    file.write("half")
    file.flush()
    print("ready", flush=True)
    sys.stdin.read()
"""


def test_a_file_whose_writer_is_killed_stays_as_it_was(tmp_path):
    path = tmp_path / "samples.jsonl"
    path.write_text("before")
    pipe = subprocess.PIPE
    with subprocess.Popen([sys.executable, "-c", HALF, str(path)], stdin=pipe, stdout=pipe, text=True) as writer:
        assert writer.stdout.readline() == "ready\n"
        writer.kill()
    assert path.read_text() == "before"
    with open_atomic(path) as file:
        file.write("after \ud800\n")
    assert path.read_bytes() == b"after ?\n"


def test_a_file_whose_writing_fails_stays_as_it_was_and_leaves_nothing(tmp_path):
    path = tmp_path / "samples.jsonl"
    write_atomic(path, b"before")
    with pytest.raises(TypeError), open_atomic(path) as file:
        file.writelines(["half", 5])
    assert path.read_bytes() == b"before"
    assert [*tmp_path.iterdir()] == [path]


def test_a_link_is_written_where_it_leads(tmp_path):
    (tmp_path / "link").symlink_to(tmp_path / "x.json")
    write_json(tmp_path / "link", {"response": "\ud800"})
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "x.json").read_text() == '{\n  "response": "?"\n}\n'
    with pytest.raises(ValueError, match="not JSON compliant"):
        write_json(tmp_path / "x.json", float("nan"))
    assert (tmp_path / "x.json").read_text().startswith("{")


def test_the_file_that_was_asked_for_is_named(tmp_path):
    (tmp_path / "a.txt").touch()
    (tmp_path / "folder").mkdir()
    for path in (tmp_path / "a.txt" / "x.json", tmp_path / "none" / "x.json", tmp_path / "folder"):
        with pytest.raises((FileNotFoundError, IsADirectoryError, NotADirectoryError)) as raised:
            write_atomic(path, b"{}")
        assert raised.value.filename == str(path)
        assert raised.value.__context__ is None
    assert sorted(path.name for path in tmp_path.iterdir()) == ["a.txt", "folder"]

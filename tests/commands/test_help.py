"""The command line by itself: help, examples, defaults, words that are nearly ours, colour, completion."""

import os
import pty
import re
import shlex
import shutil
import subprocess
import sys
from contextlib import suppress

import pytest

from mmmath_tasks.cli import main, parser
from mmmath_tasks.commands._colour import painted

PARSERS = {child.prog: child for child in parser().every()}
EXAMPLES = [
    line.split("  #")[0] for child in PARSERS.values() for line in child.examples.replace("\\\n", "").split("\n")
]


@pytest.mark.parametrize("name", PARSERS)
def test_every_help_shows_examples_and_defaults(name, monkeypatch):
    monkeypatch.setenv("COLUMNS", "200")
    shown = PARSERS[name].format_help()
    assert "\nexamples:\n  " in shown
    assert "None" not in shown.partition("examples:")[0]
    for action in PARSERS[name].actions():
        if action.option_strings and action.nargs != 0 and action.default not in (None, "", (), []):
            described = shown[shown.index(f"\n  {action.option_strings[0]}") + 1 :].partition("\n  -")[0]
            assert "default" in described or f"({action.default:g})" in described, described


@pytest.mark.parametrize("example", [line for line in EXAMPLES if line.startswith("mmmath") and "COMMAND" not in line])
def test_every_example_is_a_command_line_of_ours(example):
    words = shlex.split(example)[1:]
    assert parser().parse_args([word for word in words if not word.startswith(">")]).command == words[0]


@pytest.mark.parametrize(
    ("words", "meant"),
    [
        (["rescor", "x"], "did you mean 'rescore'?"),
        (["rescore", "x", "--bechmark", "mathvista"], "did you mean '--benchmark'?"),
        (["rescore", "x", "--rule", "oficial"], "did you mean 'official'?"),
        (["hub", "biuld"], "did you mean 'build'?"),
        (["hub", "build", "mathvision", "--out", "x", "--pictres", "none"], "did you mean '--pictures'?"),
        (["frobnicate"], None),
        (["doctor", "--frobnicate"], None),
    ],
)
def test_what_was_meant_is_said(words, meant, capsys):
    with pytest.raises(SystemExit) as ended:
        main(words)
    assert ended.value.code == 2
    said = capsys.readouterr().err
    assert (meant in said) if meant else ("did you mean" not in said)


def test_near_benchmarks_and_tasks_are_named(tmp_path, capsys):
    file = tmp_path / "run.jsonl"
    file.write_text('{"id": "1", "response": "1", "said": "1"}\n')
    for words, meant in (
        (["rescore", str(file), "--benchmark", "mathvison"], "mathvision"),
        (["rescore", str(file), "--benchmark", "mathvision", "--split", "tesmini"], "testmini"),
        (["rescore", str(file), "--response-column", "sayd"], "said"),
        (["vlmeval", "export", "wemath_testmin", "--out", str(tmp_path)], "wemath_testmini"),
        (["hub", "build", "mathvision", "--splits", "tesst", "--out", str(tmp_path / "built")], "test"),
        (["path", "evaluat"], "evaluate"),
    ):
        assert main(words) == 2
        assert f"did you mean '{meant}'" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("words", "said"),
    [
        ("rescore run.jsonl --split sample --data nowhere", "--data nowhere is not read for the sample"),
        ("audit run.jsonl --split sample --data nowhere", "--data nowhere is not read for the sample"),
        ("judge run.jsonl --sample --data nowhere", "--data nowhere is not read for the sample"),
        ("submission run.jsonl --split sample --data nowhere -o x", "--data nowhere is not read for the sample"),
        ("rescore run.jsonl --pairs all", "--pairs needs --compare"),
        ("power --samples 0", "--samples should be at least 1, is 0"),
        ("doctor --offline --seconds -1", "--seconds should be at least 0, is -1.0"),
        ("vlmeval exprt x", "did you mean 'export'"),
        ("vlmeval -- foo", "which begin with an option (-- --data NAME ...)"),
        ("vlmeval list x", "vlmeval list takes no argument, got x"),
    ],
)
def test_no_argument_is_taken_without_a_word(words, said, capsys):
    assert main(words.split()) == 2
    assert said in capsys.readouterr().err


class Terminal:
    def isatty(self):
        return True


@pytest.mark.parametrize(
    ("variables", "coloured"),
    [({}, True), ({"NO_COLOR": "1"}, False), ({"NO_COLOR": ""}, True), ({"TERM": "dumb"}, False)],
)
def test_colour_is_for_terminals_that_want_it(variables, coloured, monkeypatch):
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.delenv("NO_COLOR", raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in painted("acc", "head", Terminal())) == coloured


@pytest.mark.medium
def test_colour_stands_in_a_terminal_and_not_in_a_pipe(tmp_path):
    file = tmp_path / "mathvista_run.jsonl"
    file.write_text('{"pid": "1", "response": "1"}\n')
    command = [sys.executable, "-m", "mmmath_tasks", "rescore", str(file), "--split", "sample"]
    quiet = {name: value for name, value in os.environ.items() if name != "NO_COLOR"} | {"TERM": "xterm"}
    piped = subprocess.run(command, capture_output=True, check=True, env=quiet).stdout
    assert b"\x1b" not in piped
    main_end, end = pty.openpty()
    with subprocess.Popen(command, stdout=end, stderr=subprocess.DEVNULL, env=quiet):
        os.close(end)
        seen = b""
        with suppress(OSError):  # a terminal that nobody writes to any more
            while more := os.read(main_end, 4096):
                seen += more
    os.close(main_end)
    assert b"\x1b[1mmathvista, percent" in seen
    assert re.sub(rb"\x1b\[[\d;]*m", b"", seen).replace(b"\r\n", b"\n") == piped


COMPLETED = """
source {script}
complete_with() {{
  COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1))
  _shtab_mmmath mmmath "${{@: -1}}" "${{@: -2:1}}"
  echo "${{COMPREPLY[*]}}"
}}
complete_with mmmath resc
complete_with mmmath rescore --bench
complete_with mmmath rescore --benchmark mathv
complete_with mmmath card --task wemath_
"""


@pytest.mark.medium
def test_bash_completes_commands_options_benchmarks_and_tasks(tmp_path, capsys):
    assert main(["completion", "bash"]) == 0
    script = tmp_path / "mmmath.bash"
    script.write_text(capsys.readouterr().out)
    done = subprocess.run(["bash", "-c", COMPLETED.format(script=script)], capture_output=True, text=True, check=True)
    first, second, third, fourth = done.stdout.splitlines()
    assert first == "rescore"
    assert second == "--benchmark"
    assert third.split() == ["mathverse", "mathvision", "mathvista"]
    assert {"wemath_testmini", "wemath_testmini_kca"} <= set(fourth.split())


@pytest.mark.medium
@pytest.mark.parametrize(("shell", "check"), [("zsh", ["-n"]), ("fish", ["--no-execute"])])
def test_scripts_for_other_shells_parse_and_hold_the_words(shell, check, tmp_path, capsys):
    assert main(["completion", shell]) == 0
    text = capsys.readouterr().out
    assert {"rescore", "mathvista", "wemath_testmini_kca"} <= set(re.findall(r"\w+", text))
    if shutil.which(shell):
        (tmp_path / "script").write_text(text)
        subprocess.run([shell, *check, str(tmp_path / "script")], check=True)

"""Tables for terminals: nothing wider than asked for, nothing said twice."""

import json
import os
import pty
import re
import struct
import subprocess
import sys
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.outputs.paired_difference import Difference
from mmmath_tasks.outputs.run import problems_of
from mmmath_tasks.outputs.table_text import difference_table, score_table, shortened, shown
from mmmath_tasks.problem import Score
from support import sample_rows

CHOICE = ("acc", "acc_verified")


def card(name, right):
    problems, _ = problems_of(name, "sample", None)
    known = mm.benchmark(name)
    responses = [f"The answer is {p.answer}." if i % right else "" for i, p in enumerate(problems)]
    return known.summarise(problems, [known.score(p, r) for p, r in zip(problems, responses, strict=True)])


@pytest.fixture(scope="module", params=["mathvista", "mathvision", "mathverse", "wemath"])
def cards(request):
    return [card(request.param, right) for right in (2, 3, 4, 5)]


@pytest.mark.parametrize("count", [1, 2, 3, 4])
@pytest.mark.parametrize("everything", [False, True])
@pytest.mark.parametrize("width", [80, 132])
def test_no_line_is_wider_than_the_terminal(cards, count, everything, width):
    chosen = cards[:count]
    keys = [(s.metric, s.group, s.slice) for s in chosen[0].scores if everything or not s.group]
    names = [f"a/model-with-quite-a-long-name-of-{i}-billion-parameters" for i in range(count)]
    lines = list(score_table(names, chosen, keys, width))
    assert max(map(len, lines)) <= width
    assert not any(line != line.rstrip() for line in lines)
    rows = "\n".join(lines)
    for score in chosen[0].scores:
        if score.metric in CHOICE and not score.group:
            assert shown(score).split(" n=")[0] in rows


def test_runs_are_rows_but_for_one_and_for_two_with_sub_scores(cards):
    keys = [(cards[0].headline, "", "")]
    lines = list(score_table(["one", "two", "three"], cards[:3], keys, 80))
    found = [line.split() for line in lines if line.startswith(("one", "two", "three"))]
    assert [row[0] for row in found] == ["one", "two", "three"]
    assert [row[1] for row in found] == [str(c.get(c.headline).count) for c in cards[:3]]
    two = list(score_table(["one", "two"], cards[:2], keys, 80))
    assert [line.split()[0] for line in two if line.startswith(("one", "two"))] == ["one", "two"]
    parts = [(s.metric, s.group, s.slice) for s in cards[0].scores if s.group]
    assert list(score_table(["one", "two"], cards[:2], [*keys, *parts], 80))[1].split() == ["one", "two"]
    assert list(score_table(["one"], cards[:1], keys, 80))[1].split() == ["one"]


@given(st.lists(st.text("abcdef-_/", min_size=1, max_size=60), min_size=1, max_size=20), st.integers(12, 60))
@settings(max_examples=50)
def test_shortened_names_fit_and_differ(names, width):
    found = shortened(names, width)
    assert len(set(found)) == len(names)
    assert all(len(name) <= width for name in found)
    if len(set(names)) == len(names) and max(map(len, names)) <= width:
        assert found == names


def test_long_names_are_cut_in_the_middle():
    assert shortened(["gpt4_2shot_solution_use_ocr_more"], 20) == ["gpt4_2sho…e_ocr_more"]


@pytest.mark.parametrize(
    ("score", "said"),
    [
        (None, "-"),
        (Score("acc", "", "", float("nan"), 0), "-"),
        (Score("acc", "", "", 0.679, 1000, 0.65, 0.707), "67.9 [65.0, 70.7] n=1000"),
        (Score("acc", "", "", 0.5, 2), "50.0 n=2"),
        (Score("gain", "", "", -0.0001, 10, -0.3, 0.2), "0.0 [-30.0, 20.0] n=10"),
        (Score("rating", "", "", 7.25, 4, 6.0, 8.0), "7.25 [6.00, 8.00] n=4"),
        (Score("execution_rating_correlation", "", "", 0.5, 4), "0.50 n=4"),
    ],
)
def test_numbers(score, said):
    assert shown(score) == said


def test_runs_that_were_not_asked_alike_are_never_compared_without_a_word():
    plain, other = card("mathvista", 2), card("mathvista", 3)
    setting = "VLMEvalKit's prompt (ms-vlmeval 0.0.20, MathVista_MINI)"
    other = replace(other, provenance={**other.provenance, "setting": setting})
    found = [Difference("", "", 1000, 0.3, 0.2, 142, 42, 1e-17, -0.12, -0.08)]
    text = " ".join(" ".join(difference_table(["a", "b"], [plain, other], "official", found, 80)).split())
    assert "not asked alike, so that more than the model differs" in text
    assert "(a: the authors' prompt; b: VLMEvalKit's prompt)" in text
    for count in (1, 2):
        rows = "\n".join(score_table(list("abcd")[: 2 * count], [plain, other] * count, [("acc", "", "")], 132))
        assert "VLMEvalKit's prompt" in rows
        assert "the authors' prompt" in rows
    alone = "\n".join(score_table(["b"], [other], [("acc", "", "")], 132))
    assert "acc, read by rules, VLMEvalKit's prompt" in alone


def saved(path, texts):
    problems, _ = problems_of("mathvista", "sample", None)
    rows = [f'{{"id": "{p.id}", "response": "{texts[i % len(texts)]}"}}\n' for i, p in enumerate(problems)]
    path.write_text("".join(rows))
    return str(path)


@pytest.mark.medium
def test_the_command_says_each_thing_once_and_fits(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    files = [saved(tmp_path / f"mathvista_{i}.jsonl", ["The answer is B.", "It is 7."]) for i in range(4)]
    files = [os.path.basename(file) for file in files]  # noqa: PTH119
    assert main(["rescore", *files, "--split", "sample"]) == 0
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= 80
    assert said.count("nearest-choice rule") == said.count("Read by rules:") == said.count("  gain: ") == 1
    assert main(["rescore", *files[:2], "--split", "sample", "--compare"]) == 0
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= 80
    assert re.search(r"^ +n +read by rules", said, re.MULTILINE)
    assert "mathvista_1 (2nd) less mathvista_0 (1st), acc, read by rules\n" in said


def test_the_command_warns_of_programs(tmp_path, capsys):
    programs = saved(tmp_path / "mathvista_a.jsonl", ["x = 2\\nprint(x * 7)"])
    prose = saved(tmp_path / "mathvista_b.jsonl", ["The answer is B."])
    assert main(["rescore", programs, prose, "--split", "sample"]) == 0
    assert "note (mathvista_a): Warning: most responses are programs" in capsys.readouterr().out


@pytest.mark.medium
def test_the_progress_bar_names_the_file_and_counts_its_responses(tmp_path):
    """Three samples a problem, so that neither rows nor problems are taken for responses."""
    problems, _ = problems_of("mathvista", "sample", None)
    path = tmp_path / "mathvista_run.jsonl"
    rows = [f'{{"id": "{p.id}", "response": ["1", "2", "3"]}}\n' for p in problems]
    path.write_text("".join(rows))
    main_end, end = pty.openpty()
    import fcntl
    import termios

    fcntl.ioctl(end, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
    command = [sys.executable, "-m", "mmmath_tasks", "rescore", str(path), "--split", "sample"]
    done = subprocess.run(command, stdout=subprocess.DEVNULL, stderr=end, check=False)
    os.close(end)
    seen = os.read(main_end, 100_000).decode()
    os.close(main_end)
    assert done.returncode == 0
    assert "mathvista_run.jsonl:   0%|" in seen
    assert f" 0/{3 * len(problems)} [" in seen


def test_counts_stand_once_dates_and_metrics_without_a_number_not_at_all(tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    date, rows = "2026-01-31T10-00-00.000000", sample_rows.rows("mathverse")
    for name, only in (("mathverse_sample", False), ("mathverse_sample_text_only", True)):
        own = [{**row, "image": "", "response": "A"} for row in rows if (row["problem_version"] == "Text Only") == only]
        (tmp_path / f"samples_{name}_{date}.jsonl").write_text("".join(json.dumps(row) + "\n" for row in own))
    assert main(["rescore", *map(str, sorted(tmp_path.iterdir()))]) == 0
    shown = capsys.readouterr().out.partition("mathverse, percent")[2].splitlines()
    table = [line for line in shown if line.startswith("mathverse_sample")]
    assert {line.split()[0] for line in table} == {"mathverse_sample", "mathverse_sample_text_only"}
    heads = [line.split() for line in shown if " n  " in line]
    assert heads
    assert all(head.count("n") == 1 for head in heads)
    assert not {"acc", "acc_text_only"} & {word for head in heads for word in head}

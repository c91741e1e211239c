"""Saved responses of every harness, through the command a user types."""

import csv
import dataclasses
import json
import os
import random
import re
import subprocess
import sys

import openpyxl
import pytest

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.outputs.paired_difference import holm
from mmmath_tasks.outputs.run import problems_of, score_file
from mmmath_tasks.outputs.saved import open_saved
from support.sample_rows import rows_without_pictures
from support.saved_formats import FORMATS, as_authors

NAMES = ["mathvista", "mathvision", "mathverse", "wemath"]


def answers(name, rows):
    """A response a row: right, wrong, empty and rambling ones."""
    dice = random.Random(name)
    found = []
    for row in rows:
        problem = mm.benchmark(name).problem(row)
        letters = [chr(ord("A") + i) for i in range(max(2, len(problem.choices)))]
        found.append(
            dice.choice(
                [
                    f"So the answer is {problem.answer}.",
                    f"Answer: {dice.choice(letters)}",
                    "",
                    "I cannot see the picture.",
                    "42",
                ]
            )
        )
    return found


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("form", FORMATS)
def test_every_format_gives_the_verdicts_of_the_python_face(tmp_path, name, form):
    rows = rows_without_pictures(name)
    responses = answers(name, rows)
    path = tmp_path / f"{name}_run.dat"
    FORMATS[form](path, name, rows, responses)
    problems, _ = problems_of(name, "sample", None)
    found = score_file(path, name=name, problems=problems)
    known = mm.benchmark(name)
    assert list(found.verdicts) == [known.score(p, r) for p, r in zip(problems, responses, strict=True)]
    assert not found.account.lines()


@pytest.mark.parametrize("name", NAMES)
def test_a_file_with_upstreams_columns_needs_no_data_set(tmp_path, name):
    rows = rows_without_pictures(name)
    responses = answers(name, rows)
    as_authors(tmp_path / "run.json", name, rows, responses)
    problems, _ = problems_of(name, "sample", None)
    alone = score_file(tmp_path / "run.json")
    assert alone.card.benchmark == name
    assert alone.verdicts == score_file(tmp_path / "run.json", problems=problems).verdicts


def test_a_vlmevalkit_table(tmp_path):
    rows = rows_without_pictures("mathvista")
    book = openpyxl.Workbook()
    book.active.append(
        ["index", "question", "choices", "answer", "question_type", "answer_type", "task", "skills", "prediction"]
    )
    for row in rows:
        flat = [row["pid"], row["query"], str(row["choices"]), row["answer"], row["question_type"], row["answer_type"]]
        book.active.append([*flat, row["metadata"]["task"], str(row["metadata"]["skills"]), f"It is {row['answer']}."])
    book.save(tmp_path / "Model_MathVista_MINI.xlsx")
    found = score_file(tmp_path / "Model_MathVista_MINI.xlsx")
    known = mm.benchmark("mathvista")
    wanted = [known.score(known.problem(row), f"It is {row['answer']}.") for row in rows]
    assert [v.official for v in found.verdicts] == [v.official for v in wanted]
    assert [v.verified for v in found.verdicts] == [v.verified for v in wanted]


@pytest.mark.parametrize("name", NAMES)
def test_a_csv_of_upstreams_columns_needs_no_data_set(tmp_path, name):
    """As pandas writes it: numbers, lists and mappings as text, nothing as an empty cell, a column of row numbers."""
    rows = rows_without_pictures(name)
    responses = answers(name, rows)
    with (tmp_path / "run.csv").open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["Unnamed: 0", *rows[0], "model_answer"])
        writer.writerows([i, *row.values(), text] for i, (row, text) in enumerate(zip(rows, responses, strict=True)))
    problems, _ = problems_of(name, "sample", None)
    alone = score_file(tmp_path / "run.csv")
    assert [p.answer for p in alone.problems] == [p.answer for p in problems]
    assert alone.verdicts == score_file(tmp_path / "run.csv", problems=problems).verdicts


def test_row_numbers_of_pandas_are_positions(tmp_path, problems):
    (tmp_path / "run.csv").write_text(
        "Unnamed: 0,response\n" + "".join(f"{i},{i}\n" for i in reversed(range(len(problems))))
    )
    found = score_file(tmp_path / "run.csv", name="mathvista", problems=problems)
    assert [v.id for v in found.verdicts] == [p.id for p in reversed(problems)]


def test_our_own_samples_are_read_again(tmp_path, problems):
    path = plain(tmp_path / "mathvista_run.jsonl", [(p.id, "C" if i % 2 else "") for i, p in enumerate(problems)])
    first = tmp_path / "first"
    assert main(["rescore", str(path), "--split", "sample", "--out", str(first)]) == 0
    again = score_file(first / "samples_mathvista_run.jsonl")
    assert again.file.format == "mmmath samples"
    assert list(again.problems) == problems
    assert again.verdicts == score_file(path, name="mathvista", problems=problems).verdicts
    assert again.disagree == ()


@pytest.mark.parametrize(("rule", "official"), [("judge:gpt-x", True), ("extraction", True), ("last number", False)])
def test_what_a_judge_read_counts_again_and_what_rules_read_does_not(tmp_path, problems, rule, official):
    one = next(p for p in problems if p.answer_type == "integer")
    verdict = mm.Verdict(one.id, True, True, extracted=one.answer, rule=rule)
    row = {"problem": one.to_dict(), "response": "I am not sure.", "verdict": verdict.to_dict()}
    (tmp_path / "samples.jsonl").write_text(json.dumps(row) + "\n")
    found = score_file(tmp_path / "samples.jsonl")
    assert found.verdicts[0].official is official
    assert found.disagree == (() if official else (one.id,))


def test_a_judge_that_found_no_answer_counts_again_too(tmp_path, problems):
    """What `mmmath judge` writes: the short answer as it was given stands in `detail`, "" for none."""
    known, shorts = mm.benchmark("mathvista"), ["", "the middle one", *(p.answer for p in problems[2:])]
    judged, lines = [], []
    for problem, short in zip(problems, shorts, strict=True):
        verdict = known.score(problem, "The answer is A.", extraction=short)
        reason = "unextracted" if verdict.reason == "empty" else verdict.reason
        judged.append(dataclasses.replace(verdict, rule="judge:m", reason=reason))
        row = {"problem": problem.to_dict(), "response": "The answer is A.", "verdict": judged[-1].to_dict()}
        lines.append({**row, "detail": {"extraction": short}})
    (tmp_path / "samples.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["rescore", str(tmp_path / "samples.jsonl"), "--out", str(tmp_path / "out")]) == 0
    for path in tmp_path / "samples.jsonl", tmp_path / "out" / "samples_samples.jsonl":
        found = score_file(path)
        assert found.card.scores == known.summarise(problems, judged).scores
        assert found.disagree == ()
        assert found.account.unread == [problems[0].id]


def test_a_judges_null_without_its_detail(tmp_path, problems):
    """As lm-eval's and VLMEvalKit's runs with a judge have it."""
    verdict = mm.Verdict(problems[0].id, False, False, rule="judge:m", reason="unextracted")
    row = {"problem": problems[0].to_dict(), "response": f"It is {problems[0].answer}.", "verdict": verdict.to_dict()}
    (tmp_path / "samples.jsonl").write_text(json.dumps(row) + "\n")
    assert score_file(tmp_path / "samples.jsonl").verdicts[0].verified is False


@pytest.mark.parametrize(("shift", "refused"), [(0, False), (5, True)])
def test_targets_that_are_not_the_answers_at_their_positions(tmp_path, capsys, shift, refused):
    """Rows of another split, told apart by the gold that the harness wrote."""
    problems, _ = problems_of("mathvision", "sample", None)
    golds = [p.answer for p in (*problems[shift:], *problems[:shift])]
    golds[0] = "another form"
    lines = [{"doc_id": i, "target": gold, "filtered_resps": ["A"]} for i, gold in enumerate(golds)]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    given = ["--benchmark", "mathvision", "--split", "sample", "--out", str(tmp_path / "out")]
    assert main(["rescore", str(tmp_path / "run.jsonl"), *given]) == (2 if refused else 0)
    assert ("(mathvision has test, testmini)" in capsys.readouterr().err) is refused
    assert bool(list((tmp_path / "out").iterdir())) is not refused


@pytest.mark.parametrize(
    ("cells", "responses"),
    [
        ({"response": [None]}, ("",)),
        ({"filtered_resps": [None]}, ("",)),
        ({"resps": [[None, "A", 5]]}, ("", "A", "5")),
        ({"resps": [[]], "filtered_resps": ["A"]}, ("A",)),
        ({"resps": [["A"], [["B"]]]}, ("A", "B")),
        ({"response": None}, ("",)),
        ({"response": [None], "error": "timeout"}, ()),
        ({"response": []}, ()),
        ({}, ()),
    ],
)
def test_what_is_no_text_is_no_answer(tmp_path, problems, cells, responses):
    rows = [{"id": problems[0].id, **cells}, {"id": problems[1].id, "response": "A"}]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert next(iter(open_saved(tmp_path / "run.jsonl"))).responses == responses
    account = score_file(tmp_path / "run.jsonl", name="mathvista", problems=problems).account
    assert account.failed == ([] if responses else [problems[0].id])


def test_an_id_that_is_a_float_in_a_csv(tmp_path, problems):
    (tmp_path / "run.csv").write_text(f"id,response\n{problems[1].id}.0,A\n")
    assert score_file(tmp_path / "run.csv", name="mathvista", problems=problems).verdicts[0].id == problems[1].id


def test_lmms_evals_log_of_its_judge(tmp_path, problems):
    """The record that lmms-eval 0.7's MathVista task returns as a metric, with the pid under another name."""
    lines = [
        {
            "doc_id": i,
            "target": row["answer"],
            "filtered_resps": ["It is hard to say."],
            "doc_hash": "",
            "llm_as_judge_eval": {
                "question_id": row["pid"],
                **{k: row[k] for k in ("query", "choices", "answer", "question_type", "answer_type", "precision")},
                "metadata": row["metadata"],
                "extraction": row["answer"] if i % 2 else "",
                "true_false": bool(i % 2),
            },
            "input": "...",
        }
        for i, row in enumerate(rows_without_pictures("mathvista"))
    ]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = score_file(tmp_path / "run.jsonl", name="mathvista", problems=problems)
    free = [(i, v) for i, (p, v) in enumerate(zip(problems, found.verdicts, strict=True)) if not p.choices]
    assert all(v.official is bool(i % 2) for i, v in free)
    assert (found.account.unread, found.texts.empty) == ([], [p.id for p in problems[::2]])
    alone = score_file(tmp_path / "run.jsonl", name="mathvista", problems=problems, use_extractions=False)
    assert not any(v.verified for v in alone.verdicts)


def plain(path, pairs):
    path.write_text("".join(json.dumps({"pid": i, "response": r}) + "\n" for i, r in pairs))
    return path


@pytest.fixture
def problems():
    return problems_of("mathvista", "sample", None)[0]


def test_what_does_not_fit_is_named(tmp_path, problems):
    ids = [p.id for p in problems]
    lines = [{"pid": i, "response": "1"} for i in [*ids[2:], ids[2], "zzz"]]
    lines[0] = {"pid": ids[2], "error": "timeout"}
    lines[1]["finish_reason"] = "length"
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = score_file(tmp_path / "run.jsonl", name="mathvista", problems=problems)
    account = found.account
    assert (account.missing, account.extra, account.duplicate) == (ids[:2], ["zzz"], [ids[2]])
    assert (account.failed, account.truncated) == ([ids[2]], [ids[3]])
    assert found.card.counts["missing"] == 3  # the two without a row and the one whose call failed
    assert found.card.get("acc").count == len(problems) - 3


def test_a_failed_call_of_vlmevalkit_is_no_response(tmp_path, problems):
    lines = [{"index": problems[0].id, "prediction": "Failed to obtain answer via API."}]
    lines.append({"index": problems[1].id, "prediction": "I failed to obtain answer A, so B."})
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = score_file(tmp_path / "run.jsonl", name="mathvista", problems=problems)
    assert found.account.failed == [problems[0].id]
    assert [v.id for v in found.verdicts] == [problems[1].id]


def test_a_stored_verdict_is_never_trusted(tmp_path, problems):
    free = [p for p in problems if p.question_type == "free_form"]
    lines = [
        {"pid": p.id, "response": p.answer, "true_false": flag}
        for p, flag in zip(free, [False, 2, True, True], strict=False)
    ]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    found = score_file(tmp_path / "run.jsonl", name="mathvista", problems=problems)
    assert found.disagree == (free[0].id,)
    assert all(v.official for v in found.verdicts)


def test_rows_without_a_released_answer_are_not_scored(tmp_path, problems):
    rows = [{**row, "response": "1"} for row in rows_without_pictures("mathvista")]
    rows[0]["answer"] = ""
    (tmp_path / "run.json").write_text(json.dumps(rows))
    found = score_file(tmp_path / "run.json")
    assert found.verdicts[0].official is None
    assert found.account.no_gold == [rows[0]["pid"]]
    assert found.card.get("acc").count == len(rows) - 1


def test_several_samples_a_problem(tmp_path, problems):
    free = next(p for p in problems if p.answer_type == "integer")
    right, wrong = free.answer, "123456"
    row = {
        "doc_id": 0,
        "doc": {"pid": free.id},
        "arguments": {},
        "resps": [[right, wrong, right, right]],
        "filter": "none",
    }
    (tmp_path / "samples.jsonl").write_text(json.dumps(row) + "\n")
    card = score_file(tmp_path / "samples.jsonl", name="mathvista", problems=problems).card
    assert card.value("acc_mean@4") == 0.75
    assert card.value("acc_pass@2") == 1 - 0 / 6  # one wrong of four: no pair of two wrong ones
    assert card.value("acc_pass@1") == 0.75
    assert card.value("acc_maj@4") == 1.0


def test_the_command_prints_and_writes(tmp_path, capsys, problems):
    path = plain(tmp_path / "mathvista_run.jsonl", [(p.id, p.answer) for p in problems])
    out = tmp_path / "out"
    assert main(["rescore", str(path), "--split", "sample", "--out", str(out)]) == 0
    printed = capsys.readouterr().out
    assert "acc " in printed
    assert "100.0" in printed
    card = mm.Scorecard.from_json((out / "scorecard_mathvista_run.json").read_text())
    assert card.value("acc") == 1
    assert card.provenance["split"] == "sample"
    assert len((out / "samples_mathvista_run.jsonl").read_text().splitlines()) == len(problems)


def test_repeated_ids_are_named_once(tmp_path, problems):
    path = plain(tmp_path / "run.jsonl", [(problems[0].id, "1")] * 5)
    lines = score_file(path, name="mathvista", problems=problems).account.lines()
    assert f"4 rows repeat an id (the first response counts): {problems[0].id}" in lines


@pytest.mark.medium
def test_two_runs_into_one_folder_do_not_mix(tmp_path, problems):
    """Each writes a file of its own until it is whole."""
    paths = []
    for text in "ab":
        (tmp_path / text).mkdir()
        paths.append(plain(tmp_path / text / "mathvista.jsonl", [(p.id, text * 9) for p in problems]))
    out = tmp_path / "out"
    command = [sys.executable, "-m", "mmmath_tasks", "rescore", "--split", "sample", "--out", str(out)]
    running = [subprocess.Popen([*command, str(path)], stdout=subprocess.DEVNULL) for path in paths]
    assert [process.wait() for process in running] == [0, 0]
    assert sorted(p.name for p in out.iterdir()) == ["samples_mathvista.jsonl", "scorecard_mathvista.json"]
    rows = [json.loads(line) for line in (out / "samples_mathvista.jsonl").read_text().splitlines()]
    assert len(rows) == len(problems)
    assert len({row["response"] for row in rows}) == 1


@pytest.mark.parametrize(
    ("name", "column", "cell"),
    [
        ("mathverse", "question", {}),
        ("mathvista", "choices", 5),
        ("mathvista", "precision", 10**400),
        ("mathvista", "metadata", "task"),
        ("mathvision", "options", [[1]]),
    ],
)
def test_columns_that_hold_no_problem(tmp_path, capsys, name, column, cell):
    rows = [{**row, "response": "A"} for row in rows_without_pictures(name)]
    rows[1][column] = cell
    (tmp_path / "run.json").write_text(json.dumps(rows))
    assert main(["rescore", str(tmp_path / "run.json"), "--benchmark", name]) == 2
    error = capsys.readouterr().err
    assert f"{tmp_path / 'run.json'}: row 2: the problem is not in the file" in error
    assert column in error


@pytest.mark.parametrize("name", ["MathVista", "MATH-Vista", "mathvista"])
def test_a_benchmark_is_known_in_any_spelling(tmp_path, name):
    (tmp_path / "run.jsonl").write_text(json.dumps({"benchmark": name, "pid": "1", "response": "A"}) + "\n")
    assert open_saved(tmp_path / "run.jsonl").benchmark == "mathvista"


@pytest.mark.medium
def test_names_and_ids_that_no_text_file_can_hold(tmp_path, problems):
    """A file named by bytes, an id that is half a character, on a terminal of another encoding."""
    path = plain(tmp_path / os.fsdecode(b"\xff\xfe.jsonl"), [(problems[0].id, "A"), ("\ud800 \u6570", "A")])
    command = [sys.executable, "-m", "mmmath_tasks", "rescore", path, "--benchmark", "mathvista", "--split", "sample"]
    environment = {**os.environ, "PYTHONIOENCODING": "latin-1"}
    done = subprocess.run([*command, "--out", tmp_path / "out"], env=environment, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"responses belong to no problem: \\ud800 \\u6570\n" in done.stdout
    assert len(list((tmp_path / "out").iterdir())) == 2


def test_a_broken_file_does_not_hide_the_good_ones(tmp_path, capsys, monkeypatch, problems):
    monkeypatch.setenv("COLUMNS", "300")
    good = plain(tmp_path / "mathvista_good.jsonl", [(p.id, p.answer) for p in problems])
    half = plain(tmp_path / "mathvista_half.jsonl", [(p.id, p.answer) for p in problems])
    half.write_text(half.read_text()[:-9])
    missing = tmp_path / "mathvista_none.jsonl"
    given = [str(missing), str(good), str(half), str(missing)[:-1]]
    assert main(["rescore", *given, "--benchmark", "mathvista", "--split", "sample"]) == 2
    said = capsys.readouterr()
    assert f"{good}: table, mathvista, {len(problems)} responses\n" in said.out
    assert f" n={len(problems)}\n" in said.out
    first, second, third = said.err.splitlines()
    assert first == f"mmmath: {missing}: no such file"
    assert second.startswith(f"mmmath: {half}: line {len(problems)}: not JSON")
    assert third == f"mmmath: {missing}"[:-1] + ": no such file"
    assert main(["rescore", "--compare", str(good), str(half), "--split", "sample"]) == 2
    assert f" n={len(problems)}\n" in capsys.readouterr().out


def test_what_is_wrong_with_every_file_is_said_once(tmp_path, capsys, problems):
    files = [str(plain(tmp_path / f"mathvista_{name}.jsonl", [(problems[0].id, "1")])) for name in "ab"]
    assert main(["rescore", *files, "--data", str(tmp_path / "nowhere")]) == 2
    assert capsys.readouterr() == ("", f"mmmath: {tmp_path / 'nowhere'}: no such folder\n")


def test_rows_that_belong_to_no_problem_are_counted_as_far_as_read(tmp_path, capsys):
    path = plain(tmp_path / "mathvista_run.jsonl", [(f"x{i}", "1") for i in range(3040)])
    assert main(["rescore", str(path), "--split", "sample"]) == 2
    assert (
        "none of its first 1,000 rows belongs to mathvista: ids such as x0, x1, x2, expected" in capsys.readouterr().err
    )


def test_compare_two_runs(tmp_path, capsys, problems):
    first = plain(tmp_path / "mathvista_a.jsonl", [(p.id, p.answer) for p in problems])
    second = plain(
        tmp_path / "mathvista_b.jsonl", [(p.id, p.answer if i else "nonsense") for i, p in enumerate(problems)]
    )
    assert main(["rescore", str(first), str(second), "--split", "sample", "--compare", "--rule", "verified"]) == 0
    printed = capsys.readouterr().out
    assert re.search(rf"\nall .* 1 +0 +{len(problems)}\n", printed)
    assert f"  right only in mathvista_a: {problems[0].id}\n" in printed
    assert "right only in mathvista_b" not in printed


def three(tmp_path, problems):
    """Files of three runs: all right, the first half wrong, the first problem wrong."""
    return [
        plain(
            tmp_path / f"mathvista_{name}.jsonl",
            [(p.id, "nonsense" if i < wrong else p.answer) for i, p in enumerate(problems)],
        )
        for name, wrong in (("a", 0), ("b", len(problems) // 2), ("c", 1))
    ]


@pytest.mark.parametrize(("pairs", "rows"), [("first", ["mathvista_b", "mathvista_c"]), ("all", ["2", "3", "3"])])
def test_compare_any_number_of_runs(pairs, rows, tmp_path, capsys, problems):
    files = list(map(str, three(tmp_path, problems)))
    out = tmp_path / "out"
    options = ["--compare", "--pairs", pairs, "--rule", "verified", "--out", str(out)]
    assert main(["rescore", *files, "--split", "sample", *options]) == 0
    lines = capsys.readouterr().out.splitlines()
    start = next(i for i, line in enumerate(lines) if "p (Holm)" in line)
    shown = [line.split() for line in lines[start + 1 : start + 1 + len(rows)]]
    assert [row[0] for row in shown] == rows
    assert f"corrected for {len(rows)} pairs (Holm)" in lines[start + 1 + len(rows)]
    record = json.loads((out / "differences.json").read_text())
    whole = [row for row in record if not row["group"]]
    half = len(problems) // 2
    wrong = {"mathvista_a": 0, "mathvista_b": half, "mathvista_c": 1}
    for row, line in zip(whole, shown, strict=True):
        first, second = wrong[row["first_run"]], wrong[row["second_run"]]
        assert [row["only_first"], row["only_second"]] == [max(0, second - first), max(0, first - second)]
        assert [str(row["only_first"]), str(row["only_second"]), str(row["count"])] == line[-3:]
        assert row["change"] == pytest.approx((first - second) / len(problems))
        unadjusted = min(
            1.0, 2 * 0.5 ** abs(second - first)
        )  # the exact test of nothing but losses, or nothing but gains
        assert row["p_unadjusted"] == pytest.approx(unadjusted)
        assert row["p_correction"] == f"Holm over {len(rows)} pairs"
    assert [row["p"] for row in whole] == pytest.approx(holm([row["p_unadjusted"] for row in whole]))
    assert any(row["p"] > row["p_unadjusted"] for row in whole)


def test_one_pair_is_not_corrected_and_says_so(tmp_path, problems):
    files = list(map(str, three(tmp_path, problems)[:2]))
    assert main(["rescore", *files, "--split", "sample", "--compare", "--out", str(tmp_path / "out")]) == 0
    whole = [row for row in json.loads((tmp_path / "out" / "differences.json").read_text()) if not row["group"]]
    assert [row["rule"] for row in whole] == ["official", "verified"]
    assert all(row["p"] == row["p_unadjusted"] and row["p_correction"] == "none" for row in whole)


@pytest.mark.parametrize(
    ("content", "arguments", "message"),
    [
        ('{"pid": "nope", "response": "1"}\n', ["--split", "sample"], "none of its 1 rows belongs to mathvista"),
        ('{"pid": "1", "answer": "1"}\n', [], "no column of responses"),
        ('{"pid": "1", "response": "1"}\n', ["--benchmark", "mathvist"], "unknown benchmark 'mathvist'"),
        ('{"pid": "1", "response": "1"}\n', [], "the problem is not in the file"),
        ('{"level": 1, "subject": "x", "response": "1"}\n', [], "its name or columns are those of mathvision"),
        ("%PDF-1.7", [], "is a PDF"),
        ('{"pid": "1", "response": {"text": "1"}}\n', [], "row 1: 'response' should be text or a list of texts"),
        ('{"pid": "1", "response": ' + "[" * 100_000 + "}\n", [], "line 1: not JSON: Brackets nested too deep"),
        ("id,response\n,A\n,B\n", ["--split", "sample"], "no column of problem ids (one of"),
        (
            '{"pid": "1", "response": "1"}\n',
            ["--benchmark", "mathvision", "--integer-rule", "int"],
            "mathvision has no option integer_rule",
        ),
        ('{"id": "1", "benchmark": "mathvist", "response": "1"}\n', None, "run.jsonl: unknown benchmark 'mathvist'"),
        ('{"pid": "1", "response": [{"text": "1"}]}\n', [], "row 1: 'response' should be text or a list of texts"),
        ("[" * 100_000, [], "not JSON: Brackets nested too deep"),
    ],
)
def test_bad_input_is_one_message_and_status_2(tmp_path, capsys, content, arguments, message):
    path = tmp_path / "run.jsonl"
    path.write_text(content)
    if arguments is None:
        arguments = []
    elif "--benchmark" not in arguments:
        arguments = [*arguments, "--benchmark", "mathvista"]
    assert main(["rescore", str(path), *arguments]) == 2
    error = capsys.readouterr().err
    assert message in error
    assert "Traceback" not in error
    assert error.count("\n") == 1


@pytest.mark.parametrize(
    ("name", "benchmark"),
    [
        ("Qwen_MathVista_MINI.tsv", "mathvista"),
        ("samples_mathverse_testmini.jsonl", "mathverse"),
        ("mathv_run.jsonl", None),
        ("run.jsonl", None),
    ],
)
def test_the_files_name_tells_the_benchmark(tmp_path, name, benchmark):
    assert open_saved(plain(tmp_path / name, [("1", "2")])).benchmark == benchmark


def test_a_file_that_is_mostly_about_other_problems_is_refused(tmp_path, capsys, monkeypatch, problems):
    folder = tmp_path / "data"
    folder.mkdir()
    (folder / "testmini.json").write_text(json.dumps({row["pid"]: row for row in rows_without_pictures("mathvista")}))
    path = plain(tmp_path / "run.jsonl", [(p.id, "1") for p in problems] + [(f"x{i}", "1") for i in range(99)])
    given = ["rescore", str(path), "--benchmark", "mathvista", "--data", str(folder)]
    assert main([*given, "--out", str(tmp_path / "out")]) == 2
    assert "99 do not: another benchmark's, or another split's?" in capsys.readouterr().err
    assert list((tmp_path / "out").iterdir()) == []
    assert main([*given, "--split", "testmini"]) == 0


@pytest.mark.parametrize("level", [10**30, "1" * 5000, [1]])
def test_data_that_no_table_can_hold(tmp_path, capsys, level):
    row = {**rows_without_pictures("mathvision")[0], "level": level}
    (tmp_path / "testmini.jsonl").write_text(json.dumps(row) + "\n")
    path = plain(tmp_path / "run.jsonl", [(row["id"], "A")])
    given = ["--benchmark", "mathvision", "--split", "testmini", "--data", str(tmp_path)]
    assert main(["rescore", str(path), *given]) == 2
    error = capsys.readouterr().err
    assert error.startswith(f"mmmath: {tmp_path}")
    assert error.count("\n") == 1


def test_a_file_that_breaks_off_leaves_no_half_of_the_samples(tmp_path, problems):
    path = plain(tmp_path / "run.jsonl", [(p.id, "1") for p in problems])
    path.write_text(path.read_text()[:-9])
    out = tmp_path / "out"
    assert main(["rescore", str(path), "--benchmark", "mathvista", "--split", "sample", "--out", str(out)]) == 2
    assert list(out.iterdir()) == []


def test_files_of_one_name_cannot_be_written_beside_each_other(tmp_path, capsys, problems):
    for name in "ab":
        (tmp_path / name).mkdir()
        plain(tmp_path / name / "mathvista.jsonl", [(p.id, "1") for p in problems])
    files = [str(tmp_path / name / "mathvista.jsonl") for name in "ab"]
    assert main(["rescore", *files, "--split", "sample", "--out", str(tmp_path / "out")]) == 2
    assert "two files are called 'mathvista'" in capsys.readouterr().err


def test_an_answer_that_is_no_option_has_a_count_of_its_own(tmp_path, capsys):
    """The count of those without an answer then agrees with the share below it."""
    problems, _ = problems_of("mathvision", "sample", None)
    chosen = [p for p in problems if p.choices]
    said = [
        "\\boxed{a hundred and seventeen}",
        "First, find the height. Then, find the base. It follows that they are related.",
    ]
    path = tmp_path / "run.jsonl"
    rows = [{"id": p.id, "response": said[i] if i < 2 else "The answer is A."} for i, p in enumerate(chosen)]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["rescore", str(path), "--benchmark", "mathvision", "--split", "sample"]) == 0
    out = capsys.readouterr().out
    said = (
        "1 unextracted otherwise (no answer was found), 1 unmatched (an answer was found that is no option or number)"
    )
    assert said in " ".join(out.split())
    assert f"{100 / len(chosen):.1f} [" in next(line for line in out.splitlines() if "share_unextracted" in line)


def test_files_and_rows_of_one_model_are_samples(tmp_path, problems, capsys):
    """Two files, the second with two rows a problem: three responses each, whatever their order."""
    free = [p for p in problems if p.answer_type == "integer"][:2]
    rows = [(free[0].id, free[0].answer, 1), (free[1].id, "7777", 1)]
    more = [
        (free[1].id, free[1].answer, 2),
        (free[0].id, "7777", 2),
        (free[0].id, "x 7777", 3),
        (free[1].id, "7777", 3),
    ]
    for name, lines in (("a", rows), ("b", more)):
        text = "".join(json.dumps({"id": key, "response": said, "seed": seed}) + "\n" for key, said, seed in lines)
        (tmp_path / f"{name}.jsonl").write_text(text)
    files = [str(tmp_path / "a.jsonl"), str(tmp_path / "b.jsonl")]
    options = ["--benchmark", "mathvista", "--split", "sample", "--out", str(tmp_path / "out")]
    assert main(["rescore", *files, "--samples", *options]) == 0
    card = mm.Scorecard.from_json((tmp_path / "out" / "scorecard_a.json").read_text())
    assert card.value("acc") == 0.5
    assert card.value("acc_mean@3") == pytest.approx(1 / 3)
    assert card.value("acc_pass@3") == 1
    assert card.value("acc_maj@3") == 0
    assert card.value("consistency@3") == pytest.approx(1 / 3)
    assert card.counts["missing"] == len(problems) - 2
    assert card.counts["duplicate"] == 0
    account = card.provenance["sampling"]
    assert account["seeds"] == ["1", "2", "3"]
    assert account["files"] == ["a.jsonl", "b.jsonl"]
    assert account["responses"] == 6
    assert account["standard_error"]["acc"]["samples"] > 0
    assert "mean@3_here" in capsys.readouterr().out


LACKS = {
    "question": "column 'question' is missing",  # which has the decimals that are asked for
    "choices": "column 'choices' is empty or missing for a question of multiple choice",
    "answer_type": "column 'answer_type' is missing",
}


@pytest.mark.parametrize("column", LACKS)
def test_a_table_of_vlmevalkit_that_lacks_a_column_is_not_scored_without_it(tmp_path, column):
    row = {"index": 1, "question": "Hint: x\nQuestion: How many?", "choices": "['1', '2']", "answer": "1"}
    row |= {"question_type": "multi_choice", "answer_type": "text", "task": "geometry", "prediction": "1"}
    path = tmp_path / "Model_MathVista_MINI.jsonl"
    path.write_text(json.dumps(row))
    assert score_file(path).card.value("acc") == 1
    path.write_text(json.dumps({name: value for name, value in row.items() if name != column}))
    with pytest.raises(mm.InputError, match=LACKS[column]):
        score_file(path, name="mathvista")


def test_a_float_without_its_decimals_and_a_type_of_no_kind_are_refused():
    row = {"pid": "1", "question": "How long?", "choices": None, "answer": "1.2", "question_type": "free_form"}
    row |= {"answer_type": "float", "precision": 1.0, "unit": None, "metadata": {"task": "geometry"}}
    assert mm.benchmark("mathvista").problem(row).precision == 1
    for changes, said in (
        ({"precision": None}, "column 'precision' is empty or missing for a float"),
        ({"question_type": ""}, "column 'question_type' should be one of multi_choice, free_form, got ''"),
    ):
        with pytest.raises(mm.InputError, match=said):
            mm.benchmark("mathvista").problem({**row, **changes})


def test_golds_that_are_not_there_are_none(tmp_path):
    row = {
        "index": 1,
        "question": "How many?",
        "question_type": "free_form",
        "answer_type": "text",
        "prediction": "None",
    }
    path = tmp_path / "Model_MathVista_MINI.jsonl"
    for more in ({}, {"answer": None}):
        path.write_text(json.dumps({**row, **more}))
        run = score_file(path, name="mathvista")
        assert (run.account.no_gold, [v.official for v in run.verdicts]) == (["1"], [None])
    path = tmp_path / "Model_MathVision.jsonl"
    whole = {"index": 1, "question": "How many?", "answer": "A", "A": "1", "B": "2", "level": 1, "category": "algebra"}
    path.write_text(json.dumps({**whole, "prediction": "A"}))
    assert score_file(path, name="mathvision").card.value("acc") == 1
    path.write_text(json.dumps({n: v for n, v in whole.items() if n != "answer"} | {"prediction": "None"}))
    assert score_file(path, name="mathvision").account.no_gold == ["1"]
    path.write_text(json.dumps({n: v for n, v in whole.items() if n not in "AB"} | {"prediction": "A"}))
    with pytest.raises(mm.InputError, match="MATH-Vision index 1: column 'options' is missing"):
        score_file(path, name="mathvision")

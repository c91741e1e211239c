"""Published and real runs, in their authors' format and in the harnesses', through what `mmmath rescore` does."""

import csv
import json
from pathlib import Path

import pytest

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.outputs.run import problems_of, score_file
from mmmath_tasks.score_labels import how_read
from support.published import by_run
from support.saved_formats import FORMATS, as_authors

FOLDERS = {"mathvista": "mathvista", "mathvision": "mathv", "wemath": "wemath"}
MISSING_ROWS = "48"
"""We-Math's set without a fifth of its rows."""


@pytest.fixture(scope="session")
def rows(shared):
    """Benchmark to problem id to the row in upstream's columns."""
    found = {}
    for name in FOLDERS:
        known = mm.benchmark(name)
        every = known.rows.read(shared / "data" / name, known.rows.SPLITS[0])
        found[name] = {known.problem(row).id: {k: v for k, v in row.items() if "image" not in k} for row in every}
    return found


@pytest.fixture(scope="session")
def runs(shared):
    """Benchmark to run to the published rows."""
    return {name: by_run(shared / "oracle" / f"{file}_rows.jsonl.gz") for name, file in FOLDERS.items()}


@pytest.fixture(scope="session")
def expected(shared):
    """Benchmark to run to what its authors report."""
    files = {name: json.loads((shared / "oracle" / f"{f}_expected.json").read_text()) for name, f in FOLDERS.items()}
    return {name: found["runs" if "runs" in found else "sets"] for name, found in files.items()}


def written(path, name, run, rows, form=as_authors):
    """Write a run; what its authors' judge read, and their verdicts, go with it where the format has a place."""
    extra = [{k: r[k] for k in ("extraction", "true_false", "correct") if r.get(k) is not None} for r in run]
    own = [dict(rows[name][r["id"]]) for r in run]
    if form is as_authors:
        own = [{**row, **more} for row, more in zip(own, extra, strict=True)]
    form(path, name, own, [r["response"] for r in run])
    return path


def own_rule(expected, run):
    return {"integer_rule": "int_float" if expected["mathvista"][run]["integer_rule"] == "head" else "int"}


def test_every_mathvista_run(tmp_path, rows, runs, expected):
    assert len(runs["mathvista"]) == 13
    for name, run in runs["mathvista"].items():
        found = score_file(written(tmp_path / f"{name}.json", "mathvista", run, rows), options=own_rule(expected, name))
        # the score file beside this template holds another run's figures: see test_mathvista.py
        which = "recomputed strict_int|own" if name.startswith("testmini_template") else "published"
        score = found.card.get("acc")
        assert [round(score.value * score.count), score.count] == expected["mathvista"][name][which]["average"][
            "average"
        ]
        assert found.disagree == ()
        read = sum(r["extraction"] is not None for r in run)
        assert found.card.provenance["extractions"] == f"{read} of 1000 from the file"


def test_every_mathvision_run(tmp_path, rows, runs, expected):
    assert sum(map(len, runs["mathvision"].values())) == 24_320
    for name, run in runs["mathvision"].items():
        found = score_file(written(tmp_path / "run.jsonl", "mathvision", run, rows))
        assert shown(found.card.get("acc")) == expected["mathvision"][name]["recomputed"]["-all"], name
        # what upstream's own code gives for the stored response is not always what upstream's file says
        changed = {r["id"] for r in run if r.get("recomputed_correct", r["correct"]) != r["correct"]}
        assert set(found.disagree) == changed, name


def shown(score):
    """A score as MATH-V's files have it."""
    return f"{round(score.value * score.count)}/{score.count}={round(100 * score.value, 2)}%"


@pytest.mark.slow
def test_every_wemath_run(tmp_path, rows, runs, expected):
    assert len(runs["wemath"]) == 25
    for name, run in runs["wemath"].items():
        found = score_file(written(tmp_path / "run.json", "wemath", run, rows))  # upstream reads no extraction
        assert found.disagree == (), name
        for metric, label in (("score_strict", "Score (Strict)"), ("score_loose", "Score (Loose)")):
            figure = (expected["wemath"][name]["four_dim"] or {}).get(label)
            if figure is None:  # upstream divides by zero where nothing was answered
                assert found.card.value(metric) == 0
            elif name != MISSING_ROWS:
                assert 100 * found.card.value(metric) == pytest.approx(float(figure.rstrip("%")), abs=0.01), name


@pytest.mark.parametrize("column", ["extraction", "res", "model_answer"])
@pytest.mark.parametrize(
    ("name", "run", "metric"), [("wemath", "10", "score_strict"), ("mathvision", "Gemini-Pro", "acc")]
)
def test_short_answers_of_somebody_change_nothing(tmp_path, capsys, rows, runs, expected, name, run, metric, column):
    """A column of what somebody read out of the responses, beside a published run; inverted verdicts, too."""
    kept = {"response", "id", "correct"}
    every = [{**{k: v for k, v in r.items() if k in kept}, column: "A"} for r in runs[name][run]]
    lines = [{**rows[name][r.pop("id")], **r, "correct": int(not r["correct"])} for r in every]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert main(["rescore", str(tmp_path / "run.jsonl"), "--out", str(tmp_path / "out")]) == 0
    card = mm.Scorecard.from_json((tmp_path / "out" / "scorecard_run.json").read_text())
    if name == "wemath":
        figure = expected[name][run]["four_dim"]["Score (Strict)"]
        assert f"{100 * card.value(metric):.2f}%" == figure
    else:
        assert shown(card.get(metric)) == expected[name][run]["recomputed"]["-all"]
    printed = capsys.readouterr().out
    said = f"responses in column 'response' ({len(lines):,} rows); not read: short answers in {column!r}"
    assert said in printed
    assert "verdicts stored in the file (correct) are not ours (official); " in printed
    assert card.provenance["stored_verdicts"]["inverted"] is True


SOME = [
    ("mathvista", "claude"),
    ("mathvision", "Gemini-Pro"),
    ("mathvision", "Random-Chance"),
    ("wemath", "8"),
    ("wemath", "44"),
]


@pytest.mark.parametrize(("name", "run"), SOME)
@pytest.mark.parametrize("form", ["lm-eval", "lmms-eval", "plain"])
def test_every_harness_format_gives_the_authors_verdicts(tmp_path, shared, rows, runs, name, run, form):
    published = {r["id"]: r for r in runs[name][run]}
    inorder = [{**published[i], "response": published[i]["response"] or ""} for i in rows[name]]  # lmms-eval: position
    path = written(tmp_path / "run.dat", name, inorder, rows, FORMATS[form])
    problems, _ = problems_of(name, None, str(shared / "data" / name))
    found = score_file(path, name=name, problems=problems)
    assert not found.account.lines()
    if name == "mathvista":  # the format has no place for what the judge read, so the rules read the response
        alone = score_file(written(tmp_path / "own.json", name, inorder, rows), use_extractions=False)
        assert found.verdicts == alone.verdicts
    else:
        wanted = [r.get("recomputed_correct", r["correct"]) for r in inorder]
        assert [v.official for v in found.verdicts] == wanted


def as_vlmevalkit(path, run):
    with path.open("w", newline="") as file:
        writer = csv.writer(file, delimiter="\t")
        writer.writerow(["index", "question", "prediction", "res"])
        writer.writerows([r["id"], "...", r["response"], r["extraction"]] for r in run)


def as_lmms_eval_judged(path, run):
    judged = [{"question_id": r["id"], "extraction": r["extraction"], "true_false": r["true_false"]} for r in run]
    rows = [
        {"doc_id": i, "target": "", "filtered_resps": [r["response"]], "llm_as_judge_eval": j, "doc_hash": ""}
        for i, (r, j) in enumerate(zip(run, judged, strict=True))
    ]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))


@pytest.mark.parametrize("run", ["claude", "llavar"])
@pytest.mark.parametrize("form", [as_vlmevalkit, as_lmms_eval_judged])
def test_what_gpt4_read_counts_in_every_format_that_has_a_place_for_it(tmp_path, shared, runs, expected, run, form):
    form(tmp_path / "run.dat", runs["mathvista"][run])
    problems, _ = problems_of("mathvista", None, str(shared / "data" / "mathvista"))
    options = own_rule(expected, run)
    found = score_file(tmp_path / "run.dat", name="mathvista", problems=problems, options=options)
    right, total = expected["mathvista"][run]["published"]["average"]["average"]
    assert (round(found.card.value("acc") * total), found.card.get("acc").count) == (right, total)
    assert found.disagree == ()


def test_a_real_vlmevalkit_run(tmp_path, shared, capsys):
    raw, judged = sorted((shared / "real" / "vlmevalkit").glob("*.xlsx"), key=lambda path: len(path.name))
    found = score_file(judged)
    score = found.card.get("acc")
    assert (round(score.value * score.count), score.count) == (679, 1000)
    assert found.card.provenance["extractions"] == "1000 of 1000 from the file"
    by_rules = [score_file(path, use_extractions=False) for path in (raw, judged)]
    assert by_rules[0].verdicts == by_rules[1].verdicts
    assert by_rules[0].card.provenance["extractions"] == "0 of 1000 from the file"
    assert main(["rescore", str(raw), str(judged), "--compare", "--rule", "official"]) == 0
    differ = sum(a.official != b.official for a, b in zip(by_rules[0].verdicts, found.verdicts, strict=True))
    assert 0 < differ < 20
    assert "their answers were not read alike" in capsys.readouterr().out


def test_thirteen_runs_and_a_comparison_fit_eighty_columns(tmp_path, rows, runs, expected, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "80")
    monkeypatch.chdir(tmp_path)
    files = [written(Path(f"{name}.json"), "mathvista", run, rows).name for name, run in runs["mathvista"].items()]
    assert main(["rescore", *files, "--integer-rule", "int"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= 80
    right, total = expected["mathvista"]["claude"]["published"]["average"]["average"]
    cells = next(
        line.split() for line in lines if line.startswith("claude ") and f" {100 * right / total:.1f} [" in line
    )
    assert cells[:3] == ["claude", "0", "1000"]
    assert (
        sum(line.startswith("  note") for line in lines) == 3
    )  # the authors' rule; whose short answers; the one with two rows by rules
    assert main(["rescore", "claude.json", "llavar.json", "--compare", "--all", "--integer-rule", "int"]) == 0
    assert max(map(len, capsys.readouterr().out.splitlines())) <= 80


def test_acc_by_rules_is_named_and_near_what_gpt4_read(tmp_path, rows, runs, expected):
    """Programs aside; their runs are warned of."""
    for name, run in runs["mathvista"].items():
        path = written(tmp_path / f"{name}.json", "mathvista", run, rows)
        card = score_file(path, use_extractions=False, options=own_rule(expected, name)).card
        programs = name in ("gpt4_2shot_code", "chatgpt_2shot_code_use_ocr")
        assert any("most responses are programs" in note for note in card.notes) is programs
        assert how_read(card) == "read by rules"
        published = sum(bool(r["true_false"]) for r in run) / len(run)
        assert programs or abs(card.value("acc") - published) < 0.05, name

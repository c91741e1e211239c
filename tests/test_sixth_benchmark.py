"""A sixth benchmark is its own files (tests/support/geomark, as CONTRIBUTING says) and no edit of any other."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

import mmmath_tasks
from support.needs import needs

FILES = Path(__file__).parent / "support" / "geomark"
pytestmark = [pytest.mark.slow, pytest.mark.medium, needs("judge", "report")]


@pytest.fixture(scope="module")
def package(tmp_path_factory):
    """The folder that holds a copy of the package with the sixth benchmark in it."""
    folder = tmp_path_factory.mktemp("copy")
    shutil.copytree(Path(mmmath_tasks.__file__).parent, folder / "mmmath_tasks", ignore=lambda *_: ["__pycache__"])
    before = {path for path in (folder / "mmmath_tasks").rglob("*") if path.is_file()}
    shutil.copytree(FILES, folder / "mmmath_tasks", dirs_exist_ok=True, ignore=lambda *_: ["__pycache__"])
    added = {path for path in (folder / "mmmath_tasks").rglob("*") if path.is_file()} - before
    assert len(added) == sum(path.is_file() for path in FILES.rglob("*.*") if path.suffix != ".pyc")  # none replaced
    run(folder, "mmmath_tasks.hub_datasets.samples", "--only", "geomark")
    return folder


@pytest.fixture(scope="module")
def scored(package, tmp_path_factory):
    """A table of responses that names no benchmark, rescored; its folder, and what was printed."""
    folder = tmp_path_factory.mktemp("run")
    shapes = {"triangle": "3", "square": "4", "pentagon": "5"}
    rows = [
        {"gid": f"{shape}-{size}", "asked": "How many?", "corners": corners, "shape": shape, "size": size}
        | {"response": f"I count {corners if size == '1' else 6}."}
        for shape, corners in shapes.items()
        for size in "12"
    ]
    (folder / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return folder, mmmath(package, "rescore", folder / "run.jsonl", "--out", folder).stdout


def run(package, module, *arguments, status=0):
    """Run a module of the copy."""
    environment = os.environ | {"PYTHONPATH": str(package), "XDG_CACHE_HOME": str(package / "cache")}
    command = [sys.executable, "-m", module, *map(str, arguments)]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, cwd=package, check=False)
    assert done.returncode == status, done.stderr
    return done


def mmmath(package, *arguments, status=0):
    """Run a command of the copy."""
    return run(package, "mmmath_tasks", *arguments, status=status)


def test_doctor_lists_its_members(package):
    said = mmmath(package, "doctor", "--offline").stdout
    assert "geomark      metrics: RULE_VERSION, RADARS, PROFILES, SHARES, score, summarise" in said
    assert "geomark      judge: ERRORS" in said


def test_a_table_of_responses_is_told_by_its_columns(scored):
    folder, said = scored
    assert "authors' file, geomark, 6 responses" in said
    card = json.loads((folder / "scorecard_run.json").read_text())
    assert (card["benchmark"], card["scores"][0]["value"]) == ("geomark", 0.5)


def test_its_responses_join_the_sample_by_its_own_ids(package, scored):
    folder = scored[0]
    rows = [json.loads(line) for line in (folder / "run.jsonl").read_text().splitlines()]
    (folder / "geomark.jsonl").write_text(
        "".join(json.dumps({k: r[k] for k in ("gid", "response")}) + "\n" for r in rows)
    )
    said = mmmath(package, "rescore", folder / "geomark.jsonl", "--split", "sample", "--out", folder / "sample").stdout
    assert "geomark, 6 responses" in said
    assert json.loads((folder / "sample" / "scorecard_geomark.json").read_text())["counts"]["scored"] == 6


def test_a_report_draws_what_it_says_suits_it(package, scored):
    folder = scored[0]
    mmmath(package, "report", folder / "scorecard_run.json", "-o", folder / "report")
    drawn = {path.stem for path in (folder / "report" / "plots").glob("*.svg")}
    assert {"geomark_acc_by_shape_radar", "geomark_acc_by_size", "geomark_outcomes"} <= drawn
    text = (folder / "report" / "index.html").read_text()
    assert "GeoMark" in text
    assert ">figures<" in text


def test_evaluate_has_a_metric_for_it(package):
    folder = Path(mmmath(package, "path", "evaluate").stdout.strip())
    assert "GeoMark" in (folder / "geomark" / "README.md").read_text()
    assert 'info("geomark")' in (folder / "geomark" / "geomark.py").read_text()


def test_lm_eval_runs_its_sample(package):
    arguments = ["--tasks", "geomark_sample", "--model", "mmmath-random-chance"]
    assert "geomark_sample" in mmmath(package, "lm-eval", "run", *arguments).stdout


@pytest.mark.parametrize(
    ("file", "right", "wrong"),
    [
        ("hub_datasets/geomark.py", "OWN_COLUMNS", "OWN_COLUMS"),
        ("metrics/geomark.py", "PROFILES", "PROFILE"),
        ("metrics/geomark.py", "def summarise", "def sumarise"),
    ],
)
def test_a_misspelt_member_is_named(package, scored, file, right, wrong):
    path = package / "mmmath_tasks" / file
    whole = path.read_text()
    path.write_text(whole.replace(right, wrong))
    try:
        said = mmmath(package, "rescore", scored[0] / "run.jsonl", "--benchmark", "geomark", status=2).stderr
    finally:
        path.write_text(whole)
    module = f"mmmath_tasks.{file.removesuffix('.py').replace('/', '.')}"
    assert f"{module}: {wrong.split()[-1]} is probably meant to be {right.split()[-1]}" in said

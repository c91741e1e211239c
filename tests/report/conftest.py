"""Two runs on the samples of every benchmark, as `mmmath rescore --out` leaves them."""

import json
import random

import pytest
from report.drawings import all_drawings

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.outputs.run import problems_of
from mmmath_tasks.problem import Score, Scorecard, Verdict
from support.report_page import unpainted

NAMES = ("mathvista", "mathvision", "mathverse", "wemath", "mathopeval")
NASTY = "</script><script>document.title='pwned'</script><img src=x onerror=alert(1)> &amp; \u2028 \x00 the end"


def responses(name, seed):
    """A response a problem: right, wrong, empty, and one that attacks the page."""
    dice = random.Random(f"{name}{seed}")
    problems, _ = problems_of(name, "sample", None)
    said = {}
    for problem in problems:
        choice = dice.choice("ABCD")
        said[problem.id] = dice.choice(
            [f"Answer: {problem.answer}", f"The answer is {choice}.", "", "It cannot be said."]
        )
    said[problems[0].id] = NASTY
    return said


def rescored(name, seed, folder, work, label):
    """Write scorecard_<label>.json and samples_<label>.jsonl into folder."""
    file = work / f"{label}.json"
    file.write_text(json.dumps({key: {"response": text} for key, text in responses(name, seed).items()}))
    assert main(["rescore", str(file), "--benchmark", name, "--split", "sample", "--out", str(folder)]) == 0
    return folder / f"scorecard_{label}.json"


def write_run(folder, label, problem, *, said="A", prompt=None, total=1, counts=(), scores=(), **provenance):
    """Write a scorecard and the one response beside it."""
    score = Score("acc", "", "", 1.0, total, 0.2, 1.0)
    known = {"total": total, "scored": total, "missing": 0, **dict(counts)}
    card = Scorecard(problem.benchmark, "acc", (score, *scores), known, {"model": label, **provenance})
    (folder / f"scorecard_{label}.json").write_text(card.to_json())
    row = {"problem": problem.to_dict(), "response": said, "verdict": Verdict(problem.id, True, True, "A").to_dict()}
    row |= {} if prompt is None else {"prompt": prompt}
    (folder / f"samples_{label}.jsonl").write_text(json.dumps(row) + "\n")


@pytest.fixture(scope="session")
def scored(tmp_path_factory):
    """A folder with two runs of each benchmark."""
    work, out = tmp_path_factory.mktemp("saved"), tmp_path_factory.mktemp("scored")
    for name in NAMES:
        if name in mm.benchmarks():
            for seed in ("first", "second"):
                rescored(name, seed, out, work, f"{name}_{seed}")
    return out


@pytest.fixture(scope="session")
def page(scored, tmp_path_factory):
    """The report of those runs; its PNG files are empty."""
    out = tmp_path_factory.mktemp("report")
    with unpainted():
        assert main(["report", str(scored), "-o", str(out)]) == 0
    return out


@pytest.fixture(scope="session")
def plots():
    """A plot of each kind of each input of drawings.INPUTS."""
    return all_drawings()

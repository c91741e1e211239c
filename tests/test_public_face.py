import doctest
import inspect
import pydoc
import subprocess
import sys

import pytest

import mmmath_tasks as mm
from mmmath_tasks import problem, scoring
from mmmath_tasks.scoring import Benchmark


def test_the_public_names():
    assert sorted(mm.__all__) == [
        "Benchmark",
        "InputError",
        "Problem",
        "Score",
        "Scorecard",
        "Verdict",
        "__version__",
        "benchmark",
        "benchmarks",
    ]
    assert all(getattr(mm, name) is not None for name in mm.__all__)


@pytest.mark.parametrize(("module", "least"), [(problem, 4), (scoring, 5)])
def test_the_docstrings_examples_hold(module, least):
    failed, tried = doctest.testmod(module)
    assert (failed, tried >= least) == (0, True)


def test_help_shows_the_public_face():
    shown = pydoc.plain(pydoc.render_doc(mm))
    assert all(f"class {name}(" in shown for name in ("Benchmark", "Problem", "Verdict", "Score", "Scorecard"))
    assert "benchmark(name" in shown


def test_what_a_benchmark_offers():
    public = {name for name, _ in inspect.getmembers(Benchmark) if not name.startswith("_")}
    assert public == {"name", "metrics", "rows", "problem", "prompt", "score", "score_many", "summarise"}


def test_the_five_benchmarks():
    assert set(mm.benchmarks()) >= {"mathopeval", "mathverse", "mathvision", "mathvista", "wemath"}


def test_an_unknown_benchmark_is_named_with_the_known_ones():
    with pytest.raises(ValueError, match=r"unknown benchmark 'mathvist'; known: .*mathvista"):
        mm.benchmark("mathvist")


def test_an_unknown_attribute_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'Metric'"):
        mm.Metric  # noqa: B018


def test_importing_loads_nothing_heavy():
    code = "import sys, mmmath_tasks; print(*sys.modules)"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"lm_eval", "datasets", "torch", "numpy", "sympy", "PIL", "pyarrow", "matplotlib", "openai", "rapidfuzz"}
    assert not heavy & set(loaded)


@pytest.mark.parametrize("workers", [1, 2])
def test_many_score_as_one_by_one(workers):
    mathvista = mm.benchmark("mathvista")
    problems = [mm.Problem("mathvista", str(i), "?", answer=str(i % 3), answer_type="integer") for i in range(20)]
    pairs = [(p, f"The answer is {i % 4}.") for i, p in enumerate(problems)]
    assert mathvista.score_many(pairs, workers=workers) == [mathvista.score(*pair) for pair in pairs]

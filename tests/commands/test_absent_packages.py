"""A package that is not installed is one message with the line that installs it, whichever command wants it."""

import subprocess
import sys
from importlib import import_module

import pytest
from openpyxl import Workbook

from mmmath_tasks.cli import main
from support.counting_rows import write

WITHOUT = """
import importlib.machinery as machinery, importlib.metadata as metadata, sys
absent, sys.argv = sys.argv[1], sys.argv[1:]
find, named = machinery.PathFinder.find_spec.__func__, metadata.Distribution.from_name.__func__
def found(cls, name, path=None, target=None):
    return None if name.partition(".")[0] == absent else find(cls, name, path, target)
def distribution(cls, name):
    if name.replace("-", "_") == absent:
        raise metadata.PackageNotFoundError(name)
    return named(cls, name)
machinery.PathFinder.find_spec, metadata.Distribution.from_name = classmethod(found), classmethod(distribution)
from mmmath_tasks.cli import main
sys.exit(main(sys.argv[1:]))
"""


@pytest.mark.medium
@pytest.mark.parametrize(
    ("absent", "words", "said"),
    [
        ("openpyxl", "rescore run.xlsx", "pip install 'mmmath-tasks[report]'"),
        ("latex2mathml", "report scored -o page", "pip install 'mmmath-tasks[report]'"),
        ("reportlab", "report scored -o page --pdf", "package reportlab is not installed: install it with pip"),
        ("httpx2", "judge run.jsonl --base-url http://localhost:1/v1 --model x", "pip install 'mmmath-tasks[judge]'"),
        ("pydantic", "judge run.jsonl --base-url http://localhost:1/v1 --model x", "pip install 'mmmath-tasks[judge]'"),
        ("matplotlib", "hub build mathopeval --out built --samples 1", "pip install 'mmmath-tasks[sandbox]'"),
        pytest.param(
            *("torch", "lm-eval run --model hf-multimodal --model_args pretrained=x --tasks mathvista_sample"),
            *("package torch is not installed: pip install 'mmmath-tasks[hf]'",),
            marks=pytest.mark.slow,
        ),
    ],
)
def test_a_package_that_is_not_installed(tmp_path, absent, words, said):
    write(tmp_path / "run.jsonl", ["The answer is 0."])
    book = Workbook()
    book.active.append(["index", "prediction"])
    book.save(tmp_path / "run.xlsx")
    assert main(["rescore", str(tmp_path / "run.jsonl"), "--out", str(tmp_path / "scored")]) == 0
    done = subprocess.run(
        [sys.executable, "-c", WITHOUT, absent, *words.split()], cwd=tmp_path, capture_output=True, text=True
    )
    assert done.returncode == 2, done.stderr
    last = done.stderr.splitlines()[-1]
    assert last.startswith("mmmath: ")
    assert said in last
    assert "Traceback" not in done.stderr


def test_a_module_that_an_installed_package_lacks_stays_that_packages_fault(monkeypatch):
    monkeypatch.setattr("mmmath_tasks.commands.path.run", lambda args: import_module("json.of_none"))
    with pytest.raises(ModuleNotFoundError, match=r"json\.of_none"):
        main(["path"])

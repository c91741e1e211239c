"""The start-up hook: lm-eval finds the tasks and models by itself, wherever and however it is installed."""

import os
import re
import shutil
import subprocess
import sys
import sysconfig
import venv
from importlib.metadata import distribution
from pathlib import Path

import pytest

import mmmath_tasks

pytestmark = pytest.mark.medium

FIND = """
import lm_eval
from lm_eval.tasks import TaskManager
from lm_eval.api.registry import get_model
print(lm_eval.__file__)
print("mathvista_testmini" in TaskManager().all_tasks, get_model("mmmath-random-chance").__name__)
"""


def python(code, *flags, executable=sys.executable, cwd=None, **variables):
    """Run code in a new interpreter, without the test's own settings."""
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "MMMATH_NO_PLUGIN")} | variables
    command = [str(executable), "-W", "error", *flags, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, env=environment, cwd=cwd, check=False)


FINDERS = "import sys; print(sum(type(f).__name__ == 'LmEvalFinder' for f in sys.meta_path))"


def test_an_interpreter_starts_with_one_finder_and_in_silence():
    done = python(FINDERS)
    assert (done.stdout, done.stderr) == ("1\n", "")


def test_running_the_pth_file_twice_changes_nothing():
    again = "import site, sysconfig; site.addsitedir(sysconfig.get_path('purelib')); "
    assert python(again + FINDERS).stdout == "1\n"


@pytest.mark.parametrize(("value", "finders"), [("1", "0\n"), ("yes", "0\n"), ("0", "1\n"), ("", "1\n")])
def test_a_variable_switches_it_off(value, finders):
    assert python(FINDERS, MMMATH_NO_PLUGIN=value).stdout == finders


def test_the_hook_itself_imports_nothing_of_the_package():
    code = "import sys; print([m for m in sys.modules if m.startswith(('mmmath_tasks.', 'lm_eval'))])"
    assert python(code).stdout == "[]\n"


@pytest.fixture
def small_harness(tmp_path):
    """A package that is called lm_eval and has a module tasks, for what the real one makes slow to try."""
    (tmp_path / "lm_eval").mkdir()
    (tmp_path / "lm_eval" / "__init__.py").touch()
    (tmp_path / "lm_eval" / "tasks.py").write_text("class TaskManager:\n    pass\n")
    return tmp_path


def test_a_failure_to_register_never_breaks_the_import(small_harness):
    code = "import sys; sys.path.insert(0, '.'); import lm_eval.tasks; print(lm_eval.tasks.TaskManager.__name__)"
    done = python(code, cwd=small_harness)
    assert done.stdout == "TaskManager\n"
    assert "Traceback" not in done.stderr or "mmmath" in done.stderr


def test_an_error_in_the_harness_stays_its_own(small_harness):
    (small_harness / "lm_eval" / "tasks.py").write_text("raise RuntimeError('theirs')\n")
    done = python("import sys; sys.path.insert(0, '.'); import lm_eval.tasks", cwd=small_harness)
    assert done.stderr.splitlines()[-1] == "RuntimeError: theirs"


def test_no_harness_is_a_plain_import_error(tmp_path):
    done = python("import sys; sys.modules['lm_eval'] = None; import lm_eval.tasks", cwd=tmp_path)
    assert "ModuleNotFoundError" in done.stderr


def test_where_the_hook_is_not_read_the_doctor_names_the_other_way():
    code = "import sys; sys.path += {paths!r}; from mmmath_tasks.cli import main; main(['doctor', '--offline'])"
    paths = [sysconfig.get_path("purelib"), str(Path(mmmath_tasks.__file__).parent.parent)]
    done = python(code.format(paths=paths), "-S")
    assert "start-up hook not run" in done.stdout
    assert "--include_path" in done.stdout
    assert re.search("mathopeval +built here", done.stdout)


# ---- the real harness, in environments laid over this one -----------------------------------------------------------


@pytest.fixture
def overlay(tmp_path):
    """A new virtual environment with links to all that is installed in this one but lm-eval."""
    home = tmp_path / "overlay"
    venv.create(home, with_pip=False)
    site_packages = next((home / "lib").glob("python*/site-packages"))
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not entry.name.startswith(("lm_eval", "__pycache__")):
            (site_packages / entry.name).symlink_to(entry)
    return home / "bin" / "python"


def lm_eval_source(folder):
    """Lay lm-eval's own files out as in a clone: lm_eval/ beside a pyproject.toml, which names setuptools.

    Of its thousands of tasks one folder is enough, and quicker to index.
    """
    found = distribution("lm_eval")
    (folder / "pyproject.toml").write_text(
        '[build-system]\nrequires = ["setuptools"]\nbuild-backend = "setuptools.build_meta"\n'
        f'[project]\nname = "lm_eval"\nversion = "{found.version}"\n'
        '[tool.setuptools.packages.find]\ninclude = ["lm_eval*"]\n'
    )
    package = Path(found.locate_file("lm_eval")).resolve()
    leave = {path.name for path in (package / "tasks").iterdir() if path.is_dir()} - {"gsm8k", "__pycache__"}
    shutil.copytree(package, folder / "lm_eval", ignore=lambda at, _: leave if Path(at).name == "tasks" else ())


@pytest.mark.slow
def test_the_real_harness_finds_tasks_and_models(tmp_path):
    done = python("import warnings; warnings.simplefilter('default')\n" + FIND, cwd=tmp_path)
    assert done.stdout.endswith("True RandomChance\n"), done.stderr


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["lenient", "strict", "compat"])
def test_an_editable_install_of_the_harness_finds_them_and_stays_whole(tmp_path, overlay, mode):
    source = tmp_path / "clone"
    source.mkdir()
    lm_eval_source(source)
    before = sorted(p for p in source.rglob("*.yaml") if "mmmath" in p.name)
    install = [
        sys.executable,
        "-m",
        "pip",
        "--python",
        str(overlay),
        "install",
        "-q",
        "--no-deps",
        "--no-build-isolation",
    ]
    settings = [] if mode == "lenient" else ["--config-settings", f"editable_mode={mode}"]
    subprocess.run([*install, *settings, "-e", str(source)], check=True, capture_output=True)
    done = python("import warnings; warnings.simplefilter('default')\n" + FIND, executable=overlay, cwd=tmp_path)
    where, found = done.stdout.splitlines()
    assert Path(where).is_relative_to(tmp_path)
    assert found == "True RandomChance"
    assert sorted(p for p in source.rglob("*.yaml") if "mmmath" in p.name) == before


@pytest.mark.slow
def test_nothing_is_left_after_uninstalling(tmp_path):
    home = tmp_path / "clean"
    venv.create(home, with_pip=False)
    clean = home / "bin" / "python"
    root = Path(mmmath_tasks.__file__).parent.parent
    if not (root / "pyproject.toml").is_file():
        pytest.skip("needs the checkout")
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path), str(root)]
    subprocess.run(build, check=True, capture_output=True)
    pip = [sys.executable, "-m", "pip", "--python", str(clean)]
    before = {p for p in home.rglob("*") if p.is_file()}
    subprocess.run(
        [*pip, "install", "-q", "--no-deps", str(next(tmp_path.glob("*.whl")))], check=True, capture_output=True
    )
    assert python(FINDERS, executable=clean).stdout == "1\n"
    subprocess.run([*pip, "uninstall", "-q", "-y", "mmmath-tasks"], check=True, capture_output=True)
    done = python(FINDERS, executable=clean)
    assert (done.stdout, done.stderr) == ("0\n", "")
    assert {p for p in home.rglob("*") if p.is_file() and "__pycache__" not in p.parts} == before

"""The distribution: what the wheel holds, one version everywhere, prose that keeps up with the code."""

import io
import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest
import yaml

import mmmath_tasks as mm

ROOT = Path(mm.__file__).parent.parent
pytestmark = [
    pytest.mark.medium,
    pytest.mark.skipif(not (ROOT / "pyproject.toml").is_file(), reason="needs the checkout"),
]
FOLDERS = ("metrics", "hub_datasets", "yaml_tasks")


def test_one_version_everywhere():
    citation = yaml.safe_load((ROOT / "CITATION.cff").read_text())
    newest = re.search(r"^## (\d\S+)", (ROOT / "CHANGELOG.md").read_text(), re.MULTILINE)
    assert citation["version"] == mm.__version__ == newest.group(1)
    assert citation["license"] == "Apache-2.0"


def test_the_changelog_has_each_version_by_kind_of_change():
    versions = re.split(r"^## ", (ROOT / "CHANGELOG.md").read_text(), flags=re.MULTILINE)[1:]
    kinds = [re.findall(r"^### (.+)$", text, re.MULTILINE) for text in versions if not text.startswith("0.1.0")]
    order = ["What moves, by benchmark", "Scores that move", "Added", "Changed", "Fixed"]
    assert all(found == [kind for kind in order if kind in found] for found in kinds)
    assert order in kinds


@pytest.fixture(scope="session")
def built(tmp_path_factory):
    """The sdist, and the wheel made from the unpacked sdist."""
    out = tmp_path_factory.mktemp("built")
    build = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(out)]
    subprocess.run([*build, "--sdist", str(ROOT)], check=True, capture_output=True)
    (out / "src").mkdir()
    subprocess.run(["tar", "-xf", next(out.glob("*.tar.gz")), "-C", out / "src"], check=True)  # any Python 3.11's
    subprocess.run([*build, "--wheel", str(next((out / "src").iterdir()))], check=True, capture_output=True)
    return out


def test_the_wheel_made_from_the_sdist_holds_just_the_package_and_the_hook(built):
    names = set(zipfile.ZipFile(next(built.glob("*.whl"))).namelist())
    wanted = {"mmmath_tasks_startup.py", "mmmath_tasks_startup.pth"}
    tracked = subprocess.run(["git", "ls-files"], cwd=ROOT, capture_output=True, text=True, check=True).stdout.split(
        "\n"
    )
    for name in filter(None, tracked):
        first = name.split("/")[0]
        if (ROOT / name).is_symlink():
            continue
        if first == "mmmath_tasks":
            wanted.add(name)
        elif first in FOLDERS:
            wanted.add(f"mmmath_tasks/{name}")
    code = {n for n in names if ".dist-info/" not in n}
    assert code == wanted
    assert {Path(n).name for n in names - code} == {"METADATA", "WHEEL", "RECORD", "LICENSE", "entry_points.txt"}


def test_the_sdist_holds_the_documentation_whole(built):
    tracked = {path.relative_to(ROOT) for path in (ROOT / "docs").rglob("*") if path.is_file()}
    source = next((built / "src").iterdir())
    assert {path for path in tracked if "__pycache__" not in path.parts} == {
        path.relative_to(source) for path in (source / "docs").rglob("*") if path.is_file()
    }


def test_an_index_takes_the_metadata(built):
    """What `twine check --strict` looks at: every field is valid, and the long description renders."""
    from packaging.metadata import Metadata
    from readme_renderer.markdown import render

    name = next(built.glob("*.whl"))
    with zipfile.ZipFile(name) as wheel:
        member = next(n for n in wheel.namelist() if n.endswith(".dist-info/METADATA"))
        found = Metadata.from_email(wheel.read(member), validate=True)
    assert (found.version.base_version, found.description_content_type) == (mm.__version__, "text/markdown")
    warnings = io.StringIO()
    assert "<h1" in (render(found.description, stream=warnings) or "")
    assert warnings.getvalue() == ""


@pytest.mark.slow
def test_the_wheel_alone_runs_readmes_first_command(built, tmp_path):
    """In an environment that sees what ours depends on, but not the checkout; `.ci/release` installs that, too."""
    venv.create(tmp_path / "environment", with_pip=False)
    executable = tmp_path / "environment" / "bin" / "python"
    packages = next((tmp_path / "environment" / "lib").glob("python*/site-packages"))
    for entry in Path(sysconfig.get_path("purelib")).iterdir():
        if not re.match("mmmath_tasks|_editable_impl_mmmath|_mmmath_tasks|__pycache__", entry.name):
            (packages / entry.name).symlink_to(entry)
    install = [sys.executable, "-m", "pip", "--python", str(executable), "install", "-q", "--no-deps"]
    subprocess.run([*install, str(next(built.glob("*.whl")))], check=True, capture_output=True)
    first = re.search(r"^```sh\n.*&& lm_eval (.+)$", (ROOT / "README.md").read_text(), re.MULTILINE)[1]
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"}
    done = subprocess.run(
        [str(executable), "-m", "lm_eval", *first.split()],
        cwd=tmp_path,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr
    assert "mathvista_sample" in done.stdout
    assert list((tmp_path / "out").rglob("scorecard_mathvista_sample_*.json"))


def without_links(tmp_path):
    """A checkout as git lays it out where it cannot make links: plain files that hold where they lead."""
    clone = ["git", "-c", "core.symlinks=false", "clone", "-q", "-c", "core.symlinks=false", str(ROOT), str(tmp_path)]
    subprocess.run(clone, check=True)
    assert (tmp_path / "mmmath_tasks" / "metrics").read_text() == "../metrics"
    return tmp_path


def test_a_checkout_without_links_builds_the_same_wheel(built, tmp_path):
    checkout = without_links(tmp_path / "checkout")
    build = [sys.executable, "-m", "build", "--no-isolation", "--wheel", "--outdir", str(tmp_path), str(checkout)]
    subprocess.run(build, check=True, capture_output=True)
    names = [set(zipfile.ZipFile(next(folder.glob("*.whl"))).namelist()) for folder in (built, tmp_path)]
    assert names[0] == names[1]


def test_an_editable_install_of_it_says_what_is_missing(tmp_path):
    checkout = without_links(tmp_path / "checkout")
    build = [sys.executable, "-c", "from hatchling.build import build_editable; build_editable('.')"]
    done = subprocess.run(build, cwd=checkout, capture_output=True, text=True)
    assert "core.symlinks" in done.stderr.splitlines()[-1]


@pytest.mark.parametrize("folder", FOLDERS)
def test_a_folder_of_the_package_is_no_second_module(folder):
    done = subprocess.run([sys.executable, "-c", f"import {folder}"], cwd=ROOT, capture_output=True, text=True)
    assert done.stderr.splitlines()[-1] == f"ImportError: this is mmmath_tasks.{folder}"


def test_the_wheel_is_small(built):
    assert next(built.glob("*.whl")).stat().st_size < 4_000_000


def test_a_reader_that_has_seen_enough_is_no_error():
    read, write = os.pipe()
    os.close(read)
    done = subprocess.run([sys.executable, "-m", "mmmath_tasks", "path"], stdout=write, stderr=subprocess.PIPE)
    os.close(write)
    assert (done.returncode, done.stderr) == (141, b"")

"""The other harnesses' commands in README, as they are written there; the model and its address are filled in."""

import os
import re
import shutil
import subprocess
import sys
from collections import defaultdict
from importlib.util import find_spec
from pathlib import Path

import pytest

from support import mathvista_folder
from support.scripted_server import serving

README = (Path(__file__).resolve().parents[2] / "README.md").read_text(encoding="utf-8")
COMMANDS = re.search(r"^## Other harnesses\n+```sh\n(.*?)^```", README, re.M | re.S)[1].splitlines()
PLACES = {  # what a line leaves open, in any of them
    "--model NAME": "--model scripted --base-url {url}",
    "--model PROVIDER/NAME": "--model openai-api/stub/scripted",
    "--model ...": "--model openai --model_args model_version=scripted,base_url={url},api_key=none",
    "data_dir=DIR": "data_dir={data}",
}
NEEDS = {"vlmeval --": "vlmeval", "lmms-eval": "lmms_eval", "inspect eval": "inspect_ai", "evaluate.load": "evaluate"}


def test_every_harness_has_its_command():
    assert [word for word in NEEDS if not any(word in line for line in COMMANDS)] == []


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("line", COMMANDS)
def test_it_runs(line, tmp_path):
    for word, module in NEEDS.items():
        if word in line and find_spec(module) is None:
            pytest.skip(f"no {module} here")
    data = mathvista_folder.write(tmp_path / "data" / "mathvista", count=3)
    command = re.sub(r"^pip install \S+ && ", "", line)
    with serving(defaultdict(lambda: "A")) as (url, asked):
        for place, filled in PLACES.items():
            command = command.replace(place, filled.format(url=url, data=data))
        variables = {name: value for name, value in os.environ.items() if not name.startswith(("MMMATH_", "LMU"))}
        variables |= {"PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}", "HOME": str(tmp_path)}
        variables |= {"MMMATH_DATA": str(data.parent), "STUB_BASE_URL": url, "STUB_API_KEY": "none"}
        done = subprocess.run(
            [shutil.which("bash"), "-c", command], cwd=tmp_path, env=variables, capture_output=True, text=True
        )
    assert done.returncode == 0, done.stdout[-2000:] + done.stderr[-2000:]
    assert len(asked) == (3 if "--model" in line else 0)

"""Rows from the Hub, by the real client against a double of it: the commit is recorded, failures say what to do."""

import json
import re
import subprocess
import sys

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from mmmath_tasks.scoring import benchmark
from support import mathvista_folder
from support.hub_server import HubServer

pytestmark = [
    pytest.mark.slow,
    pytest.mark.filterwarnings("ignore:Use 'content=:DeprecationWarning"),  # the Hub client's own way to upload
]

SCRIPT = """
import json, sys
from mmmath_tasks import sources
from mmmath_tasks.errors import InputError
from mmmath_tasks.scoring import benchmark
try:
    found = sources.find_split(benchmark("mathvista"), "testmini", revision=json.loads(sys.argv[1]))
except InputError as error:
    print(json.dumps({"error": str(error)}))
else:
    picture = found.rows[0]["decoded_image"]["bytes"]
    print(json.dumps({"rows": len(found.rows), "revision": found.revision, "picture": picture[:4].hex()}))
"""


def find(environment, revision=None):
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT, json.dumps(revision)],
        env={name: value for name, value in environment.items() if name != "MMMATH_DATA"},
        capture_output=True,
        text=True,
        timeout=600,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert "hub.invalid" not in environment.get("HF_ENDPOINT", "") or "Retrying" not in done.stderr
    return json.loads(done.stdout.splitlines()[-1])


def publish(server, tmp_path, count):
    rows = benchmark("mathvista").rows
    schema = rows.features("testmini").arrow_schema
    file = tmp_path / "rows.parquet"
    pq.write_table(pa.Table.from_pylist(mathvista_folder.rows(count), schema=schema), file)
    api = server.api()
    api.create_repo(rows.HUB_ID, repo_type="dataset", exist_ok=True)
    commit = api.upload_file(
        path_or_fileobj=str(file),
        path_in_repo="data/testmini-00000-of-00001.parquet",
        repo_id=rows.HUB_ID,
        repo_type="dataset",
    )
    return commit.oid


def test_the_commit_is_recorded_and_a_revision_can_be_chosen(hub, tmp_path):
    first, second = publish(hub, tmp_path, 4), publish(hub, tmp_path, 6)
    here = hub.environment(tmp_path / "home")
    assert find(here) == {"rows": 6, "revision": f"AI4Math/MathVista@{second}", "picture": "89504e47"}
    assert find(here, first) == {"rows": 4, "revision": f"AI4Math/MathVista@{first}", "picture": "89504e47"}
    offline = {**here, "HF_HUB_OFFLINE": "1"}
    cached = find(offline)
    assert cached in [
        {"rows": rows, "revision": f"AI4Math/MathVista@{commit}", "picture": "89504e47"}
        for rows, commit in ((4, first), (6, second))
    ]
    other = second if cached["rows"] == 4 else first
    assert f"the local cache holds {first if other == second else second}" in find(offline, other)["error"]


def test_what_the_hub_does_not_have_is_named_with_a_way_out(hub, tmp_path):
    error = find(hub.environment(tmp_path / "home"))["error"]
    assert error.startswith("AI4Math/MathVista at 'main', split 'testmini', cannot be had from the Hub (")
    assert "data_dir=FOLDER" in error


def test_no_hub_at_all_is_named(tmp_path):
    with HubServer(tmp_path / "hub") as gone:
        here = gone.environment(tmp_path / "home")
    assert "cannot be had from the Hub" in find(here)["error"]


def test_without_a_network_the_cache_is_taken_at_once(hub, tmp_path):
    """A name that does not resolve, as the Hub's on a machine without a network."""
    commit = publish(hub, tmp_path, 4)
    here = hub.environment(tmp_path / "home")
    held = find(here)
    away = {**here, "HF_ENDPOINT": "http://hub.invalid"}
    assert find(away, commit) == held
    empty = find({**away, "HF_HOME": str(tmp_path / "empty")})["error"]
    assert re.search(r"\(.+; the Hub: .*given up after 2 tries: the Hub's name does not resolve: \[Errno", empty)
    assert "--data (mmmath)" in empty

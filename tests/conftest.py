"""Every test run starts from the same place: no network, proxy or cache of the user's, one thread for arithmetic."""

import atexit
import logging
import os
import shutil
import sys
import tempfile

import pytest
from hypothesis import HealthCheck, settings

from support.hub_server import hub

__all__ = ["hub"]

# libraries read these when they are imported, so they are set before any test module is
_home = tempfile.mkdtemp(prefix="mmmath-tests-")
atexit.register(shutil.rmtree, _home, ignore_errors=True)
os.environ |= {
    "COLUMNS": "1000",  # every sentence on one line; what is laid out for a terminal is tested at its own width
    "HF_HOME": _home,
    "HF_HUB_OFFLINE": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_XET": "1",
    "NO_PROXY": "127.0.0.1,localhost",
    "no_proxy": "127.0.0.1,localhost",
    "OMP_NUM_THREADS": "1",
    "TOKENIZERS_PARALLELISM": "false",
}
for _name in ("MMMATH_DATA", "MMMATH_NO_PLUGIN", "HF_TOKEN", "HF_ENDPOINT", "OPENAI_API_KEY", "MMMATH_JUDGE_API_KEY"):
    os.environ.pop(_name, None)

# The same examples in every run, and no judgement on the speed of the machine; `--hypothesis-profile default` tries
# new ones.
settings.register_profile("alike", derandomize=True, deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("alike")

_COSTLY = {"copy", "endpoint", "evaluate", "hub", "load", "own_tasks_only", "page", "run", "scored"}
"""Fixtures that start a server or a process, or run a harness or a report as a whole."""

_SLOW = {"models", "tiny_model"}
"""Fixtures that make a model of transformers: importing torch and asking the model take seconds."""


@pytest.hookimpl(tryfirst=True)  # before -m chooses
def pytest_collection_modifyitems(items):
    """Mark as slow what reads published data or asks a model, as medium what starts something, as fast all the rest."""
    for item in items:
        if "conformance" in item.path.parts or _SLOW & set(item.fixturenames):
            item.add_marker("slow")
        if _COSTLY & set(item.fixturenames):
            item.add_marker("medium")
        if not (item.get_closest_marker("slow") or item.get_closest_marker("medium")):
            item.add_marker("fast")


def pytest_runtest_setup():
    """Let libraries that a test imported first log to the stderr of the run: that test's own is closed by now."""
    loggers = [logging.root, *logging.root.manager.loggerDict.values()]
    for handler in [handler for logger in loggers for handler in getattr(logger, "handlers", ())]:
        if isinstance(handler, logging.StreamHandler) and getattr(handler.stream, "closed", False):
            handler.stream = sys.stderr  # setStream would flush what is closed

"""Ctrl-C, whenever it comes, is one line."""

import subprocess
import sys

import pytest

pytestmark = pytest.mark.medium

WHILE_LOADING = """
import signal, sys
from mmmath_tasks.cli import main

class Interrupt:
    def find_spec(self, name, path=None, target=None):
        if name == "mmmath_tasks.commands.report":
            signal.raise_signal(signal.SIGINT)

signal.signal(signal.SIGINT, signal.default_int_handler)
sys.meta_path.insert(0, Interrupt())
sys.exit(main(["path"]))
"""


def test_while_the_commands_are_loaded():
    done = subprocess.run([sys.executable, "-c", WHILE_LOADING], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "mmmath: interrupted\n")

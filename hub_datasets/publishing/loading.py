"""Load a folder as its users will: the real `load_dataset`, in a process and with a cache of its own.

Run as a file this needs nothing but datasets, so that any version of it in any environment can be asked.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

WHOLE = 2 * 1024**3
"""Bytes up to which a folder is also loaded without streaming, which copies it into the cache."""


def load(folder: Path, layout: Mapping[str, Mapping[str, list[str]]], python: str) -> dict[str, Any]:
    """Load every split of a folder with streaming, and without where it is not too large.

    Args:
        folder: the folder.
        layout: configuration to split to files.
        python: an interpreter that has datasets.

    Returns:
        {"datasets": its version, "errors": {"config/split": what went wrong}}.

    Raises:
        InputError: the interpreter does not run, has no datasets, or ends without a report.
    """
    import pyarrow.parquet as pq

    from mmmath_tasks.errors import InputError

    splits = [
        (config, split, sum(pq.read_metadata(folder / path).num_rows for path in files))
        for config, found in layout.items()
        for split, files in found.items()
    ]
    size = sum(path.stat().st_size for path in (folder / "data").rglob("*.parquet"))
    wanted = {"repo": str(folder.resolve()), "splits": splits, "whole": size <= WHOLE}
    # A cache of its own: datasets takes a folder that was rewritten for the one it cached under the same name.
    with tempfile.TemporaryDirectory() as home:
        kept = {k: v for k, v in os.environ.items() if not k.startswith(("HF_", "PYTHON"))}
        try:
            done = subprocess.run(  # noqa: S603 - the interpreter that the user named, and this file
                [python, __file__],
                input=json.dumps(wanted),
                capture_output=True,
                text=True,
                check=False,
                env={**kept, "HF_HOME": home, "HF_HUB_OFFLINE": "1", "HF_HUB_DISABLE_TELEMETRY": "1"},
            )
        except OSError as error:
            raise InputError(f"{python}: cannot be run: {error.strerror}") from None
    # Not its status: pyarrow's readers of streams may abort a process that has said everything (apache/arrow#45214).
    try:
        report: dict[str, Any] = json.loads(done.stdout)
    except ValueError:
        said = done.stderr.strip().splitlines() or [f"ended with status {done.returncode} and no report"]
        raise InputError(f"{python}: {said[-1]}") from None
    return report


def _main() -> None:
    """Read what `load` wants from stdin, write its report to stdout, end without the libraries' own clearing up."""
    # The folder of this file holds modules with common names (statistics), which must not hide others'.
    sys.path[:] = [path for path in sys.path if Path(path or ".").resolve() != Path(__file__).parent.resolve()]
    import datasets

    datasets.disable_progress_bars()
    errors = _errors(**json.load(sys.stdin))
    json.dump({"datasets": datasets.__version__, "errors": errors}, sys.stdout)
    sys.stdout.flush()
    os._exit(0)


def _errors(repo: str, splits: list[tuple[str, str, int]], whole: bool) -> dict[str, str]:
    """Return what went wrong with each split (configuration, name, rows) that does not load as it should."""
    import datasets

    errors = {}
    for config, split, count in splits:
        for streaming in (False, True) if whole else (True,):
            try:
                rows = datasets.load_dataset(repo, config, split=split, streaming=streaming)
                for column, feature in rows.features.items():
                    if type(feature).__name__ == "Image":
                        rows = rows.cast_column(column, datasets.Image(decode=False))
                number = sum(1 for _ in rows) if streaming else len(rows)
                if number != count:
                    errors[f"{config}/{split}"] = f"{number} rows in place of {count} (streaming={streaming})"
            except Exception as error:  # any failure at all is the finding
                errors[f"{config}/{split}"] = f"{type(error).__name__}: {' '.join(str(error).split())[:300]}"
    return errors


if __name__ == "__main__":
    _main()

"""Build a set into a folder: `python -m mmmath_tasks.hub_datasets.mathopeval_generator FOLDER [options]`.

For what `mmmath hub build mathopeval` has no option: figures from Geometry3K or ChartX (--sources), the number of
processes. The folder is then a --source of `mmmath hub build mathopeval`. A build that was stopped goes on where it
was: drawn pictures are kept beside the folder until it is whole.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
from pathlib import Path

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.mathopeval import generate
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import EDITION
from mmmath_tasks.hub_datasets.mathopeval_generator.sources import take
from mmmath_tasks.hub_datasets.publishing.scratch import alone


def main() -> int:
    """Run; bad input is one message on stderr and status 2."""
    parser = argparse.ArgumentParser(prog="mathopeval_generator", description="Build MathOPEval's files.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--seed", type=int, help="default: 0")
    parser.add_argument("--seed-file", type=Path, help="in place of --seed: a file that is kept secret")
    parser.add_argument("--edition", type=int, default=EDITION, help=f"of the set (default: {EDITION})")
    parser.add_argument("--samples", type=int, help="how many (default: the paper's 1,888)")
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--sources", type=Path, help="a folder with Geometry3K's logic forms or ChartX's rows")
    args = parser.parse_args()
    try:
        samples = None
        if args.sources:
            taken = take(args.sources, args.seed or 0)
            samples = taken.samples[: args.samples]
            for cause, count in taken.left.items():
                print(f"left out {count:,}: {cause}")
            if not taken.samples:
                raise InputError(f"{args.sources}: no figure there can carry a sample")
        folder = args.folder.resolve()
        kept = folder.with_name(f".{folder.name}.drawn")
        names = ("seed", "seed_file", "edition", "samples", "processes")
        options = {"sources": samples, **{name: getattr(args, name) for name in names}}
        with alone(folder):
            generate(folder, kept=kept, **options)
            shutil.rmtree(kept)
    except InputError as error:
        print(f"mathopeval_generator: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

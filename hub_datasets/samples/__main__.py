"""Draw the samples anew: `python -m mmmath_tasks.hub_datasets.samples [folder] [--only NAME ...]`."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.samples.building import build, names


def main() -> int:
    """Run; bad input is one message on stderr and status 2."""
    parser = argparse.ArgumentParser(prog="samples", description="Draw the samples anew.")
    parser.add_argument("folder", type=Path, nargs="?", default=Path(__file__).parent, help="where to (default: here)")
    parser.add_argument("--only", nargs="+", choices=names(), metavar="NAME", help="these benchmarks (default: all)")
    args = parser.parse_args()
    try:
        for name in args.only or names():
            path = build(name, args.folder)
            print(f"{path}  {path.stat().st_size:,} bytes")
    except InputError as error:
        print(f"samples: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())

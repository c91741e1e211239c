"""`mmmath power`: which differences the splits show, and how many problems or responses another one takes."""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator

from mmmath_tasks.commands._parser import require_at_least
from mmmath_tasks.errors import InputError

HELP = "how many problems, or responses to each, show a difference between two models"

EXAMPLES = """
    mmmath power
    mmmath power mathvista --difference 0.02 --accuracy 0.6
    mmmath power mathvision --samples 4
"""

_SHARES = {"difference": (0.0, 1.0), "accuracy": (0.0, 1.0), "power": (0.05, 1.0)}


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("benchmarks", nargs="*", metavar="BENCHMARK", help="default: all")
    add("--difference", type=float, default=0.03, help="in shares right (0.03: three points)")
    add("--accuracy", type=float, default=0.5, help="of the weaker model (0.5)")
    add("--power", type=float, default=0.8, help="the chance to show it (0.8)")
    add(
        "--ratio",
        type=float,
        help="how often one of two only is right, to chance (default: of published pairs, else 1)",
    )
    add("--samples", type=int, default=8, help="responses to each problem in the last column (8)")
    add(
        "--noise",
        type=float,
        default=0.5,
        help="the part of the variance of the difference on a problem that is another one when the models answer "
        "again; assumed (0.5): no published run answers twice",
    )


def run(args: argparse.Namespace) -> int:
    """Print a table."""
    require_at_least(args, samples=1)
    for name, (low, high) in _SHARES.items():
        if not low < getattr(args, name) < high:
            raise InputError(f"--{name} should be between {low:g} and {high:g}, is {getattr(args, name)}")
    if args.accuracy + args.difference > 1:
        raise InputError("--accuracy and --difference should be 1 together at most")
    if args.ratio is not None and not 0 < args.ratio <= 2:
        raise InputError(f"--ratio should be over 0 and 2 at most, is {args.ratio}")
    if not 0 <= args.noise <= 1:
        raise InputError(f"--noise should be from 0 to 1, is {args.noise}")
    from mmmath_tasks.scoring import benchmark, benchmarks

    print("\n".join(_lines(args, [benchmark(name).name for name in args.benchmarks or benchmarks()])))
    return 0


def _lines(args: argparse.Namespace, names: list[str]) -> Iterator[str]:
    from mmmath_tasks import papers
    from mmmath_tasks.metrics.power import discordance, problems_for, samples_for, smallest_difference
    from mmmath_tasks.outputs.table_text import wrapped

    points, chance = f"{100 * args.difference:g}", f"{100 * args.power:g} %"
    yield f"Two models on the same problems, the weaker {100 * args.accuracy:g} % right: what is shown at 5 %"
    yield f"in {chance} of comparisons. shows: the smallest difference with one response each (McNemar's exact test)."
    yield f"{points} points take: so many problems, or on this split so many responses of each model to each problem."
    yield f"{'split':<32}{'problems':>9}{'shows':>13}{f'{points} points take':>18}{'or responses':>14}"
    told = []
    for name in names:
        pairs = papers.pairs(name)
        ratio = args.ratio if args.ratio is not None else pairs.middle if pairs else 1.0
        differing = discordance(args.accuracy, args.difference, ratio)
        needed = problems_for(args.difference, differing, args.power)
        for split, size in papers.sizes(name).items():
            least = smallest_difference(size, args.accuracy, ratio, args.power)
            shows = "-" if least is None else f"{math.ceil(1000 * least) / 10:.1f} points"
            each = samples_for(size, args.difference, differing, args.noise, args.power)
            counts = "".join(f"{'-' if n is None else f'{n:,}':>{w}}" for n, w in ((needed, 18), (each, 14)))
            yield f"{f'{name} {split}':<32}{size:>9,}{shows:>13}{counts}"
        said = f"{name}: one of two only is right {ratio:.2f} times as often as by chance"
        if args.ratio is not None:
            told.append(f"{said}, as asked.")
        elif pairs:
            ends = f"{pairs.low:.2f} to {pairs.high:.2f} in nine of ten"
            told.append(f"{said} ({pairs.count} pairs of {pairs.runs} published runs: {ends}; {pairs.source}).")
        else:
            told.append(f"{said}: no published pair; models alike differ less, and take fewer problems.")
        if papers.sizes(name) != papers.counted(name):
            told.append(f"{name}: its rows about one problem are counted once.")
        elif papers.unit(name) != "problems":
            told.append(f"{name}: counted as {papers.unit(name)}, some of them about one problem.")
    told.append(
        f"Responses: {100 * args.noise:g} % of the variance is assumed to be that of answering again (--noise)."
    )
    for line in told:
        yield from wrapped(line, 100)

"""`mmmath hub`: build a benchmark's folder, check it, publish it, compare it."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING

from mmmath_tasks.number_text import counted

if TYPE_CHECKING:
    from mmmath_tasks.hub_datasets.publishing.anomalies import Anomalies

HELP = "build a benchmark's data set, check it, publish it to the Hub, compare it"

EXAMPLES = """
    mmmath hub build mathvision --source UPSTREAM --out built/mathvision
    mmmath hub check built/mathvision
    mmmath hub publish built/mathvision --repo ORG/NAME --pr
    mmmath hub diff built/mathvision hf://datasets/ORG/NAME
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Declare the four verbs."""
    from mmmath_tasks.hub_datasets.publishing.card import FRAMEWORK

    verbs = parser.add_subparsers(dest="verb", metavar="VERB", required=True)

    build = verbs.add_parser("build", help="upstream's files to a folder that can be published", examples=_of("build"))
    build.add_argument("name", help="the benchmark")
    build.add_argument(
        "--source",
        help="upstream's folder or zip file, or hf://datasets/ORG/NAME@REVISION (default: upstream's repo on the Hub)",
    )
    build.add_argument("--out", type=Path, required=True, help="the folder; an earlier build there is replaced")
    build.add_argument("--splits", default="", help="comma-separated (default: all)")
    build.add_argument(
        "--pictures",
        choices=("require", "available", "none"),
        default="require",
        help="require: a missing picture is an error (default); available: it is null; none: all are null, and it "
        "cannot be published",
    )
    build.add_argument("--seed", type=int, help="of a benchmark that is generated, not read (default: 0)")
    build.add_argument(
        "--seed-file",
        type=Path,
        metavar="FILE",
        help="mathopeval: in place of --seed 16 or more random bytes in a file that is kept secret, as are the golds",
    )
    build.add_argument("--edition", type=int, help="mathopeval: 1 or 2 (default: 2)")
    build.add_argument(
        "--samples", type=int, help="of a benchmark that is generated: how many, from 1 (default: the paper's)"
    )
    build.add_argument(
        "--human-subset",
        action="store_true",
        default=None,
        help="mathopeval: only the 400 questions of either format that the paper asked humans",
    )
    build.add_argument(
        "--repo", metavar="ORG/NAME", default="ORG/NAME", help="where it will go, for the card's examples"
    )
    build.add_argument(
        "--framework",
        metavar="NAME",
        default=FRAMEWORK,
        help='what eval.yaml names as evaluation_framework, of the list that the Hub keeps (default: %(default)s); "": '
        "nothing",
    )
    build.set_defaults(act=_build)

    check = verbs.add_parser(
        "check", help="look for everything that can go wrong, before a push", examples=_of("check")
    )
    check.add_argument("folder", help="from build, or hf://datasets/ORG/NAME@REVISION: what the Hub holds")
    check.add_argument(
        "--python", action="append", default=[], help="an interpreter whose datasets must load the folder too"
    )
    check.set_defaults(act=_check)

    publish = verbs.add_parser(
        "publish", help="make a repo of the Hub hold the folder: one commit and a tag", examples=_of("publish")
    )
    publish.add_argument("folder", type=Path)
    publish.add_argument("--repo", required=True, metavar="ORG/NAME")
    publish.add_argument("--pr", action="store_true", help="open a pull request in place of a commit")
    publish.add_argument("--private", action="store_true", help="create the repo as private")
    publish.add_argument("--dry-run", action="store_true", help="tell what would be written, write nothing")
    publish.add_argument("--tag", help="default: build-<hash of the build>")
    publish.add_argument(
        "--overwrite", action="store_true", help="replace what somebody else wrote, and another benchmark"
    )
    publish.set_defaults(act=_publish)

    diff = verbs.add_parser(
        "diff", help="rows added, removed and changed between two builds or revisions", examples=_of("diff")
    )
    diff.add_argument("first", help="a folder or hf://datasets/ORG/NAME@REVISION")
    diff.add_argument("second", help="likewise")
    diff.add_argument("--rows", type=int, default=20, help="rows to name of each kind (default: 20; -1: all)")
    diff.set_defaults(act=_diff)


def _of(verb: str) -> str:
    """Return the examples of a verb."""
    return "\n".join(line for line in EXAMPLES.splitlines() if f"hub {verb} " in line)


def run(args: argparse.Namespace) -> int:
    """Run the verb."""
    if not sys.stderr.isatty():
        from huggingface_hub.utils.tqdm import disable_progress_bars

        disable_progress_bars()
    status: int = args.act(args)
    return status


def _build(args: argparse.Namespace) -> int:
    from mmmath_tasks.hub_datasets.publishing.anomalies import Anomalies
    from mmmath_tasks.hub_datasets.publishing.build import build
    from mmmath_tasks.hub_datasets.publishing.edition import edition

    splits = tuple(filter(None, args.splits.split(",")))
    options = {
        name: value
        for name in ("seed", "seed_file", "edition", "samples", "human_subset")
        if (value := getattr(args, name)) is not None
    }
    made = build(
        args.name,
        args.source,
        args.out,
        splits=splits,
        pictures=args.pictures,
        made=options,
        repo=args.repo,
        framework=args.framework or None,
    )
    for config, found in made.configs.items():
        for split, count in found.items():
            print(f"{config}/{split}: {counted(count['rows'], 'row')}")
    _report(Anomalies.of(made.anomalies, edition(args.name).known))
    kept = " without pictures: for use here, `hub check` refuses it" if args.pictures == "none" else ""
    print(f"{args.out}: built{kept}")
    return 0


def _report(anomalies: Anomalies) -> None:
    """Print the anomalies: counts of all, a shout for those that are not known of the benchmark."""
    for split, kinds in anomalies.found.items():
        counts = ", ".join(f"{kind} {len(names):,}" for kind, names in kinds.items())
        print(f"{split}: anomalies: {counts} (listed in README.md)")
    for split, kind, names in anomalies.new():
        shown = ", ".join(names[:20]) + (", ..." if len(names) > 20 else "")
        print(f"NEW ANOMALY in {split}: {kind}, not known of {counted(len(names), 'row')}: {shown}", file=sys.stderr)


def _check(args: argparse.Namespace) -> int:
    from mmmath_tasks.hub_datasets.publishing.check import check
    from mmmath_tasks.hub_datasets.publishing.snapshot import local_copy

    levels = {"error": 0, "warning": 0}
    for finding in check(local_copy(args.folder), pythons=args.python):
        levels[finding.level] += 1
        print(f"{finding.level}: {finding.place}: {finding.message}")
    counts = [f"{count:,} {level}{'s' * (count > 1)}" for level, count in levels.items() if count]
    can = [] if levels["error"] else ["can be published"]
    print(f"{args.folder}: {', '.join(can + counts)}")
    return 1 if levels["error"] else 0


def _publish(args: argparse.Namespace) -> int:
    from mmmath_tasks.hub_datasets.publishing.publish import publish

    done = publish(
        args.folder,
        args.repo,
        private=args.private,
        pr=args.pr,
        dry_run=args.dry_run,
        overwrite=args.overwrite,
        tag=args.tag,
    )
    for verb in ("add", "replace", "remove"):
        for path in getattr(done.changes, verb):
            print(f"{verb} {path}")
    if not done.changes:
        print(f"{args.repo}: holds this build already")
    if done.pull_request:
        print(f"pull request: {done.pull_request}")
    elif done.commit:
        print(f"commit {done.commit}, tag {done.tag}" if done.tag else f"commit {done.commit}")
    return 0


def _diff(args: argparse.Namespace) -> int:
    from mmmath_tasks.hub_datasets.publishing.diff import diff
    from mmmath_tasks.hub_datasets.publishing.snapshot import snapshot

    different = False
    for found in diff(snapshot(args.first), snapshot(args.second)):
        different |= bool(found)
        print("\n".join(found.lines(args.rows)))
    return 1 if different else 0

"""`mmmath card`: a scorecard onto a model card; `mmmath card check` looks at files of results."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from mmmath_tasks.errors import InputError, said
from mmmath_tasks.hub_datasets.publishing.snapshot import require_repo_id
from mmmath_tasks.outputs.place import make_folder

if TYPE_CHECKING:
    from huggingface_hub import HfApi

    from mmmath_tasks.model_card.merge import Conflict
    from mmmath_tasks.model_card.results import Subject
    from mmmath_tasks.problem import Scorecard

HELP = "put a scorecard on a model card, or check one (mmmath card check FILE)"

CONFLICT = "conflict"
_DATE = re.compile(r"_(\d{4}-\d\d-\d\d)T(\d\d)-(\d\d)-(\d\d)")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    from mmmath_tasks.model_card.doubts import NAMES

    parser.usage = (
        "mmmath card SCORECARD... --model ORG/NAME [--pr | --out DIR] [options]\n       mmmath card check FILE..."
    )
    parser.add_argument(
        "files",
        nargs="+",
        metavar="SCORECARD",
        help='scorecard_*.json; or "check" and files: .eval_results/*.yaml, README.md',
    )
    parser.add_argument("--model", metavar="ORG/NAME", help="the model's repo")
    where = parser.add_mutually_exclusive_group()
    where.add_argument("--pr", action="store_true", help="open a pull request; without it the change is only shown")
    where.add_argument("--out", type=Path, metavar="DIR", help="write into a folder, merged with what it has")
    parser.add_argument("--task", help="our task, where the scorecard does not name it")
    parser.add_argument("--dataset", metavar="ORG/NAME", help="the data set's repo (default: where the data came from)")
    parser.add_argument("--date", help="ISO date or time of the run (default: the one in the file's name)")
    parser.add_argument("--source-url", metavar="URL", help="where the evaluation can be looked at")
    parser.add_argument("--source-name", metavar="NAME", help="what to call that place")
    parser.add_argument("--only", choices=("eval-results", "model-index"), help="one of the two forms (default: both)")
    parser.add_argument(
        "--force",
        nargs="+",
        default=(),
        choices=(*NAMES, CONFLICT),
        metavar="DOUBT",
        help=f"publish in spite of: {', '.join((*NAMES, CONFLICT))}",
    )


def run(args: argparse.Namespace) -> int:
    """Show the change, then write or propose it."""
    if args.files[0] == "check":
        return _check([Path(name) for name in args.files[1:]])
    require_repo_id(args.model, "--model")
    if args.source_name and not args.source_url:
        raise InputError("--source-name needs --source-url")
    from mmmath_tasks.report.runs import read_card

    cards = [(Path(name), read_card(Path(name))) for name in args.files]
    for path, card in cards:
        _refuse(path, card, args.force)
    if args.out:
        make_folder(args.out)
    return _publish(cards, args)


def _check(paths: Sequence[Path]) -> int:
    from mmmath_tasks.model_card.checks import findings

    if not paths:
        raise InputError("card check: name a file")
    count, unread = 0, []
    for path in paths:
        try:
            wrong = findings(path.read_bytes().decode("utf-8"))
        except OSError as error:
            unread.append(said(error))
            continue
        except UnicodeDecodeError:
            unread.append(f"{path}: not UTF-8 text")
            continue
        count += len(wrong)
        print("\n".join(f"{path}: {found}" for found in wrong) if wrong else f"{path}: nothing wrong")
    if unread:
        raise InputError("\n".join(unread))
    return 1 if count else 0


def _refuse(path: Path, card: Scorecard, forced: Sequence[str]) -> None:
    from mmmath_tasks.model_card.doubts import doubts

    found = list(doubts(card))
    for doubt in found:
        if doubt.name in forced:
            print(f"{path}: published in spite of: {doubt.why}", file=sys.stderr)
    left = [doubt for doubt in found if doubt.name not in forced]
    if left:
        why = "; ".join(f"{doubt.why} [{doubt.name}]" for doubt in left)
        names = " ".join(dict.fromkeys(doubt.name for doubt in left))
        raise InputError(f"{path}: not for a model card: {why}. To publish it all the same: --force {names}")


def _publish(cards: Sequence[tuple[Path, Scorecard]], args: argparse.Namespace) -> int:
    from mmmath_tasks.model_card import repo
    from mmmath_tasks.model_card.merge import diff

    api = _api() if not args.out else None
    held = repo.held_in_folder(args.out) if api is None else repo.held_on_hub(api, args.model)
    files = dict(held.files)
    conflicts: list[Conflict] = []
    said: list[Subject] = []
    for path, card in cards:
        about = _subject(path, card, args)
        files = _merged(files, card, about, args, conflicts)
        said.append(about)
        if api is not None and (remark := repo.task_of_dataset(api, about.dataset, about.task)):
            print(f"note: {remark}", file=sys.stderr)
    changed = {name: text for name, text in files.items() if held.files.get(name) != text}
    if not changed:
        print(f"{args.out or args.model}: has these results already")
        return 0
    print(diff(held.files, changed), end="")
    if conflicts and CONFLICT not in args.force:
        raise InputError(f"{'; '.join(map(str, conflicts))}. To replace what stands there: --force {CONFLICT}")
    if args.out:
        repo.write(args.out, changed)
        print(f"wrote {', '.join(sorted(changed))} in {args.out}")
    elif args.pr and api is not None:
        title = f"Add results of {', '.join(dict.fromkeys(about.task for about in said))}"
        print(repo.propose(api, args.model, changed, held, title, _description(cards)))
    else:
        print("nothing written; --pr opens a pull request, --out DIR writes into a folder")
    return 0


def _subject(path: Path, card: Scorecard, args: argparse.Namespace) -> Subject:
    from mmmath_tasks.model_card.results import subject

    try:
        return subject(
            card,
            task=args.task,
            dataset=args.dataset,
            date=args.date or _date(path),
            source_url=args.source_url,
            source_name=args.source_name,
        )
    except InputError as error:
        raise InputError(f"{path}: {error}") from None


def _api() -> HfApi:
    from huggingface_hub import HfApi
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if not sys.stderr.isatty():
        disable_progress_bars()
    return HfApi()


def _merged(
    files: Mapping[str, str], card: Scorecard, about: Subject, args: argparse.Namespace, conflicts: list[Conflict]
) -> dict[str, str]:
    from mmmath_tasks.model_card import results
    from mmmath_tasks.model_card.merge import FOLDER, merged_entry, merged_readme
    from mmmath_tasks.model_card.repo import README

    found = dict(files)
    if args.only != "model-index":
        existing = {name: text for name, text in files.items() if name.startswith(f"{FOLDER}/")}
        path = f"{FOLDER}/{card.benchmark}.yaml"
        found |= merged_entry(existing, results.entry(card, about), path, conflicts)
    if args.only != "eval-results":
        name = args.model.split("/")[1]
        readme = merged_readme(files.get(README), results.index(card, about), name, conflicts)
        found |= {} if readme is None else {README: readme}
    return found


def _date(path: Path) -> str | None:
    """Return the time in the name of a file that lm-eval wrote; it is the time of the machine, without a zone."""
    found = _DATE.search(path.name)
    return f"{found[1]}T{found[2]}:{found[3]}:{found[4]}" if found else None


def _description(cards: Sequence[tuple[Path, Scorecard]]) -> str:
    from mmmath_tasks.model_card.results import notes

    return "\n".join(f"- {card.benchmark}: {notes(card)}" for _, card in cards)

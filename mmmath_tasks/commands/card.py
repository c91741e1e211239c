"""`mmmath card`: a scorecard onto a model card; `mmmath card check` looks at files of results."""

from __future__ import annotations

import argparse
import re
import sys
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mmmath_tasks.errors import InputError, said
from mmmath_tasks.files import make_writable_folder
from mmmath_tasks.hub_datasets.publishing.snapshot import require_repo_id

if TYPE_CHECKING:
    from huggingface_hub import HfApi

    from mmmath_tasks.model_card.merge import Conflict
    from mmmath_tasks.model_card.repo import Held
    from mmmath_tasks.model_card.results import Subject
    from mmmath_tasks.problem import Scorecard

HELP = "put a scorecard on a model card, or check one (mmmath card check FILE)"

CONFLICT = "conflict"

TRIES, WAIT = 5, 1.0
"""How often a step on the Hub is tried, and the seconds before the second try, which double."""

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
    parser.add_argument("--task", help="our task, where the scorecard does not name it; the entry says who states it")
    parser.add_argument(
        "--prompt",
        metavar="STYLE",
        help="how the model was asked, where the scorecard does not say; the entry says who states it",
    )
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

    results = []
    for path in map(Path, args.files):
        card = read_card(path)
        about = _subject(path, card, args)
        _refuse(path, card, about, args.force)
        results.append((card, about))
    if args.out:
        make_writable_folder(args.out)
    return _publish(results, args)


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


def _refuse(path: Path, card: Scorecard, about: Subject, forced: Sequence[str]) -> None:
    from mmmath_tasks.model_card.doubts import doubts

    found = list(doubts(card, about.task))
    for doubt in found:
        if doubt.name in forced:
            print(f"{path}: published in spite of: {doubt.why}", file=sys.stderr)
    left = [doubt for doubt in found if doubt.name not in forced]
    if left:
        why = "; ".join(f"{doubt.why} [{doubt.name}]" for doubt in left)
        names = " ".join(dict.fromkeys(doubt.name for doubt in left))
        raise InputError(f"{path}: not for a model card: {why}. To publish it all the same: --force {names}")


def _publish(results: Sequence[tuple[Scorecard, Subject]], args: argparse.Namespace) -> int:
    from mmmath_tasks.hub_datasets.publishing.retry import Retry
    from mmmath_tasks.model_card import repo
    from mmmath_tasks.model_card.merge import diff

    api, retry = None if args.out else _api(), Retry(TRIES, WAIT, lambda line: print(line, file=sys.stderr))
    if api is None:
        held = repo.held_in_folder(args.out)
    else:
        held = repo.retried(lambda: repo.held_on_hub(api, args.model), args.model, retry)
    changed, conflicts = _change(held, results, args)
    for _, about in results:
        if api is not None and (remark := repo.task_of_dataset(api, about.dataset, about.task)):
            print(f"note: {remark}", file=sys.stderr)
    if not changed:
        print(f"{args.out or args.model}: has these results already")
        return 0
    print(diff(held.files, changed), end="")
    _settled(changed, conflicts, args)
    if args.out:
        repo.write(args.out, changed)
        print(f"wrote {', '.join(sorted(changed))} in {args.out}")
    elif args.pr and api is not None:
        title = f"Add results of {', '.join(dict.fromkeys(about.task for _, about in results))}"
        change = partial(_wanted, results=results, args=args)
        text = _description(results)
        url, new = repo.retried(lambda: repo.propose(api, args.model, change, title, text), args.model, retry)
        print(url if new else f"proposed already: {url}" if url else f"{args.model}: has these results already")
    else:
        print("nothing written; --pr opens a pull request, --out DIR writes into a folder")
    return 0


def _change(
    held: Held, results: Sequence[tuple[Scorecard, Subject]], args: argparse.Namespace
) -> tuple[dict[str, str], list[Conflict]]:
    """Return the files that would be written, and what stands there with another value."""
    files = dict(held.files)
    conflicts: list[Conflict] = []
    for card, about in results:
        files = _merged(files, card, about, args, conflicts)
    return {name: text for name, text in files.items() if held.files.get(name) != text}, conflicts


def _wanted(held: Held, results: Sequence[tuple[Scorecard, Subject]], args: argparse.Namespace) -> dict[str, str]:
    return _settled(*_change(held, results, args), args)


def _settled(changed: dict[str, str], conflicts: Sequence[Conflict], args: argparse.Namespace) -> dict[str, str]:
    """Return the files as they are, unless they replace a value and the user did not say so."""
    if conflicts and CONFLICT not in args.force:
        raise InputError(f"{'; '.join(map(str, conflicts))}. To replace what stands there: --force {CONFLICT}")
    return changed


def _subject(path: Path, card: Scorecard, args: argparse.Namespace) -> Subject:
    from mmmath_tasks.model_card.results import subject

    try:
        return subject(
            card,
            task=args.task,
            prompt=args.prompt,
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
        new = results.entry(card, about)
        found |= merged_entry(existing, new, path, conflicts, redate=args.date is not None)
    if args.only != "eval-results":
        name = args.model.split("/")[1]
        readme = merged_readme(files.get(README), results.index(card, about), name, conflicts)
        found |= {} if readme is None else {README: readme}
    return found


def _date(path: Path) -> str | None:
    """Return the time in the name of a file that lm-eval wrote; it is the time of the machine, without a zone."""
    found = _DATE.search(path.name)
    return f"{found[1]}T{found[2]}:{found[3]}:{found[4]}" if found else None


def _description(results: Sequence[tuple[Scorecard, Subject]]) -> str:
    from mmmath_tasks.model_card.results import notes

    return "\n".join(f"- {card.benchmark}: {notes(card, about)}" for card, about in results)

"""`mmmath card`: a scorecard onto a model card; `mmmath card check` looks at files of results."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from mmmath_tasks.errors import InputError, check_all, message_of
from mmmath_tasks.files import make_writable_folder
from mmmath_tasks.hub_datasets.publishing.snapshot import require_repo_id

if TYPE_CHECKING:
    from huggingface_hub import HfApi

    from mmmath_tasks.model_card.publication import Publication

HELP = "put a scorecard on a model card, or check one (mmmath card check FILE)"

EXAMPLES = """
    mmmath card out/scorecard_mathvista_testmini_*.json --model ORG/NAME          # shows the change
    mmmath card out/scorecard_mathvista_testmini_*.json --model ORG/NAME --pr     # proposes it
    mmmath card scored/scorecard_run.json --model ORG/NAME --task mathvision_test --prompt cot --out card
    mmmath card check README.md .eval_results/mathvista.yaml
"""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    from mmmath_tasks.model_card.doubts import CONFLICT, NAMES

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
    from mmmath_tasks.model_card.doubts import CONFLICT
    from mmmath_tasks.model_card.publication import Publication, read_result

    stated = {name: getattr(args, name) for name in ("task", "prompt", "dataset", "date", "source_url", "source_name")}
    read = [partial(read_result, Path(name), forced=args.force, **stated) for name in args.files]
    _, *found = check_all(partial(_check_names, args), *read)
    results = [(card, about) for card, about, _ in found]
    for path, (_, _, doubts) in zip(args.files, found, strict=True):
        for doubt in doubts:
            print(f"{path}: published in spite of: {doubt.why}", file=sys.stderr)
    if args.out:
        make_writable_folder(args.out)
    forms = {} if args.only is None else {"forms": (args.only,)}
    redate, replace = args.date is not None, CONFLICT in args.force
    return _publish(Publication(args.model, tuple(results), **forms, redate=redate, replace=replace), args)


def _check_names(args: argparse.Namespace) -> None:
    if args.model is None:
        raise InputError("--model ORG/NAME is needed: the repo of the model whose card it is")
    require_repo_id(args.model, "--model")
    if args.source_name and not args.source_url:
        raise InputError("--source-name needs --source-url")


def _check(paths: Sequence[Path]) -> int:
    from mmmath_tasks.model_card.checks import findings

    if not paths:
        raise InputError("card check: name a file")
    count, unread = 0, []
    for path in paths:
        try:
            wrong = findings(path.read_bytes().decode("utf-8"), card=path.suffix == ".md")
        except OSError as error:
            unread.append(message_of(error))
            continue
        except UnicodeDecodeError:
            unread.append(f"{path}: not UTF-8 text")
            continue
        count += len(wrong)
        print("\n".join(f"{path}: {found}" for found in wrong) if wrong else f"{path}: nothing wrong")
    if unread:
        raise InputError("\n".join(unread))
    return 1 if count else 0


def _publish(publication: Publication, args: argparse.Namespace) -> int:
    from mmmath_tasks.hub_datasets.publishing.retry import Retry
    from mmmath_tasks.model_card import repo
    from mmmath_tasks.model_card.merge import diff

    api, retry = None if args.out else _api(), Retry(crowded=True)
    if api is None:
        held = repo.held_in_folder(args.out)
    else:
        held = repo.retried(lambda: repo.held_on_hub(api, args.model), args.model, retry)
    changed, _ = publication.change(held)
    for _, about in publication.results:
        if api is not None and (remark := repo.task_of_dataset(api, about.dataset, about.task, retry)):
            print(f"note: {remark}", file=sys.stderr)
    if not changed:
        print(f"{args.out or args.model}: has these results already")
        return 0
    print(diff(held.files, changed), end="")
    publication.files(held)  # refuses conflicts, now that they are to be seen
    if args.out:
        repo.write(args.out, changed)
        print(f"wrote {', '.join(sorted(changed))} in {args.out}")
    elif args.pr and api is not None:
        title, text = publication.title(), publication.description()
        url, new = repo.retried(
            lambda: repo.propose(api, args.model, publication.files, title, text), args.model, retry
        )
        print(url if new else f"proposed already: {url}" if url else f"{args.model}: has these results already")
    else:
        print("nothing written; --pr opens a pull request, --out DIR writes into a folder")
    return 0


def _api() -> HfApi:
    from huggingface_hub import HfApi
    from huggingface_hub.utils.tqdm import disable_progress_bars

    if not sys.stderr.isatty():
        disable_progress_bars()
    return HfApi()

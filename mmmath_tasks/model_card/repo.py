"""The model repo: what it holds, and a pull request to it; or a local folder in its place."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from mmmath_tasks import yaml_text
from mmmath_tasks.errors import InputError
from mmmath_tasks.files import write_atomic
from mmmath_tasks.hub_datasets.publishing.retry import Retry
from mmmath_tasks.model_card.merge import FOLDER

if TYPE_CHECKING:
    from huggingface_hub import HfApi

README = "README.md"

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Held:
    """What stands there now.

    Attributes:
        files: path to text of README.md and .eval_results/*.yaml, those that there are.
        commit: of the Hub's repo; None for a folder.
    """

    files: Mapping[str, str]
    commit: str | None = None


def held_in_folder(folder: Path) -> Held:
    """Return what a folder holds; nothing where there is none.

    Raises:
        InputError: a file is not UTF-8.
    """
    paths = [folder / README, *sorted((folder / FOLDER).glob("*.yaml")), *sorted((folder / FOLDER).glob("*.yml"))]
    try:
        found = {p.relative_to(folder).as_posix(): p.read_bytes().decode("utf-8") for p in paths if p.is_file()}
    except UnicodeDecodeError as error:
        raise InputError(f"{folder}: a file is not UTF-8 ({error.reason})") from None
    return Held(found)


def held_on_hub(api: HfApi, repo: str, revision: str = "main") -> Held:
    """Return what a model repo holds on a branch or in a pull request (refs/pr/NUMBER); raises as the client does."""
    info = api.model_info(repo, revision=revision)
    names = [sibling.rfilename for sibling in info.siblings or ()]
    wanted = [n for n in names if n == README or (n.startswith(f"{FOLDER}/") and n.endswith((".yaml", ".yml")))]
    texts = {}
    for name in wanted:
        texts[name] = Path(api.hf_hub_download(repo, name, revision=info.sha)).read_bytes().decode("utf-8", "replace")
    return Held(texts, info.sha)


def task_of_dataset(api: HfApi, dataset: str, task: str, retry: Retry) -> str | None:
    """Return why the Hub would not list a result of this task; None where the data set's eval.yaml has it."""
    from huggingface_hub.errors import EntryNotFoundError

    try:
        path = retry(lambda: api.hf_hub_download(dataset, "eval.yaml", repo_type="dataset"), f"eval.yaml of {dataset}")
        loaded = yaml_text.loads(Path(path).read_text(encoding="utf-8"))
    except InputError as error:
        if isinstance(error.__cause__, EntryNotFoundError):
            return f"{dataset} has no eval.yaml, so the Hub shows the result on the card, not on a leaderboard"
        return str(error)
    except Exception as error:  # no id of a repo, broken YAML: each library has names of its own
        return f"eval.yaml of {dataset} cannot be read ({type(error).__name__})"
    tasks = loaded.get("tasks", ()) if isinstance(loaded, dict) else ()
    ids = [entry.get("id") for entry in tasks if isinstance(entry, dict)]
    return None if task in ids else f"eval.yaml of {dataset} has no task {task!r}; it has {', '.join(map(str, ids))}"


Change = Callable[[Held], Mapping[str, str]]
"""From what stands there to the files that would be written; {} where the results stand there already."""


def propose(api: HfApi, repo: str, change: Change, title: str, text: str) -> tuple[str, bool]:
    """Open a pull request that makes a change, or find the open one of ours that makes it; raises as the client does.

    `change` is called with what main and what the pull requests hold, and raises InputError where it cannot be made.

    Returns:
        its address ("" where main holds the results by now), and whether it is new.
    """
    from huggingface_hub import CommitOperationAdd

    me = api.whoami()["name"]
    for found in api.get_repo_discussions(repo, author=me, discussion_type="pull_request", discussion_status="open"):
        if _makes(change, held_on_hub(api, repo, f"refs/pr/{found.num}")):
            return str(found.url), False
    held = held_on_hub(api, repo)
    files = change(held)
    if not files:
        return "", False
    made = api.create_commit(
        repo,
        [CommitOperationAdd(path, content.encode()) for path, content in sorted(files.items())],
        commit_message=title,
        commit_description=text,
        create_pr=True,
        parent_commit=held.commit,
    )
    return str(made.pr_url), True


def _makes(change: Change, held: Held) -> bool:
    try:
        return not change(held)
    except InputError:  # a file that is broken there, or another value
        return False


def retried(step: Callable[[], T], what: str, retry: Retry) -> T:
    """Return what a step on the Hub returns, repeated as publications are.

    Raises:
        InputError: the Hub refused or cannot be reached.
    """
    try:
        return retry(step, what)
    except InputError as error:
        cause = error.__cause__
        # What the Hub answered is its last word; without an answer, a folder does in its place.
        if cause is None or getattr(cause, "response", None) is not None:
            raise
        raise InputError(f"{error}; without the Hub, --out DIR writes into a folder") from cause
    except Exception as error:  # the client raises dozens of kinds; all mean that it was not done
        raise InputError(f"{what}: {type(error).__name__}: {' '.join(str(error).split())[:300]}") from error


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a folder."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        write_atomic(target, text)

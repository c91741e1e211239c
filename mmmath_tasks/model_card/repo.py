"""The model repo: what it holds, and a pull request to it; or a local folder in its place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks import yaml_text
from mmmath_tasks.errors import InputError
from mmmath_tasks.model_card.merge import FOLDER
from mmmath_tasks.outputs.place import named

if TYPE_CHECKING:
    from huggingface_hub import HfApi

README = "README.md"


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


def held_on_hub(api: HfApi, repo: str) -> Held:
    """Return what a model repo holds on main.

    Raises:
        InputError: there is no such repo, or the Hub cannot be reached.
    """
    info = _asked(lambda: api.model_info(repo), repo)
    names = [sibling.rfilename for sibling in info.siblings or ()]
    wanted = [n for n in names if n == README or (n.startswith(f"{FOLDER}/") and n.endswith((".yaml", ".yml")))]
    texts = {}
    for name in wanted:
        local = _asked(lambda name=name: api.hf_hub_download(repo, name, revision=info.sha), repo)
        texts[name] = Path(local).read_bytes().decode("utf-8", "replace")
    return Held(texts, info.sha)


def task_of_dataset(api: HfApi, dataset: str, task: str) -> str | None:
    """Return why the Hub would not list a result of this task; None where the data set's eval.yaml has it."""
    from huggingface_hub.errors import EntryNotFoundError, RepositoryNotFoundError

    try:
        path = api.hf_hub_download(dataset, "eval.yaml", repo_type="dataset")
        loaded = yaml_text.loads(Path(path).read_text(encoding="utf-8"))
    except EntryNotFoundError:
        return f"{dataset} has no eval.yaml, so the Hub shows the result on the card, not on a leaderboard"
    except RepositoryNotFoundError:
        return f"{dataset} is not on the Hub, or not for you to see"
    except Exception as error:  # offline, refused, broken: the client has a name for each
        return f"eval.yaml of {dataset} cannot be had ({type(error).__name__})"
    tasks = loaded.get("tasks", ()) if isinstance(loaded, dict) else ()
    ids = [entry.get("id") for entry in tasks if isinstance(entry, dict)]
    return None if task in ids else f"eval.yaml of {dataset} has no task {task!r}; it has {', '.join(map(str, ids))}"


def propose(api: HfApi, repo: str, files: Mapping[str, str], held: Held, title: str, text: str) -> str:
    """Open a pull request that writes these files; return its address.

    Raises:
        InputError: the Hub refused or cannot be reached.
    """
    from huggingface_hub import CommitOperationAdd

    operations = [CommitOperationAdd(path, content.encode()) for path, content in sorted(files.items())]
    made = _asked(
        lambda: api.create_commit(
            repo, operations, commit_message=title, commit_description=text, create_pr=True, parent_commit=held.commit
        ),
        repo,
    )
    url: str = made.pr_url
    return url


def _asked(step: Any, repo: str) -> Any:
    try:
        return step()
    except Exception as error:  # the client raises dozens of kinds; all mean that the Hub did not do it
        reason = " ".join(str(error).split())[:300] or type(error).__name__
        # What the Hub answered is its last word; without an answer, a folder does in its place.
        hint = (
            "" if getattr(error, "response", None) is not None else "; without the Hub, --out DIR writes into a folder"
        )
        raise InputError(f"{repo}: {type(error).__name__}: {reason}{hint}") from error


def write(folder: Path, files: Mapping[str, str]) -> None:
    """Write files into a folder."""
    for path, text in files.items():
        target = folder / path
        target.parent.mkdir(parents=True, exist_ok=True)
        with named(target):
            target.write_bytes(text.encode())

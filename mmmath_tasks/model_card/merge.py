"""New results into what a model repo has: added, left alone where they stand already, refused where they conflict."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import yaml

from mmmath_tasks import yaml_text
from mmmath_tasks.errors import InputError
from mmmath_tasks.model_card.checks import findings

if TYPE_CHECKING:
    from huggingface_hub import EvalResult, EvalResultEntry

FOLDER = ".eval_results"


@dataclass(frozen=True, slots=True)
class Conflict:
    """A result that stands there with another value.

    Attributes:
        where: the file.
        what: data set, task and metric.
        old: what stands there.
        new: what would stand there.
    """

    where: str
    what: str
    old: Any
    new: Any

    def __str__(self) -> str:
        """Return it as a sentence."""
        return f"{self.where}: {self.what} is {self.old} there, {self.new} here"


def merged_entry(
    existing: Mapping[str, str], entry: EvalResultEntry, path: str, conflicts: list[Conflict], *, redate: bool = False
) -> dict[str, str]:
    """Return the files of .eval_results that change.

    An entry for the same data set and task is replaced where it stands, whichever file that is; a value that differs is
    a conflict.

    Args:
        existing: path to text of every file there.
        entry: the new one.
        path: the file for an entry that is new.
        conflicts: gets what differs; nothing is decided here.
        redate: a date that differs replaces the one that stands there; else it only fills in one that does not.

    Raises:
        InputError: a file that would change is broken.
    """
    from huggingface_hub import eval_result_entries_to_yaml

    (new,) = eval_result_entries_to_yaml([entry])
    for name, text in sorted(existing.items()):
        loaded = _loaded(name, text)
        for i, old in enumerate(loaded):
            if _key(old) != _key(new):
                continue
            if old.get("value") != new["value"]:
                conflicts.append(Conflict(name, f"{entry.dataset_id}, {entry.task_id}", old.get("value"), new["value"]))
            elif {**old, "date": None} == {**new, "date": None}:
                held, date = old.get("date"), new.get("date")
                if date is None or date == held or (held is not None and not redate):
                    return {}
            return {name: _dumped(name, [*loaded[:i], new, *loaded[i + 1 :]])}
    kept = _loaded(path, existing[path]) if path in existing else []
    return {path: _dumped(path, [*kept, new])}


def _loaded(name: str, text: str) -> list[dict[str, Any]]:
    wrong = findings(text)
    try:
        loaded = yaml_text.loads(text)
    except yaml.YAMLError:
        loaded = None
    if not isinstance(loaded, list) or not all(
        isinstance(e, dict) and isinstance(e.get("dataset"), dict) for e in loaded
    ):
        raise InputError(f"{name}: what stands there {wrong[0] if wrong else 'is no list of results'}; mend it first")
    return loaded


def _key(entry: Mapping[str, Any]) -> tuple[Any, Any]:
    return entry["dataset"].get("id"), entry["dataset"].get("task_id")


def _dumped(name: str, entries: Sequence[Mapping[str, Any]]) -> str:
    text: str = yaml.safe_dump(list(entries), sort_keys=False, allow_unicode=True, width=100)
    wrong = findings(text)
    if wrong:
        raise InputError(f"{name}: {wrong[0]}")
    return text


def merged_readme(text: str | None, results: Sequence[EvalResult], name: str, conflicts: list[Conflict]) -> str | None:
    """Return the model card with the results in its model-index; None where it has them already.

    Results of the same data set, task and metric are replaced; a value that differs is a conflict, which is only noted.
    Without a card, or a word in it, a new one is made; a new model-index has the model's name.

    Raises:
        InputError: the card's metadata are broken, or name several models.
    """
    from huggingface_hub import ModelCard

    content = text if text and text.strip("\ufeff \t\r\n") else f"---\n\n---\n\n# {name}\n"
    # no metadata at all is no fault here: they are about to come
    fatal = ("is not YAML", "names", "should be a list")
    broken = [found for found in findings(content, card=True) if any(words in found for words in fatal)]
    if broken:
        raise InputError(f"README.md: {broken[0]}; mend it first")
    try:
        card = ModelCard(content)
    except (ValueError, TypeError, KeyError, yaml.YAMLError) as error:
        raise InputError(f"README.md: its metadata cannot be read ({' '.join(str(error).split())[:200]})") from None
    metadata: Any = card.data
    kept, changed = list(metadata.eval_results or []), False
    for result in results:
        same = [i for i, known in enumerate(kept) if _identity(known) == _identity(result)]
        if not same:
            kept.append(result)
            changed = True
            continue
        known = kept[same[0]]
        if known.metric_value != result.metric_value:
            what = f"{result.dataset_type}, {result.task_name}, {result.metric_type}"
            conflicts.append(Conflict("README.md", what, known.metric_value, result.metric_value))
        changed = changed or known != result
        kept[same[0]] = result
    if not changed:
        return None
    metadata.eval_results = _apart(kept)
    metadata.model_name = metadata.model_name or name
    return str(card)


def _apart(results: Sequence[EvalResult]) -> list[EvalResult]:
    """Return results each of which is written under its own task, arguments and source.

    huggingface_hub writes all results of a split of a data set under the first one's.
    """
    from huggingface_hub import EvalResult

    class Apart(EvalResult):
        @property
        def unique_identifier(self) -> tuple[Any, ...]:
            of_metric = ("metric_", "verif")
            return tuple(repr(value) for name, value in vars(self).items() if not name.startswith(of_metric))

    return [Apart(**vars(result)) for result in results]


def _identity(result: EvalResult) -> tuple[Any, ...]:
    args = result.dataset_args if isinstance(result.dataset_args, Mapping) else {}
    task = args.get("task") or result.task_name
    return result.dataset_type, result.dataset_split, task, result.metric_type, result.metric_config


def diff(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return the change as a unified diff."""
    lines: list[str] = []
    for path in sorted(after):
        old, new = (texts.get(path, "").splitlines(keepends=True) for texts in (before, after))
        source = f"a/{path}" if path in before else "/dev/null"
        lines += difflib.unified_diff(old, new, source, f"b/{path}")
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)

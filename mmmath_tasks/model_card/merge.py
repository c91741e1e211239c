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
from mmmath_tasks.model_card.spliced_yaml import BLOCK, with_item, with_key

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
        alike = str(self.old) == str(self.new)  # a number that is written as text
        old = f"the text {self.old!r}" if alike else self.old
        return f"{self.where}: {self.what} is {old} there, {self.new} here"


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
        InputError: a file that would change is no list of results, or the new entry is wrong.
    """
    from huggingface_hub import eval_result_entries_to_yaml

    (new,) = eval_result_entries_to_yaml([entry])
    for name, text in sorted(existing.items()):
        loaded = _loaded(name, text)
        for i, old in enumerate(loaded):
            if _key(old) != _key(new):
                continue
            if old.get("value") == new["value"]:  # what was said of it still holds
                new |= {name: old[name] for name in ("date", "source") if name in old.keys() - new.keys()}
            if old.get("value") != new["value"]:
                conflicts.append(Conflict(name, f"{entry.dataset_id}, {entry.task_id}", old.get("value"), new["value"]))
            elif {**old, "date": None} == {**new, "date": None}:
                held, date = old.get("date"), new.get("date")
                if date is None or date == held or (held is not None and not redate):
                    return {}
            return {name: _with_entry(name, text, i, new)}
    text = existing.get(path, "")
    return {path: _with_entry(path, text, len(_loaded(path, text)) if path in existing else 0, new)}


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


def _with_entry(name: str, text: str, place: int, entry: Mapping[str, Any]) -> str:
    """Return a file with an entry at its place; raises InputError where the entry is wrong, not for its neighbours."""
    made = with_item(text, place, entry)
    before = findings(text)
    wrong = [found for found in findings(made) if found not in before]
    if wrong:
        raise InputError(f"{name}: {wrong[0]}")
    return made


def merged_readme(text: str | None, results: Sequence[EvalResult], name: str, conflicts: list[Conflict]) -> str | None:
    """Return the model card with the results in its model-index; None where it has them already.

    Results of the same data set, task and metric are replaced; a value that differs is a conflict, which is only noted.
    What else the card says stays as it is, letter by letter but for the lines of the model-index. Without a card, or a
    word in it, a new one is made; a new model-index has the model's name.

    Raises:
        InputError: the card's metadata are broken, or name several models.
    """
    from huggingface_hub import ModelCard
    from huggingface_hub.repocard_data import eval_results_to_model_index

    content = (text or "").removeprefix("\ufeff")
    content = content if content.strip() else f"\n# {name}\n"
    # no metadata at all is no fault here: they are about to come
    fatal = ("is not YAML", "names", "should be a list", "closes them with no")
    broken = [found for found in findings(content, card=True) if any(words in found for words in fatal)]
    if broken:
        raise InputError(f"README.md: {broken[0]}; mend it first")
    front = BLOCK.match(content)
    try:
        if front:
            ModelCard(content)
    except (ValueError, TypeError, KeyError, yaml.YAMLError) as error:
        raise InputError(f"README.md: its metadata cannot be read ({' '.join(str(error).split())[:200]})") from None
    held = ((yaml_text.loads(front[1]) if front else None) or {}).get("model-index") or [{"name": name, "results": []}]
    found = held[0]["results"]
    for new in eval_results_to_model_index(name, _apart(results))[0]["results"]:
        found = _with_result(found, new, conflicts)
    if found == held[0]["results"]:
        return None
    return with_key(content, "model-index", [{"name": name, **held[0], "results": found}])


def _with_result(held: Sequence[Any], new: dict[str, Any], conflicts: list[Conflict]) -> list[Any]:
    """Return the results of a model-index with a new one, which replaces those of its metrics that are there.

    Other metrics of the same data set and task stay, and so does what somebody added to values that are the same:
    where they can be looked at, whether they are verified.
    """
    about = {name: part for name, part in new.items() if name != "metrics"}
    metrics = {_metric(metric): metric for metric in new["metrics"]}
    there = [result for result in held if _identity(result) == _identity(new)]
    for result in there:
        ours = [old for old in result["metrics"] if _metric(old) in metrics]
        for old in ours:
            now = metrics[_metric(old)]
            if old.get("value") == now["value"]:
                metrics[_metric(old)] = {**old, **now}
            else:
                what = f"{new['dataset']['type']}, {new['task'].get('name')}, {old['type']}"
                conflicts.append(Conflict("README.md", what, old.get("value"), now["value"]))
        if ours and all(old.get("value") == metrics[_metric(old)]["value"] for old in ours):
            about = {**result, **about}
    about.pop("metrics", None)
    merged = {**about, "metrics": [*metrics.values()]}
    found: list[Any] = []
    for result in held:
        if _identity(result) != _identity(new):
            found.append(result)
            continue
        others = [old for old in result["metrics"] if _metric(old) not in metrics]
        if others and {**result, "metrics": None} == {**about, "metrics": None}:  # theirs among ours, in their order
            first = [metrics.get(_metric(old), old) for old in result["metrics"]]
            merged["metrics"] = [*first, *(metric for metric in metrics.values() if metric not in first)]
            others = []
        found += [merged] if result is there[0] else []
        found += [{**result, "metrics": others}] if others else []
    return found if there else [*held, merged]


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


def _identity(result: Mapping[str, Any]) -> tuple[Any, ...]:
    dataset = result["dataset"]
    args = dataset.get("args") if isinstance(dataset.get("args"), Mapping) else {}
    return dataset["type"], dataset.get("split"), args.get("task") or result["task"].get("name")


def _metric(metric: Mapping[str, Any]) -> tuple[Any, ...]:
    return metric["type"], metric.get("config")


def diff(before: Mapping[str, str], after: Mapping[str, str]) -> str:
    """Return the change as a unified diff."""
    lines: list[str] = []
    for path in sorted(after):
        old, new = (texts.get(path, "").splitlines(keepends=True) for texts in (before, after))
        source = f"a/{path}" if path in before else "/dev/null"
        lines += difflib.unified_diff(old, new, source, f"b/{path}")
    return "".join(line if line.endswith("\n") else f"{line}\n" for line in lines)

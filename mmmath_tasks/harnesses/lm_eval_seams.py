"""Where lm-eval is changed in memory, once a task or model of ours is loaded, as it has no hook for what is needed.

- EvaluationTracker.save_results_aggregated: the one place that runs in one process only and knows results, settings
  and output folder. Scorecards are written beside the results there; lm-eval prints its table afterwards, so their
  paths are printed when its command line ends.
- evaluator.evaluate: that it cannot save, lm-eval finds out when all is answered, and merely logs it. The folder is
  tried before, and settings without effect are refused (lm_eval_settings); both stand in the caller, simple_evaluate,
  alone, and are read from that frame. So is the tracker, which files the results of a model without a path under a
  random name: a baseline's are filed under its own.
- evaluator.evaluate once more: the tables name our tasks by their `alias`, which it returns; there they say how answers
  were read, as metrics cannot be named anew.
- evaluator.evaluate also knows the standard error of no mean but one over all documents: sub-scores get theirs here.
- evaluator.evaluate again: lm-eval sends the requests of all tasks to the model together and looks at the first to see
  whether there are pictures. With a text-only task first it drops every picture without a word, with a picture task
  first it crashes; so where a run mixes them, the model is asked twice, with the ones and with the others.
- evaluator.evaluate and, on the model, what generates: lm-eval makes room for a response by cutting the prompt, and
  keeps to itself which responses met their limit (lm_eval_limits).
- evaluator.evaluate for mmmath-replay: lm-eval has every picture opened for every model; here none is, and the file
  that answered is noted in the results, which know the model's arguments only.
- sys.excepthook, under lm-eval's own command line only: bad input is one message, not a traceback.
"""

from __future__ import annotations

import atexit
import logging
import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial, wraps
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any

from mmmath_tasks.errors import InputError, said
from mmmath_tasks.files import make_writable_folder
from mmmath_tasks.harnesses import lm_eval_limits, lm_eval_results, lm_eval_settings

_log = logging.getLogger(__name__)
_MARK = "wrapped_by_mmmath"


def attach() -> None:
    """Make the changes that the module's docstring lists; once."""
    _wrap(import_module("lm_eval.loggers").EvaluationTracker, "save_results_aggregated", _saving)
    _wrap(import_module("lm_eval.evaluator"), "evaluate", lambda evaluate: _separating(_limiting(evaluate)))
    speak_plainly()


def speak_plainly() -> None:
    """Have bad input told in one message where lm-eval's own command line runs; once."""
    if _in_command_line():
        _wrap(sys, "excepthook", _plain)


def _in_command_line() -> bool:
    main = sys.modules.get("__main__")
    return getattr(main, "__package__", None) == "lm_eval" or Path(sys.argv[0]).stem in ("lm_eval", "lm-eval")


def _wrap(owner: Any, name: str, wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    original = getattr(owner, name)
    if not hasattr(original, _MARK):
        wrapped = wraps(original)(wrapper(original))
        setattr(wrapped, _MARK, True)
        setattr(owner, name, wrapped)


def _saving(save: Callable[..., None]) -> Callable[..., None]:
    def save_with_scorecards(self: Any, results: Mapping[str, Any], samples: Mapping[str, Any] | None = None) -> None:
        save(self, results=results, samples=samples)
        if self.output_path:
            date = getattr(self, "date_id", datetime.now().isoformat().replace(":", "-"))
            try:
                folder = _folder(self.output_path, self.general_config_tracker.model_name_sanitized)
                written = lm_eval_results.write(folder, date, results)
                if written and _in_command_line():
                    atexit.register(print, "Scorecards and submissions:", *written, sep="\n")
            except OSError as error:
                _log.error("scorecards not written: %s", said(error))
            except Exception:  # lm-eval has yet to save the samples, which must not be lost to this
                _log.exception("scorecards not written")

    return save_with_scorecards


def _folder(output_path: str, model: Any = "") -> Path:
    """Return where lm-eval saves the results of a model; without one, the folder that it makes others in."""
    path = Path(output_path)
    return path.parent if path.suffix == ".json" else path / str(model)


def _separating(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    def evaluate_separately(lm: Any, task_dict: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
        settings = sys._getframe(1).f_locals
        tasks = list(_tasks(task_dict.get("tasks", task_dict)))
        lm_eval_settings.check(tasks, settings)
        tracker = settings.get("evaluation_tracker")
        if tracker and tracker.output_path and lm.rank == 0:
            make_writable_folder(_folder(tracker.output_path))
            if name := getattr(lm, "results_name", None):
                about = tracker.general_config_tracker
                about.model_name = about.model_name_sanitized = name
        kinds = {bool(getattr(task, "MULTIMODAL", False)) for task in tasks if task.OUTPUT_TYPE == "generate_until"}
        if len(kinds) > 1:
            lm.generate_until = partial(_in_two_parts, lm.generate_until)
        try:
            results = evaluate(lm, task_dict, *args, **kwargs)
        finally:
            if len(kinds) > 1:
                del lm.generate_until
        if results is not None:
            lm_eval_results.complete_sub_scores(results["results"], stderr=bool(kwargs.get("bootstrap_iters", True)))
        return _labelled(results)

    return evaluate_separately


def _limiting(evaluate: Callable[..., Any]) -> Callable[..., Any]:
    def evaluate_within_limits(lm: Any, task_dict: Mapping[str, Any], *args: Any, **kwargs: Any) -> Any:
        tasks = [task for task in _tasks(task_dict.get("tasks", task_dict)) if task.OUTPUT_TYPE == "generate_until"]
        replayed = getattr(lm, "replayed", None)
        with lm_eval_limits.within(lm, tasks) as limits, ExitStack() as changes:
            for config in [task.config for task in tasks if replayed and task.config.doc_to_image]:
                changes.enter_context(lm_eval_limits.instead(config, "doc_to_image", _no_pictures))
            results = evaluate(lm, task_dict, *args, **kwargs)
        for config in results["configs"].values() if results is not None and replayed else ():
            config["metadata"] = {**(config.get("metadata") or {}), "replayed": replayed}
        if results is not None and (line := lm_eval_results.truncation(results, limits.remedy())):
            _log.warning("%s", line)
        return results

    return evaluate_within_limits


def _no_pictures(doc: Mapping[str, Any]) -> list[Any]:
    """Stand in for a task's doc_to_image where nobody looks at pictures."""
    return []


def _labelled(results: Any) -> Any:
    """Have the tables of a run name how answers were read; None, of all processes but the first, stays."""
    for warning in lm_eval_results.label_tasks(results) if results else ():
        _log.warning("%s", warning)
    return results


def _in_two_parts(generate: Callable[..., list[str]], requests: Sequence[Any], **kwargs: Any) -> list[str]:
    """Generate for the requests with pictures, whose arguments are three, then for those without; in order."""
    responses: dict[int, str] = {}
    for with_pictures in (True, False):
        part = [i for i, request in enumerate(requests) if (len(request.args) > 2) == with_pictures]
        if part:
            responses.update(zip(part, generate([requests[i] for i in part], **kwargs), strict=True))
    return [responses[i] for i in range(len(requests))]


def _tasks(tasks: Mapping[Any, Any]) -> Iterator[Any]:
    """Yield the tasks of lm-eval's dict; what lm_eval.tasks.get_task_dict returns is nested by groups."""
    for value in tasks.values():
        if isinstance(value, Mapping):
            yield from _tasks(value)
        elif hasattr(value, "OUTPUT_TYPE"):
            yield value


def _plain(show: Callable[..., None]) -> Callable[..., None]:
    def show_plainly(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, InputError):
            print(f"lm_eval: {error}", file=sys.stderr)
        else:
            show(kind, error, trace)

    return show_plainly

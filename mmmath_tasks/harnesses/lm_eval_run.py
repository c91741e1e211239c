"""A run of lm-eval with tasks of ours: what stands around its `evaluate`, and the saving of scorecards.

The seams "run" and "saving" of lm_eval_seams bring lm-eval here; each function says why it cannot be done elsewhere.
"""

from __future__ import annotations

import atexit
import logging
import sys
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from datetime import datetime
from functools import partial
from importlib import import_module
from pathlib import Path
from types import TracebackType
from typing import Any

from mmmath_tasks.errors import InputError, message_of
from mmmath_tasks.files import make_writable_folder
from mmmath_tasks.harnesses import lm_eval_limits, lm_eval_results, lm_eval_settings
from mmmath_tasks.harnesses.lm_eval_plugin import MODELS
from mmmath_tasks.harnesses.lm_eval_seams import wrap

_log = logging.getLogger(__name__)


def surrounded(
    evaluate: Callable[..., Any],
    settings: Mapping[str, Any] | None,
    tasks: Sequence[Any],
    lm: Any,
    *args: Any,
    **kwargs: Any,
) -> Any:
    """Return what lm-eval's `evaluate` returns, completed: limits that fit, sub-scores' errors, names of tasks.

    `settings` is what simple_evaluate was given, None where `evaluate` was called by itself; of all the run's tasks one
    at least is ours; the rest is what `evaluate` was given.

    Raises:
        InputError: a setting has no effect, the output folder cannot be written to, or a prompt does not fit.
    """
    if settings is not None:
        lm_eval_settings.check(tasks, settings)
        tracker = settings.get("evaluation_tracker")
        if tracker and tracker.output_path and lm.rank == 0:
            # That it cannot save, lm-eval finds out when all is answered, and merely logs it.
            make_writable_folder(_folder(tracker.output_path))
    generating = [task for task in tasks if task.OUTPUT_TYPE == "generate_until"]
    with ExitStack() as changes:
        if len({bool(getattr(task, "MULTIMODAL", False)) for task in generating}) > 1:
            # lm-eval sends the requests of all tasks together and looks at the first to see whether there are pictures:
            # a text-only one loses all pictures without a word, one with a picture crashes at the first without.
            parts = partial(_in_two_parts, lm.generate_until)
            changes.enter_context(lm_eval_limits.instead(lm, "generate_until", parts))
        if getattr(lm, "replayed", None):  # lm-eval has every picture opened for every model; here none is looked at
            for config in [task.config for task in generating if task.config.doc_to_image]:
                changes.enter_context(lm_eval_limits.instead(config, "doc_to_image", _no_pictures))
        limits = changes.enter_context(lm_eval_limits.within(lm, generating))
        results = evaluate(lm, *args, **kwargs)
    if results is not None:  # as it is in all processes but the first
        try:
            _complete(results, limits.remedy(), stderr=bool(kwargs.get("bootstrap_iters", True)))
        except Exception:  # all is answered, and must not be lost to this
            _log.exception("the table is not completed")
    return results


def _complete(results: Mapping[str, Any], remedy: str, stderr: bool) -> None:
    """Give the tables what lm-eval has no place for, and say what makes their numbers other than they seem."""
    if line := lm_eval_results.truncation(results, remedy):
        _log.warning("%s", line)
    lm_eval_results.complete_sub_scores(results["results"], stderr)
    for warning in lm_eval_results.label_tasks(results):
        _log.warning("%s", warning)


def _no_pictures(doc: Mapping[str, Any]) -> list[Any]:
    """Stand in for a task's doc_to_image where nobody looks at pictures."""
    return []


def _in_two_parts(generate: Callable[..., list[str]], requests: Sequence[Any], **kwargs: Any) -> list[str]:
    """Generate for the requests with pictures, whose arguments are three, then for those without; in order."""
    responses: dict[int, str] = {}
    for with_pictures in (True, False):
        part = [i for i, request in enumerate(requests) if (len(request.args) > 2) == with_pictures]
        if part:
            responses.update(zip(part, generate([requests[i] for i in part], **kwargs), strict=True))
    return [responses[i] for i in range(len(requests))]


def save_scorecards() -> None:
    """Have lm-eval write scorecards and submissions beside its results."""
    wrap(import_module("lm_eval.loggers").EvaluationTracker, "save_results_aggregated", _saving)


def _saving(save: Callable[..., None]) -> Callable[..., None]:
    def save_with_scorecards(self: Any, results: Mapping[str, Any], samples: Mapping[str, Any] | None = None) -> None:
        about = self.general_config_tracker
        model = results.get("config", {}).get("model")
        if model in MODELS and lm_eval_results.model_name(results["config"]) == model:
            about.model_name = about.model_name_sanitized = model  # lm-eval files what has no path under a random name
        save(self, results=results, samples=samples)
        if self.output_path:
            date = getattr(self, "date_id", datetime.now().isoformat().replace(":", "-"))
            try:
                written = lm_eval_results.write(_folder(self.output_path, about.model_name_sanitized), date, results)
                if written and _in_command_line():  # lm-eval prints its table after this
                    atexit.register(print, "Scorecards and submissions:", *written, sep="\n")
            except OSError as error:
                _log.error("scorecards not written: %s", message_of(error))
            except Exception:  # lm-eval has yet to save the samples, which must not be lost to this
                _log.exception("scorecards not written")

    return save_with_scorecards


def _folder(output_path: str, model: Any = "") -> Path:
    """Return where lm-eval saves the results of a model; without one, the folder that it makes others in."""
    path = Path(output_path)
    return path.parent if path.suffix == ".json" else path / str(model)


def speak_plainly() -> None:
    """Have bad input end lm-eval's own command line with one message and status 2, not with a traceback; once."""
    if _in_command_line():
        wrap(sys, "excepthook", _plain)


def _in_command_line() -> bool:
    main = sys.modules.get("__main__")
    return getattr(main, "__package__", None) == "lm_eval" or Path(sys.argv[0]).stem in ("lm_eval", "lm-eval")


def _plain(show: Callable[..., None]) -> Callable[..., None]:
    def show_plainly(kind: type[BaseException], error: BaseException, trace: TracebackType | None) -> None:
        if issubclass(kind, InputError):
            print(*(f"lm_eval: {line}" for line in str(error).splitlines()), sep="\n", file=sys.stderr)
            raise SystemExit(2)  # Python ends with 1 after a hook that returns
        show(kind, error, trace)

    return show_plainly

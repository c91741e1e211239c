"""Where this package reaches into lm-eval beyond what it documents: one record a place, tried before it is used.

`attach` makes the changes in memory, each once. The seams without a `put` are used on a model for the time of one run
(lm_eval_limits), where `lost` says which of them do not hold. `mmmath doctor` tries all of them. Where lm-eval has
moved something, it runs without what rests on it, and one warning says what that is.
"""

from __future__ import annotations

import inspect
import logging
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass
from functools import cache, wraps
from importlib import import_module
from importlib.util import find_spec
from typing import Any

_log = logging.getLogger(__name__)
_MARK = "wrapped_by_mmmath"


@dataclass(frozen=True, slots=True)
class Seam:
    """One place.

    Attributes:
        name: its name in SEAMS.
        needs: "module:attribute.path" of lm-eval to the parameters (of a TypedDict: the keys) that it must have.
        why: what lm-eval has no other way for.
        lost: what a run lacks where the seam does not hold.
        put: "module:function" of ours that makes the change, once, however often it is called; "" for what is used on a
            model.
        library: what must be installed for the modules to be imported; "" for nothing.
    """

    name: str
    needs: Mapping[str, Collection[str]]
    why: str
    lost: str
    put: str = ""
    library: str = ""

    def check(self) -> str | None:
        """Return what cannot be imported or the installed lm-eval lacks of `needs`; None where the seam holds."""
        for path, parameters in self.needs.items():
            module = path.partition(":")[0]
            try:
                import_module(module)
            except Exception as error:  # a library that is installed but broken raises what it likes
                return f"cannot import {module}: {_reason(error)}"
            try:
                found = _resolve(path)
            except AttributeError:
                return f"no {path}"
            known = _parameters(found) if parameters else {}
            for name in parameters:
                if name not in known:
                    return f"no {name} in {path}"
        return None

    def absent(self) -> str:
        """Return the package that is not installed, and without which the seam cannot be tried; "" where none lacks."""
        if self.library and find_spec(self.library) is None:
            return self.library
        for path in self.needs:
            try:
                import_module(path.partition(":")[0])
            except Exception as error:  # others than of what is not installed are said by `check`
                package = (error.name or "").partition(".")[0] if isinstance(error, ModuleNotFoundError) else ""
                if package not in ("", "lm_eval") and find_spec(package) is None:
                    return package
        return ""


_OURS = "mmmath_tasks.harnesses"
_TASK = {
    "lm_eval.api.task:Task.OUTPUT_TYPE": (),
    "lm_eval.api.task:TaskConfig": ("task", "custom_dataset", "doc_to_image", "generation_kwargs", "num_fewshot"),
}
_REQUEST = {"lm_eval.api.instance:Instance": ("doc", "task_name"), "lm_eval.api.instance:Instance.args": ()}

SEAMS = (
    Seam(
        "tasks",
        {"lm_eval.tasks:TaskManager.__init__": ("include_path", "include_defaults")},
        "lm-eval reads no entry points for tasks",
        "lm_eval finds the tasks only with --include_path (see `mmmath path`)",
        put=f"{_OURS}.lm_eval_plugin:register_tasks",
    ),
    Seam(
        "models",
        {
            "lm_eval.api.registry:model_registry.register": ("target",),
            "lm_eval.api.registry:model_registry.__contains__": (),
        },
        "its decorator would import our models, and what they need, at every start",
        "lm_eval does not know the models mmmath-*",
        put=f"{_OURS}.lm_eval_plugin:register_models",
    ),
    Seam(
        "hint",
        {"lm_eval.api.task:eval_logger.addFilter": ()},
        "it warns of every task that loads its own data, in words that are not about our tasks",
        "two lines about RULER's metadata for every task",
        put=f"{_OURS}.lm_eval_plugin:leave_out_hint",
    ),
    Seam(
        "settings",
        {
            "lm_eval.evaluator:simple_evaluate": (
                "evaluation_tracker",
                "metadata",
                "model_args",
                "num_fewshot",
                "task_manager",
            ),
            "lm_eval.loggers:EvaluationTracker": ("output_path",),
        },
        "tasks see neither shots nor output folder, and model arguments and metadata as one",
        "settings without effect and a folder that cannot be written are not told before the model is asked",
        put=f"{_OURS}.lm_eval_surround:keep_settings",
    ),
    Seam(
        "run",
        {
            "lm_eval.evaluator:evaluate": ("lm", "task_dict", "bootstrap_iters"),
            "lm_eval.result_schema:EvalResults": ("results", "configs"),
            **_TASK,
            **_REQUEST,
        },
        "it sends requests with and without pictures together, cuts prompts, opens every picture for every model, "
        "takes aliases from the YAML alone and knows the standard error of no mean but one over all documents",
        "tasks with and without pictures cannot run together, prompts may be cut, cut responses are not counted, "
        "sub-scores have no standard error, and tables do not name answers read by rules",
        put=f"{_OURS}.lm_eval_surround:surround_runs",
    ),
    Seam(
        "saving",
        {
            "lm_eval.loggers:EvaluationTracker.save_results_aggregated": ("results", "samples"),
            "lm_eval.loggers:EvaluationTracker": ("output_path",),
            "lm_eval.loggers.evaluation_tracker:GeneralConfigTracker.model_name": (),
            "lm_eval.loggers.evaluation_tracker:GeneralConfigTracker.model_name_sanitized": (),
            "lm_eval.result_schema:EvalResults": ("results", "configs", "config", "versions", "n-samples"),
        },
        "no other place runs in one process alone and knows results, settings and output folder",
        "no scorecards and submissions beside the results, and a baseline's results under a random name",
        put=f"{_OURS}.lm_eval_run:save_scorecards",
    ),
    Seam(
        "cache",
        {
            "lm_eval.api.model:CachingLM": ("lm",),
            "lm_eval.api.model:LM.set_cache_hook": (),
            "lm_eval.api.model:CacheHook.add_partial": ("attr", "req", "res"),
        },
        "its cache stands before the model, and only its hook is told each response as it is made",
        "cut responses are not counted, and with --use_cache prompts may be cut",
    ),
    Seam(
        "context",
        {
            "lm_eval.models.huggingface:HFLM._DEFAULT_MAX_LENGTH": (),
            "lm_eval.models.huggingface:HFLM.max_length": (),
            "lm_eval.models.huggingface:HFLM.tok_batch_encode": ("strings",),
        },
        "it makes room for a response by cutting the prompt without a word",
        "prompts may be cut",
        library="transformers",
    ),
    Seam(
        "pictures",
        {
            "lm_eval.models.hf_vlms:HFMultimodalLM": ("image_width", "image_height", "image_max_side"),
            "lm_eval.models.hf_vlms:HFMultimodalLM.tok_batch_multimodal_encode": ("strings", "images"),
            "lm_eval.models.utils:resize_image": ("image", "width", "height", "max_dimension"),
        },
        "it counts a picture's tokens nowhere",
        "prompts with pictures may be cut",
        library="transformers",
    ),
    Seam(
        "ends",
        {"lm_eval.models.huggingface:HFLM._model_generate": ("context", "max_length", "stop")},
        "it keeps to itself which responses met their limit",
        "cut responses are not counted",
        library="transformers",
    ),
    Seam(
        "ends with pictures",
        {"lm_eval.models.hf_vlms:HFMultimodalLM._model_multimodal_generate": ("inputs", "max_length", "stop")},
        "it keeps to itself which responses met their limit",
        "cut responses to pictures are not counted",
        library="transformers",
    ),
    Seam(
        "vLLM",
        {
            "lm_eval.models.vllm_causallms:VLLM._DEFAULT_MAX_LENGTH": (),
            "lm_eval.models.vllm_causallms:VLLM.max_length": (),
            "lm_eval.models.vllm_causallms:VLLM._model_generate": (),
        },
        "as for models of transformers",
        "prompts may be cut, and cut responses are not counted",
        library="vllm",
    ),
    Seam(
        "vLLM pictures",
        {
            "lm_eval.models.vllm_vlms:VLLM_VLM": ("image_width", "image_height", "image_max_side"),
            "lm_eval.models.vllm_vlms:VLLM_VLM.tok_batch_multimodal_encode": ("strings", "images"),
            "lm_eval.models.vllm_vlms:VLLM_VLM._multimodal_model_generate": (),
            "lm_eval.models.utils:resize_image": ("image", "width", "height", "max_dimension"),
        },
        "as for models of transformers",
        "prompts with pictures are not measured, and cut responses are not counted",
        library="vllm",
    ),
    Seam(
        "server tokens",
        {
            "lm_eval.models.api_models:TemplateAPI": ("max_length", "tokenized_requests"),
            "lm_eval.api.model:TemplateLM.tok_encode": ("string",),
        },
        "it makes room for a response by cutting the prompt without a word",
        "prompts that are sent as tokens may be cut",
    ),
    Seam(
        "server limits",
        {
            "lm_eval.models.api_models:TemplateAPI.model_call": ("gen_kwargs",),
            "lm_eval.models.api_models:TemplateAPI.amodel_call": ("gen_kwargs",),
        },
        "it ends the run when a server refuses the limit",
        "a server that refuses the default limit ends the run",
    ),
    Seam(
        "server ends",
        {"lm_eval.models.api_models:TemplateAPI.parse_generations": ("outputs",)},
        "it drops a server's finish_reason",
        "what a server says it cut is not counted",
    ),
)


def attach(*names: str) -> None:
    """Make the changes of the named seams, where they hold; never raises."""
    for seam in SEAMS:
        if seam.name in names:
            try:
                problem = seam.check()
                if problem is None:
                    _resolve(seam.put)()
            except Exception as error:  # this runs within imports of lm-eval, which must not fail for it
                _log.debug("seam %r", seam.name, exc_info=True)
                problem = repr(error)
            if problem:
                _warn(seam.lost, problem)


def lost(model: Any) -> frozenset[str]:
    """Return which seams on a model, those whose first need is in a module of its classes, do not hold.

    Warns of each once.
    """
    modules = {kind.__module__ for kind in type(model).__mro__}
    found = set()
    for seam in SEAMS:
        touched = next(iter(seam.needs)).partition(":")[0] in modules
        if not seam.put and touched and (problem := seam.check()):
            _warn(seam.lost, problem)
            found.add(seam.name)
    return frozenset(found)


def wrap(owner: Any, name: str, wrapper: Callable[[Callable[..., Any]], Callable[..., Any]]) -> None:
    """Replace an attribute by what `wrapper` makes of it, unless that was done before."""
    original = getattr(owner, name)
    if not hasattr(original, _MARK):
        wrapped = wraps(original)(wrapper(original))
        setattr(wrapped, _MARK, True)
        setattr(owner, name, wrapped)


def _resolve(path: str) -> Any:
    module, _, attributes = path.partition(":")
    found: Any = import_module(module)
    for name in attributes.split("."):
        found = getattr(found, name)
    return found


def _parameters(found: Any) -> Collection[str]:
    """Return the names of a function's or class's parameters, of a TypedDict its keys."""
    if isinstance(found, type) and issubclass(found, dict):
        return inspect.get_annotations(found).keys()
    return inspect.signature(found).parameters.keys()


def _reason(error: BaseException) -> str:
    """Return in one line why an import failed; transformers raises errors of its own in the place of the first."""
    while error.__cause__ is not None:
        error = error.__cause__
    said = str(error).partition("\n")[0]
    return said if isinstance(error, ImportError) else f"{type(error).__name__}: {said}"


@cache
def _warn(lost: str, problem: str) -> None:
    """Warn, once."""
    _log.warning("mmmath-tasks does not find what it rests on in lm-eval (%s): %s", problem, lost)

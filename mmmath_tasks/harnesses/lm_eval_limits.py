"""How long responses may be in lm-eval: a limit that fits beside the prompts, and which responses met it.

lm-eval makes room for `max_gen_toks` by cutting the beginning of the prompt, the tokens of pictures included, without a
word; where the context is shorter than the limit, nothing of the prompt is left. So for our tasks

- the limit is what the context leaves beside the task's longest prompt, if that is less than was asked for, and every
  prompt is whole; a prompt that leaves nothing stops the run before the model is asked anything;
- where only vLLM knows how long prompts with pictures are (a processor of its own), that is said, and the limit is what
  was asked for;
- a model whose context is not known (lm-eval then takes 2,048) gets the limit that was asked for beside whole prompts;
- a server that refuses the limit of the task files (status 400 or 422) is asked for half, a quarter, ..., and what it
  takes holds for the rest of the run; a limit that the user named is never changed so.

Each is said in one line, and the limit in force is what lm-eval's results and our scorecards name.

A response that met the limit becomes a CutResponse: a model of transformers generated as many tokens as it might and no
end among them, vLLM or a server gave "length" as its finish_reason, or the prompt opened a thought that nothing closes.

The parts of lm-eval that this rests on are the seams of lm_eval_seams that stand on models. They are changed on the one
model and for the time of one run; the cache_hook is told each response as it is made, in the order of generation.
"""

from __future__ import annotations

import logging
from collections import deque
from collections.abc import Callable, Collection, Iterator, Mapping, MutableMapping, Sequence
from contextlib import ExitStack, contextmanager
from functools import partial, wraps
from importlib import import_module
from inspect import signature
from typing import Any

from tqdm import tqdm

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses import lm_eval_seams
from mmmath_tasks.harnesses.lm_eval_prompts import UncountedError, remedies, tokens
from mmmath_tasks.harnesses.lm_eval_servers import FLAG, Limits, accepting, accepting_async, finishing
from mmmath_tasks.metrics.answers.document import ends_in_thought
from mmmath_tasks.truncation import CutResponse

_ALIASES = ("max_new_tokens", "max_tokens", "max_completion_tokens")
_GENERATING = ("_model_generate", "_model_multimodal_generate", "_multimodal_model_generate")  # the last is vLLM's
_NOT_NAMED = 1 << 30
_PORTION = 128
"""How many prompts with pictures a model in lm-eval's cache is asked at once: a run that breaks loses fewer."""

_log = logging.getLogger(__name__)


@contextmanager
def within(lm: Any, tasks: Sequence[Any]) -> Iterator[Limits]:
    """Have a model, perhaps in lm-eval's cache, answer requests of our tasks as this module says; of others as ever.

    The configurations of ours among `tasks`, all those of the run, name the limit in force until the end.
    """
    limits = Limits()
    with ExitStack() as changes:
        generate = partial(_generate, lm, tasks, limits, changes, lm.generate_until)
        changes.enter_context(instead(lm, "generate_until", generate))
        yield limits


@contextmanager
def instead(owner: Any, name: str, value: Any) -> Iterator[None]:
    """Give an object an attribute of its own for a while."""
    before = vars(owner).get(name, instead)
    setattr(owner, name, value)
    try:
        yield
    finally:
        if before is instead:
            delattr(owner, name)
        else:
            setattr(owner, name, before)


def _generate(
    lm: Any,
    tasks: Sequence[Any],
    limits: Limits,
    of_run: ExitStack,
    generate: Callable[..., list[str]],
    requests: Sequence[Any],
    **options: Any,
) -> list[str]:
    ours = [isinstance(r.doc, Mapping) and {"benchmark", "provenance"} <= r.doc.keys() for r in requests]
    others: Iterator[str] = iter(())
    if not all(ours):
        others = iter(generate([r for r, our in zip(requests, ours, strict=True) if not our], **options))
    mine = [r for r, our in zip(requests, ours, strict=True) if our]
    cached = isinstance(lm, getattr(import_module("lm_eval.api.model"), "CachingLM", ()))
    model = lm.lm if cached else lm
    lost = lm_eval_seams.lost(model) | lm_eval_seams.lost(lm)
    with ExitStack() as changes:
        if getattr(model, "generates", True):
            _fit(model, mine, tasks, limits, lost, changes)
        marking = partial(_marked, model.generate_until if cached else generate, _watch(model, limits, lost, changes))
        if cached:
            changes.enter_context(instead(model, "generate_until", marking))
        # lm-eval's cache keeps what a call returns; what the hook is told before, with pictures, it does not find again
        size = _PORTION if cached and mine and len(mine[0].args) > 2 else len(mine) or 1
        portions = [mine[start : start + size] for start in range(0, len(mine), size)]
        ask = generate if cached else marking
        answers = iter([text for portion in portions for text in ask(portion, **options)])
    for task in tasks:
        if (name := task.config.task) in limits.used:
            limits.used[name] = min(limits.used[name], limits.taken or limits.used[name])
            known = {key: value for key, value in task.config.generation_kwargs.items() if key not in _ALIASES}
            of_run.enter_context(
                instead(task.config, "generation_kwargs", {**known, "max_gen_toks": limits.used[name]})
            )
    return [next(answers if our else others) for our in ours]


def _fit(
    model: Any,
    requests: Sequence[Any],
    tasks: Sequence[Any],
    limits: Limits,
    lost: Collection[str],
    changes: ExitStack,
) -> None:
    """Name in every request a limit that fits; raises InputError where none does."""
    of_task: dict[str, list[Any]] = {task.config.task: [] for task in tasks}  # in the same order in every process
    for request in {id(request): request for request in requests}.values():
        of_task.setdefault(request.task_name, []).append(request)
    asked = {name: max(_asked(model, found)) for name, found in of_task.items() if found}
    context, known = _context(model, lost)
    longest = dict.fromkeys(of_task, (0, ""))
    uncounted: dict[str, UncountedError] = {}
    limits.wider, naming = remedies(model)
    if context is not None:
        bar = tqdm(requests, desc="Measuring prompts", unit="prompt", disable=None if model.rank == 0 else True)
        for request in {id(request): request for request in bar}.values():
            if request.task_name in uncounted:
                continue
            try:
                length = (tokens(model, request), str(request.doc["id"]))
            except UncountedError as error:
                uncounted[request.task_name] = error
            else:
                longest[request.task_name] = max(longest[request.task_name], length)
    lowered = []
    for name, found in of_task.items():
        wanted, (most, problem) = asked.get(name, 1), longest[name]
        bounded = context is not None and known and name not in uncounted
        room = _least_of_all(model, (context or 0) - most if bounded else _NOT_NAMED)
        if room < 1:
            its = f"{most:,} tokens (problem {problem})" if room == (context or 0) - most else "more"
            raise InputError(
                f"{name}: the context is {context:,} tokens, the longest prompt, pictures counted, takes {its} and "
                f"leaves none for a response; {limits.wider}"
            )
        if not found:
            continue
        limits.used[name] = min(wanted, room)
        if limits.used[name] < wanted:
            limits.full.add(name)
            lowered.append(f"{name} {limits.used[name]:,} (longest prompt {most:,}, problem {problem})")
        for request in found:
            request.args[1]["max_gen_toks"] = limits.used[name]
    if lowered and model.rank == 0:
        _log.warning(
            "max_gen_toks is less than %s, for the context is %s tokens and no prompt is cut, pictures counted: %s",
            f"{max(asked.values()):,}",
            f"{context:,}",
            ", ".join(lowered),
        )
    for name, reason in uncounted.items() if model.rank == 0 else ():
        _log.warning(
            "%s: prompts with pictures are not measured (%s); max_gen_toks is %s as asked for, and vLLM ends the run "
            "at a prompt that its context of %s tokens does not hold",
            name,
            reason,
            f"{limits.used[name]:,}",
            f"{context:,}",
        )
    if context is not None and not known and asked:
        bound = "_DEFAULT_MAX_LENGTH" if hasattr(model, "_DEFAULT_MAX_LENGTH") else "max_length"
        needed = max(asked[name] + longest[name][0] for name in asked)
        changes.enter_context(instead(model, bound, max(needed, getattr(model, bound))))
        if model.rank == 0:
            _log.warning(
                "no context length is known (neither configuration nor tokenizer names one): prompts of up to %s "
                "tokens stay whole beside max_gen_toks %s; --model_args %s names it",
                f"{max(most for most, _ in longest.values()):,}",
                f"{max(asked.values()):,}",
                naming,
            )


def _asked(model: Any, requests: Sequence[Any]) -> Iterator[int]:
    """Yield the limit that each request asks for, after giving it the one name that every model understands."""
    for request in requests:
        arguments: MutableMapping[str, Any] = request.args[1]
        others = [value for alias in _ALIASES if (value := arguments.pop(alias, None)) is not None]
        wanted = next(iter(others), arguments.get("max_gen_toks", getattr(model, "max_gen_toks", 256)))
        try:
            arguments["max_gen_toks"] = int(wanted)
        except (TypeError, ValueError):
            arguments["max_gen_toks"] = 0
        if arguments["max_gen_toks"] < 1:
            raise InputError(f"{FLAG}{wanted}: expected a whole number of tokens, at least 1")
        yield arguments["max_gen_toks"]


def _context(model: Any, lost: Collection[str]) -> tuple[int | None, bool]:
    """Return how many tokens prompt and response may have together, and whether that is more than lm-eval's fallback.

    None for a model that lm-eval neither counts tokens for nor cuts prompts of (a baseline, a chat server), and where a
    seam that this needs does not hold.
    """
    if not {"context", "pictures", "server tokens", "vLLM", "vLLM pictures"}.isdisjoint(lost):
        return None, True
    if hasattr(model, "_DEFAULT_MAX_LENGTH"):
        with instead(model, "_DEFAULT_MAX_LENGTH", _NOT_NAMED):
            known = model.max_length != _NOT_NAMED
        return int(model.max_length), known
    if getattr(model, "tokenized_requests", False):
        fallback = signature(import_module("lm_eval.models.api_models").TemplateAPI).parameters["max_length"].default
        return int(model.max_length), model.max_length != fallback - 1
    return None, True


def _least_of_all(model: Any, number: int) -> int:
    """Return the least of what the processes of a run have found."""
    if model.world_size < 2:
        return number
    import torch

    return int(model.all_gather(torch.tensor([number], device=model.device)).min())


def _marked(
    generate: Callable[..., list[str]], cut: set[tuple[Any, str]], requests: Sequence[Any], **options: Any
) -> list[str]:
    """Generate, and mark what was cut."""
    marked = []
    for request, text in zip(requests, generate(requests, **options), strict=True):
        prompt = request.args[0] if isinstance(request.args[0], str) else ""
        met = (request.args[0], text) in cut or ends_in_thought(text, prompt)
        marked.append(CutResponse(text) if met else text)
    return marked


def _watch(model: Any, limits: Limits, lost: Collection[str], changes: ExitStack) -> set[tuple[Any, str]]:
    """Return where a model of transformers will put prompt and text of the responses that it did not end.

    A server's are marked as they come, and its refusals are answered. What rests on a seam that is lost, is left out.
    """
    cut: set[tuple[Any, str]] = set()
    generating = [name for name in _GENERATING if hasattr(model, name)]
    if generating and {"cache", "ends", "ends with pictures", "vLLM", "vLLM pictures"}.isdisjoint(lost):
        met: deque[bool] = deque()
        for name in generating:
            changes.enter_context(instead(model, name, _counting(model, getattr(model, name), met)))
        changes.enter_context(instead(model, "cache_hook", _Noting(model.cache_hook, met, cut)))
        settings = getattr(getattr(model, "model", None), "generation_config", None)
        if getattr(settings, "max_new_tokens", None) is not None:  # a model's own, which would go before ours
            changes.enter_context(instead(settings, "max_new_tokens", None))
    if hasattr(model, "parse_generations") and "server ends" not in lost:
        changes.enter_context(instead(model, "parse_generations", finishing(model.parse_generations)))
    if hasattr(model, "model_call") and "server limits" not in lost:
        changes.enter_context(instead(model, "model_call", accepting(model.model_call, limits)))
        changes.enter_context(instead(model, "amodel_call", accepting_async(model.amodel_call, limits)))
    return cut


def _counting(model: Any, generate: Callable[..., Any], met: deque[bool]) -> Callable[..., Any]:
    """Return `generate` so that it notes for every row of a batch whether it met the limit."""

    @wraps(generate)
    def generate_and_count(*args: Any, **kwargs: Any) -> Any:
        made = generate(*args, **kwargs)
        met.clear()
        if hasattr(made, "shape") and {"max_length", "stop"} <= kwargs.keys():
            met.extend(_unended(model, made, args[0] if args else kwargs["context"], kwargs))
        elif isinstance(made, list):  # vLLM's, which say why they end
            outputs = [next(iter(getattr(one, "outputs", ())), None) for one in made]
            met.extend(getattr(output, "finish_reason", None) == "length" for output in outputs)
        return made

    return generate_and_count


def _unended(model: Any, made: Any, given: Any, arguments: Mapping[str, Any]) -> Iterator[bool]:
    """Yield for each row of tokens that a model of transformers made whether it is full and holds no end."""
    prompt = given["input_ids"] if isinstance(given, Mapping) else given
    start = prompt.shape[1] if model.backend == "causal" else 0
    ends = arguments.get("eos_token_id", getattr(model.model.generation_config, "eos_token_id", None))
    known = {model.eot_token_id, *(ends if isinstance(ends, list | tuple) else [ends])}
    stops = [stop for stop in arguments["stop"] if stop]
    full = made.shape[1] >= arguments["max_length"]
    for row in made[:, start:].tolist():
        yield full and not known & set(row) and not any(stop in model.tok_decode(row) for stop in stops)


class _Noting:
    """lm-eval's hook for its cache, which is told every response: notes those that were cut, and passes them on."""

    def __init__(self, hook: Any, met: deque[bool], cut: set[tuple[Any, str]]) -> None:
        self._hook, self._met, self._cut = hook, met, cut

    def add_partial(self, attr: str, req: Any, res: Any) -> None:
        if self._met and self._met.popleft():
            self._cut.add((req[0], res))
            res = CutResponse(res)
        self._hook.add_partial(attr, req, res)

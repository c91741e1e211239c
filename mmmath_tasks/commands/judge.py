"""`mmmath judge`: saved responses judged by a language model at any OpenAI-compatible endpoint."""

from __future__ import annotations

import argparse
import dataclasses
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks import json_text
from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.place import make_folder
from mmmath_tasks.problem import Scorecard

if TYPE_CHECKING:
    from mmmath_tasks.judge.budget import Prices
    from mmmath_tasks.judge.case import Judged
    from mmmath_tasks.judge.engine import Judge, Plan
    from mmmath_tasks.judge.error_types import Taxonomy
    from mmmath_tasks.judge.saved_cases import SavedCases
    from mmmath_tasks.judge.settings import Settings

HELP = "judge saved responses with a language model (the key: MMMATH_JUDGE_API_KEY, else OPENAI_API_KEY)"

METRICS = ("answer", "cot_e", "errors")
PROBES = ("injection", "swap")

_OF_METRICS = {
    "alpha": ("cot_e",),
    "annotations": ("cot_e",),
    "model_steps": ("cot_e",),
    "model_score": ("cot_e",),
    "judge_only_unsure": ("answer", "errors"),
    "prompts": ("answer",),
}
"""Options that some metrics only heed."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("responses", type=Path, metavar="RESPONSES", help="a file that `mmmath rescore` reads")
    add("--benchmark", help="the benchmark, where the file does not say")
    add("--response-column", metavar="NAME", help="the column of responses, where names do not say")
    add("--data", metavar="DIR", help="the data set (default: MMMATH_DATA, else the file's own columns)")
    split = parser.add_mutually_exclusive_group()
    split.add_argument("--split", help="the split that was asked (default: the benchmark's first)")
    split.add_argument("--sample", action="store_true", help="the split is the sample that ships with the package")
    add("--metric", choices=METRICS, default="answer", help="what to judge (default: answer)")
    add("--alpha", type=float, help="cot_e: the weight of the steps (default 0.7)")
    add("--annotations", type=Path, metavar="FILE", help="cot_e: JSON, problem id to a description of its picture")
    add("--prompts", metavar="FILE", help="answer, MathVerse: its authors' evaluation/prompts.py; only then is it acc")
    add(
        "--judge-only-unsure",
        type=float,
        nargs="?",
        const=0.75,
        metavar="CONFIDENCE",
        help="answer: ask only where the rules are less sure than this (0.75)",
    )
    add("--base-url", default="", metavar="URL", help="the endpoint, such as http://localhost:8000/v1")
    add("--model", default="", help="the judge's name at the endpoint")
    add("--model-steps", metavar="NAME", help="cot_e: who lists the steps (the paper: GPT-4; default: --model)")
    add("--model-score", metavar="NAME", help="cot_e: who marks them, seeing the picture (GPT-4V; default: --model)")
    add(
        "--param",
        action="append",
        default=[],
        metavar="NAME=JSON",
        help="a request field (temperature=0, max_tokens=1024; null leaves one out)",
    )
    add("--concurrency", type=int, default=16, help="requests in flight (16)")
    add("--timeout", type=float, default=120.0, help="seconds for one request (120)")
    add("--attempts", type=int, default=6, help="how often a failing request is sent (6)")
    add("--max-calls", type=int, help="send no more requests than this")
    add("--max-tokens", type=int, help="use no more tokens than this, in and out together")
    add("--max-cost", type=float, help="spend no more than this, in US dollars; needs prices")
    add("--price-in", type=float, default=0.0, help="US dollars for a million tokens read")
    add("--price-out", type=float, default=0.0, help="US dollars for a million tokens written")
    add("--cache", metavar="FILE", help="answers so far (default: ~/.cache/mmmath/judge.sqlite)")
    add("--out", type=Path, metavar="DIR", help="where samples and scorecard go (default: beside RESPONSES)")
    add("--dry-run", action="store_true", help="send nothing; say how many calls and tokens it would take")
    add("--probe", choices=PROBES, help="instead of judging: how far the judge can be misled (see judge-agreement)")


def run(args: argparse.Namespace) -> int:
    """Judge, write verdicts and scorecard, print them; status 1, and nothing written, where nothing could be judged."""
    for option, metrics in _OF_METRICS.items():
        if getattr(args, option) is not None and args.metric not in metrics:
            raise InputError(f"--{option.replace('_', '-')} belongs to --metric {' or '.join(metrics)}")
    settings = _settings(args)
    from mmmath_tasks.judge import probes, saved_cases

    split = "sample" if args.sample else args.split
    # For the answer the judge is shown no picture, as the authors' judges are not.
    loaded = saved_cases.load(
        args.responses,
        name=args.benchmark,
        split=split,
        data=args.data,
        pictures=args.metric != "answer",
        response_column=args.response_column,
    )
    for remark in loaded.remarks:
        print(f"  {remark}")
    folder = args.out or args.responses.parent
    if not (args.dry_run or args.probe):
        make_folder(folder)
    judge = settings.open(dry=args.dry_run)
    try:
        if args.probe:
            lines = list(probes.report(args.probe, judge, loaded.benchmark.name, loaded.cases))
        else:
            judged, card, taxonomy = _judged(args, judge, loaded)
    finally:
        judge.close()
    if judge.plan is not None:
        print(_planned(judge.plan, judge.budget.prices))
        return 0
    nothing = _nothing(judge, [] if args.probe else judged)
    if args.probe:
        print("\n".join(lines))
    else:
        if not nothing:
            _write(args, settings.account(judge, judged), loaded, judged, card, taxonomy)
        _print_account(judge, judged)
    if failures := Counter({cause: count for cause, count in judge.outcomes.items() if cause}):
        print(f"mmmath: {_failures(failures, judge.outcomes.total(), nothing, settings)}", file=sys.stderr)
    return 1 if nothing else 0


def _settings(args: argparse.Namespace) -> Settings:
    try:
        from mmmath_tasks.judge.settings import Settings
    except ModuleNotFoundError as error:
        raise InputError(f"the judge needs {error.name}: pip install 'mmmath-tasks[judge]'") from None
    model = args.model_score or args.model
    if not args.dry_run and not (args.base_url and model):
        raise InputError("name the judge with --base-url and --model")
    return Settings(
        base_url=args.base_url or "http://localhost/v1",
        model=model or "unnamed",
        steps_model=_steps_model(args),
        parameters=_parameters(args.param),
        concurrency=args.concurrency,
        timeout=args.timeout,
        attempts=args.attempts,
        max_calls=args.max_calls,
        max_tokens=args.max_tokens,
        max_cost=args.max_cost,
        price_in=args.price_in,
        price_out=args.price_out,
        cache=args.cache,
        only_unsure=args.judge_only_unsure,
        prompts=args.prompts,
    )


def _steps_model(args: argparse.Namespace) -> str:
    """Return who lists the steps, where it is another model than marks them."""
    return args.model_steps or (args.model if args.model_score else "") or ""


def _parameters(given: Sequence[str]) -> dict[str, Any]:
    found = {}
    for item in given:
        name, mark, value = item.partition("=")
        try:
            found[name] = json_text.loads(value) if mark else None
        except ValueError:
            found[name] = value
        if not mark:
            raise InputError(f"--param {item}: expected NAME=JSON")
    return found


def _judged(
    args: argparse.Namespace, judge: Judge, loaded: SavedCases
) -> tuple[list[Judged], Scorecard | None, Taxonomy | None]:
    """Return what the chosen metric makes of the cases."""
    from mmmath_tasks.judge import cot_e, metric, taxonomy_of
    from mmmath_tasks.judge.case import with_cuts
    from mmmath_tasks.judge.error_types import judge_errors

    known, cases = loaded.benchmark, loaded.cases
    if args.metric == "cot_e":
        if known.name != "mathverse":
            raise InputError("cot_e is MathVerse's metric")
        alpha = cot_e.ALPHA if args.alpha is None else args.alpha
        if not 0 <= alpha <= 1:
            raise InputError(f"--alpha should be between 0 and 1, got {alpha}")
        known_of = _annotations(args.annotations)
        steps_model = _steps_model(args)
        judged = cot_e.judge_steps(judge, cases, alpha=alpha, steps_model=steps_model, annotations=known_of)
        card = cot_e.summarise(loaded.problems, judged := with_cuts(cases, judged), alpha)
        doubts = cot_e.doubts(cases, loaded.prompt_style)
        return judged, dataclasses.replace(card, notes=(*card.notes, *doubts)), None
    answers = metric(known.name, args.prompts)
    if args.metric == "answer":
        if answers is None:
            raise InputError(f"{known.name} has no judged answer: its authors score by rules (`mmmath rescore`)")
        judged = with_cuts(cases, answers(judge, cases, sure=args.judge_only_unsure))
        return judged, known.summarise(loaded.problems, [j.verdict for j in judged]), None
    taxonomy = taxonomy_of(known.name)
    if taxonomy is None:
        raise InputError(f"{known.name}: its paper has no classes of errors")
    if answers and not taxonomy.by_rules:
        verdicts = [j.verdict for j in answers(judge, cases, sure=args.judge_only_unsure)]
    else:
        verdicts = [known.score(case.problem, case.response) for case in cases]
    return judge_errors(judge, cases, verdicts, taxonomy), None, taxonomy


def _annotations(path: Path | None) -> dict[str, str]:
    if path is None:
        return {}
    try:
        found = json_text.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: expected a JSON object, problem id to description")
    return {str(key): str(value) for key, value in found.items()}


def _planned(plan: Plan, prices: Prices) -> str:
    cost = prices.cost(plan.tokens_in, plan.tokens_out)
    return (
        f"{plan.calls} calls ({plan.cached} answers are cached already), about {plan.tokens_in:,} tokens in and "
        f"{plan.tokens_out:,} out (at most {plan.largest_out:,})"
        + (f", about {cost:.2f} US dollars" if cost else "")
        + "; retries and repairs come on top"
    )


def _write(
    args: argparse.Namespace,
    account: Mapping[str, Any],
    loaded: SavedCases,
    judged: Sequence[Judged],
    card: Scorecard | None,
    taxonomy: Taxonomy | None,
) -> None:
    """Write samples, scorecard and table of errors, and print the last two."""
    from mmmath_tasks.judge import results
    from mmmath_tasks.outputs.table_text import shown
    from mmmath_tasks.score_labels import label

    folder = args.out or args.responses.parent
    name = f"{args.responses.name.split('.')[0]}_{args.metric}"
    results.write_samples(folder / f"samples_{name}.jsonl", loaded.cases, judged, account["model"])
    if card is not None:
        origin = {"responses": args.responses.name, "data_revision": loaded.revision}
        card = results.noted(card, account, **origin)
        results.write_card(folder / f"scorecard_{name}.json", card)
        for score in card.scores:
            if not score.group or score.group == "version":
                named = " ".join(filter(None, (label([card], score.metric), score.slice)))
                print(f"  {named:<28} {shown(score)}")
        for note in card.notes:
            print(f"  note: {note}")
    if taxonomy is not None:
        results.write_distribution(folder / f"distribution_{name}.json", judged, taxonomy)
        for line in results.shown_distribution(judged, taxonomy):
            print(f"  {line}")
    print(f"wrote {folder / f'samples_{name}.jsonl'} and what belongs to it")


def _failed(judged: Judged) -> bool:
    return judged.verdict.reason.startswith("judge_failed")


def _nothing(judge: Judge, judged: Sequence[Judged]) -> bool:
    """Say whether questions were asked and none was answered, or no item got all the answers it needs."""
    asked = [j for j in judged if j.answers]
    return (bool(judge.outcomes) and not judge.outcomes[""]) or (bool(asked) and all(map(_failed, asked)))


def _failures(failures: Counter[str], questions: int, nothing: bool, settings: Settings) -> str:
    """Return in one line how many questions failed, and why."""
    count, causes = failures.total(), "; ".join(f"{times} x {cause}" for cause, times in failures.most_common(3))
    causes += "; ..." if len(failures) > 3 else ""
    if nothing:
        who = f"{settings.model} at {settings.base_url}"
        return f"nothing was judged, nothing written: {count} of {questions} questions to {who} failed: {causes}"
    return f"{count} of {questions} questions failed; the same command asks them again: {causes}"


def _print_account(judge: Judge, judged: Sequence[Judged]) -> None:
    """Say how many were scored, why the others were not, and what it cost."""
    causes = Counter(j.verdict.reason.removeprefix("judge_failed: ") for j in judged if _failed(j))
    asked = sum(bool(j.answers) and not _failed(j) for j in judged)
    print(
        f"{len(judged)} judged items: {len(judged) - causes.total()} scored ({asked} by the judge), "
        f"{causes.total()} unscored"
    )
    for cause, count in causes.most_common(10):
        print(f"  {count} x {cause}")
    budget = judge.budget
    print(
        f"this run: {budget.calls} requests, {budget.tokens_in:,} tokens in, {budget.tokens_out:,} out, "
        f"{budget.cost:.4f} US dollars"
    )

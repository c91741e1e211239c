"""`mmmath judge`: saved responses judged by a language model at any OpenAI-compatible endpoint."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Sequence
from dataclasses import fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks import json_text
from mmmath_tasks.commands._parser import add_what_was_asked, check_data
from mmmath_tasks.errors import InputError
from mmmath_tasks.files import make_writable_folder

if TYPE_CHECKING:
    from mmmath_tasks.judge.engine import Judge
    from mmmath_tasks.judge.judging import Judging
    from mmmath_tasks.judge.saved_cases import SavedCases
    from mmmath_tasks.judge.settings import Settings

HELP = "judge saved responses with a language model (the key: MMMATH_JUDGE_API_KEY, else OPENAI_API_KEY)"

EXAMPLES = """
    mmmath judge responses.jsonl --benchmark mathvision --base-url http://localhost:8000/v1 --model NAME --dry-run
    mmmath judge cot.jsonl --metric cot_e --base-url http://localhost:8000/v1 --model NAME --out judged
    mmmath judge responses.jsonl --metric errors --base-url http://localhost:8000/v1 --model NAME --max-cost 5 \\
        --price-in 0.15 --price-out 0.6
"""

METRICS = ("answer", "cot_e", "errors")
PROBES = ("injection", "swap")

_OF_METRICS = {
    **dict.fromkeys(("alpha", "annotations", "model_steps", "model_score"), ("cot_e",)),
    **dict.fromkeys(("judge_only_unsure", "unsure"), ("answer", "errors")),
    "prompts": ("answer",),
}
"""Options that some metrics only heed."""


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("responses", type=Path, metavar="RESPONSES", help="a file that `mmmath rescore` reads")
    add_what_was_asked(parser, split=False)
    split = parser.add_mutually_exclusive_group()
    split.add_argument(
        "--split", help="the split that was asked (default: what a harness put into the file's name, else the first)"
    )
    split.add_argument("--sample", action="store_true", help="the split is the sample that ships with the package")
    add("--metric", choices=METRICS, default="answer", help="what to judge (default: answer)")
    add("--alpha", type=float, help="cot_e: the weight of the steps (default 0.7)")
    add("--annotations", type=Path, metavar="FILE", help="cot_e: JSON, problem id to a description of its picture")
    add("--prompts", metavar="FILE", help="answer, MathVerse: its authors' evaluation/prompts.py; only then is it acc")
    unsure = parser.add_mutually_exclusive_group()
    unsure.add_argument(
        "--unsure", type=float, metavar="SHARE", help="answer: ask only about the least sure share (0.1: a tenth)"
    )
    unsure.add_argument(
        "--judge-only-unsure",
        type=float,
        nargs="?",
        const=0.98,
        metavar="CONFIDENCE",
        help="answer: ask only where the rules are less sure than this (0.98)",
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
    check_data(args)
    settings = _settings(args)
    from mmmath_tasks.judge import probes, results, run_text, saved_cases

    # For the answer the judge is shown no picture, as the authors' judges are not.
    loaded = saved_cases.load(
        args.responses,
        name=args.benchmark,
        split="sample" if args.sample else args.split,
        data=args.data,
        pictures=args.metric != "answer",
        response_column=args.response_column,
    )
    for remark in loaded.remarks:
        print(f"  {remark}")
    if not (args.dry_run or args.probe):
        make_writable_folder(args.out or args.responses.parent)
    judge = settings.open(dry=args.dry_run)
    try:
        lines = list(probes.report(args.probe, judge, loaded.benchmark.name, loaded.cases)) if args.probe else []
        found = None if args.probe else _judged(args, settings, judge, loaded)
    finally:
        judge.close()
    if args.dry_run:
        print(run_text.plan_line(judge))
        for line in run_text.saved_lines(found.mixing if found else None):
            print(line)
        return 0
    nothing = run_text.nothing_judged(judge, found.judged if found else [])
    if found is not None:
        if not nothing:
            account = settings.account(judge, found.judged)
            origin = {"responses": args.responses.name, "data_revision": loaded.revision, **loaded.how.provenance()}
            found = results.noted(found, account, **origin)
            name = f"{args.responses.name.split('.')[0].removeprefix('samples_')}_{args.metric}"
            path = results.write(args.out or args.responses.parent, name, loaded, found, account)
            lines = [*run_text.result_lines(found), f"wrote {path} and what belongs to it"]
        lines += run_text.account_lines(judge, found.judged)
    print("\n".join(lines))
    if failed := run_text.failure_line(judge, settings, nothing):
        print(f"mmmath: {failed}", file=sys.stderr)
    return 1 if nothing else 0


def _settings(args: argparse.Namespace) -> Settings:
    from mmmath_tasks.judge import need_extra

    need_extra()
    from mmmath_tasks.judge.settings import Settings

    model = args.model_score or args.model
    if not args.dry_run and not (args.base_url and model):
        raise InputError("name the judge with --base-url and --model")
    same = {field.name: getattr(args, field.name) for field in fields(Settings) if hasattr(args, field.name)}
    unnamed = {"base_url": args.base_url or "http://localhost/v1", "model": model or "unnamed"}
    given = {"parameters": _parameters(args.param), "only_unsure": args.judge_only_unsure}
    steps_model = args.model_steps or (args.model if args.model_score else "")
    return Settings(**{**same, **unnamed, **given, "steps_model": steps_model})


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


def _judged(args: argparse.Namespace, settings: Settings, judge: Judge, loaded: SavedCases) -> Judging:
    from mmmath_tasks.hub_datasets.fields import load_texts
    from mmmath_tasks.judge import judging

    if args.metric == "cot_e":
        annotations = load_texts(args.annotations) if args.annotations else None
        return judging.judged_steps(judge, loaded, args.alpha, annotations, settings.steps_model)
    if args.metric == "answer":
        return judging.judged_answers(judge, loaded, settings)
    return judging.judged_errors(judge, loaded, settings)

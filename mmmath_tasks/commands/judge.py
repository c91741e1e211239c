"""`mmmath judge`: saved responses judged by a language model at any OpenAI-compatible endpoint."""

from __future__ import annotations

import argparse
import json
from collections import Counter
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.problem import Problem, Scorecard
from mmmath_tasks.scoring import benchmark

if TYPE_CHECKING:
    from mmmath_tasks.judge.case import Case, Judged
    from mmmath_tasks.judge.engine import Judge
    from mmmath_tasks.judge.error_types import Taxonomy
    from mmmath_tasks.judge.settings import Settings

HELP = "judge saved responses with a language model (the key: MMMATH_JUDGE_API_KEY, else OPENAI_API_KEY)"

METRICS = ("answer", "cot_e", "errors")
PROBES = ("injection", "swap")


def arguments(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    add = parser.add_argument
    add("responses", type=Path, metavar="RESPONSES", help="a file that `mmmath rescore` reads")
    add("--benchmark", help="the benchmark, where the file does not say")
    add("--data", metavar="DIR", help="the data set (default: MMMATH_DATA, else the Hub)")
    add("--split", help="the split that was asked (default: the benchmark's first)")
    add("--sample", action="store_true", help="the split is the sample that ships with the package")
    add("--metric", choices=METRICS, default="answer", help="what to judge (default: answer)")
    add("--alpha", type=float, help="cot_e: the weight of the steps (default 0.7)")
    add("--annotations", type=Path, metavar="FILE", help="cot_e: JSON, problem id to a description of its picture")
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
    """Judge, write verdicts and scorecard, print them; status 1 where nothing could be scored."""
    settings = _settings(args)
    from mmmath_tasks.judge import results

    benchmark_name, cases, problems, revision = load_cases(args)
    judge = settings.open(dry=args.dry_run)
    try:
        if args.probe:
            return _probe(args, judge, benchmark_name, cases)
        judged, card, taxonomy = _judged(args, judge, benchmark_name, cases, problems)
    finally:
        judge.close()
    if judge.plan is not None:
        plan = judge.plan
        print(
            f"{plan.calls} calls ({plan.cached} answers are cached already), about {plan.tokens_in:,} tokens in and "
            f"{plan.tokens_out:,} out (at most {plan.largest_out:,}), about "
            f"{judge.budget.prices.cost(plan.tokens_in, plan.tokens_out):.2f} US dollars, without retries and repairs"
        )
        return 0
    folder = args.out or args.responses.parent
    name = f"{args.responses.name.split('.')[0]}_{args.metric}"
    results.write_samples(folder / f"samples_{name}.jsonl", cases, judged, settings.model)
    if card is not None:
        account = settings.account(judge, judged)
        card = results.noted(card, account, responses=args.responses.name, data_revision=revision)
        results.write_card(folder / f"scorecard_{name}.json", card)
        _print_card(card)
    if taxonomy is not None:
        results.write_distribution(folder / f"distribution_{name}.json", judged, taxonomy)
        print("\n".join(f"  {line}" for line in results.shown_distribution(judged, taxonomy)))
    _print_account(judge, judged)
    print(f"wrote {folder / f'samples_{name}.jsonl'} and what belongs to it")
    return 0 if not judged or any(not _failed(j) for j in judged) else 1


def load_cases(args: argparse.Namespace) -> tuple[str, list[Case], list[Problem], str]:
    """Return the benchmark's name, what to judge in the file's order, all problems of the split, the data's revision.

    Raises:
        InputError: file, benchmark or data cannot be had.
    """
    from mmmath_tasks import sources
    from mmmath_tasks.judge.case import Case
    from mmmath_tasks.outputs.join import Account, join
    from mmmath_tasks.outputs.saved import open_saved
    from mmmath_tasks.pictures import Picture

    file = open_saved(args.responses)
    name = args.benchmark or file.benchmark
    if not name:
        raise InputError(f"{args.responses}: which benchmark is it? Name it with --benchmark")
    try:
        found = benchmark(name)
    except ValueError as error:
        raise InputError(str(error)) from None
    split = sources.SAMPLE if args.sample else args.split or found.rows.SPLITS[0]
    config = getattr(found.rows, "CONFIGS", {}).get(split)
    source = sources.find(found, split, config=config, data_dir=args.data)
    columns = sources.picture_columns(source.rows)
    problems = [found.problem(row) for row in source.rows.remove_columns(columns)]
    place = {problem.id: i for i, problem in enumerate(problems)}
    account = Account()
    cases = []
    for problem, saved in join(file, name, problems, account):
        if not saved.responses:
            continue  # an error in place of a response: nothing to judge
        cells = found.rows.pictures(source.rows[place[problem.id]]) if _sees(args) else []
        where = f"{source.where}: problem {problem.id}"
        # Upstream's files may lie there without their pictures; a judge then works from the text.
        there = [cell for cell in cells if cell and (cell["bytes"] or (cell["path"] and Path(cell["path"]).is_file()))]
        pictures = tuple(Picture(cell["bytes"], cell["path"], where) for cell in there)
        cases.append(Case(problem, saved.responses[0], pictures))
    for line in account.lines():
        print(f"  {line}")
    blind = sum(not case.pictures for case in cases) if _sees(args) else 0
    if blind:
        print(f"  {blind} of {len(cases)} problems come without a picture: the judge sees their text only")
    return name, cases, problems, source.revision


def _sees(args: argparse.Namespace) -> bool:
    """Say whether the judge is shown pictures: for the answer it is not, as upstream's are not."""
    return bool(args.metric != "answer")


def _settings(args: argparse.Namespace) -> Settings:
    try:
        from mmmath_tasks.judge.settings import Settings
    except ModuleNotFoundError as error:
        raise InputError(f"the judge needs {error.name}: pip install 'mmmath-tasks[judge]'") from None
    if not args.dry_run and not (args.base_url and args.model):
        raise InputError("name the judge with --base-url and --model")
    return Settings(
        base_url=args.base_url or "http://localhost/v1",
        model=args.model or "unnamed",
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
    )


def _parameters(given: Sequence[str]) -> dict[str, Any]:
    found = {}
    for item in given:
        name, mark, value = item.partition("=")
        try:
            found[name] = json.loads(value) if mark else None
        except json.JSONDecodeError:
            found[name] = value
        if not mark:
            raise InputError(f"--param {item}: expected NAME=JSON")
    return found


def _judged(
    args: argparse.Namespace, judge: Judge, name: str, cases: Sequence[Case], problems: Sequence[Problem]
) -> tuple[list[Judged], Scorecard | None, Taxonomy | None]:
    """Return what the chosen metric makes of the cases."""
    from mmmath_tasks.judge import cot_e, metric, taxonomy_of
    from mmmath_tasks.judge.error_types import judge_errors

    if args.metric == "cot_e":
        if name != "mathverse":
            raise InputError("cot_e is MathVerse's metric")
        alpha = cot_e.ALPHA if args.alpha is None else args.alpha
        if not 0 <= alpha <= 1:
            raise InputError(f"--alpha should be between 0 and 1, got {alpha}")
        judged = cot_e.judge_steps(judge, cases, alpha=alpha, annotations=_annotations(args.annotations))
        return judged, cot_e.summarise(problems, judged), None
    answers = metric(name)
    if args.metric == "answer":
        if answers is None:
            raise InputError(f"{name} has no judged answer: its authors score by rules (`mmmath rescore`)")
        judged = answers(judge, cases, sure=args.judge_only_unsure)
        return judged, benchmark(name).summarise(problems, [j.verdict for j in judged]), None
    taxonomy = taxonomy_of(name)
    if taxonomy is None:
        raise InputError(f"{name}: its paper has no classes of errors")
    verdicts = (
        [j.verdict for j in answers(judge, cases, sure=args.judge_only_unsure)]
        if answers and not taxonomy.by_rules
        else [benchmark(name).score(case.problem, case.response) for case in cases]
    )
    return judge_errors(judge, cases, verdicts, taxonomy), None, taxonomy


def _annotations(path: Path | None) -> dict[str, str]:
    if path is None:
        return {}
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as error:
        raise InputError(f"{path}: {error}") from None
    if not isinstance(found, dict):
        raise InputError(f"{path}: expected a JSON object, problem id to description")
    return {str(key): str(value) for key, value in found.items()}


def _print_card(card: Scorecard) -> None:
    from mmmath_tasks.commands.rescore import shown

    for score in card.scores:
        if not score.group or score.group == "version":
            print(f"  {' '.join(filter(None, (score.metric, score.slice))):<28} {shown(score)}")
    for note in card.notes:
        print(f"  note: {note}")


def _failed(judged: Judged) -> bool:
    return judged.verdict.reason.startswith("judge_failed")


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


def _probe(args: argparse.Namespace, judge: Judge, name: str, cases: Sequence[Case]) -> int:
    from mmmath_tasks.judge import probes

    for line in probes.report(args.probe, judge, name, cases):
        print(line)
    return 0


__all__ = ["HELP", "arguments", "load_cases", "run"]

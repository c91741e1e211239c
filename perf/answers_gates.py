"""Every labelled set on which the reader is measured, in one run; with --save and --against, what changed row by row.

Sets: the cases in ../shared/cases, the readers' labels and the hand-written responses (answers_labels.py), the golden
cases, the vectors of public reports, the synthetic MATH-Vision responses, GPT-4's verdicts on MathVista (official).

Run: python perf/answers_gates.py [--shared ../shared] [--sets cases,labels] [--save new.json] [--against old.json]
"""

from __future__ import annotations

import json
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import shared_rows
from answers_labels import labelled
from answers_mathvista import is_plain
from shared_rows import arguments, lines, problems

import mmmath_tasks as mm
from mmmath_tasks.metrics.answers import equal, read
from mmmath_tasks.problem import Problem, Verdict
from support.readings import verdict as reading_is_right


class Outcome(NamedTuple):
    """One labelled response: its set and key, what it should be, what was said, the response, and the verdict."""

    group: str
    key: str
    wanted: bool
    said: bool
    response: str
    reference: str
    verdict: object


def cases(shared: Path) -> Iterator[Outcome]:
    """Yield the responses of ../shared/cases."""
    for name, problem, case in shared_rows.cases(shared):
        verdict = mm.benchmark(problem.benchmark).score(problem, case.get("response"))
        key = f"{case['id']} {case['today']}"
        yield _outcome(f"cases/{name}", key, case["expected_verified"], verdict, problem, case.get("response"))


def _outcome(group: str, key: str, wanted: bool, verdict: Verdict, problem: Problem, response: str | None) -> Outcome:
    reference = f"{problem.answer!r} of {problem.choices}" if problem.choices else repr(problem.answer)
    return Outcome(group, key, bool(wanted), bool(verdict.verified), response or "", reference, verdict)


def labels(shared: Path) -> Iterator[Outcome]:
    """Yield the readers' labels and the hand-written responses."""
    for i, row in enumerate(labelled(shared)):
        group = row.group.rpartition(",")[0] if "written" in row.group else row.group
        yield _outcome(
            group, f"{i} {row.problem.id} label {row.label}", row.right, row.verdict, row.problem, row.response
        )


def golden(shared: Path) -> Iterator[Outcome]:
    """Yield the golden cases of the tests."""
    for key, wanted, case in shared_rows.golden():
        reference = f"{case['gold']!r} of {case.get('choices')}, {case['kind']}: {wanted.question[-100:]}"
        said = reading_is_right(case["response"], case["gold"], wanted)
        yield Outcome("golden", f"{key} {case['source']}", case["verified"], said, case["response"], reference, "")


def vectors(shared: Path) -> Iterator[Outcome]:
    """Yield the cases of public bug reports."""
    for i, (wanted, case) in enumerate(shared_rows.reported(shared)):
        reading = read(case["response"], wanted)
        said = reading.text is not None and equal(reading.text, case["answer"], wanted)
        said = said and (wanted.kind != "choice" or reading.choice is not None)
        yield Outcome("vectors", str(i), case["verified"], said, case["response"], case["answer"], reading)


def identity(shared: Path) -> Iterator[Outcome]:
    """Yield the synthetic MATH-Vision responses."""
    vision = mm.benchmark("mathvision")
    known = problems(shared, "mathvision")
    for i, case in enumerate(lines(shared / "oracle/mathv_identity.jsonl.gz")):
        problem = known[case["id"]]
        verdict = vision.score(problem, case["response"])
        yield _outcome(
            "identity", f"{i} {case['id']} {case['template']}", case["expect"], verdict, problem, case["response"]
        )


def bench(shared: Path) -> Iterator[Outcome]:
    """Yield the official verdicts on MathVista's published responses against those that GPT-4's extraction earned."""
    for problem, row in shared_rows.extracted(shared):
        verdict = mm.benchmark("mathvista").score(problem, row["response"])
        group = "MathVista, GPT-4, plain" if is_plain(row) else "MathVista, GPT-4, other"
        outcome = _outcome(
            group,
            f"{row['run']} {row['pid']} gpt4 {row['gpt4_extraction']!r}",
            row["true_false"],
            verdict,
            problem,
            row["response"],
        )
        yield outcome._replace(said=bool(verdict.official))


SETS: dict[str, Callable[[Path], Iterator[Outcome]]] = {
    f.__name__: f for f in (cases, labels, golden, vectors, bench, identity)
}


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--sets", default=",".join(SETS))
    parser.add_argument("--save", type=Path, help="write which rows are right")
    parser.add_argument("--against", type=Path, help="print the rows whose outcome differs from a saved run")
    parser.add_argument("--lost", action="store_true", help="of these, print those that were right before only")
    parser.add_argument("--show", default="", help="print the wrong rows of the sets whose name contains this")
    parser.add_argument("--limit", type=int, default=40)
    args = parser.parse_args()
    before: dict[str, bool] = json.loads(args.against.read_text()) if args.against else {}
    fine: dict[str, bool] = {}
    tally: dict[str, Counter[str]] = defaultdict(Counter)
    shown: list[tuple[str, Outcome]] = []
    started = time.process_time()
    for name in args.sets.split(","):
        for row in SETS[name](args.shared):
            right = row.said == row.wanted
            key = f"{row.group}: {row.key}"
            fine[key] = right
            counts = tally[row.group]
            counts["rows"] += 1
            counts["right"] += right
            counts["true"] += row.said and row.wanted
            counts["said"] += row.said
            counts["wanted"] += row.wanted
            then = before.get(key)
            if then is not None and then != right:
                counts["gained" if right else "lost"] += 1
                if not (args.lost and right):
                    shown.append(("gained" if right else "LOST", row))
            elif args.show and args.show in row.group and not right:
                shown.append(("wrong", row))
    for kind, row in shown[: args.limit]:
        text = row.response if len(row.response) < 500 else f"{row.response[:150]} ~~~ {row.response[-300:]}"
        print(
            f"--- {kind} {row.group}: {row.key}: should be {row.wanted}; gold {row.reference}\n"
            f"    {text!r}\n    {row.verdict}"
        )
    print(f"{'set':28}{'rows':>7}{'right':>9}{'wrong':>7}{'precision':>11}{'recall':>9}{'gained':>8}{'lost':>6}")
    for group, n in tally.items():
        precision, recall = n["true"] / max(1, n["said"]), n["true"] / max(1, n["wanted"])
        print(
            f"{group:28}{n['rows']:7}{n['right'] / n['rows']:9.2%}{n['rows'] - n['right']:7}{precision:11.2%}"
            f"{recall:9.2%}{n['gained']:8}{n['lost']:6}"
        )
    print(f"{time.process_time() - started:.0f} s")
    if args.save:
        args.save.write_text(json.dumps(fine))


if __name__ == "__main__":
    main()

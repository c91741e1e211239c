"""Published responses mutated at random: no exception, no slow verdict, the same verdict twice.

Run: python perf/answers_mutation.py [--shared ../shared] [--count 200000] [--seed 0]
"""

from __future__ import annotations

import collections
import gc
import random
import time

from shared_rows import arguments, lines, problems

import mmmath_tasks as mm

PIECES = [
    "\\boxed{", "}", "{", "$", "\\frac", "\\sqrt", "^{", "(", ")", "[", "]", "<answer>", "</answer>", "<think>",
    "</think>",
    "**", "The answer is ", "Answer: ", "\n", "\n\n", "(A)", "B", "not ", "cannot be determined", "Question: ",
    "\x00",
    "\ud800", "\u202e", "\u7b54\u6848\u662f", "\uff15", "\u06f5", "9" * 400, "9^{9^{9}}", "1e999", "-", ",", ".",
    "%", "\\%",
    " or ", " and ", "\\cup", "\\infty", "\\le", "=", "\\approx", "!", "|", "\\text{", "```json\n{\"answer\": ",
    "\\x", "\\",
]  # fmt: skip


def mutate(text: str, other: str, rng: random.Random) -> str:
    """Return a text after one to six cuts, copies, insertions, swaps and doublings."""
    for _ in range(rng.randint(1, 6)):
        at, size = rng.randrange(len(text) + 1), rng.choice((1, 3, 10, 50))
        match rng.randrange(7):
            case 0:
                text = text[:at] + text[at + size :]
            case 1:
                text = text[:at] + rng.choice(PIECES) + text[at:]
            case 2:
                text = text[:at] + text[at : at + size] * rng.choice((2, 20)) + text[at + size :]
            case 3:
                start = rng.randrange(len(other) + 1)
                text = text[:at] + other[start : start + size * 10] + text[at:]
            case 4:
                text = text[:at]
            case 5:
                text = text[:at] + rng.choice(PIECES) * rng.choice((1, 50, 400)) + text[at:]
            case 6:
                text = text[:at] + text[at : at + size][::-1] + text[at + size :]
    return text


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--count", type=int, default=200_000)
    parser.add_argument("--seed", type=int, default=0)
    args = parser.parse_args()
    rng = random.Random(args.seed)
    corpus = []
    for name, file in (("mathvista", "mathvista_rows.jsonl.gz"), ("mathvision", "mathv_rows.jsonl.gz")):
        known = problems(args.shared, name)
        corpus += [(known[row["id"]], row["response"] or "") for row in lines(args.shared / "oracle" / file)]
    gc.freeze()  # the corpus is this script's: walking it is no part of a verdict
    counts: collections.Counter[str] = collections.Counter()
    slowest = (0.0, "", "")
    spent = 0.0
    for i in range(args.count):
        problem, text = rng.choice(corpus)
        name, key = problem.benchmark, problem.id
        response = mutate(text[:4_000], rng.choice(corpus)[1], rng)
        benchmark = mm.benchmark(name)
        started = time.process_time()
        try:
            verdict = benchmark.score(problem, response)
        except Exception as error:
            counts[f"raised {type(error).__name__}"] += 1
            print(f"{name} {key} {error!r}\n  {response[:300]!r}")
            continue
        taken = time.process_time() - started
        spent += taken
        slowest = max(slowest, (taken, name, repr(response[:200])))
        counts["over 0.2 s"] += taken > 0.2
        counts["verified" if verdict.verified else "not verified"] += 1
        if i % 4 == 0:
            counts["scored twice"] += 1
            counts["not alike"] += benchmark.score(problem, response) != verdict
    print(f"{args.count} mutated responses, seed {args.seed}: {1e3 * spent / args.count:.3f} ms a verdict")
    for name in ("raised", "over 0.2 s", "not alike", "scored twice", "verified", "not verified"):
        print(f"{name:14} {sum(n for key, n in counts.items() if key.startswith(name))}")
    print(f"slowest {slowest[0]:.3f} s: {slowest[1]} {slowest[2]}")


if __name__ == "__main__":
    main()

"""The ordinary ways of writing an answer, tried on every row of four benchmarks with the gold and with a wrong answer.

A form is right on a row where the gold in it is credited and a wrong answer in it is not. The forms stand in
answers_forms.jsonl; those of kind "none" commit to nothing, and nothing in them is credited. {L} is the letter, {l} the
small letter, {T} the option's text, {W} the letter of another option, {X} that option's text; {V} is a value as the
data set has it, {S} the same in dollar signs where it is LaTeX.

Run: python perf/answers_sweep.py [--shared ../shared] [--every 1] [--worst 20] [--show FORM]
"""

from __future__ import annotations

import json
import re
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from shared_rows import arguments
from shared_rows import problems as problems_of
from tqdm import tqdm

import mmmath_tasks as mm
from mmmath_tasks.problem import Problem

FORMS = Path(__file__).with_name("answers_forms.jsonl")
LETTERS = "ABCDEFGHIJ"
DRESSES = (
    "{}", "{}.", "The answer is {}.", "**Answer:** {}", "Therefore, the answer is {}.", "<answer>{}</answer>",
    "Final answer: {}", "### Final Answer\n\n{}", "<think>Perhaps 987?</think>\n\nThe answer is {}.",
    "The final answer is: **{}**",
)  # fmt: skip
"""Ten ordinary ways to say the gold itself."""
_DIGITS = re.compile(r"\d+(?!\d)")
_LATEX = re.compile(r"[\\^_{]")


class Form(NamedTuple):
    """One way to write an answer: its name, its text, and what it is for ("option", "value", "none")."""

    name: str
    kind: str
    text: str


class Trial(NamedTuple):
    """One response made from a form, and whether the answer in it is the gold."""

    form: str
    problem: Problem
    response: str
    right: bool


def forms() -> list[Form]:
    """Return every form of the file, in its order."""
    return [Form(**json.loads(line)) for line in FORMS.read_text().splitlines() if line.strip()]


def problems(shared: Path) -> list[Problem]:
    """Return every row of MathVista, MATH-Vision, MathVerse (text only) and We-Math."""
    names = ("mathvista", "mathvision", "wemath", "mathverse")
    return [problem for name in names for problem in problems_of(shared, name).values()]


def right_option(problem: Problem) -> int | None:
    """Return the index of the right option; None where the gold names none, or several."""
    gold = (problem.answer or "").strip()
    if len(gold) == 1 and gold in LETTERS[: len(problem.choices)]:
        return LETTERS.index(gold) if problem.benchmark != "mathvista" else _text_of(problem, gold)
    return _text_of(problem, gold)


def _text_of(problem: Problem, gold: str) -> int | None:
    found = [i for i, text in enumerate(problem.choices) if text.strip() == gold]
    return found[0] if found else None


def wrong_option(problem: Problem, right: int) -> int | None:
    """Return the index of an option that is not equal to the right one: drawn by the row's id, always the same."""
    start = sum(map(ord, problem.id)) % len(problem.choices)
    order = [(start + i) % len(problem.choices) for i in range(len(problem.choices))]
    same = _plain(problem.choices[right])
    return next((i for i in order if i != right and (not same or _plain(problem.choices[i]) != same)), None)


def _plain(text: str) -> str:
    return "".join(re.findall(r"[^\W_]+|[-+<>=/*^%.]", text.casefold()))


def wrong_value(gold: str) -> str:
    """Return a gold with its first number made another."""
    match = _DIGITS.search(gold)
    return gold[: match.start()] + str(int(match[0]) + 1) + gold[match.end() :] if match else "1234567"


def trials(problem: Problem, known: list[Form]) -> Iterator[Trial]:
    """Yield the responses that every form makes of a problem's gold, and of a wrong answer."""
    if problem.choices:
        right = right_option(problem)
        wrong = None if right is None else wrong_option(problem, right)
        if right is None or wrong is None:
            return
        texts = [text.strip() for text in problem.choices]
        told = all(len(text) > 1 and "\n" not in text for text in (texts[right], texts[wrong]))
        for form in known:
            if form.kind == "value" or (not told and re.search(r"\{[TX]\}", form.text)):
                continue
            if form.kind == "none" and len(texts) < 3:
                continue  # of two, what is not the one is the other
            for chosen, other in ((right, wrong), (wrong, right)):
                said = _filled(form.text, chosen, other, texts)
                yield Trial(form.name, problem, said, form.kind == "option" and chosen == right)
        return
    gold = (problem.answer or "").strip()
    for form in known if gold else ():
        if form.kind == "value":
            if "{V}" in form.text and "$" in gold.strip("$"):
                continue  # words and mathematics: the data set's own dollar signs
            for value in (gold, wrong_value(gold)):
                latex = bool(_LATEX.search(value)) and "$" not in value
                said = form.text.replace("{S}", f"${value}$" if latex else value).replace("{V}", value.strip("$"))
                yield Trial(form.name, problem, said, value == gold)


def _filled(text: str, chosen: int, other: int, texts: list[str]) -> str:
    values = {
        "{L}": LETTERS[chosen],
        "{l}": LETTERS[chosen].lower(),
        "{T}": texts[chosen],
        "{W}": LETTERS[other],
        "{X}": texts[other],
    }
    return re.sub(r"\{[LlTWX]\}", lambda m: values[m[0]], text)


def dressed(problem: Problem) -> Iterator[str]:
    """Yield the responses that say a problem's gold: an option's text, its letter where it has none, or a value.

    There are none for an option of MathVista that is one character: that may be the letter of another.
    """
    said = (problem.answer or "").strip()
    right = right_option(problem) if problem.choices else None
    if problem.choices:
        text = "" if right is None else problem.choices[right].strip()
        if len(text) > 1:
            said = text
        elif right is None or problem.benchmark == "mathvista":
            return
    if any(sign in said for sign in "\\^_{") and "$" not in said:
        said = f"${said}$"
    yield from (dress.format(said) for dress in DRESSES if said)


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--every", type=int, default=1, help="take every so manieth row only")
    parser.add_argument("--worst", type=int, default=20, help="print so many of the worst forms")
    parser.add_argument("--show", default="", help="print the failures of forms whose name contains this")
    parser.add_argument("--limit", type=int, default=20, help="print at most so many failures")
    args = parser.parse_args()
    known = forms()
    rows = problems(args.shared)[:: args.every]
    seen: dict[tuple[str, bool], Counter[str]] = defaultdict(Counter)
    failures: list[Trial] = []
    started = time.process_time()
    for problem in tqdm(rows, disable=None):
        benchmark = mm.benchmark(problem.benchmark)
        for trial in trials(problem, known):
            credited = benchmark.score(problem, trial.response).verified
            fine = credited is trial.right
            seen[trial.form, trial.right][problem.benchmark, fine] += 1  # type: ignore[index]
            if not fine and args.show and args.show in trial.form:
                failures.append(trial)
    for right, label in ((True, "gold credited"), (False, "wrong answer not credited")):
        for benchmark_name in ("mathvista", "mathvision", "mathverse", "wemath", ""):
            total = fine_count = 0
            for (_, kind), counts in seen.items():
                if kind is right:
                    total += sum(n for (b, _), n in counts.items() if benchmark_name in b)  # type: ignore[misc]
                    fine_count += sum(n for (b, ok), n in counts.items() if benchmark_name in b and ok)  # type: ignore[misc]
            print(
                f"{label:28}{benchmark_name or 'all':12}{fine_count:9} of {total:9} {fine_count / max(1, total):8.2%}"
            )
    print(f"{len(known)} forms, {len(rows)} rows, {time.process_time() - started:.0f} s")
    worst = []
    for (form, right), counts in seen.items():
        total = sum(counts.values())
        bad = sum(n for (_, ok), n in counts.items() if not ok)  # type: ignore[misc]
        worst.append((bad / total, bad, total, form, right))
    for share, bad, total, form, right in sorted(worst, reverse=True)[: args.worst]:
        if bad:
            print(f"{share:8.1%} {bad:6} of {total:6}  {'gold missed' if right else 'wrong credited':16}{form}")
    for trial in failures[: args.limit]:
        p = trial.problem
        print(
            "---",
            trial.form,
            p.benchmark,
            p.id,
            "gold",
            p.answer,
            "choices",
            p.choices,
            "right" if trial.right else "WRONG",
        )
        print("   ", repr(trial.response), mm.benchmark(p.benchmark).score(p, trial.response))


if __name__ == "__main__":
    main()

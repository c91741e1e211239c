"""MathVista: our official verdict without a judge against the one that GPT-4's extraction earned.

Four sets of the 9,000 published free-text responses:
- all;
- plain: the response is not empty, and what GPT-4 wrote down is a letter, an option's text, a number or a list that
  stands in the response (an option may stand there in other words);
- short: what GPT-4 wrote down is such an answer, whether it stands in the response or is GPT-4's guess;
- other: what is not short.

"careful" is the same without upstream's habit of answering the last question that a model made up, and "reading"
without its words for a refusal either: our reading alone.

Run: python perf/answers_mathvista.py [--shared ../shared]; answers_gates.py --sets bench --show GPT prints the rows.
"""

from __future__ import annotations

import collections
import re
import time
from typing import Any

from shared_rows import arguments, extracted

from mmmath_tasks.metrics.answers import read, statements
from mmmath_tasks.metrics.answers.dress import plain
from mmmath_tasks.metrics.answers.letters import option_named
from mmmath_tasks.metrics.answers.lexicon import refuses
from mmmath_tasks.metrics.answers.numbers import numbers
from mmmath_tasks.metrics.answers.options import mentions, options
from mmmath_tasks.metrics.mathvista import expectation, score
from mmmath_tasks.metrics.mathvista_extraction import declined


def short(row: dict[str, Any]) -> bool:
    """The response is not empty and GPT-4's extraction is plain: a letter, an option's text, a number, a list."""
    said = str(row["gpt4_extraction"] or "").strip()
    if not (row["response"] or "").strip() or not said:
        return False
    if row["question_type"] == "multi_choice":
        offered = options(tuple(row["choices"]))
        if re.fullmatch(r"\(?[A-Z]\)?\.?", said):
            return True
        return any(said.strip(" .").casefold() == c.strip(" .").casefold() for c in offered.texts) or bool(
            re.fullmatch(r"\([A-Z]\) .*", said)
        )
    if row["answer_type"] == "list":
        return said.startswith("[") and said.endswith("]")
    try:
        float(said)
    except ValueError:
        return False
    return True


def is_plain(row: dict[str, Any]) -> bool:
    """Short, and what GPT-4 extracted stands in the response: its letter, its option's text, its number."""
    if not short(row):
        return False
    said, response = str(row["gpt4_extraction"]).strip(), plain(row["response"])
    if row["question_type"] != "multi_choice":
        if row["answer_type"] == "list":
            return True
        return float(said) in {float(n.value) for n in numbers(response, words=True)}
    offered = options(tuple(row["choices"]))
    chosen = option_named(said, offered)
    letter = re.sub(r"[^A-Z].*", "", said.lstrip("("))
    if letter and re.search(rf"(?<![A-Za-z0-9]){letter[0]}(?![A-Za-z0-9])", response):
        return True
    if chosen is None:
        return False
    words_yes = statements.yes_and_no(offered)
    named = set(mentions(response, offered))
    return chosen in named or (words_yes is not None and not refuses(response))


def main() -> None:
    rows = list(extracted(arguments(__doc__).parse_args().shared))
    tally: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    spent = 0.0
    for problem, row in rows:
        response = row["response"] or ""
        started = time.perf_counter()
        reading = read(response, expectation(problem))
        spent += time.perf_counter() - started
        theirs = bool(row["true_false"])
        sets = {"all", "short" if short(row) else "other"} | ({"plain"} if is_plain(row) else set())
        ours = score(problem, response).official
        careful = score(problem, response, extraction=reading.text or declined(response, reading)).official
        bare = score(problem, response, extraction=reading.text or "").official
        for name in (*sorted(sets), row["run"]):
            tally[name][("t" if ours == theirs else "f") + ("p" if ours else "n")] += 1
            tally[name]["careful"] += careful == theirs
            tally[name]["reading"] += bare == theirs
    for name, n in tally.items():
        total = n["tp"] + n["fp"] + n["tn"] + n["fn"]
        precision, recall = n["tp"] / max(1, n["tp"] + n["fp"]), n["tp"] / max(1, n["tp"] + n["fn"])
        print(
            f"{name:30} {total:5}  agree {(n['tp'] + n['tn']) / total:7.2%}  precision {precision:7.2%}"
            f"  recall {recall:7.2%}  fp {n['fp']} fn {n['fn']}  careful {n['careful'] / total:7.2%}"
            f"  reading {n['reading'] / total:7.2%}"
        )
    print(f"{1e6 * spent / len(rows):.0f} microseconds a reading")


if __name__ == "__main__":
    main()

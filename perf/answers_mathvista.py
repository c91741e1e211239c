"""MathVista: our reading against GPT-4's, by the verdict each earns under the official normalisation.

Run: python perf/answers_mathvista.py [--shared ../shared] [--show 20] [--run NAME] [--kind choice|number]
"""

from __future__ import annotations

import argparse
import collections
import gzip
import json
import random
import re
import time
from pathlib import Path
from typing import Any

from rapidfuzz.distance import Levenshtein

from mmmath_tasks.metrics.answers import Expectation, polarity, read
from mmmath_tasks.metrics.answers.characters import plain
from mmmath_tasks.metrics.answers.letters import find
from mmmath_tasks.metrics.answers.numbers import numbers
from mmmath_tasks.metrics.answers.options import mentions, options
from mmmath_tasks.metrics.answers.refusals import declined, refuses


def expectation(row: dict[str, Any]) -> Expectation:
    kind = "choice" if row["question_type"] == "multi_choice" else row["answer_type"]
    precision = None if row["precision"] is None else int(row["precision"])
    return Expectation(kind, tuple(row["choices"] or ()), precision, row["unit"], row["question"])


def official(extraction: str, row: dict[str, Any]) -> bool:
    """Stages two and three of upstream's rule."""
    if row["question_type"] == "multi_choice":
        choices = row["choices"]
        found = re.search(r"\(([a-zA-Z])\)", extraction)
        text = found[1] if found else extraction.strip()
        letters = [chr(65 + i) for i in range(len(choices))]
        if text in letters:
            prediction = choices[letters.index(text)]
        else:
            distances = [Levenshtein.distance(text, c) for c in choices]
            prediction = choices[distances.index(min(distances))]
        return bool(prediction == row["answer"])
    try:
        if row["answer_type"] == "integer":
            return str(int(float(extraction))) == row["answer"]
        if row["answer_type"] == "float":
            return str(round(float(extraction), int(row["precision"]))) == row["answer"]
    except (ValueError, OverflowError):
        return False
    return extraction == row["answer"]


def decidable(row: dict[str, Any]) -> bool:
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


def readable(row: dict[str, Any]) -> bool:
    """Decidable, and what GPT-4 extracted stands in the response: its letter, its option's text, its number."""
    if not decidable(row):
        return False
    said, response = str(row["gpt4_extraction"]).strip(), plain(row["response"])
    if row["question_type"] != "multi_choice":
        if row["answer_type"] == "list":
            return True
        return float(said) in {float(n.value) for n in numbers(response, words=True)}
    offered = options(tuple(row["choices"]))
    chosen = find(said, offered)
    letter = re.sub(r"[^A-Z].*", "", said.lstrip("("))
    if letter and re.search(rf"(?<![A-Za-z0-9]){letter[0]}(?![A-Za-z0-9])", response):
        return True
    if chosen is None:
        return False
    words_yes = polarity.yes_and_no(offered)
    named = {i for _, i in mentions(response, offered)}
    return chosen in named or (words_yes is not None and not refuses(response))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shared", type=Path, default=Path("../shared"))
    parser.add_argument("--show", type=int, default=0, help="print so many disagreements, drawn at random")
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--run", default="")
    parser.add_argument("--kind", default="", choices=["", "choice", "number"])
    parser.add_argument("--only", default="decidable", choices=["readable", "decidable", "other", "all"])
    args = parser.parse_args()
    with gzip.open(args.shared / "oracle/mathvista_extract_bench.jsonl.gz", "rt") as file:
        rows = [r for r in map(json.loads, file) if r["kind"] == "text"]
    problems = json.loads((args.shared / "data/mathvista/testmini.json").read_text())
    for row in rows:
        row["question"] = problems[row["pid"]]["question"]
    tally: dict[str, collections.Counter[str]] = collections.defaultdict(collections.Counter)
    wrong = []
    spent = 0.0
    for row in rows:
        expected = expectation(row)
        started = time.perf_counter()
        reading = read(row["response"] or "", expected)
        spent += time.perf_counter() - started
        ours, theirs = official(reading.text or declined(row["response"] or "", reading), row), bool(row["true_false"])
        is_plain = decidable(row)
        outcome = ("t" if ours == theirs else "f") + ("p" if ours else "n")
        for name in ("all", "decidable" if is_plain else "other", *(["readable"] if readable(row) else []), row["run"]):
            tally[name][outcome] += 1
        if ours != theirs:
            wrong.append((row, reading, is_plain))
    for name, n in tally.items():
        total = sum(n.values())
        precision, recall = n["tp"] / max(1, n["tp"] + n["fp"]), n["tp"] / max(1, n["tp"] + n["fn"])
        agree = (n["tp"] + n["tn"]) / total
        print(
            f"{name:30} {total:5}  agree {agree:7.2%}  precision {precision:7.2%}  recall {recall:7.2%}"
            f"  fp {n['fp']} fn {n['fn']}"
        )
    print(f"{1e6 * spent / len(rows):.0f} microseconds a reading")
    random.Random(args.seed).shuffle(wrong)
    wrong = [
        (row, reading)
        for row, reading, plain in wrong
        if (args.only == "all" or (readable(row) if args.only == "readable" else plain == (args.only == "decidable")))
        and (not args.run or row["run"] == args.run)
        and (not args.kind or (row["question_type"] == "multi_choice") == (args.kind == "choice"))
    ]
    for row, reading in wrong[: args.show]:
        print(
            "---", row["run"], row["pid"], row["answer_type"], row["choices"], "gold", row["answer"], row["true_false"]
        )
        print("  Q:", expectation(row).question[-200:].replace("\n", " "))
        print(
            "  R:",
            repr(
                row["response"][:200] + " ~~~ " + row["response"][-400:]
                if len(row["response"]) > 600
                else row["response"]
            ),
        )
        print("  gpt4:", repr(row["gpt4_extraction"]), "ours:", reading)


if __name__ == "__main__":
    main()

"""What the builder says of a set: counts beside the paper's, structure, balance, and what blind rules score."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any

from mmmath_tasks.hub_datasets.mathopeval_generator import blind
from mmmath_tasks.hub_datasets.mathopeval_generator.sample import COUNTS, QUESTIONS

TELLING = 5_000
_Row = Mapping[str, Any]


def report(choices: Sequence[_Row], codes: Sequence[_Row], seconds: float | None = None) -> str:
    """Return the report on the rows of both splits, pictures by path; a line that ends in "NO" is a fault.

    Args:
        choices: the multiple-choice questions.
        codes: the free-form ones.
        seconds: how long they took to make; None: unknown.
    """
    parts = [_counts(choices, codes), _structure(choices, codes), _balance(choices), _blind(choices)]
    if seconds is not None:
        parts.append(f"Built in {seconds:.0f} s, at most {_memory():.0f} MB in one process.")
    return "\n\n".join(parts)


def _counts(choices: Sequence[_Row], codes: Sequence[_Row]) -> str:
    types = Counter(row["type"] for row in codes if row["task"] == "mcg")
    counts = [(kind, types[kind], count) for kind, count in COUNTS.items()]
    counts += [
        ("samples", sum(types.values()), sum(COUNTS.values())),
        ("multiple choice", len(choices), QUESTIONS["mc"]),
        ("free-form", len(codes), QUESTIONS["gen"]),
    ]
    lengths = (
        ("mc question, chars", [len(r["question"]) for r in choices], 89.52),
        ("mc choice, chars", [len(c) for r in choices for c in r["choices"]], 132.12),
        ("gen question, chars", [len(r["question"]) for r in codes], 868.64),
        ("gen answer, chars", [len(r["answer"]) for r in codes], 783.77),
    )
    lines = [f"{name:18} {found:6,} {paper:7,}" for name, found, paper in counts]
    lines += [f"{name:18} {sum(found) / len(found):6.1f} {paper:7.1f}" for name, found, paper in lengths]
    return "\n".join(["                      set   paper", *lines])


def _structure(choices: Sequence[_Row], codes: Sequence[_Row]) -> str:
    originals = {row["sample"]: row for row in codes if row["task"] == "mcg"}
    edits = [row for row in codes if row["task"] != "mcg"]
    paths = {row[column]["path"] for row in codes for column in ("picture", "target_picture") if row[column]}
    digests = {path: sha256(Path(path).read_bytes()).digest() for path in paths}
    checks = {
        f"{len(paths):,} pictures, all there": len(paths) == 4 * len(originals),
        "every question has four different options": all(len(set(row["choices"])) == 4 for row in choices),
        "every id is there once": len({r["id"] for r in [*choices, *codes]}) == len(choices) + len(codes),
        "every edit changes the code": all(r["answer"] != originals[r["sample"]]["answer"] for r in edits),
        "every edit changes the picture": all(
            digests[r["picture"]["path"]] != digests[r["target_picture"]["path"]] for r in edits
        ),
        "every original code is the answer of its sample's mcg": all(
            r["original_code"] == originals[r["sample"]]["answer"] for r in edits
        ),
        "every annotation adds each of its texts": all(
            r["annotations"] for r in edits if r["task"] == "mce_annotation"
        ),
    }
    return "\n".join(f"{what}: {'yes' if good else 'NO'}" for what, good in checks.items())


def _balance(choices: Sequence[_Row]) -> str:
    letters = Counter(row["answer"] for row in choices)
    shares = ", ".join(f"{letter} {letters[letter] / len(choices):.3f}" for letter in "ABCD")
    return f"Right letters: {shares}"


def _blind(choices: Sequence[_Row]) -> str:
    if len(choices) < TELLING:
        return (
            f"Blind rules: not judged on {len(choices):,} questions; it takes {TELLING:,} to tell a leak from chance."
        )
    limits = {cell: blind.limit(n) for cell, n in Counter((row["task"], row["type"]) for row in choices).items()}
    lines = [f"{'Blind rule':26} overall  worst cell"]
    for rule, cells in blind.accuracies(choices).items():
        overall = cells.pop(("", ""))
        worst = max(cells, key=lambda cell: cells[cell] - limits[cell])
        good = abs(overall - 0.25) <= blind.OVERALL and cells[worst] < limits[worst]
        mark = "yes" if good else "NO"
        lines.append(f"{rule:26}   {overall:.3f}  {cells[worst]:.3f} {' x '.join(worst):24} {mark}")
    return "\n".join(lines)


def _memory() -> float:
    """Return the largest resident size of this process or one of its children so far, in megabytes."""
    import resource

    return max(resource.getrusage(who).ru_maxrss for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)) / 1024

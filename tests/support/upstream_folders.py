"""Small folders of made-up rows and pictures, laid out as the authors of a benchmark lay out theirs."""

from __future__ import annotations

import io
import json
from pathlib import Path
from typing import Any

from PIL import Image


def picture(number: int, kind: str = "PNG") -> bytes:
    """Return a picture that differs for each number."""
    out = io.BytesIO()
    Image.new("RGB", (8 + number % 7, 9), (number % 256, number // 256 % 256, 77)).save(out, kind)
    return out.getvalue()


def mathvision_row(number: int) -> dict[str, Any]:
    chosen = number % 2 == 0
    return {
        "id": str(number),
        "question": f"How many apples are on table {number}?\n<image1>",
        "options": ["one", "two", "three", "four", "five"] if chosen else [],
        "answer": "ABCDE"[number % 5] if chosen else str(number),
        "solution": None,
        "level": number % 5 + 1,
        "subject": "counting" if number % 3 else "solid geometry",
        "image": f"images/{number}.jpg",
    }


def mathvision(folder: Path, count: int = 6, split: str = "test", **changes: dict[str, Any]) -> Path:
    """Write `count` rows; changes["3"] replaces values of the third."""
    (folder / "images").mkdir(parents=True, exist_ok=True)
    lines = []
    for number in range(1, count + 1):
        row = mathvision_row(number) | changes.get(str(number), {})
        lines.append(json.dumps(row))
        (folder / "images" / f"{number}.jpg").write_bytes(picture(number, "JPEG"))
    (folder / f"{split}.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    return folder


VERSIONS = ("Text Dominant", "Text Lite", "Vision Intensive", "Vision Dominant", "Vision Only")


def mathverse(folder: Path, count: int = 3) -> Path:
    """Write the five-version file and the text-only file of `count` problems."""

    def row(index: int, problem: int, version: str, image: str) -> dict[str, Any]:
        question = (
            "" if version == "Vision Only" else f"In triangle {problem}, what is angle A?\nChoices:\nA:40°\nB:60°"
        )
        return {
            "sample_index": str(index),
            "problem_index": str(problem),
            "problem_version": version,
            "question": question,
            "image": image,
            "answer": "B",
            "question_type": "multi-choice",
            "metadata": {"split": "testmini", "source": "made up", "subject": "Plane Geometry", "subfield": "Angle"},
            "query_wo": f"Answer directly. {question}",
            "query_cot": f"Reason first. {question}",
        }

    (folder / "images_version_1-4").mkdir(parents=True)
    five, text = [], []
    for problem in range(1, count + 1):
        name = f"images_version_1-4/image_{problem}.png"
        (folder / name).write_bytes(picture(problem))
        whole = f"In triangle {problem}, what is angle A?\nChoices:\nA:40°\nB:60°"
        five += [
            {**row(5 * (problem - 1) + place, problem, version, name), "question_for_eval": whole}
            for place, version in enumerate(VERSIONS, 1)
        ]
        text.append(row(problem, problem, "Text Only", ""))
    (folder / "testmini.json").write_text(json.dumps(five), encoding="utf-8")
    (folder / "testmini_text_only.json").write_text(json.dumps(text), encoding="utf-8")
    return folder


def content(folder: Path) -> dict[str, bytes]:
    """Return the bytes of every file below a folder by its path there."""
    return {p.relative_to(folder).as_posix(): p.read_bytes() for p in folder.rglob("*") if p.is_file()}

"""A file of prompts in the shape of MathVerse's evaluation/prompts.py; its words are our own."""

from __future__ import annotations

from pathlib import Path

EXTRACT = """
Copy out the answer that a reply ('Model response') comes to, as 'Extracted Answer', without more words.

1.
Model response: 'Both legs are 3, so the area is 4.5.'
Extracted Answer: 4.5

2.
Model response: 'It is the second one, (B).'
Extracted Answer: B
"""

SCORE = r"""
Say whether [Model_answer] is [Standard Answer]: 1 if it is, 0 if it is not.

[Question]: Which part is shaded?
[Standard Answer]: \frac{{1}}{{2}}
[Model_answer] : 0.5
Judgement: 1

[Question]: {question}
[Standard Answer]: {gt}
[Model_answer] : {extraction}
Judgement: """


def write(folder: Path, extract: str = repr(EXTRACT), score: str = repr(SCORE)) -> Path:
    """Write the file, each text as a Python expression, with a line that would leave a trace if it ran."""
    path = folder / "prompts.py"
    ran = f"open({str(folder / 'ran')!r}, 'w')"
    path.write_text(f"import os\n{ran}\ndemo_prompt_extract = {extract}\n\ndemo_prompt_score = {score}\n")
    return path

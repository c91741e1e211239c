"""The one judge prompt that a paper prints, against the paper."""

import re

from mmmath_tasks.judge.mathvista import EXTRACTION, TABLE_8


def test_mathvista_extraction_is_table_8_to_the_letter(shared):
    paper = (shared / "papers" / "mathvista.txt").read_text(encoding="utf-8")
    table = paper[paper.index("Element\tPrompt") : paper.index("Table 8: Task description")]
    table = re.sub(r"^(Element\tPrompt|Task description\t|Example \d\t)", "", table, flags=re.MULTILINE)
    table = re.sub(r"</?b>", "", table).replace("\\$", "$")
    assert TABLE_8.split() == table.split()
    assert EXTRACTION.user.startswith(TABLE_8 + "\n\n")

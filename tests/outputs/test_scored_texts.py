"""What is said of the texts that were scored: sentences, counts and record in full, with unlike numbers everywhere."""

import pytest

from mmmath_tasks.outputs.columns import Columns
from mmmath_tasks.outputs.saved import Saved
from mmmath_tasks.outputs.scored_texts import ScoredTexts
from mmmath_tasks.problem import Verdict

COLUMNS = Columns(("response", "output"), "mine", "asked for", ("res", "extract"), "hit")


def told(columns, rows, **options):
    """What is said of rows: (times, column, short answer, unread, official, verified, stored)."""
    texts, number = ScoredTexts(columns, **options), 0
    for times, column, short, unread, official, verified, stored in rows:
        for _ in range(times):
            saved = Saved(number, (), None, ("x",), short, unread, column, stored)
            texts.add(saved, short, Verdict(f"p{number}", official, verified))
            number += 1
    return [*texts.lines()], texts.counts(), texts.provenance(), [*texts.notes()], tuple(texts.wrong)


@pytest.mark.parametrize(
    ("columns", "rows", "options", "wanted"),
    [
        (
            COLUMNS,
            [(2, "response", None, False, True, False, True), (1, "output", None, False, False, True, True)],
            {"use_extractions": False},
            (
                [
                    "scored: responses in column 'response' (2 rows) and column 'output' (1 row); not read: "
                    "short answers in 'res', 'extract', 'mine' (see --extraction-column)",
                    "1 of 3 verdicts stored in the file (hit) are not ours (official): p2",
                ],
                {},
                {
                    "response_columns": {"response": 2, "output": 1},
                    "extractions": "0 of 3 from the file",
                    "stored_verdicts": {"column": "hit", "rows": 3, "not_ours": 1, "inverted": False},
                },
                [],
                ("p2",),
            ),
        ),
        (
            COLUMNS,
            [
                (4, "", "B", False, None, True, False),
                (1, "", "B", False, None, True, True),
                (3, "output", None, False, None, None, True),
                (1, "output", None, False, None, False, None),
            ],
            {},
            (
                [
                    "scored: short answers in column 'mine' (5 rows; asked for), else responses in column "
                    "'output' (4 rows)",
                    "4 of 5 verdicts stored in the file (hit) are not ours (verified); 1 where 0 stands for right",
                ],
                {},
                {
                    "response_columns": {"output": 4},
                    "extractions": "5 of 9 from the file",
                    "extraction_column": "mine",
                    "extraction_origin": "asked for",
                    "stored_verdicts": {"column": "hit", "rows": 5, "not_ours": 4, "inverted": True},
                },
                [
                    "Scored from the short answers in column 'mine' of the file, as asked for; the authors' rule may "
                    "read another text."
                ],
                ("p0", "p1", "p2", "p3"),
            ),
        ),
        (
            Columns(("response",), "extraction", "the authors' rule reads it"),
            [
                (1, "", "", True, True, True, None),
                (2, "", "", True, False, True, None),
                (3, "", "", True, False, False, None),
                (1, "", "", False, True, True, None),
            ],
            {},
            (
                [
                    "scored: short answers in column 'extraction' (7 rows; the authors' rule reads it)",
                    "6 of 7 short answers are empty beside a response: acc scores them empty (1 right), acc_verified "
                    "reads the responses (3 right): p0, p1, p2, p3, p4, p5",
                ],
                {"extraction_empty": 6},
                {
                    "response_columns": {},
                    "extractions": "7 of 7 from the file",
                    "extraction_column": "extraction",
                    "extraction_origin": "the authors' rule reads it",
                    "extractions_empty": {
                        "rows": 6,
                        "acc": "scores them as empty: 1 right",
                        "acc_verified": "reads the responses: 3 right",
                    },
                },
                [
                    "acc and acc_verified are of the short answers in column 'extraction', which somebody read out of "
                    "the responses; --responses-only reads the responses."
                ],
                (),
            ),
        ),
        (
            Columns(()),
            [],
            {},
            (
                ["scored: responses in no column"],
                {},
                {"response_columns": {}, "extractions": "0 of 0 from the file"},
                [],
                (),
            ),
        ),
    ],
)
def test_what_is_said_in_full(columns, rows, options, wanted):
    assert told(columns, rows, **options) == wanted


@pytest.mark.parametrize(
    ("wrong", "same", "inverted"),
    [(2, 1, False), (3, 1, True), (1, 0, False), (2, 0, True), (5, 2, True), (4, 2, False)],
)
def test_flags_are_taken_for_turned_where_more_than_two_in_three_differ_and_more_than_one(wrong, same, inverted):
    rows = [(wrong, "r", None, False, True, True, False), (same, "r", None, False, True, True, True)]
    said, _, record, _, _ = told(COLUMNS, rows)
    assert record["stored_verdicts"]["inverted"] is inverted
    assert said[-1].endswith(
        f"; {same} where 0 stands for right" if inverted else f": {', '.join(f'p{i}' for i in range(wrong))}"
    )


@pytest.mark.parametrize(
    ("rows", "unrelated"),
    [
        ([(5, True, True), (15, True, False), (15, False, True), (45, False, False)], True),  # 30 of 80, as by chance
        ([(5, True, True), (5, True, False), (4, False, True), (66, False, False)], False),  # too few to tell
        ([(60, True, True), (15, True, False), (15, False, True), (60, False, False)], False),  # another reader
        ([(20, True, False), (60, True, True)], False),  # a column that is true throughout
        ([(60, True, True), (11, False, True)], False),  # or ours
        ([(60, False, False), (11, True, False)], False),
    ],
)
def test_verdicts_that_agree_as_by_chance_are_asked_about(rows, unrelated):
    told_rows = [(times, "response", None, False, ours, ours, stored) for times, stored, ours in rows]
    lines, _, _, notes, _ = told(COLUMNS, told_rows)
    assert ["are they of other problems" in " ".join(said) for said in (lines, notes)] == [unrelated, unrelated]


def test_samples_of_short_answers_alone_have_no_responses_to_be_read():
    texts = ScoredTexts(Columns((), "extraction", "the authors' rule reads it"))
    for sample in range(4):
        texts.add(Saved(sample, (), None, (), "B", False), "B", Verdict("p0", True, True))
    assert not [*texts.notes()]

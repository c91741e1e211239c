"""Whole tables for terminals, line by line: # head, * stands out, . faint, | plain."""

import pytest

from mmmath_tasks.outputs.paired_difference import Difference
from mmmath_tasks.outputs.table_text import (
    FAINT,
    HEAD,
    STRONG,
    difference_table,
    many_differences,
    notes,
    score_table,
    side_by_side,
)
from mmmath_tasks.problem import Score, Scorecard

MARKS = {HEAD: "#", STRONG: "*", FAINT: "."}
NAMES = ["a/first-model-of-all", "second", "third"]
WHOLE = [(metric, "", "") for metric in ("acc", "acc_verified", "gain", "share_truncated")]
PARTS = [("acc", "grade", "high school"), ("acc", "grade", "elementary"), ("acc", "skill", "algebra")]
VALUES = [(0.5, 40), (0.525, 40), (0.3, 40), (0.125, 44), (0.25, 8), (0.75, 4), (0.625, 7)]
DIFFERENCES = [
    Difference("", "", 40, 0.5, 0.53125, 3, 4, 0.0004, -0.1, 0.2),
    Difference("grade", "high school", 8, 0.25, 0.5, 0, 2, 0.5, -0.01, 0.4),
    Difference("grade", "elementary", 4, 0.75, 0.75, 1, 1, 1.0, -0.5, 0.5),
]
FROM_FIRST = [(0, 1, DIFFERENCES[0], 0.0008), (0, 2, None, 1.0)]
EVERY = [(0, 1, DIFFERENCES[0], 0.049), (0, 2, DIFFERENCES[1], 0.05), (1, 2, None, 1.0)]
COLUMNS = [["head\nof two", "a", "b"], ["wide", "c" * 20, "d"], ["e", "f", "g"]]


def card(shift, read_by, **more):
    scores = [
        Score(*key, value + shift, count, value + shift - 0.1, value + shift + 0.1)
        for key, (value, count) in zip([*WHOLE, *PARTS], VALUES, strict=True)
    ]
    told = ("One of all.", f"Note of {shift}.")
    return Scorecard("mathvista", "acc", tuple(scores), provenance={"answers_read_by": read_by, **more}, notes=told)


cards = [
    card(0, {"rules": 30, "extraction": 10}),
    card(0.03125, {"rules": 40}),
    card(0.0625, {"rules": 5, "extraction": 35}, setting="VLMEvalKit's prompt (x)"),
]


@pytest.mark.parametrize(
    ("lines", "wanted"),
    [
        (
            lambda: score_table(NAMES[:1], cards[:1], WHOLE + PARTS, 60),
            """
#mathvista, percent [95 % interval], n: how many are counted
#                                a/first-model-of-all
|acc, 30 of 40 read by rules   50.0 [40.0, 60.0] n=40
|acc_verified                  52.5 [42.5, 62.5] n=40
|gain, 30 of 40 read by rules  30.0 [20.0, 40.0] n=40
|share_truncated                12.5 [2.5, 22.5] n=44
|acc, 30 of 40 read by rules, by grade
|  high school                  25.0 [15.0, 35.0] n=8
|  elementary                   75.0 [65.0, 85.0] n=4
|acc, 30 of 40 read by rules, by skill
|  algebra                      62.5 [52.5, 72.5] n=7
.  gain: acc beyond guessing: (acc - chance) / (100 -
.    chance), chance being that of a random option, 0 where
.    there are none (Figure 1); below 0 is worse than
.    guessing
""",
        ),
        (
            lambda: score_table(NAMES[:2], cards[:2], [*WHOLE[:1], *PARTS], 72),
            """
#mathvista, percent [95 % interval], n: how many are counted
#                 a/first-model-of-all                  second
|read by rules                30 of 40                40 of 40
|acc            50.0 [40.0, 60.0] n=40  53.1 [43.1, 63.1] n=40
|acc, by grade
|  high school   25.0 [15.0, 35.0] n=8   28.1 [18.1, 38.1] n=8
|  elementary    75.0 [65.0, 85.0] n=4   78.1 [68.1, 88.1] n=4
|acc, by skill
|  algebra       62.5 [52.5, 72.5] n=7   65.6 [55.6, 75.6] n=7
""",
        ),
        (
            lambda: score_table(NAMES, cards, [WHOLE[0], WHOLE[3], PARTS[0]], 90),
            """
#mathvista, percent [95 % interval], n: how many are counted
#                      read by
#                        rules               prompt   n                acc
|a/first-model-of-all       30  the authors' prompt  40  50.0 [40.0, 60.0]
|second                     40  the authors' prompt  40  53.1 [43.1, 63.1]
|third                       5  VLMEvalKit's prompt  40  56.2 [46.2, 66.2]
|
#                      read by
#                        rules               prompt   n   share_truncated
|a/first-model-of-all       30  the authors' prompt  44  12.5 [2.5, 22.5]
|second                     40  the authors' prompt  44  15.6 [5.6, 25.6]
|third                       5  VLMEvalKit's prompt  44  18.8 [8.8, 28.7]
|
#                                                                     acc
#                      read by                                      grade
#                        rules               prompt  n        high school
|a/first-model-of-all       30  the authors' prompt  8  25.0 [15.0, 35.0]
|second                     40  the authors' prompt  8  28.1 [18.1, 38.1]
|third                       5  VLMEvalKit's prompt  8  31.2 [21.2, 41.2]
""",
        ),
        (
            lambda: difference_table(NAMES[:2], cards[:2], "verified", DIFFERENCES, 60),
            """
#second (2nd) less a/first-model-of-all (1st), acc_verified
#                                            right only  right only
#                     points [95 %]       p  in the 1st  in the 2nd   n
|all            +3.1 [-10.0, +20.0]  <0.001           3           4  40
|by grade
|  high school  +25.0 [-1.0, +40.0]   0.500           0           2   8
|  elementary    0.0 [-50.0, +50.0]   1.000           1           1   4
|  p: exact McNemar test of the problems that only one of the
|    two has right.
|  p of the parts is corrected for their number (Holm)
""",
        ),
        (
            lambda: difference_table(NAMES[:2], cards[:2], "official", [], 60),
            """
#second (2nd) less a/first-model-of-all (1st), acc
|  no problem was scored in both
""",
        ),
        (
            lambda: many_differences(NAMES, cards, "official", FROM_FIRST, 60),
            """
#Differences from a/first-model-of-all, acc
|  their answers were not read alike (a/first-model-of-all:
|    rules 30, extraction 10; second: rules 40; third: rules
|    5, extraction 35)
|  they were not asked alike, so that more than the model
|    differs (a/first-model-of-all: the authors' prompt;
|    second: the authors' prompt; third: VLMEvalKit's prompt)
#              points [95 %]  p (Holm)  lost  gained   n
*second  +3.1 [-10.0, +20.0]    <0.001     3       4  40
|third                     -         -     -       -   0
|  p: exact McNemar test, corrected for 2 pairs (Holm). lost,
|    gained: right only in the run that is subtracted, only
|    in the other. The intervals are not corrected.
""",
        ),
        (
            lambda: many_differences(
                NAMES,
                cards,
                "verified",
                [(0, 1, DIFFERENCES[0], 0.049), (0, 2, DIFFERENCES[1], 0.05), (1, 2, None, 1.0)],
                60,
            ),
            """
#Differences, each run less one before it, acc_verified
|  they were not asked alike, so that more than the model
|    differs (a/first-model-of-all: the authors' prompt;
|    second: the authors' prompt; third: VLMEvalKit's prompt)
|  1 a/first-model-of-all
|  2 second
|  3 third
#                points [95 %]  p (Holm)  lost  gained   n
*2 less 1  +3.1 [-10.0, +20.0]     0.049     3       4  40
|3 less 1  +25.0 [-1.0, +40.0]     0.050     0       2   8
|3 less 2                    -         -     -       -   0
|  p: exact McNemar test, corrected for 3 pairs (Holm). lost,
|    gained: right only in the run that is subtracted, only
|    in the other. The intervals are not corrected.
""",
        ),
        (
            lambda: side_by_side(
                ["", "one", "two\nlines"], [["head\nof two", "a", "b"], ["wide", "c" * 20, "d"], ["e", "f", "g"]], 30
            ),
            """
#         head
#       of two
|one         a
|two         b
|lines
|
#                       wide  e
|one    cccccccccccccccccccc  f
|two                       d  g
|lines
""",
        ),
        (
            lambda: notes(NAMES, cards, 40),
            """
.  note: One of all.
.  note (a/first-model-of-all): Note of
.    0.
.  note (second): Note of 0.03125.
.  note (third): Note of 0.0625.
""",
        ),
    ],
)
def test_every_line_of_a_table(lines, wanted):
    found = [f"{MARKS.get(getattr(line, 'style', ''), '|')}{line}" for line in lines()]
    assert found == wanted.strip("\n").split("\n")

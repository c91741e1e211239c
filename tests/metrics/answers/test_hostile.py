"""Texts made to hang or crash a reader: none may raise, all give the same answer twice.

How long they take is measured by perf/answers_hostile.py; pytest would only hang here, which is failure enough.
"""

from __future__ import annotations

import threading

import pytest

from mmmath_tasks.metrics.answers import Expectation, equal, read

EXPECTATIONS = [
    Expectation("choice", ("Yes", "No"), question="Is x greater than y?"),
    Expectation("choice", ("$\\frac{1}{2}$", "2", "3", "4", "5"), question="What is x?"),
    Expectation("choice", ("A", "B", "C", "D")),
    Expectation("choice"),
    Expectation("integer", question="How many x are there?"),
    Expectation("float", precision=2, unit="$"),
    Expectation("list"),
    Expectation("expression"),
    Expectation("text"),
]
TEXTS = {
    "tower": "\\boxed{9^{9^{9^{9}}}}",
    "factorials": "\\boxed{200!^{200!}}",
    "exponentials": "\\boxed{e^{e^{e^{e^{9}}}}}",
    "exponent": "\\boxed{1e9999}",
    "braces": "\\boxed{" + "{" * 1_000_000,
    "brackets": "(" * 500_000,
    "nested": "\\boxed{" + "(" * 190 + "x" + ")" * 190 + "}",
    "bars": "\\boxed{" + "|" * 390 + "}",
    "percents of a sine": "\\boxed{\\sin x" + "%" * 380 + "}",
    "digits": "9" * 1_000_000,
    "announced digits": "The answer is " + "9" * 1_000_000,
    "NUL": "\x00" * 100_000,
    "surrogates": "\ud800" * 50_000 + "\\boxed{\udc00}",
    "blanks": " " * 1_000_000 + "x",
    "lines": "\n" * 1_000_000 + "5",
    "announcements": "the answer is " * 50_000,
    "boxes": "\\boxed{1}" * 100_000,
    "open boxes": "\\boxed{" * 100_000,
    "sums": "The sum is 1" + " + 2.5" * 100_000,
    "products": "The area is 2 cm" + " x 3 cm" * 100_000,
    "blank lines": "5" + "\n\t" * 100_000 + "6",
    "halves": "one and a half " * 100_000,
    "tags": "<answer>" * 100_000,
    "JSON": '{"answer":' * 50_000 + "}" * 50_000,
    "fractions": "\\frac12" * 50_000,
    "refusals": "cannot " * 100_000,
    "options": "(A) " * 200_000,
    "sentences": "So x is 5. " * 100_000,
    "questions": "\nQuestion: " * 100_000,
    "Chinese": "\u7b54\u6848\u662f" * 200_000,
    "word": "a" * 1_000_000,
    "minus": "-" * 500_000 + "5",
    "union": "\\boxed{" + "(1,2)\\cup" * 40 + "(1,2)}",
}


@pytest.mark.parametrize("name", TEXTS)
def test_no_text_raises_and_readings_are_stable(name: str) -> None:
    for expectation in EXPECTATIONS:
        reading = read(TEXTS[name], expectation)
        assert reading == read(TEXTS[name], expectation)
        for gold in ("A", "5", "\\frac{1}{2}", "(1,2)", "x^2+1", "[1, 2]", "y<5"):
            assert equal(reading.text or "", gold, expectation) in (True, False)
            assert equal(TEXTS[name], gold, expectation) in (True, False)
            assert equal(gold, TEXTS[name], expectation) in (True, False)


def test_a_power_tower_equals_nothing_but_itself() -> None:
    expectation = Expectation("expression")
    assert not equal("9^{9^{9^{9}}}", "5", expectation)
    assert not equal("9^{9^{9^{9}}}", "9^{9^{9^{8}}}", expectation)
    assert equal("9^{9^{9^{9}}}", "$9^{9^{9^{9}}}$", expectation)


def test_threads_compare_alike() -> None:
    pairs = [("\\pi", "3.14"), ("\\sqrt{8}", "2\\sqrt{2}"), ("\\sin^2 x+\\cos^2 x", "1+x-x"), ("e^{\\pi}", "23.14")]
    alone = [equal(a, b, Expectation("expression")) for a, b in pairs]
    together: list[list[bool]] = []

    def work() -> None:
        # The trailing digit keeps the threads out of each other's cache.
        mine = [
            equal(f"{a}+{threading.get_ident()}", f"{b}+{threading.get_ident()}", Expectation("expression"))
            for a, b in pairs
        ]
        together.append(mine)

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert together == [alone] * 8

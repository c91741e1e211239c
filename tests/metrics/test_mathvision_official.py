"""MATH-Vision's official rule, case by case, and under hostile input."""

import itertools
import json
import math
import re
import threading
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import mmmath_tasks as mm
from mmmath_tasks.metrics import mathvision, mathvision_official
from mmmath_tasks.metrics.mathvision_values import value
from support.hostile import HOSTILE


def cases(name):
    return [json.loads(line) for line in Path(__file__).with_name(name).read_text(encoding="utf-8").splitlines()]


def problem(answer, options=()):
    row = {"id": "1", "question": "How many?", "options": list(options), "answer": answer, "level": 1}
    return mm.benchmark("mathvision").problem({**row, "subject": "algebra"})


@pytest.mark.parametrize("case", cases("mathvision_official.jsonl"), ids=lambda case: case["response"][:30] or "empty")
def test_official(case):
    answer = mathvision_official.model_answer(case["response"])
    assert answer == case["model_answer"]
    assert mathvision.is_official(problem(case["answer"], case["options"]), answer) == case["official"]


@pytest.mark.parametrize("case", cases("mathvision_values.jsonl"), ids=lambda case: case["text"] or "empty")
def test_value(case):
    found = value(case["text"])
    if case["value"] is None:
        assert found is None
    else:
        assert found == pytest.approx(case["value"])
        assert isinstance(found, int) == isinstance(case["value"], int)


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_responses_are_wrong(name):
    for wanted in (problem("5"), problem("(1,2)"), problem("C", ["1", "2", "3", "4", "5"])):
        verdict = mathvision.score(wanted, HOSTILE[name])
        assert verdict.official is False
        assert verdict.verified is False


def test_threads_give_the_same_verdicts():
    wanted = [mathvision.score(problem("7"), text).to_dict() for text in HOSTILE.values()]
    found = {}

    def work(number):
        found[number] = [mathvision.score(problem("7"), text).to_dict() for text in HOSTILE.values()]

    threads = [threading.Thread(target=work, args=(number,)) for number in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [found[number] for number in range(3)] == [wanted] * 3


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("+".join(["1"] * 1000), 1000),  # 1,999 tokens and the end
        ("+".join(["1"] * 1000) + "+", None),
        ("(" * 50 + "7" + ")" * 50, 7),
        ("(" * 51 + "7" + ")" * 51, None),
        ("2^{32768}", 2**32768),  # exponent times the base's two bits
        ("2^{32769}", None),
        ("1^{99999}", 1),
        ("(-2)^{32769}", None),
        ("2.5^{2}", 6.25),
        ("(-8)^{0.5}", None),
        ("2^{32768} \\cdot 2^{32767}", 2**65535),
        ("2^{32768} \\cdot 2^{32768}", None),
        ("2^{32768} 2^{32767}", 2**65535),
        ("2^{32768} 2^{32768}", None),
        ("2^{32768} 2^{32767} + 2^{32768} 2^{32767}", None),
        ("\\frac{5000!}{4999!}", 5000.0),
        ("5001!", None),
        ("\\binom{5000}{2}", 5000 * 4999 // 2),
        ("\\binom{5001}{2}", None),
        ("9^{9^{9^{9}}}", None),
    ],
    ids=lambda given: given[:20] if isinstance(given, str) else "",
)
def test_what_takes_long_fails_at_once(text, found):
    assert value(text) == found
    assert isinstance(value(text), type(found))


NUMBERS = st.integers(0, 30).map(lambda n: (str(n), n))
NUMBERS |= st.integers(0, 499).map(lambda n: (f"{n / 4 + 1 / 8}", n / 4 + 1 / 8))


def larger(inner):
    """Expressions of expressions, with what Python's own operators make of their parts."""

    def both(form, of):
        return st.tuples(inner, inner).map(lambda ab: (form % (ab[0][0], ab[1][0]), of(ab[0][1], ab[1][1])))

    def one(form, of):
        return inner.map(lambda a: (form % a[0], of(a[1])))

    def safely(of):
        def computed(*values):
            try:
                found = None if None in values else of(*values)
            except (ArithmeticError, ValueError, TypeError):
                return None
            return None if isinstance(found, complex) else found

        return computed

    pairs = {
        "(%s+%s)": lambda a, b: a + b,
        "\\left(%s-%s\\right)": lambda a, b: a - b,
        "[%s\\times %s]": lambda a, b: a * b,
        "\\{%s\\cdot(%s)\\}": lambda a, b: a * b,
        "{(%s):(%s)}": lambda a, b: a / b,
        "\\dfrac{%s}{%s}": lambda a, b: a / b,
        "(%s)(%s)": lambda a, b: a * b,
        "\\sqrt[%s]{%s}": lambda a, b: b ** (1 / a),
        "\\log_{%s}(%s)": lambda a, b: math.log(b, a),
        "\\tbinom{%s}{%s}": math.comb,
    }
    singles = {
        "(-%s)": lambda a: -a,
        "\\sqrt{%s}": math.sqrt,
        "(%s)^{2}": lambda a: a**2,
        "(%s)^2": lambda a: a**2,
        "2^{%s}": lambda a: 2**a,
        "\\sin\\left(%s\\right)": math.sin,
        "\\cos^2(%s)": lambda a: math.cos(a) ** 2,
        "\\tan^{-1}(%s)": math.atan,
        "\\arcsin(%s)": math.asin,
        "\\lfloor %s\\rfloor": math.floor,
        "(%s\\pi)": lambda a: a * math.pi,
        "e^{%s}": lambda a: {0: 1, 1: None}.get(a, math.exp(a)) if type(a) is int else math.exp(a),
    }
    return st.one_of(
        *(both(form, safely(of)) for form, of in pairs.items()),
        *(one(form, safely(of)) for form, of in singles.items()),
    )


@given(st.recursive(NUMBERS, larger, max_leaves=6))
@settings(max_examples=250)
def test_values_are_those_of_pythons_operators(pair):
    text, wanted = pair
    found = value(text)
    if isinstance(wanted, int) and wanted.bit_length() > 30_000:  # near the bounds above
        return
    assert found == (None if wanted is None else pytest.approx(wanted, rel=1e-9, nan_ok=True))


PHRASES = ("he final answer", "he answer", "he correct answer")
PIECES = ["1", "2.5", "10", "\\pi", "+", "-", "*", "/", "^", "^{2}", "(", ")", "{", "}", "\\frac{1}{2}", "\\frac"]
PIECES += ["\\sqrt{2}", "\\sqrt", "!", "\\sin", " ", ",", "x", "e", "\\left(", "\\right)", "[", "]", "\\%", "9^9", "!!"]


@given(st.lists(st.sampled_from(PIECES), max_size=12).map("".join))
@settings(max_examples=300)
def test_a_value_is_a_real_number_or_none(text):
    found = value(text)
    assert found is None or (isinstance(found, int | float) and found == found)


@given(st.text(max_size=60))
@settings(max_examples=300)
def test_any_text_gets_a_verdict(text):
    assert mathvision.score(problem("7"), text).official in (True, False)
    answer = mathvision_official.model_answer(text)
    assert mathvision_official.equal(answer, answer) == bool(answer.strip(" "))


@given(st.integers(-(10**9), 10**9), st.integers(1, 10**6))
def test_fractions_and_decimals_agree_to_two_places(top, bottom):
    decimal = f"{top / bottom:.2f}"
    assert (
        mathvision_official.equal(f"\\frac{{{top}}}{{{bottom}}}", decimal)
        or abs(round(top / bottom, 2) - float(decimal)) > 0
    )


def test_boxes_braces_and_signs_by_enumeration():
    """First the inside from the first box to the last brace, of several boxes the last; then upstream's cuts."""
    for pieces in itertools.product(["oxed{", "{", "}", "x", "y", "=", "\\approx"], repeat=5):
        text = "".join(pieces)
        if text.count("oxed{") > 1:
            text = f"oxed{{{text.split('oxed{')[-1]}"
        text = text.replace("{}", "")
        if inside := re.search(r"oxed\{(.*)\}", text):
            text = inside[1]
        text = re.sub(r"^([^{}]*)\}.*", r"\1", text)
        wanted = re.sub(r"^.*\\approx", "", re.sub(r"^.*=", "", text))
        assert mathvision_official.model_answer("".join(pieces)) in (wanted, f"\\b{wanted}"), pieces


@pytest.mark.parametrize(
    ("response", "answer"),
    [
        *(
            (f"First B. Then {start}{rest} is 7{end}", "7")
            for start in "tT"
            for rest in PHRASES
            for end in (". So", "\nSo")
        ),
        ("the answer is 1. The answer is 2 or so", "1"),
        ("It is 1, but The answer should be 2 or so. 3", "2orso"),
        *((f"It is{form}", letter.lower()) for letter in "ABCDE" for form in (f" {letter}.", f" ({letter}).")),
        *(
            (f"{form}\nIt is not.", letter.lower())
            for letter in "ABCDE"
            for form in (letter, f"({letter})", f"({letter}) {letter}")
        ),
        ("It is F.", "itisf"),
        ("It is \u00bd.", "\u00bd"),
        ("It is \u2167", "\u2177"),
        ("It is \u00bd\u00bd", "itis\u00bd\u00bd"),
        ("It is nan.", "nan"),
        ("It is " + "9" * 1000, "9" * 1000),
        ("It is " + "9" * 1001, "itis" + "9" * 1001),
        ("x" * 1000 + "y" * 99_000, "x" * 1000 + "y" * 99_000),
        ("x" * 1001 + "y" * 99_000, "x" * 1000 + "y" * 99_000),
        ("x" * 1000 + "y" * 99_001, "x" * 1000 + "y" * 99_000),
        ("3/4", "\\frac{3}{4}"),
        ("-3/4", "\\frac{-3}{4}"),
        ("03/4", "03/4"),
        ("3/x", "3/x"),
        ("0.5", "\\frac{1}{2}"),
        (".5", "\\frac{1}{2}"),
        (".25", "0.25"),
        ("\\sqrt3", "\\sqrt{3}"),
        ("\\sqrt", "\\sqrt"),
        ("\\sqrt{3}+\\sqrt5x", "\\sqrt{3}+\\sqrt{5}x"),
        ("\\sqrt[3]{8}", "\\sqrt{[}3]{8}"),
        ("\\frac12", "\\frac12"),
        ("\\sqrt3\\frac12", "\\sqrt{3}\\frac{1}{2}"),
        ("\\sqrt3\\frac1{2}x", "\\sqrt{3}\\frac{1}{2}x"),
        ("\\sqrt3\\frac{1}2", "\\sqrt{3}\\frac{1}2"),
        ("\\sqrt3\\frac12\\frac1", "\\sqrt{3}\\frac12\\frac1"),
        ("(a) and {e} and {f}", "aandeand{f}"),
        (": 7.", "7"),
    ],
    ids=lambda given: given[:20],
)
def test_what_is_read_and_how_it_is_written(response, answer):
    assert mathvision_official.model_answer(response) == answer


@pytest.mark.parametrize(
    ("gold", "answer", "same"),
    [
        ("(1.5,2)", "(1.501,2)", True),
        ("(1,2)", "(1.001,2)", False),  # an integer is printed without decimals
        ("(1,2)", "[1,2]", False),
        ("[1,\\infty)", "[1,\\infty)", True),
        ("(a,1)", "(a,1.0)", True),
        ("(-a,\\frac{1}{2})", "(-a,0.5)", True),
        ("(-\\infty,0.5)", "(-\\infty,\\frac{1}{2})", True),
        ("(x,1)", "(x,\\frac{2}{2})", False),
        ("(" + "1," * 98 + "1)", "(" + "1," * 98 + "1.001)", False),
        ("(" + "0.5," * 99 + "0.5)", "(" + "0.5," * 98 + "\\frac{1}{2},0.5)", True),
        ("(" + "0.5," * 100 + "0.5)", "(" + "0.5," * 99 + "\\frac{1}{2},0.5)", False),
        ("3.14", "\\pi", True),
        ("3.15", "\\pi", False),
        ("0", "0.004", True),
        ("X", "x", True),
        ("x", " X ", True),
        ("x", "", False),
        (" ", "x", False),
        ("x", "y", False),
    ],
)
def test_what_upstream_calls_equal(gold, answer, same):
    assert mathvision_official.equal(gold, answer) is same

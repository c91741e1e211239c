"""Properties of reading and comparing: what must not change a verdict, and what must."""

from __future__ import annotations

from fractions import Fraction

from hypothesis import given, settings
from hypothesis import strategies as st

from mmmath_tasks.metrics.answers import Expectation, equal, read
from support.readings import verdict

LETTERS = "ABCDE"
INTEGER = Expectation("integer", question="How large is it?")
FLOAT = Expectation("float", precision=2)
FORMULA = Expectation("expression")
CHOICE = Expectation("choice", ("12", "18", "27", "54", "63"), question="What is the area of the figure?")
WORDED = Expectation("choice", ("grass", "mouse", "hawk", "owl"), question="Which of them eats the most?")

sentences = st.sampled_from(
    [
        "The answer is {}.",
        "Therefore, the answer is {}.",
        "So the final answer is {}.",
        "Answer: {}",
        "\\boxed{{{}}}",
        "The final answer is $\\boxed{{{}}}$.",
        "<answer>{}</answer>",
        "{}",
        "We look at the figure and add up.\n\nSo the answer is {}.",
        "<think>Is it 999? No.</think>The answer is {}.",
    ]
)
# What a careful reader overlooks. The last ones only suit a sentence, so they are tried with one.
dressings = st.sampled_from(["{}", " {} ", "\n{}\n", "**{}**", "{}\n\n", "{} "])
integers = st.integers(-99_999, 99_999)


@given(integers, sentences, dressings)
def test_an_integer_is_read_in_any_sentence(n: int, sentence: str, dressing: str) -> None:
    assert verdict(dressing.format(sentence.format(n)), str(n), INTEGER)
    assert not verdict(dressing.format(sentence.format(n)), str(n + 1), INTEGER)


@given(integers, sentences, st.sampled_from(["cm", "apples", "degrees", "square units", "dollars", "years", "m"]))
def test_a_unit_changes_no_verdict(n: int, sentence: str, unit: str) -> None:
    assert verdict(sentence.format(f"{n} {unit}"), str(n), INTEGER)
    assert not verdict(sentence.format(f"{n} {unit}"), str(n + 1), INTEGER)


@given(st.integers(1_000, 10**9), sentences)
def test_thousands_separators_change_no_verdict(n: int, sentence: str) -> None:
    assert verdict(sentence.format(f"{n:,}"), str(n), INTEGER)


@given(st.sampled_from(LETTERS), st.sampled_from(LETTERS), sentences, dressings)
def test_the_last_letter_decides(first: str, last: str, sentence: str, dressing: str) -> None:
    response = f"At first I thought the answer was {first}. " + dressing.format(sentence.format(last)).strip()
    assert verdict(dressing.format(sentence.format(last)), last, CHOICE)
    if not sentence.startswith("{}"):
        assert read(response, CHOICE).choice == LETTERS.index(last)


@given(st.integers(0, 4), sentences, dressings)
def test_an_options_text_counts_as_its_letter(i: int, sentence: str, dressing: str) -> None:
    response = dressing.format(sentence.format(CHOICE.choices[i]))
    assert read(response, CHOICE).choice == i


@given(st.integers(0, 3), sentences, st.sampled_from(["{}", "the {}", "{} because it is large"]))
def test_an_option_in_words(i: int, sentence: str, form: str) -> None:
    if "boxed" in sentence and form != "{}":
        return
    assert read(sentence.format(form.format(WORDED.choices[i])), WORDED).choice == i


@given(st.integers(0, 4), sentences)
def test_a_repeated_question_changes_no_verdict(i: int, sentence: str) -> None:
    options = "\n".join(f"({letter}) {text}" for letter, text in zip(LETTERS, CHOICE.choices, strict=True))
    response = f"{CHOICE.question}\nChoices:\n{options}\n\n{sentence.format(LETTERS[i])}"
    assert read(response, CHOICE).choice == i


@given(st.integers(0, 4), st.integers(0, 4))
def test_a_made_up_question_after_the_answer_changes_nothing(i: int, j: int) -> None:
    response = f"The answer is {LETTERS[i]}.\n\nQuestion: What is next?\nSolution: The answer is {LETTERS[j]}."
    assert read(response, CHOICE).choice == i


@given(integers, st.integers(1, 99), sentences)
def test_numbers_in_bold_before_the_answer_change_nothing(n: int, other: int, sentence: str) -> None:
    response = f"**Step {other}.** The side is **{other} cm** and the angle is **{other + 1} degrees**.\n\n"
    if not sentence.startswith("{}"):
        assert verdict(response + sentence.format(n), str(n), INTEGER)
        assert not verdict(response + sentence.format(n), str(n + 1), INTEGER)


@given(st.integers(0, 4), st.integers(0, 4), sentences)
def test_an_answer_that_is_denied_is_none(i: int, j: int, sentence: str) -> None:
    denied = f"The answer is not {LETTERS[j]}. "
    assert read(denied, CHOICE).choice is None
    if "We" not in sentence and not sentence.startswith("{}"):
        assert read(denied + sentence.format(LETTERS[i]), CHOICE).choice == i
        assert read(sentence.format(LETTERS[i]) + f" It is not {LETTERS[j]}.", CHOICE).choice == i or i == j


@given(st.integers(2, 999), st.integers(2, 999), st.sampled_from([", so", ", and therefore", "; thus,", ". Then"]))
def test_what_follows_from_the_answer_is_not_the_answer(n: int, other: int, link: str) -> None:
    asked = Expectation("integer", question="What is the area of the triangle?")
    response = f"The area of the triangle is {n}{link} the height of the prism is {other} cm."
    assert verdict(response, str(n), asked)
    assert verdict(response, str(other), asked) == (n == other)


@given(st.fractions(min_value=-1000, max_value=1000, max_denominator=999))
def test_forms_of_a_fraction_are_equal(x: Fraction) -> None:
    sign = "-" if x < 0 else ""
    n, d = abs(x.numerator), x.denominator
    forms = [
        f"{sign}\\frac{{{n}}}{{{d}}}",
        f"{sign}{n}/{d}",
        f"{sign}\\dfrac{{{2 * n}}}{{{2 * d}}}",
        f"({sign}{n})/({d})",
    ]
    for form in forms:
        assert equal(form, forms[0], FORMULA)
        assert not equal(form, f"{sign}\\frac{{{n + 1}}}{{{d}}}", FORMULA)
    decimal = f"{sign}{n / d:.3f}"
    assert equal(decimal, forms[0], FORMULA) == (Fraction(decimal) == x)


@given(st.integers(2, 50), st.integers(1, 20), st.integers(1, 20))
def test_roots_multiply_out(a: int, b: int, c: int) -> None:
    left, right = f"{b}\\sqrt{{{a}}}+{c}\\pi", f"{c}\\pi+\\sqrt{{{a * b * b}}}"
    assert equal(left, right, FORMULA)
    assert not equal(left, f"{b}\\sqrt{{{a}}}+{c + 1}\\pi", FORMULA)


@given(st.lists(st.integers(-99, 99), min_size=2, max_size=6))
def test_tuples_compare_element_by_element(values: list[int]) -> None:
    written = "(" + ", ".join(map(str, values)) + ")"
    assert equal(written, written.replace(" ", ""), FORMULA)
    turned = "(" + ", ".join(map(str, values[::-1])) + ")"
    assert equal(written, turned, FORMULA) == (values == values[::-1])


@given(st.floats(-1e6, 1e6, allow_nan=False), st.integers(0, 4))
def test_a_float_is_compared_at_its_precision(x: float, precision: int) -> None:
    expectation = Expectation("float", precision=precision)
    gold = f"{x:.{precision}f}"
    assert verdict(f"The answer is {gold}.", gold, expectation)
    assert not verdict(f"The answer is {gold}.", f"{float(gold) + 3 * 10.0**-precision:.{precision}f}", expectation)


@settings(max_examples=300)
@given(st.text(max_size=300), st.sampled_from([INTEGER, FLOAT, FORMULA, CHOICE, WORDED, Expectation("list")]))
def test_any_text_is_read_without_an_exception_and_alike(text: str, expectation: Expectation) -> None:
    reading = read(text, expectation)
    assert reading == read(text, expectation)
    assert 0 <= reading.confidence <= 1
    assert (reading.text is None) == (reading.rule == "")
    assert reading.text is not None or reading.reason in {"empty", "refusal", "truncated", "unextracted"}
    assert equal(text, "5", expectation) in (True, False)
    assert equal(text, text, FORMULA) in (True, False)


@given(st.text(alphabet="0123456789+-*/^(){}[]\\ fracsqtpilo.,=<>xy", max_size=60))
def test_any_formula_equals_itself_or_nothing(text: str) -> None:
    assert equal(text, f" {text} ", FORMULA) == equal(text, text, FORMULA)

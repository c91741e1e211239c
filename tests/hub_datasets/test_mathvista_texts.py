"""What becomes of captions and detected text on the way into a MathVista query; cases by hand."""

import pytest

from mmmath_tasks.hub_datasets.mathvista_texts import description, detected
from mmmath_tasks.scoring import benchmark


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("A chart.", "A chart."),
        ("", ""),
        ("Sure. A bar.\n\nI hope this is helpful! Let me know.", "A bar.\n\n Let me know."),
        ("Sure, I can do that.\n\nA bar.", "A bar."),
        ("Sure, I can help you with that. A bar.", "Sure, I can help you with that. A bar."),
        ("I can't process this file.", ""),
        ("* a\n    * b", "* a\n  * b"),
    ],
)
def test_descriptions(text, shown):
    assert description(text) == shown


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("", ""),
        ("[]", ""),
        ("[([[1, 2], [3, 2], [3, 4], [1, 4]], 'it\\'s', 0.5)]", '[([1, 2], "it\'s")]'),
        ("[([[1.9, -2.9], [3, 2], [3, 4], [1, 4]], 'x', 0.5)]", "[([1, -2], 'x')]"),
        ("12 34", "12 34"),
        ("12", "12"),
        ("[1, 2]", "[1, 2]"),
        ("__import__('os').getcwd()", "__import__('os').getcwd()"),
        ("[([[1e999, 2]], 'x', 1)]", "[([[1e999, 2]], 'x', 1)]"),
    ],
)
def test_detected_text(text, shown):
    assert detected(text) == shown


def test_worked_examples_show_the_texts_that_are_on():
    mathvista = benchmark("mathvista")
    row = {
        "pid": "1",
        "question": "How many?",
        "choices": None,
        "unit": None,
        "precision": None,
        "answer": "3",
        "question_type": "free_form",
        "answer_type": "integer",
        "metadata": {"skills": []},
    }
    problem = mathvista.problem(row)
    plain = mathvista.prompt(problem, "pot_2shot")
    assert "Image " not in plain
    assert plain.count("\nHint: Please generate a python code to solve the problem\nPython code:") == 3
    assert plain.count("Python code:\ndef ") == 2
    problem.extra.update(caption="", ocr="")
    both = mathvista.prompt(problem, "cot_2shot")
    assert both.count("\nImage description: ") == both.count("\nImage detected text: [([") == 2
    assert both.endswith("\n\n" + mathvista.prompt(problem, "solution"))

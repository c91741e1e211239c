"""The heuristics of Table 2."""

import pytest

from mmmath_tasks.models.guesses import frequent_guess, mathvision_chance, random_chance
from mmmath_tasks.problem import Problem


def choice(count, name="1"):
    return Problem("mathvista", name, "?", choices=tuple("abcdefgh"[:count]), answer="a", question_type="multi_choice")


def free(answer_type, precision=None):
    return Problem("mathvista", "1", "?", answer="1", answer_type=answer_type, precision=precision)


def test_random_chance_is_fair_and_hangs_on_seed_and_id_only():
    drawn = [random_chance(choice(4, str(number))) for number in range(4000)]
    assert drawn == [random_chance(choice(4, str(number))) for number in range(4000)]
    assert set(drawn) == set("ABCD")
    assert all(abs(drawn.count(letter) - 1000) < 120 for letter in "ABCD")
    assert drawn != [random_chance(choice(4, str(number)), seed=1) for number in range(4000)]


def test_upstreams_chance_of_mathvision_names_texts_and_numbers():
    drawn = {mathvision_chance(choice(4, str(number))) for number in range(100)}
    assert drawn == set("abcd")
    numbers = [int(mathvision_chance(Problem("mathvision", str(i), "?", answer="3"))) for i in range(500)]
    assert 0 <= min(numbers) < 100
    assert 1900 < max(numbers) < 2048


def test_random_chance_leaves_free_form_questions_empty():
    assert random_chance(free("integer")) == ""


@pytest.mark.parametrize(
    ("problem", "guess"),
    [
        (choice(2), "B"),
        (choice(4), "C"),
        (choice(1), "A"),
        (free("integer"), "2"),
        (free("float", 1), "1.2"),
        (free("float", 2), "0.21"),
        (free("list"), "[0, 2, 0, 2, 1, 7, 1, 2, 0, 3, 0, 6]"),
        (free("float", 3), ""),
        (free("expression"), ""),
    ],
)
def test_frequent_guess(problem, guess):
    assert frequent_guess(problem) == guess

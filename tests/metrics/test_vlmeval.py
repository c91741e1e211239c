"""VLMEvalKit's own rules, from what its code does (ms-vlmeval 0.0.20); test_vlmeval_setting.py compares with that."""

import pytest

import mmmath_tasks as mm
from mmmath_tasks.metrics import vlmeval
from mmmath_tasks.problem import Problem, Verdict

pytestmark = pytest.mark.fast

OPTIONS = {"A": "12 cm", "B": "15 cm", "C": "none of these"}


@pytest.mark.parametrize(
    ("text", "letter"),
    [
        ("B", "B"),
        ("The answer is (B).", "B"),
        ("**Answer:** C", "C"),
        ("A or B", ""),  # two letters
        ("B is what I would say if I were asked", ""),  # not among the last four words
        ("It is 15 cm", "B"),
        ("It is 15 CM, not 12 cm", ""),
        ("15 cm because of a long story that is longer than all options together", ""),
        ("b", ""),
        ("Z", "Z"),
        ("Cannot determine the answer B", "Z"),
        ("Failed to obtain answer via API. 15 cm", "B"),
        ("", ""),
    ],
)
def test_the_option_that_is_read(text, letter):
    assert vlmeval.inferred(text, OPTIONS) == letter


@pytest.mark.parametrize(
    ("text", "gold", "same"),
    [
        ("12", "12", True),
        (" 12.0000001", "12", True),
        ("12.001", "12", False),
        ("\\frac{3}{4}", "0.75", True),
        ("2*6", "12", True),
        ("\\sqrt{4}", "2", False),  # it evaluates no names
        ("\\SQRT{2}", "\\sqrt{2}", True),  # as text
        ("a", "12", True),  # the gold's value has that name there
        ("a", "x", False),
        ("b", "12", False),
        ("9" * 400, "0.5", False),
        ("", "12", False),
    ],
)
def test_equal_answers_of_math_vision(text, gold, same):
    assert vlmeval.same(text, gold) is same


def mathvista(answer, answer_type="integer", choices=()):
    kind = "multi_choice" if choices else "free_form"
    return Problem("mathvista", "1", "How many?", choices, answer, kind, answer_type)


@pytest.mark.parametrize(
    ("problem", "text", "settled", "judged"),
    [
        (mathvista("14"), "14", True, True),
        (mathvista("14"), "15", None, False),
        (mathvista("14"), "14.0", None, False),
        (mathvista("0"), "0", None, True),  # 0 is taken for nothing, and goes to the judge
        (mathvista("1.5", "float"), "1.50", True, True),
        (mathvista("[1, 2]", "list"), "[1, 2]", None, False),
        (mathvista("no", "text", ("yes", "no")), "The answer is B", True, True),
        (mathvista("no", "text", ("yes", "no")), "The answer is A", False, False),
        (mathvista("no", "text", ("yes", "no")), "I do not see it", None, False),
    ],
)
def test_mathvista(problem, text, settled, judged):
    rule = mm.benchmark("mathvista").metrics.vlmeval_rule
    assert (rule(problem, text), rule(problem, text, judged=True)) == (settled, judged)


def test_mathvista_settles_no_option_in_a_long_response():
    rule = mm.benchmark("mathvista").metrics.vlmeval_rule
    assert rule(mathvista("no", "text", ("yes", "no")), "The lines cross, so there is no such point.") is None


def vision(answer, choices=()):
    return Problem("mathvision", "1", "How many?", choices, answer, "multi_choice" if choices else "free_form")


LETTERS = Problem("wemath", "1", "Which?", ("12 cm", "", "15 cm"), "C", "multi_choice")


@pytest.mark.parametrize(
    ("problem", "text", "settled", "judged"),
    [
        (vision("12"), " 12.0", True, True),
        (vision("12"), "13", None, False),
        (vision("C", ("1", "2", "3", "4", "5")), "C", True, True),
        (vision(" c", ("1", "2", "3", "4", "5")), "C", True, True),
        (vision("C", ("1", "2", "3", "4", "5")), "D", False, False),
        (vision("C", ("1", "2", "3", "4", "5")), "Now it is 3", None, False),  # longer than all options twice
        (vision("C", ("1", "2", "3", "4", "5")), "So it is 3", True, True),
        (vision("C", ("1", "2", "3", "4", "5")), "none", None, False),
        (LETTERS, "C", True, True),
        (LETTERS, "B", None, False),  # a letter without an option
        (LETTERS, "A", False, False),
        (LETTERS, "It is 15 cm.", True, True),
        (LETTERS, "", None, False),
    ],
)
def test_math_vision_and_we_math(problem, text, settled, judged):
    rule = mm.benchmark(problem.benchmark).metrics.vlmeval_rule
    assert (rule(problem, text), rule(problem, text, judged=True)) == (settled, judged)


def test_the_bounds_in_full():
    rows = [(1, 1)] * 3 + [(0, 1)] * 2 + [(0, 0)] * 5
    verdicts = [
        Verdict(str(i), None, None, scores=vlmeval.scores({(1, 1): True, (0, 1): False}.get(r)))
        for i, r in enumerate(rows)
    ]
    (right, settled), said = vlmeval.summary([*verdicts, Verdict("x", True, True)])
    assert (right.metric, right.value, right.count) == ("acc_vlmeval_prefetch", 0.3, 10)
    assert (settled.metric, settled.value, settled.count) == ("vlmeval_prefetched", 0.5, 10)
    assert said == (
        "VLMEvalKit's own accuracy on these 10 responses lies between 30.0 and 80.0, whatever its judge reads; "
        "acc_vlmeval_prefetch is the lower end and not what cards quote."
    )
    assert vlmeval.summary([Verdict("x", True, True)]) == ([], "")


def asked(name="mathvision", style="vlmeval"):
    """Return a problem as harnesses make it from a document."""
    row = {"id": "1", "question": "How many?", "options": [], "answer": "12", "level": 1, "subject": "algebra"}
    return mm.benchmark(name).problem({**row, "provenance": {"prompt_style": style}})


def test_a_run_in_that_setting_says_so_and_between_which_ends_its_number_lies():
    known = mm.benchmark("mathvision")
    problem = asked()
    verdicts = [known.score(problem, text) for text in ("12", "The answer is 12.", "13")]
    card = known.summarise([problem], verdicts)
    assert card.provenance["setting"] == known.rows.SETTINGS["vlmeval"]
    assert card.value("acc_vlmeval_prefetch") == card.value("vlmeval_prefetched") == pytest.approx(1 / 3)
    assert "between 33.3 and 100.0" in card.notes[1]
    assert "not as the authors ask" in card.notes[0]


def test_other_runs_know_nothing_of_it():
    known = mm.benchmark("mathvision")
    card = known.summarise([asked(style="cot")], [known.score(asked(style="cot"), "12")])
    assert "setting" not in card.provenance
    assert card.get("acc_vlmeval_prefetch") is None
    mixed = known.summarise([asked(), asked(style="cot")], [])
    assert mixed.provenance["setting"] == [known.rows.SETTINGS["vlmeval"], "the authors' prompt"]

"""The metric modules through the real evaluate library."""

import pytest

import mmmath_tasks as mm
from mmmath_tasks.commands.path import folder
from mmmath_tasks.outputs.run import problems_of


@pytest.fixture
def load(tmp_path):
    """Load one of our metrics by the library, whose import takes seconds where transformers is installed."""
    import evaluate

    return lambda name: evaluate.load(str(folder("evaluate") / name), cache_dir=str(tmp_path))


@pytest.mark.parametrize("name", mm.benchmarks())
def test_the_metric_gives_the_verdicts_of_the_python_face(load, name):
    metric = load(name)
    problems = problems_of(name, "sample", None)[0]
    responses = [p.answer if i % 2 else "I do not know." for i, p in enumerate(problems)]
    found = metric.compute(predictions=responses, references=[p.to_json() for p in problems])
    known = mm.benchmark(name)
    verdicts = [known.score(*pair) for pair in zip(problems, responses, strict=True)]
    assert found["verdicts"] == [v.to_dict() for v in verdicts]
    assert found["scorecard"] == known.summarise(problems, verdicts).to_dict()


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ('{"question": "?"}', "MathVista: column 'pid' is missing"),
        ('{"benchmark": "mathvista", "id": 5}', "id should be str, is 5"),
        ("[]", "got list"),
        ("5", "got int"),
        ("null", "got NoneType"),
        ("[" * 100_000, "Brackets nested too deep"),
        ("9" * 5000, "A number of too many digits"),
    ],
    ids=lambda text: text[:9],
)
def test_a_reference_that_is_no_problem_is_named(load, text, why):
    metric = load("mathvista")
    with pytest.raises(mm.InputError, match=f"reference 0: expected a mathvista problem or row as JSON text: {why}"):
        metric.compute(predictions=["1"], references=[text])


def test_what_rules_read_in_the_place_of_a_model_is_named(load):
    def computed(name, response):
        metric = load(name)
        problems = problems_of(name, "sample", None)[0]
        references = [p.to_json() for p in problems]
        return metric, metric.compute(predictions=[response] * len(problems), references=references)

    metric, found = computed("mathvista", "The answer is B.")
    assert found["labels"] == {"acc": "acc, read by rules", "gain": "gain, read by rules"}
    assert any(note.startswith("Read by rules: the authors have GPT-4") for note in found["notes"])
    assert "Where the authors ask GPT-4, answers are read by rules." in metric.description
    assert any("programs" in note for note in computed("mathvista", "print(6 * 7)")[1]["notes"])
    metric, found = computed("mathvision", "The answer is B.")
    assert found["labels"] == {}
    assert "read by rules" not in metric.description


def test_a_prediction_may_be_missing_or_hold_half_a_character(load):
    metric = load("mathvista")
    problems = problems_of("mathvista", "sample", None)[0][:4]
    said = ["\ud800 The answer is " + problems[0].answer, float("nan"), None, "\udfff"]
    found = metric.compute(predictions=said, references=[p.to_json() for p in problems])
    known = mm.benchmark("mathvista")
    verdicts = [known.score(*pair) for pair in zip(problems, said, strict=True)]
    assert [v["official"] for v in found["verdicts"]] == [v.official for v in verdicts] == [True, False, False, False]
    assert [v.reason for v in verdicts[1:3]] == ["empty", "empty"]


@pytest.mark.parametrize("said", [7, 1.5, ["a"], b"7"])
def test_a_prediction_that_is_no_text_is_refused_with_its_position(load, said):
    metric = load("mathvista")
    (problem, *_), _ = problems_of("mathvista", "sample", None)
    with pytest.raises(mm.InputError, match="prediction 1: expected text or None, got"):
        metric.compute(predictions=["1", said], references=[problem.to_json()] * 2)
    with pytest.raises(mm.InputError, match="a response should be text or None, is"):
        mm.benchmark("mathvista").score(problem, said)

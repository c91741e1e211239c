"""The tasks named _vlmeval beside VLMEvalKit's own prompts and rules; .ci/harnesses makes the environment for it.

VLMEvalKit's tables cannot be had from a package registry. Here each is written from our rows with the columns that its
code reads, and what its own class makes of it is compared: of We-Math its code joins question and options; of the
others a column is the prompt, and whether our text is that column's is known for MathVista alone (tests/conformance).
"""

import base64
from io import BytesIO
from types import SimpleNamespace

import pytest

import mmmath_tasks as mm
from mmmath_tasks.metrics import vlmeval
from mmmath_tasks.sources import find_split
from support.published import SHARED

pytest.importorskip("vlmeval", reason="VLMEvalKit is not installed here; .ci/harnesses tests it")
pytestmark = pytest.mark.filterwarnings("default")  # what VLMEvalKit's own imports warn of is not ours to mend

TABLES = {
    "mathvista": ("MathVista_MINI", "testmini"),
    "mathvision": ("MathVision", "test"),
    "mathverse": ("MathVerse_MINI_Vision_Only", "testmini_text_only"),
    "wemath": ("WeMath", "testmini"),
}
SPOKEN = (
    "",
    "B",
    "The answer is (B).",
    "**Answer:** C",
    "A triangle has three sides, so it is D",
    "B or C",
    "E. No correct answer",
    "Z",
    "Sorry, I can't help with images of people yet. B",
    "Failed to obtain answer via API. B",
    "I think that A is wrong, so the answer must be something else than that, maybe.",
    "a",
    "12",
    "0",
    "0.0",
    " 14 ",
    "14.0",
    "3/4",
    "\\frac{3}{4}",
    "\\sqrt{2}",
    "\\sqrt{4}",
    "2*6",
    "1,000",
    "[1, 2]",
    "None",
)


def known(name, split):
    """Return the benchmark and its rows: the real ones where they are, else the sample's."""
    found = mm.benchmark(name)
    real = SHARED.is_dir()
    source = find_split(found, split, data_dir=str(SHARED / "data")) if real else find_split(found, "sample")
    return found, list(source.texts)


def line_of(problem):
    """Return a row of VLMEvalKit's table, as far as its prompts and rules read it."""
    options = vlmeval.options_of(problem)
    lettered = options if problem.benchmark == "wemath" else {}
    letter = next((letter for letter, text in options.items() if text == problem.answer), None)
    asked = problem.question if lettered else mm.benchmark(problem.benchmark).prompt(problem, "vlmeval")
    return {
        "question": asked,
        "query_cot": problem.extra.get("query_cot", ""),
        **lettered,
        "choices": str(list(problem.choices)),
        "answer": problem.answer,
        "answer_option": letter,
        "question_type": problem.question_type,
        "answer_type": problem.answer_type,
    }


@pytest.mark.parametrize("name", TABLES)
def test_prompts(name, tmp_path, monkeypatch):
    import pandas as pd
    from PIL import Image
    from vlmeval.dataset.image_mcq import WeMath
    from vlmeval.dataset.image_vqa import MathVerse, MathVision, MathVista

    kit = {"mathvista": MathVista, "mathvision": MathVision, "mathverse": MathVerse, "wemath": WeMath}[name]
    table, split = TABLES[name]
    benchmark, rows = known(name, split)
    problems = [benchmark.problem(row) for row in rows]
    picture = BytesIO()
    Image.new("RGB", (40, 30)).save(picture, "PNG")
    encoded = base64.b64encode(picture.getvalue()).decode()
    lines = [{"index": i, "image": encoded, **line_of(problem)} for i, problem in enumerate(problems)]
    pd.DataFrame(lines).to_csv(tmp_path / f"{table}.tsv", sep="\t", index=False)
    monkeypatch.setenv("LMUData", str(tmp_path))
    monkeypatch.setattr(kit, "DATASET_MD5", {})
    data = kit(table)
    assert len(data) == len(problems)
    monkeypatch.setattr(data, "dump_image", lambda line: [f"{line['index']}.png"])
    differing = []
    for i, problem in enumerate(problems):
        *pictures, text = data.build_prompt(i)
        assert [part["type"] for part in pictures] == ["image"]  # pictures first, then the text
        if text != {"type": "text", "value": benchmark.prompt(problem, "vlmeval")}:
            differing.append(problem.id)
    assert differing == []


@pytest.mark.parametrize("name", ["mathvista", "mathvision"])
@pytest.mark.parametrize("judged", [False, True])
def test_rules(name, judged, monkeypatch):
    from vlmeval.dataset.utils import mathv, mathvista

    # its 30-second limit starts a process a comparison
    monkeypatch.setattr(mathv, "is_equal", getattr(mathv.is_equal, "__wrapped__", mathv.is_equal))
    kit = {"mathvista": mathvista, "mathvision": mathv}[name]
    benchmark, rows = known(name, TABLES[name][1])
    compared = 0
    for problem in [benchmark.problem(row) for row in rows[::9]]:
        for text in (*SPOKEN, problem.answer, f"The answer is {problem.answer}"):
            line = {**line_of(problem), "prediction": text, "res": text}
            theirs = kit.post_check(line, prefetch=not judged)
            ours = benchmark.metrics.vlmeval_rule(problem, text, judged)
            if not judged:
                theirs = kit.post_check({**line, "res": theirs}) if theirs else None
            assert ours == theirs, (problem.id, problem.answer, text)
            compared += 1
    assert compared > 50


def test_rules_of_wemath():
    from vlmeval.dataset.utils.multiple_choice import extract_answer_from_item

    benchmark, rows = known("wemath", "testmini")
    for problem in [benchmark.problem(row) for row in rows[::9]]:
        for text in (*SPOKEN, problem.answer, f"<Answer>: <<{problem.answer}>>", *problem.choices):
            item = {**line_of(problem), "prediction": text}
            answers = SimpleNamespace(generate=lambda prompt: "A")
            theirs = extract_answer_from_item(answers, item, "WeMath")
            settled = theirs["log"] == text
            ours = benchmark.metrics.vlmeval_rule(problem, text)
            assert (ours is not None, ours) == (settled, theirs["opt"] == problem.answer if settled else None), text

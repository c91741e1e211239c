"""The judged metrics against the scripted judge, right and wrong answers alike."""

import dataclasses

import pytest

from mmmath_tasks.judge import mathopeval, mathverse, mathvision, mathvista, taxonomy_of, wemath
from mmmath_tasks.judge.case import Case, Judged, by_judge
from mmmath_tasks.judge.cot_e import doubts, judge_steps, summarise
from mmmath_tasks.judge.error_types import distribution, judge_errors
from mmmath_tasks.judge.judging import judged_errors
from mmmath_tasks.judge.saved_cases import SavedCases
from mmmath_tasks.judge.settings import Settings
from mmmath_tasks.metrics.readers import GIVEN, JUDGE
from mmmath_tasks.pictures import Picture
from mmmath_tasks.problem import Problem, Verdict
from mmmath_tasks.scoring import benchmark

PNG = (
    b"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x01\x00\x00\x00\x01\x08\x02\x00\x00\x00\x90wS\xde"
    b"\x00\x00\x00\x0cIDATx\x9cc\xf8\xff\xff?\x00\x05\xfe\x02\xfe\r\xefF\xb8\x00\x00\x00\x00IEND\xaeB`\x82"
)


def number(id, gold, response, **more):
    return Case(Problem("mathvista", id, "How many?", answer=gold, answer_type="integer", **more), response)


def verse(id, gold, response, version="Text Lite", pictures=()):
    groups = {"version": (version,), "subject": ("Plane Geometry",), "subfield": ("Plane Geometry: Angle",)}
    extra = {"question_for_eval": f"The whole question {id}?"}
    problem = Problem("mathverse", id, "", answer=gold, answer_type="expression", groups=groups, extra=extra)
    return Case(problem, response, pictures)


def test_mathvista_asks_only_where_upstream_does(endpoint, judge_for):
    choice = Problem("mathvista", "c", "Which?", ("red", "blue"), "blue", "multi_choice", "text")
    cases = [
        number("a", "7", ""),
        number("b", "7", "7"),
        number("d", "7", "7.0"),
        Case(choice, "blue"),
        Case(choice, "The answer is B."),
        number("e", "7", "The answer is 7."),
        number("f", "7", "The answer is 8."),
        number("g", "7", "I cannot see the picture."),
    ]
    server = endpoint()
    judged = mathvista.judge_answers(judge_for(server), cases)
    assert [bool(j.answers) for j in judged] == [False, False, True, False, True, True, True, True]
    assert [j.verdict.official for j in judged] == [False, True, False, True, True, True, False, False]
    assert len(server.requests()) == 5
    assert judged[-1].verdict.reason == "unextracted"
    assert judged[-1].detail == {"extraction": ""}
    assert judged[5].verdict.rule == "judge:scripted"


def test_only_unsure(endpoint, judge_for):
    cases = [number("a", "7", "The answer is 7."), number("b", "7", "I cannot see the picture.")]
    server = endpoint()
    judged = mathvista.judge_answers(judge_for(server), cases, sure=0.75)
    assert [bool(j.answers) for j in judged] == [False, True]
    assert len(server.requests()) == 1
    cases = [
        verse("1", "7", "The answer is 7."),
        verse("2", "7", "The answer is 8."),
        verse("3", "7", "Let us see. First 3 is read, then 4. There is more to it."),
    ]
    judged = mathverse.judge_answers(judge_for(server), cases, sure=0.998)
    assert [(bool(j.answers), j.verdict.official) for j in judged] == [(False, True), (False, False), (True, False)]


def test_mathverse_two_steps(endpoint, judge_for):
    cases = [
        verse("1", "7", "So it goes. The answer is 7."),
        verse("2", "7", "So it goes. The answer is 8."),
        verse("3", "7", ""),
        verse("4", "7", "I do not know."),
        verse("5", "7", "The answer is 7. " + "but " * 40 + "then again, no."),
    ]
    server = endpoint("--full")
    judged = mathverse.judge_answers(judge_for(server), cases)
    assert [j.verdict.official for j in judged] == [True, False, False, False, False]
    assert [j.verdict.reason for j in judged] == ["", "", "empty", "unextracted", "unextracted"]
    assert [len(j.answers) for j in judged] == [2, 2, 0, 1, 1]
    assert judged[0].prompts == ("mathverse_extraction@1", "mathverse_match@1")
    sent = "\n".join(r["body"]["messages"][1]["content"] for r in server.requests())
    assert sent.count("The whole question") == 2


def test_mathverse_sees_the_last_30_words():
    words = [str(i) for i in range(100)]
    assert mathverse.end(" ".join(words)) == " ".join(words[-30:])
    assert mathverse.end("short answer") == "short answer"


def test_cot_e(endpoint, judge_for):
    right = "Step 1 reads 3.\nStep 2 is wrong.\nStep 3 adds.\nStep 4 adds.\nThe answer is 7."
    cases = [
        verse("1", "7", right, pictures=(Picture(PNG, None, "x"),)),
        verse("2", "8", right, "Vision Only"),
        verse("3", "7", "The answer is 7.", "Text Only"),
        verse("4", "7", ""),
        verse("5", "7", "No idea."),
    ]
    server = endpoint("--full")
    judged = judge_steps(judge_for(server), cases)
    assert [j.verdict.scores["cot_e"] for j in judged] == pytest.approx([0.7 * 0.75 + 0.3, 0.7 * 0.75, 1.0, 0.0, 0.0])
    assert [j.verdict.verified for j in judged] == [True, False, True, False, False]
    assert [j.verdict.reason for j in judged] == ["", "", "", "empty", "unextracted"]
    detail = judged[0].detail
    assert [step["correct"] for step in detail["steps"]] == [1, 0, 1, 1]
    assert detail["steps"][1] == {"step": "Step 2 is wrong.", "correct": 0, "analysis": "as marked"}
    assert detail["answer"]["correct"] == 1
    assert detail["unofficial"] is True

    first = [r["body"]["messages"] for r in server.requests() if '"steps"' in r["body"]["messages"][0]["content"]]
    assert len(first) == 3  # two responses are the same
    # The first judge sees the response alone: neither question, gold nor picture.
    assert all(isinstance(m[1]["content"], str) and "whole question" not in m[1]["content"] for m in first)
    assert not any("Reference" in m[1]["content"] for m in first)
    second = [r["body"]["messages"] for r in server.requests() if '"verdicts"' in r["body"]["messages"][0]["content"]]
    shown = [m[1]["content"] for m in second if isinstance(m[1]["content"], list)]
    assert [part["type"] for part in shown[0]] == ["image_url", "text"]
    assert "The whole question 1?" in shown[0][1]["text"]

    card = summarise([c.problem for c in cases], judged)
    assert card.value("cot_e", "version", "Vision Only") == pytest.approx(0.525)
    assert card.value("cot_e", "version", "Text Only") == 1.0
    text_lite = (0.825 + 0 + 0) / 3
    assert card.value("cot_e") == pytest.approx((text_lite + 0.525) / 2)
    assert card.counts["unscored"] == 0


def marked(steps, right):
    """A response with these steps, "1" right and "0" wrong, and an answer that is right or not."""
    lines = [f"Step {i} is {'right' if mark == '1' else 'wrong'}." for i, mark in enumerate(steps)]
    return "\n".join([*lines, f"The answer is {7 if right else 8}."])


def test_cot_e_adds_up_over_six_versions(endpoint, judge_for):
    """60 rows: what each version is worth is computed by hand; Text Only has no part in the three sums."""
    kinds = {
        # (steps, answer right, how many): steps and answer, summed by hand over ten rows
        "Text Dominant": [("1111", True, 5), ("1100", False, 5)],  # 5 + 2.5 = 7.5; 5
        "Text Lite": [("10", True, 4), ("0000", False, 6)],  # 2; 4
        "Text Only": [("1", True, 10)],  # 10; 10
        "Vision Intensive": [("", True, 3), ("", False, 7)],  # no step: the answer is its own, 3; 3
        "Vision Dominant": [("1000", False, 8), (None, False, 2)],  # 2, an empty response nothing; 0
        "Vision Only": [("111", False, 1), ("0", True, 9)],  # 1; 9
    }
    cases = []
    for version, rows in kinds.items():
        for steps, right, count in rows:
            response = "" if steps is None else marked(steps, right)
            cases += [verse(f"{version} {len(cases) + i}", "7", response, version) for i in range(count)]
    assert len(cases) == 60
    server = endpoint("--full")
    judged = judge_steps(judge_for(server), cases, steps_model="reader")
    card = summarise([c.problem for c in cases], judged)
    steps, answer = (0.75 + 0.2 + 0.3 + 0.2 + 0.1) / 5, (0.5 + 0.4 + 0.3 + 0 + 0.9) / 5
    assert card.value("cot_e_steps") == pytest.approx(steps)
    assert card.value("cot_e_answer") == pytest.approx(answer)
    assert card.value("cot_e") == pytest.approx(0.7 * steps + 0.3 * answer)
    assert card.value("cot_e", "version", "Text Only") == 1.0
    assert [card.get(name).count for name in ("cot_e", "cot_e_steps", "cot_e_answer")] == [50, 50, 50]
    assert card.provenance["alpha"] == 0.7
    asked = {(r["body"]["model"], '"verdicts"' in r["body"]["messages"][0]["content"]) for r in server.requests()}
    assert asked == {("reader", False), ("scripted", True)}


def test_cot_e_doubts_short_answers():
    long = verse("1", "7", "word " * 20)
    short = verse("2", "7", "The answer is 7.")
    assert doubts([long, long, short], {}) == []
    assert "2 of 3 responses have fewer than 15 words" in doubts([long, short, short], {})[0]
    assert doubts([short], {"cot": 1}) == []
    assert "2 responses come from the short-answer prompt (wo)" in doubts([long] * 3, {"cot": 1, "wo": 2})[0]


def test_alpha(endpoint, judge_for):
    case = verse("1", "8", "Step 1 reads.\nThe answer is 7.")
    server = endpoint()
    for alpha, expected in ((0.0, 0.0), (0.3, 0.3), (1.0, 1.0)):
        (judged,) = judge_steps(judge_for(server), [case], alpha=alpha)
        assert judged.verdict.scores["cot_e"] == pytest.approx(expected)


@pytest.mark.parametrize("metric", [mathvista.judge_answers, mathverse.judge_answers, judge_steps])
def test_a_failing_judge_leaves_cases_unscored(endpoint, judge_for, metric):
    cases = [verse("1", "7", "The answer is 7.")]
    if metric is mathvista.judge_answers:
        cases = [number("1", "7", "The answer is 7.")]
    (judged,) = metric(judge_for(endpoint("--faults", "1", "--only", "not_json")), cases)
    assert (judged.verdict.official, judged.verdict.verified) == (None, None)
    assert judged.verdict.reason.startswith("judge_failed: invalid reply")
    assert judged.verdict.scores == {}


@pytest.mark.parametrize("module", [mathvista, mathvision, wemath, mathopeval])
def test_error_types_of_every_taxonomy(endpoint, judge_for, module):
    taxonomy = module.ERRORS
    groups = {"concept": ("area", "angles"), "level": ("1",)}
    cases = [number(c.name, "7", f"{c.name}: The answer is 8.", groups=groups) for c in taxonomy.classes]
    verdicts = [Verdict(c.problem.id, False, False) for c in cases]
    judged = judge_errors(judge_for(endpoint()), cases, verdicts, taxonomy)
    assert [j.detail["error_type"] for j in judged] == [c.name for c in taxonomy.classes]
    assert all(j.detail["slices"] == list(groups.get(taxonomy.by, ())) for j in judged)
    rows = distribution(judged, taxonomy)
    shares = {
        row["name"]: row["share"]
        for row in rows
        if row["table"] == "error_type" and row["answer"] == "wrong" and not row["slice"]
    }
    assert shares == pytest.approx(dict.fromkeys(shares, 1 / len(cases)))
    assert rows[-1] == {"table": "unscored", "name": "unscored", "count": 0}


@pytest.mark.parametrize("name", ["mathvista", "wemath"])
def test_errors_are_classed_for_benchmarks_with_and_without_a_judged_answer(endpoint, judge_for, name):
    known, kinds = benchmark(name), taxonomy_of(name).classes
    cases = [number(c.name, "7", f"{c.name}: The answer is 8.") for c in kinds]
    if name == "wemath":
        asked = Problem("wemath", "", "How many?", choices=("7", "8"), answer="A", answer_type="choice")
        cases = [Case(dataclasses.replace(asked, id=c.name), f"{c.name}: The answer is B.") for c in kinds]
    loaded = SavedCases(known, tuple(cases), tuple(case.problem for case in cases), "", ())
    judging = judged_errors(judge_for(endpoint()), loaded, Settings("http://h/v1", "m"))
    assert [j.detail["error_type"] for j in judging.judged] == [c.name for c in kinds]
    assert judging.judged[0].row(cases[0], "m")["response"] == cases[0].response


@pytest.mark.parametrize("reader", [GIVEN, JUDGE, "rules"])
def test_a_judge_is_the_reader_unless_rules_were(endpoint, judge_for, reader):
    judge = judge_for(endpoint())
    verdict = by_judge(Verdict("1", True, True, reader=reader), judge)
    who = f"judge:{judge.client.model}"
    assert (verdict.rule, verdict.reader) == (who, reader if reader == "rules" else who)


def test_error_types_leave_right_and_unscored_answers_out(endpoint, judge_for):
    cases = [number(str(i), "7", "visual") for i in range(4)] + [number("4", "7", " ")]
    verdicts = [
        Verdict("0", True, True),
        Verdict("1", False, False),
        Verdict("2", None, False),
        Verdict("3", None, None),
    ]
    verdicts.append(Verdict("4", False, False))
    judge = judge_for(endpoint())
    assert [j.verdict.id for j in judge_errors(judge, cases, verdicts, wemath.ERRORS)] == ["1", "2"]
    assert [j.verdict.id for j in judge_errors(judge, cases, verdicts, mathvista.ERRORS)] == ["0", "1", "2"]


def classed(id, answer, error_type, *flaws):
    detail = {"answer": answer, "error_type": error_type, "flaws": list(flaws), "analysis": "", "slices": []}
    return Judged(Verdict(id, answer == "right", None), (), detail)


def test_figure_4_of_mathvista_by_hand():
    """20 responses, 10 wrong explanations: flaws are shares of the 10, everything else of the 20."""
    found = [
        *[classed("a", "right", "correct")] * 5,
        *[classed("b", "right", "not_applicable", "hallucination")] * 2,
        classed("c", "right", "partially_correct", "hallucination"),
        *[classed("d", "right", "incorrect", "wrong_calculation")] * 2,
        *[classed("e", "wrong", "correct", "hallucination")] * 3,
        *[classed("f", "wrong", "incorrect", "hallucination", "wrong_reasoning")] * 3,
        classed("g", "wrong", "incorrect", "hallucination"),
        *[classed("h", "wrong", "incorrect", "wrong_reasoning")] * 2,
        classed("i", "wrong", "incorrect"),
    ]
    assert len(found) == 20
    rows = distribution(found, mathvista.ERRORS)
    shown = {(row["answer"], row["name"]): (row["count"], row["of"], row["share"], row["paper"]) for row in rows[:-1]}
    assert shown["any", "hallucination"] == (5, 10, 0.5, 0.496)
    assert shown["any", "wrong_reasoning"] == (5, 10, 0.5, None)
    assert shown["any", "right_reasoning_with_hallucination"] == (2, 10, 0.2, 0.186)
    assert shown["any", "right_reasoning_with_wrong_calculation"] == (2, 10, 0.2, 0.195)
    assert shown["wrong", "incorrect"] == (7, 20, 0.35, 0.446)
    assert shown["right", "partially_correct"] == (1, 20, 0.05, 0.068)
    assert shown["right", "incorrect"] == (2, 20, 0.1, 0.081)


def test_right_answers_by_wrong_reasoning(endpoint, judge_for):
    """MathOPEval classes right answers too, by other classes; errors are shares of the wrong answers alone."""
    problem = Problem("mathopeval", "", "Which?", ("x", "y"), "A", "multi_choice")
    said = ["sound_reasoning", "wrong_reasoning", "visual_perception", "visual_perception", "output_format"]
    cases = [Case(dataclasses.replace(problem, id=str(i)), text) for i, text in enumerate(said)]
    verdicts = [Verdict(case.problem.id, i < 2, i < 2) for i, case in enumerate(cases)]
    judged = judge_errors(judge_for(endpoint()), cases, verdicts, mathopeval.ERRORS)
    assert [j.detail["error_type"] for j in judged] == said
    assert [j.prompts[0] for j in judged] == ["mathopeval_reasoning@1"] * 2 + ["mathopeval_errors@1"] * 3
    rows = {row["name"]: row for row in distribution(judged, mathopeval.ERRORS)}
    assert rows["wrong_reasoning"]["share"] == pytest.approx(1 / 5)
    assert rows["wrong_reasoning"]["paper"] == 0.17
    assert rows["visual_perception"]["share"] == pytest.approx(2 / 3)


def test_printed_shares_of_the_papers():
    assert sum(c.paper for c in mathvision.ERRORS.classes) == pytest.approx(1)
    assert sum(c.paper for c in mathopeval.ERRORS.classes) == pytest.approx(1)
    assert sum(c.paper or 0 for c in mathopeval.ERRORS.right) == pytest.approx(0.5)
    assert taxonomy_of("mathverse") is None


def test_mathopeval_free_form(endpoint, judge_for):
    def problem(id, task, **more):
        groups = {"task": (task,), "type": ("bar",), "task x type": (f"{task} x bar",)}
        extra = {"original_code": None if task == "mcg" else "plt.bar([1], [1])"}
        return Problem(
            "mathopeval", id, "Draw it.\nOriginal code:\n```python\nx\n```", groups=groups, extra=extra, **more
        )

    reference = "plt.bar([1], [2])"
    letter = problem("4", "mcg", choices=("x", "y"), answer="B", question_type="multi_choice")
    cases = [
        Case(problem("1", "mcg", answer=reference), f"```python\n{reference}\n```"),
        Case(problem("2", "mce_modification", answer=reference), "```python\nplt.pie([1])\n```"),
        Case(problem("3", "mcg", answer=reference), "I will not."),
        Case(letter, "\\boxed{B}"),
    ]
    server = endpoint("--full")
    judged = mathopeval.judge_answers(judge_for(server), cases)
    assert [j.verdict.scores.get("rating") for j in judged] == [10.0, 5.0, 1.0, None]
    assert [j.verdict.official for j in judged] == [None, None, None, True]
    assert [j.detail.get("band") for j in judged] == [5, 3, 1, None]
    assert [j.detail.get("generated_elements") for j in judged[:3]] == [["bar A", "bar B"], ["bar A"], []]
    assert [j.prompts for j in judged[:3]] == [("mathopeval_mcg_bar@1",), ("mathopeval_mce_modification_bar@1",), ()]
    assert judged[2].verdict.reason == "unextracted"
    sent = [r["body"]["messages"][1]["content"] for r in server.requests()]
    assert len(sent) == 2
    assert sum("Original code" in text for text in sent) == 1
    (failed,) = mathopeval.judge_answers(judge_for(endpoint("--faults", "1", "--only", "empty")), cases[:1])
    assert failed.verdict.reason == "judge_failed: invalid reply: it was empty"
    assert failed.verdict.scores == {}

"""Which saved responses count as cut."""

import json

import pytest

from mmmath_tasks.outputs.cuts import prompts_open_thoughts, says_cut
from mmmath_tasks.outputs.run import problems_of, score_file

THOUGHT = "the angle is 30, so"


@pytest.fixture(scope="module")
def problems():
    return problems_of("mathvista", "sample", None)[0]


@pytest.mark.parametrize(
    "row",
    [
        {"response": "a", "finish_reason": "length"},
        {"response": "a", "finish_reason": "MAX_TOKENS"},
        {"response": "a", "stop_reason": "max_tokens"},
        {"response": "a", "truncated": True},
        {"response": "a", "truncated": "True"},
        {"resps": [["a"]], "truncated": 1.0},
        {"response": "a", "verdict": {"truncated": True}},
        {"resps": [[THOUGHT]], "arguments": {"gen_args_0": {"arg_0": "Q<|assistant|><think>\n", "arg_1": {}}}},
        {"resps": [THOUGHT], "arguments": [["Q<think>", {"until": []}]]},
    ],
    ids=str,
)
def test_a_row_that_says_so(row):
    assert says_cut(row)


@pytest.mark.parametrize(
    "row",
    [
        {"response": "a"},
        {"response": "a", "finish_reason": "stop", "truncated": False},
        {"resps": [["a"]], "truncated": 0.0},
        {"response": "a", "verdict": {"truncated": False}},
        {"resps": [[THOUGHT + "</think>30"]], "arguments": {"gen_args_0": {"arg_0": "Q<think>\n"}}},
        {"resps": [[THOUGHT]], "arguments": {"gen_args_0": {"arg_0": "Q<think></think>"}}},
        {"response": "a", "finish_reason": None, "arguments": []},
    ],
    ids=str,
)
def test_a_row_that_does_not(row):
    assert not says_cut(row)


@pytest.mark.parametrize(
    ("responses", "opened"),
    [
        ([THOUGHT, THOUGHT + "</think>30"], True),
        ([THOUGHT] * 19 + [THOUGHT + "</think>30"], True),
        ([THOUGHT] * 30 + [THOUGHT + "</think>30"], False),  # one slip, and no more
        ([THOUGHT, "<think>" + THOUGHT + "</think>30"], False),
        (["30", "40"], False),
        (["", ""], False),
        ([], False),
    ],
)
def test_other_responses_show_that_the_prompt_opened_the_thinking(responses, opened):
    assert prompts_open_thoughts(responses) is opened


def scored(folder, problems, responses, **columns):
    rows = [{"pid": p.id, "response": text, **columns} for p, text in zip(problems, responses, strict=False)]
    (folder / "run.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    return score_file(folder / "run.jsonl", name="mathvista", problems=problems)


def test_a_run_whose_prompts_opened_the_thinking(tmp_path, problems):
    found = scored(tmp_path, problems, [THOUGHT, THOUGHT + "</think>The answer is 30.", "", THOUGHT])
    assert [verdict.truncated for verdict in found.verdicts] == [True, False, False, True]
    assert found.card.counts["truncated"] == 2
    assert found.card.value("share_truncated") == 0.5


def test_a_cut_response_may_be_right(tmp_path, problems):
    found = scored(tmp_path, problems, [f"<think>It is {problems[0].answer}</think>\n({'A'})"], finish_reason="length")
    assert found.verdicts[0].truncated
    assert found.verdicts[0].reason == ""


def test_what_was_cut_stays_so_when_samples_are_scored_again(tmp_path, problems):
    rows = []
    scored(tmp_path, problems, ["The answer is 5.", "The answer is"], finish_reason="length")
    score_file(
        tmp_path / "run.jsonl",
        name="mathvista",
        problems=problems,
        sink=lambda problem, response, verdict, _: rows.append(
            {"problem": problem.to_dict(), "response": response, "verdict": verdict.to_dict()}
        ),
    )
    (tmp_path / "again.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    again = score_file(tmp_path / "again.jsonl")
    assert again.card.counts["truncated"] == 2

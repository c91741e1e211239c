"""What is made of single rows of files: every field of what is read, by the format of the file."""

import json

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.columns import Columns
from mmmath_tasks.outputs.saved import Saved, open_saved
from mmmath_tasks.outputs.upstream_row import upstream_row
from mmmath_tasks.problem import Problem, Verdict

FAILED = "Failed to obtain answer via API."
OURS = Problem("mathvision", "p7", "How many?", answer="12").to_dict()


def ours(rule, **more):
    verdict = Verdict("p7", True, False, extracted="13", prediction="12", rule=rule)
    return {"problem": OURS, "response": "So 12.", "verdict": verdict.to_dict(), **more}


JUDGED = {"question_id": "p4", "choices": ["a"], "answer": "a", "extraction": "B", "true_false": False}
LM_EVAL = {"doc_id": 3, "doc": {"id": "p9"}, "target": 12, "resps": [["So 12.", "13"]], "filter": "none"}
LM_EVAL |= {"filtered_resps": ["12"], "arguments": {"gen_args_0": {"arg_0": "How many?"}}}
LMMS_EVAL = {"doc_id": 5, "target": "B", "filtered_resps": ["It is B."], "input": "..."}
PLAIN = {"id": 7.0, "response": "So 12."}
PREDICTED = {"index": "7", "prediction": "So 12.", "question": "How many?"}
EVALSCOPE = {"index": 4, "messages": [{"role": "user", "content": "How many?"}], "model_output": {"choices": []}}
SAID = {"role": "assistant", "content": "12"}
KINDS = {
    "VLMEvalKit table": ("prediction",),
    "evalscope": ("response",),
    "lm-eval samples": ("resps", "filtered_resps"),
    "lmms-eval samples": ("filtered_resps",),
    "mmmath samples": ("response",),
    "table": ("response",),
}


@pytest.mark.parametrize(
    ("kind", "row", "wanted"),
    [
        (
            "lm-eval samples",
            LM_EVAL,
            Saved(1, ("p9",), 3, ("So 12.", "13"), column="resps", row={"id": "p9"}, target="12"),
        ),
        (
            "lm-eval samples",
            {**LM_EVAL, "resps": [[]], "seed": 1234},
            Saved(1, ("p9",), 3, ("12",), column="filtered_resps", row={"id": "p9"}, target="12", seed="1234"),
        ),
        (
            "lm-eval samples",
            {**LM_EVAL, "resps": [[None]], "truncated": 1.0},
            Saved(1, ("p9",), 3, ("",), column="resps", row={"id": "p9"}, target="12", truncated=True),
        ),
        (
            "lmms-eval samples",
            LMMS_EVAL,
            Saved(1, (), 5, ("It is B.",), column="filtered_resps", row=LMMS_EVAL, target="B"),
        ),
        (
            "lmms-eval samples",
            {**LMMS_EVAL, "llm_as_judge_eval": JUDGED},
            Saved(
                1, ("p4",), 5, ("It is B.",), column="filtered_resps", row=JUDGED, target="B", stored=False
            ),
        ),
        (
            "mmmath samples",
            ours("judge:m"),
            Saved(1, ("p7",), None, ("So 12.",), extraction="13", column="response", stored=True, row=OURS),
        ),
        (
            "mmmath samples",
            ours("last number"),
            Saved(1, ("p7",), None, ("So 12.",), column="response", stored=True, row=OURS),
        ),
        (
            "mmmath samples",
            ours("judge:m", detail={"extraction": ""}),
            Saved(1, ("p7",), None, ("So 12.",), extraction="", column="response", stored=True, row=OURS),
        ),
        (
            "mmmath samples",
            ours("last number", detail={"extraction": ""}),
            Saved(1, ("p7",), None, ("So 12.",), extraction="", unread=True, column="response", stored=True, row=OURS),
        ),
        (
            "table",
            PLAIN,
            Saved(1, ("7",), None, ("So 12.",), column="response", row=PLAIN),
        ),
        (
            "table",
            {**PLAIN, "pid": " 8 ", "index": "7", "finish_reason": "length", "correct": "0"},
            Saved(
                1, ("8", "7"), None, ("So 12.",), column="response", stored=False, truncated=True,
                row={**PLAIN, "pid": " 8 ", "index": "7", "finish_reason": "length", "correct": "0"},
            ),
        ),
        (
            "table",
            {"Unnamed: 0": "4", "response": ["a", None, "c"], "choices": "['x', 'y']"},
            Saved(
                1, (), 4, ("a", "", "c"), column="response",
                row={"Unnamed: 0": "4", "response": ["a", None, "c"], "choices": ["x", "y"]},
            ),
        ),
        (
            "VLMEvalKit table",
            PREDICTED,
            Saved(1, ("7",), None, ("So 12.",), column="prediction", row=PREDICTED),
        ),
        (
            "evalscope",
            {**EVALSCOPE, "model_output": {"choices": [{"message": SAID, "finish_reason": "length"}]}},
            Saved(1, (), 4, ("12",), column="response", row={}, truncated=True, asked="How many?"),
        ),
        (
            "evalscope",
            {**EVALSCOPE, "metadata": {"id": "m"}},
            Saved(1, ("m",), 4, ("",), column="response", row={"id": "m"}, asked="How many?"),
        ),
        (
            "table",
            {**PLAIN, "response": FAILED},
            Saved(1, ("7",), None, (), column="response", row={**PLAIN, "response": FAILED}),
        ),
        (
            "table",
            {**PLAIN, "response": [FAILED, "12"]},
            Saved(1, ("7",), None, (FAILED, "12"), column="response", row={**PLAIN, "response": [FAILED, "12"]}),
        ),
        (
            "table",
            {**PLAIN, "response": ["", None], "error": "late"},
            Saved(1, ("7",), None, (), column="response", row={**PLAIN, "response": ["", None], "error": "late"}),
        ),
    ],
)  # fmt: skip
def test_a_row_in_full(tmp_path, kind, row, wanted):
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps(row) + "\n")
    file = open_saved(path)
    assert (file.format, file.columns.responses[: len(KINDS[kind])]) == (kind, KINDS[kind])
    assert list(file) == [wanted]
    assert file.responses() == max(1, len(wanted.responses))


@pytest.mark.parametrize(
    ("row", "kind"),
    [
        ({"id": "7", "prediction": "12"}, "table"),
        ({"index": "7", "prediction": "", "response": "12"}, "table"),
        ({"doc_id": 7, "response": "12"}, "table"),
        ({"problem": OURS, "response": "12"}, "table"),
        ({"id": "7", "response": "12", "level": 1, "subject": "x"}, "authors' file"),
    ],
)
def test_the_format_of_a_file(tmp_path, row, kind):
    (tmp_path / "run.jsonl").write_text(json.dumps(row) + "\n")
    assert open_saved(tmp_path / "run.jsonl").format == kind


@pytest.mark.parametrize(
    ("short", "response", "extraction", "unread"),
    [
        ("B", "So 12.", "B", False),
        ("", "So 12.", "", True),
        (" ", "So 12.", " ", True),
        (None, "So 12.", "", True),
        (FAILED, "So 12.", FAILED, True),
        ("", " ", "", False),
        ("B", None, "B", False),
        ("", FAILED, None, False),
    ],
)
def test_short_answers_that_were_asked_for(tmp_path, short, response, extraction, unread):
    path = tmp_path / "run.jsonl"
    path.write_text(json.dumps({"id": "1", "response": response, "mine": short}) + "\n")
    file = open_saved(path, extraction="mine")
    assert file.columns == Columns(("response",), "mine", "asked for")
    (saved,) = file
    assert (saved.extraction, saved.unread) == (extraction, unread)


def test_of_two_filters_only_the_first_is_read_and_a_row_without_the_column_has_no_response(tmp_path):
    path = tmp_path / "run.jsonl"
    rows = [{**LM_EVAL, "doc_id": i, "filter": kind} for kind in ("b", "a") for i in (0, 1)]
    path.write_text("".join(json.dumps(row) + "\n" for row in [*rows, {"doc_id": 2, "doc": {"id": "p8"}}]))
    assert [(saved.where, saved.position, saved.column, len(saved.responses)) for saved in open_saved(path)] == [
        (1, 0, "resps", 2),
        (2, 1, "resps", 2),
        (5, 2, "", 0),
    ]


def test_where_prompts_opened_a_thought_a_response_without_a_mark_was_cut(tmp_path):
    path = tmp_path / "run.jsonl"
    said = ["So 3 </think> 4", "So 5", " ", "<think> So </think> 6"]
    path.write_text(
        "".join(json.dumps({"id": i, "response": text}) + "\n" for i, text in enumerate([*said, *said[:1]]))
    )
    file = open_saved(path)
    assert file.thinks
    assert [saved.truncated for saved in file] == [False, True, False, False, False]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ("[]", "holds no rows"),
        ("id,response\n", "holds no rows"),
        (
            '{"metric": "acc", "group": "", "slice": "", "value": 1, "count": 2}\n',
            "is a scorecard, not responses: those are in samples_*.jsonl beside it",
        ),
    ],
)
def test_what_holds_no_responses(tmp_path, content, message):
    (tmp_path / "run").write_text(content)
    with pytest.raises(InputError) as error:
        open_saved(tmp_path / "run")
    assert str(error.value) == f"{tmp_path / 'run'}: {message}"


@pytest.mark.parametrize(
    ("name", "columns", "found"),
    [
        ("run.jsonl", {"benchmark": "MATH-Vision"}, "mathvision"),
        ("run.jsonl", {"benchmark": "MathVisit"}, "MathVisit"),
        ("run.jsonl", {"benchmark": ""}, None),
        ("mathverse.jsonl", {"benchmark": 3}, "mathverse"),
        ("run.jsonl", {"level": 1, "subject": "x"}, "mathvision"),
        ("mathverse.jsonl", {"level": 1, "subject": "x"}, "mathvision"),
        ("We-Math run.jsonl", {}, "wemath"),
        ("run.jsonl", {"level": 1}, None),
    ],
)
def test_the_benchmark_of_a_file(tmp_path, name, columns, found):
    (tmp_path / name).write_text(json.dumps({**PLAIN, **columns}) + "\n")
    assert open_saved(tmp_path / name).benchmark == found


def test_a_csv_row_gets_its_numbers_and_its_empty_cells_back():
    row = {"pid": "1", "question": "?", "choices": "", "precision": "2.0", "unit": "", "x": ""}
    saved = Saved(where=1, ids=("1",), position=None, responses=(), row=row)
    assert dict(upstream_row("mathvista", saved)) == {**row, "choices": None, "precision": 2.0, "unit": None}
    for precision in ("", "two", None):
        found = upstream_row("mathvista", Saved(1, ("1",), None, (), row={**row, "precision": precision}))
        assert found["precision"] == (None if precision == "" else precision)
    inner = {"pid": "2"}
    assert upstream_row("mathvista", Saved(1, ("1",), None, (), row={**row, "problem_row": inner})) == inner
    assert upstream_row("mathvista", Saved(1, ("1",), None, (), row={**row, "problem_row": "x"}))["pid"] == "1"

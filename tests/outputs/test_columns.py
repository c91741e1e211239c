"""Which text of a file is scored, and what is said of it: files as people share them, through the command."""

import csv
import json
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.outputs.columns import choose
from mmmath_tasks.outputs.run import problems_of, score_file
from mmmath_tasks.outputs.saved import open_saved
from mmmath_tasks.score_labels import how_read
from support.sample_rows import rows_without_pictures
from support.saved_formats import as_authors

LONG = "Looking at the figure, the two sides are compared step by step. The answer is ({})."


def right(name, row):
    """A response that is right by both rules, as long as models' are."""
    gold = mm.benchmark(name).problem(row).answer
    form = {"wemath": "<Answer>: <<{}>>", "mathvision": "\\boxed{{{}}}"}.get(name, "The answer is {}.")
    return f"Looking at the figure, the sides are compared step by step.\n{form.format(gold)}"


def rescored(path, capsys, *arguments):
    """Run the command on a file with the sample's problems; return the card and the lines printed about the file."""
    out = path.parent / "out"
    assert main(["rescore", str(path), "--out", str(out), *arguments]) == 0
    printed = capsys.readouterr().out.split("\n\n")[0].splitlines()
    return mm.Scorecard.from_json((out / f"scorecard_{path.stem}.json").read_text()), printed


@pytest.fixture
def choices():
    """MathVista's multiple-choice rows of the sample, in upstream's columns."""
    return [row for row in rows_without_pictures("mathvista") if row["choices"]]


@pytest.mark.parametrize("column", ["Response", " response ", "Model Response", "RESPONSE"])
def test_names_of_columns_as_people_write_them(tmp_path, capsys, column):
    (tmp_path / "run.csv").write_text(f"id,{column}\n1,\\boxed{{12}}\n")
    _, printed = rescored(tmp_path / "run.csv", capsys, "--benchmark", "mathvision", "--split", "sample")
    assert printed[1].strip() == f"scored: responses in column {column.strip()!r} (1 row)"


@pytest.mark.parametrize(("second", "said"), [("x", True), ("", False)])
def test_a_second_column_of_responses_is_named(tmp_path, capsys, second, said):
    (tmp_path / "run.csv").write_text(f"id,response,output\n1,\\boxed{{12}},{second}\n")
    _, printed = rescored(tmp_path / "run.csv", capsys, "--benchmark", "mathvision", "--split", "sample")
    rest = "; not read: responses in 'output' (see --response-column)" if said else ""
    assert printed[1].strip() == f"scored: responses in column 'response' (1 row){rest}"


# which text the authors read


@pytest.mark.parametrize("name", ["wemath", "mathvision", "mathverse"])
@pytest.mark.parametrize("column", ["extraction", "res", "model_answer"])
def test_a_column_of_nonsense_changes_nothing_where_the_authors_read_the_response(tmp_path, capsys, name, column):
    rows = rows_without_pictures(name)
    texts = [right(name, row) if i % 3 else "none" for i, row in enumerate(rows)]
    lines = [{**row, column: "zzz", "response": text} for row, text in zip(rows, texts, strict=True)]
    for path, kept in ((tmp_path / "with.json", lines), (tmp_path / "without.json", rows)):
        path.write_text(json.dumps([{**row, "response": t} for row, t in zip(kept, texts, strict=True)]))
    alone, _ = rescored(tmp_path / "without.json", capsys)
    card, printed = rescored(tmp_path / "with.json", capsys)
    assert card.scores == alone.scores
    assert alone.value("acc_verified" if name != "wemath" else "score_loose_verified") > 0.3
    assert (
        f"  scored: responses in column 'response' ({len(rows)} rows); not read: short answers in {column!r} "
        "(see --extraction-column)"
    ) in printed
    assert card.provenance["response_columns"] == {"response": len(rows)}
    assert card.provenance["extractions"] == f"0 of {len(rows)} from the file"


def test_short_answers_of_unknown_origin_are_scored_when_asked_for(tmp_path, capsys):
    rows = rows_without_pictures("wemath")
    lines = [{**row, "response": "no idea", "my_short": row["answer"]} for row in rows]
    (tmp_path / "run.json").write_text(json.dumps(lines))
    card, printed = rescored(tmp_path / "run.json", capsys, "--extraction-column", "my_short")
    assert card.value("score_strict") == 1
    assert f"  scored: short answers in column 'my_short' ({len(rows)} rows; asked for)" in printed
    assert (card.provenance["extraction_column"], card.provenance["extraction_origin"]) == ("my_short", "asked for")
    assert "Scored from the short answers in column 'my_short'" in card.notes[-1]
    assert main(["rescore", str(tmp_path / "run.json"), "--extraction-column", "my_shorts"]) == 2
    assert "--extraction-column: no column 'my_shorts'; its columns: ID, " in capsys.readouterr().err


def test_mathvistas_extraction_counts_beside_its_authors_columns_only(tmp_path, capsys, choices):
    whole, bare = tmp_path / "whole.json", tmp_path / "mathvista_bare.jsonl"
    as_authors(whole, "mathvista", [{**row, "extraction": row["answer"]} for row in choices], ["?"] * len(choices))
    lines = [{"pid": row["pid"], "response": right("mathvista", row), "extraction": "zzz"} for row in choices]
    bare.write_text("".join(json.dumps(line) + "\n" for line in lines))
    card, printed = rescored(whole, capsys)
    assert card.value("acc") == 1
    said = f"  scored: short answers in column 'extraction' ({len(choices)} rows; the authors' rule reads it)"
    assert said in printed
    card, printed = rescored(bare, capsys, "--split", "sample")
    assert card.value("acc") == 1
    assert "not read: short answers in 'extraction'" in printed[1]


@pytest.mark.parametrize(("turned", "odd"), [(False, "2"), (True, 2), (True, "0")])
@pytest.mark.parametrize("column", ["true_false", "is_correct"])
def test_stored_verdicts_that_are_not_ours_are_counted_and_said(tmp_path, capsys, choices, column, turned, odd):
    """Flags of 0 and 1, as a CSV keeps them; turned, 0 stands for right."""
    texts = [right("mathvista", row) if i % 2 else "zzz" for i, row in enumerate(choices)]
    problems = {p.id: p for p in problems_of("mathvista", "sample", None)[0]}
    ours = [
        mm.benchmark("mathvista").score(problems[r["pid"]], t).official for r, t in zip(choices, texts, strict=True)
    ]
    flags = [str(int(verdict is not turned)) for verdict in ours]
    flags[0] = odd
    path = tmp_path / "mathvista_run.csv"
    with path.open("w", newline="") as file:
        writer = csv.writer(file)
        writer.writerow(["pid", "response", column])
        writer.writerows([r["pid"], t, f] for r, t, f in zip(choices, texts, flags, strict=True))
    known = [(flag in ("1", True), verdict) for flag, verdict in zip(flags, ours, strict=True) if flag in ("0", "1")]
    wrong = sum(stored is not verdict for stored, verdict in known)
    card, printed = rescored(path, capsys, "--split", "sample")
    said = card.provenance["stored_verdicts"]
    assert said == {"column": column, "rows": len(known), "not_ours": wrong, "inverted": turned}
    lines = [line for line in printed if "verdicts stored in the file" in line]
    if not wrong:
        assert lines == []
    else:
        assert f"  {wrong} of {len(known)} verdicts stored in the file ({column}) are not ours (official)" in lines[0]
        assert f"not ours (official); {len(known) - wrong} where 0 stands for right" in lines[0]


# which column is the response


def test_the_models_text_and_not_what_was_made_of_it(tmp_path, capsys, choices):
    lines = [
        {**row, "index": i, "prediction": row["choices"][0], "model_answer": right("mathvista", row)}
        for i, row in enumerate(choices)
    ]
    (tmp_path / "run.json").write_text(json.dumps(lines))
    card, printed = rescored(tmp_path / "run.json", capsys)
    assert card.value("acc") == card.value("acc_verified") == 1
    assert f"  scored: responses in column 'model_answer' ({len(choices)} rows)" in printed
    assert printed[0].endswith(f": authors' file, mathvista, {len(choices)} responses")


@pytest.mark.parametrize(
    ("cells", "column"),
    [
        ({"prediction": "B", "output": LONG.format("A")}, "output"),
        ({"prediction": "a rather long text of an option", "answer_text": "The answer is option A."}, "answer_text"),
        ({"model_answer": "A", "response": LONG.format("A")}, "response"),
        ({"response": "Answer: A", "output": LONG.format("A") * 3}, "output"),
        ({"response": "", "output": "A"}, "output"),
        (
            {
                "response": "A",
                "output": "Which of these is the longest side? A",
                "question": "Which of these is the longest side?",
            },
            "response",
        ),
        (
            {
                "response": "A",
                "text": "Which of these is the longest side?",
                "question": "Which of these is the longest side?",
            },
            "response",
        ),
        ({"prediction": LONG.format("A")}, "prediction"),
        ({"response": "A", "prediction": "Regular hexagon"}, "response"),
        ({"output": LONG.format("A"), "response": LONG.format("A")}, "response"),
    ],
)
def test_the_column_of_responses_is_known_by_what_it_holds(tmp_path, cells, column):
    (tmp_path / "run.jsonl").write_text("".join(json.dumps({"id": i, **cells}) + "\n" for i in range(3)))
    assert next(iter(open_saved(tmp_path / "run.jsonl"))).column == column


def test_the_column_of_responses_that_a_user_names(tmp_path, capsys):
    problems, _ = problems_of("mathvista", "sample", None)
    lines = [{"pid": p.id, "response": "zzz", "second_try": f"It is {p.answer}."} for p in problems]
    path = tmp_path / "mathvista_run.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))
    card, printed = rescored(path, capsys, "--split", "sample", "--response-column", "second_try")
    assert card.value("acc_verified") > 0.9
    assert f"  scored: responses in column 'second_try' ({len(lines)} rows)" in printed
    assert main(["rescore", str(path), "--split", "sample", "--response-column", "third"]) == 2
    assert "--response-column: no column 'third'" in capsys.readouterr().err


# extractions that failed


@pytest.mark.parametrize("failed", ["", None, "Failed to obtain answer via API."])
def test_an_extraction_that_failed_leaves_acc_verified_the_response(tmp_path, capsys, choices, failed):
    """As in a file whose responses are plain: acc keeps the nearest choice, which is no reading of them."""
    letters = ["ABCDEFGH"[row["choices"].index(row["answer"])] for row in choices]
    texts = [f"({letter}) {row['answer']}" for letter, row in zip(letters, choices, strict=True)]
    rows = [{**row, "extraction": failed if i % 3 else letters[i]} for i, row in enumerate(choices)]
    as_authors(tmp_path / "run.json", "mathvista", rows, texts)
    empty = sum(i % 3 > 0 for i in range(len(rows)))
    card, printed = rescored(tmp_path / "run.json", capsys)
    known = mm.benchmark("mathvista")
    official = [known.score(known.problem(row), "", extraction=row["extraction"] or "").official for row in rows]
    assert card.value("acc") == sum(official) / len(rows) < 1
    assert card.value("acc_verified") == 1
    nearest = sum(verdict for i, verdict in enumerate(official) if i % 3)
    said = (
        f"  {empty} of {len(rows)} short answers are empty beside a response: acc scores them empty ({nearest} right), "
        f"acc_verified reads the responses ({empty} right): "
    )
    assert any(line.startswith(said) for line in printed)
    assert how_read(card, "acc") == ""  # rules read these responses for acc_verified only
    assert not any("read by rules" in line.lower() for line in printed)
    assert card.counts["extraction_empty"] == empty
    assert card.provenance["extractions_empty"]["rows"] == empty
    again = score_file(tmp_path / "out" / "samples_run.jsonl")
    assert again.card.scores == card.scores
    assert again.card.counts["extraction_empty"] == empty
    assert again.disagree == ()


def test_a_row_whose_call_failed_is_not_scored_by_its_empty_extraction(tmp_path, choices):
    lines = [{**row, "response": row["answer"], "extraction": "A"} for row in choices]
    lines[0] |= {"response": None, "error": "timeout", "extraction": ""}
    del lines[1]["response"]
    lines[1]["extraction"] = None
    as_lines(tmp_path / "run.jsonl", lines)
    found = score_file(tmp_path / "run.jsonl")
    assert found.account.failed == [row["pid"] for row in choices[:2]]
    assert found.card.get("acc").count == len(choices) - 2


def test_a_refusal_beside_an_empty_extraction_stays_wrong(tmp_path, choices):
    rows = [{**row, "extraction": ""} for row in choices]
    as_authors(tmp_path / "run.json", "mathvista", rows, ["I cannot see the picture."] * len(rows))
    card = score_file(tmp_path / "run.json").card
    assert card.value("acc_verified") == 0
    assert card.value("acc") > 0
    assert card.value("share_unextracted") == 1


# rows in wrappings


def said_in_messages(row):
    question = [{"type": "image"}, {"type": "text", "text": row["question"]}]
    answer = [{"type": "text", "text": right("mathvision", row)}]
    return [{"role": "user", "content": question}, {"role": "assistant", "content": answer}]


def plain_messages(row):
    return [{"role": "user", "content": row["question"]}, {"role": "assistant", "content": right("mathvision", row)}]


def as_nested(path, lines):
    path.write_text(json.dumps({"accuracy": 0.5, "details": lines}))


def as_nested_deeper(path, lines):
    path.write_text(json.dumps({"model": "m", "results": {"acc": 0.5, "samples": {"all": lines}}}, indent=1))


def as_nested_by_id(path, lines):
    path.write_text(json.dumps({"accuracy": 0.5, "details": {line["id"]: line for line in lines}}))


def as_parquet(path, lines):
    pq.write_table(pa.Table.from_pylist(lines), path)


def as_csv(path, lines):
    with path.open("w", newline="") as file:
        writer = csv.DictWriter(file, lines[0])
        writer.writeheader()
        writer.writerows(lines)


def as_lines(path, lines):
    path.write_text("".join(json.dumps(line) + "\n" for line in lines))


def as_columns(path, lines):
    path.write_text(json.dumps({name: [line[name] for line in lines] for name in lines[0]}))


def as_pandas(path, lines):
    path.write_text(json.dumps({name: {str(i): line[name] for i, line in enumerate(lines)} for name in lines[0]}))


WRAPPED = {
    "response": lambda row: right("mathvision", row),
    "messages": plain_messages,
    "conversations": lambda row: [
        {"from": "human", "value": row["question"]},
        {"from": "gpt", "value": right("mathvision", row)},
    ],
    "responses": lambda row: [right("mathvision", row), "zzz"],
}


@pytest.mark.parametrize(
    "form", [as_nested, as_nested_deeper, as_nested_by_id, as_parquet, as_csv, as_lines, as_columns, as_pandas]
)
@pytest.mark.parametrize("column", WRAPPED)
def test_rows_and_texts_in_wrappings(tmp_path, capsys, form, column):
    rows = rows_without_pictures("mathvision")
    path = tmp_path / "mathvision_run"
    form(path, [{"id": row["id"], column: WRAPPED[column](row)} for row in rows])
    card, printed = rescored(path, capsys, "--split", "sample")
    assert card.value("acc") == 1
    assert f"  scored: responses in column {column!r} ({len(rows)} rows)" in printed
    assert card.value("acc_mean@2") == 0.5 or column != "responses"


@pytest.mark.parametrize("column", WRAPPED)
def test_an_object_of_id_to_texts(tmp_path, capsys, column):
    rows = rows_without_pictures("mathvision")
    path = tmp_path / "mathvision_run"
    path.write_text(json.dumps({row["id"]: WRAPPED[column](row) for row in rows}))
    card, _ = rescored(path, capsys, "--split", "sample")
    assert card.value("acc") == 1


def test_a_conversation_under_any_name(tmp_path):
    row = rows_without_pictures("mathvision")[0]
    as_lines(tmp_path / "run", [{"id": row["id"], "chat_history": plain_messages(row)}])
    assert [saved.responses for saved in open_saved(tmp_path / "run")] == [(right("mathvision", row),)]


def test_messages_of_parts_and_conversations_without_an_answer(tmp_path):
    rows = rows_without_pictures("mathvision")[:3]
    talks = [said_in_messages(row) for row in rows]
    del talks[1][-1]
    as_lines(tmp_path / "run", [{"id": r["id"], "messages": talk} for r, talk in zip(rows, talks, strict=True)])
    found = [saved.responses for saved in open_saved(tmp_path / "run")]
    assert found == [(right("mathvision", rows[0]),), (), (right("mathvision", rows[2]),)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        ({"a": [{"id": "1", "response": "x"}], "b": [{"id": "1"}]}, r": rows stand under 2 keys \('a', 'b'\): save"),
        ([{"accuracy": 1, "details": [{"id": "1", "response": "x"}]}], "rows stand in its key 'details'"),
        ({"accuracy": 0.5, "details": []}, "no column of responses .* its columns: accuracy, details"),
        ({"details": [{"id": "1", "answer": "x"}]}, "no column of responses"),
        ({"acc": 1, "2": {"response": "x"}}, r"run\.json: key 'acc': expected a row or a response, got int$"),
        ({"acc": 1, "details": [{"nr": 1, "said": "x"}]}, "no column of responses .* its columns: nr, said"),
    ],
)
def test_where_rows_stand_is_named(tmp_path, content, message):
    (tmp_path / "run.json").write_text(json.dumps(content))
    with pytest.raises(mm.InputError, match=message):
        open_saved(tmp_path / "run.json")


def test_lists_as_numpy_prints_them(tmp_path):
    """What pandas writes into a CSV for the lists of a parquet file: no commas, so Python would join the texts."""
    rows = rows_without_pictures("mathvision")
    path = tmp_path / "mathvision_run.csv"
    lines = [{**row, "options": "\n ".join(map(repr, row["options"])), "responses": "'A' 'B'"} for row in rows]
    as_csv(path, [{k: f"[{v}]" if k in ("options", "responses") else v for k, v in line.items()} for line in lines])
    found = score_file(path)
    assert [p.choices for p in found.problems] == [tuple(row["options"]) for row in rows]
    assert found.card.get("acc_mean@2") is not None


@pytest.mark.parametrize(
    ("options", "said"),
    [
        ({"response": "z"}, "f: --response-column: no column 'z'; its columns: id, response"),
        ({"extraction": "z"}, "f: --extraction-column: no column 'z'; its columns: id, response"),
    ],
)
def test_a_column_that_is_not_there_is_named_with_its_option(options, said):
    rows = [{"id": "1", "response": "x"}]
    with pytest.raises(mm.InputError) as raised:
        choose(Path("f"), rows, rows, None, **options)
    assert str(raised.value) == said


def test_columns_are_listed_up_to_twelve():
    rows = [{f"c{i:02}": "x" for i in range(13)}]
    with pytest.raises(mm.InputError, match=r"another\); its columns: c00, .*, c11, \.\.\.$"):
        choose(Path("f"), rows, rows, None)


ASKED = "How many apples lie there?"


@pytest.mark.parametrize(
    ("rows", "chosen"),
    [
        ([{"response": "A", "prediction": "b" * 31}] * 2, "prediction"),  # twice as long, and more than a short answer
        ([{"response": "A" * 17, "prediction": "b" * 33}] * 2, "response"),
        ([{"response": "A", "prediction": "b" * 30}] * 2, "response"),
        ([{"response": "A", "prediction": f"{ASKED} Say it.", "question": ASKED}] * 2, "response"),
        (
            [{"response": "A", "prediction": f"{ASKED} It is 7.", "question": q} for q in (ASKED, "x" * 20)],
            "prediction",
        ),
        ([{"response": "A", "prediction": f"apples? {'b' * 30}", "question": "apples?"}] * 2, "prediction"),
        ([{"response": "", "prediction": "A"}, {"response": None, "prediction": "B"}], "prediction"),
        ([{"response": "Failed to obtain answer via API.", "prediction": "A"}] * 2, "prediction"),
    ],
)
def test_the_models_text_is_told_from_short_answers_and_prompts(rows, chosen):
    assert choose(Path("f"), rows, rows, None).responses[0] == chosen


@pytest.mark.parametrize(
    ("verdicts", "flag"),
    [
        ([1, "maybe", "no"], None),
        ([1, 0, "no"], "correct"),
        ([1, "no"], None),
        ([None, "", True], "correct"),
        ([], None),
    ],
)
def test_stored_verdicts_are_what_is_mostly_plain(verdicts, flag):
    rows = [{"response": "A", "correct": verdict} for verdict in verdicts] or [{"response": "A"}]
    assert choose(Path("f"), rows, rows, None).flag == flag

"""Files of rows, with the dirt that real ones have."""

import csv
import gzip
import json
import os
import re
import zipfile
from pathlib import Path

import openpyxl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mmmath_tasks import InputError
from mmmath_tasks.outputs import tables
from mmmath_tasks.outputs.objects import rows_of
from mmmath_tasks.outputs.sheets import header
from mmmath_tasks.outputs.tables import rows

OURS = "; expected saved responses as JSONL, JSON, CSV, TSV, xlsx or parquet"
ROWS = [{"id": "1", "response": "None"}, {"id": "2", "response": "=5"}, {"id": "3", "response": "two\nlines, N/A"}]


def as_jsonl(path, data):
    path.write_text("".join(json.dumps(row) + "\n" for row in data), encoding="utf-8")


def as_array(path, data):
    path.write_text(json.dumps(data, indent=1), encoding="utf-8")


def as_object(path, data):
    keyed = {row["id"]: {"response": row["response"]} for row in data}
    path.write_text(json.dumps(keyed, indent=4), encoding="utf-8")


def as_object_on_one_line(path, data):
    path.write_text(json.dumps({row["id"]: {"response": row["response"]} for row in data}), encoding="utf-8")


def as_answers(path, data):
    path.write_text(json.dumps({row["id"]: row["response"] for row in data}, indent=4), encoding="utf-8")


def as_answers_on_one_line(path, data):
    path.write_text(json.dumps({row["id"]: row["response"] for row in data}), encoding="utf-8")


def as_gzip(path, data):
    path.write_bytes(gzip.compress("".join(json.dumps(row) + "\n" for row in data).encode()))


def as_bom(path, data):
    path.write_bytes(b"\xef\xbb\xbf" + "".join(json.dumps(row) + "\r\n" for row in data).encode())


def separated(delimiter):
    def write(path, data):
        with path.open("w", newline="", encoding="utf-8") as file:
            writer = csv.DictWriter(file, ["id", "response"], delimiter=delimiter)
            writer.writeheader()
            writer.writerows(data)

    return write


def in_utf16(write):
    def encoded(path, data):
        write(path, data)
        path.write_bytes(path.read_bytes().decode().encode("utf-16"))

    return encoded


def as_sheet(path, data):
    book = openpyxl.Workbook()
    book.active.append(["id", "response"])
    for row in data:
        book.active.append([row["id"], row["response"].replace("\n", "_x000D_\n")])
    book.save(path)


def as_parquet(path, data):
    pq.write_table(pa.Table.from_pylist(data), path)


WRITERS = {
    "jsonl": as_jsonl,
    "array": as_array,
    "object": as_object,
    "object on one line": as_object_on_one_line,
    "answers": as_answers,
    "answers on one line": as_answers_on_one_line,
    "gzip": as_gzip,
    "byte order mark": as_bom,
    "csv": separated(","),
    "tsv": separated("\t"),
    "csv of a German Excel": separated(";"),
    "Unicode text of Excel": in_utf16(separated("\t")),
    "jsonl of PowerShell": in_utf16(as_jsonl),
    "xlsx": as_sheet,
    "parquet": as_parquet,
}


@pytest.mark.parametrize("kind", WRITERS)
def test_every_kind_gives_the_same_rows_whatever_its_name(tmp_path, kind):
    path = tmp_path / "responses.txt"
    WRITERS[kind](path, ROWS)
    found = [(number, {name: cell.replace("\r", "") for name, cell in row.items()}) for number, row in rows(path)]
    assert found == [*enumerate(ROWS, 1)]


@pytest.mark.parametrize(
    ("content", "message"),
    [
        (b"", "is empty"),
        (b" \n\n", "is empty"),
        (b"%PDF-1.7 ...", f"is a PDF{OURS}"),
        (b"\x89PNG\r\n", f"is a PNG picture{OURS}"),
        (b"\xd0\xcf\x11\xe0\xa1", f"is an old workbook, to be saved as .xlsx{OURS}"),
        (b'{\n"results": {}, "configs": {}, "date": 1.5}', "is lm-eval's results, not responses: those are in .+"),
        (b"\x80\x04\x95pickle", f"is a pickle .never read: it can run code.{OURS}"),
        (b"<!DOCTYPE html>", f"is an HTML page{OURS}"),
        (b"ab\x00cd", f"is binary{OURS}"),
        (
            b"PK\x03\x04 not a zip at all",
            r"not a workbook \(or \.eval log\), or a damaged one \(File is not a zip file\)",
        ),
        (b"PAR1 not parquet at all", r"not a readable parquet file \(Parquet magic bytes not found .+\)"),
        (b"\x1f\x8b\x08\x00 not gzip", r"gzip, but broken off or damaged \(Compressed file ended before .+\)"),
        (
            b'{"id": 1, "response": "a"}\n{"id": 2, "resp',
            "line 2: not JSON: Unterminated string starting at column 11 .the file seems cut off.",
        ),
        (b'{"id": 1, "response": "a"}\n[1]\n', "line 2: expected a JSON object, got list"),
        (b'[{"id": 1}, {"id": 2', "not JSON: .* at column 21 .the file seems cut off."),
        (b"[1, 2]", "row 1: expected a JSON object, got int"),
        (b'{"a": {"response": "x"},\n "b": 3}', "key 'b': expected a row or a response, got int"),
        (b"id,response\n1,a\n2,b,c\n", "row 2: 3 cells where the header has 2"),
        (
            b"just some prose\nand more\n",
            "one column 'just some prose'; expected a table with an id and a response column",
        ),
        (b'{"id": 1}\n{"id": "a\n{"id": 3}\n', r"line 2: not JSON: Invalid .* at column 10 .the line seems cut off."),
        (b'{"id": 1}\n{"id": 2, \n{"id": 3}\n', "line 2: not JSON: Expecting .* at column 11 .the line seems cut off."),
        (b'{"id": 1}\n{"id": "\x01"}\n', r"line 2: not JSON: Invalid control character at column 9$"),
        ("id,response\n1,a\n2,caf\xe9\n".encode("latin-1"), "line 3: not UTF-8 text .* at byte 6 of the line."),
        (gzip.compress(b'{"id": 1}\n{"id": "\xe9"}\n', mtime=0), "line 2: not UTF-8 text .* at byte 9 of the line."),
        (b'id,response\n1,"A\n2,B\n', "line 2: a quote that is never closed, or not doubled inside a quoted cell"),
        (
            b'id,response\n1,"two\nlines"\n2,"B\n3,C\n',
            "line 4: a quote that is never closed, or not doubled inside a quoted cell",
        ),
        (b'id,response\n1,"A\n2,"B"\n', "line 2: a quote that is never closed, or not doubled inside a quoted cell"),
        (b'\n\n"id,response\n1,A\n', "line 3: a quote that is never closed, or not doubled inside a quoted cell"),
        (b"id,response,response\n1,A,B\n", "header: 2 columns are called 'response'"),
        (b'{"id": 1}\n{"id": 2, "response": "a", "response": "b"}\n', "line 2: the key 'response' stands there twice"),
        (b'[{"id": 1}, {"id": 2, "id": 3}]', "row 2: the key 'id' stands there twice"),
        (b'{"1": {"response": "a"},\n "1": {"response": "b"}}', "the key '1' stands there twice"),
        (b'{"1": {"response": "a"},\n "2": {"a": 1, "a": 2}}', "key '2': the key 'a' stands there twice"),
        (b'{"1": "a", "1": "b"}\n', "line 1: the key '1' stands there twice"),
        (b'[{"id": 1},]', r"not JSON: .* at column 1\d$"),
        (b'{"id": 1}\n{"id": 2,}', r"line 2: not JSON: .* at column \d+$"),
        (
            b'[{"id": 1}, {"id": "2',
            "not JSON: Unterminated string starting at column 20 .the file seems cut off.",
        ),
        (b'{"id": 1}\n{"id": ' + b"9" * 5000 + b"}\n", "line 2: not JSON: A number of too many digits$"),
        (b'{"id": 1}\n{"id": ' + b"[" * 100_000 + b"}\n", "line 2: not JSON: Brackets nested too deep$"),
        (b"[" * 100_000, "not JSON: Brackets nested too deep$"),
        (b'[{"id": 1},\n {"id" 2}]', "not JSON: .* at line 2, column 8"),
        (b'"text"\n', "one column 'text'; expected a table with an id and a response column"),
        (
            b'{"n": 1, "details": [{"id": 1}, {"id": 2, "id": 2}]}',
            "key 'details': row 2: the key 'id' stands there twice",
        ),
        (
            b'{"n": {"all": {"a": {"response": "x"}, "b": {"response": "x", "response": "x"}}}}',
            "key 'n.all': row 'b': the key 'response' stands there twice",
        ),
        (
            b'{"a": [{"id": 1}], "b": {"c": [{"response": 1}]}}',
            r"rows stand under 2 keys \('a', 'b\.c'\): save those of one of them alone",
        ),
        (gzip.compress(b'{"id": 1}\n' * 9000)[:-20], r"broken off or damaged \(.+\)"),
    ],
)
def test_what_is_no_file_of_rows_is_said_in_one_line(tmp_path, content, message):
    path = tmp_path / "file"
    path.write_bytes(content)
    with pytest.raises(InputError, match=rf"^{re.escape(str(path))}: (?:{message})$") as error:
        list(rows(path))
    assert "\n" not in str(error.value)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('"the\nid",response\n4,A\n', {"the\nid": "4", "response": "A"}),
        ("\n \n\nid,response\n4,A\n", {"id": "4", "response": "A"}),
        ("id," + "r" * 200_000 + "\n4,A\n", {"id": "4", "r" * 200_000: "A"}),
        ("id,response,,\n4,A,,\n", {"id": "4", "response": "A", "column 3": "", "column 4": ""}),
    ],
    ids=["line break", "blank lines", "long", "nameless"],
)
def test_headers_of_csv(tmp_path, text, expected):
    path = tmp_path / "run.csv"
    path.write_text(text)
    assert list(rows(path)) == [(1, expected)]


def test_a_picture_in_parquet_is_no_column(tmp_path):
    """A struct with bytes, which a row would hold in memory; any other struct is kept. Rows of more than one batch."""
    data = [{"id": i, "image": {"bytes": b"x", "path": "y"}, "box": {"path": "y"}, "text": "a"} for i in range(600)]
    as_parquet(tmp_path / "file", data)
    assert list(rows(tmp_path / "file")) == [(i + 1, {"id": i, "box": {"path": "y"}, "text": "a"}) for i in range(600)]


def book_of(path, **sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for title, lines in sheets.items():
        sheet = book.create_sheet(title)
        for line in lines:
            sheet.append(line)
    book.save(path)


def test_the_sheet_of_responses_is_read_and_of_several_none(tmp_path):
    run, notes = [["id", "response"], ["1", "a"]], [["what", "when"], ["x", "y"]]
    for sheets in ({"notes": notes, "run": run}, {"run": run, "notes": notes}):
        book_of(tmp_path / "file", **sheets)
        assert list(rows(tmp_path / "file")) == [(1, {"id": "1", "response": "a"})]
    book_of(tmp_path / "file", run=run, notes=notes, other=run)
    with pytest.raises(InputError, match=r"file: 2 sheets hold responses \('run', 'other'\): save one of them alone$"):
        list(rows(tmp_path / "file"))
    book_of(tmp_path / "file", notes=notes, empty=[])
    assert list(rows(tmp_path / "file")) == [(1, {"what": "x", "when": "y"})]


def test_utf16_that_breaks_off_is_said_to_be_no_text(tmp_path):
    path = tmp_path / "file"
    path.write_bytes('{"id": "1", "response": "a"}\n'.encode("utf-16")[:-1])
    with pytest.raises(InputError, match=r"file: not UTF-16 text \(truncated data\)$"):
        list(rows(path))


def test_empty_rows_and_short_rows_of_a_workbook(tmp_path):
    book = openpyxl.Workbook()
    for cells in (["id", "response"], [1, "a_x000A_b"], [], [3, None], [None, "_x00zz_"], [5, "c"]):
        book.active.append(cells)
    book.create_sheet("other").append(["id", "else"])
    book.save(tmp_path / "file")
    assert list(rows(tmp_path / "file")) == [
        (1, {"id": 1, "response": "a\nb"}),
        (3, {"id": 3, "response": None}),
        (4, {"id": None, "response": "_x00zz_"}),
        (5, {"id": 5, "response": "c"}),
    ]


def test_two_columns_of_one_name_in_a_workbook_and_in_parquet(tmp_path):
    path = tmp_path / "file"
    pq.write_table(pa.table([["1"], ["a"], ["b"]], names=["id", "response", "response"]), path)
    with pytest.raises(InputError, match=r"file: header: 2 columns are called 'response'$"):
        list(rows(path))
    book = openpyxl.Workbook()
    book.active.append(["id", "response", "response"])
    book.save(path)
    with pytest.raises(InputError, match=r"file: header: 2 columns are called 'response'$"):
        list(rows(path))


@pytest.mark.parametrize(
    ("name", "kind", "said"),
    [
        ("text.xlsx", "text", "plain text, and no xlsx"),
        ("run.csv.gz", "gzip", "one column 'id'"),
        ("run.xlsx", "book", "one column 'id'"),
        ("run.parquet", "parquet", "one column 'id'"),
    ],
)
def test_a_table_of_one_column_is_said_to_be_plain_text_only_where_it_is(tmp_path, name, kind, said):
    path = tmp_path / name
    if kind == "book":
        book = openpyxl.Workbook()
        book.active.append(["id"])
        book.save(path)
    elif kind == "parquet":
        pq.write_table(pa.table([["1"]], names=["id"]), path)
    else:
        path.write_bytes(gzip.compress(b"id\n1\n") if kind == "gzip" else b"id\n1\n")
    with pytest.raises(InputError, match=rf"{name}: {said}; expected a table with an id and a response column$"):
        list(rows(path))


@pytest.mark.parametrize("part", ["xl/workbook.xml", "xl/worksheets/sheet1.xml"])
@pytest.mark.parametrize("content", [b"", b"<a", b"<worksheet><sheetData><row><c t='n'><v>x</v></c></row>"])
def test_a_damaged_workbook(tmp_path, part, content):
    sound, path = tmp_path / "sound", tmp_path / "file"
    as_sheet(sound, ROWS)
    with zipfile.ZipFile(sound) as old, zipfile.ZipFile(path, "w") as new:
        for name in old.namelist():
            new.writestr(name, content if name == part else old.read(name))
    with pytest.raises(InputError, match=r"not a workbook .*, or a damaged one"):
        list(rows(path))


def test_a_workbook_whose_bytes_are_damaged_though_its_directory_is_whole(tmp_path):
    path = tmp_path / "file"
    as_sheet(path, ROWS)
    with zipfile.ZipFile(path) as book:
        begin = book.getinfo("xl/worksheets/sheet1.xml").header_offset + 60
    content = bytearray(path.read_bytes())
    content[begin : begin + 40] = bytes(40)
    path.write_bytes(content)
    with pytest.raises(InputError, match=r"not a workbook .*, or a damaged one"):
        list(rows(path))


def test_parquet_with_a_damaged_footer(tmp_path):
    path = tmp_path / "file"
    as_parquet(path, ROWS)
    content = bytearray(path.read_bytes())
    content[-12:-8] = b"\xff" * 4
    path.write_bytes(content[:-100] + content[-60:])
    with pytest.raises(InputError, match="not a readable parquet file") as error:
        list(rows(path))
    assert "\n" not in str(error.value)


def test_parquet_with_text_that_is_not_utf_8(tmp_path):
    path = tmp_path / "file"
    as_parquet(path, [{"id": "1", "response": "AAAAAAAA"}])
    path.write_bytes(path.read_bytes().replace(b"AAAAAAAA", b"\xff\xfe" * 4))
    with pytest.raises(InputError, match="not a readable parquet file"):
        list(rows(path))


def test_a_pipe_is_told_from_a_file_that_is_not_there(tmp_path):
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(
        InputError, match=r"pipe: a pipe or device, which is read once only; save the responses to a file$"
    ):
        list(rows(tmp_path / "pipe"))


def test_a_missing_file_and_a_folder(tmp_path):
    with pytest.raises(InputError, match=r"nothing: no such file$"):
        list(rows(tmp_path / "nothing"))
    with pytest.raises(InputError, match=r": a folder, not a file$"):
        list(rows(tmp_path))


@settings(max_examples=200)
@given(st.binary(max_size=300))
def test_any_bytes_give_rows_or_a_clear_error(tmp_path_factory, content):
    path = tmp_path_factory.mktemp("any") / "file"
    path.write_bytes(content)
    try:
        assert all(isinstance(row, dict) for _, row in rows(path))
    except InputError as error:
        assert str(path) in str(error)  # noqa: PT017 - both outcomes are right


def test_a_broken_first_line_is_not_a_reason_to_hold_the_file_in_memory(tmp_path):
    path = tmp_path / "run.jsonl"
    path.write_text('{"id": "1", "response": }\n{"id": "2", "response": "5"}\n')
    with pytest.raises(InputError, match=r"line 1: not JSON: .* at column 25"):
        list(rows(path))


@pytest.mark.parametrize("text", ['{"id": "1", "response": "%s"}\n', "id,response\n1,%s\n"])
def test_an_endless_line_is_refused(tmp_path, monkeypatch, text):
    monkeypatch.setattr(tables, "_LINE_CHARACTERS", 1 << 20)
    path = tmp_path / "run.dat"
    path.write_text(text % "5")
    assert len(list(rows(path))) == 1
    path.write_text(text % ("5" * (1 << 21)))
    with pytest.raises(InputError, match=r"run\.dat: line \d: longer than 1 million characters$"):
        list(rows(path))


@pytest.mark.parametrize(
    ("value", "found"),
    [
        ({"a": "x", "b": ["y"]}, [(1, {"id": "a", "response": "x"}), (2, {"id": "b", "response": ["y"]})]),
        ({"a": {"response": "x"}, "b": None}, [(1, {"id": "a", "response": "x"}), (2, {"id": "b", "response": None})]),
        ({"id": "x", "b": "y"}, [(1, {"id": "id", "response": "x"}), (2, {"id": "b", "response": "y"})]),
        ({"n": 3, "data": {"7": {"response": "x"}}}, [(1, {"id": "7", "response": "x"})]),
        ({"rows": [{"id": "7", "response": "x"}]}, [(1, {"id": "7", "response": "x"})]),
        ({"id": ["7", "8"], "response": ["x", "y"]}, [(i, {"id": f"{6 + i}", "response": "wxy"[i]}) for i in (1, 2)]),
        ({"id": {"0": "7"}, "response": {"0": "x"}}, [(1, {"id": "7", "response": "x"})]),
        ({"id": "7", "response": "x"}, [(1, {"id": "7", "response": "x"})]),
    ],
)
def test_rows_of_an_object(value, found):
    assert list(rows_of(Path("f.json"), value)) == found


@pytest.mark.parametrize(
    ("names", "found"),
    [
        (["id", "x"], ["id", "x"]),
        (["id", None, ""], ["id", "column 2", "column 3"]),
        ([7, 8], ["7", "8"]),
        (["id"], "f: one column 'id'; expected a table with an id and a response column"),
        ([], "f: no column; expected a table with an id and a response column"),
        (["a", "b", "a"], "f: header: 2 columns are called 'a'"),
    ],
)
def test_names_of_columns(names, found):
    if isinstance(found, list):
        assert header(Path("f"), names) == found
        return
    with pytest.raises(InputError) as raised:
        header(Path("f"), names)
    assert str(raised.value) == found

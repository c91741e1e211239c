"""The papers' tables against other transcriptions, the authors' own score files and the papers' text."""

import json
import re

import pytest

from mmmath_tasks import papers


def expected(shared, name):
    return json.loads((shared / "oracle" / f"{name}_expected.json").read_text())


def printed(table):
    """The rows of a table in percent, as sorted lists of their values."""
    return sorted(sorted(round(100 * value, 2) for value in row.values.values()) for row in table.rows)


def test_mathverse(shared):
    held = expected(shared, "mathverse")["paper"]
    accuracy, cot = papers.tables("mathverse")
    for table, name in ((accuracy, "Table 2 (Acc)"), (cot, "Table 3 (CoT)")):
        wanted = [sorted(v for v in row.values() if v is not None) for row in held[name].values()]
        assert printed(table) == sorted(wanted)
    (gpt4v,) = (row for row in accuracy.rows if row.name == "GPT-4V")
    version = {part.replace(" ", ""): 100 * value for (_, _, part), value in gpt4v.values.items() if part}
    assert version == pytest.approx({k: v for k, v in held["Table 2 (Acc)"]["GPT-4V [32] | -"].items() if k != "All"})


def test_wemath(shared):
    held = expected(shared, "wemath")["paper_tables_reference_only"]
    tables = {table.table: table for table in papers.tables("wemath")}
    assert printed(tables["Table 2"]) == sorted(sorted(row.values()) for row in held["Table 2"].values())
    keys = ("Avg_strict", "IK_strict", "IG_strict", "CM_strict", "RM_strict", "Avg_loose", "CM_loose", "RM_loose")
    assert printed(tables["Table 3"]) == sorted(sorted(row[k] for k in keys) for row in held["Table 3"].values())


def test_mathvision(shared):
    table = papers.tables("mathvision", "test")[0]
    found = printed(table)
    runs = [run["paper_T2"] for run in expected(shared, "mathv")["runs"].values() if run["paper_T2"]]
    assert len(runs) >= 8
    for run in runs:
        assert sorted(map(float, run.values())) in found


@pytest.mark.parametrize(
    ("run", "row", "given"),
    [
        ("chatgpt", "Zero-shot ChatGPT", "Q only"),
        ("claude", "Zero-shot Claude-2", "Q only"),
        ("gpt4_2shot_solution", "2-shot CoT GPT-4", "Q only"),
        ("llama_adapter_v2", "LLaMA-Adapter-V2-7B", "Q, I"),
        ("gpt4_2shot_solution_use_caption_ocr", "2-shot CoT GPT-4", "Q, I_c, I_t"),
    ],
)
def test_mathvista(shared, run, row, given):
    published = expected(shared, "mathvista")["runs"][run]["published"]
    (found,) = (r for r in papers.tables("mathvista", "testmini")[0].rows if (r.name, r.input) == (row, given))
    right, total = published["average"]["average"]
    assert found.values["acc", "", ""] == pytest.approx(right / total, abs=0.0006)
    for task, (right, total) in published["task"].items():
        assert found.values["acc", "task", task] == pytest.approx(right / total, abs=0.0006), task


def plain(text):
    """Letters and digits of a name; o and 0, which the papers' text confuses, as one."""
    return re.sub(r"[^a-z0-9]", "", re.sub(r"\(cot\)|choice", "", text.lower())).replace("o", "0")


def in_order(wanted, found):
    rest = iter(found)
    return all(any(value == other for other in rest) for value in wanted)


CELLS = {"mathvista": 377, "mathvision": 918, "mathverse": 240, "wemath": 1403, "mathopeval": 112}


@pytest.mark.parametrize("name", CELLS)
def test_every_cell_is_printed_so(shared, name):
    """A row's figures stand in their order in one line of the paper's text, with its name or (Table 5) "Testmini"."""
    lines = []
    for line in (shared / "papers" / f"{name}.txt").read_text(encoding="utf-8").splitlines():
        if "\t" in line:
            figures = re.findall(r"(?<![\w.+-])\d+\.?\d*(?!\w)", line.partition("\t")[2])
            lines.append((plain(line), [float(figure) for figure in figures]))
    found = 0
    for table in papers.printed(name):
        if table.about.startswith("main results"):  # in the running text
            continue
        for row in table.rows:
            values = [float(value) for value in row[1 + (table.head[1] == "Input") :] if value]
            names = (plain(row[0]), plain("testmini")) if "split testmini" in table.about else (plain(row[0]),)
            assert any(in_order(values, figures) for said, figures in lines if any(key in said for key in names)), row
            found += len(values)
    assert found == CELLS[name]

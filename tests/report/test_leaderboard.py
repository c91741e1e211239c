"""Many runs: models by benchmark, whole runs only, beside the papers' rows that were asked alike."""

import csv
import json
import re

import pytest

from mmmath_tasks import papers
from mmmath_tasks.cli import main
from mmmath_tasks.outputs.table_text import HEAD
from mmmath_tasks.problem import Score, Scorecard
from mmmath_tasks.report.leaderboard import leaderboard
from mmmath_tasks.report.runs import Run, read_runs
from support.chromium import opened

SIZE = {"mathvista": ("testmini", 1000), "mathvision": ("test", 3040), "wemath": ("testmini", 1740)}
TASKS = {"mathvista": "mathvista_testmini", "mathvision": "mathvision_test", "wemath": "wemath_testmini"}
STYLES = {"mathvista": "default", "mathvision": "cot", "wemath": "default"}
HEADLINE = {"mathvista": "acc", "mathvision": "acc", "wemath": "score_strict"}


def card(kind, model, value, counts=(), **provenance):
    split, total = SIZE[kind]
    asked = {"model": f"org/{model}", "split": split, "task": TASKS[kind], "prompt_style": STYLES[kind], "limit": None}
    score = Score(HEADLINE[kind], "", "", value, total, value - 0.01, value + 0.01)
    return Scorecard(kind, HEADLINE[kind], (score,), {"total": total, **dict(counts)}, asked | provenance)


def board(*cards):
    runs = [Run(f"run{i}", one, None, model=one.provenance["model"].split("/")[1]) for i, one in enumerate(cards)]
    return leaderboard(runs)


def test_models_are_rows_and_benchmarks_columns_the_best_first():
    found = board(
        card("mathvista", "small", 0.3),
        card("mathvista", "large", 0.6),
        card("mathvision", "large", 0.2),
        card("mathvision", "other", 0.4),
    )
    assert found
    assert found.models == ("large", "small", "other")
    assert [one.title for one in found.settings] == ["MathVista testmini", "MATH-Vision test"]
    first, second = found.columns()
    assert [cell.main for cell in first.cells[:3]] == ["60.0", "30.0", None]
    assert [cell.main for cell in second.cells[:3]] == ["20.0", None, "40.0"]
    assert [cell.mark for cell in first.cells[:3]] == ["★", "", ""]
    assert "acc" in first.note
    assert "task mathvista_testmini, prompt default" in first.note


def test_what_a_leaderboard_says_beside_its_numbers():
    found = board(
        card("mathvista", "m", 0.5, answers_read_by={"rules": 1000}, task=None, prompt_style=None),
        card("mathvista", "n", 0.4, data_revision="x@1", task=None, prompt_style=None),
        card("mathvision", "m", 0.3),
        card("mathvision", "part", 0.2, {"total": 7}, limit=7),
    )
    first, second = found.columns(lambda run: f"#{run.name}")
    assert [(one.title, one.note, one.rule) for one in (first, second)] == [
        ("MathVista testmini", "acc; prompt not recorded", None),
        ("MATH-Vision test", "acc; task mathvision_test, prompt cot", None),
    ]
    assert [(cell.main, cell.note, cell.opens) for cell in (*first.cells[:3], *second.cells[:2])] == [
        ("50.0", "49.0\u00a0to\u00a051.0, n=1,000, read by rules", "#run0"),
        ("40.0", "39.0\u00a0to\u00a041.0, n=1,000, reader not recorded", "#run1"),
        ("60.3", "", ""),
        ("30.0", "29.0\u00a0to\u00a031.0, n=3,040", "#run2"),
        (None, "", ""),
    ]
    assert not any(cell.opens for cell in found.columns()[0].cells)
    assert found.paper_rows[:4] == [
        *("Human (paper)", "Random chance (paper)", "Frequent guess (paper)", "Random chance (seed 42) (paper)"),
    ]
    rows = [*found.models, *found.paper_rows]
    shown = {(one.title, row): cell for one in (first, second) for row, cell in zip(rows, one.cells, strict=True)}
    told = {(f"{papers.title(n['benchmark'])} {n['split']}", n["row"]): n for n in found.numbers()}
    assert told.keys() == {key for key, cell in shown.items() if cell.main}
    for key, number in told.items():
        assert f"{100 * number['value']:.1f}" == shown[key].main
        assert (number["metric"], number["asked"]) == ("acc", (first if "Vista" in key[0] else second).note[5:])
        assert number["remark"] in (*shown[key].note.split(", "), "") or number["remark"].startswith("Table ")
    assert {(n["count"], n["low"]) for n in told.values() if n["row"] == "m"} == {(1000, 0.49), (3040, 0.29)}
    lines = list(found.lines(80))
    assert (lines[0], lines[0].style) == ("Whole runs by benchmark, percent [95 % interval]", HEAD)
    heads = " ".join(" ".join(map(str, lines[1:-3])).split())
    assert heads == (
        "MATH-Vision test MathVista testmini acc; task acc; prompt not mathvision_test, recorded prompt cot"
    )
    assert [line.split("  ") for line in map(str, lines[-3:-1])] == [
        ["m", "50.0 [49.0, 51.0] n=1000", "30.0 [29.0, 31.0] n=3040"],
        ["n", "40.0 [39.0, 41.0] n=1000", *[""] * 11, " -"],
    ]
    assert str(lines[-1]) == "  left out: run3 on MATH-Vision: limited to 7"
    said = found.remarks()
    assert said[0] == "MathVista testmini: the runs were scored on different revisions of the data."
    unlike = "the paper's humans and baselines, its models were not asked so or it is not known"
    assert said[1:] == [
        f"MathVista testmini: {unlike}, Table 2, arXiv 2310.02255, section 3.",
        "MATH-Vision test: the paper's rows, Table 2, arXiv 2402.14804, section 3; Table 3, arXiv 2402.14804, section "
        "4.2.",
    ]


def test_two_runs_of_a_model_in_one_column_are_two_rows():
    found = board(card("mathvista", "m", 0.5), card("mathvista", "m", 0.6), card("mathvista", "n", 0.7))
    assert found.models == ("n", "run1", "run0")
    assert not found  # in one column
    assert not board(card("mathvista", "m", 0.5), card("mathvision", "m", 0.6))  # one model


def test_models_without_a_number_come_last():
    none = float("nan")
    cards = [("mathvista", "a", none), ("mathvista", "b", 0.1), ("mathvision", "c", 0.9), ("mathvision", "b", none)]
    found = board(*(card(*one) for one in cards))
    assert found.models[0] == "b"
    assert [[cell.main for cell in one.cells[:3]] for one in found.columns()] == [
        [{"a": None, "b": "10.0", "c": None}[name] for name in found.models],
        [{"a": None, "b": None, "c": "90.0"}[name] for name in found.models],
    ]
    assert all("-" in str(line) for line in found.lines(100) if str(line)[:1] in ("a", "b", "c"))


@pytest.mark.parametrize(
    ("counts", "provenance", "why"),
    [
        ({"total": 300}, {"limit": 300}, "limited to 300"),
        ({"missing": 40}, {}, "960 of 1,000 problems scored (40 missing)"),
        (
            {"missing": 40, "unscored": 1200, "total": 5000},
            {},
            "3,760 of 5,000 problems scored (40 missing, 1,200 unscored)",
        ),
        ({"unscored": 10}, {}, "990 of 1,000 problems scored (10 unscored)"),
        ({"total": 999}, {}, "999 of 1,000 problems scored"),
        ({"total": 7}, {"split": None, "task": "mathvista_x"}, "its split is not known"),
    ],
)
def test_runs_that_are_not_whole_are_left_out_and_why(counts, provenance, why):
    part = card("mathvista", "part", 0.9, counts, **provenance)
    found = board(card("mathvista", "whole", 0.3), part)
    assert found.models == ("whole",)
    assert [said for _, said in found.left_out] == [why]


def test_long_names_are_cut_in_the_terminal_and_problems_that_lack_a_row_are_counted():
    names = [f"a-model-of-{'many-' * 8}words-{i}" for i in range(2)]
    cards = [card(kind, name, 0.5) for kind in ("mathvista", "mathvision") for name in names]
    part = card("wemath", "part", 0.5, {"total": 1500, "problems_incomplete": 120})
    found = board(*cards, part)
    assert [why for _, why in found.left_out] == ["1,500 of 1,740 rows scored (120 problems lack a row)"]
    lines = list(map(str, found.lines(60)))
    assert max(map(len, lines)) <= 60
    rows = [line.split()[0] for line in lines if line.startswith("a-")]
    assert len(set(rows)) == 2 == len(set(found.models))
    assert all(len(row) <= 20 for row in rows)
    assert {line.split()[0] for line in map(str, found.lines(600)) if line.startswith("a-")} == set(names)


@pytest.mark.parametrize(
    ("cards", "why"),
    [
        ([card("mathvista", "a", 0.5), card("mathvision", "b", 0.5)], "no model has whole runs of two benchmarks"),
        ([card("mathvista", "a", 0.5), card("mathvision", "a", 0.5)], "all whole runs are of one, a."),
        ([card("mathvista", "a", 0.5, {"total": 7}), card("mathvision", "b", 0.5, {"total": 7})], "none is whole"),
        ([card("mathvista", "a", 0.5), card("mathvista", "b", 0.4)], ""),
        ([card(kind, name, 0.5) for kind in ("mathvista", "mathvision") for name in "ab"], ""),
    ],
)
def test_where_a_leaderboard_would_stand_the_page_says_why_there_is_none(cards, why, tmp_path):
    for i, one in enumerate(cards):
        (tmp_path / f"scorecard_{i}.json").write_text(one.to_json())
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    html = (tmp_path / "out" / "index.html").read_text()
    assert why in html
    assert ("No leaderboard: " in html) == bool(why)
    assert ('id="leaderboard"' in html) == (len(cards) == 4)


def test_the_page_has_the_five_best_models_of_a_paper_and_says_that_all_are_in_the_csv():
    found = board(*(card(kind, model, 0.5) for kind in ("wemath", "mathvision") for model in ("a", "b")))
    models = {name: row.values["score_strict", "", ""] for name, (row, _) in found.settings[0].papers.items()}
    assert len(models) > 20
    kept = [models[name] for name in found.paper_rows if name in models]
    assert sorted(kept[1:], reverse=True) == sorted(models.values(), reverse=True)[:5]  # behind a random choice
    said = f"We-Math testmini: the paper's rows, of its {len(models) - 1} models the 5 best (all are in the CSV), "
    assert said in " ".join(found.remarks())
    assert {row["row"] for row in found.numbers()} >= set(models)


def test_what_was_asked_otherwise_is_another_column():
    found = board(
        card("mathvision", "a", 0.2),
        card("mathvision", "a", 0.3, task="mathvision_test_direct", prompt_style="direct"),
        card("mathvision", "b", 0.1, task="mathvision_test_judge"),
        card("mathvision", "c", 0.1, prompt_style=["direct", "cot"]),
    )
    assert [list(one.runs) for one in found.settings] == [["a", "b"], ["a"], ["c"]]
    assert [one.asked for one in found.settings] == [
        "task mathvision_test, prompt cot",
        "task mathvision_test_direct, prompt direct",
        "task mathvision_test, prompt cot and direct",
    ]


def test_the_best_is_marked_among_runs_that_compare_only():
    same = board(card("mathvista", "a", 0.5), card("mathvista", "b", 0.6), card("wemath", "a", 0.1))
    assert [cell.mark for cell in same.columns()[0].cells[:2]] == ["★", ""]
    assert not any(cell.mark for cell in same.columns()[1].cells)  # alone
    for other in ({"data_revision": "x@2"}, {"answers_read_by": {"rules": 1000}}):
        found = board(card("mathvista", "a", 0.5), card("mathvista", "b", 0.6, **other), card("wemath", "a", 0.1))
        assert not any(cell.mark for cell in found.columns()[0].cells)


def names_of(kind, **provenance):
    return {row.name for row, _ in papers.asked_alike(card(kind, "a", 0.5, **provenance))}


def test_the_papers_models_stand_beside_runs_that_were_asked_so_only():
    assert {"Human", "Random chance", "LLaVAR", "Multimodal Bard"} <= names_of("mathvista")
    assert "Multimodal Bard" in names_of("mathvista", task="mathvista_testmini_judge")
    assert not {"2-shot CoT GPT-4", "Zero-shot GPT-4"} & names_of("mathvista")
    text = names_of("mathvista", task="mathvista_testmini_text", prompt_style="solution")
    assert "Zero-shot GPT-4" in text
    assert not {"LLaVAR", "2-shot CoT GPT-4"} & text
    for unlike in (
        {"prompt_style": "question"},
        {"task": "mathvista_testmini_cot_2shot"},
        {"task": "", "prompt_style": None},
    ):
        assert names_of("mathvista", **unlike) == {"Human", "Random chance", "Frequent guess"}
    assert "GPT-4V (CoT)" in names_of("mathvision")
    assert "GPT-4V" not in names_of("mathvision")
    assert names_of("mathvision", task="mathvision_test", prompt_style="cot+letters") == {
        "Human",
        "Random chance (seed 42)",
    }
    assert "GPT-4o" in names_of("wemath")
    assert "GPT-4o" not in names_of("wemath", task="wemath_testmini_kca", prompt_style="kca")


@pytest.fixture
def folder(tmp_path):
    cards = tmp_path / "cards"
    cards.mkdir()
    for i, model in enumerate(("first", "second", "third")):
        for kind in SIZE:
            part = (kind, model) == ("wemath", "third")
            one = card(kind, model, 0.2 + 0.1 * i, {"missing": 40} if part else ())
            (cards / f"scorecard_{kind}_{model}.json").write_text(one.to_json())
    return cards


def test_the_command_prints_it_and_writes_page_and_numbers(folder, tmp_path, capsys, monkeypatch):
    monkeypatch.setenv("COLUMNS", "100")
    assert main(["report", str(folder), "-o", str(tmp_path / "out")]) == 0
    said = capsys.readouterr().out
    assert max(map(len, said.splitlines())) <= 100 + len(str(tmp_path))
    rows = [line.split()[0] for line in said.splitlines() if line.startswith(("first", "second", "third"))]
    assert rows == ["third", "second", "first"]
    assert "left out: third on We-Math: 1,700 of 1,740 rows scored (40 missing)" in said
    html = (tmp_path / "out" / "index.html").read_text()
    shown = re.search(r'<section id="leaderboard".*?</section>', html, re.DOTALL)[0]
    assert "third on We-Math: 1,700 of 1,740 rows scored" in shown
    assert "Table 2, arXiv 2310.02255" in shown
    with (tmp_path / "out" / "leaderboard.csv").open() as file:
        held = list(csv.DictReader(file))
    ours = {
        (row["row"], row["benchmark"]): float(row["value"])
        for row in held
        if row["asked"] and "(paper)" not in row["row"]
    }
    assert ours["first", "mathvision"] == 0.2
    assert ("third", "wemath") not in ours
    assert any(row["row"] == "Human (paper)" and row["value"] == "0.603" for row in held)


def test_runs_of_one_benchmark_make_none(folder, tmp_path, capsys):
    only = list(map(str, folder.glob("scorecard_wemath_*")))
    assert main(["report", *only, "-o", str(tmp_path / "out")]) == 0
    assert "Whole runs by benchmark" not in capsys.readouterr().out
    assert 'id="leaderboard"' not in (tmp_path / "out" / "index.html").read_text()
    assert not leaderboard(read_runs(list(map(folder.joinpath, only))))


@pytest.mark.parametrize(
    ("names", "counts", "why"),
    [
        (
            "abc",
            {},
            "no model has whole runs of two benchmarks, splits or prompts, by which models compare; runs of one",
        ),
        ("aaa", {}, "it compares several models, and all whole runs are of one, a\n"),
        ("abc", {"missing": 40}, "it has whole runs only, and none is whole; a on MathVista left out ("),
    ],
    ids=["none has two", "one model", "none is whole"],
)
def test_why_there_is_none_is_said(tmp_path, capsys, monkeypatch, names, counts, why):
    monkeypatch.setenv("COLUMNS", "1000")
    files = [tmp_path / f"scorecard_{kind}.json" for kind in SIZE]
    for path, kind in zip(files, SIZE, strict=True):
        path.write_text(card(kind, "m", 0.3, counts).to_json())
    assert main(["report", *map(str, files), "-o", str(tmp_path / "out"), "--names", *names]) == 0
    said = capsys.readouterr().out
    assert f"No leaderboard: {why}" in said
    assert ("--names" in said) == ("; runs of one" in why)


@pytest.mark.slow
def test_tables_sort_keep_their_first_column_and_fit(folder, tmp_path):
    record = json.loads((folder / "scorecard_wemath_first.json").read_text())
    metrics = ("ik", "ig", "cm_strict", "cm_loose", "rm_strict", "s1", "s2", "s3", "acc")
    ours = [f"{metric}{rule}" for rule in ("", "_verified") for metric in metrics]
    record["scores"] += [Score(m, "", "", 0.4321, 1740, 0.4021, 0.4621).to_dict() for m in ours]
    record["counts"] |= dict.fromkeys(("empty", "refusal", "truncated", "unextracted", "unmatched"), 1234)
    (folder / "scorecard_wemath_first.json").write_text(json.dumps(record))
    assert main(["report", str(folder), "-o", str(tmp_path / "out")]) == 0
    names = "return [...document.querySelectorAll('#leaderboard tbody th')].map(h => h.textContent)"
    with opened(tmp_path / "out" / "index.html", 1440) as browser:
        wide = "return [...document.querySelectorAll('.table')].filter(t => t.scrollWidth > t.clientWidth).length"
        assert browser.execute_script(wide) == 0
        assert browser.execute_script("return document.documentElement.scrollWidth <= innerWidth")
        before = browser.execute_script(names)
        press = "document.querySelectorAll('#leaderboard thead button')[arguments[0]].click()"
        order = "return document.querySelectorAll('#leaderboard thead th')[arguments[0]].getAttribute('aria-sort')"
        browser.execute_script(press, 1)
        assert browser.execute_script(order, 1) == "descending"
        rows = "[...document.querySelectorAll('#leaderboard tbody tr')]"
        values = f"return {rows}.map(r => r.cells[arguments[0]].dataset.order)"
        found = browser.execute_script(values, 1)
        numbers = [float(x) for x in found if x is not None]
        assert numbers == sorted(numbers, reverse=True)
        assert found[len(numbers) :] == [None] * (len(found) - len(numbers))
        browser.execute_script(press, 1)
        assert browser.execute_script(order, 1) == "ascending"
        browser.execute_script(press, 0)
        assert browser.execute_script(order, 1) is None
        sorted_names = browser.execute_script(names)
        assert sorted(before) == sorted(sorted_names) != before
    with opened(tmp_path / "out" / "index.html", 390) as browser:
        left = """
        const box = document.querySelector("[id^=wemath] .table");
        const place = (node) => node.getBoundingClientRect().left;
        box.scrollLeft = 200;
        return [box.scrollLeft, place(box) - place(box.querySelector("tbody th"))];
        """
        scrolled, moved = browser.execute_script(left)
        assert scrolled > 50
        assert abs(moved) < 1


def test_a_run_of_vlmevalkit_s_prompt_stands_apart_and_beside_no_row_of_the_paper():
    asked = {
        "task": "mathvision_test_vlmeval",
        "prompt_style": "vlmeval",
        "setting": "VLMEvalKit's prompt (1, MathVision)",
    }
    found = board(card("mathvision", "a", 0.3), card("mathvision", "b", 0.4, **asked))
    assert [one.asked for one in found.settings] == [
        "task mathvision_test, prompt cot",
        "task mathvision_test_vlmeval, prompt vlmeval, VLMEvalKit's prompt",
    ]
    assert found.settings[0].papers
    assert not found.settings[1].papers


@pytest.mark.parametrize(
    ("task", "style", "there", "absent"),
    [
        ("mathvision_test", "cot", {"GPT-4V (CoT)", "Qwen-VL-Max (CoT)"}, {"Gemini Pro (CoT)", "GPT-4V"}),
        ("mathvision_test", "gemini_cot", {"Gemini Pro (CoT)"}, {"GPT-4V (CoT)", "Gemini Pro"}),
        ("mathvision_test", "gemini", {"Gemini Pro", "Gemini-1.5 Pro"}, {"GPT-4V", "Gemini Pro (CoT)"}),
        ("mathvision_test", "word", {"LLaVA-v1.5-7B", "SPHINX-MoE", "Qwen-VL-Max"}, {"GPT-4V", "Gemini Pro"}),
        ("mathvision_test_direct", "direct", {"GPT-4V", "GPT-4o", "InternVL-Chat-V1-2-Plus"}, {"Qwen-VL-Max"}),
        ("mathvision_test_text_only", "text", {"GPT-4 (CoT)"}, {"GPT-4V"}),
    ],
)
def test_math_visions_models_stand_beside_the_wording_of_table_6(task, style, there, absent):
    found = names_of("mathvision", task=task, prompt_style=style)
    assert there <= found
    assert not absent & found

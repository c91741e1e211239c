"""What a page says around its plots: lead, sections, where numbers come from, remarks, files and what was counted."""

import csv
import json
import re
from html import unescape

import pytest
from report.conftest import write_run

from mmmath_tasks import __version__
from mmmath_tasks.problem import Problem, Score, Verdict
from mmmath_tasks.report.page import write_report
from mmmath_tasks.report.runs import read_runs
from support.report_page import page_data, unpainted

OURS = Problem("mathvista", "1", "How long is $x$?", answer="4")
ORIGIN = {"split": "testmini", "judge": {"model": "j", "seed": None}, "prompt_hash": None, "steps": 3}


def reported(folder, **options):
    with unpainted():
        made = write_report(read_runs([folder]), folder / "out", **options)
    return made, made.page.read_text()


def words(html):
    """The text of a piece of HTML."""
    return " ".join(unescape(re.sub(r"<[^>]+>", " ", html)).split())


def section(html, name):
    return re.search(rf'<section id="{name}".*?</section>', html, re.DOTALL)[0]


def test_lead_sections_origins_and_remarks(tmp_path):
    for i in range(7):
        write_run(tmp_path, f"m{i}", OURS, total=1000, counts={"missing": i}, data_revision=f"r{i % 2}", **ORIGIN)
    part = Problem("wemath", "1", "?", answer="A")
    write_run(tmp_path, "part", part, scores=[Score("score_strict_verified", "", "", 0.5, 9)])
    _, html = reported(tmp_path)
    assert re.search("<title>(.*?)</title>", html)[1] == "Report: MathVista, We-Math"
    lead = words(re.search('<p class="lead">.*?</p>', html)[0])
    assert lead == "8 runs (m0, m1, m2, m3, m4, m5, …), 6,980 responses in all."
    names = re.findall(r'<a href="#([\w-]+)">', re.search("<nav.*?</nav>", html, re.DOTALL)[0])
    assert names == ["mathvista_testmini", "mathvista_testmini_partial", "wemath", "browser"]
    whole, rest = section(html, names[0]), section(html, names[1])
    assert "Split: testmini, 1,000 problems." in words(whole)
    assert "These runs leave out some" not in words(whole)
    assert (
        "Split: testmini, 1,000 problems. These runs leave out some of them, so their scores compare neither"
        in words(rest)
    )
    assert "Split: not known." in words(section(html, "wemath"))
    different = "The runs were scored on different revisions of the data ({})."
    assert different.format("m1, m3, m5: r1; m2, m4, m6: r0") in unescape(rest)
    assert "different revisions" not in whole
    told = dict(re.findall("<dt>(.*?)</dt><dd>(.*?)</dd>", whole))
    assert told == {"model": "m0", "data revision": "r0", "split": "testmini", "steps": "3"} | {
        **{"judge": "model: j, seed: none", "prompt hash": "none"},
    }
    assert f"Made by mmmath-tasks {__version__}." in words(html)
    assert '<body data-rule="official">' in html


def test_the_page_begins_by_the_rule_of_its_headlines_and_says_who_read(tmp_path):
    write_run(tmp_path, "one", Problem("mathvision", "1", "?", answer="1"), split="test")
    _, html = reported(tmp_path, title="<Mine>")
    assert "read by rules" not in html
    assert re.findall("<(?:title|h1)>(&.*?)</", html) == ["&lt;Mine&gt;"] * 2
    path = tmp_path / "scorecard_one.json"
    record = json.loads(path.read_text())
    record["headline"] = record["scores"][0]["metric"] = "acc_verified"
    path.write_text(json.dumps(record))
    assert '<body data-rule="verified">' in reported(tmp_path)[1]


def test_what_was_written_is_counted(tmp_path):
    write_run(tmp_path, "one", OURS, split="testmini", answers_read_by={"rules": 1})
    write_run(tmp_path, "two", OURS, said=r"$\nosuch{x}$, $y$ and \(z\)", split="testmini")
    other = Problem("mathvista", "2", "Which?", answer="B")
    row = {"problem": other.to_dict(), "response": "B", "verdict": Verdict("2", True, True, "B").to_dict()}
    with (tmp_path / "samples_two.jsonl").open("a") as file:
        file.write(json.dumps(row) + "\n")
    made, html = reported(tmp_path)
    assert (made.figures, made.responses, made.pictures, made.without_picture, made.png, made.elsewhere) == (
        *(1, 3, 0, 2, True, ()),
    )
    assert "1 of the 3 formulas in the responses cannot be rendered and stand as they are." in html
    files = sorted(path.name for path in (tmp_path / "out" / "plots").iterdir())
    assert files == [f"mathvista_headline.{kind}" for kind in ("csv", "png", "svg")]
    assert [word for word in re.findall(r'\.(\w+)">(\w+)</a>', html) if word[0] in ("csv", "svg", "png")] == [
        *(("csv", "CSV"), ("svg", "SVG"), ("png", "PNG")),
    ]
    with (tmp_path / "out" / "numbers.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert rows[0] == {
        **{
            "benchmark": "mathvista",
            "split": "testmini",
            "partial": "True",
            "run": "one",
            "metric": "acc",
            "group": "",
        },
        **{"slice": "", "value": "1.0", "count": "1", "low": "0.2", "high": "1.0", "remark": "read by rules"},
    }
    assert [row["remark"] for row in rows] == ["read by rules", "reader not recorded"]
    assert not (tmp_path / "out" / "leaderboard.csv").exists()
    (data,) = page_data(tmp_path / "out")
    assert [run["name"] for run in data["runs"]] == ["one", "two"]


def test_plots_of_names_that_differ_in_a_sign_are_files_of_their_own(tmp_path):
    scores = [Score("acc", "subject x level", f"w, level {i}", 0.5, 9) for i in (1, 2)]
    for name in ("a b", "a_b", "a-b"):
        write_run(tmp_path, name, Problem("mathvision", "1", "?"), scores=scores, split="test")
    _, html = reported(tmp_path)
    stem = "mathvision_acc_by_subject_x_level_a"
    drawn = sorted(path.stem for path in (tmp_path / "out" / "plots").glob("*level_a*.svg"))
    assert drawn == [f"{stem}-b", f"{stem}_b", f"{stem}_b__2"]
    assert html.count(f"plots/{stem}_b__2.svg") == 1
    titles = [re.search("<title>(.*?)<", (tmp_path / "out" / "plots" / f"{name}.svg").read_text())[1] for name in drawn]
    assert [title.rpartition(": ")[2] for title in titles] == ["a-b", "a b", "a_b"]


def test_notes_name_the_runs_that_they_are_of(tmp_path):
    for name, notes in (("one", ["a", "b"]), ("two", ["b", "c"]), ("three", ["b"])):
        write_run(tmp_path, name, OURS, split="testmini")
        path = tmp_path / f"scorecard_{name}.json"
        path.write_text(json.dumps(json.loads(path.read_text()) | {"notes": notes}))
    _, html = reported(tmp_path)
    remarks = re.findall('<p class="remark">(.*?)</p>', section(html, "mathvista"))
    assert [one for one in remarks if len(one) < 12] == ["one: a", "b", "two: c"]


def test_without_the_packages_a_report_needs_it_says_so(tmp_path, monkeypatch):
    from mmmath_tasks.errors import InputError

    write_run(tmp_path, "one", OURS)
    monkeypatch.setattr("mmmath_tasks.report.page.find_spec", lambda name: None)
    with pytest.raises(InputError, match=r"plots as PDF need svglib; pip install 'mmmath-tasks\[report\]'"):
        write_report(read_runs([tmp_path]), tmp_path / "out", pdf=True)
    made, html = reported(tmp_path)
    assert not made.png
    assert ".png" not in html
    assert not list((tmp_path / "out" / "plots").glob("*.png"))
    monkeypatch.setitem(__import__("sys").modules, "latex2mathml", None)
    with pytest.raises(InputError, match="a report needs latex2mathml; pip install"):
        write_report(read_runs([tmp_path]), tmp_path / "out")

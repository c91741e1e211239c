"""The page as a file: self-contained, safe, complete."""

import base64
import csv
import gzip
import json
import re
import xml.etree.ElementTree as ET
from html.parser import HTMLParser

import pytest
from report.conftest import NASTY

from mmmath_tasks import papers
from mmmath_tasks.cli import main
from mmmath_tasks.problem import Scorecard


class Tags(HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.found = []
        self.feed(text)

    def handle_starttag(self, tag, attrs):
        self.found.append((tag, dict(attrs)))


@pytest.fixture(scope="module")
def html(page):
    return (page / "index.html").read_text()


@pytest.fixture(scope="module")
def data(html):
    block = re.search(r'<script id="data" type="application/json">(.*?)</script>', html, re.DOTALL)
    return json.loads(gzip.decompress(base64.b64decode(json.loads(block[1])["data"])))


def test_nothing_is_loaded_from_elsewhere(html):
    tags = Tags(html).found
    linked = [a[key] for _, a in tags for key in ("src", "href", "data", "action", "srcset") if a.get(key)]
    assert linked
    assert all(re.match(r"(#|plots/|numbers\.csv|data:,)", target) for target in linked)
    assert not re.search(r"@import|url\(", html)
    assert sum(tag == "script" for tag, _ in tags) == 2
    assert len(html) < 5_000_000


def test_every_link_leads_to_a_file_or_a_section(html, page):
    tags = Tags(html).found
    anchors = {a["id"] for _, a in tags if "id" in a}
    for _, attributes in tags:
        target = attributes.get("href", "")
        if target.startswith("#"):
            assert target[1:] in anchors
        elif target and not target.startswith("data:"):
            assert (page / target).is_file(), target


def test_the_text_of_a_model_is_no_markup(html, data):
    assert "pwned" not in html
    held = [a[0] for entry in data["benchmarks"] for given in entry["answers"] for a in given if a]
    assert NASTY in held


def test_names_of_runs_are_no_markup(scored, tmp_path):
    names = [f"<b>{i}</b> & \"'" for i in range(len(list(scored.glob("scorecard_*"))))]
    assert main(["report", str(scored), "-o", str(tmp_path), "--names", *names, "--title", "<i>T</i>"]) == 0
    html = (tmp_path / "index.html").read_text()
    assert "<b>0</b>" not in html
    assert "<i>T</i>" not in html
    for file in (tmp_path / "plots").glob("*.svg"):
        ET.parse(file)  # noqa: S314


def test_the_browser_holds_every_response_of_every_run(data, scored):
    assert len(data["benchmarks"]) == len({f.name.split("_")[1] for f in scored.glob("scorecard_*")})
    for entry in data["benchmarks"]:
        assert len(entry["runs"]) == 2
        for run, given in zip(entry["runs"], entry["answers"], strict=True):
            lines = [json.loads(x) for x in (scored / f"samples_{run['name']}.jsonl").read_text().split("\n") if x]
            by_id = {line["problem"]["id"]: line for line in lines}
            assert len(by_id) == len(entry["problems"])
            for problem, answer in zip(entry["problems"], given, strict=True):
                line = by_id[problem["id"]]
                assert answer[0] == line["response"]
                assert answer[6:8] == [line["verdict"]["official"], line["verdict"]["verified"]]
                assert problem["answer"] == line["problem"]["answer"]


def test_headings_of_a_section_differ(page):
    sections = re.findall(r"<section.*?</section>", (page / "index.html").read_text(), re.DOTALL)
    assert len(sections) > 4
    for section in sections:
        heads = re.findall(r'<figure class="by-official">\s*<h3>(.*?)</h3>', section)
        assert len(set(heads)) == len(heads)


def test_plots_are_drawings_with_words_and_numbers(page):
    drawings = sorted((page / "plots").glob("*.svg"))
    names = {file.stem for file in drawings}
    assert {
        "mathvista_headline",
        "mathvista_acc_by_skill_radar",
        "mathvista_acc_by_task",
        "mathvista_acc_by_grade",
    } <= names
    assert {
        "wemath_dimensions_strict",
        "wemath_dimensions_loose_verified",
        "mathverse_acc_verified_by_version",
    } <= names
    assert any(name.startswith("mathvision_acc_by_subject_x_level_mathvision_first") for name in names)
    for file in drawings:
        root = ET.parse(file).getroot()  # noqa: S314
        space = "{http://www.w3.org/2000/svg}"
        assert root.find(f"{space}title").text
        assert len(root.find(f"{space}desc").text) > 10
        assert root.get("role") == "img"
        assert not re.search(r"\bnan\b", file.read_text())
        assert file.with_suffix(".csv").is_file()


def test_numbers_are_those_of_the_scorecards(page, scored):
    with (page / "plots" / "mathvista_acc_by_task.csv").open() as file:
        rows = list(csv.DictReader(file))
    assert {row["run"] for row in rows} == {"mathvista_first", "mathvista_second"}
    for row in rows:
        card = Scorecard.from_json((scored / f"scorecard_{row['run']}.json").read_text())
        score = card.get("acc", "task", row["slice"])
        assert float(row["value"]) == score.value
        assert int(row["count"]) == score.count
    with (page / "numbers.csv").open() as file:
        total = sum(1 for _ in csv.DictReader(file))
    cards = [Scorecard.from_json(f.read_text()) for f in scored.glob("scorecard_*.json")]
    assert total == sum(len(card.scores) for card in cards)


def test_png_where_it_can_be_painted(page):
    drawn = list((page / "plots").glob("*.svg"))
    assert all(file.with_suffix(".png").read_bytes().startswith(b"\x89PNG") for file in drawn)


def test_the_same_runs_give_the_same_page(page, scored, tmp_path):
    assert main(["report", str(scored), "-o", str(tmp_path)]) == 0
    assert (tmp_path / "index.html").read_bytes() == (page / "index.html").read_bytes()


def test_scorecards_without_responses_make_a_page(scored, tmp_path, capsys):
    card = tmp_path / "scorecard_alone.json"
    card.write_bytes((scored / "scorecard_mathvista_first.json").read_bytes())
    assert main(["report", str(card), "-o", str(tmp_path / "out")]) == 0
    assert "  alone on MathVista: no responses beside its scorecard" in capsys.readouterr().out
    assert 'id="browser"' not in (tmp_path / "out" / "index.html").read_text()


def test_pictures_come_only_when_asked_for(page, scored, tmp_path):
    assert not (page / "pictures").exists()
    for kind in ("scorecard", "samples"):
        for file in scored.glob(f"{kind}_mathvista_first.*"):
            text = file.read_text()
            if kind == "scorecard":
                record = json.loads(text)
                record["provenance"]["split"] = "sample"
                text = json.dumps(record)
            (tmp_path / file.name).write_text(text)
    assert (
        main(["report", str(tmp_path / "scorecard_mathvista_first.json"), "-o", str(tmp_path / "out"), "--pictures"])
        == 0
    )
    saved = list((tmp_path / "out" / "pictures").iterdir())
    assert len(saved) > 20
    assert all(file.suffix in (".png", ".jpg") for file in saved)


@pytest.mark.parametrize(
    ("content", "said"),
    [
        ("{", "not a scorecard"),
        ("[1, 2]", "not a scorecard"),
        ('{"benchmark": "mathvista"}', "not a scorecard"),
        ('{"benchmark": "chess", "headline": "acc", "scores": []}', "unknown benchmark 'chess'"),
        ("%PDF-1.7", "not a scorecard"),
    ],
)
def test_what_is_no_scorecard_is_named(content, said, tmp_path, capsys):
    file = tmp_path / "scorecard_x.json"
    file.write_text(content)
    assert main(["report", str(file), "-o", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert said in error
    assert "scorecard_x.json" in error


def test_a_broken_line_of_responses_is_named(scored, tmp_path, capsys):
    for file in scored.glob("*_mathvista_first.*"):
        (tmp_path / file.name).write_bytes(file.read_bytes())
    with (tmp_path / "samples_mathvista_first.jsonl").open("a") as file:
        file.write('{"response": "half')
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 2
    assert re.search(r"samples_mathvista_first\.jsonl: line \d+: not a response", capsys.readouterr().err)


@pytest.mark.parametrize("arguments", [["missing.json"], ["."], ["--names", "only one"]])
def test_nothing_to_report_is_said(arguments, tmp_path, scored, monkeypatch, capsys):
    monkeypatch.chdir(tmp_path)
    arguments = [str(scored), *arguments] if arguments[0] == "--names" else arguments
    assert main(["report", "-o", str(tmp_path / "out"), *arguments]) == 2
    assert capsys.readouterr().err.startswith("mmmath: ")


def test_rows_of_the_paper_stand_beside_a_whole_split_only(page, scored, tmp_path):
    shown = (page / "plots" / "mathvista_headline.svg").read_text()
    assert "Human" not in shown  # the sample is no split of the paper
    record = json.loads((scored / "scorecard_mathvista_first.json").read_text())
    record["provenance"]["split"] = "testmini"
    record["counts"]["total"] = 1000
    (tmp_path / "scorecard_x.json").write_text(json.dumps(record))
    assert main(["report", str(tmp_path / "scorecard_x.json"), "-o", str(tmp_path / "out")]) == 0
    shown = (tmp_path / "out" / "plots" / "mathvista_headline.svg").read_text()
    human = papers.tables("mathvista", "testmini")[0].rows[-1]
    assert human.name == "Human"
    assert f"Human: {100 * human.values['acc', '', '']:.1f} %" in shown

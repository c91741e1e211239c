"""The page as a file: self-contained, safe, complete."""

import csv
import json
import re
import xml.etree.ElementTree as ET
from dataclasses import replace
from html import unescape
from html.parser import HTMLParser
from urllib.parse import parse_qsl

import pytest
from report.conftest import NASTY, write_run

from mmmath_tasks import papers
from mmmath_tasks.cli import main
from mmmath_tasks.outputs.run import problems_of
from mmmath_tasks.problem import Problem, Score, Scorecard
from support import mathvista_folder, picture_files
from support.needs import needs
from support.report_page import COLUMN, page_data, responses, unpainted


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
def data(page):
    return page_data(page)


def test_nothing_is_loaded_from_elsewhere(html):
    tags = Tags(html).found
    linked = [a[key] for _, a in tags for key in ("src", "href", "data", "action", "srcset") if a.get(key)]
    assert linked
    assert all(re.match(r"(#|plots/|numbers\.csv|leaderboard\.csv|data:,)", target) for target in linked)
    assert not re.search(r"@import|url\(", html)
    scripts = [a.get("type") for tag, a in tags if tag == "script"]
    assert scripts.count(None) == 1
    assert set(scripts) == {None, "application/json", "text/plain"}
    assert len(html) < 5_000_000


def test_every_link_leads_to_a_file_a_section_or_a_list(html, page, data):
    tags = Tags(html).found
    anchors = {a["id"] for _, a in tags if "id" in a}
    for _, attributes in tags:
        target = attributes.get("href", "")
        if "=" in target and target.startswith("#"):
            asked = dict(parse_qsl(target[1:]))
            known = next(one for one in data if one["title"] == asked["set"])
            assert asked["run"] in [run["name"] for run in known["runs"]]
        elif target.startswith("#"):
            assert target[1:] in anchors
        elif target and not target.startswith("data:"):
            assert (page / target).is_file(), target


def test_the_text_of_a_model_is_no_markup(html, data):
    assert "pwned" not in html
    assert any(NASTY in responses(entry, 0) for entry in data)


def test_names_of_runs_are_no_markup(scored, tmp_path):
    names = [f"<b>{i}</b> & \"'" for i in range(len(list(scored.glob("scorecard_*"))))]
    with unpainted():
        assert main(["report", str(scored), "-o", str(tmp_path), "--names", *names, "--title", "<i>T</i>"]) == 0
    html = (tmp_path / "index.html").read_text()
    assert "<b>0</b>" not in html
    assert "<i>T</i>" not in html
    for file in (tmp_path / "plots").glob("*.svg"):
        ET.parse(file)  # noqa: S314


def test_the_browser_holds_every_response_of_every_run(data, scored):
    assert len(data) == len({f.name.split("_")[1] for f in scored.glob("scorecard_*")})
    for entry in data:
        assert len(entry["runs"]) == 2
        for run, given in zip(entry["runs"], entry["answers"], strict=True):
            lines = [json.loads(x) for x in (scored / f"samples_{run['name']}.jsonl").read_text().split("\n") if x]
            by_id = {line["problem"]["id"]: line for line in lines}
            assert len(by_id) == len(entry["problems"])
            for problem, answer in zip(entry["problems"], given, strict=True):
                line = by_id[problem["id"]]
                for name in ("official", "verified", "rule", "reason", "truncated"):
                    assert answer[COLUMN[name]] == line["verdict"][name]
                assert answer[COLUMN["length"]] == len(line["response"])
                assert problem["answer"] == line["problem"]["answer"]


def test_headings_of_a_section_differ(page):
    sections = re.findall(r"<section.*?</section>", (page / "index.html").read_text(), re.DOTALL)
    assert len(sections) > 4
    found = []
    for section in sections:
        heads = re.findall(r'<figure class="by-official"[^>]*>\s*<h3>(.*?)</h3>', section)
        assert len(set(heads)) == len(heads)
        found += heads
    assert len(found) > 20


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


def test_png_where_it_can_be_painted(scored, tmp_path):
    cards = [str(scored / f"scorecard_{name}_first.json") for name in ("mathvista", "mathvision", "wemath")]
    assert main(["report", *cards, "-o", str(tmp_path)]) == 0
    drawn = list((tmp_path / "plots").glob("*.svg"))
    assert len(drawn) > 20
    assert all(file.with_suffix(".png").read_bytes().startswith(b"\x89PNG") for file in drawn)


@needs("report", "sandbox")
def test_pdf_says_what_the_svg_says(tmp_path):
    import pypdfium2

    write_run(tmp_path, "one", Problem("mathvision", "1", "?"), scores=[Score("acc", "level", "1", 0.5, 11, 0.2, 0.8)])
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out"), "--pdf"]) == 0
    drawn = sorted((tmp_path / "out" / "plots").glob("*.svg"))
    assert drawn
    for file in drawn:
        said = "".join(pypdfium2.PdfDocument(file.with_suffix(".pdf"))[0].get_textpage().get_text_range().split())
        for words in re.findall(r"<text[^>]*>([^<]*)</text>", unescape(file.read_text())):
            assert "".join(words.split()) in said


def test_the_same_runs_give_the_same_page(page, scored, tmp_path):
    with unpainted():
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


@pytest.mark.parametrize(
    ("line", "more"), [("", ["--pictures", "--data", "nowhere"]), ('{"response": "half', [])], ids=["pictures", "line"]
)
def test_a_report_that_fails_leaves_no_folder(line, more, tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    write_run(tmp_path, "run", OURS, split="testmini")
    with (tmp_path / "samples_run.jsonl").open("a") as file:
        file.write(line)
    assert main(["report", ".", "-o", "out", *more]) == 2
    assert not (tmp_path / "out").exists()
    (tmp_path / "out").mkdir()  # one's own stays
    assert main(["report", ".", "-o", "out", *more]) == 2
    assert list((tmp_path / "out").iterdir()) == []


def test_responses_stand_for_the_scorecard_beside_them(tmp_path, capsys):
    write_run(tmp_path, "run", OURS, split="testmini")
    both = [str(tmp_path / name) for name in ("samples_run.jsonl", "scorecard_run.json")]
    assert main(["report", *both, "-o", str(tmp_path / "out")]) == 0
    assert ": 1 run, " in capsys.readouterr().out
    (tmp_path / "scorecard_run.json").unlink()
    assert main(["report", both[0], "-o", str(tmp_path / "other")]) == 2
    error = capsys.readouterr().err
    assert (
        "samples_run.jsonl: responses without their scorecard (scorecard_run.json beside them); `mmmath rescore"
        in error
    )
    assert error.count("\n") == 1


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


def reported(folder):
    """Make a report of what stands in a folder; return its data and its HTML."""
    assert main(["report", str(folder), "-o", str(folder / "out")]) == 0
    return page_data(folder / "out"), (folder / "out" / "index.html").read_text()


OURS = Problem("mathvista", "1", "How long is the rod?", answer="0.4")
THEIRS = Problem("mathvista", "1", "How far does the block slide?", answer="1.2")


def test_a_picture_stands_beside_its_own_problem_only(tmp_path, capsys):
    """Our sample and the data in a folder share the id, question and answer of a problem, not its picture."""
    folder = mathvista_folder.write(tmp_path / "data", pictures={"1.png": picture_files.encode(picture_files.drawn())})
    (theirs,), revision = problems_of("mathvista", "testmini", str(folder))
    ours = next(p for p in problems_of("mathvista", "sample", None)[0] if p.question == theirs.question)
    ours, other = replace(ours, id=theirs.id), replace(theirs, question="Another revision asked this?")
    runs = tmp_path / "runs"
    runs.mkdir()
    write_run(runs, "theirs", theirs, split="testmini", data_revision=revision)
    write_run(runs, "other", other, split="testmini", data_revision="org/data@1")
    write_run(runs, "ours", ours, split="sample")
    out = runs / "out"
    assert main(["report", str(runs), "-o", str(out), "--pictures", "--data", str(folder), "--split", "test"]) == 0
    said = capsys.readouterr().out
    assert f"other: scored on org/data@1; pictures are from {revision}" in said
    assert "theirs: scored on" not in said
    found = {entry["runs"][0]["name"]: entry["problems"][0]["pictures"] for entry in page_data(out)}
    assert found["other"] == []
    (own,) = found["theirs"]
    assert (out / own).read_bytes() == (folder / "images" / "1.png").read_bytes()
    assert own not in found["ours"]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ({"split": "sample"}, {"split": "testmini"}),
        ({"split": "testmini", "data_revision": "x@1"}, {"split": "testmini", "data_revision": "x@2"}),
        ({"split": "testmini", "data_revision": "x@1"}, {"split": "testmini", "data_revision": "x@1"}),
        ({"data_revision": "the file's own columns"}, {"data_revision": "the file's own columns"}),
    ],
    ids=["split", "revision", "neither says so", "files of their own"],
)
def test_two_problems_of_one_id_stay_two(first, second, tmp_path):
    write_run(tmp_path, "ours", OURS, said="0.4", **first)
    write_run(tmp_path, "theirs", THEIRS, said="1.2", **second)
    data, _ = reported(tmp_path)
    found = [
        (run["name"], texts["question"][0], texts["problem"]["answer"], texts["answers"][i][0])
        for entry in data
        for i, run in enumerate(entry["runs"])
        for texts in entry["texts"]
        if texts["answers"][i]
    ]
    assert sorted(found) == [("ours", OURS.question, "0.4", "0.4"), ("theirs", THEIRS.question, "1.2", "1.2")]
    titles = [entry["title"] for entry in data]
    assert len(set(titles)) == len(titles)


def test_one_problem_of_two_revisions_of_the_data_is_shown_for_each(tmp_path):
    for revision in "12":
        write_run(tmp_path, f"run{revision}", OURS, split="testmini", data_revision=f"org/data@{revision}")
    data, html = reported(tmp_path)
    assert [entry["title"] for entry in data] == [
        "MathVista, data org/data@1",
        "MathVista, data org/data@2",
    ]
    assert "The runs were scored on different revisions of the data (run1: org/data@1; run2: org/data@2)." in html


def test_responses_of_two_runs_are_not_called_problems_and_empty_extractions_are_counted(tmp_path):
    write_run(tmp_path, "one", OURS, total=1000, split="testmini", counts={"extraction_empty": 216})
    write_run(tmp_path, "two", OURS, total=1000, split="testmini", counts={"missing": 10, "scored": 990})
    _, html = reported(tmp_path)
    assert "2 runs (one, two), 1,990 responses in all." in html
    assert re.search(r"<th[^>]*>extraction empty</th>", html)
    assert re.search(r' data-order="216">216</td>', html)


def test_splits_have_plots_and_tables_of_their_own(tmp_path):
    write_run(tmp_path, "small", OURS, total=1000, split="testmini")
    write_run(tmp_path, "large", THEIRS, total=5141, split="test")
    write_run(tmp_path, "own", OURS, split="sample")
    _, html = reported(tmp_path)
    titles = re.findall(r"<h2 id=\"mathvista\w*-title\">(.*?)</h2>", html)
    assert titles == ["MathVista, test", "MathVista, sample", "MathVista, testmini"]
    plots = {file.stem: file.read_text() for file in (tmp_path / "out" / "plots").glob("*headline.svg")}
    assert set(plots) == {"mathvista_testmini_headline", "mathvista_test_headline", "mathvista_sample_headline"}
    for split, run in (("testmini", "small"), ("test", "large"), ("sample", "own")):
        drawn = plots[f"mathvista_{split}_headline"]
        assert [name for name in ("small", "large", "own") if f"{name}: " in drawn] == [run]
    assert "Human: 60.3 %" in plots["mathvista_testmini_headline"]
    assert "Human" not in plots["mathvista_test_headline"] + plots["mathvista_sample_headline"]


@pytest.mark.parametrize(
    ("counts", "provenance"),
    [
        ({"total": 3040, "scored": 300, "missing": 2740}, {"split": "test"}),  # rescored against the split
        ({"total": 300, "scored": 300}, {"split": "test"}),  # as a harness that asked no more has it
        ({"total": 300, "scored": 300}, {"task": "mathvision_test", "limit": 300}),
        ({"total": 3040, "scored": 3000, "unscored": 40}, {"split": "test"}),
        ({"total": 8, "scored": 8}, {"task": "mathvision_sample", "samples": {"original": 32, "effective": 8}}),
    ],
)
def test_a_run_that_is_not_whole_stands_apart(counts, provenance, tmp_path):
    problem = Problem("mathvision", "1", "?", answer="1")
    part = Score("acc", "level", "1", 0.5, 7)
    full = Score("acc", "level", "1", 0.5, 237)
    write_run(tmp_path, "part", problem, total=counts["scored"], counts=counts, scores=[part], **provenance)
    write_run(tmp_path, "full", problem, total=3040, scores=[full], split="test")
    _, html = reported(tmp_path)
    plots = {file.stem: file.read_text() for file in (tmp_path / "out" / "plots").glob("*.svg")}
    alone = [drawn for drawn in plots.values() if "part, " in drawn or "part: " in drawn]
    assert len(alone) == 2  # headline, levels
    for drawn in alone:
        assert not re.search("full|Human|GPT-4|chance", drawn)
    assert f"n={counts['scored']:,}" in alone[0] + alone[1]
    assert "n=7<" in alone[0] + alone[1]
    assert any("full: " in drawn and "Human" in drawn for drawn in plots.values())
    (section,) = (s for s in re.findall(r"<section.*?</section>", html, re.DOTALL) if "partial runs" in s)
    assert "</i>part</th>" in section
    assert "</i>full</th>" not in section
    size = "32" if "samples" in provenance else "3,040"
    assert f'>{counts["scored"]:,} <span class="note">of {size}</span>' in section
    with (tmp_path / "out" / "numbers.csv").open() as file:
        assert {(row["run"], row["partial"]) for row in csv.DictReader(file)} == {("part", "True"), ("full", "False")}


def test_problems_of_we_math_that_lack_a_row_make_a_run_partial(tmp_path):
    problem = Problem("wemath", "1", "?", answer="A")
    dimensions = [Score(name, "", "", 0.25, 258) for name in ("score_strict", "ik", "ig", "cm_strict", "rm_strict")]
    counts = {"total": 1740, "scored": 1740, "problems": 525, "problems_complete": 258, "problems_incomplete": 267}
    write_run(tmp_path, "part", problem, counts=counts, scores=dimensions, split="testmini")
    reported(tmp_path)
    drawn = (tmp_path / "out" / "plots" / "wemath_dimensions_strict.svg").read_text()
    assert "n=258" in drawn
    assert "GPT-4o" not in drawn


def test_n_stands_beside_every_score_of_the_tables(html):
    cells = re.findall(r"<td[^>]*>(?:<a [^>]*>)?<b>[\d.]+</b>(?:</a>)? <span class=\"note\">(.*?)</span></td>", html)
    assert len(cells) > 20
    assert all(re.search(r"(^|, )n=[\d,]+$", cell) for cell in cells)


def test_every_bar_says_how_many_problems_it_rests_on(tmp_path):
    problem = Problem("mathvision", "1", "?", answer="1")
    for label, count in (("one", 11), ("two", 29)):
        write_run(tmp_path, label, problem, scores=[Score("acc", "level", "1", 0.5, count)])
    reported(tmp_path)
    texts = re.findall(
        r"<text[^>]*>(.*?)</text>", (tmp_path / "out" / "plots" / "mathvision_acc_by_level.svg").read_text()
    )
    assert [said for said in texts if said.startswith("n=")] == ["n=11", "n=29"]


def test_levels_come_in_their_order_whichever_run_has_them(tmp_path):
    problem = Problem("mathvision", "1", "?", answer="1")

    def scores(*levels):
        return [
            *(Score("acc", "level", str(n), 0.5, 5) for n in levels),
            *(
                Score("acc", "subject x level", f"{part}, level {n}", 0.5, 5)
                for n in levels
                for part in ("logic", "area")
            ),
        ]

    write_run(tmp_path, "one", problem, scores=scores(4, 2))
    write_run(tmp_path, "two", problem, scores=scores(5, 3, 1))
    reported(tmp_path)
    plots = tmp_path / "out" / "plots"
    for name, prefix in (
        ("acc_by_level", ""),
        *((f"acc_by_subject_x_level_{run}", "level ") for run in ("one", "two")),
    ):
        texts = re.findall(r"<text[^>]*>(.*?)</text>", (plots / f"mathvision_{name}.svg").read_text())
        assert [said for said in texts if re.fullmatch(rf"{prefix}[1-5]", said)] == [
            f"{prefix}{n}" for n in range(1, 6)
        ]


def test_gain_is_explained_wherever_it_stands_and_a_note_is_said_once(html, tmp_path):
    gain = Score("gain", "", "", -0.0001, 9, -0.1, 0.1)
    for split in ("testmini", "sample"):
        write_run(tmp_path, split, OURS, scores=[gain], split=split)
        path = tmp_path / f"scorecard_{split}.json"
        record = json.loads(path.read_text()) | {"notes": ["acc keeps a rule."]}
        path.write_text(json.dumps(record))
    _, own = reported(tmp_path)
    assert own.count("gain: acc beyond guessing") == 2
    assert own.count("acc keeps a rule.") == 1
    assert "-0.0" not in re.sub(r"<style.*?</style>|<script.*?</script>|data-order=\S+", "", own, flags=re.DOTALL)


def with_readers(scored, folder, **readers):
    """Scorecards of a run whose answers were read so."""
    record = json.loads((scored / "scorecard_mathvista_first.json").read_text())
    for name, read_by in readers.items():
        record["provenance"]["answers_read_by"] = read_by
        (folder / f"scorecard_{name}.json").write_text(json.dumps(record))
    return folder


def plot_titles(page):
    return {re.search("<title[^>]*>([^<]*)", file.read_text())[1] for file in (page / "plots").glob("*.svg")}


def test_read_by_rules_is_named_in_table_plots_numbers_and_prose(page, html):
    head = re.search('<section id="mathvista".*?</thead>', html, re.DOTALL)[0]
    assert ">acc, read by rules</th>" in head
    assert ">acc verified</th>" in head
    assert "marked “read by rules”, and can differ from published ones" in html
    assert "Read by rules: the authors have GPT-4 read the answer" in html
    plots = {t for t in plot_titles(page) if "erified" not in t}
    assert "MathVista: accuracy in percent, read by rules" in plots
    assert "Accuracy by task, read by rules" in plots
    assert "MATH-Vision: accuracy in percent" in plots
    rows = list(csv.DictReader((page / "numbers.csv").read_text().splitlines()))
    said = {(row["benchmark"], row["metric"]): row["remark"] for row in rows}
    assert said["mathvista", "acc"] == "read by rules"
    assert said["mathvista", "acc_verified"] == said["mathvision", "acc"] == ""


def test_what_a_judge_or_the_file_read_is_not_read_by_rules(scored, tmp_path):
    cards = with_readers(scored, tmp_path, a={"extraction": 10}, b={"judge:j": 10})
    assert main(["report", str(cards), "-o", str(tmp_path / "out")]) == 0
    html = (tmp_path / "out" / "index.html").read_text()
    assert ">acc</th>" in html
    assert "marked “read by rules”" not in html
    assert not any("rules" in title for title in plot_titles(tmp_path / "out"))


def test_runs_that_were_read_otherwise_are_told_apart(scored, tmp_path):
    cards = with_readers(scored, tmp_path, a={"extraction": 10}, b={"rules": 10})
    assert main(["report", str(cards), "-o", str(tmp_path / "out")]) == 0
    html = (tmp_path / "out" / "index.html").read_text()
    assert ">answers read by</th>" in html
    assert "<td>extraction 10</td>" in html
    assert "<td>rules 10</td>" in html
    assert "MathVista: accuracy in percent (read by rules: b)" in plot_titles(tmp_path / "out")


def test_maps_of_many_runs_are_folded_together_each_with_its_title(tmp_path):
    problem = Problem("mathvision", "1", "?", answer="1")
    scores = [Score("acc", "subject x level", f"logic, level {n}", 0.5, 5) for n in (1, 2)]
    for i in range(6):
        write_run(tmp_path, f"run{i}", problem, scores=scores)
    _, html = reported(tmp_path)
    (folded,) = re.findall(r"<details class=\"long.*?</details>", html, re.DOTALL)
    assert "<summary>Accuracy by subject \u00d7 level, 6 runs</summary>" in folded
    assert re.findall("<h3>(.*?)</h3>", folded) == [f"Accuracy by subject \u00d7 level: run{i}" for i in range(6)]

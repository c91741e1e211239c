"""A report of four published runs in a real browser, opened from disk."""

import json

import pytest

from mmmath_tasks.cli import main
from support.chromium import opened, requested
from support.published import lines

pytestmark = pytest.mark.slow

RUNS = {
    "mathvista": ("mathvista_rows.jsonl.gz", ("gpt4_2shot_solution", "claude")),
    "mathvision": ("mathv_rows.jsonl.gz", ("Qwen-VL-Max-CoT", "InternLM-XComposer2-VL")),
}


@pytest.fixture(scope="module")
def page(shared, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, (file, runs) in RUNS.items():
        said = {run: {} for run in runs}
        for row in lines(shared / "oracle" / file):
            if row["run"] in said:
                said[row["run"]][row["id"]] = {"response": row["response"] or ""}
        for run, rows in said.items():
            path = folder / f"{run}.json"
            path.write_text(json.dumps(rows))
            command = ["rescore", str(path), "--benchmark", name, "--data", str(shared / "data"), "--out", str(folder)]
            assert main(command) == 0
    assert main(["report", str(folder), "-o", str(folder / "report")]) == 0
    return folder / "report" / "index.html"


def test_it_is_small_and_holds_the_papers_rows(page):
    text = page.read_text()
    assert len(text) < 5_000_000
    for said in ("Human: 60.3 %", "Frequent guess: 26.3 %", "Human: 68.8 %", "GPT-4o: 30.4 %"):
        assert said in text


def test_it_opens_quietly_and_disagreements_are_those_of_the_files(page):
    with opened(page) as browser:
        assert [e for e in browser.get_log("browser") if e["level"] != "INFO"] == []
        assert [url for url in requested(browser) if not url.startswith(("file:", "data:"))] == []
        for i in range(2):
            browser.execute_script(
                "const b = document.getElementById('benchmark'); b.value = arguments[0];"
                "b.dispatchEvent(new Event('change', {bubbles: true}));"
                "if (!document.getElementById('disagree').checked) document.getElementById('disagree').click();",
                str(i),
            )
            shown = browser.execute_script("return document.getElementById('count').textContent")
            chosen = browser.execute_script("return document.querySelector('#benchmark option:checked').text")
            name = {"MathVista": "mathvista", "MATH-Vision": "mathvision"}[chosen]
            verdicts = []
            for run in RUNS[name][1]:
                rows = (page.parent.parent / f"samples_{run}.jsonl").read_text().split("\n")
                verdicts.append(
                    {r["problem"]["id"]: r["verdict"]["official"] for r in map(json.loads, filter(None, rows))}
                )
            differ = sum(verdicts[0][key] != verdicts[1][key] for key in verdicts[0])
            assert int(shown.split(" ")[0].replace(",", "")) == differ > 100


def test_pictures_that_the_data_hold_are_shown_and_the_others_counted(shared, page, tmp_path, capsys):
    card = page.parent.parent / "scorecard_InternLM-XComposer2-VL.json"
    command = ["report", str(card), "-o", str(tmp_path), "--pictures", "--data", str(shared / "data")]
    assert main(command) == 0
    assert "304 pictures" in (said := capsys.readouterr().out)
    assert "2736 problems are shown without a picture" in said
    assert len(list((tmp_path / "pictures").iterdir())) > 290

"""A report of four published runs, with the verdicts that their authors published, in a real browser.

How responses are read is test_rescore.py's; nothing is read here.
"""

import json
from dataclasses import replace

import pytest

import mmmath_tasks as mm
from mmmath_tasks.cli import main
from mmmath_tasks.outputs.run import problems_of
from mmmath_tasks.problem import Verdict
from support.chromium import opened, requested
from support.published import by_run
from support.report_page import unpainted

pytestmark = pytest.mark.slow

RUNS = {
    "mathvista": ("mathvista_rows.jsonl.gz", "testmini", ("gpt4_2shot_solution", "claude")),
    "mathvision": ("mathv_rows.jsonl.gz", "test", ("Qwen-VL-Max-CoT", "InternLM-XComposer2-VL")),
}


@pytest.fixture(scope="module")
def published(shared):
    """Benchmark to a column of verdicts a run, and the responses, by id."""
    found = {}
    for name, (file, _, runs) in RUNS.items():
        known = by_run(shared / "oracle" / file)
        found[name] = {
            run: {row["id"]: (row.get("correct", row.get("true_false")), row["response"] or "") for row in own}
            for run, own in known.items()
            if run in runs
        }
    return found


@pytest.fixture(scope="module")
def page(shared, published, tmp_path_factory):
    folder = tmp_path_factory.mktemp("runs")
    for name, (_, split, _) in RUNS.items():
        problems, _ = problems_of(name, split, str(shared / "data"))
        for run, own in published[name].items():
            verdicts = [Verdict(p.id, own[p.id][0], own[p.id][0], "read") for p in problems]
            card = mm.benchmark(name).summarise(problems, verdicts)
            (folder / f"scorecard_{run}.json").write_text(replace(card, provenance={"split": split}).to_json())
            rows = zip(problems, verdicts, strict=True)
            lines = [{"problem": p.to_dict(), "response": own[p.id][1], "verdict": v.to_dict()} for p, v in rows]
            (folder / f"samples_{run}.jsonl").write_text("".join(f"{json.dumps(line)}\n" for line in lines))
    with unpainted():
        assert main(["report", str(folder), "-o", str(folder / "report")]) == 0
    return folder / "report" / "index.html"


def test_it_is_small_and_holds_the_papers_rows(page):
    text = page.read_text()
    assert len(text) < 5_000_000
    for said in ("Human: 60.3 %", "Frequent guess: 26.3 %", "Human: 68.8 %", "GPT-4o: 30.4 %"):
        assert said in text


def test_it_opens_quietly_and_disagreements_are_the_published_ones(page, published):
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
            first, second = published[name].values()
            differ = sum(first[key][0] != second[key][0] for key in first)
            assert int(shown.split(" ")[0].replace(",", "")) == differ > 100


def test_pictures_that_the_data_hold_are_shown_and_the_others_counted(shared, page, tmp_path, capsys):
    card = page.parent.parent / "scorecard_InternLM-XComposer2-VL.json"
    command = ["report", str(card), "-o", str(tmp_path), "--pictures", "--data", str(shared / "data")]
    with unpainted():
        assert main(command) == 0
    assert "304 pictures" in (said := capsys.readouterr().out)
    assert "2736 problems are shown without a picture" in said
    assert len(list((tmp_path / "pictures").iterdir())) > 290

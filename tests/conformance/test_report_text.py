"""1,000 published MATH-Vision responses on a page: formulas are rendered, and raw mode changes no text."""

import json
import random

import pytest
from report.conftest import write_run

from mmmath_tasks.cli import main
from mmmath_tasks.problem import Problem, Verdict
from mmmath_tasks.report.rich_text import rich_text
from support.chromium import opened, wait_for
from support.published import lines

pytestmark = pytest.mark.slow

READ = """
const done = arguments[0], found = [], wait = () => new Promise((then) => setTimeout(then));
const step = new KeyboardEvent("keydown", {key: "j", bubbles: true});
(async () => {
  let last = null;
  for (;;) {
    while (!document.querySelector("#detail .answer > .text")) await wait();
    const id = document.querySelector("#detail h3").textContent.split(" ").pop();
    if (id === last) break;
    last = id;
    const text = document.querySelector("#detail .answer > .text");
    const [math, all] = [text.querySelectorAll("math").length, text.textContent];
    const code = [...text.querySelectorAll("math")].reduce((sum, one) => sum + (one.textContent.match(/\\\\[a-zA-Z]/g) || []).length, 0);
    found.push([id, all, math, code]);
    document.body.dispatchEvent(step);
    await wait();
  }
  done(found);
})();
"""


@pytest.fixture(scope="module")
def drawn(shared, tmp_path_factory):
    """A page with 1,000 responses that have a formula, and those by id."""
    folder = tmp_path_factory.mktemp("texts")
    rows = [
        row for row in lines(shared / "oracle" / "mathv_rows.jsonl.gz") if rich_text(row["response"] or "").formulas
    ]
    rows = random.Random(13).sample(rows, 1000)
    problem = Problem("mathvision", "0", "?", answer="1")
    write_run(folder, "published", problem, total=1000)
    with (folder / "samples_published.jsonl").open("w") as file:
        for i, row in enumerate(rows):
            own = {"problem": Problem("mathvision", str(i), "?").to_dict(), "response": row["response"]}
            file.write(json.dumps(own | {"verdict": Verdict(str(i), True, True).to_dict()}) + "\n")
    assert main(["report", str(folder), "-o", str(folder / "out")]) == 0
    return folder / "out" / "index.html", {str(i): row["response"] for i, row in enumerate(rows)}


def test_formulas_are_rendered_and_raw_text_is_the_response(drawn):
    page, said = drawn
    with opened(page) as driver:
        shown = driver.execute_async_script(READ)
        driver.execute_script("location.hash = 'raw=1&id=0'")
        wait_for(driver, "return document.body.dataset.followed === '#raw=1&id=0'")
        raw = driver.execute_async_script(READ)
    assert {key: text for key, text, *_ in raw} == said
    assert not any(math for _, _, math, _ in raw)
    formulas = sum(rich_text(text).formulas for text in said.values())
    rendered = sum(math for _, _, math, _ in shown)
    assert len(shown) == 1000
    assert formulas > 3000
    assert rendered / formulas >= 0.98
    assert sum(code for *_, code in shown) == 0  # no command is left over in what is drawn as a formula
    print(f"{rendered} of {formulas} formulas rendered")

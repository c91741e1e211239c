"""1,000 published MATH-Vision responses on a page: formulas are rendered, and raw mode changes no text."""

import json
import random
import re

import pytest
from report.conftest import write_run

from mmmath_tasks.cli import main
from mmmath_tasks.problem import Problem, Verdict
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
    const math = [...text.querySelectorAll("math")];
    const commands = math.filter((one) => /\\\\[a-zA-Z]/.test(one.textContent)).length;
    const outside = text.cloneNode(true), whole = text.textContent;
    outside.querySelectorAll("math, code").forEach((one) => one.remove());
    const left = (outside.textContent.match(/\\$[^$\\n]*\\$|\\\\[a-zA-Z]+/g) || []).length;
    found.push([id, whole, math.length, commands, left]);
    document.body.dispatchEvent(step);
    await wait();
  }
  done(found);
})();
"""


@pytest.fixture(scope="module")
def drawn(shared, tmp_path_factory):
    """A page with 1,000 responses that have a dollar or a backslash, and those by id."""
    folder = tmp_path_factory.mktemp("texts")
    published = lines(shared / "oracle" / "mathv_rows.jsonl.gz")
    rows = [row for row in published if re.search(r"[$\\]", row["response"] or "")]
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
    assert len(shown) == 1000
    assert not any(math for _, _, math, *_ in raw)
    rendered, broken, left = (sum(row[i] for row in shown) for i in (2, 3, 4))
    print(f"{rendered} formulas rendered; {left} commands and pairs of dollars left, none of them in a formula")
    assert rendered > 3000
    assert rendered / (rendered + left) >= 0.98
    assert broken == 0  # no command is left over in what is drawn as a formula

"""How a report of real runs behaves in Chromium: size, first paint, filters, scrolling.

python perf/report_browser.py [SHARED]

Rescores published runs (two of MathVista and two of MATH-Vision, then all eight of MATH-Vision), makes a report of each
set, opens it from disk in headless Chromium, and prints one table. Needs chromium, chromedriver and selenium.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

sys.path.insert(0, str(Path(__file__).parent.parent / "tests"))

from mmmath_tasks.cli import main
from support.chromium import opened, requested, wait_for
from support.published import SHARED, lines

PAINT = "return performance.getEntriesByName('first-contentful-paint')[0].startTime"

FILTER = """
const [id, value] = arguments, input = document.getElementById(id);
const start = performance.now();
if (input.type === "checkbox") input.checked = !input.checked; else input.value = value;
input.dispatchEvent(new Event("change", {bubbles: true}));
document.getElementById("list").getBoundingClientRect();
return performance.now() - start;
"""

SCROLL = """
const done = arguments[0], list = document.getElementById("list"), gaps = [];
const step = list.scrollHeight / 120;
let last = performance.now(), n = 0;
const frame = (now) => {
  if (n) gaps.push(now - last);
  last = now;
  list.scrollTop += step;
  if (++n < 120) requestAnimationFrame(frame); else done(gaps.sort((a, b) => a - b));
};
requestAnimationFrame(frame);
"""

SETS = {
    "four runs of two benchmarks": {
        "mathvista": ["gpt4_2shot_solution", "claude"],
        "mathvision": ["Qwen-VL-Max-CoT", "InternLM-XComposer2-VL"],
    },
    "eight runs of MATH-Vision": {"mathvision": []},
}
ROWS = {"mathvista": "mathvista_rows.jsonl.gz", "mathvision": "mathv_rows.jsonl.gz"}


def rescored(shared: Path, wanted: dict[str, list[str]], folder: Path) -> None:
    for name, runs in wanted.items():
        files: dict[str, dict[str, dict[str, str]]] = {}
        for row in lines(shared / "oracle" / ROWS[name]):
            if not runs or row["run"] in runs:
                files.setdefault(row["run"], {})[row["id"]] = {"response": row["response"] or ""}
        for run, rows in files.items():
            path = folder / f"{run.replace('/', '_')}.json"
            path.write_text(json.dumps(rows))
            with contextlib.redirect_stdout(io.StringIO()):
                main(["rescore", str(path), "--benchmark", name, "--data", str(shared / "data"), "--out", str(folder)])


def measured(page: Path) -> dict[str, float]:
    """Return the median of three openings; the worst of errors and requests."""
    found = [_opened_once(page) for _ in range(3)]
    worst = ("console errors", "requests to the network")
    return {name: (max if name in worst else median)(each[name] for each in found) for name in found[0]}


def _opened_once(page: Path) -> dict[str, float]:
    with opened(page) as browser:
        cold = browser.execute_script(PAINT)
        ready = browser.execute_script("return performance.now()")
        spent = {m["name"]: m["value"] for m in browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
        browser.get(page.absolute().as_uri())
        wait_for(browser, "return document.body.dataset.ready === 'true'")
        warm = browser.execute_script(PAINT)
        times = {}
        for label, control, value in (
            ("search a word (first)", "search", "triangle"),
            ("search two words", "search", "angle degrees"),
            ("clear the search", "search", ""),
            ("verdict right", "verdict", "right"),
            ("verdict any", "verdict", ""),
            ("disagreements", "disagree", ""),
        ):
            times[label] = browser.execute_script(FILTER, control, value)
        browser.execute_script(FILTER, "disagree", "")
        gaps = browser.execute_async_script(SCROLL)
        errors = [e for e in browser.get_log("browser") if e["level"] != "INFO"]
        foreign = [url for url in requested(browser) if not url.startswith(("file:", "data:"))]
    return {
        "first paint, browser just begun (ms)": cold,
        "first paint, browser running (ms)": warm,
        "responses ready, at most (ms)": ready,
        "main thread until then (CPU ms)": 1000 * spent["TaskDuration"],
        **{f"{name} (ms)": value for name, value in times.items()},
        "scroll: median frame (ms)": gaps[len(gaps) // 2],
        "scroll: worst frame (ms)": gaps[-1],
        "console errors": len(errors),
        "requests to the network": len(foreign),
    }


def run(shared: Path) -> None:
    found: dict[str, dict[str, float]] = {}
    for label, wanted in SETS.items():
        with tempfile.TemporaryDirectory() as work:
            folder = Path(work)
            rescored(shared, wanted, folder)
            start = time.process_time()
            with contextlib.redirect_stdout(io.StringIO()):
                main(["report", str(folder), "-o", str(folder / "page")])
            made = time.process_time() - start
            page = folder / "page" / "index.html"
            found[label] = {
                "made in (CPU s)": made,
                "page (MB)": page.stat().st_size / 1e6,
                **measured(page),
            }
    print(f"wall times at a load of {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores; median of three openings")
    print(f"{'':38}" + "".join(f"{label:>32}" for label in found))
    for name in next(iter(found.values())):
        print(f"{name:38}" + "".join(f"{values[name]:>32.1f}" for values in found.values()))


if __name__ == "__main__":
    run(Path(sys.argv[1]) if len(sys.argv) > 1 else SHARED)

"""How a report of real runs behaves in Chromium: size, first paint, filters, scrolling.

python perf/report_browser.py [--shared SHARED] [--before CHECKOUT]

Rescores published runs (two of MathVista and two of MATH-Vision, all eight of MATH-Vision, those and eight more whose
responses have other digits), makes a report of each set, opens it from disk in headless Chromium, and prints one table.
With a checkout of another version, its reports are made and opened in turn with ours, and the table says how many times
as much ours take. Needs chromium, chromedriver and selenium.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median

from shared_rows import ROOT, arguments, lines

from support.chromium import opened, requested, wait_for

PAINT = "return performance.getEntriesByName('first-contentful-paint')[0].startTime"

# Until the list stands; the texts of the problem that is then open may come a moment later.
FILTER = """
const [id, value, done] = arguments, input = document.getElementById(id), count = document.getElementById("count");
if (!input) return done(null);
const start = performance.now();
if (input.type === "checkbox") input.checked = !input.checked; else input.value = value;
input.dispatchEvent(new Event("change", {bubbles: true}));
const wait = () => {
  if (count.textContent.startsWith("Reading")) return setTimeout(wait);
  document.getElementById("list").getBoundingClientRect();
  done(performance.now() - start);
};
wait();
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

SETS: dict[str, tuple[dict[str, list[str]], bool]] = {
    "four of two benchmarks": (
        {"mathvista": ["gpt4_2shot_solution", "claude"], "mathvision": ["Qwen-VL-Max-CoT", "InternLM-XComposer2-VL"]},
        False,
    ),
    "eight of MATH-Vision": ({"mathvision": []}, False),
    "sixteen of MATH-Vision": ({"mathvision": []}, True),
}
ROWS = {"mathvista": "mathvista_rows.jsonl.gz", "mathvision": "mathv_rows.jsonl.gz"}
_OTHER = str.maketrans("0123456789", "3698217045")


def saved(shared: Path, wanted: dict[str, list[str]], twice: bool, folder: Path) -> dict[str, list[Path]]:
    """Write published runs as files that `mmmath rescore` reads; `twice`: each again, with other digits."""
    found: dict[str, list[Path]] = {}
    for name, runs in wanted.items():
        files: dict[str, dict[str, dict[str, str]]] = {}
        for row in lines(shared / "oracle" / ROWS[name]):
            if not runs or row["run"] in runs:
                said = row["response"] or ""
                files.setdefault(row["run"], {})[row["id"]] = {"response": said}
                if twice:
                    files.setdefault(f"{row['run']} again", {})[row["id"]] = {"response": said.translate(_OTHER)}
        for run, rows in files.items():
            path = folder / f"{run.replace('/', '_')}.json"
            path.write_text(json.dumps(rows))
            found.setdefault(name, []).append(path)
    return found


def reported(checkout: Path, shared: Path, files: dict[str, list[Path]], folder: Path) -> tuple[Path, float]:
    """Rescore files and make their page with the package of a checkout; return it and the CPU seconds it took."""
    environment = {**os.environ, "PYTHONPATH": str(checkout)}

    def run(*arguments: str) -> None:
        command = [sys.executable, "-m", "mmmath_tasks", *arguments]
        subprocess.run(command, env=environment, cwd=checkout, check=True, stdout=subprocess.DEVNULL)  # noqa: S603

    for name, own in files.items():
        for file in own:
            run("rescore", str(file), "--benchmark", name, "--data", str(shared / "data"), "--out", str(folder))
    before = os.times()
    run("report", str(folder), "-o", str(folder / "page"))
    after = os.times()
    spent = after.children_user + after.children_system - before.children_user - before.children_system
    return folder / "page" / "index.html", spent


def measured(pages: dict[str, Path], openings: int) -> dict[str, dict[str, float]]:
    """Return the medians of some openings, the pages in turn; the worst of errors and requests."""
    found: dict[str, list[dict[str, float]]] = {name: [] for name in pages}
    for _ in range(openings):
        for name, page in pages.items():
            found[name].append(_opened_once(page))
    worst = ("console errors", "requests to the network")
    return {
        name: {key: (max if key in worst else median)([one[key] for one in each]) for key in each[0]}
        for name, each in found.items()
    }


def _opened_once(page: Path) -> dict[str, float]:
    with opened(page) as browser:
        cold = browser.execute_script(PAINT)
        ready = browser.execute_script("return performance.now()")
        if browser.execute_script("return Boolean(document.getElementById('texts-0'))"):
            wait_for(browser, "return document.body.dataset.searchable")
        searchable = browser.execute_script("return performance.now()")
        spent = {m["name"]: m["value"] for m in browser.execute_cdp_cmd("Performance.getMetrics", {})["metrics"]}
        browser.get(page.absolute().as_uri())
        wait_for(browser, "return document.body.dataset.ready === 'true'")
        warm = browser.execute_script(PAINT)
        if browser.execute_script("return Boolean(document.getElementById('texts-0'))"):
            wait_for(browser, "return document.body.dataset.searchable")
        times = {}
        for label, control, value in (
            ("search a word (first)", "search", "triangle"),
            ("search two words", "search", "angle degrees"),
            ("clear the search", "search", ""),
            ("verdict right", "verdict", "right"),
            ("verdict any", "verdict", ""),
            ("disagreements", "disagree", ""),
            ("all again", "disagree", ""),
            ("sort by disagreement", "sort", "disagreement"),
            ("sort by id", "sort", "id"),
            ("sort by length", "sort", "length"),
            ("as in the file", "sort", ""),
        ):
            spent_ms = browser.execute_async_script(FILTER, control, value)
            if spent_ms is not None:
                times[label] = spent_ms
        gaps = browser.execute_async_script(SCROLL)
        errors = [e for e in browser.get_log("browser") if e["level"] != "INFO"]
        foreign = [url for url in requested(browser) if not url.startswith(("file:", "data:"))]
    return {
        "first paint, browser just begun (ms)": cold,
        "first paint, browser running (ms)": warm,
        "responses ready, at most (ms)": ready,
        "texts ready for the search, at most (ms)": searchable,
        "main thread until then (CPU ms)": 1000 * spent["TaskDuration"],
        **{f"{name} (ms)": value for name, value in times.items()},
        "scroll: median frame (ms)": gaps[len(gaps) // 2],
        "scroll: worst frame (ms)": gaps[-1],
        "console errors": len(errors),
        "requests to the network": len(foreign),
    }


def shown(found: dict[str, dict[str, float]]) -> None:
    names = list(found)
    print(f"{'':38}" + "".join(f"{name:>12}" for name in names) + (f"{'ratio':>10}" if len(names) > 1 else ""))
    for key in found[names[0]]:
        values = [found[name].get(key) for name in names]
        cells = "".join(f"{'-' if value is None else f'{value:.1f}':>12}" for value in values)
        both = len(values) > 1 and None not in values and values[1]
        print(f"{key:38}{cells}" + (f"{values[0] / values[1]:>10.2f}" if both else ""))


def run() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--before", type=Path, help="a checkout of another version")
    parser.add_argument("--openings", type=int, default=5)
    args = parser.parse_args()
    checkouts = {"this": ROOT, **({"before": args.before} if args.before else {})}
    for label, (wanted, twice) in SETS.items():
        with tempfile.TemporaryDirectory() as work:
            pages, sizes = {}, {}
            for name, checkout in checkouts.items():
                folder = Path(work) / name
                folder.mkdir()
                page, spent = reported(checkout, args.shared, saved(args.shared, wanted, twice, folder), folder)
                pages[name] = page
                sizes[name] = {"made in (CPU s)": spent, "page (MB)": page.stat().st_size / 1e6}
            times = measured(pages, args.openings)
            load = f"load {os.getloadavg()[0]:.1f} on {os.cpu_count()} cores, median of {args.openings} openings"
            print(f"\n{label}; {load}", flush=True)
            shown({name: sizes[name] | times[name] for name in pages})


if __name__ == "__main__":
    run()

"""The authors' rules and VLMEvalKit's on the same published responses: prints the table of docs/settings.md.

    python perf/settings_scores.py SHARED

Per run: the authors' published score; what VLMEvalKit's rules settle before its judge is asked, and call right; and its
score with the published extractions (MathVista: GPT-4's, MATH-Vision: upstream's model_answer) in its judge's place.
"""

import sys
from pathlib import Path

import mmmath_tasks as mm
from mmmath_tasks.sources import find_split

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from support.published import by_run

RUNS = {  # benchmark: file, split, columns of the extraction and of the authors' verdict
    "mathvista": ("mathvista_rows.jsonl.gz", "testmini", "extraction", "head_true_false"),
    "mathvision": ("mathv_rows.jsonl.gz", "test", "model_answer", "correct"),
    "wemath": ("wemath_rows.jsonl.gz", "testmini", "extraction", "correct"),
}


def main(shared: Path) -> None:
    """Print a line a run, percent of its responses."""
    print("| benchmark | run | n | authors | settled | settled and right | with the published extractions |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, (file, split, extraction, verdict) in RUNS.items():
        known = mm.benchmark(name)
        rule = known.metrics.vlmeval_rule
        source = find_split(known, split, data_dir=str(shared / "data"))
        problems = {p.id: p for p in map(known.problem, source.texts)}
        for run, rows in by_run(shared / "oracle" / file).items():
            authors = settled = right = final = 0
            for row in rows:
                problem = problems[row["id"]]
                said = rule(problem, str(row["response"] or ""))
                authors += bool(row.get(verdict, row.get("true_false")))
                settled += said is not None
                right += bool(said)
                final += rule(problem, str(row[extraction] or ""), judged=True) if said is None else said
            shares = " | ".join(f"{100 * x / len(rows):.1f}" for x in (authors, settled, right, final))
            print(f"| {name} | {run} | {len(rows):,} | {shares} |")


if __name__ == "__main__":
    main(Path(sys.argv[1]))

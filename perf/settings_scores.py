"""The authors' rules and VLMEvalKit's on the same published responses: prints the table of docs/settings.md.

    python perf/settings_scores.py [--shared ../shared]

Per run: the authors' published score; what VLMEvalKit's rules settle before its judge is asked, and call right; and its
score with the published extractions (MathVista: GPT-4's, MATH-Vision: upstream's model_answer) in its judge's place.
"""

from pathlib import Path

from shared_rows import arguments
from shared_rows import problems as problems_of

import mmmath_tasks as mm
from support.published import by_run

RUNS = {  # benchmark: file, columns of the extraction and of the authors' verdict
    "mathvista": ("mathvista_rows.jsonl.gz", "extraction", "head_true_false"),
    "mathvision": ("mathv_rows.jsonl.gz", "model_answer", "correct"),
    "wemath": ("wemath_rows.jsonl.gz", "extraction", "correct"),
}


def main(shared: Path) -> None:
    """Print a line a run, percent of its responses."""
    print("| benchmark | run | n | authors | settled | settled and right | with the published extractions |")
    print("| --- | --- | --- | --- | --- | --- | --- |")
    for name, (file, extraction, verdict) in RUNS.items():
        rule, problems = mm.benchmark(name).metrics.vlmeval_rule, problems_of(shared, name)
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
    main(arguments(__doc__).parse_args().shared)

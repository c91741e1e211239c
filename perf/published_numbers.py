"""Published runs, scored again: what stands in docs/numbers.json, from which the page "Numbers" is made.

    python perf/published_numbers.py [--shared ../shared] [--out docs/numbers.json] [--no-peers]

It also brings the figures of the newest table "what moves, by benchmark" in CHANGELOG.md up to date. At a release,
`--release 0.3.0` keeps the figures, against which the next version's table is made, in docs/numbers_released.jsonl.

Needs published responses (not part of the project) in the layout that tests/conformance reads. All figures are counts
of responses that are right, but for We-Math's, which are scores.

VLMEvalKit's and lmms-eval's own rules are run on MathVista's responses where both are installed (`.ci/harnesses` makes
such an environment); elsewhere their columns are kept from the file. Where they would ask a language model, they are
given what GPT-4 had extracted when the run was published; a second column has none, as without a key. Their MATH-Vision
rules call eval() on what a model wrote: published_jailed.py runs them in a jail (some five minutes of processor time).
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import published_jailed
from shared_rows import ROOT, arguments, problems
from tqdm import tqdm

import mmmath_tasks as mm
from mmmath_tasks.number_text import counted
from support.published import by_run, lines

PEERS = {"vlmevalkit": "ms-vlmeval", "lmms_eval": "lmms_eval"}
Rows = list[dict[str, Any]]


def mathvista(shared: Path) -> dict[str, Any]:
    """Return what each published run scores: as published, by the rule on GPT-4's extraction, by rules alone."""
    known, asked = mm.benchmark("mathvista"), problems(shared, "mathvista")
    expected = json.loads((shared / "oracle/mathvista_expected.json").read_text())["runs"]
    found = []
    for name, rows in tqdm(by_run(shared / "oracle/mathvista_rows.jsonl.gz").items(), "MathVista"):
        older = "int" if expected[name]["integer_rule"] != "head" else "int_float"
        # two calls of one run failed and have no extraction; their authors counted them as wrong
        official = [
            row["extraction"] is not None
            and known.metrics.score(asked[row["id"]], "", extraction=row["extraction"], integer_rule=older).official
            for row in rows
        ]
        line = {"run": name, "rows": len(rows), "published": expected[name]["published"]["average"]["average"][0]}
        line |= {"official": sum(map(bool, official)), "by_rules": None, "verified": None}
        if "_code" not in name:  # these responses are programs, whose output was published only in part
            verdicts = [known.score(asked[row["id"]], row["response"] or "") for row in rows]
            line["by_rules"] = sum(bool(verdict.official) for verdict in verdicts)
            line["verified"] = sum(bool(verdict.verified) for verdict in verdicts)
        found.append(line)
    return {"runs": found}


def mathvision(shared: Path) -> dict[str, Any]:
    """Return what each published run scores."""
    known, asked = mm.benchmark("mathvision"), problems(shared, "mathvision")
    expected = json.loads((shared / "oracle/mathv_expected.json").read_text())["runs"]
    found = []
    for name, rows in tqdm(by_run(shared / "oracle/mathv_rows.jsonl.gz").items(), "MATH-Vision"):
        verdicts = [known.score(asked[row["id"]], row["response"] or "") for row in rows]
        published = int(expected[name]["published"]["-all"].partition("/")[0])
        line = {"run": name, "rows": len(rows), "published": published}
        line["official"] = sum(bool(verdict.official) for verdict in verdicts)
        found.append(line | {"verified": sum(bool(verdict.verified) for verdict in verdicts)})
    return {"runs": found}


def wemath(shared: Path) -> dict[str, Any]:
    """Return the strict score of each set of predictions: what upstream's code printed, and ours, in percent."""
    known, asked = mm.benchmark("wemath"), problems(shared, "wemath")
    expected = json.loads((shared / "oracle/wemath_expected.json").read_text())["sets"]
    found = []
    for name, rows in tqdm(by_run(shared / "oracle/wemath_rows.jsonl.gz").items(), "We-Math"):
        verdicts = [known.score(asked[row["id"]], row["response"] or "") for row in rows]
        card = known.summarise([asked[row["id"]] for row in rows], verdicts)
        printed = (expected[name]["four_dim"] or {}).get("Score (Strict)")
        line = {"run": f"{name}: {expected[name]['desc']['kind'].replace('_', ' ')}", "rows": len(rows)}
        line["published"] = None if printed is None else float(printed.rstrip("%"))
        for key, metric in (("official", "score_strict"), ("verified", "score_strict_verified")):
            line[key] = round(100 * card.get(metric).value, 2)
        found.append(line)
    return {"runs": found}


def ours(shared: Path) -> dict[str, Any]:
    """Return everything but the other harnesses' columns."""
    return {"mathvista": mathvista(shared), "mathvision": mathvision(shared), "wemath": wemath(shared)}


def peers_here() -> bool:
    """Tell whether both other harnesses are installed."""
    return all(find_spec(name) for name in ("vlmeval", "lmms_eval"))


def peers(shared: Path) -> dict[str, Any]:
    """Return the runs by the other harnesses' own rules, with what their judge would have read and without any."""
    rows = {str(row["pid"]): row for row in mm.benchmark("mathvista").rows.read(shared / "data/mathvista", "testmini")}
    rules: dict[str, Callable[[dict[str, Any], str, str], bool]] = {"vlmevalkit": _vlmevalkit, "lmms_eval": _lmms_eval}
    found: dict[str, dict[str, int]] = {}
    for name, run in tqdm(by_run(shared / "oracle/mathvista_rows.jsonl.gz").items(), "the other harnesses"):
        if "_code" not in name:
            line = found[name] = {}
            for peer, rule in rules.items():
                pairs = [(rows[row["id"]], row["response"] or "", row["extraction"] or "") for row in run]
                line[peer] = sum(rule(row, response, extraction) for row, response, extraction in pairs)
                line[f"{peer}_alone"] = sum(rule(row, response, "") for row, response, _ in pairs)
    found |= mathvision_peers(shared)
    return {"versions": {peer: version(package) for peer, package in PEERS.items()}, "runs": found}


def mathvision_peers(shared: Path) -> dict[str, dict[str, int]]:
    """Return MATH-Vision's runs by the other harnesses' own rules, run in a jail; upstream's reading for a judge's."""
    rows = {str(row["id"]): row for row in mm.benchmark("mathvision").rows.read(shared / "data/mathvision", "test")}
    asked, runs = [], []
    for line in lines(shared / "oracle/mathv_rows.jsonl.gz"):
        row = {"answer": rows[line["id"]]["answer"], "options": list(rows[line["id"]]["options"])}
        asked.append(row | {"response": line["response"] or "", "extraction": line["model_answer"] or ""})
        runs.append(str(line["run"]))
    said = [
        column
        for rule in ("vlmevalkit", "lmms_eval")
        for column in zip(*published_jailed.verdicts(asked, rule), strict=True)
    ]
    found: dict[str, dict[str, int]] = {run: {} for run in runs}
    for rule, verdicts in zip(("vlmevalkit", "vlmevalkit_alone", "lmms_eval"), said, strict=True):
        for run, verdict in zip(runs, verdicts, strict=True):
            found[run][rule] = found[run].get(rule, 0) + verdict
    return found


def _vlmevalkit(row: dict[str, Any], response: str, extraction: str) -> bool:
    """MathVista_auxeval, then MathVista_acc, of vlmeval/dataset/utils/mathvista.py; choices come from the data set."""
    from vlmeval.dataset.utils.mathvista import post_check

    choices = list(row["choices"] or [])
    letter = chr(65 + choices.index(row["answer"])) if choices else ""
    line = {**row, "choices": str(choices), "answer_option": letter, "prediction": response}
    line["res"] = post_check(line, prefetch=True) or extraction
    return bool(post_check(line, prefetch=False))


def _lmms_eval(row: dict[str, Any], response: str, extraction: str) -> bool:
    """mathvista_process_results of lmms_eval/tasks/mathvista, with what a language model would have answered."""
    from lmms_eval.tasks.mathvista.mathvista_evals import MathVistaEvaluator

    judge = MathVistaEvaluator.__new__(MathVistaEvaluator)
    judge.get_chat_response = lambda *_, **__: extraction
    problem = {**row, "choices": list(row["choices"] or [])}
    kind = problem["question_type"], problem["answer_type"], problem["precision"]
    read = judge.extract_answer(response.strip(), problem, False)
    answer = judge.normalize_extracted_answer(read, problem["choices"], *kind)
    return bool(judge.safe_equal(answer, problem["answer"]))


CHANGELOG = ROOT / "CHANGELOG.md"
RELEASED = ROOT / "docs" / "numbers_released.jsonl"
SCORES = {
    ("MathVista", "`acc`, GPT-4's readings"): ("mathvista", "official"),
    ("MathVista", "`acc`, read by rules"): ("mathvista", "by_rules"),
    ("MathVista", "`acc_verified`"): ("mathvista", "verified"),
    ("MATH-Vision", "`acc`"): ("mathvision", "official"),
    ("MATH-Vision", "`acc_verified`"): ("mathvision", "verified"),
    ("We-Math", "`score_strict`"): ("wemath", "official"),
    ("We-Math", "`score_strict_verified`"): ("wemath", "verified"),
}
"""The rows of a table "what moves, by benchmark" with a measured third cell: benchmark and key of docs/numbers.json."""


def percents(found: dict[str, Any]) -> dict[str, dict[str, list[float]]]:
    """Return each score of docs/numbers.json in percent, run by run, without the runs that have none."""
    tables: dict[str, dict[str, list[float]]] = {}
    for name, key in SCORES.values():
        lines = [line for line in found[name]["runs"] if line.get(key) is not None]
        shares = [line[key] if isinstance(line[key], float) else 100 * line[key] / line["rows"] for line in lines]
        tables.setdefault(name, {})[key] = [round(share, 2) for share in shares]
    return tables


def moved(before: dict[str, Any], after: dict[str, Any]) -> dict[tuple[str, str], str]:
    """Return how far each row of SCORES moved on the published responses, in points: mean, least and most."""
    cells = {}
    for row, (name, key) in SCORES.items():
        points = [new - old for old, new in zip(before[name][key], after[name][key], strict=True)]
        mean = sum(points) / len(points)
        change = f"{mean:+.2f} ({min(points):+.2f} to {max(points):+.2f})" if any(points) else "0"
        cells[row] = f"{change}, {counted(len(points), 'run')}"
    return cells


def with_moves(section: str, cells: dict[tuple[str, str], str]) -> str:
    """Return a version's section of CHANGELOG.md with the third cell of each measured row of its table replaced."""
    for (benchmark, score), cell in cells.items():
        section = re.sub(rf"(?m)^(\| {benchmark} \| {re.escape(score)} \|)[^|]*\|", rf"\1 {cell} |", section)
    return section


def sections(changelog: str) -> dict[str, str]:
    """Return the text below each heading "## VERSION", the newest first."""
    parts = re.split(r"(?m)^## (.+)\n", changelog)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def releases() -> dict[str, dict[str, Any]]:
    """Return the figures of each release, the oldest first."""
    lines = map(json.loads, RELEASED.read_text(encoding="utf-8").splitlines())
    return {line.pop("version"): line for line in lines}


def main() -> None:
    parser = arguments(__doc__)
    parser.add_argument("--out", type=Path, default=Path("docs/numbers.json"))
    parser.add_argument("--no-peers", action="store_true", help="keep the other harnesses' columns of the file")
    parser.add_argument("--only-peers", action="store_true", help="keep our own columns of the file")
    parser.add_argument("--release", metavar="VERSION", help="keep the figures as those of this version")
    args = parser.parse_args()
    kept = json.loads(args.out.read_text()) if args.out.exists() else {}
    found = kept if args.only_peers else {**kept, **ours(args.shared)}
    if peers_here() and not args.no_peers:
        found["peers"] = peers(args.shared)
    args.out.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n")
    if args.release:
        with RELEASED.open("a", encoding="utf-8") as file:
            file.write(json.dumps({"version": args.release, **percents(found)}) + "\n")
    else:
        text = CHANGELOG.read_text(encoding="utf-8")
        newest = next(iter(sections(text).values()))
        cells = moved(list(releases().values())[-1], percents(found))
        CHANGELOG.write_text(text.replace(newest, with_moves(newest, cells), 1), encoding="utf-8")


if __name__ == "__main__":
    main()

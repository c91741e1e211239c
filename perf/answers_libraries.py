"""Libraries that compare mathematical answers, beside ours: right verdicts and time, on the same pairs.

A library is measured where it is installed (`pip install math-verify sympy`); ours always. The pairs are the expression
cases of tests/metrics/answers/golden and the free-form half of mathv_identity.

Run: python perf/answers_libraries.py [--shared ../shared]
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

from shared_rows import arguments, golden, lines, problems

_TOWER = re.compile(r"\^\{\d+\^\{\d+\^")
Pair = tuple[str, str, bool]


def pairs(shared: Path) -> dict[str, list[Pair]]:
    """Return (response, gold, equal?) by the name of the set."""
    cases, known = [case for _, _, case in golden()], problems(shared, "mathvision")
    rows = lines(shared / "oracle/mathv_identity.jsonl.gz")
    synthetic = [c for c in rows if c["template"].startswith("free") and "boxed" in c["template"]]
    return {
        "golden expressions": [(c["response"], c["gold"], c["verified"]) for c in cases if c["kind"] == "expression"],
        "MATH-Vision identity": [(c["response"], known[c["id"]].answer or "", c["expect"]) for c in synthetic[::8]],
    }


def ours() -> Callable[[str, str], bool]:
    from mmmath_tasks.metrics.answers import Expectation, equal, read

    expectation = Expectation("expression")

    def verdict(response: str, gold: str) -> bool:
        reading = read(response, expectation)
        return reading.text is not None and equal(reading.text, gold, expectation)

    return verdict


def math_verify() -> Callable[[str, str], bool]:
    from math_verify import parse, verify

    def verdict(response: str, gold: str) -> bool:
        # No timeouts: they are signals, which do not work in threads.
        target = parse(f"${gold}$" if "$" not in gold else gold, parsing_timeout=None)
        return bool(verify(target, parse(response, parsing_timeout=None), timeout_seconds=None))

    return verdict


def sympy_latex() -> Callable[[str, str], bool]:
    """The LaTeX reader of sympy itself (the lark backend needs no antlr) on the inside of the box, then simplify."""
    from sympy import simplify
    from sympy.parsing.latex import parse_latex

    def verdict(response: str, gold: str) -> bool:
        inside = re.search(r"\\boxed\{(.*)\}", response, re.S)
        given = inside[1] if inside else response
        return bool(simplify(parse_latex(given, backend="lark") - parse_latex(gold, backend="lark")) == 0)

    return verdict


CANDIDATES = {
    "ours": ("mmmath_tasks", ours),
    "math-verify": ("math_verify", math_verify),
    "sympy lark": ("lark", sympy_latex),
}


def main() -> None:
    for name, cases in pairs(arguments(__doc__).parse_args().shared).items():
        print(f"{name}: {len(cases)} pairs, {sum(not c[2] for c in cases)} of them unequal")
        for library, (module, make) in CANDIDATES.items():
            if find_spec(module) is None:
                print(f"  {library:12} not installed")
                continue
            verdict = make()
            right = raised = false_yes = hung = 0
            slowest = 0.0
            started = time.process_time()
            for response, gold, expected in cases:
                if library != "ours" and _TOWER.search(response):
                    hung += 1  # neither of the others comes back from it without a signal
                    continue
                begun = time.process_time()
                try:
                    found = verdict(response, gold)
                except Exception:
                    raised, found = raised + 1, False
                slowest = max(slowest, time.process_time() - begun)
                right += found == expected
                false_yes += found and not expected
            spent = time.process_time() - started
            print(
                f"  {library:12} right {right / len(cases):7.2%}  wrongly equal {false_yes:3}  raised {raised:3}"
                f"  left out {hung}  {1e3 * spent / len(cases):8.3f} ms a pair  slowest {slowest:6.3f} s"
            )


if __name__ == "__main__":
    main()

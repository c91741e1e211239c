"""Any number of runs on the same problems: their paired differences, from the first or each from each other."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from itertools import combinations
from typing import Any

from mmmath_tasks.errors import InputError
from mmmath_tasks.name_text import some
from mmmath_tasks.outputs.names import undated
from mmmath_tasks.outputs.paired_difference import Difference, compare, holm, only_one_right
from mmmath_tasks.outputs.run import Run
from mmmath_tasks.outputs.table_text import difference_table, many_differences, wrapped
from mmmath_tasks.problem import Problem


@dataclass(frozen=True, slots=True)
class Comparison:
    """How one run differs from another by one rule.

    Attributes:
        first: the run that is subtracted.
        second: the other.
        found: the differences, from `compare`: of the whole set first, its p not adjusted.
        p: of the whole set, corrected for the number of pairs (Holm 1979); 1 where no problem was scored in both.
    """

    first: Run
    second: Run
    found: tuple[Difference, ...]
    p: float

    @property
    def whole(self) -> Difference | None:
        """The difference over the whole set; None where no problem was scored in both."""
        return self.found[0] if self.found else None


def compared(runs: Sequence[Run], rule: str, every_pair: bool = False) -> list[Comparison]:
    """Return the differences of runs by a rule: from the first, or with `every_pair` of each from each before.

    Raises:
        InputError: they are of several benchmarks.
    """
    for run in runs[1:]:
        if run.card.benchmark != runs[0].card.benchmark:
            raise InputError(
                f"--compare: {runs[0].file.path} is {runs[0].card.benchmark}, {run.file.path} is {run.card.benchmark}"
            )
    pairs = list(combinations(runs, 2)) if every_pair else [(runs[0], run) for run in runs[1:]]
    found = [_differences(first, second, rule) for first, second in pairs]
    corrected = holm([one[0].p if one else 1.0 for one in found])
    return [Comparison(*pair, one, p) for pair, one, p in zip(pairs, found, corrected, strict=True)]


def _differences(first: Run, second: Run, rule: str) -> tuple[Difference, ...]:
    problems: dict[str, Problem] = {problem.id: problem for problem in (*first.problems, *second.problems)}
    return tuple(compare(list(problems.values()), first.verdicts, second.verdicts, rule))


def comparison_lines(found: Sequence[Comparison], rule: str, everything: bool, width: int) -> Iterator[str]:
    """Yield how runs differ by one rule; of a single pair also what only one of the two has right.

    `everything`: sub-scores too.
    """
    runs = list({id(run): run for one in found for run in (one.first, one.second)}.values())
    names, cards = undated([run.name for run in runs]), [run.card for run in runs]
    called = {id(run): name for run, name in zip(runs, names, strict=True)}
    if len(found) > 1:
        at = {id(run): i for i, run in enumerate(runs)}
        pairs = [(at[id(one.first)], at[id(one.second)], one.whole, one.p) for one in found]
        yield ""
        yield from many_differences(names, cards, rule, pairs, width)
    for one in found if everything or len(found) == 1 else ():
        chosen = one.found if everything else [d for d in one.found if not d.group]
        both = (one.first, one.second)
        yield ""
        yield from difference_table([called[id(run)] for run in both], [run.card for run in both], rule, chosen, width)
        if len(found) > 1:
            continue
        for run, ids in zip(both, only_one_right(one.first.verdicts, one.second.verdicts, rule), strict=True):
            if ids:
                yield from wrapped(f"right only in {called[id(run)]}: {some(ids, 20)}", width)


def comparison_record(found: Sequence[Comparison], rule: str) -> list[dict[str, Any]]:
    """Return the differences as JSON: shares from 0 to 1, p as it stands in the tables with its correction named.

    Of the whole set `p` is corrected for the number of pairs (Holm) and `p_unadjusted` is not; of slices it is
    corrected for the number of slices of that pair.
    """
    rows = []
    for one in found:
        for d in one.found:
            values = asdict(d)
            whole = not d.group
            names = {"first_run": one.first.name, "second_run": one.second.name, "rule": rule}
            about = {"change": d.second - d.first, "p": one.p if whole else d.p}
            over = f"Holm over {len(found)} pairs" if len(found) > 1 else "none"
            sliced = f"Holm over {sum(bool(other.group) for other in one.found)} slices of this pair"
            rows.append({**names, **values, **about, "p_correction": over if whole else sliced})
            if whole:
                rows[-1]["p_unadjusted"] = d.p
    return rows

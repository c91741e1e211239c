"""Rows of every benchmark with any value in any column: a problem that can be used, or one clear error."""

import pytest

import mmmath_tasks as mm
from mmmath_tasks.hub_datasets.publishing.anomalies import of_row
from support.sample_rows import rows

LISTS = [[], ["a"], [1], [None], [[]], [["a"]], [{}], [{"a": 1}]]
STRANGE = [None, 5, -1.5, True, "", "x", *LISTS, {}, {"a": 1}, 10**30, 10**400, float("nan"), "\0", "\ud800"]
LACKING = object()


@pytest.mark.parametrize("name", mm.benchmarks())
def test_any_value_in_any_column_is_a_problem_or_one_message(name):
    benchmark = mm.benchmark(name)
    found = rows(name)
    refused = []
    for row in found[:: len(found) // 10]:
        for column in row:
            for value in [*STRANGE, LACKING]:
                changed = {**row, column: value}
                if value is LACKING:
                    del changed[column]
                try:
                    problem = benchmark.problem(changed)
                    assert benchmark.prompt(problem)
                except mm.InputError as error:
                    refused.append(str(error))
                    continue
                assert mm.Problem.from_json(problem.to_json()).id == problem.id
                list(of_row(changed, problem))
    assert refused
    assert "\n" not in "".join(refused)

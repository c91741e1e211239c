"""What a benchmark brings is checked once, when it is loaded."""

import ast
from pathlib import Path
from types import ModuleType, SimpleNamespace

import pytest

import mmmath_tasks as mm
from mmmath_tasks import contract


def module(**members):
    """A metrics module as CONTRIBUTING asks for, with members added, replaced or, where None, left out."""
    made = ModuleType("mmmath_tasks.metrics.geomark")
    whole = {"RULE_VERSION": "1", "score": score, "summarise": summarise} | members
    vars(made).update({name: value for name, value in whole.items() if value is not None})
    return made


def score(problem, response, *, extraction=None):
    return None


def summarise(problems, verdicts):
    return None


def test_what_is_left_out_has_its_default():
    found = contract.checked(module(), contract.Metrics)
    assert found.TABLE_HEADLINES == ("acc", "acc_verified")
    assert found.table_scores is None
    assert contract.given(found, contract.Metrics) == ["RULE_VERSION", "score", "summarise"]


def test_what_is_given_stands():
    found = contract.checked(module(TABLE_HEADLINES=("acc",)), contract.Metrics)
    assert found.TABLE_HEADLINES == ("acc",)
    assert "TABLE_HEADLINES" in contract.given(found, contract.Metrics)


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"score": None}, "score is missing"),
        ({"RULE_VERSION": None}, "RULE_VERSION is missing"),
        ({"RULE_VERSION": 1}, "RULE_VERSION should be a str, is a int"),
        ({"TABLE_HEADLINES": "acc"}, "TABLE_HEADLINES should be a tuple, is a str"),
        ({"TABLE_HEADLINE": ("acc",)}, "TABLE_HEADLINE is probably meant to be TABLE_HEADLINES"),
        ({"summarise": None, "summarize": len}, "summarise is missing"),
        ({"table_scores": {}}, "table_scores should be a Callable, is a dict"),
        ({"score": lambda problem, response: None}, "extraction"),
        ({"score": lambda problem, *, extraction=None: None}, "too many positional arguments"),
    ],
)
def test_a_fault_is_named(members, said):
    with pytest.raises(mm.InputError, match=r"mmmath_tasks\.metrics\.geomark: ") as error:
        contract.checked(module(**members), contract.Metrics)
    assert said in str(error.value)


def right_summary(problems, verdicts):
    return mm.Scorecard("geomark", "acc", (mm.Score("acc", "", "", 0.5, 2),))


@pytest.mark.parametrize(
    ("members", "said"),
    [
        ({"problem": lambda row: {}}, "hub_datasets/geomark.py: expected a Problem, got dict"),
        ({"problem": lambda row: mm.Problem("GeoMark", "1", "")}, "py: a Problem of the benchmark 'GeoMark'"),
        (
            {"problem": lambda row: mm.Problem("geomark", "1", "", groups={"shape": "round"})},
            "not a row of geomark: shape should be a tuple of texts, is 'round'",
        ),
        (
            {"problem": lambda row: mm.Problem("geomark", "1", "", choices="AB")},
            "not a row of geomark: choices should be a tuple of texts, is 'AB'",
        ),
        ({"score": lambda problem, response: True}, "metrics/geomark.py: expected a Verdict, got bool"),
        ({"summarise": lambda problems, verdicts: {}}, "metrics/geomark.py: expected a Scorecard, got dict"),
        (
            {"summarise": lambda problems, verdicts: mm.Scorecard("geomark", "top", right_summary((), ()).scores)},
            "metrics/geomark.py: the headline 'top' is none of the scores: acc",
        ),
    ],
)
def test_what_a_benchmark_makes_is_looked_at(monkeypatch, members, said):
    right = {"problem": lambda row: mm.Problem("geomark", "1", ""), "summarise": right_summary, "SETTINGS": {}}
    right |= {"score": lambda problem, response: mm.Verdict("1", True, True), "vlmeval_rule": None}
    known = type(mm.benchmark("mathvision"))("geomark")
    for kind in ("rows", "metrics"):
        monkeypatch.setattr(contract, kind, lambda name: SimpleNamespace(**right | members))
    with pytest.raises(mm.InputError) as error:
        known.summarise([known.problem({})], [known.score(known.problem({}), "x")])
    assert str(error.value).endswith(said)
    for kind in ("rows", "metrics"):
        monkeypatch.setattr(contract, kind, lambda name: SimpleNamespace(**right))
    card = known.summarise([known.problem({})], [known.score(known.problem({}), "x")])
    assert card.value("acc") == 0.5


def test_a_half_of_a_benchmark_is_told_from_none():
    with pytest.raises(mm.InputError, match=r"known: .*wemath; it lacks hub_datasets/tally\.py$"):
        mm.benchmark("tally")


def test_a_misspelt_function_is_named():
    made = module(summarise=None)

    def summarize(problems, verdicts):
        return None

    summarize.__module__ = made.__name__
    made.summarize = summarize
    with pytest.raises(mm.InputError, match="summarize is probably meant to be summarise"):
        contract.checked(made, contract.Metrics)


@pytest.mark.parametrize("name", mm.benchmarks())
def test_every_benchmark_keeps_it(name):
    found = mm.benchmark(name)
    assert found.rows.SPLITS
    assert found.metrics.RULE_VERSION


def test_nobody_asks_a_benchmark_whether_it_has_a_member():
    names = {*contract.members(contract.Rows), *contract.members(contract.Metrics)}
    root = Path(mm.__file__).parent
    files = [path for folder in (root, root / "metrics", root / "hub_datasets") for path in folder.rglob("*.py")]
    for path in files:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Call) and getattr(node.func, "id", "") in ("getattr", "hasattr"):
                asked = node.args[1]
                assert not (isinstance(asked, ast.Constant) and asked.value in names), f"{path}:{node.lineno}"

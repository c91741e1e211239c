"""What a benchmark brings: the members of its two modules, which of them may be left out, and what holds then.

`Rows` is what hub_datasets/<name>.py gives, `Metrics` what metrics/<name>.py gives. A member that has a value here may
be left out; that value is its default. `rows` and `metrics` load a module, check it once and return it with the
defaults filled in, so that nobody asks a module whether it has something.
"""

from __future__ import annotations

import difflib
import inspect
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import import_module
from pathlib import Path
from types import MappingProxyType, ModuleType, NoneType, SimpleNamespace, UnionType
from typing import TYPE_CHECKING, Any, Protocol, cast, get_args, get_origin, get_type_hints

from mmmath_tasks.errors import InputError
from mmmath_tasks.problem import Problem, Scorecard, Verdict

if TYPE_CHECKING:
    from datasets import Features

Row = Mapping[str, Any]
NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Shares:
    """Classes into which a benchmark sorts its problems, drawn as one bar of their shares.

    Attributes:
        name: of the drawing's file.
        title: of the drawing.
        score: the metric that is made of them.
        classes: short name of each class to its metric, a share of all problems, in the order of the bar.
        rest: the class whose metric is another kind of share, so that it is drawn as what the others leave.
        meaning: the classes in words, and how the score follows from them.
    """

    name: str
    title: str
    score: str
    classes: Mapping[str, str]
    rest: str
    meaning: str


class Rows(Protocol):
    """The data of a benchmark: hub_datasets/<name>.py."""

    HUB_ID: str
    """Where the authors publish the data on the Hub; "" where they do not."""
    REVISION: str
    """The commit, tag or branch to read there."""
    LICENCE: str
    """The data's licence, as SPDX names it."""
    PAPER: str
    """The paper's number at arXiv."""
    SPLITS: tuple[str, ...]
    """The splits, first the one that is meant where none is named."""
    PROMPT_STYLES: tuple[str, ...]
    """The styles that `prompt` takes beside "default"; the first is what "default" means, where it is not "default"."""
    CONFIGS: Mapping[str, str] = NONE
    """Split to the configuration that holds it on the Hub; a split without one is in the only configuration."""
    OPTIONAL_PICTURES: tuple[str, ...] = ()
    """Picture columns that may be empty in a row."""
    SHORT_ANSWERS: tuple[tuple[str, tuple[str, ...]], ...] = ()
    """Columns of saved files that the authors' rule scores in place of the response, each with the columns that show
    whose work it is; (): the rule reads the response."""
    OWN_COLUMNS: tuple[str, ...] = ()
    """Columns that no other benchmark's files have together, by which a saved file is told; (): by its name alone."""
    saved_row: Callable[[Row, Sequence[str]], Row] | None = None
    """A row of a saved file, of any harness (`outputs.saved`), and the ids found in it, to upstream's columns."""
    saved_ids: Callable[[Row], Iterable[str]] | None = None
    """Such a row to further texts that may be its problem's id, surer than outputs.names.ID_COLUMNS."""
    SETTINGS: Mapping[str, str] = NONE
    """Prompt style that is not the authors' to whose it is: "VLMEvalKit's prompt (version, table)"; runs say so."""
    SIZES: Mapping[str, int] = NONE
    """Split to its number of problems, where the paper's record (mmmath_tasks/papers) has none."""
    ODD_GOLDS: Mapping[str, str] = NONE
    """Id of a problem to what is odd about its gold, for the data set's card."""
    arrange: Callable[[Iterable[Row]], list[int]] | None = None
    """Rows to the positions of those to ask, in that order; None: all, as they lie."""
    submission: Callable[[Iterable[tuple[Row, str, Verdict]]], Any] | None = None
    """Row, response and verdict of each problem to the JSON that the authors' evaluation takes; None: it takes none."""
    generate: Callable[..., Mapping[str, Any] | None] | None = None
    """Make the upstream files, where they are not to be had: (folder, *, kept, ...); None: they are.

    It returns what a build's record says of its options; None: the options as they are."""

    def problem(self, row: Row) -> Problem:
        """Turn a row in upstream's own columns into a Problem: gold unpatched, groups for every breakdown."""

    def prompt(self, problem: Problem, style: str = "default") -> str:
        """Return the text that a model is asked, byte for byte what every harness sends."""

    def read(self, folder: Path, split: str) -> Iterator[dict[str, Any]]:
        """Yield rows with the Hub's columns from upstream's own files; InputError names a broken file and row."""

    def pictures(self, row: Row) -> list[dict[str, Any]]:
        """Return a row's pictures as {"bytes", "path"}, in the order in which the prompt needs them."""

    def features(self, split: str) -> Features:
        """Return the columns of a split, with upstream's names and types."""


class Metrics(Protocol):
    """The scoring of a benchmark: metrics/<name>.py."""

    RULE_VERSION: str
    """Moves when scores stop being comparable."""
    TABLE_SUMMARIES: tuple[str, ...] = ()
    """Metrics of lm-eval's table that need the whole run."""
    TABLE_HEADLINES: tuple[str, ...] = ("acc", "acc_verified")
    """What groups of tasks show of the table."""
    OFFICIAL_READER: str = ""
    """The model that the authors have read the answers; "": theirs is a rule (see metrics.readers)."""
    EXPLAINED: Mapping[str, str] = NONE
    """Metric to what it means, where its name does not tell; stands beside it in tables and on pages."""
    RADARS: tuple[str, ...] = ()
    """Breakdowns that are few, of one rank and told by one number each: a report shows their shape, too."""
    PROFILES: tuple[str, ...] = ()
    """Breakdowns whose parts have an order: a report draws a line over them."""
    SHARES: tuple[Shares, ...] = ()
    """Classes of problems that a report draws as one bar."""
    expectation: Callable[[Problem], Any] | None = None
    """A problem to the metrics.answers.Expectation by which its answers are compared; None: as texts."""
    official_equal: Callable[[Problem, str, str], bool] | None = None
    """Whether the authors' rule calls two predictions equal, for majority votes; None: where they are the same text."""
    vlmeval_rule: Callable[..., bool | None] | None = None
    """What VLMEvalKit's own rules make of a problem's response, None where it asks its judge (see metrics.vlmeval)."""
    table_scores: Callable[[Problem, Verdict], Mapping[str, float | bool | None]] | None = None
    """What a response adds to lm-eval's table, beside `acc` and `acc_verified`; a None takes one of these away.

    All responses of a task add the same names, nan for a sub-score for which they do not count."""

    def score(
        self, problem: Problem, response: str | None, *, extraction: str | None = None, **options: Any
    ) -> Verdict:
        """Score a response by the authors' rule and by the verified one; never raises on any text."""

    def summarise(self, problems: Sequence[Problem], verdicts: Sequence[Verdict]) -> Scorecard:
        """Sum verdicts up; problems without one are counted as missing."""


@cache
def rows(benchmark: str) -> Rows:
    """Return a benchmark's rows, checked, with defaults; raises InputError where a member is missing or wrong."""
    return cast(Rows, checked(import_module(f"mmmath_tasks.hub_datasets.{benchmark}"), Rows))


@cache
def metrics(benchmark: str) -> Metrics:
    """Return a benchmark's metrics, checked, with defaults; raises InputError as `rows` does."""
    return cast(Metrics, checked(import_module(f"mmmath_tasks.metrics.{benchmark}"), Metrics))


def members(contract: type) -> dict[str, bool]:
    """Return the members of a contract, each with whether a module may leave it out."""
    named = {name: name in vars(contract) for name in contract.__annotations__}
    return named | {n: False for n, value in vars(contract).items() if inspect.isfunction(value) and n[0] != "_"}


def given(loaded: Any, contract: type) -> list[str]:
    """Return the members in which a loaded benchmark differs from the defaults."""
    own = vars(contract)
    return [n for n, optional in members(contract).items() if not optional or getattr(loaded, n) is not own[n]]


def checked(module: ModuleType, contract: type) -> SimpleNamespace:
    """Return the members of a contract from a module, with the contract's defaults for those that it leaves out.

    Raises:
        InputError: a member is missing, of another type, does not take the arguments, or is misspelt: a public name
            that is none of the contract's and all but equal to one that the module leaves out.
    """
    known = members(contract)
    found = {name: getattr(module, name) for name in known if hasattr(module, name)}
    others = [name for name, value in vars(module).items() if name not in known and _own(module, name, value)]
    for name, optional in known.items():
        if name in found:
            _check(module, name, found[name], contract)
        elif near := difflib.get_close_matches(name, others, 1, cutoff=0.85):
            raise InputError(f"{module.__name__}: {near[0]} is probably meant to be {name}")
        elif optional:
            found[name] = vars(contract)[name]
        else:
            raise InputError(f"{module.__name__}: {name} is missing; see {contract.__name__} in {__name__}")
    return SimpleNamespace(**found)


def _own(module: ModuleType, name: str, value: Any) -> bool:
    """Say whether a name is a constant or a function of the module's own, open to others."""
    here = inspect.isfunction(value) and value.__module__ == module.__name__
    return not name.startswith("_") and (name.isupper() or here)


def _check(module: ModuleType, name: str, value: Any, contract: type) -> None:
    """Raise InputError where a member is not of the kind that the contract says."""
    hint = get_type_hints(contract).get(name)
    kinds = [get_origin(one) or one for one in (get_args(hint) if isinstance(hint, UnionType) else (hint,))]
    kind: Any = next((one for one in kinds if isinstance(one, type) and one is not NoneType), Callable)
    if not isinstance(value, kind):
        raise InputError(f"{module.__name__}: {name} should be a {kind.__name__}, is a {type(value).__name__}")
    if inspect.isfunction(declared := vars(contract).get(name)):
        takes = [p for p in inspect.signature(declared).parameters.values() if p.name != "self"]
        plain = [p.name for p in takes if p.kind == p.POSITIONAL_OR_KEYWORD]
        try:
            inspect.signature(value).bind(*plain, **{p.name: None for p in takes if p.kind == p.KEYWORD_ONLY})
        except TypeError as error:
            raise InputError(f"{module.__name__}: {name}{inspect.signature(value)}: {error}") from None

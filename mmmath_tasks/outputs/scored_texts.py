"""Which text of a file earned its score, row by row, and whether the file's own verdicts say the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from mmmath_tasks.metrics.tally import proportion
from mmmath_tasks.name_text import some
from mmmath_tasks.number_text import counted
from mmmath_tasks.outputs.columns import ASKED, KEPT, Columns
from mmmath_tasks.outputs.saved import Saved
from mmmath_tasks.problem import Score, Verdict

_SOME = 10  # verdicts of the file's that are not ours: fewer differ by chance
_UNRELATED = (
    "that is hardly fewer than by chance: are they of other problems (another benchmark's, or another split's)?"
)


@dataclass(slots=True)
class ScoredTexts:
    """Counts, filled in as a file is scored.

    Attributes:
        columns: of the file.
        use_extractions: whether its short answers may count.
        responses: column to the rows whose response was scored.
        short: rows whose short answer was scored.
        empty: of these, ids of rows whose short answer is empty beside a response, which acc_verified reads.
        right: of the empty ones, those right by the official and by the verified rule.
        bare: rows whose short answer was scored without a response beside it, so that nobody knows whether it was cut.
        unseen: their ids, of which samples have several rows.
        cut: rows whose short answer was scored, empty ones aside, and whose response was cut.
        cut_right: of these, those right by the verified rule.
        stored: rows with a verdict of the file's and one of ours to compare it with.
        wrong: ids of those where they differ.
        trues: of the rows with both, those that are right by the file's and by our verdict.
        rule: the verdict of ours that was compared: "official", or "verified" where there is no official one.
    """

    columns: Columns
    use_extractions: bool = True
    responses: Counter[str] = field(default_factory=Counter)
    short: int = 0
    empty: list[str] = field(default_factory=list)
    right: Counter[str] = field(default_factory=Counter)
    bare: int = 0
    unseen: set[str] = field(default_factory=set)
    cut: int = 0
    cut_right: int = 0
    stored: int = 0
    wrong: list[str] = field(default_factory=list)
    trues: Counter[str] = field(default_factory=Counter)
    rule: str = "official"

    def add(self, saved: Saved, short: str | None, verdict: Verdict) -> None:
        """Count one row, of which `short` was scored (None: the response) with this verdict."""
        if short is None:
            self.responses[saved.column] += 1
        else:
            self.short += 1
            if saved.column == self.columns.extraction or not any(text.strip() for text in saved.responses):
                self.bare += 1
                self.unseen.add(verdict.id)
            if not saved.unread:
                self.cut += verdict.truncated
                self.cut_right += verdict.truncated and verdict.verified is True
            else:
                self.empty.append(verdict.id)
                self.right.update(rule for rule in ("official", "verified") if getattr(verdict, rule))
        ours, rule = (verdict.official, "official") if verdict.official is not None else (verdict.verified, "verified")
        if saved.stored is not None and ours is not None:
            self.stored += 1
            self.rule = rule
            self.trues.update(file=saved.stored, ours=ours)
            if saved.stored != ours:
                self.wrong.append(verdict.id)

    @property
    def inverted(self) -> bool:
        """Whether two in three stored verdicts and more say the opposite of ours, as where 0 stands for right."""
        return 3 * len(self.wrong) > 2 * self.stored > 2

    @property
    def unrelated(self) -> bool:
        """Whether stored verdicts agree with ours hardly more than by chance, as where they are on other problems."""
        theirs, ours, n = self.trues["file"], self.trues["ours"], self.stored
        if self.inverted or theirs in (0, n) or ours in (0, n) or len(self.wrong) < _SOME:
            return False
        return 10 * n * len(self.wrong) > 9 * (theirs * (n - ours) + ours * (n - theirs))

    def lines(self) -> Iterator[str]:
        """Yield sentences: what was scored, what was left unread, which short answers are empty, stored verdicts."""
        read = " and ".join(f"column {name!r} ({counted(n, 'row')})" for name, n in self.responses.items())
        if self.short:
            column, rest = self.columns, f", else responses in {read}" if read else ""
            rows = f"{counted(self.short, 'row')}; {column.origin}"
            yield f"scored: short answers in column {column.extraction!r} ({rows}){rest}"
        else:
            left = [*self.columns.unused]
            if self.columns.extraction and not self.use_extractions:
                left.append(self.columns.extraction)
            names = ", ".join(map(repr, left))
            unread = f"; not read: short answers in {names} (see --extraction-column)" if left else ""
            others = [name for name in self.columns.others if name not in self.responses]
            names = ", ".join(map(repr, others))
            unread += f"; not read: responses in {names} (see --response-column)" if others else ""
            yield f"scored: responses in {read or 'no column'}{unread}"
        if self.empty:
            yield (
                f"{len(self.empty):,} of {self.short:,} short answers are empty beside a response: acc scores them "
                f"empty ({self.right['official']:,} right), acc_verified reads the responses "
                f"({self.right['verified']:,} right): {some(self.empty)}"
            )
        if self.cut:
            said = f"{counted(self.cut, 'response')} with a short answer {'was' if self.cut == 1 else 'were'} cut"
            yield f"{said}; acc_verified has {self.cut_right:,} right"
        if self.wrong:
            same = self.stored - len(self.wrong)
            which = f"; {same:,} where 0 stands for right" if self.inverted else f": {some(self.wrong)}"
            which = f"{which}; {_UNRELATED}" if self.unrelated else which
            yield (
                f"{len(self.wrong):,} of {self.stored:,} verdicts stored in the file ({self.columns.flag}) are not "
                f"ours ({self.rule}){which}"
            )

    def counts(self) -> dict[str, int]:
        """Return what a scorecard counts: the rows where only acc_verified read the response; {} for none."""
        return {"extraction_empty": len(self.empty)} if self.empty else {}

    def provenance(self) -> dict[str, Any]:
        """Return what a scorecard says of it; see the attributes."""
        rows = self.short + self.responses.total()
        found: dict[str, Any] = {
            "response_columns": dict(self.responses),
            "extractions": f"{self.short} of {rows} from the file",
        }
        if self.short:
            found |= {"extraction_column": self.columns.extraction, "extraction_origin": self.columns.origin}
        if self.empty:
            found["extractions_empty"] = {
                "rows": len(self.empty),
                "acc": f"scores them as empty: {self.right['official']} right",
                "acc_verified": f"reads the responses: {self.right['verified']} right",
            }
        if self.stored:
            found["stored_verdicts"] = {
                "column": self.columns.flag,
                "rows": self.stored,
                "not_ours": len(self.wrong),
                "inverted": self.inverted,
            }
        return found

    def notes(self) -> Iterator[str]:
        """Yield what a reader of the scorecard must know: which text was scored, and that it may be others' answers."""
        if self.unrelated:
            yield f"{len(self.wrong):,} of {self.stored:,} verdicts stored in the file are not ours; {_UNRELATED}"
        read, column = self.short - len(self.empty), f"in column {self.columns.extraction!r}"
        if self.short and self.columns.origin == ASKED:
            yield (
                f"Scored from the short answers {column} of the file, as asked for; the authors' rule may read another "
                "text."
            )
        elif read > self.bare:
            where = "that the samples keep" if self.columns.origin == KEPT else column
            yield (  # without numbers, so that it stands once below the table of many runs
                f"acc and acc_verified are of the short answers {where}, which somebody read out of the responses; "
                "--responses-only reads the responses."
            )

    def share_truncated(self, verdicts: Sequence[Verdict]) -> Score:
        """Return which share of the responses was cut, of those that are there to be looked at; nan for none."""
        return proportion(
            "share_truncated", [verdict.truncated for verdict in verdicts if verdict.id not in self.unseen]
        )

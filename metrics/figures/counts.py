"""What a comparison of two figures comes to."""

from __future__ import annotations

import math
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Counts:
    """How many elements are right, how many the reference has, how many were given."""

    right: float
    wanted: float
    given: float

    def __add__(self, other: Counts) -> Counts:
        """Return the counts of both comparisons together."""
        return Counts(self.right + other.right, self.wanted + other.wanted, self.given + other.given)

    @property
    def f1(self) -> float:
        """Harmonic mean of precision and recall; nan where both sides are empty."""
        both = self.wanted + self.given
        return 2 * self.right / both if both else math.nan


@dataclass(frozen=True, slots=True)
class Edit:
    """How an edit compares with the reference's edit of the same original.

    Attributes:
        changes: of what was changed, added and removed.
        kept: how many elements that the reference leaves alone were left alone.
        untouched: how many those are.
    """

    changes: Counts
    kept: float
    untouched: float

    def __add__(self, other: Edit) -> Edit:
        """Return the edits of two kinds of elements as one."""
        return Edit(self.changes + other.changes, self.kept + other.kept, self.untouched + other.untouched)

    @property
    def preserved(self) -> float:
        """Share of the elements to be left alone that were; 1 where there are none."""
        return self.kept / self.untouched if self.untouched else 1.0

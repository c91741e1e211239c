"""Reading and comparing answers, shared by all benchmarks: `read` a response, compare with `equal`.

`Expectation` says what kind of answer a question asks for, `Reading` what was found, by which rule, how surely.
Everything here is pure, deterministic, thread safe, and bounded in time for any text.
"""

from __future__ import annotations

from mmmath_tasks.metrics.answers.grading import equal
from mmmath_tasks.metrics.answers.reading import read
from mmmath_tasks.metrics.answers.records import Expectation, Kind, Reading

__all__ = ["Expectation", "Kind", "Reading", "equal", "read"]

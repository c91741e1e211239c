"""The tags that a reader of responses may give to errors: the classes of the benchmark's paper."""

from __future__ import annotations


def tags(benchmark: str) -> list[list[str]]:
    """Return name and meaning of each class of errors; [] where the paper has none.

    They are those of `mmmath judge --metric errors`, so that its labels and a person's can be compared. Without the
    extra `judge` none are known, and the page takes free words.
    """
    try:
        from mmmath_tasks.judge.contract import judged_metrics
    except ImportError:
        return []
    known = judged_metrics(benchmark).ERRORS
    return [[one.name, one.meaning] for one in known.classes] if known else []

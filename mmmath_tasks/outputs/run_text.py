"""Scored files as plain text for a terminal of a certain width."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mmmath_tasks.number_text import counted
from mmmath_tasks.outputs.names import undated
from mmmath_tasks.outputs.run import Run
from mmmath_tasks.outputs.table_text import notes, score_table, wrapped
from mmmath_tasks.truncation import MORE, complaint


def account_lines(run: Run, width: int) -> Iterator[str]:
    """Yield what the file is, and what a reader of the scores must know of it."""
    what = f"{run.file.format}, {run.card.benchmark}, {counted(run.account.joined, 'response')}"
    fits = len(f"{run.file.path}: {what}") <= width
    yield f"{run.file.path}:{' ' if fits else chr(10) + '  '}{what}"
    for line in run.lines():
        yield from wrapped(line, width)


def score_lines(runs: Sequence[Run], rules: Sequence[str], everything: bool, width: int) -> Iterator[str]:
    """Yield what the runs of each benchmark are worth, and what must be known of it; sub-scores with `everything`."""
    for name in dict.fromkeys(run.card.benchmark for run in runs):
        own = [run for run in runs if run.card.benchmark == name]
        names, cards = undated([run.name for run in own]), [run.card for run in own]
        keys: dict[tuple[str, str, str], bool] = {}  # whether any run has a number there
        for score in (score for card in cards for score in card.scores):
            rule = "verified" if "_verified" in score.metric else "official"
            if rule in rules and (everything or not score.group):
                key = (score.metric, score.group, score.slice)
                there = everything or score.metric == cards[0].headline or score.value == score.value
                keys[key] = keys.get(key, False) or there
        yield ""
        yield from score_table(names, cards, [key for key, there in keys.items() if there], width)
        yield from notes(names, cards, width)
        cuts = [(name, run.card.counts["truncated"], len(run.verdicts)) for name, run in zip(names, own, strict=True)]
        if line := complaint(cuts, f"ask the model again with a larger token limit ({MORE} where lm-eval asks)"):
            yield from wrapped(line, width)

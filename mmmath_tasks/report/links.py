"""Links from numbers to the responses behind them: fragments of addresses, as scripts/address.js reads them."""

from __future__ import annotations

from collections.abc import Sequence
from urllib.parse import urlencode

from mmmath_tasks.report.browser import set_key, set_titles
from mmmath_tasks.report.runs import Run


class Links:
    """Links to the responses of a page's runs."""

    def __init__(self, runs: Sequence[Run]) -> None:
        """Take all the runs of the page: how a set of problems is called depends on the others."""
        self._titles = set_titles(runs)

    def title(self, run: Run) -> str:
        """Return what the browser calls the set of problems that a run is about; "" where it has no responses."""
        return "" if run.responses is None else self._titles[set_key(run)]

    def to(self, run: Run, **filters: str) -> str:
        """Return the fragment that shows a run's responses by filters of the browser's form; "" where it has none."""
        title = self.title(run)
        return urlencode({"set": title, "run": run.name, **filters}) if title else ""

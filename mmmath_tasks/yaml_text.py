"""YAML from anywhere: whatever is wrong with it is one kind of error."""

from __future__ import annotations

from typing import Any

import yaml

_DEEPEST = 100  # what Python's stack takes with ease, in reading and in writing


class _Loader(yaml.SafeLoader):  # type: ignore[misc]  # yaml has no types
    """Gives up where brackets are too deep: what lies beyond costs the scanner more with every further bracket."""

    _depth = 0

    def compose_node(self, parent: yaml.Node | None, index: Any) -> yaml.Node | None:
        """Read one value, with all that it holds."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise yaml.YAMLError("brackets nested too deep")
        found: yaml.Node | None = super().compose_node(parent, index)
        self._depth -= 1
        return found


def loads(text: str) -> Any:
    """Read YAML like yaml.safe_load, from text that nobody vouches for.

    Raises:
        yaml.YAMLError: it is no YAML, is nested 100 deep (or holds itself), or holds a date or number that is none, or
            too long to be written (for which safe_load raises whatever Python's own constructors do, or nothing).
    """
    try:
        loaded = yaml.load(text, _Loader)  # noqa: S506
        _measure(loaded)
        return loaded
    except yaml.YAMLError:
        raise
    except RecursionError:
        raise yaml.YAMLError("brackets nested too deep") from None
    except Exception as error:
        raise yaml.YAMLError(f"a value cannot be read: {error}") from error


def _measure(loaded: Any) -> None:
    """Raise RecursionError or ValueError for what could not be written."""
    layer = [loaded]
    for _ in range(_DEEPEST):
        inner: dict[int, Any] = {}  # by identity: an alias may stand for the same value many times
        for value in layer:
            if isinstance(value, int):
                str(value)  # the limit on digits is not that of hexadecimal ones
            elif isinstance(value, dict):
                inner |= {id(part): part for pair in value.items() for part in pair}
            elif isinstance(value, list | tuple | set):
                inner |= {id(part): part for part in value}
        layer = [*inner.values()]
    if layer:
        raise RecursionError

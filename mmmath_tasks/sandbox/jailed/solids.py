"""Bars drawn in three dimensions, as records of bars: length goes up, the category across, the series into depth."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

Element = dict[str, Any]


def bars(axes: Any, across: Any, deep: Any, legend: Any) -> Iterator[Element]:
    """Yield the bars of three-dimensional axes, drawn (`bar3d`, or `bar` with a `zdir`).

    `across` names places along x, `deep` along y, which count as series where there are several, `legend` colours.
    """
    import numpy as np

    found = [(artist, np.asarray(box, dtype=float)) for artist in axes.get_children() for box in _boxes(artist)]
    rows = {round(float(box[:, 1].mean()), 6) for _, box in found}
    for artist, box in found:
        (x, y, _), high = (box.max(0) + box.min(0)) / 2, box[:, 2].max()
        low = box[:, 2].min()
        value = low if high <= 0 else high - max(low, 0.0)
        yield {
            "kind": "bar",
            "series": legend.name(artist) or (deep.name(float(y)) if len(rows) > 1 else ""),
            "label": across.name(float(x)),
            "value": float(f"{value:.10g}"),
            "base": float(f"{high if high <= 0 else max(low, 0.0):.10g}"),
            "horizontal": False,
        }
    if not found:
        yield {"kind": "area", "shape": "solid"}


def _boxes(artist: Any) -> Iterator[Any]:
    """Yield the corners of every bar that an artist draws."""
    name = type(artist).__name__
    if name == "Poly3DCollection":
        faces = getattr(artist, "_faces", None)
        if faces is not None and len(faces) % 6 == 0 and faces.shape[1:] == (4, 3):
            yield from faces.reshape(-1, 24, 3)
    elif name == "Patch3D" and len(artist._segment3d) >= 4:
        yield artist._segment3d

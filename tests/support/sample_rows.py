"""Rows of the samples that come with the package."""

from __future__ import annotations

from typing import Any

from mmmath_tasks.hub_datasets.samples import sample


def rows(name: str) -> list[dict[str, Any]]:
    """Return a benchmark's sample as its file holds it, pictures as {"bytes", "path"}."""
    import pyarrow.parquet as pq

    found: list[dict[str, Any]] = pq.read_table(sample(name)).to_pylist()
    return found


def rows_without_pictures(name: str) -> list[dict[str, Any]]:
    """Return a benchmark's sample in upstream's columns, those of pictures left out."""
    pictures = {"decoded_image", "image_path"} | ({"image"} if name == "mathverse" else set())
    return [{column: value for column, value in row.items() if column not in pictures} for row in rows(name)]

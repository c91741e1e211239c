"""Rows of a sample to a parquet file that is the same, byte for byte, wherever the same libraries draw it."""

from __future__ import annotations

from importlib import import_module, metadata
from pathlib import Path
from pkgutil import iter_modules

from mmmath_tasks import contract
from mmmath_tasks.errors import InputError

LIBRARIES = ("matplotlib", "pillow", "pyarrow")


def names() -> list[str]:
    """Return the benchmarks that have a sample: those with a module both here and in the folder above."""
    here, above = ({m.name for m in iter_modules([str(f)])} for f in (Path(__file__).parent, Path(__file__).parents[1]))
    return sorted(here & above)


def versions() -> str:
    """Return the libraries that decide the bytes of a file, as "matplotlib 3.11.2, pillow ..."."""
    there = {found.name.lower(): found.version for found in metadata.distributions() if found.name}
    return ", ".join(f"{library} {there[library]}" for library in LIBRARIES if library in there)


def build(name: str, folder: Path) -> Path:
    """Draw one sample and write folder/<name>_sample.parquet.

    The file carries the features of Hugging Face datasets (pictures show as pictures), the licence, and the versions of
    the libraries that drew it.

    Args:
        name: one of `names()`.
        folder: where to; it must exist.

    Returns:
        the file's path.

    Raises:
        InputError: a library that draws is missing, or a row has other columns than the benchmark's features.
    """
    import pyarrow as pa
    import pyarrow.parquet as pq

    data_set = contract.rows(name)
    schema = data_set.features(data_set.SPLITS[0]).arrow_schema
    notes = {"licence": "CC0-1.0", "built_with": versions()}
    try:
        rows = import_module(f"mmmath_tasks.hub_datasets.samples.{name}").rows()
    except ModuleNotFoundError as error:
        raise InputError(f"the sample of {name} needs {error.name}: pip install 'mmmath-tasks[sandbox]'") from None
    for number, row in enumerate(rows, 1):
        if set(row) != set(schema.names):
            odd = ", ".join(sorted(set(row) ^ set(schema.names)))
            raise InputError(f"the sample of {name}, row {number}: columns on one side only: {odd}")
    table = pa.Table.from_pylist(rows, schema=schema.with_metadata({**(schema.metadata or {}), **notes}))
    path = folder / f"{name}_sample.parquet"
    pq.write_table(table, path, compression="zstd")
    return path

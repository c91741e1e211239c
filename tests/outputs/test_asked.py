"""How a model was asked: what rows record of it, all of them, some of them, or in a form that is nobody's of ours."""

import datetime

import pytest

from mmmath_tasks.outputs.asked import Asked
from mmmath_tasks.outputs.saved import open_saved
from support import counting_rows

COT = {"task": "mathvista_testmini", "prompt_style": "cot", "texts": {"ocr": "ocr.json: 3 of 4"}}


def recorded(tmp_path, *origins):
    path = counting_rows.write(tmp_path / "run.jsonl", ["1"] * len(origins))
    file, how = open_saved(path), Asked()
    for saved, origin in zip(file, origins, strict=True):
        saved.row["provenance"] = origin
        how.add(file, saved)
    return how.provenance()


@pytest.mark.parametrize(
    ("origins", "said"),
    [
        ([COT, COT], COT),
        ([COT, {**COT, "prompt_style": "wo"}], {**COT, "prompt_style": ["cot", "wo"]}),
        ([COT, {"task": "mathvista_test"}], {}),
        ([COT, None], {}),
        ([{"task": datetime.datetime(2026, 1, 1), "prompt_style": "cot"}], {"prompt_style": "cot"}),
        ([{"task": {"a": [1]}, "prompt_style": 5, "setting": b"x", "texts": {"ocr": None}}], {}),
        (["cot"], {}),
    ],
)
def test_what_every_row_records_is_told(tmp_path, origins, said):
    assert recorded(tmp_path, *origins) == said

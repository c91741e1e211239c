"""What names of files tell."""

from pathlib import Path

import pytest

from mmmath_tasks.outputs.names import split_named

SPLITS = ("test", "testmini", "testmini_text_only")
DATE = "_2026-01-31T10-00-00.000000.jsonl"


@pytest.mark.parametrize(
    ("name", "split"),
    [
        (f"samples_mathvision_testmini{DATE}", "testmini"),
        (f"samples_mathvision_testmini_direct{DATE}", "testmini"),
        (f"samples_mathvision_testmini_text_only{DATE}", "testmini_text_only"),
        (f"samples_mathvision_test{DATE}", "test"),
        (f"samples_mathvision_sample{DATE}", "sample"),
        (f"samples_mathvista_testmini{DATE}", None),
        (f"mathvision_testmini{DATE}", None),
        ("samples_mathvision_test.jsonl", None),  # of a test, perhaps
        ("Qwen2.5-VL-7B_MathVision_MINI.xlsx", "testmini"),
        ("Qwen2.5-VL-7B_MathVision_MINI_gpt-4o-mini.xlsx", "testmini"),
        ("Qwen2.5-VL-7B_MathVision.xlsx", None),
        ("MINIcheck_MathVision_MINIMAL.xlsx", None),
    ],
)
def test_splits_that_harnesses_put_into_names(name, split):
    assert split_named(Path(name), "mathvision", SPLITS) == split

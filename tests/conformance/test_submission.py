"""Submission files against the output templates that the authors published."""

import json

from mmmath_tasks.cli import main
from mmmath_tasks.hub_datasets import mathverse


def test_mathverse_has_the_templates_columns(shared, tmp_path):
    rows = json.loads((shared / "data" / "mathverse" / "testmini_text_only.json").read_text())
    saved, out = tmp_path / "saved.json", tmp_path / "out.json"
    saved.write_text(json.dumps({f"text_only_{row['sample_index']}": {"response": "A"} for row in rows}))
    command = ["submission", str(saved), "--benchmark", "mathverse", "--data", str(shared / "data"), "-o", str(out)]
    assert main([*command, "--split", "testmini_text_only"]) == 0
    made = json.loads(out.read_text())
    assert len(made) == 788
    template = json.loads((shared / "data" / "mathverse" / "output_testmini_text_only.json").read_text())
    assert {tuple(row) for row in made} == {tuple(template[0])}
    for row, source in zip(made, rows, strict=True):
        assert {**source, "model_answer": "A"} == row


def test_mathverse_with_pictures_has_the_templates_columns(shared):
    template = json.loads((shared / "data" / "mathverse" / "output_testmini.json").read_text())
    (made,) = mathverse.submission([(template[0], "said", None)])
    assert made == {**template[0], "model_answer": "said"}


def test_wemath_has_upstreams_columns_and_the_response(shared, tmp_path):
    rows = json.loads((shared / "data" / "wemath" / "testmini.json").read_text())
    saved, out = tmp_path / "saved.json", tmp_path / "out.json"
    saved.write_text(json.dumps({f"{row['ID']}|{row['key']}": {"response": "<Answer>: <<A>>"} for row in rows}))
    command = ["submission", str(saved), "--benchmark", "wemath", "--data", str(shared / "data"), "-o", str(out)]
    assert main(command) == 0
    made = json.loads(out.read_text())
    assert len(made) == 1740
    for row, source in zip(made, rows, strict=True):
        assert row == {**source, "response": "<Answer>: <<A>>"}

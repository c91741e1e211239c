"""MathVista's program-of-thought task, whole runs of the real lm_eval on the sample."""

import json
import platform

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses import lm_eval_program
from mmmath_tasks.harnesses.lm_eval_results import scorecards
from support.needs import needs
from support.sample_rows import rows

TASK = "mathvista_testmini_pot_2shot"


def program(row):
    if row["question_type"] == "multi_choice":
        return f"letter = 'ABCDEFGH'[{row['choices'].index(row['answer'])}]\nprint(letter)"
    return f"def solve():\n    return {row['answer']!r}\n\nprint(solve())\n"


@needs("sandbox", "bwrap")
def test_a_program_is_worth_what_it_prints():
    responses = [
        ["print(6 * 7)"],
        ["It is simple:\n```python\nprint(2)\n```\nDone."],
        ["print(1)\nraise ValueError"],
        ["The answer is 42."],
        ["while True:\n    pass" if False else ""],
        ["open('/etc/shadow').read()"],
    ]
    assert lm_eval_program.output(responses, [{}] * 6) == [["42"], ["2"], ["1"], [""], [""], [""]]


def test_all_that_running_programs_takes_is_said_at_once_consent_first(run, tmp_path):
    with pytest.raises(InputError) as refused:
        run("mmmath-random-chance", TASK, metadata={"data_dir": f"{tmp_path}/none"})
    lines = str(refused.value).splitlines()
    assert "--confirm_run_unsafe_code" in lines[0]
    assert f"{tmp_path}/none" in lines[-1]


@needs("sandbox", "bwrap")
def test_right_and_wrong_programs(run, tmp_path):
    found = rows("mathvista")
    for name, written, accuracy in (
        ("right", {row["pid"]: program(row) for row in found}, 1),
        ("wrong", {row["pid"]: "1 / 0" for row in found}, 0),
    ):
        file = tmp_path / f"{name}.json"
        file.write_text(json.dumps(written))
        options = {"metadata": {"split": "sample"}, "confirm_run_unsafe_code": True, "log_samples": True}
        results = run("mmmath-replay", TASK, model_args=f"responses={file}", **options)
        assert results["results"][TASK]["acc_verified,output"] == accuracy
        first = results["samples"][TASK][0]
        assert first["filtered_resps"] != first["resps"][0]
        assert scorecards(results)[TASK].provenance["sandbox"]["versions"]["python"] == platform.python_version()

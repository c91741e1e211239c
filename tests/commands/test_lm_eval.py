"""`mmmath lm-eval` hands every argument on as it stands, in this process, with our tasks registered."""

import sys
import types

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.errors import InputError


@pytest.fixture
def given(monkeypatch):
    """Put a stand-in for lm-eval's command line in place: what it sees in sys.argv, and what it does."""
    seen = types.SimpleNamespace(argv=None, does=lambda: None)

    def cli_evaluate():
        seen.argv = list(sys.argv)
        seen.does()

    monkeypatch.setattr("lm_eval.__main__.cli_evaluate", cli_evaluate)
    return seen


@pytest.fixture
def own_tasks_only(monkeypatch):
    """Leave lm-eval's own tasks out, which take many seconds to find."""
    from lm_eval import tasks

    from mmmath_tasks.harnesses.lm_eval_plugin import tasks_folder

    class Ours(tasks.TaskManager):
        def __init__(self, *args, **options):
            super().__init__(**{**options, "include_defaults": False, "include_path": str(tasks_folder())})

    monkeypatch.setattr(tasks, "TaskManager", Ours)


@pytest.mark.parametrize(
    "arguments",
    [
        [],
        ["ls", "tasks"],
        ["--help"],
        ["-h"],
        ["--version"],
        ["--model", "hf", "--limit", "4"],
        ["run", "--tasks", "a,b", "--model_args", "x=1,y=2", "--", "-v"],
        ["--tasks=mathvista_sample", "--gen_kwargs", "until=[]"],
    ],
    ids=" ".join,
)
def test_arguments_pass_untouched(given, arguments):
    before = list(sys.argv)
    assert main(["lm-eval", *arguments]) == 0
    assert given.argv == ["lm_eval", *arguments]
    assert sys.argv == before


def test_bad_input_is_one_message_and_status_2(given, capsys):
    def fail():
        raise InputError("file.json: row 3 is broken")

    given.does = fail
    assert main(["lm-eval"]) == 2
    assert capsys.readouterr().err == "mmmath: file.json: row 3 is broken\n"


def test_its_own_exit_status_is_kept(given):
    given.does = lambda: sys.exit(3)
    with pytest.raises(SystemExit) as ended:
        main(["lm-eval", "--nonsense"])
    assert ended.value.code == 3


def test_tasks_and_models_are_registered(given):
    from lm_eval.api.registry import get_model
    from lm_eval.tasks import TaskManager

    main(["lm-eval"])
    assert hasattr(TaskManager.__init__, "wrapped_by_mmmath")
    assert get_model("mmmath-replay").__name__ == "Replay"


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (["--model", "dummy", "--tasks", "mathvista_tstmini"], "did you mean 'mathvista_testmini'"),
        (["--model", "mmmath-nobody", "--tasks", "mathvista_sample"], "'mmmath-nobody'"),
        (["--model", "dummy", "--tasks", "mathvista_sample", "--metadata", "{data_dir"], "Invalid JSON: {data_dir"),
        (
            ["--model", "mmmath-random-chance", "--tasks", "mathvista_sample", "--model_args", "sed=1"],
            "no argument sed",
        ),
    ],
    ids=["task", "model", "metadata", "argument"],
)
def test_a_wrong_argument_of_the_real_command_is_one_message(own_tasks_only, capsys, arguments, message):
    assert main(["lm-eval", "run", *arguments]) == 2
    last = capsys.readouterr().err.rstrip().splitlines()[-1]
    assert last.startswith("mmmath: ")
    assert message in last


def test_a_folder_that_cannot_be_written_is_told_before_the_model_is_asked(
    own_tasks_only, monkeypatch, capsys, tmp_path
):
    from mmmath_tasks.harnesses.lm_eval_models import RandomChance

    monkeypatch.setattr(RandomChance, "generate_until", lambda *args, **options: pytest.fail("the model was asked"))
    (tmp_path / "taken").write_text("mine")
    run = ["lm-eval", "run", "--model", "mmmath-random-chance", "--tasks", "mathvista_sample", "--log_samples"]
    assert main([*run, "--output_path", str(tmp_path / "taken" / "out")]) == 2
    last = capsys.readouterr().err.splitlines()[-1]
    assert last == f"mmmath: {tmp_path}/taken/out: cannot be written: Not a directory"


def test_other_errors_keep_their_traceback(given):
    def fail():
        raise ValueError("of somebody else")

    given.does = fail
    with pytest.raises(ValueError, match="of somebody else"):
        main(["lm-eval"])

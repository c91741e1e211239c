"""Registering in lm-eval: repeatable, the user's folder wins, and it steps aside where it is not needed."""

import sys
import types

import pytest

from mmmath_tasks.harnesses.lm_eval_plugin import MODELS, register, tasks_folder


@pytest.fixture
def managers(monkeypatch):
    """Return a stand-in for lm_eval.tasks whose TaskManager keeps its arguments: the real index takes 17 seconds."""

    class TaskManager:
        def __init__(self, verbosity=None, include_path=None, include_defaults=True, metadata=None):
            self.include_path, self.metadata = include_path, metadata

    module = types.ModuleType("lm_eval.tasks")
    module.TaskManager = TaskManager
    TaskManager.__module__ = "lm_eval.tasks"
    monkeypatch.setitem(sys.modules, "lm_eval.tasks", module)
    return module


OURS = str(tasks_folder())


@pytest.mark.parametrize(
    ("given", "wanted"),
    [
        ({}, [OURS]),
        ({"include_path": "mine"}, [OURS, "mine"]),
        ({"include_path": ["mine", "yours"]}, [OURS, "mine", "yours"]),
        ({"include_path": OURS}, [OURS]),
        ({"include_path": f"{OURS}/../{tasks_folder().name}"}, [OURS]),
        ({"include_path": "mine", "include_defaults": False}, "mine"),
        ({"include_defaults": False}, None),
    ],
)
def test_ours_stands_before_the_users(managers, given, wanted):
    register()
    register()
    assert managers.TaskManager(**given).include_path == wanted


def test_positional_arguments_work(managers):
    register()
    manager = managers.TaskManager(None, "mine", True, {"a": 1})
    assert (manager.include_path, manager.metadata) == ([OURS, "mine"], {"a": 1})


def test_it_steps_aside_where_lm_eval_reads_entry_points(managers):
    managers.discover_plugin_task_paths = lambda: []
    register()
    assert managers.TaskManager(include_path="mine").include_path == "mine"


def test_models_are_registered_beside_lm_evals_own():
    register()
    register()
    from lm_eval.api.registry import get_model

    for name, class_name in MODELS.items():
        assert get_model(name).__name__ == class_name
    assert get_model("dummy").__name__ == "DummyLM"


def test_the_users_task_of_the_same_name_wins(tmp_path):
    from lm_eval.tasks import TaskManager

    register()
    (tmp_path / "mine.yaml").write_text("task: mathvista_sample\ndataset_path: mine\n")
    manager = TaskManager(include_defaults=False, include_path=[OURS, str(tmp_path)])
    assert manager.task_index["mathvista_sample"].yaml_path == tmp_path / "mine.yaml"
    assert "mathvista_testmini" in manager.all_subtasks


def test_a_model_that_is_made_before_any_task_says_bad_input_in_one_line(monkeypatch, tmp_path, capsys):
    from mmmath_tasks import InputError
    from mmmath_tasks.harnesses.lm_eval_models import Replay

    monkeypatch.setattr(sys, "argv", ["lm_eval"])
    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    with pytest.raises(InputError) as raised:
        Replay(responses=str(tmp_path / "missing.jsonl"))
    with pytest.raises(SystemExit, match="2"):
        sys.excepthook(raised.type, raised.value, raised.tb)
    assert capsys.readouterr().err == f"lm_eval: {tmp_path / 'missing.jsonl'}: no such file\n"
    with pytest.raises(InputError, match="Replay takes no argument response in --model_args; did you mean 'responses'"):
        Replay(response="x.jsonl")

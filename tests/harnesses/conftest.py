"""lm-eval in this process, with our tasks only: its own index takes many seconds to build."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from support import tiny_vlm
from support.needs import skip_without


@pytest.fixture(autouse=True)
def own_data(monkeypatch, tmp_path):
    """No data but what a test names, and no network."""
    monkeypatch.delenv("MMMATH_DATA", raising=False)
    monkeypatch.setenv("HF_HUB_OFFLINE", "1")
    monkeypatch.setattr("datasets.config.HF_DATASETS_CACHE", tmp_path / "cache")


@pytest.fixture(scope="session")
def tiny_model(tmp_path_factory) -> Path:
    """The folder of a tiny vision-language model."""
    skip_without("hf")
    return tiny_vlm.build(tmp_path_factory.mktemp("tiny"))


@pytest.fixture
def run(monkeypatch) -> Callable[..., dict[str, Any]]:
    """Run lm_eval.simple_evaluate over our tasks and return its results, without the machine's description.

    That is a `pip list` and ten other programs a run, seconds in all, and nothing of ours reads it.
    """
    monkeypatch.setattr("lm_eval.evaluator.add_env_info", lambda results: None)

    def simple(model: str, *tasks: str, metadata: dict[str, Any] | None = None, **options: Any) -> dict[str, Any]:
        import lm_eval
        from lm_eval.tasks import TaskManager

        from mmmath_tasks.harnesses.lm_eval_plugin import register, tasks_folder

        register()
        manager = TaskManager(include_defaults=False, include_path=str(tasks_folder()), metadata=metadata or {})
        return lm_eval.simple_evaluate(
            model=model,
            tasks=list(tasks),
            task_manager=manager,
            **{"model_args": "", "bootstrap_iters": 0, **options},
        )

    return simple

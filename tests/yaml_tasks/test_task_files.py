"""lm-eval leaves a broken YAML file out without a word, so what it finds is held against what lies in the folder."""

import re

import pytest
import yaml

from mmmath_tasks.harnesses import lm_eval, lm_eval_results
from mmmath_tasks.harnesses.lm_eval_plugin import tasks_folder
from mmmath_tasks.scoring import benchmark, benchmarks
from mmmath_tasks.sources import SAMPLE

FILES = sorted(tasks_folder().rglob("*.yaml"))


@pytest.fixture(scope="module")
def index():
    from lm_eval.tasks import TaskManager

    return TaskManager(include_defaults=False, include_path=str(tasks_folder())).task_index


@pytest.fixture(scope="module")
def loaded():
    from lm_eval.tasks._yaml_loader import load_yaml

    return {path: load_yaml(path) for path in FILES}


def test_every_file_is_found_under_its_name(index, loaded):
    for path, content in loaded.items():
        assert path.stem in (content.get("task"), content.get("group")), path
        assert index[path.stem].yaml_path == path


def test_a_sample_bears_the_tag_of_all(index):
    assert "mathvista_sample" in index["mmmath_sample_tasks"].tags


def test_every_task_names_a_benchmark_split_style_and_version(loaded):
    for path, content in loaded.items():
        if isinstance(content.get("task"), str):
            metadata = content["metadata"]
            assert metadata["version"], path
            assert metadata["benchmark"] == path.parent.name
            rows = benchmark(metadata["benchmark"]).rows
            assert metadata["split"] in (*rows.SPLITS, SAMPLE), path
            assert metadata.get("prompt_style", "default") in ("default", *rows.PROMPT_STYLES), path


def test_pictures_are_asked_for_exactly_where_the_documents_have_them(loaded):
    for path, content in loaded.items():
        if isinstance(content.get("task"), str):
            assert ("doc_to_image" in content) != bool(content["metadata"].get("text_only")), path


def test_every_metric_that_responses_carry_is_declared(loaded):
    """What is not declared lm-eval averages, and prints a warning."""
    for path, content in loaded.items():
        if isinstance(content.get("task"), str):
            if content["process_results"] is lm_eval_results.described:
                assert {metric["metric"] for metric in content["metric_list"]} == {"described", "truncated"}
                continue
            declared = {metric["metric"] for metric in content["metric_list"]}
            module = benchmark(content["metadata"]["benchmark"]).metrics
            ours = content["process_results"] is lm_eval.process_results  # a task that runs code has its own
            assert declared >= {"extracted", *(getattr(module, "TABLE_SUMMARIES", ()) if ours else ())}, path


def test_tables_of_vlmevalkits_prompts_have_the_plain_ones_and_its_own_two_metrics():
    """lm-eval takes a list from one file only, so that theirs says again what the plain one has."""
    told = {path: path.with_name("_scores_yaml") for path in tasks_folder().rglob("_vlmeval_scores_yaml")}
    assert len(told) == 3
    for theirs, plain in told.items():
        listed = [line for line in theirs.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        own = [line for line in listed if "{metric: acc_vlmeval_prefetch," in line or "vlmeval_prefetched," in line]
        assert len(own) == 2
        kept = [line for line in plain.read_text(encoding="utf-8").splitlines() if not line.startswith("#")]
        assert [line for line in listed if line not in own] == kept


def test_every_benchmark_has_a_sample(loaded):
    sampled = {c["metadata"]["benchmark"] for c in loaded.values() if c.get("metadata", {}).get("split") == SAMPLE}
    assert sampled == set(benchmarks())


def test_files_are_short_and_need_no_module_beside_them():
    for path in tasks_folder().rglob("*yaml"):
        text = path.read_text(encoding="utf-8")
        assert len(text.splitlines()) <= 40, path
        assert all(name.startswith("mmmath_tasks.") for name in re.findall(r"!function ([\w.]+)", text)), path
        assert "unsafe_code: true" not in text or "mathopeval" in path.parts or "_pot_" in path.stem


@pytest.mark.parametrize("name", ["_mmmath_yaml", "_mmmath_text_yaml"])
def test_what_is_shared_is_no_task(name):
    class Loader(yaml.SafeLoader):
        pass

    Loader.add_constructor("!function", lambda loader, node: loader.construct_scalar(node))
    content = yaml.load((tasks_folder() / name).read_text(encoding="utf-8"), Loader)  # noqa: S506 (a safe one)
    assert "task" not in content
    assert "metadata" not in content


def test_lmms_evals_tables_name_the_tasks_whose_answers_rules_read(tmp_path):
    from mmmath_tasks.harnesses.lmms_eval import write_tasks

    folder = write_tasks(tmp_path)
    found = {path.stem: "(answers read by rules)" in path.read_text() for path in folder.glob("*.yaml")}
    assert found["mmmath_mathvista_sample"]
    assert found["mmmath_mathverse_sample"]
    assert not any(said for name, said in found.items() if name.startswith(("mmmath_mathvision", "mmmath_wemath")))

"""What lm-eval would take without a word is refused or said, and what it would say without need is not."""

import logging
from pathlib import Path

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses.lm_eval_plugin import tasks_folder
from mmmath_tasks.hub_datasets.samples import sample

OTHERS = """
task: of_others
dataset_path: parquet
dataset_kwargs: {data_files: FILE}
test_split: train
fewshot_split: train
output_type: generate_until
doc_to_text: "{{question}}"
doc_to_target: "{{answer}}"
metric_list: [{metric: exact_match, aggregation: mean, higher_is_better: true}]
"""


@pytest.mark.parametrize("task", ["mathvista_sample", "mmmath_sample"])
def test_shots_that_would_not_be_given_are_refused(run, task):
    with pytest.raises(InputError, match=r"--num_fewshot 2: the prompts of \w+_sample(| and 5 more) are fixed"):
        run("mmmath-random-chance", task, limit=1, num_fewshot=2)
    run("mmmath-random-chance", "mathvista_sample", limit=1, num_fewshot=0)


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("tokenizer", r"metadata 'tokenizer' is unknown\. Known: benchmark, .*data_dir"),
        ("data_dirs", r"metadata 'data_dirs' is unknown; is 'data_dir' meant\? Known: .*captions"),
        ("Split", r"metadata 'Split' is unknown; is 'split' meant\?"),
        ("juge", r"metadata 'juge' is unknown; is 'judge' meant\?"),
    ],
)
def test_metadata_that_nothing_reads_is_refused(run, name, said):
    with pytest.raises(InputError, match=said):
        run("mmmath-random-chance", "mathvista_sample", limit=1, metadata={name: "x"})


@pytest.mark.parametrize("model_args", ["seed=3", {"seed": 3}], ids=["text", "mapping"])
def test_the_models_arguments_may_stand_in_the_metadata(run, model_args):
    """Where lm-eval's command line puts them."""
    found = run("mmmath-random-chance", "mathvista_sample", limit=1, model_args=model_args, metadata={"seed": 3})
    assert len(found["samples"]["mathvista_sample"]) == 1


@pytest.mark.medium
def test_beside_tasks_of_others_shots_are_warned_of_and_metadata_is_theirs(tmp_path, monkeypatch, caplog):
    from lm_eval import simple_evaluate
    from lm_eval.models.dummy import DummyLM
    from lm_eval.tasks import TaskManager

    (tmp_path / "of_others.yaml").write_text(OTHERS.replace("FILE", str(sample("mathvista"))))
    folders = [str(tasks_folder()), str(tmp_path)]
    manager = TaskManager(include_defaults=False, include_path=folders, metadata={"max_seq_lengths": [4096]})
    monkeypatch.setattr(DummyLM, "MULTIMODAL", True, raising=False)
    tasks = ["mathvista_sample", "of_others"]
    options = {"num_fewshot": 1, "limit": 1, "bootstrap_iters": 0}
    results = simple_evaluate(DummyLM(), tasks=tasks, task_manager=manager, **options)
    assert results["n-shot"] == {"mathvista_sample": 0, "of_others": 1}
    assert "--num_fewshot 1: the prompts of mathvista_sample are fixed and take no examples" in caplog.text
    assert "counts for the other tasks only" in caplog.text


SLICED = {
    "mathvista_sample": {"acc_FQA", "acc_GPS", "acc_MWP", "acc_TQA", "acc_VQA"},
    "mathvision_sample": {f"acc_level{level}" for level in range(1, 6)},
    "wemath_sample": {"s1", "s2", "s3"},
    "mathopeval_sample": {"acc_mcg", "acc_bar", "acc_geometry", "acc_mce_deletion"},
}


@pytest.mark.parametrize("task", SLICED)
def test_sub_scores_are_means_of_their_rows_with_standard_errors_and_no_warning(run, task, caplog):
    from lm_eval.api.metrics import mean_stderr

    with caplog.at_level(logging.WARNING):
        results = run("mmmath-random-chance", task, bootstrap_iters=10)
    assert "Metrics were not scored" not in caplog.text
    assert "No aggregation" not in caplog.text
    numbers, samples = results["results"][task], results["samples"][task]
    for name in SLICED[task]:
        found = [s[name] for s in samples if s[name] is not None]
        assert 1 < len(found) < len(samples)
        assert numbers[f"{name},none"] == pytest.approx(sum(found) / len(found))
        assert numbers[f"{name}_stderr,none"] == pytest.approx(mean_stderr(found))


def test_a_sub_score_without_rows_is_not_shown(run):
    results = run("mmmath-random-chance", "wemath_sample", limit=1)  # a one-step problem
    shown = results["results"]["wemath_sample"]
    assert shown["s1_stderr,none"] == "N/A"
    assert not {name for name in shown if name.startswith(("s2", "s3"))}


@pytest.mark.parametrize("options", [{"trust_remote_code": True}, {"batch_size": "auto", "device": "cpu"}])
def test_a_baseline_takes_what_lm_eval_hands_every_model(options):
    from mmmath_tasks.harnesses.lm_eval_models import FrequentGuess, RandomChance

    assert RandomChance(**options).rank == 0
    assert FrequentGuess(model="mine", **options).rank == 0


def test_results_of_a_baseline_are_filed_under_its_name_unless_it_has_one(run, tmp_path):
    from lm_eval.loggers import EvaluationTracker

    for given, folder in (("", "mmmath-random-chance"), ("model=mine", "mine")):
        tracker = EvaluationTracker(output_path=str(tmp_path))
        options = {"model_args": given, "limit": 1, "evaluation_tracker": tracker}
        results = run("mmmath-random-chance", "mathvista_sample", **options)
        tracker.save_results_aggregated(results=results)
        assert [path.name[:9] for path in (tmp_path / folder).iterdir()].count("scorecard") == 1


@pytest.mark.slow
def test_the_first_command_is_quiet_and_ends_with_the_paths_of_the_scorecards(tmp_path):
    from harnesses.test_lm_eval_processes import go, tool

    run = ["run", "--model", "mmmath-random-chance", "--tasks", "mmmath_sample", "--trust_remote_code"]
    status, out, err = go(tool("lm_eval"), *run, "--output_path", tmp_path / "out")
    assert status == 0, err
    for noise in ("Custom kwargs", "Metrics were not scored", "WARNING"):
        assert noise not in err
    paths = out.rstrip().partition("\nScorecards and submissions:\n")[2].splitlines()
    folder = tmp_path / "out" / "mmmath-random-chance"
    assert sorted(map(Path, paths)) == sorted(folder.glob("scorecard_*"))
    assert len(paths) == 7

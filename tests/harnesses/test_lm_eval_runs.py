"""Whole runs of the real lm_eval in this process: metrics, scorecards, logs, and what it refuses."""

import copy
import hashlib
import json
import pickle
import sys

import pytest
from PIL import Image

from mmmath_tasks.errors import InputError
from mmmath_tasks.harnesses.lm_eval_results import scorecards, write
from mmmath_tasks.scoring import benchmark
from support import mathvista_folder, upstream_folders
from support.answered import replay
from support.picture_files import USABLE, encode
from support.sample_rows import rows

MATHVISTA = benchmark("mathvista")
TOKENS = "max_gen_toks=2"


def gold_letters():
    """Return the right response to every problem of the sample."""
    return {row["pid"]: row["answer"] for row in mathvista_folder.rows()}


def test_right_answers_score_one(run, tmp_path):
    results = run("mmmath-replay", "mathvista_sample", model_args=replay(tmp_path, gold_letters()))
    table = results["results"]["mathvista_sample"]
    assert table["acc,none"] == table["acc_verified,none"] == table["extracted,none"] == 1
    assert {name.split(",")[0] for name in table if name.startswith("acc_") and "stderr" not in name} == {
        "acc_verified",
        "acc_FQA",
        "acc_GPS",
        "acc_MWP",
        "acc_TQA",
        "acc_VQA",
    }


def test_wrong_answers_score_nothing(run, tmp_path):
    wrong = dict.fromkeys(gold_letters(), "The answer is 987654321.")
    table = run("mmmath-replay", "mathvista_sample", model_args=replay(tmp_path, wrong))["results"]["mathvista_sample"]
    assert table["acc_verified,none"] == 0


def test_numbers_and_scorecard_equal_the_python_face(run, tmp_path):
    answers = gold_letters()
    mixed = {pid: answer if number % 3 else "" for number, (pid, answer) in enumerate(answers.items())}
    results = run("mmmath-replay", "mathvista_sample", model_args=replay(tmp_path, mixed))
    problems = [MATHVISTA.problem(row) for row in mathvista_folder.rows()]
    verdicts = MATHVISTA.score_many([(p, mixed[p.id]) for p in problems])
    card = MATHVISTA.summarise(problems, verdicts)
    ours = scorecards(results)["mathvista_sample"]
    assert json.loads(json.dumps(ours.to_dict()))["scores"] == card.to_dict()["scores"]
    assert ours.counts == card.counts
    table = results["results"]["mathvista_sample"]
    assert table["acc,none"] == card.value("acc")
    assert table["acc_verified,none"] == card.value("acc_verified")
    assert table["extracted,none"] == 1 - card.value("share_unextracted")
    assert table["acc_GPS,none"] == card.value("acc", "task", "geometry problem solving")


def test_the_log_shows_verdicts_and_no_picture_bytes(run, tmp_path):
    results = run("mmmath-replay", "mathvista_sample", model_args=replay(tmp_path, gold_letters()), limit=2)
    sample = results["samples"]["mathvista_sample"][0]
    assert sample["extracted"]["official"] is True
    assert sample["extracted"]["id"] == sample["doc"]["id"]
    assert len(json.dumps(sample, default=str)) < 6000


def test_provenance(run, tmp_path):
    model_args = f"model=someone,{replay(tmp_path, gold_letters())}"
    card = scorecards(run("mmmath-replay", "mathvista_sample", model_args=model_args, limit=3, gen_kwargs=TOKENS))
    known = card["mathvista_sample"].provenance
    assert known["task"] == "mathvista_sample"
    assert known["limit"] == 3
    assert known["samples"] == {"original": 32, "effective": 3}
    assert known["generation"]["max_gen_toks"] == 2
    assert known["rule_version"] == MATHVISTA.metrics.RULE_VERSION
    assert known["data_revision"].startswith("sample rows sha256:")
    assert known["harness"].startswith("lm_eval 0.")
    assert (known["model"], known["model_source"]) == ("someone", "mmmath-replay")
    assert len(known["prompt_hash"]) == 16


def test_results_can_be_copied_and_pickled_as_loggers_do(run):
    results = run("mmmath-frequent-guess", "mathvista_sample", limit=3)
    cards = scorecards(results)
    assert scorecards(copy.deepcopy(results)) == cards
    assert scorecards({**results, "results": pickle.loads(pickle.dumps(results["results"]))}) == cards  # noqa: S301
    assert json.loads(json.dumps(results["results"]))["mathvista_sample"]["extracted,none"] == 1


def test_predict_only_gives_no_scorecard(run):
    results = run("mmmath-random-chance", "mathvista_sample", limit=2, predict_only=True)
    assert scorecards(results) == {}
    assert results["samples"]["mathvista_sample"][0]["resps"]


def test_a_replay_needs_no_picture_and_names_file_and_model(run, tmp_path, caplog):
    folder = mathvista_folder.write(tmp_path / "data", count=3)
    for file in (folder / "images").iterdir():
        file.unlink()
    file = tmp_path / "Some-Model.json"
    file.write_text(json.dumps(gold_letters()))
    metadata = {"data_dir": str(folder)}
    results = run("mmmath-replay", "mathvista_testmini", model_args=f"responses={file}", metadata=metadata)
    known = scorecards(results)["mathvista_testmini"].provenance
    digest = hashlib.sha256(file.read_bytes()).hexdigest()
    assert (known["model"], known["model_source"]) == ("Some-Model", "mmmath-replay")
    assert (known["responses"], known["responses_sha256"]) == ("Some-Model.json", digest)
    assert "29 of its 32 responses are to problems that this run does not ask" in caplog.text
    with pytest.raises(InputError, match=r"problem 1: picture .*: No such file"):
        run("mmmath-random-chance", "mathvista_testmini", metadata=metadata)


def test_a_replay_of_another_benchmark_is_refused(run, tmp_path):
    file = tmp_path / "rows.jsonl"
    rows = [{**row, "decoded_image": None, "response": "(A)"} for row in mathvista_folder.rows()]
    file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    with pytest.raises(InputError, match="those of mathvista, not of mathvision"):
        run("mmmath-replay", "mathvision_sample", model_args=f"responses={file}")


def test_missing_responses_are_counted(run, tmp_path):
    some = dict(list(gold_letters().items())[:30])
    with pytest.raises(InputError, match=r"responses\.json: no response for 2 of 32 problems; first: 31, 32"):
        run("mmmath-replay", "mathvista_sample", model_args=replay(tmp_path, some))
    run("mmmath-replay", "mathvista_sample", model_args=replay(tmp_path, some), limit=30)


def test_a_tiny_model_sees_the_pictures_of_a_local_folder(run, tmp_path, tiny_model):
    answers = []
    for name, colour in (("as drawn", None), ("blackened", "black")):
        folder = mathvista_folder.write(tmp_path / name, count=4)
        for file in (folder / "images").iterdir():
            if colour:
                Image.new("RGB", (300, 200), colour).save(file)
        results = run(
            "hf-multimodal",
            "mathvista_testmini",
            model_args=f"pretrained={tiny_model}",
            device="cpu",
            apply_chat_template=True,
            metadata={"data_dir": str(folder)},
            gen_kwargs="max_gen_toks=4",
        )
        assert results["n-samples"]["mathvista_testmini"] == {"original": 4, "effective": 4}
        assert scorecards(results)["mathvista_testmini"].provenance["model"] == str(tiny_model)
        samples = results["samples"]["mathvista_testmini"]
        assert all(sample["arguments"][0][0].count("<image>") == 1 for sample in samples)
        answers.append([sample["resps"] for sample in samples])
    assert answers[0] != answers[1]


def test_every_kind_of_picture_reaches_a_tiny_model(run, tmp_path, tiny_model):
    folder = mathvista_folder.write(tmp_path / "data", pictures=USABLE)
    arguments = {"model_args": f"pretrained={tiny_model}", "device": "cpu", "apply_chat_template": True}
    results = run(
        "hf-multimodal", "mathvista_testmini", metadata={"data_dir": str(folder)}, gen_kwargs=TOKENS, **arguments
    )
    assert results["n-samples"]["mathvista_testmini"]["effective"] == len(USABLE)


def test_a_broken_picture_stops_a_run_before_the_model_is_asked(run, tmp_path, monkeypatch):
    from mmmath_tasks.harnesses.lm_eval_models import RandomChance

    monkeypatch.setattr(RandomChance, "generate_until", lambda *_: pytest.fail("the model was asked"))
    folder = mathvista_folder.write(tmp_path / "data", count=3)
    (folder / "images" / "3.png").write_bytes(b"GIF89a")
    with pytest.raises(InputError, match=r"problem 3: picture 3\.png"):
        run("mmmath-random-chance", "mathvista_testmini", metadata={"data_dir": str(folder)})


def test_a_text_task_sends_no_pictures(run, tmp_path, tiny_model):
    folder = mathvista_folder.write(tmp_path / "data", count=2)
    results = run(
        "hf-multimodal",
        "mathvista_testmini_text",
        model_args=f"pretrained={tiny_model}",
        device="cpu",
        apply_chat_template=True,
        metadata={"data_dir": str(folder)},
        gen_kwargs=TOKENS,
    )
    for sample in results["samples"]["mathvista_testmini_text"]:
        assert "<image>" not in sample["arguments"][0][0]
        assert len(sample["arguments"][0]) == 2


@pytest.fixture
def seen(monkeypatch):
    """What reaches the weights of a model of transformers, a batch an entry: the number of pictures."""
    from lm_eval.models.hf_vlms import HFMultimodalLM
    from lm_eval.models.huggingface import HFLM

    batches = []
    generate, generate_from_text = HFMultimodalLM._model_multimodal_generate, HFLM._model_generate

    def spy(self, inputs, *args, **kwargs):
        batches.append(inputs["pixel_values"].shape[0])
        return generate(self, inputs, *args, **kwargs)

    def text_spy(self, *args, **kwargs):
        batches.append(0)
        return generate_from_text(self, *args, **kwargs)

    monkeypatch.setattr(HFMultimodalLM, "_model_multimodal_generate", spy)
    monkeypatch.setattr(HFLM, "_model_generate", text_spy)
    return batches


@pytest.mark.parametrize("order", [1, -1])
def test_text_and_picture_tasks_in_one_run(run, tmp_path, tiny_model, seen, order):
    tasks = ("mathvista_testmini", "mathvista_testmini_text")[::order]
    arguments = {"model_args": f"pretrained={tiny_model}", "device": "cpu", "apply_chat_template": True}
    metadata = {"data_dir": str(mathvista_folder.write(tmp_path / "data", count=3))}
    results = run("hf-multimodal", *tasks, metadata=metadata, gen_kwargs=TOKENS, **arguments)
    assert seen == [1, 1, 1, 0, 0, 0]
    for task, size in (("mathvista_testmini", 3), ("mathvista_testmini_text", 2)):
        assert [len(sample["arguments"][0]) for sample in results["samples"][task]] == [size] * 3
        assert all(len(sample["resps"][0]) == 1 for sample in results["samples"][task])


def test_the_rows_of_table_2_for_language_models(run, tmp_path):
    captions = tmp_path / "captions.json"
    captions.write_text(json.dumps({"1": "A triangle.", "2": "A circle."}))
    metadata = {"data_dir": str(mathvista_folder.write(tmp_path / "data", count=2)), "captions": str(captions)}
    tasks = ("mathvista_testmini_augmented", "mathvista_testmini_cot_2shot")
    results = run("mmmath-random-chance", *tasks, metadata=metadata)
    augmented, shots = (results["samples"][task][0]["arguments"][0] for task in tasks)
    assert augmented[0].startswith("Question: ")
    assert "\nImage description: A triangle.\nHint: " in augmented[0]
    assert augmented[0].endswith("\nSolution:")
    assert shots[0].endswith("\n\n" + augmented[0])
    assert shots[0].count("\nSolution:") == shots[0].count("\nImage description: The image shows ") + 1 == 3
    assert "Image detected text" not in shots[0]
    assert shots[1]["until"] == ["\nQuestion:"]
    with pytest.raises(InputError, match="needs --metadata captions=FILE"):
        run("mmmath-random-chance", tasks[0], metadata={"data_dir": metadata["data_dir"]})


@pytest.mark.parametrize("name", ["mathvista", "mathvision"])
def test_descriptions_of_one_model_are_another_models_pictures(run, tmp_path, name):
    made = mathvista_folder.write(tmp_path / "data", count=2) if name == "mathvista" else None
    data = made or upstream_folders.mathvision(tmp_path / "data", 2, "testmini")
    problems = [benchmark(name).problem(row) for row in benchmark(name).rows.read(data, "testmini")]
    said = tmp_path / "said.jsonl"
    told = [{"id": p.id, "response": f"Sure. A figure, number {p.id}."} for p in problems]
    said.write_text("".join(json.dumps(row) + "\n" for row in told))
    results = run(
        "mmmath-replay", f"{name}_testmini_describe", model_args=f"responses={said}", metadata={"data_dir": str(data)}
    )
    asked = {
        sample["arguments"][0][0].removeprefix("<image>") for sample in results["samples"][f"{name}_testmini_describe"]
    }
    assert asked == {benchmark(name).prompt(problems[0], "describe")}
    assert results["results"][f"{name}_testmini_describe"]["described,none"] == 1
    assert scorecards(results) == {}
    (file,) = write(tmp_path / "out", "2026", results)
    assert file.name == f"captions_{name}_testmini_describe_2026.json"
    assert json.loads(file.read_text())["texts"] == {row["id"]: row["response"] for row in told}
    reads = "mathvista_testmini_augmented" if name == "mathvista" else "mathvision_testmini_text"
    results = run("mmmath-random-chance", reads, metadata={"data_dir": str(data), "captions": str(file)})
    shown = [sample["arguments"][0][0] for sample in results["samples"][reads]]
    assert all(f"A figure, number {p.id}." in text for p, text in zip(problems, shown, strict=True))


@pytest.fixture
def saving(tmp_path):
    """Save results as lm-eval's command line does, and return the files that appear."""

    def save(results, output="out"):
        from lm_eval.loggers import EvaluationTracker

        tracker = EvaluationTracker(output_path=str(tmp_path / output))
        tracker.general_config_tracker.model_name_sanitized = "model"
        samples = results.pop("samples")
        tracker.save_results_aggregated(results=results, samples=samples)
        return {path.name.partition("_20")[0]: path for path in (tmp_path / output).parent.rglob("*_20*.json")}

    return save


@pytest.mark.parametrize("output", ["out", "out/named.json"])
def test_the_scorecard_lies_beside_the_results(run, saving, output):
    results = run("mmmath-frequent-guess", "mathvista_sample")
    card = scorecards(results)["mathvista_sample"]
    files = saving(results, output)
    assert set(files) == {"results" if output == "out" else "named", "scorecard_mathvista_sample"}
    assert len({path.parent for path in files.values()}) == 1
    assert len({path.stem.partition("_20")[2] for path in files.values()}) == 1
    written = json.loads(files["scorecard_mathvista_sample"].read_text())
    assert written["scores"] == card.to_dict()["scores"]
    assert written["provenance"]["task"] == "mathvista_sample"


def test_without_answers_there_is_a_submission_and_no_score(run, saving, tmp_path):
    folder = mathvista_folder.write(tmp_path / "data", split="test", count=3)
    for pid in ("1", "2", "3"):
        mathvista_folder.change(folder, pid, split="test", answer="")
    responses = replay(tmp_path, {"1": "(C)", "2": "", "3": "So it is 3."})
    results = run("mmmath-replay", "mathvista_test", model_args=responses, metadata={"data_dir": str(folder)})
    assert not [name for name in results["results"]["mathvista_test"] if name.startswith("acc")]
    files = saving(results)
    submission = json.loads(files["submission_mathvista_test"].read_text())
    assert list(submission) == ["1", "2", "3"]
    first = submission["1"]
    assert (first["pid"], first["response"], first["extraction"]) == ("1", "(C)", "C")
    assert first["prediction"] == first["choices"][2]
    assert submission["2"]["extraction"] == ""
    assert first["query"].startswith("Hint: ")
    card = json.loads(files["scorecard_mathvista_test"].read_text())
    assert card["counts"]["unscored"] == 3
    assert card["scores"][0]["value"] is None


def test_a_folder_that_cannot_be_written_loses_nothing(run, saving, tmp_path, caplog):
    results = run("mmmath-frequent-guess", "mathvista_sample", limit=2)
    (tmp_path / "out").write_text("a file in the way")
    assert saving(results) == {}
    assert f"scorecards not written: {tmp_path / 'out' / 'mmmath-frequent-guess'}: Not a directory" in caplog.text
    assert "Traceback" not in caplog.text
    assert results["results"]["mathvista_sample"]["acc,none"] is not None


def test_bad_input_ends_the_command_line_without_a_traceback(monkeypatch, capsys):
    from mmmath_tasks.harnesses import lm_eval_run

    monkeypatch.setattr(sys, "excepthook", sys.__excepthook__)
    monkeypatch.setattr(sys, "argv", ["/bin/pytest"])
    lm_eval_run.speak_plainly()
    assert sys.excepthook is sys.__excepthook__
    monkeypatch.setattr(sys, "argv", ["/bin/lm_eval"])
    lm_eval_run.speak_plainly()
    with pytest.raises(SystemExit, match="2"):
        sys.excepthook(InputError, InputError("row 3 is broken"), None)
    assert capsys.readouterr().err == "lm_eval: row 3 is broken\n"
    sys.excepthook(KeyError, KeyError("x"), None)
    assert "KeyError" in capsys.readouterr().err


@pytest.mark.slow
def test_a_hundred_megapixels_reach_a_tiny_model(run, tmp_path, tiny_model):
    huge = encode(Image.new("L", (10_000, 10_000), 200), "JPEG")
    folder = mathvista_folder.write(tmp_path / "data", pictures={"huge.jpg": huge})
    arguments = {"model_args": f"pretrained={tiny_model}", "device": "cpu", "apply_chat_template": True}
    results = run(
        "hf-multimodal", "mathvista_testmini", metadata={"data_dir": str(folder)}, gen_kwargs=TOKENS, **arguments
    )
    assert results["n-samples"]["mathvista_testmini"]["effective"] == 1


@pytest.mark.parametrize(
    ("task", "named"),
    [
        ("mathvista_sample", "mathvista_sample (acc, read by rules)"),
        ("mathverse_sample", "mathverse_sample (acc_verified, read by rules)"),
        ("mathvision_sample", "mathvision_sample"),
    ],
)
def test_the_table_says_where_rules_read_the_answers(run, tmp_path, task, named):
    from lm_eval.utils import make_table

    problems = [benchmark(task.split("_")[0]).problem(row) for row in rows(task.split("_")[0])]
    answers = {problem.id: "The answer is (B)." for problem in problems}
    results = run("mmmath-replay", task, model_args=replay(tmp_path, answers))
    assert f"|{named}" in make_table(results).replace("| ", "|")
    assert "acc_verified,none" in results["results"][task]


def test_answers_that_need_no_reader_are_not_read_by_rules(run, tmp_path):
    empty = dict.fromkeys(gold_letters(), "")
    results = run("mmmath-replay", "mathvista_sample", model_args=replay(tmp_path, empty))
    assert results["results"]["mathvista_sample"]["alias"] == "mathvista_sample"


def test_programs_that_were_not_run_are_warned_of(run, tmp_path, caplog):
    programs = dict.fromkeys(gold_letters(), "x = 6\nprint(x * 7)")
    results = run("mmmath-replay", "mathvista_sample", model_args=replay(tmp_path, programs))
    assert "mathvista_sample: Warning: most responses are programs, or wrapped in code" in caplog.text
    assert scorecards(results)["mathvista_sample"].provenance["answers_read_by"]["rules on code"] > 5

"""The tasks of MATH-Vision, MathVerse and We-Math in the real lm_eval, on the samples that ship with the package."""

import copy
import itertools
import json
from pathlib import Path

import pytest

import mmmath_tasks as mm
from mmmath_tasks.harnesses.lm_eval_majority import vote
from mmmath_tasks.harnesses.lm_eval_results import ScoredResponse, scorecards
from support import mathvista_folder
from support.answered import replay
from support.json_server import chat_completion, serving
from support.sample_rows import rows

PICTURE = {"mathvision": "decoded_image", "mathverse": "image", "wemath": "image_path"}
TINY = {"device": "cpu", "apply_chat_template": True, "gen_kwargs": "max_gen_toks=2"}


def problems(name):
    return [mm.benchmark(name).problem(row) for row in rows(name)]


def shown(results, task):
    """Return the metrics that lm-eval's table has for a task."""
    metrics = {key.partition(",")[0] for key in results["results"][task] if "," in key}
    return {name for name in metrics if not name.endswith("_stderr")}


def right(name):
    template = "<Answer>: <<{}>>" if name == "wemath" else "{}"
    return {problem.id: template.format(problem.answer) for problem in problems(name)}


@pytest.fixture
def folder(tmp_path):
    """A data folder with upstream's own files, made of the samples' rows."""
    for name, column in PICTURE.items():
        home = tmp_path / "data" / name
        (home / "images").mkdir(parents=True)
        found = []
        for number, row in enumerate(rows(name)):
            picture = row.pop(column)
            file = f"{number}.png" if picture else ""
            if picture:
                (home / "images" / file).write_bytes(picture["bytes"])
            key = "image_path" if name == "wemath" else "image"
            found.append({**row, key: f"images/{file}" if name == "mathvision" and file else file})
        if name == "mathvision":
            for split in ("test", "testmini"):
                (home / f"{split}.jsonl").write_text("\n".join(map(json.dumps, found)))
        elif name == "wemath":
            (home / "testmini.json").write_text(json.dumps(found))
        else:
            text = [row for row in found if row["problem_version"] == "Text Only"]
            (home / "testmini_text_only.json").write_text(json.dumps(text))
            (home / "testmini.json").write_text(json.dumps([row for row in found if row not in text]))
    mathvista_folder.write(tmp_path / "data" / "mathvista")
    return tmp_path / "data"


def test_the_headline_tasks_in_one_run(run, folder):
    results = run("mmmath-random-chance", "mmmath", limit=4, metadata={"data_dir": str(folder)})
    assert set(results["group_subtasks"]["mmmath"]) == {
        "mathvista_testmini",
        "mathvision_test",
        "mathverse_testmini",
        "wemath_testmini",
    }
    assert (
        shown(results, "mathvision_test")
        == shown(results, "mathvista_testmini")
        == {"acc", "acc_verified", "truncated", "extracted"}
    )
    assert shown(results, "mathverse_testmini_text_lite") == {"acc_verified", "truncated", "extracted"}
    assert shown(results, "mathverse_testmini_text_only") == {"acc_text_only_verified", "truncated", "extracted"}
    assert shown(results, "mathverse_testmini") == {"acc_verified"}
    headlines = {name: card.headline for name, card in scorecards(results).items() if name.count("_") == 1}
    assert headlines == {
        "mathvista_testmini": "acc",
        "mathvision_test": "acc",
        "mathverse_testmini": "acc_verified",
        "wemath_testmini": "score_strict",
    }


def test_the_tasks():
    import yaml

    from mmmath_tasks.harnesses.lm_eval_plugin import tasks_folder

    yaml.SafeLoader.add_constructor("!function", lambda loader, node: node.value)
    named = [yaml.safe_load(file.read_text()) for file in Path(tasks_folder()).rglob("*.yaml")]
    found = {entry.get("task") if isinstance(entry.get("task"), str) else entry["group"] for entry in named}
    assert len(found) == len(named)
    versions = ("text_dominant", "text_lite", "text_only", "vision_intensive", "vision_dominant", "vision_only")
    wanted = {"mmmath", "mathvision_sample", "mathverse_sample", "mathverse_sample_text_only", "wemath_sample"}
    wanted |= {"wemath_testmini", "wemath_testmini_kca"}
    wanted |= {f"mathvision_{s}{v}" for s in ("test", "testmini") for v in ("", "_direct", "_text", "_maj")}
    wanted |= {f"mathverse_testmini{v}{s}" for s in ("", "_cot") for v in ("", *(f"_{v}" for v in versions))}
    assert wanted <= found


def test_tasks_asked_as_vlmevalkit_asks_say_so(run, folder):
    names = ["mathvista_testmini", "mathvision_test", "wemath_testmini", "mathverse_testmini"]
    results = run("mmmath-random-chance", *(f"{n}_vlmeval" for n in names), limit=4, metadata={"data_dir": str(folder)})
    prefetch = {"acc_vlmeval_prefetch", "vlmeval_prefetched"}
    found = scorecards(results)
    for name in names:
        card = found[f"{name}_vlmeval"]
        benchmark = mm.benchmark(card.benchmark)
        assert card.provenance["setting"] == benchmark.rows.SETTINGS["vlmeval"]
        assert card.provenance["prompt_style"] == "vlmeval"
        if card.benchmark != "mathverse":
            assert prefetch <= shown(results, f"{name}_vlmeval")
            assert prefetch <= {score.metric for score in card.scores}
            assert "VLMEvalKit's prompt" in results["results"][f"{name}_vlmeval"]["alias"]
    assert "VLMEvalKit's prompt" in results["results"]["mathverse_testmini_text_lite_vlmeval"]["alias"]


@pytest.mark.parametrize("name", PICTURE)
def test_right_answers_score_one(run, tmp_path, name):
    results = run("mmmath-replay", f"{name}_sample", model_args=replay(tmp_path, right(name)))
    table = results["results"][f"{name}_sample"]
    for metric in {
        "mathvision": ["acc", "acc_verified", "acc_level1"],
        "wemath": ["score_strict", "s1", "s2", "s3"],
    }.get(name, ["acc_verified"]):
        assert table[f"{metric},none"] == 1, metric
    card = scorecards(results)[f"{name}_sample"]
    assert card.value(card.headline) == 1


@pytest.mark.parametrize("name", PICTURE)
def test_wrong_answers_score_nothing(run, tmp_path, name):
    wrong = dict.fromkeys(right(name), "The answer is 98765.")
    results = run("mmmath-replay", f"{name}_sample", model_args=replay(tmp_path, wrong))
    card = scorecards(results)[f"{name}_sample"]
    assert card.value(card.headline) == 0


def test_all_samples_in_one_run(run):
    results = run("mmmath-random-chance", "mmmath_sample")
    names = {task.removesuffix("_sample") for task in results["results"]}
    assert {"mathvista", "mathvision", "mathverse", "wemath", "mathverse_sample_text_only"} <= names
    cards = scorecards(results)
    six = cards["mathverse_sample_six"]
    assert six.provenance["tasks"] == ["mathverse_sample", "mathverse_sample_text_only"]
    assert six.provenance["samples"]["effective"] == len(rows("mathverse"))
    assert six.value("acc_verified") == cards["mathverse_sample"].value("acc_verified")


@pytest.mark.slow
def test_a_group_shows_headlines_and_its_scorecards_all(run):
    group = run("mmmath-random-chance", "mmmath_sample")
    cards = scorecards(group)
    for name in mm.benchmarks():
        task = f"{name}_sample"
        alone = run("mmmath-random-chance", task)
        few = shown(group, task)
        assert few <= shown(alone, task)
        assert len(few) <= 4
        assert {cards[task].headline, "truncated", "extracted"} <= few
        for metric in few:
            assert group["results"][task][f"{metric},none"] == alone["results"][task][f"{metric},none"]
        assert scorecards(alone)[task] == cards[task]
    assert {"s1", "cm_loose"} <= shown(run("mmmath-random-chance", "wemath_sample"), "wemath_sample")


def test_versions_in_a_group(run, tmp_path, folder):
    answers = right("mathverse")
    for problem in problems("mathverse"):
        if problem.groups["version"][0] in ("Vision Only", "Text Only"):
            answers[problem.id] = "I cannot tell."
    arguments = {"model_args": replay(tmp_path, answers), "metadata": {"data_dir": str(folder)}}
    results = run("mmmath-replay", "mathverse_testmini", **arguments)
    assert results["groups"]["mathverse_testmini"]["acc_verified,none"] == pytest.approx(0.8)
    text_only = results["results"]["mathverse_testmini_text_only"]
    assert text_only["acc_text_only_verified,none"] == 0
    assert "acc_verified,none" not in text_only
    card = scorecards(results)["mathverse_testmini"]
    assert card.value("acc_verified") == pytest.approx(0.8)
    assert card.value("acc_verified", "version", "Vision Only") == 0
    assert card.value("acc_text_only_verified") == 0
    assert len(card.provenance["prompt_hash"]) == 6
    assert set(scorecards(results)) == {"mathverse_testmini", *results["configs"]}
    cot = run("mmmath-replay", "mathverse_testmini_cot", limit=1, **arguments)
    text = cot["samples"]["mathverse_testmini_vision_only_cot"][0]["doc"]["prompt"]
    assert "please first conduct reasoning" in text


def test_a_tiny_model_answers_all_versions_in_one_run(run, folder, tiny_model):
    results = run(
        "hf-multimodal",
        "mathverse_testmini",
        model_args=f"pretrained={tiny_model}",
        metadata={"data_dir": str(folder)},
        limit=1,
        **TINY,
    )
    for task, logged in results["samples"].items():
        arguments = logged[0]["arguments"][0]
        assert ("<image>" in arguments[0], len(arguments)) == ((False, 2) if "text_only" in task else (True, 3))


@pytest.mark.parametrize("task", ["mathvision_testmini", "mathvision_testmini_direct", "wemath_testmini_kca"])
def test_a_tiny_model_sees_the_pictures(run, folder, tiny_model, task):
    metadata = {"data_dir": str(folder)}
    results = run("hf-multimodal", task, model_args=f"pretrained={tiny_model}", metadata=metadata, limit=2, **TINY)
    for logged in results["samples"][task]:
        assert logged["arguments"][0][0].count("<image>") == 1


def test_a_short_run_of_we_math_has_whole_problems(run, tmp_path, folder):
    arguments = {"model_args": replay(tmp_path, right("wemath")), "metadata": {"data_dir": str(folder)}}
    results = run("mmmath-replay", "wemath_testmini", limit=8, **arguments)
    card = scorecards(results)["wemath_testmini"]
    assert card.value("score_strict") == 1
    assert card.counts["problems_complete"] == 2
    assert card.counts["problems_incomplete"] == 1
    assert results["results"]["wemath_testmini"]["score_strict,none"] == 1


def test_captions_stand_in_for_pictures(run, tmp_path, folder):
    captions = tmp_path / "captions.json"
    captions.write_text(
        json.dumps({problem.id: f"What is seen in {problem.id}." for problem in problems("mathvision")})
    )
    metadata = {"data_dir": str(folder), "captions": str(captions)}
    results = run("mmmath-random-chance", "mathvision_testmini_text", limit=2, metadata=metadata)
    first = results["samples"]["mathvision_testmini_text"][0]
    assert "\nImage caption: What is seen in 1.\n" in first["doc"]["prompt"]
    assert first["arguments"][0][0] == first["doc"]["prompt"]
    with pytest.raises(mm.InputError, match="no caption"):
        run("mmmath-random-chance", "mathvision_testmini_text", metadata={"data_dir": str(folder)})


def test_a_scored_response_is_a_text_that_can_be_copied():
    made = ScoredResponse.of("No answer", mm.Verdict("1", True, None), vote="first")
    same = copy.deepcopy(made)  # as pickle would
    assert (same, same.verdict, same.provenance) == ("No answer", made.verdict, {"vote": "first"})


def test_the_vote():
    docs = [{"benchmark": "mathvision", **row} for row in rows("mathvision")[:2]]  # free-form 24, and five options
    drawn = [["\\boxed{3}", "\\boxed{24}", "so it is 24."], ["no idea", "", "\\boxed{}"]]
    assert vote(drawn, docs) == [["\\boxed{24}"], ["no idea"]]


def test_repeated_answers_are_voted_on(run, folder, monkeypatch):
    from mmmath_tasks.harnesses.lm_eval_models import Replay

    golds = {problem.id: problem.answer for problem in problems("mathvision")}
    asked = []

    def drawn(self, requests, disable_tqdm=False):
        """Answer every third time wrongly, the first time included."""
        asked.extend(request.doc["id"] for request in requests)
        return ["\\boxed{98765}" if n % 3 == 0 else f"\\boxed{{{golds[r.doc['id']]}}}" for n, r in enumerate(requests)]

    monkeypatch.setattr(Replay, "__init__", lambda self, **_: super(Replay, self).__init__())
    monkeypatch.setattr(Replay, "generate_until", drawn)
    results = run("mmmath-replay", "mathvision_testmini_maj", limit=3, metadata={"data_dir": str(folder)})
    assert len(asked) == 3 * 20
    table = results["results"]["mathvision_testmini_maj"]
    assert table["acc_verified,majority"] == 1
    assert table["acc_verified,first"] < 1
    cards = scorecards(results)
    assert set(cards) == {"mathvision_testmini_maj,first", "mathvision_testmini_maj,majority"}
    assert "came first" in cards["mathvision_testmini_maj,majority"].provenance["vote"]
    assert "vote" not in cards["mathvision_testmini_maj,first"].provenance


def test_a_vote_counts_the_same_in_a_run_and_in_its_saved_responses(run, folder, monkeypatch, tmp_path):
    from mmmath_tasks.harnesses.lm_eval_models import Replay
    from mmmath_tasks.outputs.run import score_file

    drawn = itertools.cycle(
        ["\\boxed{98765}", "\\boxed{98765}", "\\boxed{24.0}", "\\boxed{\\frac{24}1}", "so it is 24."]
    )
    monkeypatch.setattr(Replay, "__init__", lambda self, **_: super(Replay, self).__init__())
    monkeypatch.setattr(Replay, "generate_until", lambda self, requests, **_: [next(drawn) for _ in requests])
    results = run("mmmath-replay", "mathvision_testmini_maj", limit=1, metadata={"data_dir": str(folder)})
    saved = tmp_path / "samples_mathvision.jsonl"
    lines = results["samples"]["mathvision_testmini_maj"]
    saved.write_text("".join(json.dumps(line, default=str) + "\n" for line in lines))
    card = score_file(saved, name="mathvision").card
    table = results["results"]["mathvision_testmini_maj"]
    assert (table["acc,majority"], table["acc_verified,majority"]) == (0, 1)  # upstream reads no \\frac{24}1
    assert (card.value("acc_maj@20"), card.value("acc_verified_maj@20")) == (0, 1)
    assert any("came first" in note for note in card.notes)


@pytest.mark.parametrize("order", [1, -1])
def test_a_chat_server_gets_pictures_and_text_in_one_run(run, order):
    asked = []

    def answer(body):
        asked.append(body["messages"][-1]["content"])
        return 200, chat_completion("B")

    with serving(answer) as url:
        run(
            "local-chat-completions",
            *("mathverse_sample", "mathverse_sample_text_only")[::order],
            model_args=f"base_url={url}/chat/completions,model=x,num_concurrent=1",
            apply_chat_template=True,
            limit=2,
        )
    kinds = [sorted(part["type"] for part in content) if isinstance(content, list) else ["text"] for content in asked]
    assert sorted(kinds) == [["image_url", "text"]] * 2 + [["text"]] * 2

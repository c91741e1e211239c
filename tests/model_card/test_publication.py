"""What publishing changes: several results at once, the diff, what a folder holds, and how a step on the Hub fails."""

import pytest
import yaml

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.retry import Retry
from mmmath_tasks.model_card.merge import diff, merged_readme
from mmmath_tasks.model_card.publication import Publication, read_result
from mmmath_tasks.model_card.repo import Held, held_in_folder, retried, write
from mmmath_tasks.model_card.results import notes, subject
from mmmath_tasks.model_card.tasks import size, split_of, task_ids
from support.whole_run import card, written

TEXT = {"task": "mathvista_testmini_text"}


def publication(**options):
    cards = [card(), card(value=0.3, provenance=TEXT), card(value=0.3, provenance=TEXT)]
    return Publication("org/model", tuple((one, subject(one)) for one in cards), **options)


def test_several_results_are_one_change():
    ours = publication()
    changed, conflicts = ours.change(Held({"other.md": "kept"}))
    assert (sorted(changed), conflicts) == ([".eval_results/mathvista.yaml", "README.md"], [])
    held = [(e["dataset"]["task_id"], e["value"]) for e in yaml.safe_load(changed[".eval_results/mathvista.yaml"])]
    assert held == [("mathvista_testmini", 67.9), ("mathvista_testmini_text", 30.0)]
    assert ours.files(Held(changed)) == {}
    assert ours.title() == "Add results of mathvista_testmini, mathvista_testmini_text"
    assert ours.description().split("\n") == [f"- mathvista: {notes(one, about)}" for one, about in ours.results]


def test_what_stands_there_with_another_value_is_named_or_replaced():
    held, _ = publication().change(Held({}))
    other = card(value=0.5)
    for replace in (False, True):
        again = Publication("org/model", ((other, subject(other)),), ("eval-results",), replace=replace)
        if replace:
            assert list(again.files(Held(held))) == [".eval_results/mathvista.yaml"]
            continue
        with pytest.raises(InputError) as raised:
            again.files(Held(held))
        assert str(raised.value) == (
            ".eval_results/mathvista.yaml: AI4Math/MathVista, mathvista_testmini is 67.9 there, 50.0 here. "
            "To replace what stands there: --force conflict"
        )


def test_a_file_of_the_same_name_elsewhere_is_no_file_of_results():
    held = {"docs/.eval_results/mathvista.yaml": "words", ".eval_results_old/x.yaml": "words"}
    changed, _ = publication(forms=("eval-results",)).change(Held(held))
    assert list(changed) == [".eval_results/mathvista.yaml"]


def test_a_result_is_read_with_its_time_and_its_doubts(tmp_path):
    path = written(tmp_path, counts={"unscored": 11, "missing": 3})
    with pytest.raises(InputError) as raised:
        read_result(path, forced=["partial"], source_url="https://x.y")
    assert str(raised.value) == (
        f"{path}: not for a model card: 11 of 1000 responses have no verdict (more than 1%) [unscored]. "
        "To publish it all the same: --force unscored"
    )
    found, about, overruled = read_result(path, forced=["partial", "unscored"], source_url="https://x.y")
    assert (found.counts["unscored"], about.source_url, about.date) == (11, "https://x.y", "2026-11-28T00:41:10")
    assert [doubt.name for doubt in overruled] == ["partial", "unscored"]
    assert read_result(path, date="2026-01-01", forced=["partial", "unscored"])[1].date == "2026-01-01"
    assert read_result(written(tmp_path, "scorecard_2026-11-28.json"))[1].date is None


def test_a_change_is_shown_as_a_unified_diff():
    before = {"b": "one\ntwo", "gone": "x\n"}
    assert diff(before, {"b": "one\n2", "a": "new\n"}) == (
        "--- /dev/null\n+++ b/a\n@@ -0,0 +1 @@\n+new\n--- a/b\n+++ b/b\n@@ -1,2 +1,2 @@\n one\n-two\n+2\n"
    )
    assert diff(before, before) == ""


def test_what_a_folder_holds(tmp_path):
    folder = tmp_path / "none" / "yet"
    assert held_in_folder(folder) == Held({}, None)
    files = {
        "README.md": "# é\r\n",
        ".eval_results/b.yaml": "b",
        ".eval_results/a.yml": "a",
        ".eval_results/c.txt": "c",
    }
    write(folder, files | {"sub/x.yaml": "x"})
    write(folder, {"README.md": "# é\r\n"})  # what is there is replaced
    (folder / ".eval_results" / "d.yaml").mkdir()
    found = held_in_folder(folder).files
    assert found == {name: files[name] for name in ("README.md", ".eval_results/b.yaml", ".eval_results/a.yml")}
    (folder / ".eval_results" / "b.yaml").write_bytes(b"\xff")
    with pytest.raises(InputError, match=r"a file is not UTF-8 \(invalid start byte\)$"):
        held_in_folder(folder)


def failing(error):
    def step():
        raise error

    return step


def test_how_a_step_on_the_hub_failed_is_one_sentence(monkeypatch):
    monkeypatch.setattr("time.sleep", lambda seconds: None)
    retry = Retry(tries=2, say=lambda line: None)
    lost = ConnectionError("nobody\nthere")
    with pytest.raises(InputError) as raised:
        retried(failing(lost), "org/model", retry)
    wanted = "org/model: given up after 2 tries: nobody there; without the Hub, --out DIR writes into a folder"
    assert (str(raised.value), raised.value.__cause__) == (wanted, lost)
    with pytest.raises(InputError) as raised:
        retried(failing(KeyError("a\n b" + "x" * 400)), "org/model", retry)
    assert str(raised.value).startswith(r"org/model: KeyError: 'a\n bxxx")
    assert len(str(raised.value)) == len("org/model: KeyError: ") + 300
    own = InputError("no such file")
    with pytest.raises(InputError) as raised:
        retried(failing(own), "org/model", retry)
    assert raised.value is own
    assert retried(lambda: 7, "org/model", retry) == 7


def test_tasks_their_splits_and_sizes():
    assert {"mathvision_test_maj", "mathvision_testmini", "mathvision_sample"} <= set(task_ids("mathvision"))
    assert not [task for task in task_ids("mathvision") if "describe" in task or task.startswith("_")]
    assert list(task_ids("wemath")) == sorted(task_ids("wemath"))
    splits = {"mathverse_testmini_mine": "testmini", "mathverse_testmini_text_only_mine": "testmini_text_only"}
    assert {task: split_of("mathverse", task) for task in splits} == splits
    assert split_of("mathvista", "mathvista_sample_mine") == "sample"
    assert split_of("mathvista", "mathvision_test") == "test"  # one of ours, whosever
    assert (split_of("mathopeval", "mathopeval"), split_of("mathvista", "mine_testmini")) == (None, None)
    assert size("mathvista", ["mathvista_testmini", "mathvista_test"]) == 6141
    assert size("mathvision", ["mathvision_testmini", "none"]) is None
    assert size("mathvision", []) == 0


def test_a_card_without_a_word_gets_a_title_and_one_with_metadata_keeps_them():
    from mmmath_tasks.model_card.results import index

    rows = index(card(), subject(card()))
    made = merged_readme(None, rows, "model", [])
    assert made.startswith("---\n")
    assert made.endswith("\n---\n\n# model\n")
    assert merged_readme(" \r\n", rows, "model", []) == made
    kept = merged_readme("---\nlicense: mit\n---\nWords.\n", rows, "model", [])
    assert kept.startswith("---\nlicense: mit\n")
    assert kept.endswith("\n---\nWords.\n")

"""What `mmmath card check` finds: each fault alone in an otherwise sound file."""

import copy

import pytest
import yaml

from mmmath_tasks.cli import main
from mmmath_tasks.model_card.checks import findings
from mmmath_tasks.model_card.tasks import task_ids

SOUND = {
    "dataset": {"id": "AI4Math/MathVista", "task_id": "mathvista_testmini", "revision": "abc"},
    "value": 67.9,
    "date": "2026-11-28T00:41:10",
    "source": {"url": "https://example.org/run"},
    "notes": "percent",
}
FAULTS = {
    "text for a value": (("value",), "abc", "value should be a number, is 'abc'"),
    "a number in quotes": (("value",), "67.9", "value should be a number, is '67.9'"),
    "true": (("value",), True, "value should be a number, is True"),
    "nothing": (("value",), None, "value should be a number, is None"),
    "nan": (("value",), float("nan"), "value should be finite"),
    "over a hundred": (("value",), 100.01, "value should be between 0 and 100 (percent), is 100.01"),
    "negative": (("value",), -0.01, "value should be between 0 and 100 (percent), is -0.01"),
    "a bare word for a date": (("date",), "yesterday", "date should be an ISO 8601 date or time, is 'yesterday'"),
    "a date as a number": (("date",), 20261128.5, "date should be an ISO 8601 date or time, is 20261128.5"),
    "another task": (
        ("dataset", "task_id"),
        "mathvista_mini",
        f"dataset.task_id 'mathvista_mini' is not in eval.yaml of mathvista: {', '.join(task_ids('mathvista'))}",
    ),
    "no task": (("dataset", "task_id"), "", "dataset.task_id should be text, is ''"),
    "no organisation": (("dataset", "id"), "MathVista", "dataset.id should be ORG/NAME, is 'MathVista'"),
    "a bare revision": (("dataset", "revision"), 1234567, "dataset.revision should be text (quote it), is int"),
    "a source without an address": (("source",), {"name": "x"}, "source.url should be a web address, is None"),
    "a script for an address": (
        ("source", "url"),
        "javascript:alert(1)",
        "source.url should be a web address, is 'javascript:alert(1)'",
    ),
    "a slip in the source": (
        ("source",),
        {"url": "http://x.y", "link": "x"},
        "source.link is no key of a result; known: name, org, url, user",
    ),
    "a source as text": (("source",), "x", "source should be a mapping, is str"),
    "a list for notes": (("notes",), ["a"], "notes should be text, is list"),
    "a token": (("verifyToken",), "x", "verifyToken is given by the Hub's own jobs only; leave it out"),
    "a slip in a key": (
        ("valeu",),
        1,
        "valeu is no key of a result; known: dataset, date, notes, source, value, verifyToken",
    ),
    "a slip in the data set": (
        ("dataset", "split"),
        "x",
        "dataset.split is no key of a result; known: id, revision, task_id",
    ),
    "a data set as text": (
        ("dataset",),
        "AI4Math/MathVista",
        "dataset should be a mapping with id and task_id, is str",
    ),
}


NO_LIST = "metrics should be a list"


def spoilt(path, value):
    entry = copy.deepcopy(SOUND)
    at = entry
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    return entry


def test_a_sound_file_has_no_fault():
    assert findings(yaml.safe_dump([SOUND])) == []
    for path, value in (
        *((("value",), number) for number in (0, 100, 67)),
        *((("date",), date) for date in ("2026-11-28", "2026-11-28T00:41:10+01:00", None)),
        *((("source",), source) for source in (None, {"url": "http://x.y", "name": "n", "user": "u", "org": "o"})),
        (("dataset", "revision"), None),
    ):
        assert findings(yaml.safe_dump([spoilt(path, value)])) == []
    other = spoilt(("dataset", "task_id"), "mathvista_test")
    assert (
        findings("\ufeff\n" + yaml.safe_dump([SOUND, other, {**SOUND, "dataset": {"id": "a/b", "task_id": "c"}}])) == []
    )
    assert findings("- dataset: {id: cais/hle, task_id: default}\n  value: 1234.5\n") == []  # another's scale


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found_alone(fault):
    path, value, said = FAULTS[fault]
    found = findings(yaml.safe_dump([spoilt(path, value)]))
    assert found == [f"result 1: {said}"]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        (
            "- dataset: {id: a/b, task_id: c}\n  value: 1\n  date: 2026-11-28\n",
            "result 1: date should be text: quote it ('2026-11-28')",
        ),
        ("a: b", "should be a list of results, is dict"),
        ("", "should be a list of results, is empty"),
        ("- text", "result 1: should be a mapping, is str"),
        ("- [unclosed", "is not YAML"),
        (yaml.safe_dump([SOUND, SOUND]), "result 2: AI4Math/MathVista, mathvista_testmini stands in result 1 already"),
        ("# A card\n", "has no YAML block of metadata"),
        ("\ufeff\r\n # A card\n", "has no YAML block of metadata"),
        ("---\nmodel-index: {}\n---\n", "model-index should be a list, is dict"),
        ("---\nmodel-index: []\n---\n", "model-index is an empty list"),
        ("---\nmodel-index: [{name: a}]\n---\n", "model-index: each model should be a mapping with name and results"),
        ("---\nmodel-index: [{results: []}]\n---\n", "model-index: the model has no name"),
        (
            "---\nmodel-index: [{name: a, results: []}, {name: b, results: []}]\n---\n",
            "model-index names 2 models; huggingface_hub keeps the last name for all their results",
        ),
        ("---\na: [\n---\n", "is not YAML"),
        ("- date: 2024-13-01\n", "is not YAML: a value cannot be read: month must be in 1..12"),
        (f"- value: {'1' * 5_000}\n", "is not YAML: a value cannot be read: Exceeds the limit"),
        (f"- value: 0x{'f' * 5_000}\n", "is not YAML: a value cannot be read: Exceeds the limit"),
        (
            f"- value: 0x{'f' * 500}\n",
            "result 1: dataset should be a mapping with id and task_id, is empty|result 1: value should be finite",
        ),
        ("- value: !!bool maybe\n", "is not YAML"),
        ("[" * 5_000, "is not YAML: brackets nested too deep"),
        (f"- notes: {'[' * 380}{']' * 380}", "is not YAML: brackets nested too deep"),
        (f"---\na: {'[' * 5_000}\n---\n", "is not YAML: brackets nested too deep"),
    ],
    ids=lambda text: text[:20],
)
def test_files_of_the_wrong_kind(text, said):
    found = findings(text)
    assert len(found) == len(wanted := said.split("|"))
    assert found == wanted or (said.startswith("is not YAML") and found[0].startswith(said))


def test_model_index_values():
    result = {
        "task": {"type": "image-text-to-text"},
        "dataset": {"type": "AI4Math/MathVista", "name": "MathVista"},
        "metrics": [{"type": "acc", "value": 67.9}, {"type": "acc", "value": "68"}, {"value": 3}],
    }
    found = findings("---\n" + yaml.safe_dump({"model-index": [{"name": "m", "results": [result]}]}) + "---\n")
    assert [f.partition(": ")[2] for f in found] == [
        "metric acc: value should be a number, is '68'",
        "metric acc stands there twice",
        "a metric has no type",
    ]


@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("text", ["should be a mapping, is str"]),
        ({"metrics": []}, ["task.type is missing", "dataset.type is missing", "dataset.name is missing", NO_LIST]),
        (
            {"dataset": {"name": "d"}, "task": 3, "metrics": 3},
            ["task.type is missing", "dataset.type is missing", NO_LIST],
        ),
        (
            {"dataset": 3, "task": {"type": "t"}, "metrics": []},
            ["dataset.type is missing", "dataset.name is missing", NO_LIST],
        ),
        (
            {
                "dataset": {"type": "o/d", "name": "d"},
                "task": {"type": "t"},
                "metrics": [{"type": "acc", "value": 101}],
            },
            [],
        ),
        (
            {
                **{"dataset": {"type": "o/d", "name": "d", "args": {"task": "mathvision_test"}}, "task": {"type": "t"}},
                "metrics": [{"type": "acc", "value": 101}],
            },
            ["metric acc: value should be between 0 and 100 (percent), is 101"],
        ),
    ],
)
def test_results_of_a_model_index(result, said):
    sound = {"dataset": {"type": "a/b", "name": "b"}, "task": {"type": "t"}, "metrics": [{"type": "acc", "value": 1}]}
    text = "---\n" + yaml.safe_dump({"model-index": [{"name": "m", "results": [sound, result]}]}) + "---\nWords.\n"
    assert findings(text) == [f"model-index, result 2: {one}" for one in said]


def test_a_gain_over_guessing_can_be_negative_and_nothing_else():
    def found(*metrics):
        dataset = {"type": "AI4Math/MathVista", "name": "MathVista"}
        result = {
            "task": {"type": "x"},
            "dataset": dataset,
            "metrics": [{"type": t, "value": v, **dict(*m)} for t, v, *m in metrics],
        }
        return findings("---\n" + yaml.safe_dump({"model-index": [{"name": "m", "results": [result]}]}) + "---\n")

    assert found(("gain", -0.03), ("acc", 17.9)) == []
    assert found(("acc", 17.9), ("acc", 18.9, {"config": "greedy"}), ("acc", 19.9, {"args": {"k": 2}})) == []
    assert [f.partition(": ")[2] for f in found(("gain", -101), ("acc", -0.03))] == [
        "metric gain: value should be between -100 and 100 (percent), is -101",
        "metric acc: value should be between 0 and 100 (percent), is -0.03",
    ]


def test_the_command_says_and_counts(tmp_path, capsys):
    good, bad = tmp_path / "good.yaml", tmp_path / "bad.yaml"
    good.write_text(yaml.safe_dump([SOUND]))
    bad.write_text(yaml.safe_dump([spoilt(("value",), "abc")]))
    assert main(["card", "check", str(good)]) == 0
    assert "nothing wrong" in capsys.readouterr().out
    assert main(["card", "check", str(good), str(bad)]) == 1
    assert "bad.yaml: result 1: value should be a number, is 'abc'" in capsys.readouterr().out
    none = [str(tmp_path / "none.yaml"), str(tmp_path / "nor.yaml")]
    assert main(["card", "check", none[0], str(good), none[1]]) == 2
    said = capsys.readouterr()
    assert said.out == f"{good}: nothing wrong\n"
    assert said.err == "".join(f"mmmath: {name}: No such file or directory\n" for name in none)
    binary = tmp_path / "x.yaml"
    binary.write_bytes(b"\xff\xfe")
    assert main(["card", "check", str(binary)]) == 2
    assert main(["card", "check"]) == 2

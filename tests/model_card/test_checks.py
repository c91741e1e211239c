"""What `mmmath card check` finds: each fault alone in an otherwise sound file."""

import copy

import pytest
import yaml

from mmmath_tasks.cli import main
from mmmath_tasks.model_card.checks import findings

SOUND = {
    "dataset": {"id": "AI4Math/MathVista", "task_id": "mathvista_testmini", "revision": "abc"},
    "value": 67.9,
    "date": "2026-11-28T00:41:10",
    "source": {"url": "https://example.org/run"},
    "notes": "percent",
}
FAULTS = {
    "text for a value": (("value",), "abc", "value should be a number, is 'abc'"),
    "a number in quotes": (("value",), "67.9", "value should be a number"),
    "true": (("value",), True, "value should be a number, is True"),
    "nothing": (("value",), None, "value should be a number, is None"),
    "nan": (("value",), float("nan"), "value should be finite"),
    "over a hundred": (("value",), 679.0, "between 0 and 100"),
    "negative": (("value",), -1, "between 0 and 100"),
    "a bare word for a date": (("date",), "yesterday", "ISO 8601"),
    "a date as a number": (("date",), 20261128.5, "ISO 8601"),
    "another task": (("dataset", "task_id"), "mathvista_mini", "is not in eval.yaml of mathvista"),
    "no task": (("dataset", "task_id"), "", "task_id should be text"),
    "no organisation": (("dataset", "id"), "MathVista", "should be ORG/NAME"),
    "a bare revision": (("dataset", "revision"), 1234567, "revision should be text"),
    "a source without an address": (("source",), {"name": "x"}, "source.url should be a web address"),
    "a script for an address": (("source", "url"), "javascript:alert(1)", "source.url should be a web address"),
    "a list for notes": (("notes",), ["a"], "notes should be text"),
    "a token": (("verifyToken",), "x", "verifyToken is given by the Hub"),
    "a slip in a key": (("valeu",), 1, "valeu is no key of a result"),
    "a slip in the data set": (("dataset", "split"), "x", "dataset.split is no key"),
    "a data set as text": (("dataset",), "AI4Math/MathVista", "dataset should be a mapping"),
}


def spoilt(path, value):
    entry = copy.deepcopy(SOUND)
    at = entry
    for name in path[:-1]:
        at = at[name]
    at[path[-1]] = value
    return entry


def test_a_sound_file_has_no_fault():
    assert findings(yaml.safe_dump([SOUND])) == []
    assert findings("- dataset: {id: cais/hle, task_id: default}\n  value: 1234.5\n") == []  # another's scale


@pytest.mark.parametrize("fault", FAULTS)
def test_each_fault_is_found_alone(fault):
    path, value, said = FAULTS[fault]
    found = findings(yaml.safe_dump([spoilt(path, value)]))
    assert len(found) == 1
    assert said in found[0]
    assert found[0].startswith("result 1: ")


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("- dataset: {id: a/b, task_id: c}\n  value: 1\n  date: 2026-11-28\n", "quote it ('2026-11-28')"),
        ("a: b", "should be a list"),
        ("", "should be a list of results, is empty"),
        ("- text", "should be a mapping, is str"),
        ("- [unclosed", "is not YAML"),
        (yaml.safe_dump([SOUND, SOUND]), "stands in result 1 already"),
        ("# A card\n", "has no YAML block"),
        ("---\nmodel-index: {}\n---\n", "model-index should be a list"),
        ("---\nmodel-index: 3\n---\n", "model-index should be a list"),
        ("---\nmodel-index: [{name: a}]\n---\n", "mapping with name and results"),
        ("---\nmodel-index: [{results: []}]\n---\n", "has no name"),
        ("---\nmodel-index: [{name: a, results: []}, {name: b, results: []}]\n---\n", "names 2 models"),
        ("---\nmodel-index: [{name: a, results: [{metrics: []}]}]\n---\n", "task.type is missing"),
        ("---\na: [\n---\n", "is not YAML"),
        ("- date: 2024-13-01\n", "is not YAML: a value cannot be read: month must be in 1..12"),
        (f"- value: {'1' * 5_000}\n", "is not YAML: a value cannot be read: Exceeds the limit"),
        (f"- value: 0x{'f' * 5_000}\n", "is not YAML: a value cannot be read: Exceeds the limit"),
        (f"- value: 0x{'f' * 500}\n", "value should be finite"),
        ("- value: !!bool maybe\n", "is not YAML"),
        ("[" * 5_000, "is not YAML: brackets nested too deep"),
        (f"- notes: {'[' * 380}{']' * 380}", "is not YAML: brackets nested too deep"),
        (f"---\na: {'[' * 5_000}\n---\n", "is not YAML: brackets nested too deep"),
    ],
    ids=lambda text: text[:20],
)
def test_files_of_the_wrong_kind(text, said):
    assert any(said in found for found in findings(text))


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

"""What stands on a card and what comes to it: files of several entries, entries that differ in one part alone."""

import pytest
import yaml
from huggingface_hub import EvalResult, EvalResultEntry, ModelCard

from mmmath_tasks.errors import InputError
from mmmath_tasks.model_card.doubts import doubts
from mmmath_tasks.model_card.merge import merged_entry, merged_readme
from mmmath_tasks.model_card.results import entry, index, notes, subject
from mmmath_tasks.problem import Score, Scorecard
from support.whole_run import card

OURS = ".eval_results/mathvista.yaml"


def listed(*entries):
    """A file of entries: data set, task and value of each."""
    return yaml.safe_dump([{"dataset": {"id": d, "task_id": t}, "value": v} for d, t, v in entries], sort_keys=False)


def shown(text):
    return [(e["dataset"]["id"], e["dataset"]["task_id"], e["value"]) for e in yaml.safe_load(text)]


def test_what_stands_before_and_behind_the_replaced_entry_stays():
    there = [("a/b", "first", 1.25), ("o/d", "other", 3.5), ("o/d", "task", 67.94), ("p/d", "task", 5.75)]
    files = {".eval_results/a.yaml": listed(("q/r", "task", 9.5)), ".eval_results/z.yaml": listed(*there)}
    conflicts = []
    found = merged_entry(files, EvalResultEntry("o/d", "task", 67.44), OURS, conflicts)
    assert list(found) == [".eval_results/z.yaml"]
    assert shown(found[".eval_results/z.yaml"]) == [*there[:2], ("o/d", "task", 67.44), there[3]]
    assert [(c.where, c.what, c.old, c.new) for c in conflicts] == [(".eval_results/z.yaml", "o/d, task", 67.94, 67.44)]


def test_a_result_without_a_date_takes_none_away():
    dated = merged_entry({}, EvalResultEntry("o/d", "task", 67.44, date="2026-11-28"), OURS, [])
    for redate in (False, True):
        assert merged_entry(dated, EvalResultEntry("o/d", "task", 67.44), OURS, [], redate=redate) == {}


@pytest.mark.parametrize("redate", [False, True])
def test_a_date_is_filled_in_and_replaced_where_told(redate):
    def dated(date):
        return EvalResultEntry("o/d", "task", 67.44, date=date)

    bare = merged_entry({}, EvalResultEntry("o/d", "task", 67.44), OURS, [])
    filled = merged_entry(bare, dated("2026-11-28"), OURS, [], redate=redate)
    assert [e["date"] for e in yaml.safe_load(filled[OURS])] == ["2026-11-28"]
    assert merged_entry(filled, dated("2026-11-28"), OURS, [], redate=redate) == {}
    assert bool(merged_entry(filled, dated("2026-11-29"), OURS, [], redate=redate)) is redate


@pytest.mark.parametrize(("dataset", "revision"), [(None, True), ("AI4Math/MathVista", True), ("other/set", False)])
def test_the_revision_is_that_of_the_data_set_that_was_read(dataset, revision):
    about = subject(card(), dataset=dataset)
    assert (about.dataset, bool(about.revision)) == (dataset or "AI4Math/MathVista", revision)


def test_a_new_entry_stands_behind_those_of_its_file():
    files = {OURS: listed(("a/b", "x", 1.5), ("a/b", "y", 2.5)), ".eval_results/z.yaml": listed(("q/r", "task", 9.5))}
    conflicts = []
    found = merged_entry(files, EvalResultEntry("o/d", "task", 67.44), OURS, conflicts)
    assert (list(found), shown(found[OURS])[2:], conflicts) == ([OURS], [("o/d", "task", 67.44)], [])
    assert shown(found[OURS])[:2] == [("a/b", "x", 1.5), ("a/b", "y", 2.5)]


@pytest.mark.parametrize(("old", "conflict"), [(67.44, False), (67.43, True), (67.94, True), (66.94, True)])
def test_the_smallest_difference_is_a_conflict_in_either_form(old, conflict):
    conflicts = []
    merged_entry({OURS: listed(("o/d", "task", old))}, EvalResultEntry("o/d", "task", 67.44), OURS, conflicts)
    before = merged_readme(None, [result(old)], "m", conflicts)
    merged_readme(before, [result(67.44)], "m", conflicts)
    assert [(c.where, c.old, c.new) for c in conflicts] == [(OURS, old, 67.44), ("README.md", old, 67.44)] * conflict


def result(value, **changes):
    known = {"task_type": "image-text-to-text", "dataset_type": "o/d", "dataset_name": "D", "metric_type": "acc"}
    known |= {"task_name": "task", "dataset_split": "test", "dataset_args": {"task": "task"}}
    return EvalResult(**{**known, "metric_value": value, **changes})


PARTS = [
    {},
    {"dataset_type": "p/d"},
    {"dataset_split": "testmini"},
    {"dataset_args": {"task": "task_2shot"}},
    {"metric_type": "acc_verified"},
    {"metric_config": "greedy"},
]


def test_results_that_differ_in_one_part_of_what_they_are_about_stand_side_by_side():
    text, conflicts = None, []
    for value, changes in enumerate(PARTS, 10):
        text = merged_readme(text, [result(value + 0.25, **changes)], "m", conflicts)
    found = ModelCard(text).data.eval_results
    assert (sorted(r.metric_value for r in found), conflicts) == ([value + 10.25 for value in range(len(PARTS))], [])
    assert merged_readme(text, [result(12.25, **PARTS[2])], "m", conflicts) is None
    for place, changes in enumerate(PARTS):
        replaced = merged_readme(text, [result(99.5, **changes)], "m", one := [])
        values = sorted(r.metric_value for r in ModelCard(replaced).data.eval_results)
        assert values == sorted([99.5, *(v + 10.25 for v in range(len(PARTS)) if v != place)])
        assert [(c.old, c.new) for c in one] == [(place + 10.25, 99.5)]


BY_NAME = [
    ({"dataset_args": None, "task_name": "a"}, False),
    ({"dataset_args": None}, True),
    ({"task_name": "b"}, True),
]


@pytest.mark.parametrize(("changes", "same"), BY_NAME)
def test_the_task_in_the_arguments_counts_and_the_name_where_there_is_none(changes, same):
    text = merged_readme(None, [result(1.5, task_name="a")], "m", [])
    conflicts = []
    found = ModelCard(merged_readme(text, [result(2.5, **changes)], "m", conflicts)).data.eval_results
    assert (len(found), len(conflicts)) == ((1, 1) if same else (2, 0))


def test_two_tasks_of_one_split_are_written_each_under_its_own_name_and_again_change_nothing():
    runs = [card(), card(value=0.5, provenance={"task": "mathvista_testmini_pot_2shot", "prompt_style": "pot_2shot"})]
    theirs = [result(1.5, task_name="a", dataset_args=None, source_url="https://x.y/1")]
    theirs += [result(2.5, task_name="b", dataset_args={"shots": 5}, source_url="https://x.y/2", metric_type="acc2")]
    text, conflicts = merged_readme(None, theirs, "m", []), []
    for run in runs:
        text = merged_readme(text, index(run, subject(run)), "m", conflicts)
    found = ModelCard(text).data.eval_results
    told = [(r.task_name, r.dataset_args, r.source_url) for r in found[:2]]
    assert told == [("a", None, "https://x.y/1"), ("b", {"shots": 5}, "https://x.y/2")]
    values = [
        (r.task_name, r.dataset_args["prompt_style"], r.metric_value) for r in found[2:] if r.metric_type == "acc"
    ]
    assert values == [("mathvista_testmini", "default", 67.9), ("mathvista_testmini_pot_2shot", "pot_2shot", 50.0)]
    assert [len(one["metrics"]) for one in yaml.safe_load(text.split("---")[1])["model-index"][0]["results"]] == [
        1,
        1,
        3,
        3,
    ]
    assert conflicts == []
    for run in runs:
        assert merged_readme(text, index(run, subject(run)), "m", conflicts) is None


def test_a_name_is_given_to_a_card_without_one_and_no_other():
    text = merged_readme("---\nlicense: mit\n---\n\nWords.\n", [result(1.5)], "mine", [])
    assert ModelCard(text).data.model_name == "mine"
    again = merged_readme(text, [result(2.5, metric_type="other")], "another", [])
    assert ModelCard(again).data.model_name == "mine"


WORDS = "\n# 模型\n---\nWords.  \n"
FRONT = """language: no
version: 1.10  # not 1.1
tags: [vision, "math"]
model-index:
- name: m
  results:
  - task: {type: text-generation}
    dataset: {name: GSM8K, type: gsm8k, made_by: me}
    metrics:
    - {type: acc, value: 0.5, stderr: 0.1}

# of the model that it was made from
base_model: 'Org/Base'
"""


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
@pytest.mark.parametrize("start", ["", "\ufeff", "\n"])
def test_all_but_the_model_index_of_a_card_stays_letter_by_letter(start, ending):
    before = f"---\n{FRONT}---\n{WORDS}".replace("\n", ending)
    after = merged_readme(start + before, [result(67.44)], "m", [])
    head, tail = before.split("model-index:")[0], before[before.index(f"{ending}# of the model") :]
    assert after.startswith(head + "model-index:" + ending)
    assert after.endswith(tail)
    assert after.count("\n") == after.count(ending)
    theirs, ours = yaml.safe_load(after.split("---")[1])["model-index"][0]["results"]
    assert theirs["dataset"]["made_by"] == "me"
    assert theirs["metrics"] == [{"type": "acc", "value": 0.5, "stderr": 0.1}]
    assert [m["value"] for m in ours["metrics"]] == [67.44]
    assert merged_readme(after, [result(67.44)], "m", []) is None


@pytest.mark.parametrize(
    "front",
    [
        "{license: mit, language: no}\n",
        "model-index: &a [{name: m, results: []}]\ny: *a\n",
        "",
        "model-index:\n",
        "model-index: []\n",
        "a: 1\na: 2\n",
    ],
)
def test_metadata_of_any_form_take_a_result(front):
    after = merged_readme(f"---\n{front}---\nWords.\n", [result(67.44)], "m", [])
    assert after.endswith("---\nWords.\n")
    held = yaml.safe_load(after[4:].partition("---\n")[0])
    assert {**held, "model-index": None} == {**(yaml.safe_load(front) or {}), "model-index": None}
    assert [r.metric_value for r in ModelCard(after).data.eval_results] == [67.44]


def test_what_somebody_added_to_a_result_stays_while_its_value_does():
    source = {"name": "me", "url": "https://x.y"}
    text = merged_readme(None, [result(67.44), result(5.5, metric_type="acc_verified")], "m", [])
    text = text.replace(
        "    metrics:\n    - type: acc\n",
        "    source: {name: me, url: https://x.y}\n    metrics:\n    - type: acc\n      verified: false\n",
    )
    text = text.replace("    - type: acc_verified\n", "    - {type: mine, value: 3}\n    - type: acc_verified\n")
    rows = [result(67.44), result(5.5, metric_type="acc_verified")]
    assert merged_readme(text, rows, "m", []) is None
    after = merged_readme(text, [result(67.44, metric_name="other"), rows[1]], "m", conflicts := [])
    (one,) = yaml.safe_load(after.split("---")[1])["model-index"][0]["results"]
    assert (one["source"], one["metrics"][0]["verified"], conflicts) == (source, False, [])
    assert [m["type"] for m in one["metrics"]] == ["acc", "mine", "acc_verified"]
    moved = merged_readme(text, [result(1.5), rows[1]], "m", conflicts)
    new, theirs = yaml.safe_load(moved.split("---")[1])["model-index"][0]["results"]
    assert "source" not in new
    assert (theirs["source"], [m["type"] for m in theirs["metrics"]]) == (source, ["mine"])
    assert [(c.old, c.new) for c in conflicts] == [(67.44, 1.5)]


@pytest.mark.parametrize("ending", ["\n", "\r\n"])
def test_the_lines_of_other_entries_stay_and_so_does_where_a_run_can_be_looked_at(ending):
    theirs = "# ours\n- dataset: {id: AI4Math/MathVista, task_id: theirs}\n  value: 1.50 # theirs\n\n"
    own = "- dataset: {id: o/d, task_id: task}\n  value: 67.44\n  source: {url: 'https://x.y'}\n# the last\n"
    last = "- {dataset: {id: p/d, task_id: task}, value: 2}\n"
    files = {OURS: (theirs + own + last).replace("\n", ending)}
    after = merged_entry(files, EvalResultEntry("o/d", "task", 67.44, notes="n"), OURS, conflicts := [])[OURS]
    assert after.startswith(theirs.replace("\n", ending))
    assert after.endswith(("# the last\n" + last).replace("\n", ending))
    assert yaml.safe_load(after)[1]["source"] == {"url": "https://x.y"}
    moved = merged_entry(files, EvalResultEntry("o/d", "task", 1.5), OURS, conflicts)[OURS]
    assert (list(yaml.safe_load(moved)[1]), [c.new for c in conflicts]) == (["dataset", "value"], [1.5])
    added = merged_entry(files, EvalResultEntry("q/r", "task", 1.5), OURS, [])[OURS]
    assert added.startswith(files[OURS])


def test_a_number_that_stands_there_as_text_is_told_from_the_number():
    conflicts = []
    merged_entry({OURS: listed(("o/d", "task", "67.44"))}, EvalResultEntry("o/d", "task", 67.44), OURS, conflicts)
    assert str(conflicts[0]) == f"{OURS}: o/d, task is the text '67.44' there, 67.44 here"


def test_metadata_that_never_end_are_named():
    with pytest.raises(InputError, match="closes them with no second line ---; mend it first"):
        merged_readme("---\nlicense: mit\n# A model\n", [result(1.5)], "m", [])


def of_many_decimals():
    scores = (
        Score("acc", "", "", 0.678949, 1000, 0.649444, 0.707777),
        Score("acc_verified", "", "", 0.581351, 1000, 0.55, 0.61),
        Score("gain", "", "", -0.012346, 1000),
        Score("share_empty", "", "", 0.007126, 1000),
        Score("acc", "task", "geometry problem solving", 0.7, 208),
        Score("acc_verified", "task", "geometry problem solving", 0.6, 208),
        Score("execution_rating_correlation", "", "", 0.5, 1000),
        Score("acc_pass@4", "", "", float("nan"), 0),
    )
    return Scorecard("mathvista", "acc", scores, card().counts, card().provenance)


def test_every_value_is_in_percent_of_two_decimals():
    found = of_many_decimals()
    about = subject(found)
    assert entry(found, about).value == 67.89
    assert [(r.metric_type, r.metric_value) for r in index(found, about)] == [
        ("acc", 67.89),
        ("acc_verified", 58.14),
        ("gain", -1.23),
        ("share_empty", 0.71),
    ]
    assert "95 % interval 64.9 to 70.8; verified rule 58.14" in notes(found, about)


def test_ratings_are_points():
    scores = (Score("rating_macro", "", "", 6.12349, 40, 5.9, 6.3), Score("rating", "", "", 6.5551, 40, 6, 7))
    found = Scorecard("mathopeval", "rating_macro", scores, {"total": 40}, {"task": "mathopeval_gen_direct"})
    about = subject(found, prompt="direct", dataset="o/d")
    assert entry(found, about).value == 6.12
    rows = [(r.metric_type, r.metric_value) for r in index(found, about)]
    assert rows == [("rating_macro", 6.12), ("rating", 6.56)]
    assert notes(found, about).startswith("points of ten; ")
    assert "; 95 % interval 5.9 to 6.3; " in notes(found, about)


def test_every_cause_is_counted_in_the_notes():
    causes = ("empty", "extraction_empty", "refusal", "truncated", "unextracted", "unmatched", "unscored", "missing")
    counts = {name: number for number, name in enumerate(causes, 2)}
    found = card(counts={"total": 1001, **counts, "extra": 20, "duplicate": 21})
    said = ", ".join(f"{number} {name.replace('_', ' ')}" for name, number in counts.items())
    said += ", 20 rows of no problem left out, 21 rows that repeat an id left out"
    assert f"; 1001 problems ({said}); " in notes(found, subject(found))


LIMITS = [
    ({"unscored": 10}, ""),
    ({"unscored": 11}, "unscored"),
    ({"empty": 50}, ""),
    ({"empty": 51}, "unread"),
    ({"empty": 11, "refusal": 12, "truncated": 13, "unextracted": 14}, ""),
    ({"empty": 11, "refusal": 12, "truncated": 13, "unextracted": 15}, "unread"),
    ({"empty": 0, "unmatched": 500}, ""),
    ({"empty": 40, "missing": 200, "total": 1000}, "partial"),  # 40 of 800 is 5 %
    ({"empty": 41, "missing": 200, "total": 1000}, "partial unread"),
    ({"total": 999}, "partial"),
    ({"total": 1000}, ""),
    ({"total": 1001}, "mixed"),
]


@pytest.mark.parametrize(("counts", "names"), LIMITS)
def test_doubts_begin_beyond_their_limits(counts, names):
    found = doubts(card(counts=counts), "mathvista_testmini")
    assert [doubt.name for doubt in found] == names.split()


@pytest.mark.parametrize("read", [0, 1, 999, 1000])
def test_answers_of_which_some_are_the_files_are_mixed(read):
    found = doubts(card(provenance={"extractions": f"{read} of 1000 from the file"}), "mathvista_testmini")
    assert [doubt.name for doubt in found] == ["mixed"] * (read in (1, 999))

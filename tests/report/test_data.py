"""What the page's script gets, field by field, and the names that stand on the page."""

import base64
import gzip
import json
import re

import pytest

from mmmath_tasks.judge import mathvision as judged
from mmmath_tasks.problem import Problem, Score, Scorecard, Verdict
from mmmath_tasks.report import names
from mmmath_tasks.report.browser import browser_data, packed
from mmmath_tasks.report.links import Links
from mmmath_tasks.report.rich_text import rich_answer
from mmmath_tasks.report.runs import Run
from mmmath_tasks.report.themes import DARK, GREY, LIGHT, RUNS, fixed, run_colour, style_sheet

OPTIONS = {"question_type": "multi_choice", "answer_type": "text"}
CHOICE = Problem(
    "mathvision", "1", "How many?", ("one", "two"), "B", groups={"subject": ("algebra",), "level": ("1",)}, **OPTIONS
)
SEEN = Problem(
    *("mathvision", "2", "", (), "7", "free_form", "integer"),
    unit="cm",
    groups={"subject": ("counting",)},
    extra={"question_for_eval": "Seen?"},
)


def run(folder, name, colour, *rows, provenance=()):
    """A run whose rows are (problem, response, verdict, prompt, short answer)."""
    card = Scorecard("mathvision", "acc", (), {}, {"split": "test", **dict(provenance)})
    path = folder / f"samples_{name}.jsonl"
    lines = [
        {"problem": p.to_dict(), "response": said, "verdict": v.to_dict(), "prompt": prompt, "detail": short}
        for p, said, v, prompt, short in rows
    ]
    path.write_text("\n".join(map(json.dumps, lines)))
    return Run(name, card, path if rows else None, colour)


@pytest.fixture
def three(tmp_path):
    return [
        run(
            *(tmp_path, "a", 0),
            (CHOICE, "\U0001d465: **B**", Verdict("1", True, False, "B", "b", span=(5, 6), truncated=True), "Q", None),
            (SEEN, ["7", "8"], Verdict("2", False, True, "7", reason="cut: x"), "P", {"extraction": 7}),
        ),
        run(tmp_path, "b", None, (CHOICE, None, Verdict("1", False, False, rule="r", confidence=0.5), "q", None)),
        run(tmp_path, "c", 1),
    ]


def test_lists_and_blocks_hold_each_thing_at_its_place(three):
    found = browser_data(three, {("mathvision", "test", ("1", "How many?", ("one", "two"), "B")): ["1.png"]})
    (one,) = found.lists["benchmarks"]
    assert {key: one[key] for key in ("name", "title", "blocks", "runs", "fields")} == {
        "name": "mathvision",
        "title": "MATH-Vision",
        "blocks": [0],
        "runs": [{"name": "a", "colour": RUNS[0]}, {"name": "b", "colour": GREY}],
        "fields": ["question type", "answer type", "subject", "level"],
    }
    assert one["tags"] == [[c.name, c.meaning] for c in judged.ERRORS.classes]
    fields = {"question type": ["multi_choice"], "answer type": ["text"], "subject": ["algebra"], "level": ["1"]}
    seen = {"question type": ["free_form"], "answer type": ["integer"], "subject": ["counting"]}
    assert one["problems"] == [
        {"id": "1", "line": "How many?", "answer": "B", "unit": None, "fields": fields, "pictures": ["1.png"]},
        {"id": "2", "line": "Seen?", "answer": "7", "unit": "cm", "fields": seen, "pictures": []},
    ]
    assert one["answers"] == [
        [
            ["B", "b", "", 0.0, "", True, False, {}, True, "", [6, 7], [], 8, 0],
            ["7", None, "", 0.0, "cut: x", False, True, {}, False, "", None, [], 1, 0],
        ],
        [[None, None, "r", 0.5, "", False, False, {}, False, "", None, [], 0, 1], None],
    ]
    ((first, second),) = found.blocks
    assert first == {
        "problem": json.loads(json.dumps(CHOICE.to_dict())),
        "question": ["How many?", ""],
        "choices": ["", ""],
        "answer": "",
        "prompts": [["Q", ""], ["q", ""]],
        "answers": [
            ["\U0001d465: **B**", "<p>\U0001d465: <strong><mark>B</mark></strong></p>", "", "", None],
            ["", "", "", "", None],
        ],
    }
    assert (second["answers"], second["prompts"]) == ([["7", "", "", "", "7"], None], [["P", ""]])
    assert second["question"] == ["Seen?", ""]
    assert (found.formulas, found.raw) == (0, 0)
    (pairs,) = found.pairs
    assert pairs["slices"] == [["", ""], ["level", "1"], ["subject", "algebra"]]
    assert [pairs[rule][0]["rows"][0][-3:] for rule in ("official", "verified")] == [[1, 0, 1], [0, 0, 1]]
    assert [pairs[rule][0]["label"] for rule in ("official", "verified")] == ["acc", "acc_verified"]


def test_problems_come_in_blocks_and_formulas_are_counted_in_all_sets(tmp_path):
    said = ["x" * 250_000] * 5 + [r"$x$ and $\nosuch{y}$", r"\(z\) " + "x" * 100_000]
    problems = [Problem("mathvision", str(i), f"{i}?", answer="1") for i in range(7)]
    verdicts = [Verdict(p.id, True, True, "$x$", "y^2") for p in problems]
    rows = [(p, text, v, None, None) for p, text, v in zip(problems, said, verdicts, strict=True)]
    runs = [run(tmp_path, "a", 0, *rows), run(tmp_path, "b", 1, *rows[5:6], provenance={"split": "testmini"})]
    found = browser_data([*runs, run(tmp_path, "c", 2)], {})
    assert [one["blocks"] for one in found.lists["benchmarks"]] == [[0, 3], [0]]
    ids = [[entry["problem"]["id"] for entry in block] for block in found.blocks]
    assert ids == [["0", "1", "2"], ["3", "4", "5", "6"], ["5"]]
    assert found.blocks[0][0]["answers"][0][2:4] == [rich_answer("$x$"), rich_answer("y^2")]
    assert (found.formulas, found.raw) == (5, 2)
    assert [one["title"] for one in found.lists["benchmarks"]] == ["MATH-Vision, test", "MATH-Vision, testmini"]
    assert len(found.pairs) == 2


def test_sets_are_named_by_what_differs(tmp_path):
    def titles(*origins):
        rows = (CHOICE, "B", Verdict("1", True, True), None, None)
        runs = [run(tmp_path, f"r{i}", 0, rows, provenance=origin) for i, origin in enumerate(origins)]
        return [Links(runs).title(one) for one in runs]

    old, new = {"data_revision": "o/d@" + "1" * 40}, {"data_revision": ["x", "y"]}
    assert titles(old, new, {}) == [
        "MATH-Vision, data o/d@1111111111",
        "MATH-Vision, data x, y",
        "MATH-Vision, data not known",
    ]
    assert titles({}, {"split": "testmini"}, {"split": "nosuch"})[:2] == ["MATH-Vision, test", "MATH-Vision, testmini"]


def test_a_link_names_the_set_the_run_and_the_filters(three):
    links = Links(three)
    assert links.to(three[1], rule="x y") == "set=MATH-Vision&run=b&rule=x+y"
    assert (links.title(three[2]), links.to(three[2])) == ("", "")


def test_data_are_packed_whole_halves_of_signs_too():
    data = {"a": ["é\ud835", "\U0001d465", 1.5, None]}
    assert json.loads(gzip.decompress(base64.b64decode(packed(data)))) == data
    with pytest.raises(ValueError, match="JSON"):
        packed([float("nan")])


NAMES = [
    # metric, in words, as a head, by whose rule
    ("acc", "accuracy", "acc", "authors' rule"),
    ("acc_verified_macro", "accuracy, mean of slices", "acc macro verified", "verified rule"),
    ("acc_judged", "accuracy by a judge", "acc judged", "not by the authors' prompts"),
    ("s1", "accuracy on one-step problems", "s1", "authors' rule"),
    ("score_loose_verified", "score, loose", "score loose verified", "verified rule"),
    ("share_empty", "share empty", "share empty", "authors' rule"),
]


@pytest.mark.parametrize(("metric", "said", "head", "rule"), NAMES)
def test_metrics_in_words(metric, said, head, rule):
    assert (names.words(metric), names.head(metric), names.rule_of(metric)) == (said, head, rule)


def test_what_belongs_to_a_metric():
    scores = [Score(m, "", "", 0.5, 1) for m in ("acc", "gain", "acc_verified", "s1_verified")]
    card = Scorecard("x", "acc", tuple(scores))
    assert [names.verified_of(card, m) for m in ("acc", "acc_judged", "s1", "s2")] == [
        *["acc_verified"] * 2,
        "s1_verified",
        None,
    ]
    assert [names.is_difference(m) for m in ("gain", "acc")] == [True, False]
    assert names.group_words("task_skill x level") == "task skill \u00d7 level"


def test_colours_are_the_runs_in_either_theme():
    assert [run_colour(i) for i in (None, 0, 4)] == [GREY, "var(--run-1)", "var(--run-5)"]
    assert fixed(f"{GREY} {RUNS[4]} var(--other)") == f"{LIGHT['plot-grey']} {LIGHT['run-5']} var(--other)"
    assert fixed(RUNS[4], DARK) == DARK["run-5"] != LIGHT["run-5"]
    light, dark = (
        dict(pair.split(":") for pair in part.removeprefix("--").removesuffix(";").split(";--"))
        for part in re.findall(r":root{(.*?)}", style_sheet())
    )
    assert (light, dark) == (LIGHT, DARK)
    assert re.sub(r":root{.*?}", "R", style_sheet()) == "R\n@media screen and (prefers-color-scheme:dark){R}\n"

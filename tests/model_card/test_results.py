"""A scorecard as the Hub's records: every part of the notes and of the model-index, spelt out."""

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.model_card.results import entry, index, notes, subject
from mmmath_tasks.problem import Score
from support.whole_run import COMMIT, card

BEGIN = (
    "percent; acc, read by rules, authors' rule, version 1; "
    "answers read by: rules 993, 7 needed none (the authors: GPT-4)"
)
INTERVALS = "95 % interval 65.0 to 70.7; verified rule 68.10"
PROMPT, DATA = "prompt default (0123456789abcdef)", f"data AI4Math/MathVista@{COMMIT}; task version 1.0"
END = "generation temperature 0.0, max_gen_toks 1024; 1000 problems (7 empty); lm_eval 0.4.13, mmmath-tasks 0.1.0"
LESS = dict.fromkeys(("rule_version", "data_revision", "task_version", "generation", "harness", "package_version"))
NOTES = [
    ({}, f"{BEGIN}; {INTERVALS}; {PROMPT}; {DATA}; {END}"),
    (
        {**LESS, "prompt_hash": ["x", "y"], "prompt_style": ["cot", "word"], "mmmath_tasks": "9"},
        f"{BEGIN.replace('version 1', 'version unknown')}; {INTERVALS}; prompt cot, word (x, y); data unknown; "
        "1000 problems (7 empty); mmmath-tasks 9",
    ),
    ({"judge": {"model": "m", "id": "i"}}, f"{BEGIN}; {INTERVALS}; judge m; {PROMPT}; {DATA}; {END}"),
    ({"judge": {"id": "i"}}, f"{BEGIN}; {INTERVALS}; judge i; {PROMPT}; {DATA}; {END}"),
    ({"judge": {"seed": 1}}, f"{BEGIN}; {INTERVALS}; judge unnamed; {PROMPT}; {DATA}; {END}"),
    ({"judge": "j"}, f"{BEGIN}; {INTERVALS}; judge j; {PROMPT}; {DATA}; {END}"),
    (
        {"setting": ["S (1)", "T"], "harness": "h", "package_version": None, "mmmath_tasks": None},
        f"{BEGIN.replace('rules, auth', 'rules, S and T, auth')}; {INTERVALS}; {PROMPT}; "
        "asked by S (1), T, not as the authors ask, and not comparable with that; "
        f"{DATA}; {END.partition('lm_eval')[0]}h, mmmath-tasks",
    ),
]


@pytest.mark.parametrize(("origin", "said"), NOTES)
def test_the_notes_say_each_thing_that_is_known(origin, said):
    found = card(provenance=origin)
    assert notes(found, subject(found)) == said


def test_the_notes_of_what_a_user_states_of_an_audit_and_of_a_headline_without_an_interval():
    audits = {"official": {"labels": 40}, "verified": {"labels": 41}}
    found = card(provenance={"prompt_style": None, "prompt_hash": None, "audit": audits}, counts={"missing": 3})
    audited = [
        Score("acc_audited", "", "", 0.6543, 1000, 0.6, 0.7),
        Score("acc_verified_audited", "", "", 0.5, 1000, 0.4, 0.6),
    ]
    bare = Score("acc", "", "", 0.5, 1000)
    nan = Score("acc_verified", "", "", float("nan"), 0)
    found = type(found)("mathvista", "acc", (bare, nan, *audited), found.counts, found.provenance)
    assert notes(found, subject(found, prompt="zero-shot")) == (
        f"{BEGIN}; audited by 40 labels: acc 65.4, sampling and reading error 95 % interval 60.0 to 70.0; "
        "audited by 41 labels: acc_verified 50.0, sampling and reading error 95 % interval 40.0 to 60.0; "
        "prompt zero-shot as stated by the publisher of this result, not recorded with the responses; "
        f"{DATA}; {END.replace('7 empty', '7 empty, 3 missing')}"
    )


def test_the_notes_of_a_scorecard_that_counts_nothing():
    found = card()
    found = type(found)("mathvista", "acc", found.scores, {}, found.provenance)
    assert notes(found, subject(found)).split("; ")[-2] == "0 problems"


def test_an_entry_and_the_index_say_where_the_numbers_are_from():
    found = card(provenance={"judge": "j", "integer_rule": "r", "other": 1})
    place = {"date": "2026-11-28", "source_url": "https://x.y/z", "source_name": "logs"}
    about = subject(found, **place)
    made = entry(found, about)
    assert {name: getattr(made, name) for name in place} == place
    assert (made.dataset_id, made.task_id, made.dataset_revision) == ("AI4Math/MathVista", "mathvista_testmini", COMMIT)
    assert (made.value, made.notes) == (67.9, notes(found, about))
    rows = index(found, about)
    assert [(row.metric_type, row.metric_name) for row in rows] == [
        ("acc", "accuracy, authors' rule, read by rules, percent"),
        ("acc_verified", "accuracy, verified rule, percent"),
        ("share_empty", "share empty, percent"),
    ]
    for row in rows:
        assert (row.task_type, row.task_name) == ("image-text-to-text", "mathvista_testmini")
        assert (row.dataset_name, row.dataset_type, row.dataset_split, row.dataset_revision) == (
            *("MathVista (testmini)", "AI4Math/MathVista", "testmini", COMMIT),
        )
        assert row.dataset_args == {
            **{"task": "mathvista_testmini", "task_version": 1.0, "rule_version": "1", "prompt_style": "default"},
            **{"prompt_hash": "0123456789abcdef", "integer_rule": "r", "judge": "j"},
        }
        assert (row.source_url, row.source_name) == ("https://x.y/z", "logs")


@pytest.mark.parametrize(
    ("task", "kind"), [("mathvista_testmini_text", "text-generation"), ("mathvista_testmini", "image-text-to-text")]
)
def test_whether_a_task_has_pictures(task, kind):
    found = card(provenance={"task": task})
    assert {row.task_type for row in index(found, subject(found))} == {kind}


@pytest.mark.parametrize(
    ("origin", "stated", "said"),
    [
        ({"task": None}, {}, "the scorecard names no task; name it with --task, one of mathvista_sample"),
        ({"task": "x"}, {}, "'x' is no task of mathvista: eval.yaml has mathvista_sample"),
        ({}, {"task": "y"}, "'y' is no task of mathvista: eval.yaml has mathvista_sample"),
        ({"split": "test"}, {}, "mathvista_testmini asks the split testmini, but the run is about test"),
        ({"prompt_style": ["a", "b"]}, {"prompt": "a"}, "--prompt a, but the run records the prompt a, b"),
        (
            {"prompt_style": None},
            {"prompt": "x" * 201},
            "--prompt should be a name or a few words (up to 200 characters)",
        ),
    ],
)
def test_what_cannot_be_published_is_said(origin, stated, said):
    with pytest.raises(InputError) as raised:
        subject(card(provenance=origin), **stated)
    assert str(raised.value).startswith(said)


def test_what_a_user_may_state():
    found = subject(
        card(provenance={"prompt_style": None, "task": "mine"}), task="mathvista_testmini", prompt="x" * 200
    )
    assert (found.task, found.prompt, found.stated) == ("mathvista_testmini", "x" * 200, ("task", "prompt"))
    recorded = subject(card(provenance={"prompt_style": ["a", "b"]}), task="mathvista_testmini", prompt="a, b")
    assert (recorded.prompt, recorded.stated) == ("a, b", ())

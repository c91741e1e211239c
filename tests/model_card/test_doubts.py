"""What is refused, why, and how it is overruled."""

import pytest

from mmmath_tasks.cli import main
from mmmath_tasks.model_card.doubts import NAMES, doubts
from support.whole_run import card, written

SPOILT = {
    "a limit": ({"provenance": {"limit": 8}}, "limited", "the run was limited (limit = 8)"),
    "fewer asked than there are": (
        {"provenance": {"samples": {"original": 1000, "effective": 20}}},
        "limited",
        "20 of the task's 1000 problems were asked",
    ),
    "no response to some": ({"counts": {"missing": 3}}, "partial", "3 of 1000 problems have no response"),
    "a file of 308 rows": (
        {"provenance": {"samples": None}, "counts": {"total": 308}},
        "partial",
        "308 problems, where a whole run of mathvista_testmini has 1000",
    ),
    "problems without a step": (
        {"counts": {"problems": 525, "problems_incomplete": 4}},
        "partial",
        "4 of 525 problems lack a row",
    ),
    "a judge that failed often": (
        {"counts": {"unscored": 11}},
        "unscored",
        "11 of 1000 responses have no verdict (more than 1%)",
    ),
    "a judge for the unsure only": (
        {"provenance": {"judge": {"model": "j", "only_unsure": 0.9}}},
        "mixed",
        "a judge decided only where rules are less sure than 0.9",
    ),
    "a judge for a share only": (
        {"provenance": {"judge": {"model": "j", "unsure": 0.1}}},
        "mixed",
        "a judge read only the share 0.1 of which rules are least sure",
    ),
    "some answers read elsewhere": (
        {"provenance": {"extractions": "453 of 1000 from the file"}},
        "mixed",
        "453 of 1000 answers were read by somebody else, the others by our rules",
    ),
    "answers of a column that the user named": (
        {"provenance": {"extraction_column": "res", "extraction_origin": "asked for"}},
        "mixed",
        "answers were taken from column 'res' as the user asked",
    ),
    "programs that were not run": (
        {"provenance": {"answers_read_by": {"rules on code": 956, "rules": 44}}},
        "programs",
        "most responses are programs, or wrapped in code, and were read as they stand, not run",
    ),
    "a folder of 40 problems, all of them asked": (
        {"provenance": {"samples": {"original": 40, "effective": 40}}, "counts": {"total": 40, "empty": 0}},
        "partial",
        "40 problems, where a whole run of mathvista_testmini has 1000",
    ),
    "more problems than there are": (
        {"counts": {"total": 1304}},
        "mixed",
        "1304 problems, more than the 1000 of mathvista_testmini",
    ),
    "many refusals": (
        {"counts": {"refusal": 44}},
        "unread",
        "7 empty, 44 refusal of 1000 responses (more than 5% together)",
    ),
    "many answers that could not be read": (
        {"counts": {"unextracted": 30, "truncated": 14}},
        "unread",
        "7 empty, 14 truncated, 30 unextracted of 1000 responses (more than 5% together)",
    ),
    "two models": ({"provenance": {"models": ["a", "b"]}}, "mixed", "models differs within the run: a, b"),
    "two prompts": ({"provenance": {"prompt_hash": ["a", "b"]}}, "mixed", "prompt_hash differs within the run: a, b"),
    "our own sample": (
        {"provenance": {"task": "mathvista_sample"}},
        "sample",
        "the problems are the package's own sample, not the benchmark's",
    ),
}


@pytest.mark.parametrize("spoilt", SPOILT)
def test_a_doubtful_result_is_refused_with_its_reason(spoilt, tmp_path, capsys):
    changes, name, why = SPOILT[spoilt]
    path = written(tmp_path, **changes)
    assert [(doubt.name, doubt.why) for doubt in doubts(card(**changes), card(**changes).provenance["task"])] == [
        (name, why)
    ]
    assert main(["card", str(path), "--model", "org/model", "--out", str(tmp_path / "out")]) == 2
    error = capsys.readouterr().err
    assert why in error
    assert f"--force {name}" in error
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("spoilt", SPOILT)
def test_it_is_overruled_by_its_own_name_only(spoilt, tmp_path, capsys):
    changes, name, why = SPOILT[spoilt]
    path = written(tmp_path, **changes)
    command = ["card", str(path), "--model", "org/model", "--out", str(tmp_path / "out")]
    others = [other for other in NAMES if other != name]
    assert main([*command, "--force", *others]) == 2
    assert main([*command, "--force", name]) == 0
    assert why in capsys.readouterr().err


@pytest.mark.parametrize(
    "changes",
    [
        {},
        {"counts": {"unscored": 10}},
        {"counts": {"unextracted": 43, "unmatched": 100}},
        {"provenance": {"extractions": "1000 of 1000 from the file"}},
        {"provenance": {"extractions": "0 of 1000 from the file"}},
        {"provenance": {"judge": {"model": "j", "only_unsure": None}}},
        {"provenance": {"tasks": ["a", "b"], "prompt_hash": ["x", "y"]}},
    ],
)
def test_a_sound_result_raises_no_doubt(changes):
    assert list(doubts(card(**changes), card(**changes).provenance["task"])) == []


def test_a_score_that_is_no_number_cannot_be_forced(tmp_path, capsys):
    path = written(tmp_path, value=float("nan"))
    command = ["card", str(path), "--model", "org/model", "--out", str(tmp_path / "out"), "--force", *NAMES]
    assert main(command) == 2
    assert "headline 'acc' is not a number" in capsys.readouterr().err

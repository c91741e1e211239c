"""Every two runs against each other, the pictures beside the page, the tags: what the page is given of each."""

import sys

import pytest
from report.conftest import write_run

from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.paired_difference import CORRECTED, compare
from mmmath_tasks.outputs.run import problems_of
from mmmath_tasks.problem import Problem, Scorecard, Verdict
from mmmath_tasks.report.pairs import pairs_data
from mmmath_tasks.report.pictures import save_pictures
from mmmath_tasks.report.runs import identity, read_runs
from mmmath_tasks.report.tags import tags
from support import mathvista_folder, picture_files

READERS = [{"extraction": 9}, {"rules": 9}, {"judge:j": 9}]
RIGHT = [  # official and verified of three runs, by problem; None: not scored, and "": no response
    [(1, 1), (0, 0), (1, 0), (1, None), (0, 1), (1, 1), (1, 0), (0, 0), (1, 1)],
    [(0, 1), (0, 1), (1, 1), (1, 1), "", (0, 0), (0, 0), (0, 1), (0, 1)],
    [(1, 0), (1, 0), (None, 0), (0, 1), (0, 1), (0, 0), (0, 1), (1, 1), (0, 0)],
]


def test_every_pair_of_runs_is_compared_by_either_rule():
    # two problems of one id, as two files may have them
    problems = [Problem("mathvista", str(i % 8), f"{i}?", groups={"task": ("ab"[i % 2],)}) for i in range(9)]
    cards = [Scorecard("mathvista", "acc", (), {}, {"answers_read_by": one}) for one in READERS]
    verdicts = [
        [
            v if v == "" else Verdict(p.id, *(x if x is None else bool(x) for x in v))
            for p, v in zip(problems, own, strict=True)
        ]
        for own in RIGHT
    ]
    verdicts = [[v or None for v in own] for own in verdicts]
    found = pairs_data(cards, problems, verdicts)
    assert (found["slices"], found["corrected"]) == ([["", ""], ["task", "a"], ["task", "b"]], CORRECTED)
    pairs = [(0, 1), (0, 2), (1, 2)]
    for rule, place in (("official", 0), ("verified", 1)):
        assert len(found[rule]) == 3
        for (i, j), pair in zip(pairs, found[rule], strict=True):
            for (group, part), row in zip(found["slices"], pair["rows"], strict=True):
                both = [
                    (a[place], b[place])
                    for p, a, b in zip(problems, RIGHT[i], RIGHT[j], strict=True)
                    if part in ("", *p.groups["task"]) and "" not in (a, b) and None not in (a[place], b[place])
                ]
                only = [sum(one > other for one, other in both), sum(one < other for one, other in both)]
                assert row[-3:] == [*only, len(both)], (rule, i, j, group, part)
                change = 100 * (only[1] - only[0]) / len(both)
                assert row[0] == (f"{change:+.1f}" if change else "0.0")
                assert float(row[1]) < float(row[0]) < float(row[2])
    numbered = [[Verdict(str(k), *v) for k, v in enumerate(RIGHT[i]) if v] for i in (0, 2)]
    asked = [Problem("mathvista", str(k), "?", groups=p.groups) for k, p in enumerate(problems)]
    exact = compare(asked, numbered[0], numbered[1], "official")
    assert [row[1:4] for row in found["official"][1]["rows"]] == [
        [f"{100 * d.low:+.1f}", f"{100 * d.high:+.1f}", f"{d.p:.3f}"] for d in exact
    ]
    told = [(pair["label"], pair["note"]) for pair in found["official"]]
    unlike = "Their answers were not read alike ({}; {})."
    assert told == [
        ("acc", unlike.format("extraction 9", "rules 9")),
        ("acc", ""),
        ("acc", unlike.format("rules 9", "judge:j 9")),
    ]
    assert [(pair["label"], pair["note"]) for pair in found["verified"]] == [("acc_verified", "")] * 3


def test_what_no_two_runs_were_scored_on_has_no_row():
    problems = [Problem("mathvista", str(i), "?", groups={"task": ("ab"[i],)}) for i in range(2)]
    verdicts = [[Verdict("0", True, True), None], [Verdict("0", False, True), Verdict("1", True, True)]]
    cards = [Scorecard("mathvista", "acc", (), {}, {"answers_read_by": {"rules": 2}})] * 3
    found = pairs_data(cards, problems, [*verdicts, verdicts[1]])
    assert found["slices"] == [["", ""], ["task", "a"], ["task", "b"]]
    assert [[row is None for row in pair["rows"]] for pair in found["official"]] == [
        [False, False, True],
        [False, False, True],
        [False, False, False],
    ]
    assert {pair["label"] for pair in found["official"]} == {"acc, read by rules"}
    assert {pair["note"] for pair in found["official"]} == {""}


def test_pictures_are_the_files_that_the_data_hold(tmp_path):
    """Of each kind that browsers show as it is; another is written as PNG, one that is broken or not there left out."""
    kinds = {"PNG": "png", "JPEG": "jpg", "GIF": "gif", "WEBP": "webp", "BMP": "png"}
    files = {
        f"{i}.{kind.lower()}": picture_files.encode(picture_files.drawn(size=(50 + i, 40)), kind)
        for i, kind in enumerate(kinds)
    }
    files |= {"again.png": files["0.png"], "broken.png": b"words", "gone.png": files["1.jpeg"]}
    data = mathvista_folder.write(tmp_path / "data", pictures=files)
    (data / "images" / "gone.png").unlink()
    problems, revision = problems_of("mathvista", "testmini", str(data))
    runs = tmp_path / "runs"
    runs.mkdir()
    for problem in problems[:-1]:
        write_run(runs, f"run{problem.id}", problem, split="testmini", data_revision=revision)
    write_run(runs, "gone", problems[-1], data_revision="o/d@1")
    chosen = read_runs([runs])
    out = tmp_path / "deep" / "page"
    with pytest.raises(InputError) as raised:
        save_pictures(chosen, out, str(data))
    asked = "--pictures: which split of mathvista is 'gone'? Its scorecard does not say; name it with --split"
    assert str(raised.value) == asked
    saved = save_pictures(chosen, out, str(data), "testmini")
    assert saved.elsewhere == (f"gone: scored on o/d@1; pictures are from {revision}",)
    shown = {p.id: saved.paths.get(("mathvista", "testmini", identity(p))) for p in problems}
    for problem, name in zip(problems[:5], files, strict=False):
        (path,) = shown[problem.id]
        assert path.startswith("pictures/")
        assert path.endswith(f".{list(kinds.values())[int(problem.id) - 1]}")
        held = (out / path).read_bytes()
        assert held.startswith(b"\x89PNG") if name.endswith("bmp") else held == files[name]
    assert shown[problems[5].id] == shown[problems[0].id]
    assert [shown[p.id] for p in problems[6:]] == [None, None]
    assert len(list((out / "pictures").iterdir())) == 5
    assert len(saved.paths) == 6


def test_tags_are_the_papers_classes_of_errors(monkeypatch):
    found = tags("mathvision")
    assert {"calculation", "knowledge"} <= {name for name, _ in found}
    assert all(meaning for _, meaning in found)
    assert tags("mathverse") == []
    monkeypatch.setitem(sys.modules, "mmmath_tasks.judge.contract", None)
    assert tags("mathvision") == []

"""Small files in which every count is another one, and rows at the edges of what is a row of the run."""

import datetime
import json
import re

import openpyxl
import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs.comparison import Comparison, compared, comparison_lines, comparison_record
from mmmath_tasks.outputs.run import score_file
from mmmath_tasks.outputs.run_text import score_lines
from mmmath_tasks.outputs.tables import rows
from mmmath_tasks.problem import Problem

PROBLEMS = [
    Problem(
        "mathvision",
        f"p{i}",
        f"How many of the {i} things?",
        answer=None if i in (5, 6) else str(i),
        groups={
            "level": (str(1 + i % 2),),
            "subject": ("algebra",),
            "subject x level": (f"algebra, level {1 + i % 2}",),
        },
    )
    for i in range(40)
]


def scored(tmp_path, lines, name="run.jsonl", **options):
    path = tmp_path / name
    path.write_text(lines if isinstance(lines, str) else "".join(json.dumps(line) + "\n" for line in lines))
    return score_file(path, name="mathvision", problems=PROBLEMS, **options)


def right(i, **more):
    return {"id": f"p{i}", "response": f"The answer is \\boxed{{{i}}}.", **more}


def test_every_count_is_its_own(tmp_path):
    lines = [right(i) for i in range(10, 13)]  # three right
    lines += [{"id": f"p{i}", "response": "The answer is \\boxed{99}."} for i in range(13, 17)]  # four wrong
    lines += [right(5), right(6)]  # two without a released answer
    lines += [{"id": f"p{i}", "response": ""} for i in range(17, 22)]  # five empty
    lines += [{"id": "p22", "response": "I cannot see the picture, sorry."}]  # one refusal
    lines += [right(i, finish_reason="length") for i in range(23, 26)]  # three cut, and right
    lines += [{"id": f"p{i}", "response": "", "finish_reason": "length"} for i in range(26, 28)]  # two cut and empty
    lines += [{"id": f"p{i}", "response": None, "error": "timeout"} for i in range(28, 34)]  # six without a response
    lines += [right(10), right(10), right(13), right(17), right(22), right(28), right(28)]  # seven again
    lines += [{**right(99), "id": f"x{i}"} for i in range(8)]  # eight of nobody's
    run = scored(tmp_path, [*lines[-4:], *lines[:-4]])
    account, counts = run.account, run.card.counts
    found = {
        name: len(getattr(account, name))
        for name in ("missing", "extra", "duplicate", "failed", "no_gold", "truncated")
    }
    assert found == {"missing": 14, "extra": 8, "duplicate": 7, "failed": 6, "no_gold": 2, "truncated": 5}
    assert (account.rows, account.responses, account.joined) == (41, 41, 26)
    wanted = {"total": 40, "scored": 18, "unscored": 2, "missing": 20, "refusal": 1, "truncated": 5, "no_gold": 2}
    wanted |= {"extra": 8, "duplicate": 7, "empty": 7, "unextracted": 0}
    assert {name: counts.get(name, 0) for name in wanted} == wanted
    assert run.card.value("acc") == pytest.approx(6 / 18)
    assert run.card.get("acc").count == 18
    assert run.card.value("share_truncated") == pytest.approx(5 / 20)
    assert run.card.value("share_empty") == pytest.approx(7 / 20)


@pytest.mark.parametrize(("doc_id", "found"), [(0, "p0"), (39, "p39"), (-1, None), (40, None), (-40, None)])
def test_a_position_is_counted_from_the_first_problem(tmp_path, doc_id, found):
    lines = [{"doc_id": 3, "resps": [["\\boxed{3}"]]}, {"doc_id": doc_id, "resps": [["\\boxed{7}"]]}]
    run = scored(tmp_path, lines)
    assert [v.id for v in run.verdicts] == ["p3", *([found] if found else [])]
    assert len(run.account.extra) == (found is None)
    assert run.card.value("acc") == 1 / len(run.verdicts)


@pytest.mark.parametrize(
    ("ids", "said"),
    [
        ([*range(30)], "its ids, 0 to 29, are positions of its rows and not mathvision's ids (such as 2, 4, 6)"),
        ([*range(30)][::-1], "0 to 29"),
        ([*range(1, 41)], "1 to 40"),  # as many as there are problems
        ([*range(1, 81)], ""),  # the whole of another split, of which this is a part
        ([*range(1, 31)], ""),
        ([0, *range(2, 60, 2)], ""),
        ([*range(0, 30), 7], ""),
    ],
)
def test_ids_that_count_the_rows_are_no_ids(tmp_path, ids, said):
    problems = [Problem("mathvision", str(2 * i), f"How many of the {i} things?", answer="1") for i in range(1, 41)]
    (tmp_path / "run.jsonl").write_text("".join(json.dumps({"id": i, "response": "\\boxed{1}"}) + "\n" for i in ids))
    if said:
        with pytest.raises(InputError, match=re.escape(said)):
            score_file(tmp_path / "run.jsonl", name="mathvision", problems=problems)
    else:
        run = score_file(tmp_path / "run.jsonl", name="mathvision", problems=problems)
        extra = len([i for i in ids if not (i and i % 2 == 0)])
        assert f"{extra} of {len(ids)} rows belong to no problem, and are left out." in run.card.notes


def test_rows_left_out_or_mixed_are_named_in_the_scorecard(tmp_path):
    lines = [right(1, model="a"), right(2, model="a"), right(1, model="b"), {**right(3), "id": "x"}]
    run = scored(tmp_path, lines)
    notes = run.card.notes
    assert run.card.provenance["models"] == ["a", "b"]
    assert "The rows are of 2 models (a, b), and make one score: save each model's alone." in notes
    assert "1 of 4 rows belong to no problem, and are left out." in notes
    assert "1 of 4 rows repeat an id: the first one counts." in notes
    one = scored(tmp_path, [right(1, model="a"), right(2)]).card
    assert ("models" in one.provenance, [note for note in one.notes if "rows" in note]) == (False, [])


@pytest.mark.parametrize(("more", "said"), [({}, True), ({"target": "3"}, False)])
def test_a_position_that_nothing_proves_is_named(tmp_path, more, said):
    run = scored(tmp_path, [{"doc_id": 3, "resps": [["\\boxed{3}"]], **more}])
    for told in (run.lines(), run.card.notes):
        assert (
            [one for one in told if "by its position in the split only" in one] != []
            if said
            else not run.account.unproved
        )


def test_a_date_that_excel_made_of_a_fraction_is_not_scored(tmp_path):
    book = openpyxl.Workbook()
    day = datetime.datetime(2026, 1, 2)
    for cells in (["id", "response"], ["p1", "1"], ["p2", day], ["p3", day.time()], ["p4", "4"]):
        book.active.append(cells)
    book.save(tmp_path / "run.xlsx")
    run = score_file(tmp_path / "run.xlsx", name="mathvision", problems=PROBLEMS)
    assert ([v.id for v in run.verdicts], run.account.dated, run.account.failed) == (["p1", "p4"], ["p2", "p3"], [])
    assert any(note.startswith("2 of 4 rows hold a date as response or short answer") for note in run.card.notes)
    book.active["C1"], book.active["C2"], book.active["C3"] = "short", day, "2"
    book.save(tmp_path / "run.xlsx")
    run = score_file(tmp_path / "run.xlsx", name="mathvision", problems=PROBLEMS, extraction_column="short")
    assert run.account.dated == ["p1", "p2", "p3"]


def test_a_response_beside_an_error_counts_and_an_error_alone_does_not(tmp_path):
    lines = [
        right(1, error="retried once"),
        {"id": "p2", "response": "", "error": "timeout"},
        {"id": "p3", "response": "", "error": ""},
        {"id": "p4", "response": "", "error": None},
    ]
    run = scored(tmp_path, lines)
    assert [(v.id, v.official) for v in run.verdicts] == [("p1", True), ("p3", False), ("p4", False)]
    assert run.account.failed == ["p2"]


def test_a_run_that_was_cut_is_told_within_the_width(tmp_path):
    run = scored(tmp_path, [right(i, finish_reason="length") for i in range(10, 25)])
    lines = [str(line) for line in score_lines([run], ["official"], False, 60)]
    assert max(map(len, lines)) <= 60
    assert "ask the model again with a larger token limit" in " ".join(" ".join(lines).split())


def test_a_stored_two_disagrees_with_nothing(tmp_path):
    lines = [
        right(10, correct=1),
        right(11, correct=0),
        right(12, correct=2),
        {**right(13), "response": "\\boxed{0}", "correct": 1},
    ]
    run = scored(tmp_path, lines)
    assert run.disagree == ("p11", "p13")


@pytest.mark.parametrize(
    ("head", "body", "names"),
    [
        ('id,"re\tmark",response\n', "p1,x,5\n", ["id", "re\tmark", "response"]),
        ("id\tnote, of mine\tresponse\n", "p1\tx\t5\n", ["id", "note, of mine", "response"]),
        ("id\tresponse\n", "p1\t5\n", ["id", "response"]),
        ("id,response\n", 'p1,"5,\t6"\n', ["id", "response"]),
    ],
)
def test_tabs_and_commas_in_heads(tmp_path, head, body, names):
    (tmp_path / "a.csv").write_text(head + body)
    ((number, row),) = rows(tmp_path / "a.csv")
    assert (number, list(row), row["id"]) == (1, names, "p1")


def test_rows_that_repeat_an_id_are_samples_where_the_user_says_so(tmp_path):
    lines = [right(10), {"id": "p10", "response": "\\boxed{0}"}, right(11), right(11), right(11), right(12)]
    first, every = scored(tmp_path, lines), scored(tmp_path, lines, repeats=True)
    assert (len(first.account.duplicate), first.card.value("acc"), first.card.get("acc_pass@2")) == (3, 1.0, None)
    assert (len(every.account.duplicate), every.card.value("acc")) == (0, 1.0)
    values = {
        m: (every.card.value(m), every.card.get(m).count)
        for m in ("acc_mean@3", "acc_pass@1", "acc_pass@2", "acc_pass@3")
    }
    assert values == {
        "acc_mean@3": (pytest.approx(2.5 / 3), 3),
        "acc_pass@1": (pytest.approx(2.5 / 3), 3),
        "acc_pass@2": (1.0, 2),
        "acc_pass@3": (1.0, 1),
    }
    assert every.card.provenance["sampling"]["responses"] == 6


def pair(tmp_path):
    """Official: 1 of 6 in the first, 4 in the second; verified: 5 in the first, 4 in the second.

    "$x = 10$" and other forms that upstream does not read are right by the verified rule alone.
    """
    lost = [
        {"id": "p10", "response": "\\boxed{10}"},
        *({"id": f"p{i}", "response": f"**Final answer:** {i}"} for i in range(11, 15)),
        {"id": "p15", "response": "\\boxed{1}"},
    ]
    gained = [
        {"id": "p10", "response": "\\boxed{0}"},
        *(right(i) for i in range(11, 15)),
        {"id": "p15", "response": "\\boxed{2}"},
    ]
    runs = [scored(tmp_path, lines, f"{name}.jsonl") for name, lines in (("first", lost), ("second", gained))]
    assert [[run.card.value(m) for m in ("acc", "acc_verified")] for run in runs] == [
        [pytest.approx(1 / 6), pytest.approx(5 / 6)],
        [pytest.approx(4 / 6), pytest.approx(4 / 6)],
    ]
    return runs


def test_differences_are_the_second_less_the_first_by_the_rule_that_is_named(tmp_path):
    first, second = pair(tmp_path)
    wanted = {"official": (3 / 6, 1, 4), "verified": (-1 / 6, 1, 0)}
    for rule, (change, only_first, only_second) in wanted.items():
        (found,) = compared([first, second], rule)
        whole = found.whole
        assert (whole.second - whole.first, whole.only_first, whole.only_second) == (
            pytest.approx(change),
            only_first,
            only_second,
        )
        record = comparison_record([found], rule)[0]
        assert (record["change"], record["first_run"], record["second_run"], record["rule"]) == (
            pytest.approx(change),
            "first",
            "second",
            rule,
        )
        assert record["p"] == record["p_unadjusted"] == whole.p
        lines = [str(line) for line in comparison_lines([found], rule, False, 100)]
        row = next(line for line in lines if line.startswith("all")).split()
        assert row[-3:] == [str(only_first), str(only_second), "6"]
        assert row[1] == f"{100 * change:+.1f}"
        assert lines[1].startswith(f"second (2nd) less first (1st), acc{'_verified' if rule == 'verified' else ''}")
        assert "right only in first: p10" in " ".join(lines)
        assert ("right only in second: p11, p12, p13, p14" in " ".join(lines)) is (rule == "official")


def test_of_three_runs_each_is_compared_with_the_first_or_with_each_before_it(tmp_path):
    first, second = pair(tmp_path)
    third = scored(tmp_path, [right(i) for i in range(10, 16)], "third.jsonl")
    runs = [first, second, third]
    named = [(one.first.name, one.second.name) for one in compared(runs, "official")]
    assert named == [("first", "second"), ("first", "third")]
    every: list[Comparison] = compared(runs, "official", every_pair=True)
    assert [(one.first.name, one.second.name) for one in every] == [
        ("first", "second"),
        ("first", "third"),
        ("second", "third"),
    ]
    plain = sorted(one.whole.p for one in every)
    assert sorted(one.p for one in every)[0] == pytest.approx(3 * plain[0])
    assert all(one.p >= one.whole.p for one in every)
    lines = [str(line) for line in comparison_lines(every, "official", False, 100)]
    rows = {" ".join(line.split()[:3]): line.split()[3:] for line in lines if " less " in line}
    assert rows["3 less 1"][-4:] == ["0.188", "0", "5", "6"]  # three times 2 / 2^5
    assert rows["3 less 2"][-4:] == ["0.750", "0", "2", "6"]  # no less than twice 0.375, that of 2 less 1
    records = [row for row in comparison_record(every, "official") if not row["group"]]
    assert {row["p_correction"] for row in records} == {"Holm over 3 pairs"}
    assert [(row["p"], row["p_unadjusted"]) for row in records] == [(one.p, one.whole.p) for one in every]
    assert all(one.p > one.whole.p for one in every)


@pytest.mark.parametrize(
    ("rules", "shown_metrics"),
    [(["official"], {"acc"}), (["verified"], {"acc_verified"}), (["official", "verified"], {"acc", "acc_verified"})],
)
def test_the_terminal_shows_the_rules_that_were_asked_for(tmp_path, rules, shown_metrics):
    first, _ = pair(tmp_path)
    lines = [str(line) for line in score_lines([first], rules, False, 100)]
    found = {line.split()[0]: line for line in lines if line.split() and line.split()[0] in ("acc", "acc_verified")}
    assert set(found) == shown_metrics
    assert all(("16.7" if name == "acc" else "83.3") in line for name, line in found.items())
    sub = [str(line) for line in score_lines([first], ["verified"], True, 100)]
    assert any("by level" in line for line in sub)
    assert not any("by level" in line for line in lines)


def test_whether_responses_were_cut_shows_beside_short_answers_and_not_in_them(tmp_path):
    lines = [
        {"id": "p7", "response": "We add what is in the first row. Then, the sum of that and the", "mine": "7"},
        {**right(8), "mine": "9"},
    ]
    lines += [{"id": "p9", "response": None, "mine": "9"}]
    run = scored(tmp_path, lines, extraction_column="mine")
    share = run.card.get("share_truncated")
    assert (share.value, share.count, run.card.counts["truncated"]) == (0.5, 2, 1)
    assert "1 response with a short answer was cut; acc_verified has 1 right" in [*run.lines()]
    alone = scored(tmp_path, [{"id": "p7", "model_answer": "7"}], extraction_column="model_answer")
    assert (alone.card.get("share_truncated").count, alone.card.value("acc")) == (0, 1.0)

"""Saved rows and the problems that they are of: by id, by position, and what is refused or only told."""

import dataclasses

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.outputs import join as joining
from mmmath_tasks.outputs.join import Account, join
from mmmath_tasks.outputs.saved import Saved
from mmmath_tasks.problem import Problem

PROBLEMS = [
    Problem("mathvision", f"p{i}", f"How many of the {i} things?", answer=None if i in (5, 6) else str(i))
    for i in range(40)
]


class Rows(list):
    """Saved rows as `open_saved` gives them."""

    path = "f"


def test_responses_are_counted_and_a_row_without_one_has_failed_unless_a_judge_read_it():
    rows = Rows(
        [
            Saved(1, ("p10",), None, ("a", "b", "c")),
            Saved(2, ("p11",), None, ()),
            Saved(3, ("p12",), None, (), extraction=""),
            Saved(4, ("p13",), None, (), extraction="7"),
            Saved(5, ("p14",), None, ("a", "b"), extraction=""),
            Saved(6, ("p15",), None, ("a",), extraction="", unread=True),
            Saved(7, ("p5",), None, ("a",), extraction="7", truncated=True),
        ]
    )
    account = Account()
    assert len(list(join(rows, "mathvision", PROBLEMS, account))) == account.joined == account.rows == 7
    assert account.responses == 3 + 1 + 1 + 1 + 2 + 1 + 1
    assert (account.failed, account.unread, account.no_gold) == (["p11"], ["p14"], ["p5"])
    assert (account.truncated, len(account.missing)) == (["p5"], 33)


def test_ten_ids_are_named_each_once():
    ids = [f"p{i}" for i in range(10)]
    assert Account(extra=[*ids, "p0"]).lines() == [f"11 responses belong to no problem: {', '.join(ids)}"]
    assert Account(extra=[*ids, "q"]).lines()[0].endswith("p9, ...")


@pytest.mark.parametrize(
    ("prompts", "refused"),
    [
        ("o", True),
        ("q", False),
        ("qo", False),
        ("qqo", False),
        ("qoo", True),
        ("qq1", True),  # another's question tells more than other words do
        ("qqqqqq1", True),
        ("q" * 9 + "1", False),
        ("q" * 8 + "11", True),
        ("q" * 8 + "o1", True),
        ("q" * 5 + "ooooo", False),
        ("qqs", False),
    ],
)
def test_prompts_of_short_files(tmp_path, prompts, refused):
    """A row a letter: q holds its question, o other words, 1 the second problem's question, s a short one by chance."""
    asked = [Problem("mathvision", str(i), f"How many of the {i} things?", answer="7") for i in range(10)]
    asked[9] = dataclasses.replace(asked[9], question="How many?")
    said = {"o": "Count.", "1": "Count.  How many of\nthe 1 things? Go on.", "s": "Say: How many?"}
    rows = [
        Saved(i, (), i, ("7",), asked=said.get(letter, f"Hint: {asked[i].question}!"))
        for i, letter in enumerate(prompts)
    ]
    file, account = Rows(rows), Account()
    if refused:
        with pytest.raises(InputError, match=f"^f: .* {len(prompts) - prompts.count('q')} of its {len(prompts)} "):
            list(join(file, "mathvision", asked, account))
        return
    assert len(list(join(file, "mathvision", asked, account))) == len(prompts)
    assert account.unlike == [str(i) for i, letter in enumerate(prompts) if letter != "q"]


def refusal(rows, problems=PROBLEMS, name="mathvision"):
    """The message of what is refused, and the rows that were given out before."""
    pairs, given = join(Rows(rows), name, problems, Account()), []
    with pytest.raises(InputError) as error:
        given.extend(saved.where for _, saved in pairs)
    return str(error.value), given


@pytest.mark.parametrize(
    ("targets", "refused"),
    [
        (["0", "1.0", "x", "y"], False),  # half
        (["0", "1.0", "x", "y", "z"], True),
        (["0", None, "", "x", "y", "z", "z"], True),  # what is no target tells nothing; 5 and 6 have no gold
        (["x"], True),
        (["0", "x"], False),
    ],
)
def test_targets_of_rows_by_position(targets, refused):
    rows = [Saved(i, (), i, ("7",), target=target) for i, target in enumerate(targets)]
    if not refused:
        account = Account()
        assert len(list(join(Rows(rows), "mathvision", PROBLEMS, account))) == len(targets)
        assert account.unlike == []
        return
    wrong = sum(target in ("x", "y", "z") for target in targets[:5])
    known = sum(bool(target) for target in targets[:5])
    assert refusal(rows) == (
        f"f: names problems by their position only, and {wrong} of its {known} targets are not their answers: the rows "
        "of another split, in another order, or several for each? Name it with --split (mathvision has test, testmini)",
        [*range(len(targets))],
    )
    by_id = [dataclasses.replace(row, ids=(f"p{i}",)) for i, row in enumerate(rows)]  # where ids tell, targets do not
    assert len(list(join(Rows(by_id), "mathvision", PROBLEMS, Account()))) == len(targets)


def test_prompts_of_another_order_are_refused_in_full():
    rows = [Saved(i, (), i, ("7",), target=str(i), asked=PROBLEMS[i + 1].question) for i in range(3)]
    assert refusal(rows)[0] == (
        "f: names problems by their position only, and 3 of its 3 prompts do not hold their questions: the rows of "
        "another split, in another order, or several for each? Name it with --split (mathvision has test, testmini); "
        "evalscope's reviews say which rows are of one problem"
    )


def test_ids_are_tried_in_their_order_and_the_first_row_counts():
    rows = [
        Saved(1, ("x", "p3", "p4"), None, ("a",)),
        Saved(2, ("p3",), None, ("b",)),
        Saved(3, ("x", "y"), None, ("c",)),
        Saved(4, (), None, ("d",)),
        Saved(5, ("p7",), 8, ("e",)),
        Saved(6, (), 8, ("f",)),
        Saved(7, (), -1, ("g",)),
        Saved(8, (), 40, ("h",)),
    ]
    account = Account()
    found = [(problem.id, saved.where) for problem, saved in join(Rows(rows), "mathvision", PROBLEMS, account)]
    assert found == [("p3", 1), ("p7", 5), ("p8", 6)]
    assert (account.extra, account.duplicate) == (["x", "row 4", "row 7", "row 8"], ["p3"])
    assert account.missing == [p.id for p in PROBLEMS if p.id not in ("p3", "p7", "p8")]
    account = Account()
    found = [(p.id, s.where) for p, s in join(Rows(rows), "mathvision", PROBLEMS, account, repeats=True)]
    assert found == [("p3", 1), ("p3", 2), ("p7", 5), ("p8", 6)]
    assert (account.joined, account.duplicate) == (4, [])


def test_a_row_that_makes_its_problem_is_that_problem():
    """Its own columns tell more than its id; a sample of ours is the problem that it describes."""
    row = {"id": "p4", "question": "?", "options": [], "answer": "7", "level": 1, "subject": "x"}
    made = Problem("mathvision", "p9", "?", answer="8")
    rows = [Saved(1, ("p3",), None, ("a",), row=row), Saved(2, ("p2",), None, ("b",), row=made.to_dict())]
    assert [p.id for p, _ in join(Rows(rows), "mathvision", PROBLEMS, Account())] == ["p4", "p9"]
    found = [p for p, _ in join(Rows(rows), "mathvision", None, Account())]
    assert (found[0].id, found[0].answer, found[1]) == ("p4", "7", made)
    broken = Saved(3, ("p2",), None, ("b",), row={**made.to_dict(), "choices": 5})
    assert [p.id for p, _ in join(Rows([broken]), "mathvision", PROBLEMS, Account())] == ["p2"]
    message, given = refusal([rows[0], broken], None)
    assert message.startswith("f: row 3: the problem is not in the file (")
    assert "); name the data with --data DIR, --split " in message
    assert given == [1]


@pytest.mark.parametrize("count", [1, 999, 1000, 1001])
def test_a_file_of_nobodys_rows_is_given_up_after_a_thousand(count):
    rows = [Saved(i, (f"x{i}",), None, ("a",)) for i in range(count)]
    read, first = (1000, "first ") if count >= 1000 else (count, "")
    assert refusal(rows)[0] == (
        f"f: none of its {first}{read:,} rows belongs to mathvision: ids such as "
        f"{'x0' if count == 1 else 'x0, x1, x2'}, expected ids such as p0, p1, p2"
    )
    rows[999:1000] = [Saved(999, ("p1",), None, ("a",))]
    if count >= 1000:
        assert [p.id for p, _ in join(Rows(rows), "mathvision", PROBLEMS, Account())] == ["p1"]


def test_a_file_without_ids_is_told_so():
    names = "pid, id, question_id, problem_id, sample_index, index, ID"
    wanted = f"f: no column of problem ids (one of {names}), or nothing in it"
    assert refusal([Saved(i, (), None, ("a",)) for i in range(2)]) == (wanted, [])
    assert refusal([Saved(1, (), None, ("a",)), Saved(2, ("x",), None, ())])[0].startswith("f: none of its 2 rows")


@pytest.mark.parametrize(("limit", "what"), [("_MOST_ROWS", "3 rows"), ("_MOST_PROBLEMS", "3 problems")])
def test_what_is_more_than_a_run_is_refused(monkeypatch, limit, what):
    monkeypatch.setattr(joining, limit, 3)
    rows = [Saved(i, (f"p{i}",), None, ("a",)) for i in range(5)]
    assert refusal(rows) == (
        f"f: more than {what}; expected one run of mathvision",
        [0, 1, 2, 3][: 3 + ("prob" in what)],
    )
    assert len([*join(Rows(rows[:3]), "mathvision", PROBLEMS, Account())]) == 3

import pytest

from mmmath_tasks.errors import InputError
from mmmath_tasks.hub_datasets.publishing.anomalies import KINDS, Anomalies, check_picture, of_row
from mmmath_tasks.problem import Problem
from support import picture_files


def kinds(drawn=False, row=None, **fields):
    problem = Problem(**{"benchmark": "mathvision", "id": "1", "question": "Q?", "answer": "A", **fields})
    return set(of_row(row or {}, problem, drawn=drawn))


@pytest.mark.parametrize(
    ("case", "expected"),
    [
        ({"choices": ("x", "y"), "answer": "B"}, set()),
        ({"choices": ("x", "y"), "answer": "y"}, set()),
        ({"choices": ("x", "y"), "answer": "C"}, {"gold_outside_choices"}),
        ({"choices": ("x", "x"), "answer": "A"}, {"repeated_choice"}),
        ({"choices": ("x", "y "), "answer": "A"}, {"outer_blanks"}),
        ({"answer": "11 "}, {"outer_blanks"}),
        ({"answer": None}, {"no_answer"}),
        ({"question": " "}, {"no_question"}),
        ({"question": " ", "drawn": True}, set()),
        ({"row": {"a": {"b": ["x\ry"]}}}, {"carriage_return"}),
        ({"row": {"a": "\x0crac{1}{2}"}}, {"control_character"}),
        ({"row": {"a": "118掳T"}}, {"broken_text"}),
        ({"row": {"a": "90° ± 5", "b": "tab\tand\nline", "c": "角度"}}, set()),
    ],
)
def test_what_is_odd_is_seen_and_what_is_not_is_not(case, expected):
    assert kinds(**case) == expected
    assert expected <= set(KINDS)


def test_only_what_is_not_known_is_new():
    found = Anomalies({"outer_blanks": frozenset({"1"}), "no_answer": frozenset({"*"})})
    for kind, name in [("outer_blanks", "1"), ("outer_blanks", "2"), ("no_answer", "9"), ("missing_picture", "1")]:
        found.add("test", kind, name)
        found.add("test", kind, name)
    assert found.new() == [("test", "outer_blanks", ["2"])]
    assert found.to_dict() == {"test": {"outer_blanks": ["1", "2"], "missing_picture": ["1"]}}
    assert Anomalies.of(found.to_dict(), found.known).new() == found.new()


@pytest.mark.parametrize("name", picture_files.USABLE)
@pytest.mark.parametrize("whole", [False, True])
def test_usable_pictures_pass(name, whole):
    width, height = check_picture(picture_files.USABLE[name], "here", whole=whole)
    assert width > 0 < height


@pytest.mark.parametrize("name", picture_files.BROKEN)
def test_broken_pictures_are_named(name):
    with pytest.raises(InputError, match="row 7: the picture"):
        check_picture(picture_files.BROKEN[name], "row 7", whole=True)


@pytest.mark.parametrize("name", ["cut.png", "cut.jpg", "text.jpg", "empty.png", "head_only.png"])
def test_a_cut_is_seen_without_decoding(name):
    with pytest.raises(InputError):
        check_picture(picture_files.BROKEN[name], "row 7")

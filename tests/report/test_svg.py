"""Words that fit: cut, folded, in legends, and around a drawing that stands alone."""

import math
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from report.drawings import NAMES, legend_of, placed, root_of

from mmmath_tasks.name_text import shortened
from mmmath_tasks.report.svg import WIDTH, alone, drawing, element, fitting, folded, legend, size, text_width, wrapped
from mmmath_tasks.report.themes import LIGHT

TITLE = "Accuracy by metric geometry and everything else that a heading of two lines or more may say & <so on>"
CAPTION = " ".join(f"word{i}" for i in range(60))


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize(("title", "caption"), [("T", ""), (TITLE, CAPTION)])
def test_a_drawing_alone_has_its_title_above_and_its_caption_below(name, title, caption, plots):
    plain, made = placed(plots[name]), alone(plots[name], title, caption)
    found = placed(made)
    (paper, *rest), (wide, high) = found, size(made)
    assert paper.box == (0, 0, wide, high)
    assert paper.node.get("fill") == LIGHT["plot-paper"]
    assert "var(" not in made
    said = [one.said for one in plain if one.said]
    heads = [one for one in rest if one.node.get("font-weight") == "600" and one.size == 14]
    own = rest[len(heads) : len(heads) + len(plain)]
    foot = rest[len(heads) + len(plain) :]
    assert [one.said for one in own if one.said] == said
    assert " ".join(one.said for one in heads) == title
    assert " ".join(one.said for one in foot) == caption
    assert [root_of(made)[i].text for i in (0, 1)] == [title, root_of(plots[name])[1].text]
    left, top = (own[0].box[i] - plain[0].box[i] for i in (0, 1))
    for before, after in zip(plain, own, strict=True):
        moved = (left, top, left, top)
        assert after.box == pytest.approx([a + b for a, b in zip(before.box, moved, strict=True)], abs=0.03)
    assert left == pytest.approx((wide - WIDTH) / 2) == heads[0].box[0]
    lines = [*heads, *foot]
    assert all(one.box[0] > 0 and one.box[2] < wide and one.box[1] > 0 and one.box[3] < high for one in lines)
    assert max(one.box[3] for one in heads) <= top <= max(one.box[3] for one in heads) + 12
    bottom = top + size(plots[name])[1]
    assert all(bottom <= one.box[1] for one in foot)
    assert high - max([bottom, *(one.box[3] for one in foot)]) < 26
    for column in (heads, foot):
        tops = [one.box[1] for one in column]
        assert tops == sorted(tops)
        assert all(a.box[3] < b.box[1] for a, b in pairwise(column))
    assert {one.node.get("fill") for one in foot} <= {LIGHT["plot-grey"]}


def test_elements_are_written_as_xml():
    assert element("a", "x", "y", stroke_width=1.5, none=None, n=0.126) == '<a stroke-width="1.5" n="0.13">xy</a>'
    assert element("b", x=2.0, y=-0.001, said='"<&\x00') == '<b x="2" y="-0" said="&quot;&lt;&amp;\ufffd"/>'
    made = root_of(drawing(10.2, "t & u", "d", element("g"), width=300))
    assert (made.get("viewBox"), made.get("width"), made.get("height"), made.get("role")) == (
        "0 0 300 11",
        "300",
        "11",
        "img",
    )
    assert [child.text for child in made] == ["t & u", "d", None]
    assert size(drawing(7, "t", "d")) == (WIDTH, 7)


words = st.lists(st.text("abcimWM.…数A", min_size=1, max_size=12), min_size=1, max_size=12)


@given(words, st.integers(40, 200))
def test_folded_lines_hold_all_words_and_are_as_full_as_they_may_be(said, width):
    lines = folded(" ".join(said), 10, width)
    assert " ".join(lines).split() == said
    for line in lines:
        assert text_width(line, 10) <= width or " " not in line
    for above, below in pairwise(lines):
        assert text_width(f"{above} {below.split()[0]}", 10) > width


@given(st.lists(st.text("abcW", min_size=9, max_size=30), min_size=1, max_size=5, unique=True), st.integers(80, 200))
def test_names_that_fit_are_whole_and_others_differ(names, width):
    found = fitting(names, 11, width)
    assert len(set(found)) == len(names)
    if all(text_width(name, 11) <= width for name in names):
        assert found == names
    else:
        most = max(map(len, found))
        assert most <= 8 or all(text_width(name, 11) <= width for name in found)
        longer = [shortened(names, more) for more in range(most + 1, max(map(len, names)) + 1)]
        assert not any(all(text_width(name, 11) <= width for name in one) for one in longer)


@given(words, st.integers(0, 100), st.integers(200, 440))
def test_a_legend_breaks_lines_where_words_would_stand_out(said, left, right):
    said = list(dict.fromkeys(said))
    marks, high = legend([(element("circle", cx=0, cy=0, r=8), word) for word in said], left, right)
    svg = drawing(high, "t", "d", marks)
    texts = [one for one in placed(svg) if one.said]
    assert list(legend_of(svg)) == [one.said for one in texts] == said
    assert high - 8 <= max(one.box[3] for one in texts) <= high
    for one in texts:
        assert one.box[2] <= right + 0.01 or one.box[0] == pytest.approx(left + 20, abs=0.01)
    for before, after in pairwise(texts):
        if after.box[1] > before.box[1]:
            assert after.box[0] == pytest.approx(left + 20, abs=0.01)
            assert before.box[2] + 32 + after.box[2] - after.box[0] > right - 0.01
        else:
            assert after.box[0] - before.box[2] == pytest.approx(32, abs=0.02)
    assert legend([]) == ("", 0.0)


@given(words, st.integers(5, 20), st.integers(1, 3))
def test_wrapped_lines_are_few_and_short_and_say_where_they_were_cut(said, most, lines):
    found = wrapped(" ".join(said), most, lines)
    assert 1 <= len(found) <= lines
    assert all(len(line) <= most for line in found)
    if not any("…" in line for line in found):
        assert " ".join(found) == " ".join(said)


def test_widths_are_those_of_a_wide_font():
    assert text_width("", 10) == 0
    assert text_width("iiii") == 2 * text_width("ii") == pytest.approx(4 * 0.33 * 12)
    assert text_width("W", 10) > text_width("A", 10) > text_width("a", 10) > text_width("t", 10) > text_width("i", 10)
    assert text_width("数", 20) == 20
    assert not math.isnan(text_width("\ud800"))

"""Texts as HTML: what is rendered, what stays as it is, and that no text makes an element of its own."""

import json
import re
from html import escape
from html.parser import HTMLParser
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmmath_tasks.report
from mmmath_tasks.report import formula, rich_text
from mmmath_tasks.report.rich_text import rich_answer, rich_line
from support.hostile_texts import TEXTS

ALLOWED = rich_text.ELEMENTS | formula.ELEMENTS


class Elements(HTMLParser):
    """Names, attributes and text of what a browser would find in HTML."""

    def __init__(self, html):
        super().__init__()
        self.names, self.attributes, self.text = set(), set(), ""
        self.feed(html)

    def handle_starttag(self, tag, attrs):
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}

    def handle_data(self, data):
        self.text += data


def html(text, mark=None):
    return rich_text.rich_text(text, mark).html


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"It is $\frac{20}{3}$.", "<mfrac><mn>20</mn><mn>3</mn></mfrac>"),
        (r"It is \(\frac{20}{3}\).", "<mfrac><mn>20</mn><mn>3</mn></mfrac>"),
        (r"$3 \mathrm{~m}$", '<mtext>\u00a0</mtext><mi mathvariant="normal">m</mi>'),
        ("a ratio of $ 4: 3$", "<mn>4</mn>"),
        ("so $ x = 5 $ and", "<mn>5</mn>"),
        ("it costs $ 5 and so $x$ is", "<mi>x</mi>"),
        ("$$x^2$$", '<math display="block"><msup><mi>x</mi><mn>2</mn></msup></math>'),
        (r"\[x \\[2pt] y\]", '<math display="block">'),
        ("\\begin{align*}\na &= b \\\\\n- c &= d\n\\end{align*}", "<mtable"),
        (r"So \boxed{7} it is", "<menclose"),
        (r"$\text{5 \% of \$3}$", "5\u00a0%\u00a0of\u00a0$3"),
        ("**bold** and *thin*", "<strong>bold</strong> and <em>thin</em>"),
        ("# Head\ntext", "<p><strong>Head</strong></p>"),
        ("- one\n- two", "<li>one</li>"),
        ("3. three", '<ol start="3">'),
        ("|a|b|\n|-|:-:|\n|1|2|", "<td>2</td>"),
        ("`$x$` and\n```\n$y$ <b>\n```", "<code>$x$</code>"),
        ("which?\n<image1>", "<span>picture 1</span>"),
        ("**$x$**", "<strong><math"),
        ("a\nb *c*", "<p>a<br>\nb <em>c</em></p>"),
    ],
)
def test_what_is_rendered(text, shown):
    assert shown in html(text)


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("it costs $5 to $10", "it costs $5 to $10"),
        ("it costs $ 5 or $ 6 *so*", "it costs $ 5 or $ 6 so"),
        (r"it costs \$5 or \$6", "it costs $5 or $6"),
        ("2*3*4 = 24", "2*3*4 = 24"),
        ("x**2 + y**2 *so*", "x**2 + y**2 so"),
        ("a\n+ 5 *b*", "a\n+ 5 b"),
        ("a_1 + b_1 *so*", "a_1 + b_1 so"),
        ("    indented *is* no code", "indented is no code"),
        (r"$\unknowncommand{x}$ *so*", r"$\unknowncommand{x}$ so"),
        (r"$\frac{1}{2$ *so*", r"$\frac{1}{2$ so"),
        ("[a](http://example.org) *so*", "[a](http://example.org) so"),
        ("<b>x</b> *so*", "<b>x</b> so"),
    ],
)
def test_what_stays_as_it_is(text, kept):
    assert Elements(html(text) or text).text.strip() == kept


def test_a_text_without_markup_has_no_html():
    assert html("Plain.\nAnd more, 5 < 6: A.") == ""
    assert html("", None) == html("\U000f0001 $x$") == html("$x$" * 100_000) == ""
    assert rich_answer("B") == rich_answer("") == rich_answer(None) == ""


def test_formulas_are_counted_and_those_that_stay_are_named():
    found = rich_text.rich_text(r"$x$, \(y\), $\nosuch{z}$ and $5 or $6")
    assert (found.formulas, found.raw) == (3, (r"$\nosuch{z}$",))


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        (r"3\sqrt{2}", "<msqrt>"),
        ("x^2", "<msup>"),
        (r"$\frac{1}{2}$", "<mfrac>"),
        (r"\nosuch{2}", ""),
        ("- one\n- two", ""),
        ("**B**", "<strong>B</strong>"),
    ],
)
def test_short_answers_are_formulas_without_dollars_too(text, shown):
    assert shown in rich_answer(text)
    assert "<p" not in rich_answer(text)
    assert bool(shown) == bool(rich_answer(text))


def test_a_line_has_no_blocks_and_cuts_no_formula():
    assert rich_line("One\n\n- two *three* <image1>\n") == "One two <em>three</em>"
    long = "word " * 28 + r"$\frac{1}{2}$ " * 3
    assert rich_line(long).count("<math") == 1
    assert "$" not in rich_line(long)
    assert rich_line("a < b & c" * 30) == escape(("a < b & c" * 30)[:160], quote=False)
    assert rich_line("x" * 155 + "$yyyyy$") == "x" * 155
    assert rich_line("x" * 157 + "$y$ z").startswith("x" * 157 + "<math>")
    assert rich_line("*a* b", 3) == "<em>a</em>"
    assert rich_line("$x$<image>\n| a |\n|-|\n| b |") == rich_line("$x$ a b")


@pytest.mark.parametrize(
    ("text", "span", "marked"),
    [
        ("The answer is **B** *now*", (16, 17), ["B"]),
        ("The **answer is B**, so *it*", (6, 17), ["answer is B"]),
        (r"So $x = 5$ *holds*", (8, 9), ["x=5"]),
        ("*One*\n\ntwo three", (1, 10), ["One", "two"]),
        ("`a b` *c*", (1, 4), ["a b"]),
    ],
)
def test_the_span_that_was_read_is_marked(text, span, marked):
    found = re.findall("<mark>(.*?)</mark>", html(text, span))
    assert [Elements(part).text for part in found] == marked
    assert re.sub("</?mark>", "", html(text, span)) == html(text)


def nested(depth, opening="{", closing="}"):
    return opening * depth + "x" + closing * depth


@pytest.mark.parametrize(
    ("latex", "converted"),
    [
        (nested(60), True),
        (nested(61), False),
        (nested(30, r"\left({", r"}\right)"), True),
        (nested(31, r"\left({", r"}\right)"), False),
        (nested(59) + r"\begin{matrix}1\end{matrix}", True),
        (nested(60) + r"\begin{matrix}1\end{matrix}", False),
        (r"\{x\}" * 70, True),
        (r"\frac{1}{2", False),
        ("x}{y", False),
        ("{x}}", False),
        ("x" * 5_000, True),
        ("x" * 5_001, False),
        (" ", False),
        (r"\,", False),
        (r"\label{eq:1}x\nonumber", True),
        (r"\nosuch", False),
        (r"\dbinom{3}{2}\cfrac{1}{2}\textnormal{a}\mbox{b}\textdollar", True),
        (r"\begin{gather*}x\end{gather*}\begin{split}y\end{split}", True),
    ],
    ids=lambda value: str(value)[:12],
)
def test_what_is_a_formula(latex, converted):
    found = formula.mathml(latex)
    assert (found is not None) is converted
    if converted:
        assert (found.startswith("<math>"), formula.mathml(latex, True).startswith('<math display="block">')) == (
            True,
            True,
        )
        assert formula.mathml(latex, True).replace(' display="block"', "", 1) == found


@pytest.mark.parametrize(
    ("latex", "html"),
    [
        (r"\frac{1}{2}", "<mfrac><mn>1</mn><mn>2</mn></mfrac>"),
        (r"\text{a \& b}", "<mtext>a\u00a0&amp;\u00a0b</mtext>"),
        (r"a<b", "<mi>a</mi><mo>&lt;</mo><mi>b</mi>"),
        (r"\textcolor{red}{x}", "<mstyle><mi>x</mi></mstyle>"),
        (r"x_{12}^3", "<msubsup><mi>x</mi><mn>12</mn><mn>3</mn></msubsup>"),
    ],
)
def test_a_formula_has_what_mathml_core_draws_and_no_more(latex, html):
    found = re.fullmatch("<math>(?:<mrow>)?(.*?)(?:</mrow>)?</math>", formula.mathml(latex))[1]
    assert found == html
    elements = Elements(found)
    assert elements.names <= formula.ELEMENTS
    assert elements.attributes <= formula.ATTRIBUTES


@pytest.mark.parametrize("text", TEXTS)
def test_hostile_texts_make_no_element_of_their_own(text):
    for made in (html(text), html(text, (0, len(text))), rich_answer(text), rich_line(text)):
        found = Elements(made)
        assert found.names <= ALLOWED
        assert found.attributes <= formula.ATTRIBUTES | {"display", "start"}


@given(st.text(alphabet=st.sampled_from("$\\()[]{}`*_<>|#-+~&^ \n.aB1é數\u202e\U0001d465"), max_size=60))
def test_no_text_makes_an_element_of_its_own(text):
    found = Elements(html(text))
    assert found.names <= ALLOWED
    assert found.attributes <= formula.ATTRIBUTES | {"display", "start"}


def test_the_script_allows_the_same_elements():
    script = (Path(mmmath_tasks.report.__file__).parent / "scripts" / "rich_text.js").read_text()
    lists = [
        set("".join(json.loads(part) for part in re.findall(r'"[^"]*"', body)).split())
        for body in re.findall(r"_(?:ELEMENTS|ATTRIBUTES) = new Set\((.*?)\.split", script, re.DOTALL)
    ]
    assert lists == [rich_text.ELEMENTS, formula.ELEMENTS, formula.ATTRIBUTES | {"display"}]

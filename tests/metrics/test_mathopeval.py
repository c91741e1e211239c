"""MathOPEval's scores: reading options, taking code out, macro means as the paper's AVG, free-form summaries."""

import json
import math
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

import mmmath_tasks as mm
from mmmath_tasks.metrics.code_blocks import code
from mmmath_tasks.metrics.mathopeval import TASKS, TYPES, chance, official_letter, score, summarise, table_scores
from mmmath_tasks.metrics.mathopeval_execution import ExecutionScore, failed_score
from mmmath_tasks.problem import Problem

CASES = [json.loads(line) for line in Path(__file__).with_name("mathopeval_choices.jsonl").read_text().splitlines()]


def choice(id="q", task="mce_annotation", type="bar", answer="B", **groups):
    return Problem(
        "mathopeval",
        id,
        "Which number should be annotated on the bar of 'Oslo'?",
        ("17", "42", "63", "85"),
        answer,
        "multi_choice",
        groups={"task": (task,), "type": (type,), "task x type": (f"{task} x {type}",), **groups},
    )


def free(id="f", task="mcg", type="bar", **groups):
    shared = choice(task=task, type=type).groups
    return Problem("mathopeval", id, "Draw.", (), "plt.plot()", "free_form", groups={**shared, **groups})


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["response"] or "empty")
def test_reading(case):
    assert official_letter(case["response"], 4) == case["official"]
    verdict = score(choice(), case["response"])
    assert verdict.prediction == case["official"]
    assert verdict.official is (case["official"] == "B")
    assert verdict.verified is (case["verified"] == "B")
    for other in "ACD":
        assert score(choice(answer=other), case["response"]).verified is (case["verified"] == other)


def test_a_third_of_the_cases_are_not_right():
    assert sum(case["official"] != "B" for case in CASES) >= len(CASES) / 3


@given(st.text())
def test_any_text_is_scored(text):
    assert score(choice(), text).official in (True, False)
    assert score(free(), text).official is None
    assert official_letter(text, 4) in (None, *"ABCD")


@pytest.mark.parametrize(
    ("response", "found"),
    [
        ("```python\nplt.plot()\n```", "plt.plot()\n"),
        ("First:\n```\na = 1\n```\nbetter:\n```python\na = 2\n```\nDone.", "a = 2\n"),
        ("```latex\n\\draw (0,0);\n", "\\draw (0,0);\n"),
        ("~~~\nx = 1\n~~~", "x = 1\n"),
        ("  ```python\n  x = 1\n  ```", "x = 1\n"),
        ("- So:\n  - ```python\n    x = 1\n    if x:\n        y = 2\n    ```\n", "x = 1\nif x:\n    y = 2\n"),
        ("> Code:\n> ```python\n> x = 1\n> ```\n", "x = 1\n"),
        ("Code: ```python\nx = 1\n```", "x = 1\n"),
        ("```python\r\nx = 1\r\ny = 2\r\n```\r\n", "x = 1\ny = 2\n"),
        ("\ufeff# bars\nimport os\nplt.plot()\n", "# bars\nimport os\nplt.plot()\n"),
        ("```python\nx = 1\n```\nIt prints\n```\nx = 1\n```\n", "x = 1\n"),
        (
            "```python\nimport numpy as np\n```\nThen\n```python\na = np.ones(3)\n```",
            "import numpy as np\na = np.ones(3)\n",
        ),
        (
            "```python\nbad(np.x)\n```\nNo:\n```python\nimport numpy as np\na = np.ones(3)\n```",
            "import numpy as np\na = np.ones(3)\n",
        ),
        (
            "```latex\n\\usepackage{tikz}\n```\nThen\n```latex\n\\draw (0,0);\n```",
            "\\usepackage{tikz}\n\\draw (0,0);\n",
        ),
        (
            "```latex\n\\usepackage{x}\n```\nNo:\n```latex\n\\documentclass{a}\n\\begin{tikzpicture}\n```",
            "\\documentclass{a}\n\\begin{tikzpicture}\n",
        ),
        ("'''Bars.'''\nimport os\nplt.plot()\n", "'''Bars.'''\nimport os\nplt.plot()\n"),
        ("x = [1, 2]\nimport os\nplt.plot(x)\n", "x = [1, 2]\nimport os\nplt.plot(x)\n"),
        ("\\usetikzlibrary{calc}\n\\tikz \\draw (0,0);", "\\usetikzlibrary{calc}\n\\tikz \\draw (0,0);"),
        ("Here it is:\n\nimport os\nplt.plot()\n\nThis draws a line.\n", "import os\nplt.plot()\n"),
        ("The answer is x = 5, since a(b) is.", None),
        ("# The solution\nWe see that x = 5 and so on.", None),
        ("```python\nimport os\n```python\nimport re\n", "import re\n"),
        ("import matplotlib.pyplot as plt\nplt.plot()", "import matplotlib.pyplot as plt\nplt.plot()"),
        ("\\documentclass{article}...", "\\documentclass{article}..."),
        ("```python\nx = 1\n```\n```\n\n```", "x = 1\n"),
        ("```python\na = 1\n```\nRun it with\n```bash\npython figure.py\n```", "a = 1\n"),
        ("```latex\n\\draw;\n```\nThe page then says:\n```Text\nA B\n```", "\\draw;\n"),
        ("```shader\na = 1\n```", "a = 1\n"),
        ("```shader\na = 1\n```\n```\nb = 2\n```\n```text\nc\n```", "b = 2\n"),
        ("```bash\na\n```\n```text\nc\n```", "c\n"),
        (
            "```tex\n\\usepackage{x}\n```\n```tex\n\\begin{tikzpicture}\n\\node;\n```",
            "\\usepackage{x}\n\\begin{tikzpicture}\n\\node;\n",
        ),
        ("```text\nplt.plot()\n```", "plt.plot()\n"),
        ("```python\nplt.show()```", "plt.show()"),
        ("```\na = 1```\nbetter:\n```\na = 2\n```\n", "a = 2\n"),
        ("```python\na = '```'\nb = 1\n```", "a = '```'\nb = 1\n"),
        ("Code: ~~~\nx = 1\n~~~", None),
        ("a > b: ```python\n> x = 1\n```", "> x = 1\n"),
        ("> > ```python\n> > x = 1\n> ```", "x = 1\n"),
        ("````python\nx = '```'\n```\ny = 1\n````", "x = '```'\n```\ny = 1\n"),
        ("```\nx = 1\n`````\ny", "x = 1\n"),
        ("```python\nx = 1\n~~~python\ny = 1\n```", "x = 1\n~~~python\ny = 1\n"),
        ("```python\nx = 1\nSee ```python\ny = 1\n```", "x = 1\nSee ```python\ny = 1\n"),
        ("```{.PYTHON}\nx = 1\n```\n```{.r}\ny\n```", "x = 1\n"),
        ("```\nplt.plot()\n```\n```\n12\n```", "plt.plot()\n"),
        ("See:\n\\documentclass{a}\nx\\end {document}\nDone.", "\\documentclass{a}\nx\\end {document}\n"),
        (
            "See\n\\usepackage{x}\n  \\begin{tikzpicture}\n\\end{tikzpicture} ok",
            "\\usepackage{x}\n  \\begin{tikzpicture}\n\\end{tikzpicture}\n",
        ),
        ("Do:\nimport os\n\nx = 1\n\nThat is it.\n\nEnjoy.", "import os\n\nx = 1\n"),
        ("Do:\nimport os\nEnjoy.", "import os\nEnjoy.\n"),
        ("I import numpy here.", None),
        ("# Bars\nWe see that it is.\nimport os\nplt.plot()", "import os\nplt.plot()\n"),
        (
            '"""Bars.\nWe see that it is.\n"""\nimport os\nplt.plot()',
            '"""Bars.\nWe see that it is.\n"""\nimport os\nplt.plot()',
        ),
        ("```py\nimport os, math\n```\n```py\nx = 1\n```\n```py\nmath.pi\n```", "import os, math\nmath.pi\n"),
        ("```py\nfig, ax = f()\n```\n```py\nax.plot()\n```", "fig, ax = f()\nax.plot()\n"),
        ("```py\nax == f()\n```\n```py\nax.plot()\n```", "ax.plot()\n"),
        (
            "```py\nimport a as plt\n```\n```py\nfig = plt.f()\n```\n```py\nfig.x\n```",
            "import a as plt\nfig = plt.f()\nfig.x\n",
        ),
        ("```tex\n\\documentclass{a}\n\\end{document}\n```\n```tex\n\\draw;\n```", "\\draw;\n"),
        ("I would draw a line with plt.plot().", None),
        ("```\n```", None),
        ("", None),
    ],
)
def test_code(response, found):
    assert code(response) == found


def test_free_form_verdicts():
    fenced = "```\nplt.plot()\n```"
    assert score(free(), fenced).reason == "execution_needed"
    assert score(free(), fenced).verified is None
    right = score(free(), fenced, execution=ExecutionScore(1.0, "", {"f1": 1.0}), rating=9)
    assert (right.official, right.verified, right.reason) == (None, True, "")
    assert right.scores == {"execution": 1.0, "execution_f1": 1.0, "rating": 9}
    failed = score(free(), fenced, execution=failed_score("timeout"))
    assert (failed.verified, failed.reason, failed.scores) == (False, "timeout", {"execution": 0.0})
    none = score(free(), "no code", execution=failed_score("unextracted"))
    assert (none.verified, none.reason, none.extracted, none.scores) == (False, "unextracted", None, {"execution": 0.0})
    assert score(free(), "", execution=failed_score("unextracted")).reason == "empty"
    broken = score(free(), fenced, execution=ExecutionScore(math.nan, "reference: syntax"))
    assert broken.verified is None
    assert "execution" not in broken.scores


def test_macro_means_are_unweighted():
    """Table 4: GPT-4o has 5.41 on angles and 3.28 on lines, AVG 4.35, whatever the numbers of questions."""
    problems, verdicts = [], []
    for element, rights in (("angle", [1, 1, 1, 0]), ("line", [0])):
        for i, right in enumerate(rights):
            problem = choice(f"{element}{i}", type="geometry", element=(element,), direction=("forward",))
            problems.append(problem)
            verdicts.append(score(problem, "B" if right else "C"))
    card = summarise(problems, verdicts)
    assert card.value("acc") == pytest.approx(3 / 5)
    assert card.value("acc", "element", "angle") == pytest.approx(3 / 4)
    assert card.value("acc_macro", "mean over", "angle, line") == pytest.approx((3 / 4 + 0) / 2)
    assert card.value("acc", "geometry direction", "forward") == pytest.approx(3 / 5)
    marks = (("x", [1, 0]), ("y", [0]), ("extreme", [1]))
    pairs = [
        (choice(f"{m}{i}", type="function", element=(m,)), "CB"[r]) for m, rights in marks for i, r in enumerate(rights)
    ]
    card = summarise([p for p, _ in pairs], [score(p, letter) for p, letter in pairs])
    assert card.value("acc_macro", "mean over", "x, y, extreme") == pytest.approx((1 / 2 + 0 + 1) / 3)


def test_the_headline_is_the_mean_over_cells():
    problems = [choice(f"{t}{k}{i}", t, k) for t in TASKS for k in TYPES for i in range(1 + (k == "pie") * 9)]
    verdicts = [score(p, "B" if p.groups["type"] == ("pie",) else "A") for p in problems]
    card = summarise(problems, verdicts)
    assert card.headline == card.scores[0].metric == "acc_macro"
    assert card.value("acc_macro") == pytest.approx(4 / 20)
    assert card.value("acc") == pytest.approx(40 / 56)
    assert card.value("acc", "task x type", "mcg x pie") == 1
    cells = [s for s in card.scores if (s.metric, s.group) == ("acc", "task x type")]
    half = math.sqrt(sum(((s.high - s.low) / 2) ** 2 for s in cells)) / 20  # of independent parts, each a twentieth
    whole = card.get("acc_macro")
    assert (whole.low, whole.high) == (pytest.approx(0.2 - half), pytest.approx(0.2 + half))
    assert whole.count == 56


@pytest.mark.parametrize("given", ["A", "B"])
def test_intervals_of_macro_means_stay_within_the_scale(given):
    problems = [choice(f"{t}{k}{i}", t, k) for t in TASKS for k in TYPES for i in range(2)]
    card = summarise(problems, [score(p, given if i else "B") for i, p in enumerate(problems)])
    means = [s for s in card.scores if s.metric == "acc_macro" and s.count]
    assert len(means) > 3
    assert all(0 <= s.low < s.high <= 1 for s in means)


def test_parse_failures_are_wrong_and_shown():
    problems = [choice(str(i)) for i in range(4)]
    card = summarise(problems, [score(p, text) for p, text in zip(problems, ["B", "Bars rise.", "", "C"], strict=True)])
    assert card.value("parse_failure") == 0.5
    assert card.value("parse_failure", "task", "mce_annotation") == 0.5
    assert card.value("acc") == 0.25
    assert card.counts["empty"] == 1


def test_table_5_is_of_geometry_alone():
    problems = [choice("g", type="geometry", direction=("backward",)), choice("b", direction=("backward",))]
    card = summarise(problems, [score(problems[0], "B"), score(problems[1], "A")])
    assert card.value("acc", "geometry direction", "backward") == 1
    assert card.get("acc", "geometry direction", "backward").count == 1


def test_free_form_summary():
    problems = [free(str(i), task=TASKS[i % 4], type=TYPES[i % 5]) for i in range(20)]
    verdicts = [
        score(p, "```\nx\n```", execution=ExecutionScore(i / 19) if i % 5 else failed_score("blank"), rating=1 + i // 3)
        for i, p in enumerate(problems)
    ]
    card = summarise(problems, verdicts)
    assert card.headline == "execution_macro"
    mean = sum(i / 19 for i in range(20) if i % 5) / 20
    assert card.value("execution") == card.value("execution_macro") == pytest.approx(mean)
    assert card.value("rating") == pytest.approx(sum(1 + i // 3 for i in range(20)) / 20)
    assert card.value("code_failure") == pytest.approx(4 / 20)
    assert card.value("code_failure", "type", "geometry") == 1
    assert card.counts["blank"] == 4
    assert card.get("acc") is None


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 10)), min_size=3, max_size=30))
def test_correlation_is_spearmans(pairs):
    from scipy.stats import rankdata

    problems = [free(str(i)) for i in range(len(pairs))]
    verdicts = [
        score(p, "```\nx\n```", execution=ExecutionScore(a / 5), rating=b)
        for p, (a, b) in zip(problems, pairs, strict=True)
    ]
    found = summarise(problems, verdicts).value("execution_rating_correlation")
    first, second = (rankdata([pair[i] for pair in pairs]) for i in (0, 1))
    if first.std() and second.std():
        expected = ((first - first.mean()) * (second - second.mean())).mean() / first.std() / second.std()
        assert found == pytest.approx(expected, abs=1e-9)
    else:
        assert math.isnan(found)


def test_ratings_alone_are_the_headline_and_have_no_elements():
    problems = [free("a", "mce_annotation", "function", element=("x", "y")), free("b")]
    verdicts = [score(p, "```\nx\n```", rating=rating) for p, rating in zip(problems, (4, 9), strict=True)]
    card = summarise(problems, verdicts)
    assert (card.headline, card.value(card.headline)) == ("rating_macro", 6.5)
    assert card.scores[0].metric == "rating_macro"
    assert not [
        s for s in card.scores if s.metric.startswith("rating") and (s.group == "element" or "extreme" in s.slice)
    ]
    assert card.value("rating", "task x type", "mce_annotation x function") == 4
    ran = score(problems[0], "```\nx\n```", execution=ExecutionScore(0.5), rating=4)
    assert summarise(problems, [ran, verdicts[1]]).headline == "execution_macro"


def test_one_rating_alone_says_nothing_of_the_rest():
    problems = [free("a"), free("b")]
    card = summarise(problems, [score(problems[0], "```\nx\n```", rating=7), score(problems[1], "none")])
    assert card.get("rating").count == 1
    assert card.get("execution").count == 0
    assert math.isnan(card.value("execution"))


def counted(verdict, problem):
    return {name: value for name, value in table_scores(problem, verdict).items() if not math.isnan(value)}


def test_table_scores_name_task_and_type():
    """Every column of the table, nan where the response does not count."""
    assert counted(score(choice(), "B"), choice()) == {"acc_mce_annotation": 1.0, "acc_bar": 1.0}
    done = score(free(), "```\nx\n```", execution=ExecutionScore(0.5))
    assert counted(done, free()) == {"execution_mcg": 0.5, "execution_bar": 0.5}
    assert set(table_scores(free(), done)) == {f"execution_{name}" for name in (*TASKS, *TYPES)}
    assert table_scores(free(), score(free(), "x")) == {}


def test_the_public_face_finds_it():
    assert "mathopeval" in mm.benchmarks()
    assert chance(choice()) == 0.25

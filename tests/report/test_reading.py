"""What a reader of responses does in a real browser: rendered text, two runs, links, notes, exports, hostile texts."""

import json
import time

import pytest
from report.conftest import write_run

from mmmath_tasks.cli import main
from mmmath_tasks.outputs.paired_difference import compare
from mmmath_tasks.problem import Problem, Verdict
from mmmath_tasks.report import rich_text
from support.chromium import opened, requested, wait_for
from support.hostile_texts import TEXTS
from support.report_page import page_data

pytestmark = pytest.mark.slow

OWN = {"b", "button", "details", "div", "h3", "h4", "i", "input", "label", "option", "section", "select", "summary"}
"""Elements by which the page itself shows a problem."""


def shown(driver, script, *arguments):
    return driver.execute_script(f"return {script}", *arguments)


def go(driver, fragment):
    """Follow a link to a list of responses and wait until its problem is drawn."""
    driver.execute_script("location.hash = arguments[0]", fragment)
    wait_for(driver, "return document.body.dataset.followed === arguments[0]", f"#{fragment}")


def listed(driver):
    return int(shown(driver, "document.getElementById('count').textContent").split(" ")[0].replace(",", ""))


def complaints(driver):
    return [entry for entry in driver.get_log("browser") if entry["level"] != "INFO"]


@pytest.fixture(scope="module")
def browser(page):
    with opened(page / "index.html") as driver:
        yield driver


def write_two(folder, *, total=40):
    """Write two runs of one split; they disagree on some problems, and one problem was not scored in the second."""
    problems = [
        Problem("mathvision", str(i), f"What is ${i}^2$?\n<image1>", answer=str(i * i), groups={"level": (str(i % 3),)})
        for i in range(total)
    ]
    for label, right in (("first", lambda i: i % 2), ("second", lambda i: i % 5 == 0)):
        write_run(folder, label, problems[0], total=total, split="test")
        rows = []
        for i, problem in enumerate(problems):
            said = f"So it is **{i * i}**: $\\frac{{{i}}}{{1}}$ squared, says {label}."
            outcome = None if label == "second" and i == 7 else bool(right(i))
            verdict = Verdict(problem.id, outcome, outcome, str(i), span=(11, 11 + len(str(i * i))), features=("bold",))
            rows.append(json.dumps({"problem": problem.to_dict(), "response": said, "verdict": verdict.to_dict()}))
        (folder / f"samples_{label}.jsonl").write_text("\n".join(rows) + "\n")
    return problems


@pytest.fixture(scope="module")
def two(tmp_path_factory):
    folder = tmp_path_factory.mktemp("two")
    problems = write_two(folder)
    assert main(["report", str(folder), "-o", str(folder / "out")]) == 0
    with opened(folder / "out" / "index.html") as driver:
        yield folder, problems, driver


def test_text_is_rendered_and_the_switch_shows_it_as_it_is(two):
    _, _, driver = two
    go(driver, "id=12")
    assert shown(driver, "document.querySelectorAll('.answer .text.rich math mfrac').length") == 2
    assert shown(driver, "document.querySelector('#detail .label + .text math msup').textContent") == "122"
    assert shown(driver, "document.querySelector('#detail .label + .text span').textContent") == "picture 1"
    assert shown(driver, "document.querySelector('.answer .text strong mark').textContent") == "144"
    assert "decided by bold" in shown(driver, "document.querySelector('.answer .reading').textContent")
    go(driver, "id=12&raw=1")
    texts = shown(driver, "[...document.querySelectorAll('.answer .text')].map(n => n.textContent)")
    assert texts == [rf"So it is **144**: $\frac{{12}}{{1}}$ squared, says {run}." for run in ("first", "second")]
    marks = shown(driver, "[...document.querySelectorAll('.answer .text mark')].map(n => n.textContent)")
    assert marks == [texts[0][11:14]] * 2
    assert complaints(driver) == []


def test_a_fraction_in_a_line_is_not_tiny_and_one_in_display_style_as_large_as_the_text(tmp_path):
    """TeX's inline fractions are 0.7 of the text, too small on a screen."""
    problem = Problem("mathvision", "1", "?", answer="1")
    said = r"So $\frac{1}{2}$, $\dfrac{3}{4}$ and $$\frac{5}{6}$$"
    write_run(tmp_path, "one", problem, said=said)
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    size = "parseFloat(getComputedStyle(n).fontSize)"
    with opened(tmp_path / "out" / "index.html") as driver:
        around = shown(driver, f"[...document.querySelectorAll('.answer .text math')].map(n => {size})")
        parts = shown(driver, f"[...document.querySelectorAll('.answer .text mfrac > :first-child')].map(n => {size})")
    assert [round(part / whole, 2) for part, whole in zip(parts, around, strict=True)] == [0.86, 1, 1]


def test_the_list_says_what_its_marks_mean_and_whose_they_are(two):
    _, _, driver = two
    legend = "document.getElementById('legend').textContent"
    go(driver, "id=12")
    assert shown(driver, legend).endswith("One a run, from the left first, second.")
    for kind, word in (("right", "right"), ("wrong", "wrong"), ("unscored", "not scored")):
        mark = shown(driver, f"document.querySelector('.row .{kind}').textContent")
        assert f" {mark} {word}" in shown(driver, legend)
    go(driver, "hide=second")
    assert shown(driver, legend).endswith("from the left first.")


def test_two_runs_against_each_other_are_what_rescore_computes(two):
    folder, problems, driver = two
    held = page_data(folder / "out")[0]
    columns = [
        [json.loads(line)["verdict"] for line in (folder / f"samples_{run}.jsonl").read_text().splitlines()]
        for run in ("first", "second")
    ]
    verdicts = [[Verdict.from_dict(one) for one in column] for column in columns]
    for rule in ("official", "verified"):
        for a, b in ((0, 1), (1, 0)):
            whole, *slices = compare(problems, verdicts[a], verdicts[b], rule)
            slices.sort(key=lambda d: -abs(round(100 * (d.second - d.first), 1)) / round(100 * (d.high - d.low), 1))
            names = [held["runs"][i]["name"] for i in (a, b)]
            go(driver, f"a={names[0]}&b={names[1]}&rule={rule}")
            cells = shown(
                driver,
                "Object.fromEntries([...document.querySelectorAll('.two-by-two button')]"
                ".map(b => [b.dataset.cell, +b.textContent]))",
            )
            both = round(whole.first * whole.count) - whole.only_first
            neither = whole.count - both - whole.only_first - whole.only_second
            assert cells == {"both": both, "a": whole.only_first, "b": whole.only_second, "neither": neither}
            assert min(cells.values()) > 0
            said = shown(driver, "document.querySelector('#pair .numbers').textContent")
            change, low, high = (f"{100 * x:+.1f}" for x in (whole.second - whole.first, whole.low, whole.high))
            assert f"{change} [{low}, {high}] points, p {whole.p:.3f}, n={whole.count}" in said
            driver.execute_script("document.querySelector('#pair-result details').open = true")
            wait_for(driver, "return document.querySelector('#pair-result details table')")
            rows = shown(
                driver,
                "[...document.querySelectorAll('#pair-result details tbody tr')]"
                ".map(r => [...r.cells].map(c => c.textContent))",
            )
            assert [row[0] for row in rows] == [f"{d.group}: {d.slice}" for d in slices]
            assert [row[2] for row in rows] == [f"{d.p:.3f}" for d in slices]
            assert [[int(x) for x in row[3:]] for row in rows] == [
                [d.only_first, d.only_second, d.count] for d in slices
            ]


def test_slices_whose_difference_stands_out_come_first_and_the_others_are_folded(tmp_path):
    """Of 14 slices the first run has each right but two, in which it has one or all of six problems wrong."""
    slices = [f"a_{i}" for i in range(14)]
    for label in ("first", "second"):
        rows = []
        for i, part in enumerate(slices * 6):
            problem = Problem("mathvision", str(i), "?", answer="1", groups={"sub_ject": (part,)})
            right = label == "second" or part not in ("a_4", "a_9") or (part == "a_4" and i > 14)
            verdict = Verdict(problem.id, right, right, "1")
            rows.append(json.dumps({"problem": problem.to_dict(), "response": "1", "verdict": verdict.to_dict()}))
        write_run(tmp_path, label, problem, total=84, split="test")
        (tmp_path / f"samples_{label}.jsonl").write_text("\n".join(rows))
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    with opened(tmp_path / "out" / "index.html") as driver:
        go(driver, "a=first&b=second")
        driver.execute_script("document.querySelector('#pair-result details').open = true")
        rows = "[...document.querySelectorAll('#pair-result tbody tr:not([hidden]) th')].map(r => r.textContent)"
        wait_for(driver, f"return {rows}.length")
        assert shown(driver, rows)[:3] == ["sub ject: a 9", "sub ject: a 4", "sub ject: a 0"]
        assert len(shown(driver, rows)) == 10
        assert "Those stand first whose difference" in shown(driver, "document.getElementById('pair').textContent")
        more = driver.find_element("css selector", "#pair-result .more")
        assert more.text == "Show all 14 slices, not only the first 10"
        driver.execute_script("arguments[0].click()", more)
        assert len(shown(driver, rows)) == 14
        assert complaints(driver) == []


def test_a_link_is_followed_although_the_address_of_the_last_list_is_written_just_then(two):
    _, _, driver = two
    go(driver, "verdict=right")
    wanted = "verdict=wrong"
    driver.execute_script("location.hash = arguments[0]; history.replaceState(null, '', '#verdict=right&x=')", wanted)
    wait_for(driver, "return document.body.dataset.followed !== '#verdict=right'")
    assert shown(driver, "document.body.dataset.followed") == f"#{wanted}"
    assert shown(driver, "document.getElementById('verdict').value") == "wrong"


@pytest.mark.parametrize(
    ("extracted", "reason", "said"),
    [
        ("E", "unextracted", "unmatched"),
        (None, "unextracted", "unextracted"),
        ("E", "judge_failed: unextracted", "judge_failed: unextracted"),
    ],
)
def test_a_reason_has_the_name_by_which_it_is_found_and_counted(extracted, reason, said, tmp_path):
    problem = Problem("mathvision", "1", "?", answer="A")
    write_run(tmp_path, "run", problem, counts={said: 1}, split="test")
    row = {"problem": problem.to_dict(), "response": "E", "verdict": Verdict("1", False, False, extracted).to_dict()}
    row["verdict"]["reason"] = reason
    (tmp_path / "samples_run.jsonl").write_text(json.dumps(row))
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    with opened(tmp_path / "out" / "index.html") as driver:
        go(driver, f"reason={said.partition(':')[0]}")
        assert listed(driver) == 1
        assert f"because {said}" in shown(driver, "document.querySelector('.reading').textContent")


def test_the_page_says_what_the_terminal_does(two, tmp_path, monkeypatch, capsys):
    """The same two files through `mmmath rescore --compare`: points, interval, p, and what only one has right."""
    _, problems, _ = two
    files = [tmp_path / f"{label}.jsonl" for label in ("one", "two")]
    for file, wrong in zip(files, (3, 5), strict=True):
        rows = [
            {
                "problem": p.to_dict(),
                "response": f"Answer: {0 if i % wrong else p.answer}",
                "verdict": Verdict(p.id, None, None).to_dict(),
            }
            for i, p in enumerate(problems)
        ]
        file.write_text("".join(json.dumps(row) + "\n" for row in rows))
    assert main(["rescore", *map(str, files), "--benchmark", "mathvision", "--out", str(tmp_path)]) == 0
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    monkeypatch.setenv("COLUMNS", "200")
    for rule in ("official", "verified"):
        capsys.readouterr()
        command = ["rescore", *map(str, files), "--benchmark", "mathvision", "--compare", "--all", "--rule", rule]
        assert main(command) == 0
        terminal = [line.split() for line in capsys.readouterr().out.splitlines()]
        with opened(tmp_path / "out" / "index.html") as page:
            go(page, f"a=one&b=two&rule={rule}")
            said = shown(page, "document.querySelector('#pair .numbers').textContent").split(": ")[1]
            numbers = said.replace(" points, p", "").replace(", n=", " ").split()
            cells = shown(
                page, "['a', 'b'].map(c => document.querySelector(`.two-by-two [data-cell=${c}]`).textContent)"
            )
            assert ["all", *numbers[:-1], *cells, numbers[-1]] in terminal


def test_each_cell_opens_its_list_and_responses_stand_side_by_side(two):
    _, _, driver = two
    go(driver, "a=first&b=second")
    assert listed(driver) == 40
    counts = {}
    for cell in ("both", "a", "b", "neither"):
        driver.execute_script("document.querySelector(`.two-by-two [data-cell=${arguments[0]}]`).click()", cell)
        wait_for(
            driver,
            "return document.querySelector(`[data-cell=${arguments[0]}]`).getAttribute('aria-pressed') === 'true'",
            cell,
        )
        counts[cell] = int(shown(driver, "document.querySelector(`[data-cell=${arguments[0]}]`).textContent", cell))
        assert listed(driver) == counts[cell] > 0
    assert sum(counts.values()) == 39
    boxes = shown(driver, "[...document.querySelectorAll('.beside .answer')].map(b => b.getBoundingClientRect().left)")
    assert boxes[0] + 200 < boxes[1]
    differ = shown(driver, "[...document.querySelectorAll('.beside .differs')].map(m => m.textContent)")
    assert differ == ["first.", "second."]


def test_every_filter_and_order_is_in_the_address(two):
    folder, _, driver = two
    wanted = {
        "id=9": (40, "9"),
        "verdict=right&run=first": (20, "1"),
        "field.level=1&sort=id&reverse=1": (13, "37"),
        "disagree=1&sort=rate": (19, "0"),
        "unread=1": (0, None),
        "hide=first&verdict=right": (8, "0"),
        "q=squared+%2264%22": (0, None),
        "q=says+second&rule=verified&raw=1&sort=disagreement": (40, "0"),
    }
    for fragment, (count, first) in wanted.items():
        go(driver, fragment)
        assert listed(driver) == count, fragment
        if first is not None:
            assert shown(driver, "document.querySelector('#detail h3').textContent").endswith(f" {first}")
        # the page writes the same address when something is touched
        driver.execute_script("document.getElementById('raw').dispatchEvent(new Event('change', {bubbles: true}))")
        time.sleep(0.3)
        again = shown(driver, "location.hash.slice(1)")
        own = dict(pair.split("=") for pair in again.split("&"))
        assert {k: v for k, v in own.items() if k != "id"} == {
            k: v.replace("%22", "%22") for k, v in (pair.split("=") for pair in fragment.split("&")) if k != "id"
        }
        # and opened anew from disk it shows the same
        with opened(folder / "out" / "index.html", fragment=again) as anew:
            assert listed(anew) == count
            assert shown(anew, "location.hash.slice(1)") == again
    go(driver, "id=0")


def test_orders(browser, page):
    held = next(one for one in page_data(page) if one["name"] == "mathvista")
    for name, first in (
        ("length", max(max(a[12] for a in pair) for pair in zip(*held["answers"], strict=True))),
        ("confidence", min(min(a[3] for a in pair) for pair in zip(*held["answers"], strict=True))),
    ):
        go(browser, f"set=MathVista&sort={name}")
        at = shown(browser, "document.querySelector('#detail h3').textContent").removeprefix("MathVista ")
        i = next(i for i, problem in enumerate(held["problems"]) if problem["id"] == at)
        values = [given[i][{"length": 12, "confidence": 3}[name]] for given in held["answers"]]
        assert first in values


def test_filters_of_single_responses(browser, page):
    held = next(one for one in page_data(page) if one["name"] == "mathvista")
    pairs = list(zip(*held["answers"], strict=True))
    for name, fits in (
        ("unlike", lambda a: a[5] is not a[6] and None not in (a[5], a[6])),
        ("unread", lambda a: a[0] is None),
        ("truncated", lambda a: a[8]),
    ):
        go(browser, f"set=MathVista&{name}=1")
        assert listed(browser) == sum(any(map(fits, pair)) for pair in pairs)


def test_notes_are_kept_and_exported_as_judges_read_them(tmp_path, capsys):
    write_two(tmp_path, total=6)
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    downloads = tmp_path / "downloads"
    with opened(tmp_path / "out" / "index.html", downloads=downloads) as driver:
        for number, tag in (("0", "calculation"), ("2", "knowledge")):
            go(driver, f"id={number}")
            driver.execute_script(
                "const line = document.querySelector('.answer .note-line');"
                "const [tag, note] = line.querySelectorAll('select, input');"
                "tag.value = arguments[0]; tag.dispatchEvent(new Event('change', {bubbles: true}));"
                "note.value = 'a slip: \"é\"'; note.dispatchEvent(new Event('change', {bubbles: true}));",
                tag,
            )
        driver.refresh()
        wait_for(driver, "return document.body.dataset.ready === 'true'")
        assert shown(
            driver,
            "[...document.querySelectorAll('.answer .note-line select, .answer .note-line input')].map(n => n.value)",
        )[:2] == [
            "knowledge",
            'a slip: "é"',
        ]
        go(driver, "noted=1")
        assert listed(driver) == 2
        driver.execute_script("document.getElementById('export-notes').click()")
        noted = downloaded(downloads, "notes_first.jsonl")
        go(driver, "run=second&verdict=right")
        driver.execute_script("document.getElementById('export').click()")
        right = downloaded(downloads, "responses_second.jsonl")
        go(driver, "verdict=wrong")
        driver.execute_script("document.getElementById('export').click()")
        mistakes = downloaded(downloads, "responses_first.jsonl")
    rows = [json.loads(line) for line in noted.read_text().splitlines()]
    assert [(row["problem"]["id"], row["detail"]["error_type"]) for row in rows] == [
        ("0", "calculation"),
        ("2", "knowledge"),
    ]
    assert rows[0]["detail"]["analysis"] == 'a slip: "é"'
    lines = (tmp_path / "samples_second.jsonl").read_text().splitlines()
    samples = {row["problem"]["id"]: row for row in map(json.loads, lines)}
    wrong = [json.loads(line)["verdict"]["official"] for line in mistakes.read_text().splitlines()]
    assert wrong == [False] * len(wrong) != []  # of problems that the other run alone has wrong, nothing
    exported = [json.loads(line) for line in right.read_text().splitlines()]
    assert [row["problem"]["id"] for row in exported] == ["0", "5"]
    for row in exported:
        assert {key: row[key] for key in ("problem", "response", "verdict")} == samples[row["problem"]["id"]]
    capsys.readouterr()
    assert main(["judge", str(noted), "--metric", "errors", "--benchmark", "mathvision", "--dry-run"]) == 0
    other = tmp_path / "other.jsonl"
    other.write_text("".join(json.dumps(row | {"detail": {"error_type": "calculation"}}) + "\n" for row in rows))
    assert main(["judge-agreement", str(noted), str(other), "--column", "detail.error_type"]) == 0
    assert "2 items labelled by both" in capsys.readouterr().out
    assert main(["rescore", str(right), "--benchmark", "mathvision"]) == 0


def downloaded(folder, name):
    path = folder / name
    for _ in range(200):
        if path.exists():
            return path
        time.sleep(0.05)
    raise AssertionError(f"{name} was not saved; there are {sorted(p.name for p in folder.iterdir())}")


def test_runs_can_be_hidden(two):
    _, _, driver = two
    go(driver, "hide=second")
    assert shown(driver, "[...document.querySelectorAll('.answer')].map(b => b.dataset.run)") == ["first"]
    assert shown(driver, "document.querySelectorAll('.row .marks')[0].children.length") == 1


def test_keys_are_listed_and_pictures_can_be_enlarged(tmp_path):
    from selenium.webdriver.common.action_chains import ActionChains
    from selenium.webdriver.common.by import By

    folder = tmp_path / "runs"
    folder.mkdir()
    write_two(folder, total=3)
    assert main(["report", str(folder), "-o", str(tmp_path / "out")]) == 0
    with opened(tmp_path / "out" / "index.html") as driver:
        ActionChains(driver).send_keys("?").perform()
        said = shown(driver, "document.querySelector('dialog#keys[open]').textContent")
        for key in ("j, n", "k, p", "/", "d", "?"):
            assert key in said
        driver.find_element(By.CSS_SELECTOR, "#keys button").click()
        assert shown(driver, "document.querySelectorAll('dialog[open]').length") == 0


@pytest.fixture(scope="module")
def hostile(tmp_path_factory):
    """A page whose question, choices, answer, prompts and responses are hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    rows = []
    for i, text in enumerate(TEXTS):
        problem = Problem(
            "mathvista", f"{i} {text[:40]}", text, choices=(text, "x"), answer=text, unit=text, groups={"task": (text,)}
        )
        verdict = Verdict(
            problem.id, False, False, text, text, span=(0, len(text)), features=(text[:30],), reason=text[:30]
        )
        rows.append(
            json.dumps({"problem": problem.to_dict(), "response": text, "prompt": text, "verdict": verdict.to_dict()})
        )
        if not i:
            write_run(folder, "one", problem, total=len(TEXTS))
            write_run(folder, "two", problem, total=len(TEXTS))
    for label in ("one", "two"):
        (folder / f"samples_{label}.jsonl").write_text("\n".join(rows) + "\n")
    assert main(["report", str(folder), "-o", str(folder / "out")]) == 0
    return folder / "out" / "index.html"


def test_hostile_texts_are_inert(hostile):
    known = rich_text.ELEMENTS | OWN
    with opened(hostile) as driver:
        driver.execute_script("window.breaches = 0; window.bad = () => window.breaches++;")
        before = shown(driver, "document.querySelectorAll('script, style, link, meta, base, iframe, object').length")
        from selenium.webdriver.common.action_chains import ActionChains

        for raw in ("", "&raw=1"):
            go(driver, "a=one&b=two" + raw)
            for text in TEXTS:
                if raw:
                    texts = shown(driver, "[...document.querySelectorAll('.answer > .text')].map(n => n.textContent)")
                    assert texts == [text, text]
                found = shown(
                    driver,
                    "[...document.querySelectorAll('#detail *, #list *')].map(n => [n.namespaceURI, n.localName,"
                    " [...n.attributes].map(a => a.name)])",
                )
                for space, name, attributes in found:
                    if space.endswith("xhtml"):
                        assert name in known
                        assert not [a for a in attributes if a.startswith("on") or a in ("href", "srcdoc", "action")]
                    else:
                        assert space.endswith("MathML")
                        assert "href" not in attributes
                ActionChains(driver).send_keys("j").perform()
        assert shown(driver, "window.breaches") == 0
        assert (
            shown(driver, "document.querySelectorAll('script, style, link, meta, base, iframe, object').length")
            == before
        )
        assert [url for url in requested(driver) if not url.startswith(("file:", "data:"))] == []
        assert complaints(driver) == []


def click(driver, script, *arguments):
    """Click a shape of a drawing or a link, and wait until the list behind it is there."""
    driver.execute_script("delete document.body.dataset.followed")
    driver.execute_script(
        f"({script}).dispatchEvent(new MouseEvent('click', {{bubbles: true, cancelable: true}}))",
        *arguments,
    )
    wait_for(driver, "return document.body.dataset.followed")


def test_bars_cells_and_counts_open_the_responses_behind_them(browser, page, scored):
    held = {one["name"]: one for one in page_data(page)}
    for name, group in (("mathvista", "task"), ("mathvision", "subject x level"), ("mathvision", "level")):
        figures = f"document.querySelectorAll('#{name} figure[data-group=\"{group}\"] .opens[data-part-1]')"
        count = shown(browser, f"{figures}.length")
        assert count > 3
        for at in (0, count - 1):
            run, *parts = shown(
                browser, f"(n => [n.dataset.run, n.dataset['part-1'], n.dataset['part-2']])({figures}[{at}])"
            )
            click(browser, f"{figures}[{at}]")
            part = ", ".join(filter(None, parts))
            wanted = [p for p in held[name]["problems"] if part in p["fields"][group]]
            assert listed(browser) == len(wanted)
            assert shown(browser, "document.getElementById('run').value") == run
    card = json.loads((scored / "scorecard_mathvista_first.json").read_text())
    for reason in ("empty", "unextracted"):
        assert card["counts"][reason] > 0
        link = f"document.querySelector('#mathvista a[href*=\"run=mathvista_first&reason={reason}\"]')"
        click(browser, link)
        assert listed(browser) == card["counts"][reason]
    click(browser, "document.querySelector('#mathvista td a[href*=\"rule=verified\"]')")
    assert shown(browser, "document.body.dataset.rule") == "verified"
    assert complaints(browser) == []

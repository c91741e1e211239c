"""The page in a real browser, opened from disk: quiet, offline, driven by pointer and keys."""

from pathlib import Path

import pytest
from report.conftest import NASTY, write_run

from mmmath_tasks.cli import main
from mmmath_tasks.problem import Problem
from support.chromium import opened, requested, wait_for
from support.report_page import COLUMN, page_data, responses

pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def browser(page):
    with opened(page / "index.html") as driver:
        yield driver


@pytest.fixture(autouse=True)
def fresh(browser):
    """Filters cleared, first problem of MathVista chosen, official rule."""
    browser.execute_async_script(
        "document.querySelector('.filters').reset();"  # the page starts anew a moment after it
        "const b = document.getElementById('benchmark');"
        "b.value = [...b.options].find(o => o.text === 'MathVista').value;"
        "b.dispatchEvent(new Event('change', {bubbles: true}));"
        "document.querySelector('button[data-rule=official]').click(); document.activeElement.blur();"
        "setTimeout(arguments[0]);"
    )
    wait_for(browser, "return document.getElementById('count').textContent.startsWith('32 of 32')")


def count(browser):
    return int(
        browser.execute_script("return document.getElementById('count').textContent").split(" ")[0].replace(",", "")
    )


def chosen(browser):
    return browser.execute_script("return document.querySelector('#detail h3').textContent")


def press(browser, keys):
    from selenium.webdriver.common.action_chains import ActionChains

    ActionChains(browser).send_keys(keys).perform()


def pick(browser, name, value):
    browser.execute_script(
        "const s = document.getElementById(arguments[0]); s.value = arguments[1];"
        "s.dispatchEvent(new Event('change', {bubbles: true}));",
        name,
        value,
    )


@pytest.fixture(scope="module")
def held(page):
    """What the page holds of MathVista, for what the filters should find."""
    return next(one for one in page_data(page) if one["name"] == "mathvista")


def test_no_complaint_and_no_request(browser, page):
    assert [entry for entry in browser.get_log("browser") if entry["level"] != "INFO"] == []
    own = (page / "index.html").absolute().as_uri()
    assert [url for url in requested(browser) if url != own and not url.startswith("data:")] == []


def test_text_of_a_model_stays_text(browser):
    shown = "return [...document.querySelectorAll('#detail .answer .text')].map(n => n.textContent)"
    rendered = NASTY.replace("&amp;", "&").replace("\x00", "\ufffd")  # as Markdown has entities and the character 0
    assert rendered in browser.execute_script(shown)
    raw = browser.find_element("id", "raw")
    browser.execute_script("arguments[0].click()", raw)
    assert NASTY in browser.execute_script(shown)
    browser.execute_script("arguments[0].click()", raw)
    assert browser.title != "pwned"
    assert browser.execute_script("return document.querySelectorAll('#detail img[src=x], #detail script').length") == 0


def test_keys_move_through_the_problems(browser):
    first = chosen(browser)
    press(browser, "j")
    second = chosen(browser)
    assert second != first
    press(browser, "jjk")
    assert chosen(browser) not in (first, second)
    press(browser, "kkkk")
    assert chosen(browser) == first
    from selenium.webdriver.common.keys import Keys

    browser.execute_script("document.getElementById('list').focus()")
    press(browser, Keys.END)
    assert browser.execute_script("return document.querySelector('.row[aria-selected=true]').id") == "row-31"
    press(browser, Keys.HOME)
    assert chosen(browser) == first
    active = browser.execute_script("return document.getElementById('list').getAttribute('aria-activedescendant')")
    assert active == "row-0"


def test_search_finds_words_of_responses_and_questions(browser, held):
    press(browser, "/")
    press(browser, "It cannot be SAID")
    wanted = sum(
        any("it cannot be said" in (said or "").lower() for said in both)
        for both in zip(responses(held, 0), responses(held, 1), strict=True)
    )
    assert 0 < wanted < 32
    # the page searches when typing pauses, on a slow machine before its end as well
    wait_for(browser, "return document.getElementById('count').textContent.startsWith(arguments[0])", f"{wanted} of")
    press(browser, " zzzzqqq")
    wait_for(browser, "return document.getElementById('count').textContent.startsWith('0 of')")
    assert "No problem fits" in browser.execute_script("return document.getElementById('detail').textContent")


def test_verdicts_filter_by_run_and_rule(browser, held):
    for rule, column in (("official", COLUMN["official"]), ("verified", COLUMN["verified"])):
        browser.execute_script("document.querySelector(`button[data-rule=${arguments[0]}]`).click()", rule)
        for run in (0, 1):
            pick(browser, "run", held["runs"][run]["name"])
            for verdict, value in (("right", True), ("wrong", False)):
                pick(browser, "verdict", verdict)
                assert count(browser) == sum(answer[column] is value for answer in held["answers"][run])


def test_any_field_filters(browser, held):
    browser.execute_script("document.getElementById('more').open = true")
    assert set(held["fields"]) >= {"task", "skill", "grade", "context", "question type"}
    for name in held["fields"]:
        value = held["problems"][3]["fields"][name][0]
        browser.execute_script(
            "const s = document.querySelector(`#fields select[data-field='${arguments[0]}']`); s.value = arguments[1];"
            "s.dispatchEvent(new Event('change', {bubbles: true}));",
            name,
            value,
        )
        assert count(browser) == sum(value in problem["fields"].get(name, []) for problem in held["problems"])
        browser.execute_script(
            "const s = document.querySelector(`#fields select[data-field='${arguments[0]}']`); s.value = '';"
            "s.dispatchEvent(new Event('change', {bubbles: true}));",
            name,
        )
    pick(browser, "reason", "empty")
    assert count(browser) == sum(
        any(a[i][COLUMN["reason"]] == "empty" for a in held["answers"]) for i in range(len(held["problems"]))
    )


def test_only_where_two_runs_disagree(browser, held):
    first, second = held["answers"]
    for rule, column in (("official", COLUMN["official"]), ("verified", COLUMN["verified"])):
        browser.execute_script("document.querySelector(`button[data-rule=${arguments[0]}]`).click()", rule)
        press(browser, "d")
        wanted = sum(a[column] != b[column] for a, b in zip(first, second, strict=True))
        assert 0 < wanted < 32
        assert count(browser) == wanted
        press(browser, "d")
        assert count(browser) == 32


def test_the_rule_switches_the_plots(browser):
    shown = (
        "return [...document.querySelectorAll('#mathvista figure')].filter(f => f.offsetParent).map(f => f.className)"
    )
    assert set(browser.execute_script(shown)) == {"by-both", "by-official"}
    browser.execute_script("document.querySelector('button[data-rule=verified]').click()")
    assert set(browser.execute_script(shown)) == {"by-both", "by-verified"}


def test_only_rows_in_sight_exist(browser):
    assert browser.execute_script("return document.querySelectorAll('.row').length") <= 40


def test_every_control_has_a_name_and_every_drawing_words(browser):
    nameless = browser.execute_script(
        "return [...document.querySelectorAll('input, select, button, summary, a')]"
        ".filter(n => !(n.labels && n.labels.length) && !n.textContent.trim() && !n.getAttribute('aria-label'))"
        ".map(n => n.outerHTML)"
    )
    assert nameless == []
    assert browser.execute_script(
        "return [...document.querySelectorAll('svg')].every(s => s.querySelector('title') && s.querySelector('desc'))"
    )


def test_text_stands_out_from_its_ground(browser):
    """WCAG 2.1 AA: 4.5 : 1, of every text in sight on the page."""
    script = Path(__file__).with_name("contrast.js").read_text()
    assert browser.execute_script(script) == []


def test_a_phone_needs_no_sideways_scrolling(page):
    with opened(page / "index.html", 390, 844) as phone:
        assert phone.execute_script("return document.documentElement.scrollWidth") <= 390
        # both rules' scores stand side by side without a swipe
        heads = "return [...document.querySelectorAll('#mathvista thead th')].map(h => h.getBoundingClientRect().right)"
        titles = "return [...document.querySelectorAll('#mathvista thead th')].map(h => h.textContent)"
        right = dict(zip(phone.execute_script(titles), phone.execute_script(heads), strict=True))
        assert right["acc, read by rules"] < right["acc verified"] <= 390
        assert [e for e in phone.get_log("browser") if e["level"] != "INFO"] == []


def test_pictures_beside_the_page_are_shown(scored, tmp_path):
    import json

    from mmmath_tasks.cli import main

    record = json.loads((scored / "scorecard_mathvision_first.json").read_text())
    record["provenance"]["split"] = "sample"
    (tmp_path / "scorecard_x.json").write_text(json.dumps(record))
    (tmp_path / "samples_x.jsonl").write_bytes((scored / "samples_mathvision_first.jsonl").read_bytes())
    assert main(["report", str(tmp_path / "scorecard_x.json"), "-o", str(tmp_path / "out"), "--pictures"]) == 0
    with opened(tmp_path / "out" / "index.html") as driver:
        wait_for(
            driver, "const p = document.querySelector('#detail img'); return p && p.complete && p.naturalWidth > 10"
        )
        assert driver.execute_script("return document.querySelector('#detail img').alt").startswith(
            "Picture 1 of problem"
        )
        # one benchmark and one run: nothing to choose between
        assert not driver.execute_script("return document.getElementById('benchmark').offsetParent")
        assert driver.execute_script("return document.getElementById('disagree').disabled")
        assert [e for e in driver.get_log("browser") if e["level"] != "INFO"] == []


def shown_answers(driver):
    """Return, for the chosen problem, what stands above the responses, and of each run its name, prompt and text."""
    return driver.execute_script(
        "const one = (box, which) => (box.querySelector(which) || {}).textContent;"
        "const detail = document.getElementById('detail');"
        "return [detail.querySelector('.label').textContent, detail.querySelector('.label + .text').textContent,"
        " one(detail, '.gold b'),"
        " [...detail.querySelectorAll('.answer')].map(b => [b.querySelector('h4').childNodes[1].textContent,"
        " b.querySelector('.asked') ? one(b, '.asked .text') : null, one(b, ':scope > .text')])]"
    )


def test_each_run_has_its_own_prompt(tmp_path):
    problem = Problem("mathvista", "1", "How long is the rod?", answer="0.4")
    write_run(tmp_path, "plain", problem, prompt="How long is the rod?", said="0.4", split="testmini")
    write_run(tmp_path, "steps", problem, prompt="Think. How long is the rod?", said="It is 0.4", split="testmini")
    write_run(tmp_path, "untold", problem, said="0.40", split="testmini")
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    with opened(tmp_path / "out" / "index.html") as driver:
        label, above, gold, answers = shown_answers(driver)
        assert (label, above, gold) == ("Question", "How long is the rod?", "0.4")
        assert answers == [
            ["plain", "How long is the rod?", "0.4"],
            ["steps", "Think. How long is the rod?", "It is 0.4"],
            ["untold", None, "0.40"],
        ]
    (tmp_path / "scorecard_steps.json").unlink()
    (tmp_path / "scorecard_untold.json").unlink()
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    with opened(tmp_path / "out" / "index.html") as driver:
        assert shown_answers(driver) == ["Prompt", "How long is the rod?", "0.4", [["plain", None, "0.4"]]]


def test_the_right_answer_beside_a_response_is_its_own_problems(tmp_path):
    ours = Problem("mathvista", "1", "How long is the rod?", answer="0.4")
    theirs = Problem("mathvista", "1", "How far does the block slide?", answer="1.2")
    other = Problem("mathvision", "1", "How many kites?", answer="3")
    write_run(tmp_path, "ours", ours, said="0.4", split="sample")
    write_run(tmp_path, "theirs", theirs, said="1.2", split="testmini")
    write_run(tmp_path, "other", other, said="3", split="test")
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    seen = {}
    with opened(tmp_path / "out" / "index.html") as driver:
        for title in driver.execute_script(
            "return [...document.querySelectorAll('#benchmark option')].map(o => o.text)"
        ):
            driver.execute_script(
                "const b = document.getElementById('benchmark');"
                "b.value = [...b.options].find(o => o.text === arguments[0]).value;"
                "b.dispatchEvent(new Event('change', {bubbles: true}));",
                title,
            )
            _, question, gold, answers = shown_answers(driver)
            seen[title] = [question, gold, *([run, text] for run, _, text in answers)]
    assert seen == {
        "MathVista, sample": ["How long is the rod?", "0.4", ["ours", "0.4"]],
        "MathVista, testmini": ["How far does the block slide?", "1.2", ["theirs", "1.2"]],
        "MATH-Vision": ["How many kites?", "3", ["other", "3"]],
    }

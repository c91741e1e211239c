"""Who reads the page otherwise: in the dark, on a phone, on paper, from right to left, with a screen reader."""

import base64
import io
from importlib.resources import files
from pathlib import Path

import pytest
from report.conftest import write_run

from mmmath_tasks.cli import main
from mmmath_tasks.problem import Problem
from support.chromium import opened, wait_for
from support.needs import needs

pytestmark = pytest.mark.slow

AXE = """
const [source, done] = arguments;
new Function(source)();
axe.run(document, {resultTypes: ["violations"]}).then(({violations}) => done(violations.map(
  ({id, nodes}) => `${id}: ${nodes.length}, such as ${nodes[0].html.slice(0, 200)} ${nodes[0].failureSummary}`)));
"""
OVERLAPS = (Path(__file__).parent / "overlaps.js").read_text()


def emulate(driver, **media):
    features = [{"name": "prefers-color-scheme", "value": media.get("scheme", "light")}]
    driver.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": media.get("media", "screen"), "features": features})


def open_everything(driver, fragment):
    """Show two runs against each other with their slices, and whatever else is folded."""
    driver.execute_script("location.hash = arguments[0]", fragment)
    wait_for(driver, "return document.querySelector('.two-by-two')")
    driver.execute_script("for (const one of document.querySelectorAll('details')) one.open = true")
    wait_for(driver, "return document.querySelector('#pair-result details table')")


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [1440, 390])
def test_axe_finds_nothing(page, width, scheme):
    source = (files("selenium_axe_python") / "axe-core" / "axe.min.js").read_text(encoding="utf-8")
    with opened(page / "index.html", width, 900) as driver:
        driver.execute_cdp_cmd("Page.setBypassCSP", {"enabled": True})  # the page lets no script of axe's be compiled
        driver.refresh()
        wait_for(driver, "return document.body.dataset.ready === 'true'")
        emulate(driver, scheme=scheme)
        assert driver.execute_async_script(AXE, source) == []
        open_everything(driver, "set=MathVista&a=mathvista_first&b=mathvista_second&field.grade=college")
        assert driver.execute_async_script(AXE, source) == []
        driver.execute_script("document.getElementById('show-keys').click()")
        assert driver.execute_async_script(AXE, source) == []
        assert driver.execute_script("return document.documentElement.scrollWidth") <= width
        ground = driver.execute_script("return getComputedStyle(document.body).backgroundColor")
        assert ground == ("rgb(255, 255, 255)" if scheme == "light" else "rgb(20, 24, 29)")


def test_text_stands_out_from_its_ground_in_the_dark(page):
    """WCAG 2.1 AA: 4.5 : 1, of every text in sight on the page."""
    with opened(page / "index.html") as driver:
        emulate(driver, scheme="dark")
        open_everything(driver, "set=MathVista&a=mathvista_first&b=mathvista_second")
        assert driver.execute_script(Path(__file__).with_name("contrast.js").read_text()) == []


def test_the_text_of_plots_is_legible_on_a_phone(page):
    sizes = """return [...document.querySelectorAll("#mathvision .plot svg, #mathvista .plot svg")]
      .filter((svg) => svg.checkVisibility())
      .map((svg) => svg.getScreenCTM().a * Math.min(...[...svg.querySelectorAll("text")].map(
        (text) => parseFloat(getComputedStyle(text).fontSize))))"""
    with opened(page / "index.html", 390, 844) as driver:
        found = driver.execute_script(sizes)
        assert len(found) > 10
        assert min(found) >= 10
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 390


@needs("sandbox")
def test_paper_has_the_chosen_problem_and_nothing_overlaps(page):
    import pypdfium2
    from selenium.webdriver.common.print_page_options import PrintOptions

    with opened(page / "index.html", 720, 1000) as driver:  # as wide as what A4's margins leave
        asked = "set=MATH-Vision&a=mathvision_second&b=mathvision_first&verdict=wrong&q=e&field.level=2&rule=verified"
        driver.execute_script("location.hash = arguments[0]", asked)
        wait_for(driver, "return document.body.dataset.followed === arguments[0]", f"#{asked}")
        note = "const i = document.querySelector('.note-line input'); i.value = 'seen'; return i"
        driver.execute_script(note)
        said_of_pair = driver.execute_script("return document.querySelector('#pair .numbers').textContent")
        rows = driver.execute_script("return [...document.querySelectorAll('.row > div')].map(r => r.textContent)")
        count = driver.execute_script("return document.getElementById('count').textContent")
        title = driver.execute_script("return document.querySelector('#detail h3').textContent")
        said = driver.execute_script("return document.querySelector('#detail .answer .text').textContent.slice(0, 12)")
        emulate(driver, media="print")
        assert driver.execute_script(OVERLAPS) == []
        assert driver.execute_script("return document.documentElement.scrollWidth") <= 720
        options = PrintOptions()
        options.page_width, options.page_height = 21.0, 29.7
        document = pypdfium2.PdfDocument(io.BytesIO(base64.b64decode(driver.print_page(options))))
        text = " ".join("\n".join(one.get_textpage().get_text_range() for one in document).split())
        document.close()
    assert title in text
    assert " ".join(said.split()) in text
    assert f"{count} " in text
    assert all(row in text for row in [*rows, " ".join(said_of_pair.split())])
    assert text.count("Note") == 1  # the other responses have none
    chosen = "Search: “e”; Benchmark: MATH-Vision; Verdict: wrong; level: 2; A: mathvision_second; B: mathvision_first."
    assert chosen in text
    assert "Scores by the verified rule" in text
    assert "Clear" not in text


def test_text_from_right_to_left_is_laid_out_so(tmp_path):
    said = "الجواب هو **7**.\n\n- أولا\n\nThe answer is 7."
    problem = Problem("mathvista", "1", "كم عدد التفاحات؟", answer="سبعة")
    write_run(tmp_path, "arabic", problem, said=said, split="testmini")
    assert main(["report", str(tmp_path), "-o", str(tmp_path / "out")]) == 0
    directions = "return [...document.querySelectorAll(arguments[0])].map(n => getComputedStyle(n).direction)"
    with opened(tmp_path / "out" / "index.html") as driver:
        assert driver.execute_script(directions, ".answer .text p, .answer .text li") == ["rtl", "rtl", "ltr"]
        assert driver.execute_script(directions, "#detail .label + .text, .gold b, .row .asked") == ["rtl"] * 3
        assert set(driver.execute_script(directions, "body, #detail, h3")) == {"ltr"}

"""The documentation site: built with warnings as errors, its links followed, opened in a browser from disk."""

import re
import subprocess
import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

import pytest

import mmmath_tasks as mm
from support.chromium import opened, wait_for
from support.needs import needs

ROOT = Path(__file__).resolve().parents[2]
pytestmark = [pytest.mark.slow, needs("docs")]


class Page(HTMLParser):
    """What a page points to, and what can be pointed to on it."""

    def __init__(self, path):
        super().__init__()
        self.targets, self.names = [], set()
        self.feed(path.read_text(encoding="utf-8"))

    def handle_starttag(self, tag, attributes):
        said = dict(attributes)
        self.names |= {said[key] for key in ("id", "name") if said.get(key)}
        self.targets += [said[key] for key in ("href", "src") if said.get(key)]


@pytest.fixture(scope="session")
def site(tmp_path_factory):
    out = tmp_path_factory.mktemp("site")
    build = [sys.executable, "-m", "sphinx", "-W", "--keep-going", "-q", str(ROOT / "docs"), str(out)]
    done = subprocess.run(build, capture_output=True, text=True, cwd=out)
    assert (done.returncode, done.stderr) == (0, "")
    return out


@pytest.fixture(scope="session")
def pages(site):
    return {path: Page(path) for path in sorted(site.rglob("*.html"))}


def test_every_page_is_there(pages, site):
    written = {path.relative_to(ROOT / "docs").with_suffix("") for path in (ROOT / "docs").rglob("*.md")}
    assert written <= {path.relative_to(site).with_suffix("") for path in pages}


def test_internal_links_lead_somewhere(pages):
    followed, dead = 0, []
    for path, page in pages.items():
        for target in page.targets:
            link = urlsplit(target)
            if link.scheme or link.netloc:
                continue
            followed += 1
            there = (path.parent / unquote(link.path)).resolve() if link.path else path
            fragment = unquote(link.fragment)
            if not there.exists() or (fragment and there.suffix == ".html" and fragment not in pages[there].names):
                dead.append(f"{path.name}: {target}")
    print(f"{len(pages)} pages, {followed} internal links")  # shown by -rP
    assert not dead
    assert followed > 1000


def test_external_links_are_https_and_to_hosts_that_are_known(pages):
    links = {t for page in pages.values() for t in page.targets if urlsplit(t).netloc}
    print(f"{len(links)} external links:", *sorted(links), sep="\n")
    for name in mm.benchmarks():
        page = next(page for path, page in pages.items() if path.match(f"benchmarks/{name}.html"))
        assert f"https://arxiv.org/abs/{mm.benchmark(name).rows.PAPER}" in page.targets
    assert {urlsplit(link).scheme for link in links} == {"https"}
    known = r"(arxiv\.org|github\.com|huggingface\.co|pradyunsg\.me|www\.sphinx-doc\.org|fonts\.googleapis\.com)"
    assert [link for link in sorted(links) if not re.fullmatch(known, urlsplit(link).netloc)] == []


@needs("chromium")
@pytest.mark.parametrize("width", [390, 1440])
def test_no_page_is_wider_than_the_window(site, pages, width):
    with opened(site / "index.html", width=width) as browser:
        for page in pages:
            browser.get(page.as_uri())
            widths = browser.execute_script("const e = document.documentElement; return [e.scrollWidth, e.clientWidth]")
            assert widths[0] <= widths[1], page.name


@needs("chromium")
def test_the_search_box_finds_pages_from_disk(site):
    with opened(site / "index.html", width=1440) as browser:
        box = browser.find_element("css selector", "input[name=q]")
        box.send_keys("sandbox")
        box.submit()
        found = "return [...document.querySelectorAll('#search-results li a')].map(a => a.getAttribute('href'))"
        links = wait_for(browser, found + ".join(' ')").split()
    assert any(link.startswith("decisions/sandbox.html") for link in links)

"""A headless Chromium that opens a report from disk and notes what it asks for and complains of."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from support.needs import skip_without


@contextmanager
def opened(
    page: Path, width: int = 1400, height: int = 900, *, fragment: str = "", downloads: Path | None = None
) -> Iterator[object]:
    """Yield a driver that shows the page; the test is skipped where there is no Chromium with its driver.

    Args:
        page: the file.
        width, height: of the window; a narrow one is a phone's.
        fragment: what stands behind "#" in its address.
        downloads: the folder where what the page saves goes; made where it is missing.
    """
    from selenium import webdriver

    skip_without("chromium")
    options = webdriver.ChromeOptions()
    options.binary_location = shutil.which("chromium")
    for argument in (
        "--headless=new",
        "--no-sandbox",
        "--disable-gpu",
        "--disable-dev-shm-usage",
        f"--window-size={width},{height}",
    ):
        options.add_argument(argument)
    if downloads is not None:
        downloads.mkdir(exist_ok=True)
        allowed = {"profile.default_content_setting_values.automatic_downloads": 1}
        options.add_experimental_option("prefs", {"download.default_directory": str(downloads), **allowed})
    options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
    browser = webdriver.Chrome(options=options, service=webdriver.ChromeService(shutil.which("chromedriver")))
    browser.set_script_timeout(120)
    try:
        if width < 500:
            metrics = {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": True}
            browser.execute_cdp_cmd("Emulation.setDeviceMetricsOverride", metrics)
        browser.execute_cdp_cmd("Performance.enable", {"timeDomain": "threadTicks"})  # CPU time, for perf/
        browser.get(page.absolute().as_uri() + (f"#{fragment}" if fragment else ""))
        wait_for(browser, "return document.body.dataset.ready === 'true' || !document.getElementById('data')")
        yield browser
    finally:
        browser.quit()


def wait_for(browser, script, *arguments, seconds=120):
    """Wait until a script returns something true, and return it."""
    from selenium.webdriver.support.ui import WebDriverWait

    return WebDriverWait(browser, seconds, 0.02).until(lambda b: b.execute_script(script, *arguments))


def requested(browser) -> list[str]:
    """Return the addresses that the page asked for."""
    events = [json.loads(entry["message"])["message"] for entry in browser.get_log("performance")]
    return [e["params"]["request"]["url"] for e in events if e["method"] == "Network.requestWillBeSent"]

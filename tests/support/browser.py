"""Debian's Chromium without a screen, driven as a person would: where browser tests start."""

import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from selenium import webdriver
from selenium.webdriver.chrome.service import Service

FLAGS = (
    "--headless",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-sync",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-dev-shm-usage",
)


def missing() -> str:
    """Why no browser test can run here; empty if they can."""
    for program in ("chromium", "chromedriver"):
        if shutil.which(program) is None:
            return f"{program} is not installed (Debian: apt install chromium chromium-driver)"
    return ""


@contextmanager
def browser(width: int = 1280, height: int = 900) -> Iterator[Any]:
    """A browser of this size that keeps its console's messages."""
    with tempfile.TemporaryDirectory(prefix="carc-browser-") as room:
        options = webdriver.ChromeOptions()
        options.binary_location = shutil.which("chromium") or ""
        for flag in (*FLAGS, f"--user-data-dir={room}", f"--window-size={width},{height}"):
            options.add_argument(flag)
        options.set_capability("goog:loggingPrefs", {"browser": "ALL", "performance": "ALL"})
        driver = webdriver.Chrome(options=options, service=Service(shutil.which("chromedriver")))
        try:
            driver.execute_cdp_cmd(
                "Emulation.setDeviceMetricsOverride",
                {"width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500},
            )
            yield driver
        finally:
            driver.quit()


def complaints(driver: Any) -> list[str]:
    """What the console has said since it was last asked."""
    return [f"{entry['level']}: {entry['message']}" for entry in driver.get_log("browser")]


def asked_for(driver: Any) -> list[str]:
    """The addresses of all requests since last asked."""
    import json

    found = []
    for entry in driver.get_log("performance"):
        message = json.loads(entry["message"])["message"]
        if message["method"] == "Network.requestWillBeSent":
            found.append(message["params"]["request"]["url"])
    return found


def barriers(driver: Any) -> list[str]:
    """What an accessibility checker (axe) finds wrong with the page."""
    from axe_core_python.selenium import Axe

    # To collect what is as it should be as well takes it twice as long.
    found = Axe().run(driver, options={"resultTypes": ["violations"]})["violations"]
    return [f"{one['id']}: {node['html'][:120]}" for one in found for node in one["nodes"]]


def show(driver: Any, page: str, folder: Path, at: str = "") -> None:
    """Open a page from a file in a folder."""
    (folder / "replay.html").write_text(page, encoding="utf-8")
    driver.get((folder / "replay.html").as_uri() + at)


def text(driver: Any, selector: str) -> str:
    """The text of the first element of a selector, to be seen or not."""
    return str(driver.execute_script(f"return document.querySelector('{selector}').textContent"))


def awaited(browser: Any, selector: str) -> Any:
    """The first element of a selector, as soon as the page has one."""
    end = time.monotonic() + 60
    while not (found := browser.find_elements("css selector", selector)):
        assert time.monotonic() < end, browser.find_element("css selector", "main").text
        time.sleep(0.05)
    return found[0]

"""Browser tests are skipped, with the reason, where there is no browser; CI installs one."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parent))

import browser as chromium


def _opened(width: int, height: int) -> Iterator[Any]:
    if why := chromium.missing():
        pytest.skip(why)
    with chromium.browser(width, height) as driver:
        yield driver


@pytest.fixture(scope="session")
def _wide() -> Iterator[Any]:
    yield from _opened(1280, 900)


@pytest.fixture(scope="session")
def _narrow() -> Iterator[Any]:
    yield from _opened(360, 740)


def _emptied(driver: Any) -> Any:
    """The window as new: no page, no messages of the test before."""
    driver.set_script_timeout(120)
    driver.get("about:blank")
    chromium.complaints(driver)
    chromium.asked_for(driver)
    return driver


@pytest.fixture
def browser(_wide: Any) -> Any:
    """A browser window 1280 pixels wide."""
    return _emptied(_wide)


@pytest.fixture
def phone(_narrow: Any) -> Any:
    """A browser window 360 pixels wide."""
    return _emptied(_narrow)

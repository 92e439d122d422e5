"""The system's Chromium, driven by playwright; every test here is skipped where there is none."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator

import pytest

NAMES = ("chromium", "chromium-browser", "google-chrome", "chrome")
# It runs as root in CI, without a screen, and asks nobody but this machine.
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


@pytest.fixture(scope="session")
def chromium() -> str:
    """The path of the browser: AUTOGRADER_CHROMIUM, else one of the usual names on the PATH."""
    path = os.environ.get("AUTOGRADER_CHROMIUM") or next(filter(None, map(shutil.which, NAMES)), None)
    if path is None:
        pytest.skip("no Chromium on this machine (Debian: apt install chromium)")
    return path


@pytest.fixture(scope="module")
def browser(chromium: str) -> Iterator[object]:
    """A running browser without a window."""
    playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
    with playwright.sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=chromium, args=FLAGS)
        yield browser
        browser.close()

"""The system's Chromium, driven by playwright; every test here is skipped where there is none."""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parents[2]
LESSON = "01_response_anatomy"
# The verb as it is, without set-up: these tests already run where the packages are.
START = "import sys; from autograder.cli import run; sys.exit(run(sys.argv[1:]))"
PATIENCE = 60  # seconds until a server that says nothing is given up

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


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A course with the released lessons and an empty HOME."""
    folder = tmp_path_factory.mktemp("course")
    shutil.copy(ROOT / "nbgrader_config.py", folder)
    shutil.copytree(ROOT / "notebooks", folder / "notebooks")
    (folder / "home").mkdir()
    return folder


@pytest.fixture(scope="module")
def address(folder: Path, chromium: str) -> Iterator[str]:
    """The address that `course start --no-browser` prints; afterwards the server is stopped as a system stops it."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith("JUPYTER")}
    process = subprocess.Popen(
        [sys.executable, "-c", START, "start", "--no-browser"],
        cwd=folder,
        env={**kept, "HOME": str(folder / "home"), "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    patience = threading.Timer(PATIENCE, process.kill)
    patience.start()
    line = process.stdout.readline() if process.stdout else ""
    patience.cancel()
    found = re.search(r"http://127\.0\.0\.1:\d+/\S+", line)
    if not found:
        process.kill()
        pytest.fail(f"no address: {line!r}\n{process.communicate()[1]}")
    yield found[0]
    process.send_signal(signal.SIGTERM)
    rest, errors = process.communicate(timeout=PATIENCE)
    assert process.returncode == 0, errors
    assert rest == ""
    assert "Traceback" not in errors


@pytest.fixture(scope="module")
def asked() -> list[str]:
    """Every address that the page asked for."""
    return []


@pytest.fixture(scope="module")
def page(browser: Any, address: str, asked: list[str]) -> Any:
    """JupyterLab on the first lesson, with its kernel at rest."""
    page = browser.new_page()
    page.on("request", lambda request: asked.append(request.url))
    page.goto(address)
    page.locator(".jp-NotebookPanel-toolbar", has_text="Python 3 (ipykernel)").wait_for(timeout=PATIENCE * 1000)
    page.locator(".jp-NotebookPanel .jp-Notebook-ExecutionIndicator[data-status=idle]").wait_for()
    return page

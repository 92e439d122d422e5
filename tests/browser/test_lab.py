"""The first minute of a learner: `start`, the lesson opens, nothing is in the way."""

from __future__ import annotations

import json
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


def test_the_first_lesson_opens(page: Any, folder: Path) -> None:
    cells = json.loads((folder / "work" / f"{LESSON}.ipynb").read_text(encoding="utf-8"))["cells"]
    title = "".join(cells[0]["source"]).splitlines()[0].lstrip("# ").replace("`", "")
    assert page.locator(".jp-NotebookPanel:visible h1").first.inner_text().startswith(title)


def test_the_teachers_tools_are_not_shown(page: Any) -> None:
    menus = page.locator("#jp-menu-panel").inner_text().split()
    assert "File" in menus
    assert "Nbgrader" not in menus
    tabs = page.locator(".jp-SideBar li").evaluate_all("tabs => tabs.map(tab => tab.title)")
    assert any("File Browser" in tab for tab in tabs)
    assert not any("Create Assignment" in tab for tab in tabs)


@pytest.mark.parametrize("tool", ["formgrader", "assignment_list", "course_list"])
def test_the_server_does_not_offer_a_teachers_tool(page: Any, address: str, tool: str) -> None:
    # The page's own session: without it every answer would be a refusal.
    origin = address.split("/lab/")[0]
    assert page.request.get(f"{origin}/api/status").status == 200
    assert page.request.get(f"{origin}/{tool}").status == 404


def test_nothing_pops_up(page: Any) -> None:
    assert page.locator(".jp-Dialog").count() == 0
    assert page.locator(".Toastify__toast").count() == 0


def test_nothing_but_this_machine_is_asked(page: Any, asked: list[str]) -> None:
    assert asked
    assert [url for url in asked if not re.match(r"(https?|wss?)://127\.0\.0\.1:|data:|blob:", url)] == []


def test_the_validate_button_answers(page: Any) -> None:
    page.get_by_role("button", name="Validate").click()
    dialog = page.locator(".jp-Dialog")
    dialog.wait_for(timeout=PATIENCE * 1000)
    # Nothing is solved yet, and the first failing check is named.
    assert "The following cell failed" in dialog.inner_text()
    assert "check." in dialog.inner_text()
    dialog.get_by_role("button", name="OK").click()

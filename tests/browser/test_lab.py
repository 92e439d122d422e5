"""The first minute of a learner: `start`, the lesson opens, nothing is in the way."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import LESSON, PATIENCE


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

"""A check as a learner sees it in JupyterLab: "Not yet" with what to do, and "Passed"."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from tests.browser.conftest import LESSON

# It leaves out tool calls and forgets every other kind of block: one check passes, the next one does not.
FIRST_TRY = '''def final_text(message):
    """Return the text of a reply, "" if it has none."""
    text = ""
    for block in message.content:
        if block.type != "tool_use":
            text += block.text
    return text'''


@pytest.fixture(scope="module")
def folder(folder: Path) -> Path:
    """The course of a learner who has written a first `final_text`."""
    notebook = json.loads((folder / "notebooks" / LESSON / f"{LESSON}.ipynb").read_text(encoding="utf-8"))
    (cell,) = [cell for cell in notebook["cells"] if cell["id"] == "final_text"]
    cell["source"] = FIRST_TRY.splitlines(keepends=True)
    (folder / "work").mkdir()
    (folder / "work" / f"{LESSON}.ipynb").write_text(json.dumps(notebook), encoding="utf-8")
    return folder


@pytest.fixture(scope="module")
def cells(page: Any) -> list[Any]:
    """The cell of the function and its first two checks, run."""
    page.set_viewport_size({"width": 1100, "height": 1100})
    page.evaluate("window.jupyterapp?.commands.execute('application:toggle-left-area')")
    run(page, "from autograder import")
    return [run(page, text) for text in ("def final_text", "check.joins_text_blocks", "check.leaves_out_what_is")]


def run(page: Any, text: str) -> Any:
    """Run the cell that begins with `text`, and return it when it has its number."""
    cell = (
        page.locator(".jp-Notebook:visible .jp-CodeCell").filter(has=page.locator(".cm-content", has_text=text)).first
    )
    cell.scroll_into_view_if_needed()
    cell.locator(".cm-line").first.click(position={"x": 2, "y": 5})
    page.keyboard.press("Control+Enter")
    page.locator(".jp-Notebook:visible .jp-CodeCell .jp-InputPrompt", has_text="[*]").wait_for(state="detached")
    cell.locator(".jp-InputPrompt").filter(has_text="]:").wait_for()
    return cell


def test_a_check_that_holds_says_so(cells: list[Any]) -> None:
    assert cells[1].locator(".jp-OutputArea").inner_text().strip() == "\u2713 Passed: joins text blocks in order"


def test_a_check_that_fails_says_what_to_try_and_shows_no_traceback(cells: list[Any]) -> None:
    text = cells[2].locator(".jp-OutputArea").inner_text()
    assert "Not yet: leaves out what is not text" in text
    assert "'ThinkingBlock' object has no attribute 'text'" in " ".join(text.split())
    assert "try  " in text
    assert "Traceback" not in text


def test_both_fit_one_picture(cells: list[Any], page: Any, tmp_path: Path) -> None:
    """With AUTOGRADER_PICTURES set to a folder, the picture of the README is written there."""
    target = Path(os.environ.get("AUTOGRADER_PICTURES", tmp_path)) / "check.png"
    first, last = cells[0].bounding_box(), cells[2].bounding_box()
    cells[0].scroll_into_view_if_needed()
    first, last = cells[0].bounding_box(), cells[2].bounding_box()
    bottom = last["y"] + last["height"]
    assert bottom - first["y"] < 900
    page.screenshot(
        path=target, clip={"x": first["x"], "y": first["y"], "width": first["width"], "height": bottom - first["y"]}
    )
    assert target.stat().st_size > 10_000

"""A lesson as a page: its headings, its sections, its figures, the length of its cells, the tone of its prose."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from autograder.authoring.notebook import (
    BEGIN,
    END,
    Notebook,
    code_cells,
    given_names,
    headings,
    markdown_cells,
    prose,
)
from autograder.exercises import Cell
from autograder.language import _

LINES = 25
# Cell ids, not titles: ids stay the same in a translated lesson.
SECTIONS = ("exam-corner", "summary", "references")
IMAGE = re.compile(r"!\[(.*?)\]\(([^)\s]*)", re.DOTALL)
IMG = re.compile(r"<img\b[^>]*>", re.IGNORECASE)
SVG = re.compile(r"<svg\b[^>]*>(?:\s*<title\b[^>]*>[^<]+)?", re.IGNORECASE)
NAMED_SVG = re.compile(r"<title|aria-label(ledby)?=[\"'][^\"']|aria-hidden=[\"']true", re.IGNORECASE)
ALT = re.compile(r"\balt=([\"'])\s*[^\"'\s]", re.IGNORECASE)
NOT_PROSE = re.compile(r"`[^`]*`|!\[|<!--|<![A-Za-z]")

Problems = Iterator[tuple[str, str]]


def page_problems(notebook: Notebook, folder: Path) -> Problems:
    """Everything about a source that a reader would see, as (cell id, sentence); `folder` holds its images."""
    yield from _heading_tree(notebook)
    yield from _sections(notebook)
    yield from _long_cells(notebook)
    for cell in notebook["cells"]:
        yield from ((cell["id"], problem) for problem in _figures(cell, folder))
    yield from _exclamations(notebook)


def _heading_tree(notebook: Notebook) -> Problems:
    previous = 0
    for cell in markdown_cells(notebook):
        for level, text in headings(cell["source"]):
            if level == 1 and previous:
                yield cell["id"], _("a second title: {text}").format(text=text)
            elif level > previous + 1:
                wanted = "#" * (previous + 1)
                yield (
                    cell["id"],
                    _("the heading tree skips a level ({wanted} is due): {text}").format(wanted=wanted, text=text),
                )
            previous = level
    if not previous:
        yield "", _("the lesson has no title.")


def _sections(notebook: Notebook) -> Problems:
    there = [cell["id"] for cell in markdown_cells(notebook) if cell["id"] in SECTIONS]
    missing = [name for name in SECTIONS if name not in there]
    if missing:
        yield "", _("sections are missing: {names}.").format(names=", ".join(missing))
    elif there != list(SECTIONS):
        yield there[0], _("the lesson does not end with exam corner, summary, references, in this order.")


def _long_cells(notebook: Notebook) -> Problems:
    for cell in code_cells(notebook):
        lines = [line for line in cell["source"].split("\n") if line.strip() not in (BEGIN, END)]
        if given_names(cell) is None and len(lines) > LINES:
            yield cell["id"], _("{count} lines of code; {most} is the most.").format(count=len(lines), most=LINES)


def _figures(cell: Cell, folder: Path) -> Iterator[str]:
    if cell["cell_type"] == "markdown":
        source = re.sub(r"`[^`\n]*`", "", prose(cell["source"]))
        for alt, target in IMAGE.findall(source):
            if not alt.strip():
                yield _("the image {target} has no alt text.").format(target=target)
            if (
                "://" not in target
                and not target.startswith(("attachment:", "data:"))
                and not (folder / target).is_file()
            ):
                yield _("the image {target} is not in the lesson's folder.").format(target=target)
        yield from _html_figures(source)
    for output in cell.get("outputs", []):
        data = output.get("data", {})
        html = data.get("text/html", "")
        yield from _html_figures(html)
        if not html and any(kind.startswith("image/") for kind in data):
            yield _("its output is a bare image: show it as HTML with an alt text.")


def _html_figures(html: str) -> Iterator[str]:
    if any(not ALT.search(tag) for tag in IMG.findall(html)):
        yield _("an <img> has no alt text.")
    if any(not NAMED_SVG.search(match[0]) for match in SVG.finditer(html)):
        yield _("an <svg> has neither a <title> nor an aria-label.")


def _exclamations(notebook: Notebook) -> Problems:
    for cell in notebook["cells"]:
        hints = "\n".join(cell["metadata"].get("autograder", {}).get("hints", []))
        source = cell["source"] if cell["cell_type"] == "markdown" else ""
        text = NOT_PROSE.sub("", prose(f"{source}\n{hints}"))
        if "!" in text:
            before = text.partition("!")[0].rstrip().rsplit("\n", 1)[-1]
            yield cell["id"], _("an exclamation mark after: {text}").format(text=before[-40:])

"""A copy of the toy course for each test, and a way to break one thing in it."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring.generate import generate
from autograder.authoring.notebook import dumps, read
from autograder.course import Course

TOY = Path(__file__).parents[1] / "toy_course"


class Toy:
    """The toy course in a folder of its own."""

    def __init__(self, folder: Path) -> None:
        self.root = shutil.copytree(TOY, folder / "toy", ignore=shutil.ignore_patterns("__pycache__"))
        self.course = Course(self.root)

    def path(self, slug: str, home: str = "solutions") -> Path:
        return self.root / home / slug / f"{slug}.ipynb"

    def edit(self, slug: str, change: Callable[[dict[str, Any]], object], home: str = "solutions") -> None:
        """Change a notebook as an author would by hand; the layout on disk stays the course's."""
        notebook = read(self.path(slug, home))
        change(notebook)
        self.path(slug, home).write_text(dumps(notebook), encoding="utf-8")

    def edit_cell(self, slug: str, cell_id: str, home: str = "solutions", **fields: Any) -> None:
        """Replace fields of one cell."""
        self.edit(slug, lambda notebook: cell_of(notebook, cell_id).update(fields), home)

    def replace(self, slug: str, cell_id: str, old: str, new: str, home: str = "solutions") -> None:
        """Replace text in the source of one cell; the text has to be there."""
        source = cell_of(read(self.path(slug, home)), cell_id)["source"]
        assert old in source
        self.edit_cell(slug, cell_id, home, source=source.replace(old, new))

    def release_again(self, slug: str) -> None:
        """Regenerate a release without asking whether the source is fit for it."""
        shutil.rmtree(self.root / "notebooks" / slug)
        generate(self.course, [slug], self.root / "notebooks")


def cell_of(notebook: dict[str, Any], cell_id: str) -> dict[str, Any]:
    """The cell of that id."""
    found: dict[str, Any] = next(cell for cell in notebook["cells"] if cell["id"] == cell_id)
    return found


@pytest.fixture
def toy(tmp_path: Path) -> Toy:
    return Toy(tmp_path)


@pytest.fixture(scope="module")
def shared_toy(tmp_path_factory: pytest.TempPathFactory) -> Toy:
    """One copy for the tests of a module that only read."""
    return Toy(tmp_path_factory.mktemp("shared"))

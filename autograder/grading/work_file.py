"""Reading a learner's notebook, whatever an editor has done to the file.

nbgrader drops a whole submission, with a traceback, for a byte order mark or one missing bracket. Here such a file is
read where that is safe, and refused with a sentence where it is not. Only `json` is needed.
"""

from __future__ import annotations

import codecs
import json
from pathlib import Path
from typing import Any

from autograder.command import command
from autograder.errors import GradingError
from autograder.language import _

Notebook = dict[str, Any]

CELL_TYPES = ("code", "markdown", "raw")
MARKS_OF_ENCODING = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)


def shown(path: Path) -> str:
    """A file as a learner knows it: `work/01_name.ipynb`."""
    return f"{path.parent.name}/{path.name}"


def read_work(path: Path) -> tuple[Notebook, tuple[str, ...]]:
    """The notebook at `path`, and a sentence for each thing that was odd about the file but could be read.

    Raises:
        GradingError: the file is missing, empty, cut off, or not a notebook of format 4.
    """
    try:
        raw = path.read_bytes()
    except FileNotFoundError:
        raise GradingError(
            _("There is no {file} yet. Run:\n  {command}").format(file=shown(path), command=command("start"))
        ) from None
    except OSError as error:
        reason = error.strerror or error
        raise GradingError(_("{file} cannot be read: {reason}.").format(file=shown(path), reason=reason)) from None
    if not raw.strip(b"\0 \t\r\n"):
        raise GradingError(_("{file} is empty.").format(file=shown(path)) + "\n" + _cure())
    text, remarks = _decoded(raw, path)
    return _checked(_parsed(text, path), path), remarks


def _cure() -> str:
    return _("Move it away and run: {command}\nThat puts a fresh copy of the lesson there.").format(
        command=command("start")
    )


def _decoded(raw: bytes, path: Path) -> tuple[str, tuple[str, ...]]:
    for mark, encoding in MARKS_OF_ENCODING:
        if raw.startswith(mark):
            remark = _("{file} begins with a byte order mark; it was read without it.").format(file=shown(path))
            return raw.decode(encoding, errors="replace"), (remark,)
    try:
        return raw.decode("utf-8"), ()
    except UnicodeDecodeError:
        remark = _("{file} is not in UTF-8; it was read as Windows text.").format(file=shown(path))
        return raw.decode("cp1252", errors="replace"), (remark,)


def _parsed(text: str, path: Path) -> Any:
    try:
        return json.loads(text)
    except json.JSONDecodeError as error:
        sentence = _("{file} is not a complete notebook: its JSON breaks off or is damaged at line {line}.")
        raise GradingError(sentence.format(file=shown(path), line=error.lineno) + "\n" + _cure()) from None
    except RecursionError:
        raise GradingError(_("{file} is nested too deeply.").format(file=shown(path)) + "\n" + _cure()) from None


def _checked(notebook: Any, path: Path) -> Notebook:
    if not isinstance(notebook, dict) or not isinstance(notebook.get("cells", notebook.get("worksheets")), list):
        sentence = _("{file} is JSON, but not a notebook: it has no cells.")
        raise GradingError(sentence.format(file=shown(path)) + "\n" + _cure())
    if notebook.get("nbformat") != 4 or "cells" not in notebook:
        sentence = _("{file} is in notebook format {version}, not 4.\nOpen it in JupyterLab and save it.")
        raise GradingError(sentence.format(file=shown(path), version=notebook.get("nbformat")))
    for number, cell in enumerate(notebook["cells"], start=1):
        if not _is_cell(cell):
            sentence = _("{file} is damaged: cell {number} is not a notebook cell.")
            raise GradingError(sentence.format(file=shown(path), number=number) + "\n" + _cure())
    return notebook


def _is_cell(cell: Any) -> bool:
    if not isinstance(cell, dict) or cell.get("cell_type") not in CELL_TYPES:
        return False
    source = cell.get("source", "")
    return isinstance(source, str) or (isinstance(source, list) and all(isinstance(line, str) for line in source))

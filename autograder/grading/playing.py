"""Running a lesson's notebook once, from the first cell to the last, and reading what its cells came to."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from autograder import kernels
from autograder.checks.feedback import Feedback, Passed
from autograder.exercises import nbgrader_marks
from autograder.grading.work_file import Notebook
from autograder.language import _

SECONDS_PER_CELL = 30


@dataclass(frozen=True)
class Verdict:
    """What a cell came to.

    said: what it raised, in one line; "" when it ran through. title: the property, in the words of its check.
    rows: the lines below the headline of a failed check: expected, found, the API, because, try.
    """

    said: str = ""
    title: str = ""
    rows: tuple[str, ...] = ()


@dataclass(frozen=True)
class Played:
    """One run: the verdict of each marked cell that was reached, why the run broke off, what failed besides."""

    verdicts: dict[str, Verdict]
    trouble: str = ""
    other: str = ""

    def passed(self, grade_id: str) -> bool:
        """Whether the cell was run and raised nothing."""
        return grade_id in self.verdicts and not self.verdicts[grade_id].said


def play(notebook: Notebook, folder: Path) -> Played:
    """Run every cell in order in a kernel of its own that stands in `folder`; errors do not stop the run."""
    # nbclient takes half a second to import, which `course hint` and `course list` need not wait for.
    import nbformat
    from nbclient.exceptions import CellTimeoutError, DeadKernelError

    played: Any = nbformat.reads(json.dumps(notebook), as_version=4)  # type: ignore[no-untyped-call]
    trouble = ""
    try:
        kernels.execute(played, folder, seconds=SECONDS_PER_CELL, interrupt=True)
    except DeadKernelError:
        trouble = _("A cell ended the Python process (os._exit, or too much memory).\nThe cells after it did not run.")
    except CellTimeoutError:
        trouble = _("A cell did not end and could not be interrupted.\nThe cells after it did not run.")
    return Played(_verdicts(played["cells"]), trouble, _other(played["cells"]))


def read_outputs(outputs: list[dict[str, Any]]) -> Verdict:
    """What the outputs of a cell say: the first line of an error and, from a check, its title and its rows."""
    for output in outputs:
        if output.get("output_type") == "error":
            first, *rows = str(output.get("evalue", "")).rstrip().split("\n")
            if output.get("ename") == "CheckFailed":
                title = first.removeprefix(Feedback(title="", found="").headline())
                return Verdict(first, title, tuple(rows[1:]))
            return Verdict(f"{output.get('ename')}: {first}")
    return Verdict(title=next(filter(None, map(_passed, outputs)), ""))


def _passed(output: dict[str, Any]) -> str:
    """The title in what a check displays when its property holds."""
    shown, begins = str(output.get("data", {}).get("text/plain", "")), repr(Passed(""))
    return shown.removeprefix(begins) if shown.startswith(begins) else ""


def _verdicts(cells: list[dict[str, Any]]) -> dict[str, Verdict]:
    return {
        str(nbgrader_marks(cell)["grade_id"]): read_outputs(cell["outputs"])
        for cell in _reached(cells)
        if nbgrader_marks(cell)
    }


def _other(cells: list[dict[str, Any]]) -> str:
    """The first unmarked cell that failed: often the reason why a check further down does. A stub is no reason."""
    for cell in _reached(cells):
        verdict = read_outputs(cell["outputs"])
        if verdict.said and not nbgrader_marks(cell) and not verdict.said.startswith("NotImplementedError"):
            return _("{said}\n  in the cell that begins: {line}").format(
                said=verdict.said, line=cell["source"].strip().split("\n")[0][:50]
            )
    return ""


def _reached(cells: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [cell for cell in cells if cell["cell_type"] == "code" and cell["execution_count"] is not None]

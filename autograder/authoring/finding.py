"""What is not as it has to be: one finding, said so that an author knows the place, the rule and the next step."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from autograder.command import command
from autograder.course import Course
from autograder.language import _


@dataclass(frozen=True, order=True)
class Finding:
    """One thing to mend.

    `file` is relative to the course, `cell` a cell id or empty, `rule` one word, `next` a command or an action.
    """

    file: str
    cell: str
    rule: str
    problem: str
    next: str

    def __str__(self) -> str:
        place = _("{file}, cell {cell}").format(file=self.file, cell=self.cell) if self.cell else self.file
        problem = self.problem.replace("\n", "\n    ")
        return "\n".join([place, f"  {self.rule}: {problem}", "  " + _("next: {command}").format(command=self.next)])


def relative(course: Course, path: Path) -> str:
    """`path` as a finding names it: from the root of the course, with forward slashes."""
    return path.relative_to(course.root).as_posix()


def edit(path: str) -> str:
    """The next step when only the author can mend it."""
    return _("edit {path}").format(path=path)


def rerun(path: str) -> str:
    """The next step when a source has to be mended first and its outputs made again."""
    return _("{edit}, then {command}").format(edit=edit(path), command=command(f"tidy {lesson_number(path)} --run"))


def lesson_number(path: str) -> str:
    """The two digits of the lesson that a relative path lies in."""
    return path.split("/")[1][:2]

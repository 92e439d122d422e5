"""Read the right and wrong answers of an exercise from `tests/answers/lesson_NN/EXERCISE.py`.

A file is Python in percent form: `# %% given` (what every answer needs), `# %% right: how it is written` and
`# %% wrong: what is wrong -> the check that must reject it`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from autograder.checks.namespace import Check, checks
from autograder.course import Course, Exercise

COURSE = Course(Path(__file__).parents[2])
FOLDER = Path(__file__).parents[1] / "answers"
_HEADING = re.compile(r"^# %% (given|right|wrong)(?:: (.*?))?(?: -> (\w+))?$")


@dataclass(frozen=True)
class Answer:
    """One answer. `rejected_by` is the check that must fail, "" for a right answer."""

    lesson: str
    exercise: str
    name: str
    source: str
    rejected_by: str

    @property
    def id(self) -> str:
        kind = "wrong" if self.rejected_by else "right"
        return f"{self.lesson[-2:]} {self.exercise} {kind}: {self.name}"


def read_answers(path: Path) -> list[Answer]:
    """Return the answers of one file; raises ValueError for a heading it cannot read."""
    given, answers, heading, lines = "", [], None, []
    for line in [*path.read_text(encoding="utf-8").splitlines(), "# %% given"]:
        if not line.startswith("# %%"):
            lines.append(line)
            continue
        if heading is not None:
            kind, name, rejected_by = heading
            source = "\n".join(lines).strip() + "\n"
            if kind == "given":
                given = source + "\n"
            else:
                answers.append(Answer(path.parent.name, path.stem, name, given + source, rejected_by or ""))
        found = _HEADING.match(line)
        if found is None or (found[1] == "wrong") != bool(found[3]):
            raise ValueError(f"{path.name}: cannot read {line!r}")
        heading, lines = found.groups(), []
    return answers


def all_answers() -> list[Answer]:
    return [answer for path in sorted(FOLDER.glob("lesson_*/*.py")) for answer in read_answers(path)]


@cache
def asked(lesson: str, exercise: str) -> Exercise:
    """The exercise as its notebook asks it."""
    (found,) = [one for one in COURSE.lesson(lesson[-2:], source=True).exercises if one.id == exercise]
    return found


def name_in(lesson: str, exercise: str) -> str:
    """What the learner writes: mostly named as the exercise, unless a later one goes on with the same function."""
    return asked(lesson, exercise).checks[0].names[0]


def checks_for(lesson: str, exercise: str) -> list[Check]:
    """The checks of the exercise's grade cells."""
    return [checks()[str(cell.check)] for cell in asked(lesson, exercise).checks]

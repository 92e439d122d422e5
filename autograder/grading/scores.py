"""The learner's points, read straight from nbgrader's gradebook.

`course list` and `course grade` show what nbgrader has stored and keep no score of their own. The file is opened
read-only with sqlite3, because importing nbgrader for this costs two seconds. The tables are those of nbgrader 0.9
(`nbgrader/api.py`).
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

from autograder.course import Exercise, GradeCell, Lesson
from autograder.errors import GradingError
from autograder.language import _

LEARNER = "learner"

GRADES = """
SELECT assignment.name, base_cell.name, coalesce(grade.manual_score, grade.auto_score) + coalesce(grade.extra_credit, 0)
FROM grade
JOIN submitted_notebook ON submitted_notebook.id = grade.notebook_id
JOIN submitted_assignment ON submitted_assignment.id = submitted_notebook.assignment_id
JOIN assignment ON assignment.id = submitted_assignment.assignment_id
JOIN base_cell ON base_cell.id = grade.cell_id
WHERE submitted_assignment.student_id = ?
"""


@dataclass(frozen=True)
class LessonScore:
    """The points of one lesson by grade_id; None where nbgrader has given none yet."""

    points: dict[str, float | None]

    def of(self, part: Lesson | Exercise) -> float:
        """The points earned in a lesson or an exercise."""
        return sum(self.points.get(check.grade_id) or 0.0 for check in _checks(part))

    def complete(self, part: Lesson | Exercise) -> bool:
        """Whether every point of a lesson or an exercise was earned."""
        return self.of(part) >= part.points and not self.unscored(part)

    def unscored(self, part: Lesson | Exercise) -> tuple[str, ...]:
        """The grade_ids that have no points, not even 0."""
        return tuple(check.grade_id for check in _checks(part) if self.points.get(check.grade_id) is None)


def read_scores(gradebook: Path, student: str = LEARNER) -> dict[str, LessonScore]:
    """What `student` has in the gradebook, by lesson; empty when there is no gradebook yet.

    Raises:
        GradingError: the file is not a gradebook of nbgrader 0.9.
    """
    if not gradebook.is_file() or gradebook.stat().st_size == 0:
        return {}
    lessons: dict[str, LessonScore] = {}
    try:
        with closing(sqlite3.connect(f"{gradebook.resolve().as_uri()}?mode=ro", uri=True)) as database:
            for lesson, check, points in database.execute(GRADES, (student,)):
                lessons.setdefault(lesson, LessonScore({})).points[check] = points
    except sqlite3.Error as error:
        sentence = _("{file} cannot be read as an nbgrader gradebook:\n{reason}.")
        raise GradingError(sentence.format(file=gradebook.name, reason=error)) from None
    return lessons


def _checks(part: Lesson | Exercise) -> list[GradeCell]:
    exercises = part.exercises if isinstance(part, Lesson) else (part,)
    return [check for exercise in exercises for check in exercise.checks]

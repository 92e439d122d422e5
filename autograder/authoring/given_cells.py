"""Given cells: the functions of earlier lessons that a lesson stands on.

Their one home is the solution cell of the lesson that taught them. The given cell names its origins in its metadata
and is written from them, so the two cannot drift apart and there is no module of answers to import.
"""

from __future__ import annotations

from autograder.authoring.notebook import is_solution, read, without_markers
from autograder.course import Course
from autograder.errors import AuthoringError
from autograder.exercises import nbgrader_marks
from autograder.language import _


def given_source(course: Course, names: list[str]) -> str:
    """The source of a given cell made from `names` (each `lesson/exercise`), in that order.

    Raises:
        AuthoringError: a lesson or an exercise of that name does not exist; the sentence names what there is.
    """
    numbers = sorted({name[:2] for name in names})
    lessons = "lesson" if len(numbers) == 1 else "lessons"
    # Part of the notebook's code, which is the same in every language edition: not translated.
    functions = "a function" if len(names) == 1 else "functions"
    header = f"# Given: {functions} from {lessons} {_enumerated(numbers)}. Put your own here if you like."
    return "\n\n\n".join([header, *(solution_code(course, name) for name in names)])


def solution_code(course: Course, name: str) -> str:
    """The finished code of one exercise, named `lesson/exercise`; raises as `given_source` does."""
    slug, _slash, exercise = name.partition("/")
    if slug not in course.slugs(source=True):
        there = ", ".join(course.slugs(source=True))
        raise AuthoringError(
            _("{name}: there is no lesson {slug} (there are: {there})").format(name=name, slug=slug, there=there)
        )
    notebook = read(course.solutions / slug / f"{slug}.ipynb")
    cells = {str(nbgrader_marks(cell).get("grade_id")): cell for cell in notebook["cells"] if is_solution(cell)}
    if exercise not in cells:
        raise AuthoringError(
            _("{name}: lesson {slug} has no exercise {exercise} (it has: {there})").format(
                name=name, slug=slug, exercise=exercise, there=", ".join(cells)
            )
        )
    return without_markers(cells[exercise]["source"]).strip("\n")


def _enumerated(words: list[str]) -> str:
    return words[0] if len(words) == 1 else f"{', '.join(words[:-1])} and {words[-1]}"

"""No answer leaks: what a learner is to write cannot be read anywhere else in the released lesson.

Answers are compared as statements, not as text: quotes, spacing and what a result is assigned to do not hide one.
The given cell is left out, for it holds earlier lessons' functions on purpose, and may hold no others.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from autograder.authoring.finding import Finding, edit, relative
from autograder.authoring.notebook import BEGIN, END, Notebook, given_names, is_grade, is_solution, read
from autograder.command import command
from autograder.course import Course
from autograder.exercises import Cell, nbgrader_marks
from autograder.language import _

# Shorter statements (`messages = []`, `return turn`) say nothing about an answer.
LEAST = 25
HIDDEN = re.compile(r"(BEGIN|END) (HIDDEN TESTS|MARK SCHEME|SOLUTION)")


def leak_findings(course: Course, slug: str) -> list[Finding]:
    """Where the release of one lesson shows its own answers, or holds what nbgrader should have taken out."""
    source, release = course.solutions / slug / f"{slug}.ipynb", course.notebooks / slug / f"{slug}.ipynb"
    notebook = read(source)
    released = read(release) if release.is_file() else {"cells": []}
    file = relative(course, source)
    then = _("{edit}, then {command}").format(edit=edit(file), command=command(f"release {slug[:2]}"))
    found = [*_answers(notebook, released), *_hidden(notebook, released), *_given(notebook, slug)]
    return [Finding(file, cell, "leak", problem, then) for cell, problem in found]


def fragments(source: str) -> set[str]:
    """The telling parts of a solution cell: each statement between the markers, without what it is assigned to."""
    lines = source.split("\n")
    begin = next((number for number, line in enumerate(lines, 1) if BEGIN in line), len(lines))
    end = next((number for number, line in enumerate(lines, 1) if END in line), len(lines))
    try:
        nodes = list(ast.walk(ast.parse(source)))
    except SyntaxError:
        return set()
    statements = [node for node in nodes if isinstance(node, ast.stmt) and begin < node.lineno < end]
    return {part for node in statements if len(part := _telling_part(node)) >= LEAST}


def _telling_part(node: ast.stmt) -> str:
    if isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant):
        return ""  # a docstring
    value = getattr(node, "value", None)
    text = ast.unparse(value) if isinstance(value, ast.expr) else ast.unparse(node).split("\n", 1)[0]
    return _normal(text)


def _answers(notebook: Notebook, released: Notebook) -> Iterator[tuple[str, str]]:
    for cell in filter(is_solution, notebook["cells"]):
        for part in sorted(fragments(cell["source"])):
            for other in released["cells"]:
                if part in _shown(other):
                    problem = _("it shows a line of the answer to {exercise}: {line}")
                    exercise = nbgrader_marks(cell).get("grade_id", "")
                    yield other["id"], problem.format(exercise=exercise, line=part[:70])


def _shown(cell: Cell) -> str:
    """What a learner can read in a released cell, in the form that answers are compared in."""
    if given_names(cell) is not None or is_grade(cell):
        return ""
    hints = "\n".join(cell["metadata"].get("autograder", {}).get("hints", []))
    source = cell["source"]
    if cell["cell_type"] == "code":
        source = _unparsed(source)
    return _normal(f"{source}\n{hints}")


def _unparsed(source: str) -> str:
    try:
        return ast.unparse(ast.parse(source))
    except SyntaxError:  # a magic, or code that is broken on purpose
        return source


def _normal(text: str) -> str:
    return " ".join(text.replace('"', "'").split())


def _hidden(notebook: Notebook, released: Notebook) -> Iterator[tuple[str, str]]:
    for cell in notebook["cells"]:
        marker = HIDDEN.search(cell["source"])
        if marker and marker[2] != "SOLUTION":
            yield cell["id"], _("it holds a hidden test or mark scheme ({marker}).").format(marker=marker[0])
    for cell in released["cells"]:
        marker = HIDDEN.search(cell["source"])
        if marker:
            yield cell["id"], _("the release still holds {marker}.").format(marker=marker[0])


def _given(notebook: Notebook, slug: str) -> Iterator[tuple[str, str]]:
    for cell in notebook["cells"]:
        for name in given_names(cell) or []:
            if name[:2] >= slug[:2]:
                yield cell["id"], _("it gives {name}: only earlier lessons may be given.").format(name=name)

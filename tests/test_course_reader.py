"""The course as its folders tell it, read from the toy course."""

from __future__ import annotations

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from autograder.course import Course
from autograder.errors import CourseError
from autograder.exercises import check_call

TOY = Course(Path(__file__).parent / "toy_course")


def test_the_lessons_come_in_order_with_what_their_notebooks_say() -> None:
    first, second = TOY.lessons()
    assert (first.slug, first.number, first.title, first.minutes, first.tags) == (
        "01_double",
        "01",
        "Double a number",
        10,
        ("toy",),
    )
    assert (second.slug, second.points, first.points) == ("02_total", 2, 3)
    assert second.path == TOY.root / "notebooks/02_total/02_total.ipynb"
    assert second.source == TOY.root / "solutions/02_total/02_total.ipynb"
    assert second.work == TOY.root / "work/02_total.ipynb"


@pytest.mark.parametrize("source", [pytest.param(True, id="solutions"), pytest.param(False, id="notebooks")])
def test_an_exercise_is_read_whole_from_source_and_release(source: bool) -> None:
    (exercise,) = TOY.lesson("01", source=source).exercises
    assert exercise.id == "double"
    assert exercise.heading == "Exercise 01.1: `double(number)`"
    assert (exercise.difficulty, exercise.minutes, exercise.points) == (1, 3, 3)
    assert exercise.first_hints == ("What do you get when you add a value to itself?",)
    assert exercise.hints == ("The function returns a value; it does not print one.",)
    assert [(check.grade_id, check.check, check.names, check.points) for check in exercise.checks] == [
        ("check-doubles-a-number", "doubles_a_number", ("double",), 2),
        ("check-keeps-text-apart", "keeps_text_apart", ("double",), 1),
    ]


@pytest.mark.parametrize(
    "key",
    [
        pytest.param("02", id="number"),
        pytest.param("2", id="short-number"),
        pytest.param("02_total", id="whole-name"),
        pytest.param("Total", id="part-of-the-name"),
    ],
)
def test_a_lesson_is_found_by(key: str) -> None:
    assert TOY.lesson(key).slug == "02_total"


@pytest.mark.parametrize(
    ("key", "sentence"),
    [
        pytest.param("03", "There is no lesson '03'. There are:\n  01_double\n  02_total", id="unknown"),
        pytest.param("", "There is no lesson ''. There are:\n  01_double\n  02_total", id="empty"),
        pytest.param("0", "There is no lesson '0'. There are:\n  01_double\n  02_total", id="zero"),
        pytest.param("_", "More than one lesson fits '_':\n  01_double\n  02_total", id="several"),
    ],
)
def test_a_lesson_that_cannot_be_told_is_refused_with_what_there_is(key: str, sentence: str) -> None:
    with pytest.raises(CourseError) as refused:
        TOY.lesson(key)
    assert str(refused.value) == sentence


def test_the_course_is_found_from_any_folder_in_it() -> None:
    assert Course.here(TOY.notebooks / "01_double") == TOY


def test_outside_a_course_the_sentence_says_where_to_go(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match=r"Go to the folder that holds nbgrader_config\.py"):
        Course.here(tmp_path)


def test_a_course_without_lessons_says_so(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="There are no lessons in"):
        Course(tmp_path).lesson("01")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        pytest.param(None, "is missing", id="missing"),
        pytest.param("{", "cannot be read", id="not-json"),
        pytest.param("[1]", "is not a notebook", id="no-cells"),
    ],
)
def test_a_broken_notebook_is_named(tmp_path: Path, text: str | None, sentence: str) -> None:
    folder = tmp_path / "notebooks/01_double"
    folder.mkdir(parents=True)
    if text is not None:
        (folder / "01_double.ipynb").write_text(text, encoding="utf-8")
    with pytest.raises(CourseError, match=sentence) as refused:
        Course(tmp_path).lessons()
    assert "01_double.ipynb" in str(refused.value)


def test_a_lesson_in_another_language_is_read_the_same(tmp_path: Path) -> None:
    root = shutil.copytree(TOY.root, tmp_path / "toy")
    path = root / "notebooks/01_double/01_double.ipynb"
    text = path.read_text(encoding="utf-8").replace("Difficulty 1 of 5 · 3 minutes", "Dificultad 1 de 5 · 3 minutos")
    path.write_text(text, encoding="utf-8")
    (exercise,) = Course(root).lesson("01").exercises
    assert (exercise.difficulty, exercise.minutes) == (1, 3)


def test_a_teachers_own_grade_cell_has_points_but_no_check(tmp_path: Path) -> None:
    root = shutil.copytree(TOY.root, tmp_path / "toy")
    path = root / "notebooks/02_total/02_total.ipynb"
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cell = next(cell for cell in notebook["cells"] if cell["id"] == "check-adds-up-the-doubles")
    cell["source"] = ["assert total([]) == 0\n", "assert total([1]) == 2"]
    path.write_text(json.dumps(notebook), encoding="utf-8")
    (check,) = Course(root).lesson("02").exercises[0].checks
    assert (check.check, check.names, check.points) == (None, (), 2)
    assert check.source == "assert total([]) == 0\nassert total([1]) == 2"


@pytest.mark.parametrize(
    ("source", "arguments"),
    [
        pytest.param("check.a(ask)", ("ask",), id="name"),
        pytest.param(
            "check.a(ask, 3, 'x', [-1, {'k': None}])", ("ask", "3", "'x'", "[-1, {'k': None}]"), id="literals"
        ),
        pytest.param("  check.a()\n", (), id="no-arguments"),
    ],
)
def test_a_one_line_check_is_taken_apart(source: str, arguments: tuple[str, ...]) -> None:
    call = check_call(source)
    assert call is not None
    assert (call.name, call.arguments) == ("a", arguments)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("check.a(ask())", id="call"),
        pytest.param("check.a(lesson.ask)", id="attribute"),
        pytest.param("check.a(f=ask)", id="keyword"),
        pytest.param("check.a(*names)", id="starred"),
        pytest.param("my.check.a(ask)", id="other-owner"),
        pytest.param("check.a(\n  ask)", id="two-lines"),
        pytest.param("check.a(ask)  # and more", id="comment"),
        pytest.param("check.a(ask", id="syntax-error"),
        pytest.param("%%time\ncheck.a(ask)", id="magic"),
        pytest.param("x = check.a(ask)", id="assignment"),
        pytest.param("assert ask", id="assert"),
        pytest.param("", id="empty"),
    ],
)
def test_anything_else_is_not_a_one_line_check(source: str) -> None:
    assert check_call(source) is None


def test_reading_the_course_needs_neither_nbformat_nor_nbgrader() -> None:
    blocked = "import sys; sys.modules.update(nbformat=None, nbgrader=None, sqlalchemy=None); "
    count = "from autograder.course import Course; print(len(Course.here().lessons()))"
    home = Path(__file__).parents[1]
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; sys.path.insert(0, {str(home)!r}); {blocked}{count}"],
        cwd=TOY.root,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.stdout, done.stderr) == ("2\n", "")

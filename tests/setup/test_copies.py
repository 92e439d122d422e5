"""Whose file a copy in work/ is: the course's until it is touched, the learner's from then on."""

from __future__ import annotations

from pathlib import Path

import pytest

from autograder.course import Course
from autograder.errors import CourseError
from autograder.setup.copies import bring


@pytest.fixture
def course(tmp_path: Path) -> Course:
    (tmp_path / "nbgrader_config.py").touch()
    release(tmp_path, "first")
    return Course(tmp_path)


def release(root: Path, text: str, *, slug: str = "01_one", image: str = "drawn") -> None:
    folder = root / "notebooks" / slug
    folder.mkdir(parents=True, exist_ok=True)
    (folder / f"{slug}.ipynb").write_text(text)
    (folder / "images").mkdir(exist_ok=True)
    (folder / "images" / f"{slug}.svg").write_text(image)


def test_lessons_and_their_images_are_brought_without_a_word(course: Course) -> None:
    assert bring(course) == []
    assert (course.work / "01_one.ipynb").read_text() == "first"
    assert (course.work / "images" / "01_one.svg").read_text() == "drawn"


def test_what_editors_leave_behind_is_not_brought(course: Course) -> None:
    folder = course.notebooks / "01_one"
    (folder / ".ipynb_checkpoints").mkdir()
    (folder / ".ipynb_checkpoints" / "01_one-checkpoint.ipynb").write_text("old")
    (folder / "images" / ".DS_Store").write_text("x")
    bring(course)
    assert sorted(path.name for path in course.work.rglob("*")) == [
        ".copied.json",
        "01_one.ipynb",
        "01_one.svg",
        "images",
    ]


def test_a_copy_that_was_changed_stays_as_it_is(course: Course) -> None:
    bring(course)
    (course.work / "01_one.ipynb").write_text("mine")
    assert bring(course) == []
    assert (course.work / "01_one.ipynb").read_text() == "mine"
    assert not (course.work / "01_one.new.ipynb").exists()


def test_an_untouched_copy_follows_the_course(course: Course) -> None:
    bring(course)
    release(course.root, "second")
    assert bring(course) == ["01_one.ipynb has been updated; you had not changed it."]
    assert (course.work / "01_one.ipynb").read_text() == "second"


def test_a_newer_lesson_is_laid_beside_a_changed_copy_and_said_once(course: Course) -> None:
    bring(course)
    (course.work / "01_one.ipynb").write_text("mine")
    release(course.root, "second")
    (sentence,) = bring(course)
    assert "work/01_one.new.ipynb" in sentence
    assert (course.work / "01_one.ipynb").read_text() == "mine"
    assert (course.work / "01_one.new.ipynb").read_text() == "second"
    assert bring(course) == []


def test_a_copy_stays_the_learners_over_two_updates(course: Course) -> None:
    bring(course)
    (course.work / "01_one.ipynb").write_text("mine")
    for text in ("second", "third"):
        release(course.root, text)
        bring(course)
    assert (course.work / "01_one.ipynb").read_text() == "mine"
    assert (course.work / "01_one.new.ipynb").read_text() == "third"


def test_a_copy_that_was_deleted_is_brought_again(course: Course) -> None:
    bring(course)
    (course.work / "01_one.ipynb").unlink()
    bring(course)
    assert (course.work / "01_one.ipynb").read_text() == "first"


def test_without_the_record_a_different_copy_counts_as_changed(course: Course) -> None:
    bring(course)
    (course.work / ".copied.json").write_text("not json")
    (course.work / "01_one.ipynb").write_text("mine")
    bring(course)
    assert (course.work / "01_one.ipynb").read_text() == "mine"
    assert (course.work / "01_one.new.ipynb").read_text() == "first"


def test_two_lessons_cannot_bring_different_files_of_one_name(course: Course) -> None:
    release(course.root, "other", slug="02_two")
    (course.notebooks / "02_two" / "images" / "01_one.svg").write_text("another drawing")
    with pytest.raises(CourseError, match="would have the same name in work/"):
        bring(course)


def test_a_course_without_lessons_says_how_to_make_them(tmp_path: Path) -> None:
    with pytest.raises(CourseError, match="course release"):
        bring(Course(tmp_path))

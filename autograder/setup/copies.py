"""The learner's own copies in work/: brought from notebooks/, and never overwritten once touched.

`work/.copied.json` remembers what was brought, as hashes: a file that still has that hash is untouched and follows
the course; any other is the learner's, and a newer lesson is laid beside it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from pathlib import Path

from autograder.command import command
from autograder.course import Course
from autograder.errors import CourseError
from autograder.language import _

RECORD = ".copied.json"


def bring(course: Course) -> list[str]:
    """Bring every released lesson, with its images, into work/.

    Returns one sentence for each lesson that a learner should know about: updated, or newer beside their copy.

    Raises:
        CourseError: nothing is released, or work/ cannot be written to.
    """
    files = dict(_released(course))
    if not files:
        raise CourseError(
            _("There are no lessons in {folder}. They are made by:\n  {command}").format(
                folder="notebooks/", command=command("release")
            )
        )
    record = _read(course.work / RECORD)
    try:
        course.work.mkdir(exist_ok=True)
        sentences = [_bring(source, course.work / name, record, name) for name, source in files.items()]
        (course.work / RECORD).write_text(json.dumps(record, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    except OSError as error:
        raise CourseError(
            _("{folder} cannot be written to: {reason}.").format(folder=course.work, reason=error.strerror)
        ) from error
    return [sentence for sentence in sentences if sentence]


def _released(course: Course) -> Iterator[tuple[str, Path]]:
    """Each file of the released lessons under the name it gets in work/."""
    owner: dict[str, Path] = {}
    for slug in course.slugs():
        folder = course.notebooks / slug
        for path in sorted(folder.rglob("*")):
            name = path.relative_to(folder).as_posix()
            if not path.is_file() or any(part.startswith(".") for part in path.relative_to(folder).parts):
                continue
            if owner.setdefault(name, path).read_bytes() != path.read_bytes():
                raise CourseError(
                    _("{one}\nand {other}\nwould have the same name in work/. Rename one of them.").format(
                        one=owner[name], other=path
                    )
                )
            yield name, path


def _bring(source: Path, target: Path, record: dict[str, str], name: str) -> str:
    """Bring one file and return what there is to say about it, often nothing."""
    new, known = source.read_bytes(), record.get(name)
    if not target.exists():
        _write(target, new)
        record[name] = _hash(new)
        return ""
    mine = target.read_bytes()
    if mine == new or _hash(new) == known:
        record[name] = _hash(new)
        return ""
    record[name] = _hash(new)
    if _hash(mine) == known:
        _write(target, new)
        return _("{name} has been updated; you had not changed it.").format(name=name)
    beside = target.with_name(f"{target.stem}.new{target.suffix}")
    _write(beside, new)
    return _(
        "{name} has been updated since you began. Your copy is as you left it; the new one is work/{beside}"
    ).format(name=name, beside=beside.relative_to(target.parents[name.count("/")]).as_posix())


def _write(target: Path, content: bytes) -> None:
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_bytes(content)


def _read(path: Path) -> dict[str, str]:
    try:
        found = json.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def _hash(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()

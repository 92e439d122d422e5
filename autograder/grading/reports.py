"""What a learner reads in the terminal: tables of lessons and points, and the sentences around them.

In a terminal rich adds bold type and colour; anywhere else the same lines come out plain and aligned.
"""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Sequence

from rich.console import Console
from rich.table import Table
from rich.text import Text

from autograder.course import Exercise, Lesson
from autograder.grading.scores import LessonScore
from autograder.language import _

PLAIN_WIDTH = 100
PROSE_WIDTH = 76
LABEL = 12  # columns before the text of a row: "  expected  "


def console() -> Console:
    """A console that takes text as it is: no markup, no emoji codes, no guessed highlighting."""
    found = Console(markup=False, emoji=False, highlight=False)
    return found if found.is_terminal else Console(markup=False, emoji=False, highlight=False, width=PLAIN_WIDTH)


def say(text: str = "", *, style: str = "", hang: int = 0) -> None:
    """Print a sentence, or lines of them, wrapped at 76 columns; what is wrapped is indented by `hang`."""
    for line in text.split("\n"):
        words = line.lstrip()
        wrapped = textwrap.wrap(
            words,
            PROSE_WIDTH,
            initial_indent=line.removesuffix(words),
            subsequent_indent=" " * hang,
            break_long_words=False,
            break_on_hyphens=False,
        )
        for part in wrapped or [""]:
            console().print(Text(part, style=style), soft_wrap=True)


def say_rows(rows: Sequence[str], *, indent: int) -> None:
    """Print the rows of a failed check `indent` columns further to the right, still within 76 columns."""
    for row in _unwrapped(rows):
        say(" " * indent + row, hang=indent + LABEL)


def _unwrapped(rows: Sequence[str]) -> list[str]:
    """Each row, or each paragraph of it, on one line."""
    lines: list[str] = []
    for before, row in zip(["", *rows], rows, strict=False):
        if row.startswith(" " * LABEL) and _was_wrapped(before, row):
            lines[-1] += " " + row.strip()
        else:
            lines.append(row)
    return lines


def _was_wrapped(before: str, row: str) -> bool:
    """Whether `row` goes on with the sentence of the line before it: its first word did not fit there."""
    last, first = (before.split() or [""])[-1], (row.split() or [""])[0]
    is_one_long_word = len(last + first) > PROSE_WIDTH - LABEL
    return bool(first) and len(f"{before} {first}") > PROSE_WIDTH and not is_one_long_word


def show_table(rows: Iterable[tuple[Text | str, ...]], *, header: tuple[str, ...] = (), right: int = -1) -> None:
    """Print rows in aligned columns; column number `right` is aligned to the right."""
    table = Table(box=None, show_header=bool(header), pad_edge=False, padding=(0, 2, 0, 0), header_style="bold")
    rows = list(rows)
    for index in range(len(header or (rows[0] if rows else ()))):
        table.add_column(header[index] if header else "", justify="right" if index == right else "left")
    for row in rows:
        table.add_row(*row)
    console().print(table)


def points(number: float) -> str:
    """Points without needless decimals: 3, 2.5."""
    return f"{number:.2f}".rstrip("0").rstrip(".")


def of_points(earned: float, possible: float) -> str:
    """`3 of 5`."""
    return _("{earned} of {possible}").format(earned=points(earned), possible=points(possible))


def exercise_name(exercise: Exercise) -> str:
    """The heading of an exercise as plain text."""
    return exercise.heading.replace("`", "")


def show_points(graded: list[tuple[Lesson, LessonScore]]) -> None:
    """Print the points of every lesson and exercise, and the sum of them all."""
    rows: list[tuple[Text | str, ...]] = []
    for lesson, score in graded:
        name = _("Lesson {number}: {title}").format(number=lesson.number, title=lesson.title)
        rows.append(_row(name, score, lesson, "bold"))
        rows += [_row(f"  {exercise_name(exercise)}", score, exercise, "") for exercise in lesson.exercises]
    earned = sum(score.of(lesson) for lesson, score in graded)
    possible = sum(lesson.points for lesson, _score in graded)
    rows.append((Text(_("Total"), style="bold"), Text(of_points(earned, possible), style="bold")))
    show_table(rows, right=1)


def _row(name: str, score: LessonScore, part: Lesson | Exercise, style: str) -> tuple[Text, Text]:
    colour = "green" if score.complete(part) else "yellow"
    return Text(name, style=style), Text(of_points(score.of(part), part.points), style=f"{style} {colour}".strip())

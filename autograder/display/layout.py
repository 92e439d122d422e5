"""A table that reads well as text, as HTML and through a screen reader.

Notebooks keep both renderings. The text is for terminals, logs and diffs. The HTML survives an untrusted notebook,
nbgrader's feedback and GitHub, because it is a plain table with inline styles: there, style sheets, scripts and
ARIA attributes are taken away. It sets no text or background colour, so it is readable in light and dark themes.
"""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Literal

WIDTH = 100
GAP = "  "
HTML_LIMIT = 400
"""Longer values are shortened in HTML too: a page of base64 hides the conversation."""

_CELL = 'style="padding:2px 8px;text-align:left;vertical-align:top;"'
_LAST = 'style="padding:2px 8px;text-align:left;vertical-align:top;overflow-wrap:anywhere;"'


@dataclass(frozen=True)
class Column:
    """A column: its title, where long values lose characters, and the least width it may be squeezed to."""

    title: str
    cut: Literal["end", "middle"] = "end"
    least: int = 8


@dataclass(frozen=True)
class Table:
    """A caption, columns, rows of text, and closing lines (name and value) that belong to the whole.

    A column in which every row is empty is left out. The first column that stays names its row.
    """

    caption: str
    columns: tuple[Column, ...]
    rows: tuple[tuple[str, ...], ...]
    closing: tuple[tuple[str, str], ...] = ()

    def __repr__(self) -> str:
        columns, rows = self._used()
        widths = _widths(columns, rows)
        lines = [shorten(self.caption, WIDTH), ""]
        if rows:
            lines += _head(columns, widths)
        lines += [_line(columns, row, widths) for row in rows]
        return "\n".join(lines + _closing_lines(self.closing)).rstrip()

    def _repr_html_(self) -> str:
        columns, rows = self._used()
        parts = [
            '<table style="border-collapse:collapse;max-width:100%;">',
            f'<caption style="text-align:left;font-weight:bold;">{escape(self.caption)}</caption>',
            _html_head(columns) if rows else "",
            "<tbody>",
            *(_html_row(row) for row in rows),
            "</tbody>",
            _html_closing(self.closing, max(len(columns), 2)),
            "</table>",
        ]
        return "\n".join(part for part in parts if part)

    def _used(self) -> tuple[list[Column], list[list[str]]]:
        keep = [index for index, _ in enumerate(self.columns) if any(row[index] for row in self.rows)]
        return [self.columns[index] for index in keep], [[row[index] for index in keep] for row in self.rows]


def shorten(text: str, width: int, cut: Literal["end", "middle"] = "end") -> str:
    """Return `text` in at most `width` characters, with "..." where characters were left out."""
    if len(text) <= width:
        return text
    if cut == "end" or width < 9:
        return text[: max(width - 3, 0)] + "..."[:width]
    tail = (width - 3) // 3
    return text[: width - 3 - tail] + "..." + text[-tail:]


def _widths(columns: list[Column], rows: list[list[str]]) -> list[int]:
    """Return a width for each column: as wide as its longest value, squeezed from the right until all fit."""
    widths = [
        max(len(column.title), *(len(row[index]) for row in rows)) if rows else len(column.title)
        for index, column in enumerate(columns)
    ]
    room = WIDTH - len(GAP) * max(len(columns) - 1, 0)
    for index in _squeezing_order(columns):
        surplus = sum(widths) - room
        if surplus <= 0:
            break
        widths[index] = max(widths[index] - surplus, min(widths[index], columns[index].least))
    return widths


def _squeezing_order(columns: list[Column]) -> list[int]:
    """Ids first (their middle says nothing), then the others from the right."""
    return sorted(range(len(columns)), key=lambda index: (columns[index].cut != "middle", -index))


def _head(columns: list[Column], widths: Sequence[int]) -> list[str]:
    titles = [column.title for column in columns]
    return [_line(columns, titles, widths), GAP.join("-" * width for width in widths)]


def _line(columns: list[Column], row: Sequence[str], widths: Sequence[int]) -> str:
    cells = [
        shorten(value, width, column.cut).ljust(width)
        for column, value, width in zip(columns, row, widths, strict=True)
    ]
    return GAP.join(cells).rstrip()


def _closing_lines(closing: Sequence[tuple[str, str]]) -> list[str]:
    if not closing:
        return []
    label = max(len(name) for name, _ in closing)
    indent = " " * (label + len(GAP))
    lines = [""]
    for name, value in closing:
        wrapped = textwrap.wrap(value, WIDTH, initial_indent=indent, subsequent_indent=indent) or [indent]
        lines += [name.ljust(len(indent)) + wrapped[0][len(indent) :], *wrapped[1:]]
    return lines


def _html_head(columns: list[Column]) -> str:
    titles = "".join(f'<th scope="col" {_CELL}>{escape(column.title)}</th>' for column in columns)
    return f"<thead><tr>{titles}</tr></thead>"


def _html_row(row: list[str]) -> str:
    first, *rest = (escape(shorten(value, HTML_LIMIT)) for value in row)
    styles = [_CELL] * (len(rest) - 1) + [_LAST]
    cells = "".join(f"<td {style}>{value}</td>" for style, value in zip(styles, rest, strict=False))
    return f'<tr><th scope="row" {_CELL}>{first}</th>{cells}</tr>'


def _html_closing(closing: Sequence[tuple[str, str]], columns: int) -> str:
    if not closing:
        return ""
    rows = "".join(
        f'<tr><th scope="row" {_CELL}>{escape(name)}</th>'
        f'<td colspan="{columns - 1}" {_CELL}>{escape(shorten(value, HTML_LIMIT))}</td></tr>'
        for name, value in closing
    )
    return f"<tfoot>{rows}</tfoot>"

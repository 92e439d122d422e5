"""How a verdict is said: at most 76 columns, the smallest evidence, and what to do next.

nbgrader cuts lines at 90 columns, and a message is read in a terminal, in a notebook and in feedback HTML, so
the text is plain and the same everywhere. The HTML form adds what text cannot show: the conversation itself.
"""

from __future__ import annotations

import html
import textwrap
from dataclasses import dataclass
from typing import Any

from autograder.language import _, printable

WIDTH = 76
LABEL_WIDTH = 10
INDENT = 2
LONGEST_VALUE = 300
MOST_LINES = 8

_STYLE = "font-family:inherit;border-left:4px solid {colour};padding:0.4em 0.8em;margin:0.3em 0"


@dataclass(frozen=True)
class Feedback:
    """What a failed check tells the learner. Empty parts are left out.

    title: the property that does not hold yet. expected, found: the least that shows it.
    the_api: what the Messages API would have answered. because: why it matters. next_step: what to try.
    printed: what the learner's code printed. evidence: something `autograder.display.table` can draw.
    """

    title: str
    found: str
    expected: str = ""
    the_api: str = ""
    because: str = ""
    next_step: str = ""
    printed: str = ""
    evidence: Any = None

    def rows(self) -> list[tuple[str, str]]:
        """Return the parts in reading order, each with its label."""
        parts = [
            (_("expected"), self.expected),
            (_("found"), self.found),
            (_("the API"), self.the_api),
            (_("because"), self.because),
            (_("printed"), self.printed),
            (_("try"), self.next_step),
        ]
        return [(label, shortened(printable(text))) for label, text in parts if text]

    def headline(self) -> str:
        """Return the first line of the text."""
        return _("Not yet: {title}").format(title=self.title)

    def text(self) -> str:
        """Return the feedback as plain text, no line wider than 76 columns."""
        return "\n".join([self.headline(), "", *(line for row in self.rows() for line in _row(*row))])

    def html(self) -> str:
        """Return the feedback as HTML, with the conversation that it is about."""
        cells = "".join(
            f'<tr><th scope="row" style="text-align:left;vertical-align:top;padding-right:1em">{html.escape(label)}'
            f'</th><td style="text-align:left;white-space:pre-wrap">{html.escape(text)}</td></tr>'
            for label, text in self.rows()
        )
        table = f"<table><tbody>{cells}</tbody></table>"
        return (
            f'<div style="{_STYLE.format(colour="#b35900")}"><p><strong>{html.escape(self.headline())}</strong></p>'
            f"{table}{self.evidence_html()}</div>"
        )

    def evidence_html(self) -> str:
        """Return the conversation as HTML, or "" when the check has none to show."""
        if self.evidence is None:
            return ""
        from autograder.display.table import evidence_table

        return evidence_table(self.evidence)._repr_html_()


@dataclass(frozen=True)
class Passed:
    """A verdict to display: the property holds."""

    title: str

    def __repr__(self) -> str:
        return _("Passed: {title}").format(title=self.title)

    def _repr_html_(self) -> str:
        return (
            f'<div style="{_STYLE.format(colour="#2e7d32")}"><span aria-hidden="true">\u2713 </span>'
            f"{html.escape(repr(self))}</div>"
        )


def shown(value: Any) -> str:
    """Return `value` as a learner may read it: its repr, long ones shortened in the middle."""
    return shortened(repr(value), 180)


def shortened(text: str, longest: int = LONGEST_VALUE) -> str:
    """Return `text` with its middle left out when it is longer than `longest` characters."""
    if len(text) <= longest:
        return text
    half = (longest - 5) // 2
    return f"{text[:half]} ... {text[-half:]}"


def _row(label: str, text: str) -> list[str]:
    margin = " " * (INDENT + LABEL_WIDTH)
    lines: list[str] = []
    for paragraph in text.splitlines() or [""]:
        lines += textwrap.wrap(paragraph, WIDTH - len(margin), break_on_hyphens=False) or [""]
    if len(lines) > MOST_LINES:
        lines = [*lines[: MOST_LINES - 1], "..."]
    first = " " * INDENT + label.ljust(LABEL_WIDTH) + lines[0]
    return [first, *(margin + line for line in lines[1:])]

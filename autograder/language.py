"""One door for every sentence that a learner or a teacher reads.

A Spanish edition is planned. When a sentence goes through `_`, translating it is a matter of adding a
catalogue; a test scans the package and refuses sentences that do not. Identifiers, API literals and the
API's own error messages are never translated.
"""

from __future__ import annotations

import gettext
import os
from pathlib import Path

CATALOGUES = Path(__file__).parent / "locale"


def _translations() -> gettext.NullTranslations:
    language = os.environ.get("AUTOGRADER_LANGUAGE", "en")
    return gettext.translation("autograder", CATALOGUES, languages=[language], fallback=True)


_translation = _translations()


def _(text: str) -> str:
    """Return `text` in the reader's language.

    The language is the environment variable AUTOGRADER_LANGUAGE ("en" when it is not set). Values are
    put in afterwards, `_("lesson {number}").format(number=3)`, so that a catalogue can hold the sentence.
    """
    return _translation.gettext(text)


def printable(text: str) -> str:
    """Return `text` without what a notebook or a terminal cannot show.

    A lone surrogate would be lost with the whole output on its way out of a kernel, and a control character would
    change what stands around it; both are written as escapes. Line breaks stay.
    """
    whole = text.encode("utf-8", "backslashreplace").decode()
    return "".join(sign if sign == "\n" or sign.isprintable() else repr(sign)[1:-1] for sign in whole)


def ngettext(singular: str, plural: str, count: int) -> str:
    """Return the form of a sentence that fits `count`, in the reader's language."""
    return _translation.ngettext(singular, plural, count)

"""Keep what the learner's code prints apart from the verdict.

nbgrader scores a grade cell 0 for anything on stderr, so a warning or a log line in a right answer would cost
its points. `redirect_stderr` misses logging handlers, which hold the stream object, and writes to descriptor 2;
here the stream's own `write` is replaced and the descriptor is pointed elsewhere for the length of a call.
"""

from __future__ import annotations

import contextlib
import io
import os
import sys
import warnings
from collections.abc import Iterator


class _Printed(io.StringIO):
    """A buffer that the learner's code cannot close."""

    def close(self) -> None:
        pass


@contextlib.contextmanager
def captured() -> Iterator[io.StringIO]:
    """Collect stdout in the returned buffer and drop stderr and warnings while the block runs."""
    printed = _Printed()
    with (
        contextlib.redirect_stdout(printed),
        warnings.catch_warnings(record=True),
        _without_stderr_stream(),
        _without_stderr_descriptor(),
    ):
        warnings.simplefilter("always")
        yield printed


@contextlib.contextmanager
def _without_stderr_stream() -> Iterator[None]:
    stream = sys.stderr
    try:
        stream.write = _swallow  # type: ignore[method-assign]
    except AttributeError:  # a stream that does not let its methods be replaced
        with contextlib.redirect_stderr(io.StringIO()):
            yield
        return
    try:
        yield
    finally:
        with contextlib.suppress(AttributeError):
            del stream.write


def _swallow(text: str) -> int:
    return len(text)


@contextlib.contextmanager
def _without_stderr_descriptor() -> Iterator[None]:
    try:
        saved = os.dup(2)
    except OSError:  # no descriptor 2: nothing to keep quiet
        yield
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, 2)
    os.close(nowhere)
    try:
        yield
    finally:
        os.dup2(saved, 2)
        os.close(saved)

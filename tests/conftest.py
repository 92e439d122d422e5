"""Sentences name the command that was typed; for the tests that is `course`, however pytest was started."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from autograder.command import HANDED_ON, STARTED_AS


@pytest.fixture(autouse=True, scope="session")
def _started_as_course() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv(STARTED_AS, "course")
        patch.delenv(HANDED_ON, raising=False)
        yield

"""nbgrader's tracebacks become one sentence."""

from __future__ import annotations

import pytest

from autograder.grading.troubles import sentence_for

TRACEBACK = """[ERROR] There was an error processing assignment: /course/submitted/learner/01_double
Traceback (most recent call last):
  File "nbclient/client.py", line 1, in execute
{cause}
nbgrader.converters.base.NbGraderException: Please see the the above traceback for details"""


@pytest.mark.parametrize(
    ("cause", "sentence"),
    [
        pytest.param("nbclient.exceptions.DeadKernelError: Kernel died", "ended the Python process", id="dead kernel"),
        pytest.param("RuntimeError: Timeout waiting for IOPub output", "printed without end", id="endless output"),
        pytest.param("UnresponsiveKernelError", "did not end and could not be interrupted", id="endless loop"),
        pytest.param("sqlite3.OperationalError: database is locked", "another program is writing", id="locked"),
        pytest.param("run the command `nbgrader db upgrade`.", "Run: nbgrader db upgrade", id="old gradebook"),
        pytest.param("OperationalError: attempt to write a readonly database", "cannot be written", id="readonly"),
        pytest.param("OSError: [Errno 28] No space left on device", "the disk is full", id="disk full"),
        pytest.param("jupyter_client.kernelspec.NoSuchKernel: python3", "no Python kernel", id="no kernel"),
        pytest.param("ValueError: partial credit cannot be greater", "ValueError: partial credit", id="anything else"),
    ],
)
def test_each_cause_has_its_sentence(cause: str, sentence: str) -> None:
    said = sentence_for("01_double", TRACEBACK.format(cause=cause))
    assert said.startswith("Lesson 01")
    assert sentence in said
    assert "Traceback" not in said
    assert max(map(len, said.splitlines())) <= 100


def test_an_empty_log_still_gives_a_sentence() -> None:
    assert sentence_for("01_double", "") == "Lesson 01 could not be graded by nbgrader:\nno reason given"

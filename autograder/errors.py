"""What the course raises on purpose.

    CourseError            the reader can do something about it; str(error) is the sentence to show
    ├── CheckFailed        a check says "Not yet" (its text says what was expected and found)
    ├── AuthoringError     a lesson's source or release is not as it has to be
    ├── GradingError       a submission or the gradebook cannot be worked with
    └── SetupError         this machine stands in the way of the set-up (autograder.setup.cures)

The double imports nothing of the course, so its own stand apart, in autograder.messages_api:

    ValueError
    ├── ScenarioError      a scenario is missing or breaks the format (errors)
    └── RecordingError     a conversation could not be recorded; `course record` says why (recorder)
    LookupError
    └── ThreadNotFoundError  a message thread is not known; the double answers it with a 404 (threads)
"""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from autograder.checks.feedback import Feedback


class CourseError(Exception):
    """Something a reader can mend. `str(error)` is what is wrong, where, and what to do."""


class AuthoringError(CourseError):
    """A lesson's source, release or fixture is not as it has to be."""


class GradingError(CourseError):
    """A submission, the gradebook or nbgrader cannot be worked with."""


class CheckFailed(CourseError):  # noqa: N818
    """A check says "Not yet".

    `feedback` holds the parts; `str(error)` is the text that a notebook, nbgrader and a terminal show.
    """

    def __init__(self, feedback: Feedback) -> None:
        super().__init__(feedback)
        self.feedback = feedback

    def __str__(self) -> str:
        return self.feedback.text()

    def _render_traceback_(self) -> list[str]:
        # IPython calls this instead of drawing a traceback: the lines of the check are all that helps.
        return self.feedback.text().splitlines()

    def _repr_html_(self) -> str:
        return self.feedback.html()

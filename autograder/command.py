"""What a person types to run the course, so that every sentence names a command that works where it is read.

`course` is known only in an active environment. Whoever typed `python3 -m autograder start` has none, so there the
sentences say that. How the program was started is kept in an environment variable, because the course goes on in
other processes: in the Python of `.venv`, in nbgrader's process, in kernels.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

STARTED_AS = "AUTOGRADER_COMMAND"
HANDED_ON = "AUTOGRADER_RERUN"
WINDOWS = os.name == "nt"


def command(rest: str) -> str:
    """The command to type: `course REST` if that was typed before, else `python3 -m autograder REST`."""
    return f"{os.environ.get(STARTED_AS) or _started_as()} {rest}".rstrip()


def remember() -> None:
    """Keep how this process was started, for itself and for every process that it starts."""
    if not os.environ.pop(HANDED_ON, ""):
        os.environ[STARTED_AS] = _started_as()


def hand_on() -> None:
    """Make the next process, which goes on with the same command in another Python, keep the name of this one."""
    os.environ[HANDED_ON] = "1"


def _started_as() -> str:
    if Path(sys.argv[0]).stem == "course":
        return "course"
    return "py -m autograder" if WINDOWS else "python3 -m autograder"

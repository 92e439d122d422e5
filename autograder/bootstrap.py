"""The gate in front of everything: is this Python new enough?

`python3 -m autograder` may meet any Python, so this file, `__init__.py` and `__main__.py` import the standard
library only and are written for Python 2.7 and later. What comes behind the gate may use today's language.
"""

import os
import subprocess
import sys

NEEDED = (3, 11)
TOO_OLD = 2


def gate(arguments):
    # type: (list[str]) -> None
    """Leave with one sentence and exit code 2 when this Python is too old for the course.

    `arguments` are those after `python3 -m autograder`; the sentence repeats them in the command to type.
    """
    version = tuple(sys.version_info[:3])
    if version[:2] >= NEEDED:
        return
    sys.stderr.write(sentence(version, newer_python(), arguments) + "\n")
    sys.exit(TOO_OLD)


def sentence(version, newer, arguments):
    # type: (tuple[int, ...], str | None, list[str]) -> str
    """Return what is wrong and what to type.

    `version` is the Python found; `newer` is the command of a newer one on this machine, or None.
    """
    found = "course: This is Python " + ".".join(str(part) for part in version) + "."
    need = "The course needs Python " + ".".join(str(part) for part in NEEDED) + " or newer."
    if newer is None:
        cure = "Install one (python.org, or your system's packages) and use that one here."
    else:
        cure = "This machine has one. Run:\n  " + newer + " -m autograder " + " ".join(arguments)
    return found + " " + need + "\n" + cure


def newer_python():
    # type: () -> str | None
    """Return the command of a new enough Python on this machine, newest first, or None.

    Each is started once: a command that is on the PATH need not work (pyenv puts unusable ones there).
    """
    for minor in range(NEEDED[1] + 9, NEEDED[1] - 1, -1):
        command = "python3." + str(minor)
        with open(os.devnull, "w") as nowhere:
            try:
                if subprocess.call([command, "-c", ""], stdout=nowhere, stderr=nowhere) == 0:
                    return command
            except OSError:
                continue
    return None

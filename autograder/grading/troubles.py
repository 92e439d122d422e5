"""What nbgrader's log means to a learner.

nbgrader answers a submission that it cannot grade with a traceback. The causes are few (a dead kernel, a cell that
never ends, output without end, a busy gradebook), and each has a sentence.
"""

from __future__ import annotations

from autograder.command import command
from autograder.language import _

CELLS_CHANGED = "because there are submissions"

# The first text that the log holds decides; what a cell did comes before what nbgrader made of it.
CAUSES = (
    ("DeadKernelError", "dead"),
    ("Timeout waiting for IOPub output", "output"),
    ("UnresponsiveKernelError", "endless"),
    ("the kernel became unresponsive", "endless"),
    ("database is locked", "locked"),
    ("nbgrader db upgrade", "old"),
    ("readonly database", "readonly"),
    ("No space left on device", "space"),
    ("NoSuchKernel", "no kernel"),
)


def sentence_for(slug: str, log: str) -> str:
    """The sentence for a lesson that nbgrader gave up, from what nbgrader logged."""
    cause = next((cause for text, cause in CAUSES if text in log), "")
    known = _sentences()
    if cause:
        return known[cause].format(lesson=slug[:2], command=command("start"))
    lines = [line.strip() for line in log.splitlines() if line.strip()]
    raised = [line for line in lines if _names_an_error(line)]
    reason = (raised or lines or [_("no reason given")])[-1]
    return _("Lesson {lesson} could not be graded by nbgrader:\n{reason}").format(lesson=slug[:2], reason=reason[:200])


def _names_an_error(line: str) -> bool:
    name = line.split(":", 1)[0]
    return ":" in line and name.endswith(("Error", "Exception")) and "NbGraderException" not in name and " " not in name


def _sentences() -> dict[str, str]:
    return {
        "dead": _(
            "Lesson {lesson}: a cell ended the Python process (os._exit, or too much memory).\n"
            "Restart the kernel and run all cells to see which."
        ),
        "output": _("Lesson {lesson}: a cell printed without end. Stop the loop that prints, then grade again."),
        "endless": _(
            "Lesson {lesson}: a cell did not end and could not be interrupted.\n"
            "Look for a loop that catches every exception."
        ),
        "locked": _("Lesson {lesson}: another program is writing to gradebook.db. Try again when it has ended."),
        "old": _("Lesson {lesson}: gradebook.db is of another nbgrader version. Run: nbgrader db upgrade"),
        "readonly": _("Lesson {lesson}: gradebook.db cannot be written to. Check who owns the file."),
        "space": _("Lesson {lesson}: the disk is full. Make room, then grade again."),
        "no kernel": _("Lesson {lesson}: there is no Python kernel. Run:\n  {command}"),
    }

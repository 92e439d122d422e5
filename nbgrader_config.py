"""What nbgrader needs to know about this course; every nbgrader command works from this folder as it is."""

import warnings
from pathlib import Path

from nbgrader.preprocessors import AssignLatePenalties, CheckCellMetadata, LimitOutput, SaveAutoGrades
from sqlalchemy.exc import SAWarning

from autograder.grading.seeded_execute import SeededExecute

c = get_config()  # noqa: F821 - nbgrader puts it here

c.CourseDirectory.course_id = "agentloop"
c.CourseDirectory.source_directory = "solutions"
c.CourseDirectory.release_directory = "notebooks"

# The stub a learner sees. `course verify` relies on it: an unsolved exercise ends in NotImplementedError, nothing else.
c.ClearSolutions.code_stub = {"python": 'raise NotImplementedError("not written yet")'}

# The release is generated and never edited, so it may always be written again. Without this nbgrader skips a lesson
# whose folder exists, and its gradebook never hears of it.
c.GenerateAssignment.force = True

# Without it ipykernel 7 warns, for every kernel, that it runs over TCP without encryption.
c.KernelManager.transport_encryption = "auto"

# nbgrader 0.9.6 under SQLAlchemy 2: the first autograde of a learner warns three times; the scores are right.
warnings.filterwarnings("ignore", category=SAWarning)

# A test cell that a learner deleted is put back, and scores 0, instead of asking for a grade by hand for ever.
c.OverwriteCells.add_missing_cells = True

# Nothing in a lesson needs a kernel to end gently; this saves a fifth of a second for each submission.
c.Execute.shutdown_kernel = "immediate"

# nbgrader calls the link to every check "Test cell"; with this they have names.
c.GenerateFeedback.exporter_class = "autograder.grading.feedback_page.FeedbackPage"

# While nbgrader grades, the checks play variations that the seed of the class picks: the same for everybody in it.
c.SeededExecute.course_root = str(Path(__file__).parent)
c.Autograde.autograde_preprocessors = [
    SeededExecute,
    LimitOutput,
    SaveAutoGrades,
    AssignLatePenalties,
    CheckCellMetadata,
]

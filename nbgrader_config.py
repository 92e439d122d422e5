"""What nbgrader needs to know about this course; every nbgrader command works from this folder as it is."""

import warnings

from sqlalchemy.exc import SAWarning

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

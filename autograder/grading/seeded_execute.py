"""nbgrader's own execution, with the seed of the class in the kernel's environment.

The seed is made and read here, when something is graded, and not when nbgrader reads its configuration: a release or a
JupyterLab that starts has no use for a secret.
"""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from nbgrader.preprocessors import Execute
from traitlets import Unicode

from autograder.grading.seed import SEED_VARIABLE, class_seed


class SeededExecute(Execute):  # type: ignore[misc]  # nbgrader ships no types
    """Runs a submission; its checks then play the variations that belong to the class."""

    course_root = Unicode(help="The folder of the course, where the seed file lies.").tag(config=True)

    def preprocess(self, notebook: Any, resources: Any, **options: Any) -> Any:
        """Execute the notebook as nbgrader does, with the seed and without the teacher's API key in its environment."""
        before = dict(os.environ)
        for name in [name for name in before if name.startswith("ANTHROPIC_")]:
            del os.environ[name]
        os.environ[SEED_VARIABLE] = class_seed(Path(self.course_root))
        try:
            return super().preprocess(notebook, resources, **options)
        finally:
            os.environ.clear()
            os.environ.update(before)

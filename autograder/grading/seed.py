"""The secret that picks the conversations of a graded run.

Everybody of a class is graded with the same seed, and a lesson that is graded again plays the same conversations. It
lives beside the gradebook, in a file that git ignores, so that it never travels with the course.
"""

from __future__ import annotations

import os
import secrets
from pathlib import Path

SEED_VARIABLE = "AUTOGRADER_SEED"
SEED_FILE = ".autograder_seed"


def class_seed(root: Path) -> str:
    """The seed of the course at `root`: the environment variable AUTOGRADER_SEED, else the seed file.

    The file is made, readable by its owner only, when a course is graded for the first time.
    """
    return os.environ.get(SEED_VARIABLE, "").strip() or _kept(root / SEED_FILE)


def _kept(path: Path) -> str:
    if path.is_file() and (seed := path.read_text(encoding="ascii", errors="replace").strip()):
        return seed
    seed = secrets.token_hex(16)
    with os.fdopen(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "w", encoding="ascii") as file:
        file.write(f"{seed}\n")
    return seed

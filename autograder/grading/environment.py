"""The environment in which a learner's kernel starts, the same for `course check` and `course grade`."""

from __future__ import annotations

import os
import sysconfig
from pathlib import Path


def kernel_environment() -> dict[str, str]:
    """The environment of this process, so that its own Python and this very package are found first.

    NBGRADER_EXECUTION is taken out: nbgrader sets it when it autogrades, and nothing else may.
    """
    environment = {name: value for name, value in os.environ.items() if name != "NBGRADER_EXECUTION"}
    # nbgrader makes a gradebook with the command `alembic`; it is beside this Python, whether that is active or not.
    environment["PATH"] = _joined(sysconfig.get_path("scripts"), environment.get("PATH"))
    package = str(Path(__file__).resolve().parents[2])
    if package not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        environment["PYTHONPATH"] = _joined(package, environment.get("PYTHONPATH"))
    return environment


def _joined(first: str, rest: str | None) -> str:
    return os.pathsep.join(part for part in (first, rest) if part)

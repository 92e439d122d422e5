"""A notebook of the course run as its author needs it: a copy with outputs, or the reason why there is none."""

from __future__ import annotations

from pathlib import Path

from nbclient.exceptions import CellTimeoutError, DeadKernelError

from autograder import kernels
from autograder.authoring.notebook import Notebook, node
from autograder.errors import AuthoringError
from autograder.language import _

CELL_TIMEOUT = 120


def execute(notebook: Notebook, folder: Path) -> Notebook:
    """A copy of the notebook, every cell run in order with `folder` as current folder; errors are kept as outputs.

    Raises:
        AuthoringError: the kernel died or a cell did not end.
    """
    executed = node(notebook)
    try:
        kernels.execute(executed, folder, seconds=CELL_TIMEOUT)
    except (CellTimeoutError, DeadKernelError) as error:
        reason = str(error).partition("\n")[0]
        raise AuthoringError(_("the run did not come to its end: {reason}").format(reason=reason)) from None
    return executed

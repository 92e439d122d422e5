"""Running a notebook in a fresh kernel of this very environment."""

from __future__ import annotations

import asyncio
import os
from pathlib import Path

from ipykernel.kernelspec import get_kernel_dict
from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellTimeoutError, DeadKernelError
from traitlets.config import Config

from autograder.authoring.notebook import Notebook, node
from autograder.errors import AuthoringError
from autograder.language import _

CELL_TIMEOUT = 120


class _ThisPython(KernelSpecManager):
    """Gives the kernel of this environment, whatever kernel the machine has under the name python3."""

    def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
        return KernelSpec(**get_kernel_dict())


def execute(notebook: Notebook, folder: Path) -> Notebook:
    """A copy of the notebook, every cell run in order with `folder` as current folder; errors are kept as outputs.

    Raises:
        AuthoringError: the kernel died or a cell did not end.
    """
    settings = Config()
    settings.KernelManager.transport_encryption = "auto"  # or ipykernel 7 warns about unencrypted TCP
    client = NotebookClient(
        node(notebook),
        km=AsyncKernelManager(config=settings, kernel_spec_manager=_ThisPython()),
        allow_errors=True,
        coalesce_streams=True,
        shutdown_kernel="immediate",
        timeout=CELL_TIMEOUT,
    )
    try:
        # The kernel manager is ours, so nbclient stops its kernel only when told to.
        executed: Notebook = asyncio.run(client.async_execute(cwd=str(folder), env=environment(), cleanup_kc=True))
    except (CellTimeoutError, DeadKernelError) as error:
        reason = str(error).partition("\n")[0]
        raise AuthoringError(_("the run did not come to its end: {reason}").format(reason=reason)) from None
    return executed


def environment() -> dict[str, str]:
    """The environment of a kernel: this one, with this package importable even where it is not installed.

    What pytest, coverage and nbgrader leave in it is taken out: a lesson has to run as it does for a learner.
    """
    home = str(Path(__file__).resolve().parents[2])
    path = os.pathsep.join([home, *filter(None, [os.environ.get("PYTHONPATH")])])
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST_", "NBGRADER_", "COV_"))}
    return {**kept, "PYTHONPATH": path, "PYDEVD_DISABLE_FILE_VALIDATION": "1"}

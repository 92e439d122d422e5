"""Kernels of this very Python: the environment that learners' code starts in, and one run of a notebook.

`course check`, `course grade` and the rules of `course verify` have to agree on both, so they have them from here.
nbclient takes half a second to import, which verbs that run nothing need not wait for: it is imported when it is used.
"""

from __future__ import annotations

import os
import subprocess
import sysconfig
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jupyter_client.manager import AsyncKernelManager

LEFT_OUT = ("ANTHROPIC_", "COV_", "NBGRADER_", "PYTEST_")
"""Keys of the live API, which nothing in a lesson needs, and what tools leave behind: NBGRADER_EXECUTION, for one,
tells a check that nbgrader grades, and nothing else may say so."""


def environment() -> dict[str, str]:
    """The environment of this process without `LEFT_OUT`; its own Python and this very package are found first."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(LEFT_OUT)}
    # nbgrader makes a gradebook with the command `alembic`; it is beside this Python, whether that is active or not.
    kept["PATH"] = _joined(sysconfig.get_path("scripts"), kept.get("PATH"))
    package = str(Path(__file__).resolve().parents[1])
    if package not in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        kept["PYTHONPATH"] = _joined(package, kept.get("PYTHONPATH"))
    return {**kept, "PYDEVD_DISABLE_FILE_VALIDATION": "1"}


def execute(notebook: Any, folder: Path, *, seconds: int, interrupt: bool = False) -> None:
    """Run every cell in order in a fresh kernel that stands in `folder`; errors are kept as outputs.

    Args:
        notebook: an nbformat NotebookNode; it gets the outputs.
        folder: the current folder of the kernel.
        seconds: how long a cell may take.
        interrupt: go on with the next cell when one takes longer.

    Raises:
        nbclient.exceptions.DeadKernelError: a cell ended the process.
        nbclient.exceptions.CellTimeoutError: a cell did not end.
    """
    from nbclient import NotebookClient

    client = NotebookClient(
        notebook,
        km=_manager(),
        allow_errors=True,
        coalesce_streams=True,
        interrupt_on_timeout=interrupt,
        shutdown_kernel="immediate",
        timeout=seconds,
    )
    # The kernel manager is ours, so nbclient stops its kernel only when told to.
    client.execute(
        cleanup_kc=True, cwd=str(folder), env=environment(), stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )


def _manager() -> AsyncKernelManager:
    """A manager for the kernel of this environment, whatever kernel the machine has under the name python3."""
    from ipykernel.kernelspec import get_kernel_dict
    from jupyter_client.kernelspec import KernelSpec, KernelSpecManager
    from jupyter_client.manager import AsyncKernelManager
    from traitlets.config import Config

    class ThisPython(KernelSpecManager):
        def get_kernel_spec(self, kernel_name: str) -> KernelSpec:
            return KernelSpec(**get_kernel_dict())

    # As in nbgrader_config.py: without it ipykernel 7 warns, for every kernel, about unencrypted TCP.
    config = Config({"KernelManager": {"transport_encryption": "auto"}})
    return AsyncKernelManager(config=config, kernel_spec_manager=ThisPython())


def _joined(first: str, rest: str | None) -> str:
    return os.pathsep.join(part for part in (first, rest) if part)

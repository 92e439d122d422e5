"""What can stop a set-up, and the one sentence with the cure for each."""

from __future__ import annotations

import errno
import os
import re
import sys
from pathlib import Path

from autograder.errors import CourseError
from autograder.language import _

NEEDED_BYTES = 1_000_000_000  # measured: 660 MB with the packages of the tests, and pip's own copies on the way


class SetupError(CourseError):
    """The course cannot be set up on this machine as it is."""


def no_space(folder: Path) -> SetupError:
    """There is too little room for the packages."""
    return SetupError(
        _(
            "There is not enough space on the disk of {folder}. The packages of the course need about 1 GB. "
            "Free some, then run the same command again."
        ).format(folder=folder)
    )


def read_only(folder: Path) -> SetupError:
    """The course lies where nothing can be written."""
    return SetupError(
        _(
            "The folder {folder} cannot be written to. Copy the course to a folder of your own "
            "and run the same command there."
        ).format(folder=folder)
    )


def no_ensurepip() -> SetupError:
    """Debian and its relatives keep the part of Python that makes environments in a package of its own."""
    version = f"{sys.version_info.major}.{sys.version_info.minor}"
    return SetupError(
        _(
            "This Python {version} cannot make an environment: its ensurepip is missing. "
            "On Debian or Ubuntu run: sudo apt install python{version}-venv (elsewhere use the Python of "
            "python.org), then run the same command again."
        ).format(version=version)
    )


def in_use(folder: Path) -> SetupError:
    """The environment has to be made again while something still runs in it."""
    return SetupError(
        _(
            "{folder} has to be made again, and something still uses it. Close JupyterLab and other windows "
            "of the course, type `deactivate`, and run the same command again."
        ).format(folder=folder)
    )


def not_ours(folder: Path) -> SetupError:
    """The environment is somebody's own and lacks what the course needs; only its owner may throw it away."""
    return SetupError(
        _(
            "{folder} was not made by the course, so it stays as it is; but it has not everything the course needs. "
            "Install requirements.txt there with the tool that made it (for example uv pip install -r "
            "requirements.txt), or delete that folder, then run the same command again."
        ).format(folder=folder)
    )


def from_os(error: OSError, folder: Path) -> SetupError:
    """The cure for an error of the file system while `folder` was being written."""
    if error.errno in (errno.ENOSPC, getattr(errno, "EDQUOT", errno.ENOSPC)):
        return no_space(folder)
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return in_use(folder) if os.name == "nt" and folder.exists() else read_only(folder.parent)
    return SetupError(_("{folder} could not be made: {reason}.").format(folder=folder, reason=error.strerror or error))


def from_log(text: str, log: Path) -> SetupError:
    """The cure for what pip said in `text`, which also lies in the file `log`."""
    for pattern, cure in _CURES:
        found = re.search(pattern, text)
        if found:
            return SetupError(cure.format(*found.groups(), log=log))
    return SetupError(
        _("The set-up stopped: {reason}. All that was said is in {log}").format(reason=_last_error(text), log=log)
    )


def _last_error(text: str) -> str:
    lines = [line.strip() for line in text.splitlines() if line.strip()]
    errors = [line for line in lines if line.lower().startswith("error:")]
    return (errors or lines or ["it ended without a word"])[-1].rstrip(".")


# In this order: a lost connection also ends in "No matching distribution", so it is looked for first.
_CURES = (
    (
        r"No space left on device|Disk quota exceeded|not enough space on the disk",
        _(
            "There is not enough space on the disk. The packages of the course need about 1 GB. Free some, "
            "then run the same command again. All that pip said is in {log}"
        ),
    ),
    (
        r"CERTIFICATE_VERIFY_FAILED|CertificateError|SSLCertVerificationError",
        _(
            "The package index shows a certificate that this machine does not trust. If your network has a "
            "certificate of its own, name its file in PIP_CERT and run the same command again. "
            "All that pip said is in {log}"
        ),
    ),
    (
        r"NewConnectionError|Failed to establish a new connection|Temporary failure in name resolution"
        r"|NameResolutionError|getaddrinfo failed|ConnectTimeout|ReadTimeout|Read timed out|ProxyError"
        r"|Connection refused|Connection reset|ConnectionResetError|Connection aborted|Network is unreachable",
        _(
            "The package index could not be reached. Check the network (behind a proxy: set HTTPS_PROXY or "
            "PIP_INDEX_URL), then run the same command again. All that pip said is in {log}"
        ),
    ),
    (
        r"Permission denied|Read-only file system|\[Errno 13\]|\[Errno 30\]|\[WinError 5\]",
        _(
            "pip may not write to the folder of the course. Make it writable, or copy the course to a folder of "
            "your own, then run the same command again. All that pip said is in {log}"
        ),
    ),
    (
        # pip does not say why when it is told not to try again (PIP_RETRIES=0).
        r"\(from versions: none\)[\s\S]*No matching distribution found for (\S+)",
        _(
            "The package index could not be reached, or has no {0}. Check the network and PIP_INDEX_URL, "
            "then run the same command again. All that pip said is in {log}"
        ),
    ),
    (
        r"No matching distribution found for (\S+)",
        _(
            "The package index has no {0} for this Python. Use the public index, or a mirror that has it "
            "(PIP_INDEX_URL), then run the same command again. All that pip said is in {log}"
        ),
    ),
)

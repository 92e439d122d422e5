"""What pip and the file system say, and the sentence a person gets for it."""

from __future__ import annotations

import errno
from pathlib import Path

import pytest

from autograder.setup import cures

LOG = Path("setup.log")


@pytest.mark.parametrize(
    ("said", "cure"),
    [
        pytest.param(
            "WARNING: Retrying (Retry(total=4, connect=None, read=None, redirect=None, status=None)) after connection "
            "broken by 'NewConnectionError('<pip._vendor.urllib3.connection.HTTPSConnection object at 0x7f>: Failed to "
            "establish a new connection: [Errno -3] Temporary failure in name resolution')': /simple/anthropic/\n"
            "ERROR: Could not find a version that satisfies the requirement anthropic==2.14.0 (from versions: none)\n"
            "ERROR: No matching distribution found for anthropic==2.14.0",
            "could not be reached",
            id="no network",
        ),
        pytest.param(
            "ERROR: Could not find a version that satisfies the requirement nbgrader==0.9.6 (from versions: 0.9.5)\n"
            "ERROR: No matching distribution found for nbgrader==0.9.6",
            "has no nbgrader==0.9.6 for this Python",
            id="not in the index",
        ),
        pytest.param(
            "ERROR: Could not find a version that satisfies the requirement rich==15.0.0 (from versions: none)\n"
            "ERROR: No matching distribution found for rich==15.0.0",
            "could not be reached, or has no rich==15.0.0",
            id="no network, no second try",
        ),
        pytest.param(
            "ERROR: Could not install packages due to an OSError: [Errno 28] No space left on device",
            "not enough space",
            id="disk full",
        ),
        pytest.param(
            "Could not fetch URL https://pypi.org/simple/pip/: There was a problem confirming the ssl certificate: "
            "HTTPSConnectionPool(host='pypi.org', port=443): Max retries exceeded (Caused by SSLError("
            "SSLCertVerificationError(1, '[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed')))",
            "PIP_CERT",
            id="certificate",
        ),
        pytest.param(
            "ERROR: Could not install packages due to an OSError: [Errno 13] Permission denied: '/srv/x'",
            "may not write",
            id="not allowed",
        ),
        pytest.param("a\nERROR: Something new.\nb", "The set-up stopped: ERROR: Something new.", id="anything else"),
        pytest.param("", "ended without a word", id="silence"),
    ],
)
def test_what_pip_says_becomes_a_sentence_that_names_the_log(said: str, cure: str) -> None:
    sentence = str(cures.from_log(said, LOG))
    assert cure in sentence
    assert sentence.endswith("setup.log")


@pytest.mark.parametrize(
    ("number", "cure"),
    [
        pytest.param(errno.ENOSPC, "not enough space", id="full"),
        pytest.param(errno.EROFS, "cannot be written to", id="read-only"),
        pytest.param(errno.EACCES, "cannot be written to", id="not allowed"),
        pytest.param(errno.ENAMETOOLONG, "name too long", id="anything else"),
    ],
)
def test_what_the_file_system_says_becomes_a_sentence(number: int, cure: str, tmp_path: Path) -> None:
    sentence = str(cures.from_os(OSError(number, "File name too long"), tmp_path / ".venv"))
    assert cure in sentence.replace("File name", "name")

"""Makes `.venv` and fills it: once, visibly, and so that an interruption is mended by running the command again."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from autograder.bootstrap import NEEDED
from autograder.language import _
from autograder.setup import cures
from autograder.setup.environment import ROOT, Environment
from autograder.setup.progress import Progress

# Runs in the .venv: exit code 0 when everything is there. Nothing of it is imported in this process.
_HAS_ALL = "import sys; sys.path.insert(0, sys.argv[1]); from pathlib import Path; "
_HAS_ALL += "from autograder.setup.environment import missing; "
_HAS_ALL += "sys.exit(bool(missing(Path(sys.argv[2]), frozenset(sys.argv[3:]))))"
_WORKS = f"import sys, pip; sys.exit(sys.version_info < {NEEDED})"


def prepare(environment: Environment, extras: frozenset[str]) -> None:
    """Make or mend the environment until `is_ready(extras)` holds, showing what is done on stderr.

    Raises:
        SetupError: something on this machine stands in the way; the sentence says what to do.
    """
    progress = Progress(sys.stderr)
    try:
        with _one_at_a_time(environment.root, progress):
            if not environment.is_ready(extras):
                _prepare(environment, extras, progress)
    except OSError as error:
        raise cures.from_os(error, environment.home) from error


def _prepare(environment: Environment, extras: frozenset[str], progress: Progress) -> None:
    began = time.monotonic()
    before = environment.recorded()
    # What an earlier `test` brought is kept, so that learning and testing in turn install nothing twice.
    extras |= frozenset(before.get("extras", ()))
    if not environment.is_ours() and _has_all(environment, extras):
        environment.write_stamp("ready", extras)  # somebody made it by hand, and well
        return
    if has_to_be_made(environment):
        _make(environment, extras, progress)
    _install(environment, extras, progress)
    environment.write_stamp("ready", extras)
    progress.say(_("The course is set up ({seconds:.0f} s).").format(seconds=time.monotonic() - began))


def has_to_be_made(environment: Environment) -> bool:
    """Whether the environment is missing, broken or half made, so that installing into it would mend nothing."""
    before = environment.recorded()
    if before.get("state") in ("making", "installing"):
        return True  # it was interrupted: pip, for one, may have left half a package
    if before and not environment.is_in_place():
        return True
    return not environment.python.exists() or not _succeeds([str(environment.python), "-c", _WORKS])


def _has_all(environment: Environment, extras: frozenset[str]) -> bool:
    return _succeeds([str(environment.python), "-c", _HAS_ALL, str(ROOT), str(environment.root), *sorted(extras)])


def _succeeds(command: list[str]) -> bool:
    try:
        return subprocess.run(command, capture_output=True, check=False).returncode == 0
    except OSError:
        return False


def _make(environment: Environment, extras: frozenset[str], progress: Progress) -> None:
    again = environment.is_ours()
    if not again and environment.home.exists() and any(environment.home.iterdir()):
        raise cures.not_ours(environment.home)
    _check_machine(environment)
    progress.say(_("Making .venv again: it was not complete.") if again else _("Making .venv (this happens once)."))
    # The base interpreter, because this process may itself run in the .venv that is being replaced.
    base = getattr(sys, "_base_executable", None) or sys.executable
    environment.home.mkdir(exist_ok=True)
    environment.write_stamp("making", extras)
    _clear(environment)
    command = [base, "-m", "venv", str(environment.home)]
    result = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    if result.returncode:
        environment.log.write_text(result.stdout + result.stderr, encoding="utf-8")
        raise cures.from_log(result.stdout + result.stderr, environment.log)
    environment.write_stamp("made", extras)


def _clear(environment: Environment) -> None:
    """Delete everything but the stamp: it tells the next run, if this one is interrupted, whose folder this is."""
    for path in environment.home.iterdir():
        if path.is_dir() and not path.is_symlink():
            shutil.rmtree(path)
        elif path != environment.stamp:
            path.unlink()


def _check_machine(environment: Environment) -> None:
    if not os.access(environment.root, os.W_OK):
        raise cures.read_only(environment.root)
    if shutil.disk_usage(environment.root).free < cures.NEEDED_BYTES:
        raise cures.no_space(environment.root)
    try:
        import ensurepip  # noqa: F401
    except ImportError as error:
        raise cures.no_ensurepip() from error


def _install(environment: Environment, extras: frozenset[str], progress: Progress) -> None:
    command = [str(environment.python), "-m", "pip", "install", "--no-input", "--disable-pip-version-check"]
    command += ["--progress-bar", "off", "--compile", "-r", "requirements.txt"]
    if extras:
        command += ["-e", f".[{','.join(sorted(extras))}]"]
    with (
        environment.log.open("w", encoding="utf-8") as log,
        _pip(command, environment.root) as process,
        progress.installing(environment.home),
    ):
        for line in process.stdout or ():
            log.write(line)
            if line.startswith("Installing collected packages"):
                environment.write_stamp("installing", extras)
            progress.read(line)
    if process.returncode:
        raise cures.from_log(environment.log.read_text(encoding="utf-8"), environment.log)


def _pip(command: list[str], folder: Path) -> subprocess.Popen[str]:
    # A pip.conf that says `user = true` cannot work in an environment.
    settings = {**os.environ, "PIP_USER": "0", "PYTHONUTF8": "1", "PYTHONUNBUFFERED": "1"}
    return subprocess.Popen(
        command,
        cwd=folder,
        env=settings,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL,
        encoding="utf-8",
        errors="replace",
    )


@contextlib.contextmanager
def _one_at_a_time(root: Path, progress: Progress) -> Iterator[None]:
    """Hold a lock on the course, so that two windows that start it at once do not both make `.venv`."""
    try:
        import fcntl
    except ImportError:  # Windows: its file locks would keep pip from reading requirements.txt
        yield
        return
    with (root / "requirements.txt").open("rb") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            progress.say(_("Another window is setting the course up; waiting for it."))
            fcntl.flock(file, fcntl.LOCK_EX)
        except OSError:
            pass  # a file system without locks
        yield

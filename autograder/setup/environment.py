"""Where the packages of the course are, and getting into that Python.

The course lives in `.venv` beside it. A stamp inside says which requirements it was made for, so that a second run
costs a few milliseconds and an interrupted or outdated set-up is noticed. Standard library only.
"""

from __future__ import annotations

import enum
import hashlib
import importlib.metadata
import json
import os
import re
import subprocess
import sys
import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any, NoReturn

from autograder.command import hand_on

ROOT = Path(__file__).resolve().parents[2]
PINNED = re.compile(r"([A-Za-z0-9._-]+)==([^\s;#]+)")


class Packages(enum.Enum):
    """What has to be installed before a verb runs."""

    NONE = "nothing; used where it is"
    COURSE = "requirements.txt"
    TEST = "requirements.txt and the extra `test`"

    @property
    def extras(self) -> frozenset[str]:
        """The extras of pyproject.toml that are installed on top of requirements.txt."""
        return frozenset({"test"} if self is Packages.TEST else ())


@dataclass(frozen=True)
class Environment:
    """The `.venv` of the course that lies in `root`."""

    root: Path

    @property
    def home(self) -> Path:
        """The folder of the environment."""
        return self.root / ".venv"

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return self.home / ("Scripts/python.exe" if os.name == "nt" else "bin/python")

    @property
    def stamp(self) -> Path:
        """The file that says what the environment was made for."""
        return self.home / "course.json"

    @property
    def log(self) -> Path:
        """What pip said when it last ran."""
        return self.home / "setup.log"

    def is_running(self) -> bool:
        """Whether this very process runs in it."""
        return Path(sys.prefix).resolve() == self.home.resolve()

    def recorded(self) -> dict[str, Any]:
        """What the stamp says; empty when there is none or it cannot be read."""
        try:
            found = json.loads(self.stamp.read_text(encoding="utf-8"))
        except (OSError, ValueError):
            return {}
        return found if isinstance(found, dict) else {}

    def is_ready(self, extras: frozenset[str]) -> bool:
        """Whether everything is installed as requirements.txt and pyproject.toml ask today."""
        found = self.recorded()
        return (
            found.get("state") == "ready"
            and found.get("made for") == self.fingerprint()
            and self.is_in_place()
            and extras <= set(found.get("extras", ()))
        )

    def is_ours(self) -> bool:
        """Whether the course made it, so that it may be deleted and made again."""
        return self.stamp.exists() and not self.recorded().get("found")

    def is_in_place(self) -> bool:
        """Whether the stamp was written here, for the interpreter that is still there.

        A moved folder keeps old paths in its scripts; a system upgrade can put another Python behind the link.
        """
        found = self.recorded()
        return (
            self.python.exists()
            and found.get("folder") == str(self.root)
            and found.get("python") == os.path.realpath(self.python)
        )

    def fingerprint(self) -> str:
        """A hash of the two files that say what is to be installed."""
        text = b"".join((self.root / name).read_bytes() for name in ("requirements.txt", "pyproject.toml"))
        return hashlib.sha256(text.replace(b"\r\n", b"\n")).hexdigest()

    def write_stamp(self, state: str, extras: frozenset[str]) -> None:
        """Record how far it is: "making", "made", packages "installing", or everything there and "ready".

        What somebody else made keeps "found" for good: see `is_ours`.
        """
        found = {
            "state": state,
            "made for": self.fingerprint(),
            "folder": str(self.root),
            "python": os.path.realpath(self.python),
            "extras": sorted(extras),
            "found": self.recorded().get("found", not self.stamp.exists() and self.python.exists()),
        }
        self.stamp.write_text(json.dumps(found, indent=1) + "\n", encoding="utf-8")


def enter(arguments: list[str], packages: Packages, root: Path = ROOT) -> None:
    """Go on in a Python that has what a verb needs, making `.venv` first if there is none.

    Returns when this Python has it. Otherwise the same command runs in the other Python and this call does not
    return: the process is replaced, or (on Windows) waits and leaves with the same exit code.

    Raises:
        SetupError: something on this machine stands in the way; the sentence says what to do.
    """
    environment = Environment(root)
    if not (root / "requirements.txt").is_file():
        return  # installed from a wheel: pip has already brought what it declares
    ready = environment.is_ready(packages.extras)
    inside = environment.is_running()
    if packages is Packages.NONE:
        if ready and not inside:
            rerun(environment.python, arguments)
        return
    if inside and ready:
        return
    if not inside and (is_active() or not ready) and not missing(root, packages.extras):
        return
    if not ready:
        from autograder.setup.installer import prepare

        prepare(environment, packages.extras)
    rerun(environment.python, arguments)


def is_active() -> bool:
    """Whether this Python belongs to an environment that somebody activated (venv, virtualenv, conda)."""
    return sys.prefix != sys.base_prefix or Path(sys.prefix, "conda-meta").is_dir()


def missing(root: Path, extras: frozenset[str]) -> dict[str, str | None]:
    """The pinned packages that this Python lacks, each with the version found instead, or None.

    The course itself counts as missing when it is not installed, or is another copy of it: notebooks in work/
    import it from there.
    """
    lacking = {}
    for name, version in pinned(root, extras).items():
        found = installed_version(name)
        if found != version:
            lacking[name] = found
    if not _is_installed_from(root):
        lacking["autograder"] = None
    return lacking


def pinned(root: Path, extras: frozenset[str]) -> dict[str, str]:
    """The packages that requirements.txt and the extras of pyproject.toml pin, name to version."""
    lines = (root / "requirements.txt").read_text(encoding="utf-8").splitlines()
    if extras:
        project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
        for extra in sorted(extras):
            lines += project["optional-dependencies"][extra]
    return {found[1]: found[2] for line in lines if (found := PINNED.match(line.strip()))}


def installed_version(name: str) -> str | None:
    """The version of an installed package, or None."""
    try:
        return importlib.metadata.version(name)
    except importlib.metadata.PackageNotFoundError:
        return None


def _is_installed_from(root: Path) -> bool:
    from urllib.parse import urlsplit
    from urllib.request import url2pathname

    # An editable install also leaves autograder.egg-info in the checkout, which proves nothing.
    for distribution in importlib.metadata.distributions(name="autograder"):
        origin = distribution.read_text("direct_url.json")
        if origin and Path(url2pathname(urlsplit(json.loads(origin).get("url", "")).path)) == root:
            return True
    return False


def rerun(python: Path, arguments: list[str]) -> NoReturn:
    """Run the same command in `python`: in place of this process, or on Windows as its child."""
    command = [str(python), "-m", "autograder", *arguments]
    hand_on()
    sys.stdout.flush()
    sys.stderr.flush()
    if os.name != "nt":
        os.execv(command[0], command)
    sys.exit(_wait_for(command))


def _wait_for(command: list[str]) -> int:
    with subprocess.Popen(command) as child:
        while True:
            try:
                return child.wait()
            except KeyboardInterrupt:
                continue  # the console sends Ctrl-C to both; the child decides what it means

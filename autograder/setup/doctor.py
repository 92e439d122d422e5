"""`course doctor`: what this machine has, and what each missing thing would be for. It installs nothing."""

from __future__ import annotations

import argparse
import os
import platform
import shutil
import sys
from dataclasses import dataclass
from pathlib import Path

from autograder.command import command
from autograder.language import _
from autograder.setup.cures import NEEDED_BYTES
from autograder.setup.environment import ROOT, Environment, missing

CHROMIUM = ("chromium", "chromium-browser", "google-chrome", "chrome")


@dataclass(frozen=True)
class Finding:
    """One line of the table: a thing, how it stands, and what it is for when it is missing."""

    thing: str
    state: str
    fine: bool
    purpose: str = ""
    needed: bool = False


def configure(parser: argparse.ArgumentParser) -> None:
    """`course doctor` has no options."""


def run(options: argparse.Namespace) -> int:
    """Print the table; return 1 when something is missing that the lessons need, else 0."""
    found = findings(ROOT)
    width = max(len(finding.thing) for finding in found)
    for finding in found:
        mark = _("ok") if finding.fine else _("missing") if finding.needed else _("without")
        print(f"{mark:<8} {finding.thing:<{width}}  {finding.state}")
        if not finding.fine:
            print(f"{'':<8} {'':<{width}}  {finding.purpose}")
    return int(any(finding.needed and not finding.fine for finding in found))


def findings(root: Path) -> list[Finding]:
    """Everything the table tells about the machine and the course in `root`, what lessons need first."""
    return [
        Finding("Python", f"{platform.python_version()}  {sys.executable}", fine=True),
        _packages(root),
        _environment(root),
        _work(root),
        _space(root),
        _program("git", _("to get newer lessons"), ("git",)),
        _program("chromium", _("the browser tests are skipped"), CHROMIUM),
        _program("bubblewrap", _("some tests are skipped (Linux only)"), ("bwrap",)),
    ]


def _packages(root: Path) -> Finding:
    purpose = _("{command}  installs them").format(command=command("start"))
    if not (root / "requirements.txt").is_file():
        return Finding(_("packages"), _("as its wheel asked"), fine=True)
    lacking = missing(root, frozenset())
    if not lacking:
        return Finding(_("packages"), _("all of requirements.txt"), fine=True)
    names = ", ".join(f"{name} ({found})" if found else name for name, found in sorted(lacking.items()))
    return Finding(_("packages"), _("not as in requirements.txt: {names}").format(names=names), False, purpose, True)


def _environment(root: Path) -> Finding:
    environment = Environment(root)
    if environment.is_ready(frozenset()):
        extras = environment.recorded()["extras"]
        return Finding(".venv", _("ready") + (_(", with the packages of the tests") if extras else ""), fine=True)
    state = _("not up to date") if environment.home.exists() else _("not made")
    return Finding(".venv", state, False, _("not needed where the packages are there already"))


def _work(root: Path) -> Finding:
    folder = root / "work" if (root / "work").exists() else root
    fine = os.access(folder, os.W_OK)
    return Finding(
        "work/",
        _("can be written to") if fine else _("cannot be written to"),
        fine,
        _("your copies of the lessons; copy the course to a folder of your own"),
        needed=True,
    )


def _space(root: Path) -> Finding:
    free = shutil.disk_usage(root).free
    return Finding(
        _("disk space"),
        _("{size:.1f} GB free").format(size=free / 1e9),
        free > NEEDED_BYTES or Environment(root).is_ready(frozenset()),
        _("setting the course up needs 1 GB"),
        needed=True,
    )


def _program(name: str, purpose: str, commands: tuple[str, ...]) -> Finding:
    path = next(filter(None, map(shutil.which, commands)), None)
    return Finding(name, path or _("not found"), path is not None, _("without it: {what}").format(what=purpose))

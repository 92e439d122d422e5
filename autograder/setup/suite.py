"""`course test`: the one gate. Everything that has to hold is a test, so there is nothing else to run."""

from __future__ import annotations

import argparse
import subprocess
import sys

from autograder.command import command
from autograder.language import _
from autograder.setup.environment import ROOT


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `course test`: what it does not know goes to pytest."""
    parser.usage = command("test") + _(" [what pytest takes, such as -k stop_reason or tests/checks]")
    parser.set_defaults(passes_on=True)


def run(options: argparse.Namespace) -> int:
    """Run the tests of the course, two files at a time, and return pytest's exit code."""
    pytest = [sys.executable, "-m", "pytest", "-n", "2", "--dist", "loadfile", *options.rest]
    return subprocess.run(pytest, cwd=ROOT, check=False).returncode

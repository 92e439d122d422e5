"""A course that is set up for real in seconds: our set-up code, two tiny packages, a local folder as the index."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import zipfile
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
BASE = getattr(sys, "_base_executable", sys.executable)
MODULES = ("__init__", "__main__", "bootstrap", "cli", "command", "errors", "language", "names")

# What the verbs `list` and `test` do here: say in which Python they run, with which arguments.
VERB = """
import sys
def configure(parser):
    parser.set_defaults(passes_on=True)
def run(options):
    print(sys.prefix, *options.rest)
    return 7 if "fail" in options.rest else 0
"""

PROJECT = """
[build-system]
requires = []
build-backend = "backend"
backend-path = ["."]
[project]
name = "autograder"
version = "0.1.0"
[project.optional-dependencies]
test = ["gauge==2.0"]
"""

# The smallest build backend: an editable wheel is a .pth file.
BACKEND = """
import os, zipfile
def build_editable(folder, config_settings=None, metadata_directory=None):
    name = "autograder-0.1.0-py3-none-any.whl"
    info = "autograder-0.1.0.dist-info/"
    with zipfile.ZipFile(os.path.join(folder, name), "w") as wheel:
        wheel.writestr("autograder.pth", os.getcwd() + "\\n")
        wheel.writestr(info + "METADATA", "Metadata-Version: 2.1\\nName: autograder\\nVersion: 0.1.0\\n"
                       "Provides-Extra: test\\nRequires-Dist: gauge==2.0; extra == 'test'\\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n")
        wheel.writestr(info + "RECORD", "")
    return name
"""


@dataclass
class BareCourse:
    """A checkout in `root` whose packages come from the folder `index`."""

    root: Path
    index: Path
    settings: dict[str, str] = field(default_factory=dict)

    @classmethod
    def make(cls, folder: Path) -> BareCourse:
        """Write the checkout and the index; the folder's name has a space and letters outside ASCII."""
        course = cls(folder / "my cursó", folder / "index")
        package = course.root / "autograder"
        shutil.copytree(ROOT / "autograder" / "setup", package / "setup", ignore=shutil.ignore_patterns("__pycache__"))
        for name in MODULES:
            shutil.copy(ROOT / "autograder" / f"{name}.py", package)
        (package / "grading").mkdir()
        (package / "grading" / "listing.py").write_text(VERB)
        (package / "setup" / "suite.py").write_text(VERB)
        (course.root / "pyproject.toml").write_text(PROJECT)
        (course.root / "backend.py").write_text(BACKEND)
        (course.root / "requirements.txt").write_text("# reason\ntiny==1.0\n-e .\n")
        course.index.mkdir()
        write_wheel(course.index, "tiny", "1.0")
        write_wheel(course.index, "gauge", "2.0")
        return course

    @property
    def home(self) -> Path:
        """Its environment."""
        return self.root / ".venv"

    @property
    def stamp(self) -> Path:
        """The stamp in its environment."""
        return self.home / "course.json"

    def recorded(self) -> dict[str, Any]:
        """What the stamp says."""
        found: dict[str, Any] = json.loads(self.stamp.read_text())
        return found

    def environment(self, **settings: str) -> dict[str, str]:
        """The variables of a process that knows only the local index, changed by `settings`."""
        kept = {key: value for key, value in os.environ.items() if not key.startswith(("PIP_", "PYTHON", "VIRTUAL_"))}
        local = {"PIP_NO_INDEX": "1", "PIP_FIND_LINKS": self.index.as_uri(), "PIP_CONFIG_FILE": os.devnull}
        return kept | local | settings

    def run(
        self, *arguments: str, python: str | Path = BASE, before: tuple[str, ...] = (), **settings: str
    ) -> subprocess.CompletedProcess[str]:
        """Type `python -m autograder ARGUMENTS` in the checkout."""
        return subprocess.run(
            [*before, str(python), "-m", "autograder", *arguments],
            cwd=self.root,
            env=self.environment(**settings),
            capture_output=True,
            text=True,
            encoding="utf-8",
            check=False,
        )


def write_wheel(index: Path, name: str, version: str) -> None:
    """Write a package of one module into the folder `index`."""
    info = f"{name}-{version}.dist-info/"
    with zipfile.ZipFile(index / f"{name}-{version}-py3-none-any.whl", "w") as wheel:
        wheel.writestr(f"{name}.py", f"version = {version!r}\n")
        wheel.writestr(info + "METADATA", f"Metadata-Version: 2.1\nName: {name}\nVersion: {version}\n")
        wheel.writestr(info + "WHEEL", "Wheel-Version: 1.0\nRoot-Is-Purelib: true\nTag: py3-none-any\n")
        wheel.writestr(info + "RECORD", "")

"""What pip makes of this checkout: a wheel that is enough by itself, and an editable install with its settings."""

from __future__ import annotations

import ast
import importlib.metadata
import json
import os
import re
import shutil
import subprocess
import sys
import tomllib
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest

import autograder
from autograder.setup.environment import Packages, pinned

ROOT = Path(__file__).resolve().parents[1]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))
SETTINGS = ("page_config.d/autograder.json", "jupyter_server_config.d/zz_autograder.json")
LEARNER = ROOT / "autograder" / "setup" / "jupyter" / "learner"

# Packages that come with a pinned one and are a part of it in all but name.
COME_ALONG = {
    "IPython": "jupyterlab",
    "ipykernel": "jupyterlab",
    "jupyter_client": "nbclient",
    "jupyter_server": "jupyterlab",
    "traitlets": "jupyterlab",
    "sqlalchemy": "nbgrader",
    "nbconvert": "nbgrader",
}


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of what the build reads, because a build leaves files behind."""
    folder = tmp_path_factory.mktemp("checkout")
    for name in ("pyproject.toml", "setup.py", "README.md", "LICENSE"):
        shutil.copy(ROOT / name, folder)
    for name in ("autograder", "fixtures", "tests"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info"))
    return folder


def build(checkout: Path, kind: str) -> Path:
    code = f"import sys; from setuptools.build_meta import {kind}; {kind}(sys.argv[1])"
    made = checkout / kind
    made.mkdir()
    result = subprocess.run(
        [sys.executable, "-c", code, str(made)], cwd=checkout, capture_output=True, text=True, check=False
    )
    assert result.returncode == 0, result.stderr
    return next(made.glob("*.whl"))


@pytest.fixture(scope="module")
def wheel(checkout: Path) -> Path:
    return build(checkout, "build_wheel")


@pytest.fixture(scope="module")
def editable(checkout: Path) -> Path:
    return build(checkout, "build_editable")


def names(wheel: Path) -> set[str]:
    return set(zipfile.ZipFile(wheel).namelist())


def test_the_wheel_holds_every_module_and_every_fixture(wheel: Path) -> None:
    modules = {path.relative_to(ROOT).as_posix() for path in (ROOT / "autograder").rglob("*.py")}
    fixtures = {f"autograder/fixtures/{path.name}" for path in (ROOT / "fixtures").glob("*.json")}
    assert fixtures
    assert modules | fixtures <= names(wheel)


def test_the_version_is_written_down_once(wheel: Path) -> None:
    assert PROJECT["project"]["dynamic"] == ["version"]
    assert wheel.name.startswith(f"autograder-{autograder.__version__}-")


def test_the_wheel_holds_nothing_else_of_the_course(wheel: Path) -> None:
    tops = {name.split("/")[0] for name in names(wheel)}
    assert all(top == "autograder" or top.startswith("autograder-") for top in tops), tops


def test_a_wheel_alone_finds_its_fixtures(wheel: Path, tmp_path: Path) -> None:
    zipfile.ZipFile(wheel).extractall(tmp_path)
    name = next(path.stem for path in sorted((ROOT / "fixtures").glob("*.json")))
    code = "import sys, autograder; autograder.replay(sys.argv[1]); print(autograder.__file__)"
    result = subprocess.run(
        [sys.executable, "-c", code, name],
        cwd=tmp_path / f"autograder-{autograder.__version__}.dist-info",
        env={**os.environ, "PYTHONPATH": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert result.returncode == 0, result.stderr
    assert result.stdout.strip() == str(tmp_path / "autograder" / "__init__.py")


@pytest.mark.parametrize("kind", ["wheel", "editable"])
def test_jupyterlabs_settings_travel_with_the_package(kind: str, request: pytest.FixtureRequest) -> None:
    held = names(request.getfixturevalue(kind))
    for place in ("labconfig/page_config.d/autograder.json", "jupyter_server_config.d/zz_autograder.json"):
        assert any(name.endswith(f".data/data/etc/jupyter/{place}") for name in held), held


@pytest.mark.parametrize("setting", SETTINGS)
def test_this_environment_has_the_settings_of_this_checkout(setting: str) -> None:
    if not any(found.read_text("direct_url.json") for found in importlib.metadata.distributions(name="autograder")):
        pytest.skip("the course is not installed in this environment")
    parent = Path(sys.prefix, "etc", "jupyter")
    installed = parent / setting if setting.startswith("jupyter") else parent / "labconfig" / setting
    assert installed.read_text(encoding="utf-8") == (LEARNER / setting).read_text(encoding="utf-8")


def test_a_teacher_gets_back_exactly_what_a_learner_is_spared() -> None:
    def switched(path: Path, key: str) -> set[str]:
        found = json.loads(path.read_text(encoding="utf-8"))
        return set(found.get(key) or found["ServerApp"][key])

    teacher = LEARNER.parent / "teacher"
    for ours, theirs, key in (
        (SETTINGS[0], "labconfig/page_config.json", "disabledExtensions"),
        (SETTINGS[1], "jupyter_server_config.d/zz_autograder.json", "jpserver_extensions"),
    ):
        spared = {name for name in switched(LEARNER / ours, key) if "nbgrader" in name}
        assert spared == switched(teacher / theirs, key)


def test_the_build_backend_is_pinned_and_the_tests_use_the_same() -> None:
    assert PROJECT["build-system"]["requires"] == [f"setuptools=={pinned(ROOT, Packages.TEST.extras)['setuptools']}"]


def imported() -> Iterator[tuple[str, str]]:
    """Every foreign package that autograder/ imports, with the file that does."""
    for path in (ROOT / "autograder").rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            modules = [alias.name for alias in node.names] if isinstance(node, ast.Import) else []
            if isinstance(node, ast.ImportFrom) and node.module and not node.level:
                modules = [node.module]
            for module in modules:
                top = module.split(".")[0]
                if top != "autograder" and top not in sys.stdlib_module_names:
                    yield top, path.relative_to(ROOT).as_posix()


def test_every_package_that_is_imported_is_pinned() -> None:
    pins = pinned(ROOT, frozenset())
    loose = {(top, path) for top, path in imported() if COME_ALONG.get(top, top).replace("_", "-") not in pins}
    assert not loose


def test_a_wheel_brings_what_the_double_and_the_checks_import() -> None:
    rooms = ("messages_api", "checks", "display")
    # The loopback server is an author's face of the double; its libraries are in requirements.txt.
    needed = {top for top, path in imported() if path.split("/")[1] in rooms and not path.endswith("/server.py")}
    declared = {re.split(r"[<>=]", line)[0] for line in PROJECT["project"]["dependencies"]}
    assert needed - {"IPython"} <= declared  # which is there wherever a notebook runs

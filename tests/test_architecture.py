"""The rooms of the house, and what each may import."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "autograder"
MAY_IMPORT = {
    "messages_api": set(),
    "display": {"messages_api"},
    "checks": {"messages_api", "display"},
    "exam": {"messages_api", "display", "checks"},
    "grading": {"messages_api", "display", "checks", "exam", "kernels"},
    "authoring": {"messages_api", "display", "checks", "exam", "kernels"},
    "setup": {"bootstrap"},
    # The modules beside the rooms; those in LEAVES import nothing of ours but each other.
    "__init__": set(),
    "__main__": {"bootstrap", "cli"},
    "bootstrap": set(),
    "cli": {"setup", "__version__"},
    "course": {"exercises"},
    "exercises": set(),
    "kernels": set(),
    "command": set(),
    "errors": {"checks"},  # a name in an annotation
    "given": set(),
    "language": set(),
    "names": set(),
}
LEAVES = {"command", "errors", "given", "language", "names"}
READERS = {"course", "exercises"}
NOTEBOOK_ROOMS = ("messages_api", "checks", "display", "exam")
SOURCES = sorted(PACKAGE.rglob("*.py"))


def room_of(path: Path) -> str:
    """The folder below the package, or the module beside the rooms."""
    return path.relative_to(PACKAGE).with_suffix("").parts[0]


def imported(path: Path) -> set[str]:
    found: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found |= {name.name for name in node.names}
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path}: relative import"
            found |= {f"{node.module}.{name.name}" for name in node.names}
    return found


@pytest.mark.parametrize("path", [pytest.param(p, id=str(p.relative_to(PACKAGE))) for p in SOURCES])
def test_arrows_between_rooms_run_one_way(path: Path) -> None:
    room = room_of(path)
    ours = {name.split(".")[1] for name in imported(path) if name.startswith("autograder.")}
    shared: set[str] = set() if room == "messages_api" else LEAVES if room in LEAVES | READERS else LEAVES | READERS
    assert ours <= MAY_IMPORT[room] | {room} | shared


@pytest.mark.parametrize("path", [pytest.param(p, id=str(p.relative_to(PACKAGE))) for p in SOURCES])
def test_what_a_notebook_calls_starts_no_thread_process_or_socket(path: Path) -> None:
    if room_of(path) in NOTEBOOK_ROOMS or path.name in ("__init__.py", "given.py", "errors.py", "language.py"):
        tops = {name.split(".")[0] for name in imported(path)}
        assert not tops & {"socket", "subprocess", "threading", "multiprocessing", "concurrent"}


@pytest.mark.parametrize("module", ["double", "request_rules", "scenario", "transcript", "variation"])
def test_the_double_itself_does_not_import_the_sdk(module: str) -> None:
    code = f"import sys, autograder.messages_api.{module}; sys.exit('anthropic' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], cwd=ROOT, check=False).returncode == 0


def test_what_a_notebook_calls_imports_without_the_grader() -> None:
    code = """
import sys
class Blocked:
    def find_spec(self, name, path=None, target=None):
        if name.split(".")[0] in ("nbgrader", "nbformat", "sqlalchemy"):
            raise ImportError("blocked: " + name)
sys.meta_path.insert(0, Blocked())
import importlib, pkgutil
import autograder
for name in autograder.__all__:
    getattr(autograder, name)
for room in ("messages_api", "checks", "display"):
    package = importlib.import_module("autograder." + room)
    for module in pkgutil.walk_packages(package.__path__, package.__name__ + "."):
        importlib.import_module(module.name)
"""
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")


def test_importing_the_package_imports_nothing_heavy() -> None:
    heavy = {"anthropic", "pydantic", "IPython", "jsonschema", "rich"}
    code = f"import sys, autograder; print(sorted({heavy} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_public_names_are_the_lazy_ones() -> None:
    import autograder

    assert all(getattr(autograder, name) is not None for name in autograder.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = autograder.nothing


@pytest.mark.parametrize("name", ["__init__.py", "__main__.py", "bootstrap.py"])
def test_what_runs_before_the_set_up_needs_the_standard_library_only(name: str) -> None:
    path = PACKAGE / name
    ast.parse(path.read_text(encoding="utf-8"), feature_version=(3, 4))
    tops = {module.split(".")[0] for module in imported(path)} - {"autograder", "__future__"}
    assert tops <= set(sys.stdlib_module_names)


def test_modules_are_short() -> None:
    lengths = {path: len(path.read_text(encoding="utf-8").splitlines()) for path in SOURCES}
    assert [path for path, length in lengths.items() if length > 300] == []

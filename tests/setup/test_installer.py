"""The set-up tried for real, with a local folder as the package index."""

from __future__ import annotations

import shutil
import subprocess
import sys
import venv
from collections.abc import Callable
from pathlib import Path

import pytest

from autograder.errors import CourseError
from autograder.setup import installer
from autograder.setup.environment import Environment
from autograder.setup.installer import has_to_be_made, prepare
from tests.setup.bare_course import BASE, BareCourse

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="links and fences of POSIX systems")
BWRAP = shutil.which("bwrap")
needs_bwrap = pytest.mark.skipif(BWRAP is None, reason="bubblewrap is not installed")


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> BareCourse:
    """A course that has been set up once by `list`; what a test breaks, the next command mends."""
    course = BareCourse.make(tmp_path_factory.mktemp("built"))
    result = course.run("list", "one", "two words")
    assert result.returncode == 0, result.stderr
    assert result.stdout == f"{course.home} one two words\n"
    assert "Making .venv" in result.stderr
    assert "The course is set up" in result.stderr
    return course


@pytest.fixture
def bare(tmp_path: Path) -> BareCourse:
    """A course that has not been set up."""
    return BareCourse.make(tmp_path)


def test_the_command_runs_inside_the_environment_with_its_arguments(built: BareCourse) -> None:
    assert built.run("list", "a", "b c").stdout == f"{built.home} a b c\n"


def test_the_exit_code_is_passed_on(built: BareCourse) -> None:
    assert built.run("list", "fail").returncode == 7


def test_a_second_run_installs_nothing_and_says_nothing(built: BareCourse) -> None:
    built.run("list")
    (built.home / "setup.log").write_text("untouched")
    assert built.run("list").stderr == ""
    assert (built.home / "setup.log").read_text() == "untouched"


def test_packages_are_compiled(built: BareCourse) -> None:
    assert list(built.home.rglob("tiny*.pyc"))


def test_testing_adds_its_extra_and_learning_keeps_it(built: BareCourse) -> None:
    result = built.run("test")
    assert result.returncode == 0, result.stderr
    assert "Making" not in result.stderr
    assert list(built.home.rglob("gauge.py"))
    assert built.run("list").stderr == ""
    assert built.recorded()["extras"] == ["test"]


def test_a_changed_requirement_is_installed_into_the_environment_that_is_there(built: BareCourse) -> None:
    with (built.root / "requirements.txt").open("a") as file:
        file.write("gauge==2.0\n")
    result = built.run("list")
    assert result.returncode == 0, result.stderr
    assert "The course is set up" in result.stderr
    assert "Making" not in result.stderr


def test_a_pip_that_is_set_to_install_for_the_user_fills_the_environment(built: BareCourse) -> None:
    with (built.root / "requirements.txt").open("a") as file:
        file.write("# read again\n")
    result = built.run("list", PIP_USER="1")
    assert result.returncode == 0, result.stderr
    assert "The course is set up" in result.stderr


def test_an_environment_made_by_hand_is_taken_as_it_is(built: BareCourse) -> None:
    built.stamp.unlink()
    result = built.run("list", PIP_FIND_LINKS="")
    assert result.returncode == 0, result.stderr
    assert result.stderr == ""
    assert built.recorded()["state"] == "ready"


def interrupted(course: BareCourse) -> None:
    course.stamp.write_text('{"state": "installing"}')


def without_python(course: BareCourse) -> None:
    for link in (course.home / "bin").glob("python*"):
        link.unlink()
        link.symlink_to("/nowhere/python")


def without_pip(course: BareCourse) -> None:
    course.stamp.unlink()
    for package in course.home.glob("lib/*/site-packages/pip"):
        shutil.rmtree(package)


def moved(course: BareCourse) -> None:
    course.root = course.root.rename(course.root.with_name("moved"))


@posix_only
@pytest.mark.parametrize("harm", [interrupted, without_python, without_pip, moved])
def test_a_broken_environment_is_noticed(built: BareCourse, tmp_path: Path, harm: Callable[[BareCourse], None]) -> None:
    course = BareCourse(tmp_path / "course", built.index)
    shutil.copytree(built.root, course.root, symlinks=True)
    Environment(course.root).write_stamp("ready", frozenset())
    assert not has_to_be_made(Environment(course.root))
    harm(course)
    assert has_to_be_made(Environment(course.root))


def test_a_broken_environment_is_made_again_by_the_next_command(built: BareCourse) -> None:
    interrupted(built)
    result = built.run("list")
    assert result.returncode == 0, result.stderr
    assert "Making .venv again" in result.stderr
    assert result.stdout == f"{built.home}\n"
    assert built.run("list").stderr == ""


NO_PIP = '#!/bin/sh\ncase "$2" in *pip*) exit 1 ;; esac\n'
NOTHING = "#!/bin/sh\nexit 1\n"


@pytest.fixture
def foreign(tmp_path: Path) -> Environment:
    """A `.venv` that somebody else made; what stands for its Python answers as a test says."""
    (tmp_path / "requirements.txt").write_text("tiny==1.0\n")
    (tmp_path / "pyproject.toml").touch()
    environment = Environment(tmp_path)
    environment.python.parent.mkdir(parents=True)
    (environment.home / "mine").write_text("kept")
    answers(environment, NO_PIP)
    return environment


def answers(environment: Environment, script: str) -> None:
    environment.python.write_text(script)
    environment.python.chmod(0o755)


@posix_only
def test_an_environment_without_pip_that_has_everything_is_taken_as_it_is(foreign: Environment) -> None:
    prepare(foreign, frozenset())
    assert foreign.is_ready(frozenset())
    assert (foreign.home / "mine").exists()


@posix_only
@pytest.mark.parametrize("taken", [pytest.param(False, id="at once"), pytest.param(True, id="after it was taken")])
def test_what_the_course_did_not_make_is_never_deleted(foreign: Environment, taken: bool) -> None:
    if taken:
        prepare(foreign, frozenset())
        (foreign.root / "requirements.txt").write_text("tiny==2.0\n")
    answers(foreign, NOTHING)
    with pytest.raises(CourseError, match=r"\.venv was not made by the course.*uv pip install.*or delete that folder"):
        prepare(foreign, frozenset())
    assert (foreign.home / "mine").read_text() == "kept"


@posix_only
def test_what_the_course_began_to_make_is_made_again(foreign: Environment, monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_arguments: object) -> None:
        raise KeyboardInterrupt

    foreign.stamp.touch()  # a stamp, even one that is damaged, is the course's own
    answers(foreign, NOTHING)
    monkeypatch.setattr(installer, "_check_machine", lambda environment: None)
    monkeypatch.setattr(installer.shutil, "rmtree", interrupt)
    with pytest.raises(KeyboardInterrupt):
        prepare(foreign, frozenset())
    assert foreign.is_ours()
    assert has_to_be_made(foreign)


def test_an_unknown_verb_and_help_set_nothing_up(bare: BareCourse) -> None:
    assert bare.run("--help").returncode == 0
    assert bare.run("lst").returncode == 2
    assert not bare.home.exists()


def test_the_doctor_sets_nothing_up(bare: BareCourse) -> None:
    result = bare.run("doctor")
    assert result.returncode == 1
    assert "tiny" in result.stdout
    assert not bare.home.exists()


def test_an_active_environment_that_has_everything_is_used(bare: BareCourse, tmp_path: Path) -> None:
    other = tmp_path / "other"
    venv.create(other, with_pip=True)
    python = next(path for path in (other / "bin" / "python", other / "Scripts" / "python.exe") if path.exists())
    subprocess.run(
        [python, "-m", "pip", "install", "-q", "-r", "requirements.txt"],
        cwd=bare.root,
        env=bare.environment(),
        check=True,
    )
    assert bare.run("list", python=python).stdout == f"{other}\n"
    assert not bare.home.exists()


@posix_only
def test_two_windows_at_once_make_one_environment(bare: BareCourse) -> None:
    command = [BASE, "-m", "autograder", "list"]
    options = {"cwd": bare.root, "env": bare.environment(), "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
    windows = [subprocess.Popen(command, text=True, **options) for _window in range(2)]  # type: ignore[call-overload]
    said = [window.communicate() for window in windows]
    assert [out for out, _err in said] == [f"{bare.home}\n"] * 2
    assert sum("Making .venv" in err for _out, err in said) == 1


def one_sentence(result: subprocess.CompletedProcess[str]) -> str:
    """The sentence of a set-up that could not be done, in one line; asserts how it was said."""
    assert result.returncode == 2, result.stderr
    assert "Traceback" not in result.stderr
    said = result.stderr[result.stderr.index("course list: ") :]
    return " ".join(said.split())


def test_an_index_that_cannot_be_reached_is_one_sentence(built: BareCourse) -> None:
    (built.root / "requirements.txt").write_text("tiny==1.0\nlate==1.0\n-e .\n")
    # Port 9 of this machine answers nobody.
    nowhere = {"PIP_NO_INDEX": "", "PIP_FIND_LINKS": "", "PIP_INDEX_URL": "http://127.0.0.1:9/simple"}
    said = one_sentence(built.run("list", PIP_RETRIES="1", **nowhere))
    assert "could not be reached" in said
    assert said.endswith(".venv/setup.log")
    assert "late" in (built.home / "setup.log").read_text(encoding="utf-8")


def test_after_a_lost_connection_the_same_command_goes_on(built: BareCourse) -> None:
    (built.root / "requirements.txt").write_text("tiny==1.0\nlate==1.0\n-e .\n")
    assert "or has no late==1.0" in one_sentence(built.run("list"))
    (built.root / "requirements.txt").write_text("tiny==1.0\n-e .\n")
    result = built.run("list")
    assert result.returncode == 0, result.stderr
    assert "Making" not in result.stderr


def test_a_python_without_ensurepip_is_one_sentence(bare: BareCourse, tmp_path: Path) -> None:
    # As Debian ships it without python3-venv: the module is not there.
    (tmp_path / "sitecustomize.py").write_text("import sys\nsys.modules['ensurepip'] = None\n")
    said = one_sentence(bare.run("list", PYTHONPATH=str(tmp_path)))
    assert f"sudo apt install python{sys.version_info[0]}.{sys.version_info[1]}-venv" in said
    assert not bare.home.exists()


@needs_bwrap
def test_a_folder_that_cannot_be_written_to_is_one_sentence(bare: BareCourse) -> None:
    fence = (str(BWRAP), "--ro-bind", "/", "/", "--dev", "/dev", "--proc", "/proc")
    assert "Copy the course to a folder of your own" in one_sentence(bare.run("list", before=fence))


@needs_bwrap
def test_a_full_disk_is_one_sentence(bare: BareCourse) -> None:
    copied = 'cp -r . "$1" && cd "$1" && shift && exec "$@"'
    fence = (str(BWRAP), "--dev-bind", "/", "/", "--size", "4000000", "--tmpfs", "/mnt")
    said = one_sentence(bare.run("list", before=(*fence, "sh", "-c", copied, "sh", "/mnt")))
    assert "not enough space on the disk of /mnt" in said

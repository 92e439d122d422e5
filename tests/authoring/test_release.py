"""`course release`: nbgrader's own release, byte for byte, and only of what is fit for learners."""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from autograder.authoring import release as verb
from autograder.authoring.notebook import read
from autograder.authoring.release import files_in, release
from autograder.errors import AuthoringError

BOTH = ["01_double", "02_total"]


def test_nbgrader_typed_by_hand_gives_the_same_bytes_as_course_release(toy: Any) -> None:
    toy.replace("01_double", "summary", "itself", "itself, once")
    release(toy.course, BOTH)
    ours = files_in(toy.root / "notebooks")
    command = [sys.executable, "-m", "nbgrader", "generate_assignment", "01_double"]
    path = os.pathsep.join([str(Path(sys.executable).parent), os.environ["PATH"]])  # nbgrader calls alembic by name
    done = subprocess.run(
        command, cwd=toy.root, env={**os.environ, "PATH": path}, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert files_in(toy.root / "notebooks") == ours
    assert (toy.root / "gradebook.db").is_file()


def test_a_release_is_the_same_every_time_and_needs_no_gradebook(toy: Any) -> None:
    committed = files_in(toy.root / "notebooks")
    shutil.rmtree(toy.root / "notebooks")
    assert release(toy.course, BOTH) == {"01_double": True, "02_total": True}
    assert files_in(toy.root / "notebooks") == committed
    assert release(toy.course, BOTH) == {"01_double": False, "02_total": False}
    assert not list(toy.root.glob("gradebook.db*"))


def test_a_release_holds_the_stub_and_no_outputs(shared_toy: Any) -> None:
    cells = {cell["id"]: cell for cell in read(shared_toy.path("01_double", "notebooks"))["cells"]}
    assert cells["double"]["source"] == (
        'def double(number):\n    """Return the number, twice."""\n    raise NotImplementedError("not written yet")'
    )
    code = [cell for cell in cells.values() if cell["cell_type"] == "code"]
    assert {(cell["execution_count"], len(cell["outputs"])) for cell in code} == {(None, 0)}


def test_a_file_that_is_gone_from_the_source_is_gone_from_the_release(toy: Any) -> None:
    (toy.root / "notebooks/01_double/old.svg").write_text("<svg/>", encoding="utf-8")
    assert release(toy.course, ["01_double"]) == {"01_double": True}
    assert not (toy.root / "notebooks/01_double/old.svg").exists()


@pytest.mark.parametrize(
    ("name", "spoilt"),
    [pytest.param("copytree", shutil, id="a full disk"), pytest.param("rename", Path, id="a file that is open")],
)
def test_a_release_that_cannot_be_swapped_leaves_the_old_one_and_names_the_file(
    toy: Any, monkeypatch: pytest.MonkeyPatch, name: str, spoilt: Any
) -> None:
    def refuse(path: Any, *_arguments: Any) -> None:
        raise PermissionError(13, "Permission denied", str(path))

    before = files_in(toy.root / "notebooks")
    toy.replace("01_double", "summary", "itself", "itself, once")
    with monkeypatch.context() as patch:
        patch.setattr(spoilt, name, refuse)
        with pytest.raises(
            AuthoringError, match=r"(?s)could not be written:\n.*01_double\nPermission denied: /.*Close"
        ):
            release(toy.course, ["01_double"])
    assert files_in(toy.root / "notebooks" / "01_double") == {
        path.removeprefix("01_double/"): content for path, content in before.items() if path.startswith("01_double/")
    }
    assert release(toy.course, ["01_double"]) == {"01_double": True}
    assert {path.name for path in (toy.root / "notebooks").iterdir()} == set(BOTH)


def untidy(toy: Any) -> None:
    toy.edit_cell("01_double", "the-idea", id="64489c57")


def unsolved(toy: Any) -> None:
    stub = 'def double(number):\n    ### BEGIN SOLUTION\n    raise NotImplementedError("x")\n    ### END SOLUTION'
    toy.edit_cell("01_double", "double", source=stub)


def never_run(toy: Any) -> None:
    toy.edit_cell("01_double", "check-doubles-a-number", outputs=[])


@pytest.mark.parametrize(
    ("spoil", "reason", "then"),
    [
        pytest.param(untidy, "the cell's id is '64489c57' on disk.", "course tidy 01", id="untidy"),
        pytest.param(unsolved, "there is no code between", "edit solutions/01_double", id="unsolved"),
        pytest.param(never_run, "the check has no stored verdict.", "course tidy 01 --run", id="never-run"),
    ],
)
def test_an_unfit_source_is_refused_and_nothing_is_written(toy: Any, spoil: Any, reason: str, then: str) -> None:
    spoil(toy)
    toy.edit_cell("02_total", "summary", source="## Summary\n\nNew.")
    before = files_in(toy.root / "notebooks")
    with pytest.raises(AuthoringError, match=r"Nothing was released\. First mend:") as refused:
        release(toy.course, BOTH)
    assert reason in str(refused.value)
    assert then in str(refused.value)
    assert files_in(toy.root / "notebooks") == before


def test_the_reason_of_nbgrader_is_passed_on(toy: Any) -> None:
    def lose_the_schema(notebook: dict[str, Any]) -> None:
        cell = next(cell for cell in notebook["cells"] if cell["id"] == "double")
        del cell["metadata"]["nbgrader"]["locked"]

    toy.edit("01_double", lose_the_schema)
    with pytest.raises(AuthoringError, match=r"refuses 01_double:\nValidationError: 'locked' is a required"):
        release(toy.course, ["01_double"])


def test_the_command_says_one_line_a_lesson(
    toy: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(toy.root)
    shutil.rmtree(toy.root / "notebooks/02_total")
    parser = argparse.ArgumentParser()
    verb.configure(parser)
    assert verb.run(parser.parse_args([])) == 0
    assert capsys.readouterr() == ("01_double: unchanged\n02_total: released\n", "")


def test_what_editors_and_python_leave_behind_is_no_part_of_a_lesson(tmp_path: Path) -> None:
    (tmp_path / ".ipynb_checkpoints").mkdir()
    (tmp_path / ".ipynb_checkpoints/a-checkpoint.ipynb").write_text("{}", encoding="utf-8")
    (tmp_path / "bars.svg").write_text("<svg/>", encoding="utf-8")
    assert files_in(tmp_path) == {"bars.svg": b"<svg/>"}


def test_the_toy_course_is_released_with_the_settings_of_the_real_one(shared_toy: Any) -> None:
    real = Path(__file__).parents[2] / "nbgrader_config.py"
    assert (shared_toy.root / "nbgrader_config.py").read_bytes() == real.read_bytes()

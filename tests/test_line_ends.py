"""Notebooks are compared byte for byte, so a clone has to hold what was committed, on Windows too."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
pytestmark = pytest.mark.skipif(shutil.which("git") is None, reason="git is not installed")


def git(folder: Path, *arguments: str) -> str:
    settings = ["-c", "core.autocrlf=true", "-c", "core.safecrlf=false"]
    # A hook of git names the repository in variables, and they would win over `folder`.
    kept = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    return subprocess.run(
        ["git", *settings, *arguments], cwd=folder, env=kept, capture_output=True, encoding="utf-8", check=True
    ).stdout


@pytest.mark.parametrize("name", ["a.ipynb", "a.py", "a.json", "a.png"])
def test_a_file_comes_out_of_git_as_it_went_in_where_git_would_change_line_ends(name: str, tmp_path: Path) -> None:
    content = b"\x89PNG\r\n\x1a\n" if name.endswith(".png") else b"one\ntwo\n"
    shutil.copy(ROOT / ".gitattributes", tmp_path)
    path = tmp_path / name
    path.write_bytes(content)
    git(tmp_path, "init", "-q")
    git(tmp_path, "add", name)
    path.unlink()
    git(tmp_path, "checkout", "--", name)
    assert path.read_bytes() == content


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="this copy of the course is no git checkout")
def test_every_text_in_the_index_has_plain_line_ends() -> None:
    lines = git(ROOT, "ls-files", "--eol").splitlines()
    assert lines
    assert [line for line in lines if line.split()[0] not in ("i/lf", "i/none", "i/-text")] == []

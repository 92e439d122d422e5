"""A learner's file is read where that is safe and refused with a sentence where it is not."""

from __future__ import annotations

import codecs
import json
from pathlib import Path

import pytest

from autograder.errors import GradingError
from autograder.grading.work_file import read_work

GOOD = {
    "cells": [{"cell_type": "code", "id": "a", "metadata": {}, "source": ["x = 'é'"], "outputs": []}],
    "metadata": {},
    "nbformat": 4,
    "nbformat_minor": 5,
}


def text_of(**changes: object) -> str:
    return json.dumps({**GOOD, **changes}, ensure_ascii=False)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    (tmp_path / "work").mkdir()
    return tmp_path / "work" / "01_double.ipynb"


def test_an_ordinary_file_is_read_without_a_remark(path: Path) -> None:
    path.write_text(text_of(), encoding="utf-8")
    assert read_work(path) == (GOOD, ())


@pytest.mark.parametrize(
    ("encoding", "remark"),
    [
        pytest.param("utf-8-sig", "byte order mark", id="utf-8 with a BOM"),
        pytest.param("utf-16", "byte order mark", id="utf-16"),
        pytest.param("utf-16-be", "byte order mark", id="utf-16 of another machine"),
        pytest.param("utf-16-le", "byte order mark", id="utf-16 of most machines"),
        pytest.param("cp1252", "Windows text", id="cp1252"),
    ],
)
def test_another_encoding_is_read_and_told(path: Path, encoding: str, remark: str) -> None:
    mark = {"utf-16-be": codecs.BOM_UTF16_BE, "utf-16-le": codecs.BOM_UTF16_LE}.get(encoding, b"")
    path.write_bytes(mark + text_of().encode(encoding))
    notebook, remarks = read_work(path)
    assert notebook == GOOD
    assert len(remarks) == 1
    assert remark in remarks[0]
    assert remarks[0].startswith("work/01_double.ipynb ")


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        pytest.param(b"", "is empty", id="empty"),
        pytest.param(b"\0" * 4096, "is empty", id="zeros after a crash"),
        pytest.param(text_of().encode()[:-30], "breaks off", id="cut off"),
        pytest.param(b"[" * 100_000, "nested too deeply", id="deep"),
        pytest.param(b"\xff\xd8\xff\xe0 JFIF \x81", "breaks off or is damaged", id="a picture"),
        pytest.param(b"[1, 2]", "it has no cells", id="a list"),
        pytest.param(b'{"a": 1}', "it has no cells", id="other JSON"),
        pytest.param(b'{"cells": {}}', "it has no cells", id="cells that are no list"),
        pytest.param(b'{"worksheets": [], "nbformat": 3}', "notebook format 3", id="format 3"),
        pytest.param(text_of(nbformat=5).encode(), "notebook format 5", id="format 5"),
        pytest.param(text_of(cells=["x"]).encode(), "cell 1 is not", id="a cell that is text"),
        pytest.param(text_of(cells=[{"cell_type": "code", "source": 3}]).encode(), "cell 1 is not", id="no source"),
        pytest.param(text_of(cells=[{"source": "x"}]).encode(), "cell 1 is not", id="a cell without a type"),
    ],
)
def test_an_unreadable_file_is_refused_with_its_name_and_the_reason(path: Path, content: bytes, sentence: str) -> None:
    path.write_bytes(content)
    with pytest.raises(GradingError) as refused:
        read_work(path)
    assert str(refused.value).startswith("work/01_double.ipynb ")
    assert sentence in str(refused.value)


def test_a_missing_file_names_the_command_that_makes_it(path: Path) -> None:
    with pytest.raises(GradingError, match=r"no work/01_double\.ipynb yet\. Run:\n  course start"):
        read_work(path)


def test_a_folder_in_place_of_the_file_is_told(path: Path) -> None:
    path.mkdir()
    with pytest.raises(GradingError, match="cannot be read"):
        read_work(path)

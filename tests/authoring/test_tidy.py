"""`course tidy`: what it makes of a source as editors leave it, and that doing it twice changes nothing."""

from __future__ import annotations

import argparse
import json
from typing import Any

import pytest

from autograder.authoring import tidy as verb
from autograder.authoring.cell_ids import VALID, name_cells, slug
from autograder.authoring.given_cells import given_source
from autograder.authoring.notebook import code_cells, read

LIVE = {"application/vnd.jupyter.widget-view+json": {"model_id": "0f"}, "text/plain": "a widget"}


def mess_up(notebook: dict[str, Any]) -> None:
    """Leave the notebook as a day in several editors would."""
    notebook["metadata"].update(widgets={"state": {}}, kernelspec={"name": "conda-env-py"}, toc={"x": 1})
    for number, cell in enumerate(notebook["cells"]):
        cell["id"] = f"{number:08x}"
        cell["metadata"].update(execution={"iopub.execute_input": "2026"}, collapsed=True, scrolled=False)
        if cell["cell_type"] == "code":
            cell["execution_count"] = None if number % 2 else 90 + number
    marks = next(cell["metadata"]["nbgrader"] for cell in notebook["cells"] if "nbgrader" in cell["metadata"])
    marks.update(checksum="af01", cell_type="code")
    notebook["cells"][-1]["source"] += "\n\n"


def run(*arguments: str) -> int:
    parser = argparse.ArgumentParser()
    verb.configure(parser)
    return verb.run(parser.parse_args(arguments))


def test_a_messy_source_becomes_what_it_was(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(toy.root)
    before = toy.path("01_double").read_bytes()
    toy.edit("01_double", mess_up)
    toy.path("01_double").write_text(json.dumps(read(toy.path("01_double"))), encoding="utf-8")
    assert toy.path("01_double").read_bytes() != before
    assert run("01") == 0
    assert toy.path("01_double").read_bytes() == before


def test_tidying_twice_changes_nothing(
    toy: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(toy.root)
    toy.edit("02_total", mess_up)
    run()
    run()
    assert capsys.readouterr().out.splitlines() == [
        "01_double: tidy",
        "02_total: tidied",
        "01_double: tidy",
        "02_total: tidy",
    ]


def test_check_names_the_difference_and_changes_nothing(
    toy: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(toy.root)
    toy.edit_cell("01_double", "the-idea", id="64489c57")
    before = toy.path("01_double").read_bytes()
    assert run("--check") == 1
    assert toy.path("01_double").read_bytes() == before
    assert capsys.readouterr().out == (
        "solutions/01_double/01_double.ipynb, cell the-idea\n"
        "  tidy: the cell's id is '64489c57' on disk.\n"
        "  next: course tidy 01\n"
    )


def test_wrong_numbers_are_told_once(toy: Any) -> None:
    toy.edit("01_double", lambda notebook: [cell.update(execution_count=None) for cell in code_cells(notebook)])
    (finding,) = verb.tidy_findings(toy.course, "01_double")
    assert (finding.cell, finding.problem) == ("imports", "code cells are not numbered 1, 2, 3, ... from here on.")


def test_what_tidy_cannot_mend_is_left_to_the_author(
    toy: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(toy.root)
    toy.edit_cell("01_double", "imports", outputs=[{"output_type": "stream", "name": "stderr", "text": "careful"}])
    assert run("01") == 1
    assert "01_double.ipynb, cell imports\n  tidy: it writes to stderr.\n" in capsys.readouterr().out


def test_the_given_cell_is_the_finished_function_of_its_origin(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(toy.root)
    toy.edit_cell("02_total", "given", source="# my own")
    toy.replace("01_double", "double", "both_of_them", "pair")
    run()
    given = next(cell for cell in read(toy.path("02_total"))["cells"] if cell["id"] == "given")
    assert given["source"] == (
        "# Given: a function from lesson 01. Put your own here if you like.\n\n\n"
        "def double(number):\n"
        '    """Return the number, twice."""\n'
        "    pair = (number, number)\n"
        "    return pair[0] + pair[1]"
    )


def test_the_header_of_a_given_cell_counts_its_functions(toy: Any) -> None:
    source = given_source(toy.course, ["01_double/double", "02_total/total"])
    assert source.startswith("# Given: functions from lessons 01 and 02. Put your own here if you like.\n\n\n")


def test_a_live_widget_is_not_stored(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(toy.root)
    shown = {"output_type": "display_data", "data": dict(LIVE), "metadata": {}}
    toy.edit_cell("01_double", "imports", outputs=[shown])
    run("01")
    cell = next(cell for cell in read(toy.path("01_double"))["cells"] if cell["id"] == "imports")
    assert cell["outputs"][0]["data"] == {"text/plain": "a widget"}


def test_run_makes_the_outputs_again(toy: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(toy.root)
    before = toy.path("01_double").read_bytes()
    toy.edit("01_double", lambda notebook: [cell.update(outputs=[]) for cell in code_cells(notebook)])
    assert run("01", "--run") == 0
    assert toy.path("01_double").read_bytes() == before


def test_run_stores_no_traceback(toy: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.chdir(toy.root)
    toy.replace("01_double", "predict-then-run-1", "7 + 7", "7 / 0")
    before = toy.path("01_double").read_bytes()
    assert run("01", "--run") == 1
    assert toy.path("01_double").read_bytes() == before
    assert "cell predict-then-run-1\n  solved: it ends in a traceback (ZeroDivisionError).\n" in capsys.readouterr().out


def markdown(source: str, cell_id: str = "0123abcd") -> dict[str, Any]:
    return {"cell_type": "markdown", "id": cell_id, "metadata": {}, "source": source}


@pytest.mark.parametrize(
    ("cells", "ids"),
    [
        pytest.param([markdown("## The idea"), markdown("More.")], ["the-idea", "the-idea-1"], id="after-its-heading"),
        pytest.param([markdown("## A"), markdown("x"), markdown("y")], ["a", "a-1", "a-2"], id="counted"),
        pytest.param([markdown("## A"), markdown("## A")], ["a", "a-2"], id="same-heading"),
        pytest.param([markdown("Text", "my-figure")], ["my-figure"], id="own-id-stays"),
        pytest.param([markdown("Text", "a"), markdown("## A")], ["cell-1", "a"], id="heading-before-own-id"),
        pytest.param([markdown("Text", "no good"), markdown("Text", "x" * 65)], ["cell-1", "cell-2"], id="invalid"),
        pytest.param([markdown("Text", "same"), markdown("Text", "same")], ["same", "same-2"], id="repeated"),
        pytest.param([markdown("## Überblick: was, wie?")], ["uberblick-was-wie"], id="other-letters"),
        pytest.param([markdown("```\n# no heading\n```", "kept")], ["kept"], id="comment-in-code"),
    ],
)
def test_an_id_says_what_the_cell_is(cells: list[dict[str, Any]], ids: list[str]) -> None:
    notebook = {"cells": cells}
    name_cells(notebook)
    assert [cell["id"] for cell in cells] == ids
    name_cells(notebook)
    assert [cell["id"] for cell in cells] == ids


def test_a_long_heading_still_gives_a_valid_id() -> None:
    assert VALID.fullmatch(slug("word " * 40))

"""Nothing that a notebook calls opens a connection."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
NOTEBOOKS = sorted((ROOT / "solutions").glob("*/*.ipynb"))
SCRIPT = """
import json, sys
from IPython.core.interactiveshell import InteractiveShell

opened = []
def watch(event, arguments):
    if event in ("socket.connect", "socket.getaddrinfo", "socket.bind", "socket.sendto", "subprocess.Popen"):
        opened.append(event)
sys.addaudithook(watch)
shell = InteractiveShell.instance()
failed = []
for source in json.load(sys.stdin):
    if not shell.run_cell(source, silent=False).success:
        failed.append(source)
if {extra!r}:
    exec({extra!r})
print("\\nREPORT" + json.dumps([opened, failed]))
"""


def run(cells: list[str], extra: str = "") -> tuple[list[str], list[str]]:
    done = subprocess.run(
        [sys.executable, "-c", SCRIPT.format(extra=extra)],
        input=json.dumps(cells),
        capture_output=True,
        text=True,
        cwd=ROOT,
        check=True,
    )
    opened, failed = json.loads(done.stdout.rpartition("REPORT")[2])
    return opened, failed


@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in NOTEBOOKS])
def test_a_whole_lesson_opens_no_connection(path: Path) -> None:
    notebook = json.loads(path.read_text(encoding="utf-8"))
    cells = ["".join(cell["source"]) for cell in notebook["cells"] if cell["cell_type"] == "code"]
    assert run(cells) == ([], [])


def test_the_watch_sees_a_connection() -> None:
    opened, _failed = run([], "import socket; s = socket.socket(); s.connect_ex(('127.0.0.1', 9))")
    assert opened == ["socket.connect"]

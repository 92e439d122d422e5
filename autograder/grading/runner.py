"""The process that runs a learner's code for a judge outside it.

It speaks JSON lines on the pipes it was started with: operations come in, outcomes and call-backs go out. The
learner's code gets other descriptors for stdin and stdout, so what it prints cannot end up in the conversation.
Call-backs carry ids, so requests of several threads may be open at once. It judges nothing.
"""

from __future__ import annotations

import itertools
import json
import linecache
import os
import queue
import threading
from typing import Any, TextIO

from autograder.checks.learner_side import LearnerSide


class Runner:
    """Runs cells and the judge's operations until its input ends."""

    def __init__(self, incoming: TextIO, outgoing: TextIO) -> None:
        self._incoming = incoming
        self._outgoing = outgoing
        self._write_lock = threading.Lock()
        self._numbers = itertools.count(1)
        self._waiting: dict[int, queue.SimpleQueue[dict[str, Any]]] = {}
        self._operations: queue.SimpleQueue[dict[str, Any] | None] = queue.SimpleQueue()
        self._names: dict[str, Any] = {}
        self._learner = LearnerSide(self._names)

    def run(self) -> None:
        """Serve operations, one at a time, in the main thread."""
        threading.Thread(target=self._read, daemon=True).start()
        while (operation := self._operations.get()) is not None:
            self._send({"number": operation["number"], "outcome": self._perform(operation)})

    def _perform(self, operation: dict[str, Any]) -> dict[str, Any]:
        if operation["op"] == "load":
            return self._load(operation["cells"])
        return self._learner.perform(operation, self._ask)

    def _load(self, cells: list[str]) -> dict[str, Any]:
        """Run a notebook's cells in a fresh namespace; a cell that fails does not stop the next one."""
        self._names = {"__name__": "__main__"}
        self._learner = LearnerSide(self._names)
        return run_cells(cells, self._names)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        number = next(self._numbers)
        self._waiting[number] = queue.SimpleQueue()
        self._send({"ask": number, "request": request})
        reply = self._waiting[number].get()
        del self._waiting[number]
        return reply

    def _send(self, message: dict[str, Any]) -> None:
        line = json.dumps(message)
        with self._write_lock:
            self._outgoing.write(line + "\n")
            self._outgoing.flush()

    def _read(self) -> None:
        for line in self._incoming:
            message = json.loads(line)
            if "reply_to" in message:
                self._waiting[message["reply_to"]].put(message["reply"])
            else:
                self._operations.put(message)
        self._operations.put(None)


def run_cells(cells: list[str], names: dict[str, Any]) -> dict[str, Any]:
    """Run cells one after another in `names`; return what was raised, by cell number from 0.

    Each cell is compiled under a file name of its own and kept in `linecache`, so that a fault can quote the
    learner's line, as IPython does.
    """
    errors: dict[str, str] = {}
    for number, source in enumerate(cells):
        file_name = f"<cell {number}>"
        linecache.cache[file_name] = (len(source), None, source.splitlines(keepends=True), file_name)
        try:
            exec(compile(source, file_name, "exec"), names)
        except (Exception, SystemExit) as error:
            errors[str(number)] = f"{type(error).__name__}: {error}"
    return {"kind": "returned", "value": errors}


def main() -> None:
    """Take the pipes over, then give the learner's code an empty stdin and a stdout that leads nowhere."""
    incoming = os.fdopen(os.dup(0), "r", encoding="utf-8")
    outgoing = os.fdopen(os.dup(1), "w", encoding="utf-8")
    nowhere = os.open(os.devnull, os.O_RDWR)
    os.dup2(nowhere, 0)
    os.dup2(nowhere, 1)
    os.close(nowhere)
    Runner(incoming, outgoing).run()


if __name__ == "__main__":
    main()

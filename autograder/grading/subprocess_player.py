"""The player outside the learner's process.

A check calls it as it calls the notebook's player; the functions live in a runner process. What that process says
about itself decides nothing: the judge answers its requests and reads its values as JSON. This one fences nothing
off (files and network are open); it keeps the verdict out of the learner's reach.
"""

from __future__ import annotations

import contextlib
import itertools
import json
import queue
import subprocess
import sys
import threading
from collections.abc import Callable
from types import TracebackType
from typing import Any

from autograder.checks.player import KINDS, Player
from autograder.kernels import environment
from autograder.language import _

TIMEOUT_SECONDS = 10.0
START_SECONDS = 60.0

CALL_BACKS: dict[str, dict[str, type]] = {
    "request": {"path": str, "body": dict, "headers": dict},
    "function": {"function": int, "arguments": list, "keywords": dict},
}
"""The call-backs that a learner's side sends, and what their fields are."""


class SubprocessPlayer(Player):
    """Runs a learner's cells in a process of their own and calls their functions there.

    cells: the sources of the notebook's code cells, in order. timeout: seconds that a call may stay silent before the
    process is ended; its outcome is then "stopped". start_timeout: the same for starting the process and running the
    cells. A process that ended is started again, with the same cells, at the next call. Use it as a context manager,
    or call `close`.
    """

    def __init__(
        self, cells: list[str], timeout: float = TIMEOUT_SECONDS, start_timeout: float = START_SECONDS
    ) -> None:
        self._cells = cells
        self._timeout = timeout
        self._start_timeout = start_timeout
        self._process: subprocess.Popen[str] | None = None
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._loaded = False
        self._numbers = itertools.count(1)

    def __enter__(self) -> SubprocessPlayer:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def load(self, cells: list[str]) -> None:
        """Replace the cells: the process forgets everything that earlier ones defined."""
        self._cells = cells
        self._loaded = False

    def close(self) -> None:
        """End the process."""
        if self._process is None:
            return
        process, self._process, self._loaded = self._process, None, False
        process.kill()
        process.wait()
        for pipe in (process.stdin, process.stdout):
            if pipe is not None:
                pipe.close()

    def _perform(self, operation: dict[str, Any], serve: Callable[[dict[str, Any]], dict[str, Any]]) -> dict[str, Any]:
        if self._process is None:
            self._start()
        if not self._loaded:
            loaded = self._exchange({"op": "load", "cells": self._cells}, serve, self._start_timeout)
            if loaded["kind"] == "stopped":
                return {"kind": "stopped", "value": _("a cell of the notebook runs for ever")}
            if loaded["kind"] != "returned":
                return loaded
            self._loaded = True
        return self._exchange(operation, serve, self._timeout)

    def _start(self) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "autograder.grading.runner"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            env=environment(),
            text=True,
            encoding="utf-8",
        )
        self._lines = queue.SimpleQueue()
        threading.Thread(target=_read, args=(self._process, self._lines), daemon=True).start()

    def _exchange(
        self, operation: dict[str, Any], serve: Callable[[dict[str, Any]], dict[str, Any]], timeout: float
    ) -> dict[str, Any]:
        """Send one operation and serve call-backs until its outcome comes.

        A line that is not of our making, or an outcome of another operation, means that the learner's code wrote on
        our pipe: the process is ended.
        """
        number = next(self._numbers)
        if not self._write({**operation, "number": number}):
            return self._ended()
        while True:
            try:
                line = self._lines.get(timeout=timeout)
            except queue.Empty:
                self.close()
                return {"kind": "stopped", "value": _("no answer in {seconds} s").format(seconds=round(timeout))}
            message = _parsed(line)
            if message is None:
                return self._ended()
            if "outcome" in message:
                outcome: dict[str, Any] = message["outcome"]
                return outcome if message.get("number") == number else self._ended()
            if not self._write({"reply_to": message["ask"], "reply": serve(message["request"])}):
                return self._ended()

    def _write(self, message: dict[str, Any]) -> bool:
        if self._process is None or self._process.stdin is None:
            return False
        try:
            self._process.stdin.write(json.dumps(message) + "\n")
            self._process.stdin.flush()
        except (BrokenPipeError, OSError):
            return False
        return True

    def _ended(self) -> dict[str, Any]:
        self.close()
        return {"kind": "died"}


def _parsed(line: str | None) -> dict[str, Any] | None:
    """Return an outcome or a call-back, or None for the end and for anything malformed."""
    try:
        message = json.loads(line or "")
    except ValueError:
        return None
    if not isinstance(message, dict):
        return None
    outcome, request = message.get("outcome"), message.get("request")
    if isinstance(outcome, dict):
        return message if outcome.get("kind") in KINDS else None
    return message if isinstance(message.get("ask"), int) and _is_call_back(request) else None


def _is_call_back(request: Any) -> bool:
    if not isinstance(request, dict):
        return False
    fields = CALL_BACKS.get(str(request.get("op")), {"op": type(None)})
    return all(isinstance(request.get(name), kind) for name, kind in fields.items())


def _read(process: subprocess.Popen[str], lines: queue.SimpleQueue[str | None]) -> None:
    if process.stdout is not None:
        with contextlib.suppress(ValueError):  # closed, or not UTF-8: either way its end
            for line in process.stdout:
                lines.put(line)
    lines.put(None)

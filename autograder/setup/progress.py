"""Shows how far a set-up is: one line that counts on a terminal, a few plain lines anywhere else."""

from __future__ import annotations

import contextlib
import re
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import TextIO

from autograder.language import _

STEP = 25  # packages between two lines where lines cannot be replaced
SEEN = re.compile(r"Collecting (\S+)")
PACKAGES = ("lib/*/site-packages/*.dist-info", "Lib/site-packages/*.dist-info")  # POSIX, Windows


class Progress:
    """Reads what pip prints and tells a person about it on `stream`."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream
        self._replaces = stream.isatty()
        self._shown = ""
        self._seen = 0
        self._total = 0

    def say(self, text: str) -> None:
        """Print a line that stays."""
        self._clear()
        print(text, file=self._stream, flush=True)

    def read(self, line: str) -> None:
        """Take one line of pip's output."""
        found = SEEN.match(line)
        if found:
            self._seen += 1
            self._count(self._seen, _("  finding packages: {count}  {name}").format(count=self._seen, name=found[1]))
        elif line.startswith("Installing collected packages:"):
            self._total = line.count(",") + 1
            self.say(_("  installing {total} packages").format(total=self._total))

    @contextlib.contextmanager
    def installing(self, home: Path) -> Iterator[None]:
        """While pip works silently on its last step, count the packages that arrive in the environment `home`."""
        done = threading.Event()
        watcher = threading.Thread(target=self._watch, args=(home, done), daemon=True)
        watcher.start()
        try:
            yield
        finally:
            done.set()
            watcher.join()
            self._clear()

    def _watch(self, home: Path, done: threading.Event) -> None:
        before, last = None, 0
        while not done.wait(0.25):
            if not self._total:
                continue
            present = len({found for pattern in PACKAGES for found in home.glob(pattern)})
            before = present if before is None else before
            count = min(max(present - before, 0), self._total)
            if count != last:
                text = _("  installed {count} of {total} packages").format(count=count, total=self._total)
                self._count(count, text, jumped=count // STEP != last // STEP)
                last = count

    def _count(self, count: int, text: str, *, jumped: bool = False) -> None:
        if self._replaces:
            self._clear()
            self._shown = text[:76]
            self._stream.write(self._shown)
            self._stream.flush()
        elif jumped or count % STEP == 0:
            print(text, file=self._stream, flush=True)

    def _clear(self) -> None:
        if self._shown:
            self._stream.write("\r" + " " * len(self._shown) + "\r")
            self._shown = ""

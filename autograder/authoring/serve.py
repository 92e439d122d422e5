"""`course serve`: the API double on 127.0.0.1, for curl, TypeScript and the command line of the Agent SDK."""

from __future__ import annotations

import argparse
from collections.abc import Sequence

from autograder.authoring.loopback import Loopback
from autograder.errors import AuthoringError
from autograder.language import _
from autograder.messages_api import scenario
from autograder.messages_api.errors import ScenarioError
from autograder.messages_api.scenario import Scenario
from autograder.messages_api.server import application

_LAST_PORT = 65535


def chosen(names: Sequence[str]) -> dict[str, Scenario]:
    """The scenarios with these names, all of them when none is named.

    Raises:
        AuthoringError: a name is unknown, a file breaks the format, or there is no scenario at all.
    """
    wanted = list(names) or sorted(file.stem for file in scenario.FIXTURES.glob("*.json"))
    if not wanted:
        raise AuthoringError(_("There are no scenarios in {folder}.").format(folder=scenario.FIXTURES))
    try:
        return {name: scenario.load(name) for name in wanted}
    except ScenarioError as error:
        raise AuthoringError(str(error)) from None


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course serve`."""
    parser.add_argument("names", nargs="*", metavar="NAME", help=_("scenarios; all of them when none is named"))
    parser.add_argument("--port", type=_port, default=0, help=_("port of 127.0.0.1; 0, the default, takes a free one"))


def run(options: argparse.Namespace) -> int:
    """Serve until SIGTERM or Ctrl-C; one line says where, as soon as requests are answered."""
    server = Loopback(application(chosen(options.names)), options.port)
    line = _("Serving at {url} (its first page lists the scenarios; Ctrl-C ends it)").format(url=server.url)
    server.run(lambda: print(line, flush=True))
    return 0


def _port(text: str) -> int:
    port = int(text) if text.isdecimal() else -1
    if not 0 <= port <= _LAST_PORT:
        raise argparse.ArgumentTypeError(_("{text} is no port: give a number from 0 to 65535").format(text=repr(text)))
    return port

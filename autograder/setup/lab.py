"""`course start`: the learner's copies, then JupyterLab on a lesson, in this process.

The teacher's tools of nbgrader and JupyterLab's news are off because the course is installed with settings that
say so (autograder/setup/jupyter/learner); a `jupyter lab` typed by hand therefore looks the same.
"""

from __future__ import annotations

import argparse
import logging
import os
import socket
import sys
import webbrowser
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote

from autograder.command import command
from autograder.course import Course
from autograder.errors import CourseError
from autograder.language import _
from autograder.setup.copies import bring

if TYPE_CHECKING:
    from jupyter_server.serverapp import ServerApp

PORT = 8888
TEACHER = Path(__file__).parent / "jupyter" / "teacher"


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the options of `course start`."""
    parser.add_argument("lesson", nargs="?", help=_("the lesson to open, such as 02; the first if not given"))
    parser.add_argument("--no-browser", action="store_true", help=_("print the address instead of opening a browser"))
    parser.add_argument("--port", type=int, default=PORT, help=_("the first port to try (%(default)s)"))
    parser.add_argument("--teacher", action="store_true", help=_("with nbgrader's tools for teachers"))


def run(options: argparse.Namespace) -> int:
    """Bring the lessons into work/ and serve them until Ctrl-C or a SIGTERM; return 0 then.

    A server that another window has started for this course is used instead of a second one.

    Raises:
        CourseError: there is no such lesson, no port is free, or the teacher's tools are asked for while a server runs.
    """
    course = Course.here()
    slug = course.find(options.lesson) if options.lesson else next(iter(course.slugs()), "")
    for sentence in bring(course):
        print(sentence, file=sys.stderr)
    page = f"lab/tree/work/{quote(slug)}.ipynb"
    if (server := running_server(course.root)) is not None:
        if options.teacher:
            raise CourseError(_close_first(server))
        _use(server, page, browser=not options.no_browser)
        return 0
    if options.teacher:
        _show_teacher_tools()
    print(_("Starting JupyterLab ..."), file=sys.stderr, flush=True)
    _serve(arguments(course.root, page, port=options.port, browser=not options.no_browser), page)
    return 0


def arguments(root: Path, page: str, *, port: int, browser: bool) -> list[str]:
    """The command line of JupyterLab that opens `page` of the course in `root`, on this machine only."""
    asked = [
        "--ServerApp.ip=127.0.0.1",
        f"--ServerApp.port={port}",
        "--ServerApp.port_retries=50",
        f"--ServerApp.root_dir={root}",
        f"--ServerApp.open_browser={browser}",
        f"--LabApp.default_url=/{page}",
        # Ctrl-C ends it without a question.
        "--ServerApp.answer_yes=True",
        "--Application.log_level=ERROR",
        # ipykernel 7 otherwise warns in this terminal, for every kernel, that it runs over TCP in the clear.
        "--KernelManager.transport_encryption=auto",
        # The course needs no network; these would ask PyPI and jupyter.org.
        "--LabApp.extension_manager=readonly",
        "--LabApp.news_url=None",
        "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate",
    ]
    if hasattr(os, "geteuid") and os.geteuid() == 0:
        asked.append("--ServerApp.allow_root=True")
    return asked


def running_server(root: Path) -> dict[str, Any] | None:
    """What Jupyter has noted about a server of the course in `root` that answers now, or None."""
    from jupyter_server.serverapp import list_running_servers

    for server in list_running_servers():
        if Path(server.get("root_dir", "")).resolve() == root.resolve() and _answers(server):
            return dict(server)
    return None


def _answers(server: dict[str, Any]) -> bool:
    # The note of a server that was killed stays, and its process id may be another program's by now.
    try:
        with socket.create_connection((server["hostname"], server["port"]), timeout=1):
            return True
    except OSError:
        return False


def _use(server: dict[str, Any], page: str, *, browser: bool) -> None:
    address = _address(server["url"], page, server["token"])
    print(_("The course is open at {address}").format(address=address), flush=True)
    print(_("Another window serves it already. Ctrl-C in that window closes it."), file=sys.stderr, flush=True)
    if browser:
        webbrowser.open(address)


def _close_first(server: dict[str, Any]) -> str:
    # What a server shows was settled when it started, and its note does not say whose tools those are.
    return _(
        "The course is open already, at {url}, perhaps without the teacher's tools. Close the other window first "
        "(Ctrl-C in the terminal that started it), then run: {command}"
    ).format(url=server["url"], command=command("start --teacher"))


def _address(url: str, page: str, token: str) -> str:
    return f"{url}{page}" + (f"?token={token}" if token else "")


def _show_teacher_tools() -> None:
    # Jupyter reads these folders before those of the environment.
    others = os.environ.get("JUPYTER_CONFIG_PATH")
    os.environ["JUPYTER_CONFIG_PATH"] = os.pathsep.join([str(TEACHER), *([others] if others else [])])


def _serve(command_line: list[str], page: str) -> None:
    from jupyterlab.labapp import LabApp

    try:
        server: Any = LabApp.initialize_server(argv=command_line)
    except SystemExit as error:
        if not error.code:
            raise
        raise CourseError(_("JupyterLab did not start; its own words are above.")) from error
    server.log.addFilter(_is_news)
    server.io_loop.add_callback(_announce, server, page)
    server.start()


def _is_news(record: logging.LogRecord) -> bool:
    # Jupyter says at its highest level how to open the page, which `_announce` has said, and that it was asked to stop.
    return not any(known in record.getMessage() for known in ("To access the server", "received signal", "Shutting"))


def _announce(server: ServerApp, page: str) -> None:
    token = getattr(server.identity_provider, "token", "")
    address = _address(server.connection_url, page, token)
    print(_("The course is open at {address}").format(address=address), flush=True)
    print(_("Ctrl-C in this window closes it."), file=sys.stderr, flush=True)

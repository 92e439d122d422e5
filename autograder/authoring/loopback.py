"""An HTTP server on 127.0.0.1 and nowhere else, for the verb `serve` and for tests that need one beside them.

uvicorn does the work. What is added: the socket is bound here, so nothing can widen it; a scenario may hang up; and a
signal ends the server as its ordinary end, without a traceback and with exit code 0.
"""

from __future__ import annotations

import asyncio
import contextlib
import signal
import socket
import sys
import threading
from collections.abc import Callable, Iterator

import uvicorn
from starlette.types import ASGIApp
from uvicorn.protocols.http.h11_impl import H11Protocol
from uvicorn.server import HANDLED_SIGNALS

from autograder.errors import AuthoringError
from autograder.language import _
from autograder.messages_api.server import HANG_UP

HOST = "127.0.0.1"
# Answers are ready at once: who is still connected after this is a client that a scenario keeps waiting.
_PATIENCE = 0.2


class Loopback:
    """A server for one ASGI application; the port is taken when the object is made.

    As a context manager it serves from a thread of its own, with `.url` ready to be asked:

        with Loopback(application({"first_answer": replay("first_answer")})) as server:
            client = anthropic.Anthropic(api_key="test", base_url=f"{server.url}/first_answer")

    Args:
        app: the application.
        port: the port of 127.0.0.1 to take; 0 takes a free one.

    Raises:
        AuthoringError: the port is not to be had.
    """

    def __init__(self, app: ASGIApp, port: int = 0) -> None:
        self._socket = _bound(port)
        self.url = f"http://{HOST}:{self._socket.getsockname()[1]}"
        config = uvicorn.Config(
            app,
            http=_Connection,
            loop="asyncio",
            ws="none",
            lifespan="off",
            log_level="error",
            access_log=False,
            server_header=False,
            date_header=False,
            proxy_headers=False,
        )
        self._server = _Server(config)
        self._thread: threading.Thread | None = None
        self._failure: BaseException | None = None

    def run(self, ready: Callable[[], object]) -> None:
        """Serve in this thread until SIGTERM or Ctrl-C; `ready` is called once connections are answered."""
        self._server.when_ready = ready
        asyncio.run(self._server.serve(sockets=[self._socket]))

    def __enter__(self) -> Loopback:
        answering = threading.Event()
        self._thread = threading.Thread(target=self._run_beside, args=(answering,), daemon=True)
        self._thread.start()
        answering.wait()
        if self._failure is not None:
            self._socket.close()
            text = _("The server on {url} did not start: {reason}.")
            raise AuthoringError(text.format(url=self.url, reason=self._failure)) from self._failure
        return self

    def __exit__(self, *_error: object) -> None:
        self._server.should_exit = True
        if self._thread is not None:
            self._thread.join()

    def _run_beside(self, answering: threading.Event) -> None:
        try:
            self.run(answering.set)
        except BaseException as error:
            if answering.is_set():
                raise
            self._failure = error
        finally:
            answering.set()  # whatever happens, nobody waits for a thread that has ended


class _Server(uvicorn.Server):
    when_ready: Callable[[], object]

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets=sockets)
        self.when_ready()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        """As uvicorn does, except that the signal is not raised again at the end: it was obeyed."""
        if threading.current_thread() is not threading.main_thread():
            yield
            return
        before = {number: signal.signal(number, self.handle_exit) for number in HANDLED_SIGNALS}
        try:
            yield
        finally:
            for number, handler in before.items():
                signal.signal(number, handler)


class _Connection(H11Protocol):
    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        self.app_state = {**self.app_state, HANG_UP: transport.close}

    def shutdown(self) -> None:
        super().shutdown()
        self.loop.call_later(_PATIENCE, self.transport.abort)


def _bound(port: int) -> socket.socket:
    # With the protocol named, asyncio switches Nagle's algorithm off; else every answer waits 40 ms for an ACK.
    listening = socket.socket(socket.AF_INET, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    if sys.platform != "win32":  # there it would let two servers share a port
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((HOST, port))
    except OSError as error:
        listening.close()
        text = _("Port {port} of {host} cannot be taken: {reason}. Another one: --port 0 takes any that is free.")
        raise AuthoringError(text.format(port=port, host=HOST, reason=error.strerror)) from None
    return listening

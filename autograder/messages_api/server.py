"""The double over HTTP: the same engine for curl, TypeScript and the Agent SDK, which no Python transport reaches.

The first segment of a path chooses the scenario, so `ANTHROPIC_BASE_URL=http://127.0.0.1:PORT/first_answer` is all that
a client needs to be told. This module is an ASGI application and nothing else: who binds a socket is elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from urllib.parse import unquote

from starlette.applications import Starlette
from starlette.requests import ClientDisconnect, Request
from starlette.responses import PlainTextResponse
from starlette.routing import Route
from starlette.types import Receive, Scope, Send

from autograder.messages_api.api_refusal import ApiRefusal, too_large
from autograder.messages_api.double import COUNT_TOKENS, MESSAGES, MODELS, Double
from autograder.messages_api.errors import nearest
from autograder.messages_api.request_body import LARGEST_BODY, read_body, unread
from autograder.messages_api.response import Response
from autograder.messages_api.scenario import Scenario

# Whoever runs the application puts a function under this name into `scope["state"]`: it closes the connection at once.
HANG_UP = "hang_up"

_METHODS = {MESSAGES: ("POST",), COUNT_TOKENS: ("POST",), MODELS: ("GET", "HEAD")}
# How a body is delimited is for the server to say, whatever was recorded.
_FRAMING = frozenset({"connection", "content-encoding", "content-length", "transfer-encoding"})


def application(scenarios: Mapping[str, Scenario]) -> Starlette:
    """The ASGI application that plays these scenarios, each under its own name as the first segment of the path.

    Every scenario has one double for as long as the application lives, so attempts of a request are counted across
    all clients. `GET /` lists the scenarios, `GET /NAME` tells how to reach one.
    """
    doubles = {name: Double(scenario) for name, scenario in scenarios.items()}
    made = Starlette(routes=[Route("/", _Listing(scenarios))])
    # Everything else, also what no pattern matches (a line break in a path), is for a double to answer.
    made.router.default = _Doubles(doubles)
    made.router.redirect_slashes = False
    return made


class _Listing:
    """The plain text at `/`: every scenario with the line that makes a client use it."""

    def __init__(self, scenarios: Mapping[str, Scenario]) -> None:
        self._scenarios = scenarios

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["method"] not in ("GET", "HEAD"):
            return await _send(_not_allowed(scope, ("GET", "HEAD")), scope, receive, send)
        lines = [
            "This server plays recorded conversations with the Messages API.",
            "Give a client the base URL of one, and any key:",
            "",
            "  ANTHROPIC_API_KEY=test",
            *(f"  {_setting(scope, name)}  # {scenario.title}" for name, scenario in self._scenarios.items()),
        ]
        await PlainTextResponse("\n".join(lines) + "\n")(scope, receive, send)


class _Doubles:
    """Everything below `/NAME`: the double of that scenario answers."""

    def __init__(self, doubles: Mapping[str, Double]) -> None:
        self._doubles = doubles

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        name, _, rest = _target(scope).removeprefix("/").partition("/")
        double = self._doubles.get(unquote(name))
        if double is None:
            return await _send(unread(self._unknown(unquote(name)), name), scope, receive, send)
        if not rest and scope["method"] in ("GET", "HEAD"):
            # The Agent SDK's command line asks its base URL for a sign of life.
            text = f"{double.scenario.title}\n\n  ANTHROPIC_API_KEY=test\n  {_setting(scope, name)}\n"
            return await PlainTextResponse(text)(scope, receive, send)
        try:
            response = await _answer(double, f"/{rest}", Request(scope, receive))
        except ClientDisconnect:
            return None
        await _send(response, scope, receive, send)

    def _unknown(self, name: str) -> ApiRefusal:
        close = nearest(name, self._doubles)
        hint = f"Nearest: {', '.join(close)}." if close else "GET / lists them."
        return ApiRefusal(404, "not_found_error", f"There is no scenario named {name!r} on this server. {hint}")


async def _answer(double: Double, path: str, request: Request) -> Response:
    headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in request.scope["headers"]}
    allowed = _allowed(path)
    if not allowed:
        return double.respond(path, {}, headers)
    if request.method not in allowed:
        return _not_allowed(request.scope, allowed)
    content = await _content(request)
    body = too_large() if content is None else read_body(request.method, content)
    if isinstance(body, ApiRefusal):
        return unread(body, path, content, on=double.on)
    query = request.scope["query_string"].decode("latin-1")
    return double.respond(f"{path}?{query}" if query else path, body, headers)


async def _content(request: Request) -> bytes | None:
    """The body, or None when it is too large: then it is read to its end and dropped, else no client hears the 413."""
    pieces: list[bytes] = []
    size = 0
    async for piece in request.stream():
        size += len(piece)
        if size > LARGEST_BODY:
            pieces.clear()
        else:
            pieces.append(piece)
    return b"".join(pieces) if size <= LARGEST_BODY else None


def _allowed(path: str) -> tuple[str, ...]:
    """The methods of a resource; none for a path that is no resource, which the double answers with its 404."""
    path = path.rstrip("/")
    return _METHODS[MODELS] if path.startswith(f"{MODELS}/") else _METHODS.get(path, ())


def _not_allowed(scope: Scope, allowed: tuple[str, ...]) -> Response:
    """The 405 in the API's envelope. No recording shows one: status and words are those of HTTP (inferred)."""
    refused = ApiRefusal(405, "invalid_request_error", "Method Not Allowed")
    response = unread(refused, scope["method"], _target(scope))
    response.headers["allow"] = ", ".join(allowed)
    return response


async def _send(response: Response, scope: Scope, receive: Receive, send: Send) -> None:
    """Send an answer of a double: at once, event by event, or not to its end."""
    if response.events is None and response.outcome is not None:
        return await _lose(response, scope, receive)
    headers = [(n.encode("latin-1"), v.encode("latin-1")) for n, v in response.headers.items() if n not in _FRAMING]
    if response.events is None:
        body = response.content
        headers.append((b"content-length", str(len(body)).encode()))
        await send({"type": "http.response.start", "status": response.status, "headers": headers})
        return await send({"type": "http.response.body", "body": body})
    await send({"type": "http.response.start", "status": response.status, "headers": headers})
    for chunk in response.chunks():
        await send({"type": "http.response.body", "body": chunk, "more_body": True})
    if response.outcome is not None:
        return await _lose(response, scope, receive)
    await send({"type": "http.response.body"})


async def _lose(response: Response, scope: Scope, receive: Receive) -> None:
    """Lose the connection as a scenario asks: close it without a word, or stay silent until the client gives up.

    Over a socket nobody but the client decides when a timeout is reached.
    """
    if response.outcome == "dropped":
        hang_up = scope.get("state", {}).get(HANG_UP)
        if hang_up is None:
            raise ConnectionResetError("the scenario drops the connection")
        hang_up()
    while (await receive())["type"] != "http.disconnect":
        pass


def _target(scope: Scope) -> str:
    """The path as the client wrote it, percent signs and all: names of models may hold escaped slashes."""
    raw: bytes = scope.get("raw_path") or scope["path"].encode()
    return raw.decode("latin-1")


def _setting(scope: Scope, name: str) -> str:
    host, port = scope["server"]
    return f"ANTHROPIC_BASE_URL={scope['scheme']}://{host}:{port}/{name}"

"""Both players must hand values across alike, so every case runs through both."""

from __future__ import annotations

import math
import textwrap
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from autograder.checks.player import InProcessPlayer, Player
from autograder.checks.values import ASYNC_CLIENT, CLIENT, RUN_TOOL, Handle, SdkError, SdkObject, Stream
from autograder.given import AgentResult, Fault, UnknownTool
from autograder.grading.runner import run_cells
from autograder.grading.subprocess_player import SubprocessPlayer
from autograder.messages_api.response import Response

MESSAGE = {
    "model": "claude-sonnet-5-5",
    "id": "msg_011CfXSzKTFXxe3apHsErdL2",
    "type": "message",
    "role": "assistant",
    "content": [{"type": "text", "text": "Hello."}, {"type": "hologram", "frames": 3}],
    "stop_reason": "a_new_reason",
    "stop_sequence": None,
    "usage": {"input_tokens": 3, "output_tokens": 5},
}

Load = Callable[[str], Player]


@pytest.fixture(scope="module")
def outside() -> Iterator[SubprocessPlayer]:
    with SubprocessPlayer([], timeout=30) as player:
        yield player


@pytest.fixture(params=["in process", "out of process"])
def load(request: pytest.FixtureRequest, outside: SubprocessPlayer) -> Load:
    def make(source: str) -> Player:
        source = textwrap.dedent(source)
        if request.param == "out of process":
            outside.load([source])
            return outside
        names: dict[str, Any] = {}
        run_cells([source], names)
        return InProcessPlayer(names)

    return make


def answer_with(*bodies: dict[str, Any]) -> tuple[Callable[..., Response], list[Any]]:
    requests: list[Any] = []

    def answer(path: str, body: Any, headers: Any) -> Response:
        requests.append((path, body))
        return Response(200, {"content-type": "application/json"}, bodies[len(requests) - 1])

    return answer, requests


@pytest.mark.parametrize(
    "value",
    [
        pytest.param(None, id="none"),
        pytest.param([1, 2.5, True, "ü\U0001f6d2", {"a": []}], id="json"),
        pytest.param((1, (2,)), id="tuples"),
        pytest.param({1, 2}, id="set"),
        pytest.param({frozenset({1}), (2,)}, id="set of sets"),
        pytest.param({frozenset(): 3}, id="dict with a set as its key"),
        pytest.param("\ud800", id="lone surrogate"),
        pytest.param({1: "a", "$b": 2}, id="dict with other keys"),
        pytest.param(b"\x00\xff", id="bytes"),
        pytest.param(math.inf, id="infinity"),
        pytest.param(Fault("unanswered", 1, "toolu_1"), id="given record"),
        pytest.param(AgentResult("done", "x", [{"role": "user", "content": "q"}], {"input_tokens": 1}, 2), id="result"),
        pytest.param(SdkObject("Usage", {"input_tokens": 3, "output_tokens": 5}), id="sdk object"),
    ],
)
def test_a_value_comes_back_as_it_went(load: Load, value: Any) -> None:
    assert load("def same(x): return x").call("same", value).value == value


def test_a_message_with_unknown_parts_arrives_as_an_sdk_object(load: Load) -> None:
    player = load("def look(m): return [type(m).__name__, m.stop_reason, m.content[1].type, m.usage.output_tokens]")
    assert player.call("look", SdkObject("Message", MESSAGE)).value == ["Message", "a_new_reason", "hologram", 5]


def test_blocks_come_back_with_their_own_json(load: Load) -> None:
    outcome = load("def blocks(m): return m.content").call("blocks", SdkObject("Message", MESSAGE))
    assert [block.json for block in outcome.value] == MESSAGE["content"]


def test_a_client_reaches_the_judge(load: Load) -> None:
    answer, requests = answer_with(MESSAGE)
    player = load("def ask(c): return c.messages.create(model='m', max_tokens=1, messages=[])")
    outcome = player.call("ask", CLIENT, answer=answer)
    assert outcome.value.json["id"] == MESSAGE["id"]
    assert requests == [("/v1/messages", {"model": "m", "max_tokens": 1, "messages": []})]


def test_an_async_function_is_run_to_its_end(load: Load) -> None:
    answer, _requests = answer_with(MESSAGE)
    player = load("""
        async def ask(client):
            message = await client.messages.create(model='m', max_tokens=1, messages=[])
            return message.id
        """)
    assert player.call("ask", ASYNC_CLIENT, answer=answer).value == MESSAGE["id"]


def test_requests_of_two_threads_are_both_answered(load: Load) -> None:
    answer, requests = answer_with(MESSAGE, MESSAGE)
    player = load("""
        from concurrent.futures import ThreadPoolExecutor

        def both(client):
            def one(n):
                return client.messages.create(model=str(n), max_tokens=1, messages=[]).id
            with ThreadPoolExecutor(2) as pool:
                return list(pool.map(one, range(2)))
        """)
    assert player.call("both", CLIENT, answer=answer).value == [MESSAGE["id"]] * 2
    assert sorted(body["model"] for _path, body in requests) == ["0", "1"]


def test_tools_run_on_the_judges_side_and_their_errors_arrive_as_they_are(load: Load) -> None:
    def run_tool(name: str, tool_input: Any) -> str:
        if name == "nope":
            raise UnknownTool(name)
        if name == "slow":
            raise TimeoutError
        return f"{name}: {tool_input['n']}"

    player = load("""
        def use(run_tool):
            found = [run_tool('get', {'n': 1})]
            for name in ('nope', 'slow'):
                try:
                    run_tool(name, {})
                except Exception as error:
                    found.append([type(error).__name__, str(error), getattr(error, 'name', None)])
            return found
        """)
    assert player.call("use", RUN_TOOL, run_tool=run_tool).value == [
        "get: 1",
        ["UnknownTool", "There is no tool named 'nope'.", "nope"],
        ["TimeoutError", "", None],
    ]


def test_functions_and_streams_may_be_arguments(load: Load) -> None:
    player = load("def use(gate, items, *, twice): return [gate(i) for i in items] + [twice['of'](4)]")
    outcome = player.call("use", lambda n: n > 1, Stream((1, 2)), twice={"of": lambda n: 2 * n})
    assert outcome.value == [False, True, 8]


def test_an_async_stream_is_iterated_with_async_for(load: Load) -> None:
    player = load("async def use(items): return [i async for i in items]")
    assert player.call("use", Stream((1, 2), is_async=True)).value == [1, 2]


def test_an_object_stays_and_its_methods_are_called(load: Load) -> None:
    player = load("""
        class Counter:
            def __init__(self): self.n = 0
            def add(self, by): self.n += by; return self.n
        """)
    counter = player.call("Counter").value
    assert isinstance(counter, Handle)
    player.call(counter.method("add"), 2)
    assert player.call(counter.method("add"), 3).value == 5
    assert player.call(player.call("Counter").value.method("add"), 3).value == 3


def test_a_generator_is_drained_up_to_a_limit(load: Load) -> None:
    player = load("""
        def numbers():
            n = 0
            while True:
                yield n
                n += 1
        """)
    assert player.drain(player.call("numbers").value, limit=3).value == [0, 1, 2]


def test_arguments_are_copies_and_come_back_as_the_call_left_them(load: Load) -> None:
    messages = [{"role": "user", "content": "q"}]
    outcome = load("def spoil(messages): messages.append(1)").call("spoil", messages)
    assert outcome.arguments_after == ([{"role": "user", "content": "q"}, 1],)
    assert messages == [{"role": "user", "content": "q"}]


def test_what_was_raised_is_told_with_its_line_and_fields(load: Load) -> None:
    player = load("""
        from autograder import StepLimitReached

        def run():
            raise StepLimitReached([{"role": "user", "content": "q"}], 3)
        """)
    error = player.call("run").error
    assert error is not None
    assert error.class_names[:2] == ("StepLimitReached", "Exception")
    assert error.fields == {"messages": [{"role": "user", "content": "q"}], "steps": 3}
    assert error.line == 'line 5: raise StepLimitReached([{"role": "user", "content": "q"}], 3)'


@pytest.mark.parametrize(
    ("status", "name", "code"),
    [
        pytest.param(429, "RateLimitError", 429, id="rate limit"),
        pytest.param(529, "OverloadedError", 529, id="overloaded"),
        pytest.param("timeout", "APITimeoutError", None, id="timeout"),
        pytest.param("connection", "APIConnectionError", None, id="connection"),
    ],
)
def test_an_sdk_error_is_the_sdks_own(load: Load, status: int | str, name: str, code: int | None) -> None:
    body = {"type": "error", "error": {"type": "rate_limit_error", "message": "Slow down"}}
    player = load("def look(e): return [type(e).__name__, getattr(e, 'status_code', None)]")
    assert player.call("look", SdkError(status, {"retry-after": "3"}, body)).value == [name, code]


@pytest.mark.parametrize(
    ("source", "arguments", "kind"),
    [
        pytest.param("", (), "missing", id="missing"),
        pytest.param("f = 3", (), "not_callable", id="not callable"),
        pytest.param("def f(a, b): pass", (1,), "arity", id="arity"),
        pytest.param("def f(): f(1)", (), "raised", id="a TypeError of its own is no arity fault"),
        pytest.param("def f(): raise SystemExit", (), "raised", id="exit"),
    ],
)
def test_each_way_not_to_return_has_its_kind(load: Load, source: str, arguments: tuple[Any, ...], kind: str) -> None:
    assert load(source).call("f", *arguments).kind == kind


def test_an_endless_loop_of_requests_is_stopped_in_spite_of_except_exception(load: Load) -> None:
    def answer(path: str, body: Any, headers: Any) -> Response:
        return Response(200, {"content-type": "application/json"}, MESSAGE)

    player = load("""
        def ask(client):
            while True:
                try:
                    client.messages.create(model='m', max_tokens=1, messages=[])
                except Exception:
                    pass
        """)
    assert player.call("ask", CLIENT, answer=answer).kind == "stopped"


def test_what_is_printed_is_kept_and_stderr_is_not(load: Load, capfd: pytest.CaptureFixture[str]) -> None:
    player = load("""
        import logging, os, sys, warnings

        handler = logging.StreamHandler()

        def noisy():
            print("out")
            print("err", file=sys.stderr)
            os.write(2, b"descriptor")
            logging.warning("log")
            logging.getLogger("mine").addHandler(handler)
            logging.getLogger("mine").error("handler")
            warnings.warn("warned")
            return 1
        """)
    outcome = player.call("noisy")
    assert (outcome.value, outcome.stdout) == (1, "out\n")
    assert capfd.readouterr().err == ""


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("def f():\n    a = []\n    a.append(a)\n    return a", id="a list that holds itself"),
        pytest.param("def f(): return 10 ** 10000", id="a very long number"),
        pytest.param("class C:\n    def __repr__(self): raise BaseException\ndef f(): return C()", id="no repr"),
        pytest.param("class C:\n    def __getattr__(self, n): return self\ndef f(): return C()", id="any attribute"),
        pytest.param("def f(): return {object(): object()}.keys()", id="dict keys"),
    ],
)
def test_what_cannot_cross_stays_and_a_handle_crosses(load: Load, source: str) -> None:
    assert isinstance(load(source).call("f").value, Handle)


@pytest.mark.parametrize(
    "source",
    [
        pytest.param("class Mine(BaseException): pass\ndef f(): raise Mine", id="BaseException"),
        pytest.param("import asyncio\ndef f(): raise asyncio.CancelledError", id="cancelled"),
        pytest.param("def f():\n    e = ValueError()\n    e.me = e\n    raise e", id="an error that holds itself"),
        pytest.param("class E(Exception):\n    def __str__(self): raise E\ndef f(): raise E", id="no text"),
        pytest.param("def f(): raise ValueError('\\ud800' * 3)", id="text that cannot be printed"),
        pytest.param("import sys\ndef f():\n    sys.stdout.close()\n    raise ValueError", id="closed stdout"),
        pytest.param(
            "import tempfile\ntempfile.tempdir = '/none'\ndef f(): raise ValueError", id="no folder for files"
        ),
    ],
)
def test_whatever_is_raised_is_an_outcome(load: Load, source: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("tempfile.tempdir", None)  # one of them changes it; this puts it back
    assert load(source).call("f").kind == "raised"


def test_a_subclass_of_str_crosses_as_its_text(load: Load) -> None:
    player = load("from enum import Enum\nclass S(str, Enum):\n    finish = 'finish'\ndef f(): return [S.finish]")
    assert player.call("f").value == ["finish"]


def test_an_object_that_answers_everything_can_be_called(load: Load) -> None:
    source = "class C:\n    def __getattr__(self, name): return self\n    def __call__(self, *a): return 1\nf = C()"
    assert load(source).call("f").value == 1


def test_a_value_is_looked_up_by_name(load: Load) -> None:
    player = load("misrouting = {'a': 'generic'}")
    assert player.value("misrouting").value == {"a": "generic"}
    assert player.value("other").kind == "missing"


def test_a_function_that_came_back_keeps_the_functions_it_was_made_with(load: Load) -> None:
    player = load("def keep(function):\n    def run(n): return function(n)\n    return run")
    kept = [player.call("keep", function).value for function in (lambda n: n + 1, lambda n: n * 10)]
    assert all(isinstance(one, Handle) for one in kept)
    assert [player.call(one, 4).value for one in kept] == [5, 40]

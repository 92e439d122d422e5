"""The SDK's own loop over the double: with message threads, its default, and with the whole history."""

from __future__ import annotations

from typing import Any

import pytest
from anthropic import beta_async_tool, beta_tool

from autograder.messages_api.scenario import Scenario
from tests.messages_api.builders import BOTH, HELP, MODEL, ORDER, answer, exchange, scenario, text, two_tools


def runs(ran: list[str], *, fails: str = "") -> list[Any]:
    def done(name: str) -> str:
        ran.append(name)
        if name == fails:
            raise LookupError("no such order")
        return "ok"

    @beta_tool
    def get_order(order_id: str) -> str:
        """Read an order.

        Args:
            order_id: the number of the order
        """
        return done("get_order")

    @beta_tool
    def search_help(query: str) -> str:
        """Search the help centre.

        Args:
            query: what to look for
        """
        return done("search_help")

    return [get_order, search_help]


def run(played: Scenario, tools: list[Any], **more: Any) -> Any:
    runner = played.client().beta.messages.tool_runner(
        model=MODEL, max_tokens=1024, tools=tools, messages=played.messages, **more
    )
    return runner.until_done()


def turns(played: Scenario) -> list[int]:
    return [len(call.request["messages"]) for call in played.transcript]


def test_by_default_the_runner_sends_only_the_new_turn_of_a_thread() -> None:
    played, ran = two_tools(), []
    last = run(played, runs(ran))
    assert last.content[0].text == "P-1001 arrives on Monday."
    assert ran == ["get_order", "search_help"]
    assert turns(played) == [1, 1]
    assert [call.request["thread"]["type"] for call in played.transcript] == ["create", "continue"]


def test_without_threads_the_runner_sends_the_whole_history() -> None:
    played, ran = two_tools(), []
    assert run(played, runs(ran), thread=False).content[0].text == "P-1001 arrives on Monday."
    assert turns(played) == [1, 3]
    assert all("thread" not in call.request for call in played.transcript)


@pytest.mark.parametrize("more", [{}, {"thread": False}], ids=["threads", "whole history"])
def test_a_tool_that_raises_goes_back_as_an_error(more: dict[str, Any]) -> None:
    played = two_tools()
    assert run(played, runs([], fails="get_order"), **more).content[0].text == "I could not find it."
    results = {block["tool_use_id"]: block for block in played.transcript[-1].request["messages"][-1]["content"]}
    assert results[ORDER]["is_error"] is True
    assert not results[HELP].get("is_error")


def test_a_pause_is_resumed_by_the_runner() -> None:
    search = {"type": "server_tool_use", "id": "srvtoolu_01A2345678912345678912AB", "name": "web_search", "input": {}}
    played = scenario(
        exchange("pauses", answer([text("I search."), search], "pause_turn")),
        exchange("ends", answer([text("Found.")]), follows="pauses"),
    )
    web_search: dict[str, Any] = {"type": "web_search_20250305", "name": "web_search"}
    assert run(played, [web_search], thread=False).content[0].text == "Found."
    assert turns(played) == [1, 2]


@pytest.mark.anyio
async def test_the_async_runner_works_the_same() -> None:
    @beta_async_tool
    async def get_order(order_id: str) -> str:
        """Read an order.

        Args:
            order_id: the number of the order
        """
        return "ok"

    @beta_async_tool
    async def search_help(query: str) -> str:
        """Search the help centre.

        Args:
            query: what to look for
        """
        return "ok"

    played = two_tools()
    runner = played.async_client().beta.messages.tool_runner(
        model=MODEL, max_tokens=1024, tools=[get_order, search_help], messages=played.messages
    )
    assert (await runner.until_done()).content[0].text == "P-1001 arrives on Monday."


def test_the_limit_of_the_runner_counts_replies() -> None:
    played, ran = two_tools(), []
    last = run(played, runs(ran), max_iterations=1)
    assert last.stop_reason == "tool_use"
    assert [block.type for block in last.content] == [block["type"] for block in BOTH]
    assert len(played.transcript) == 1
    # The tools of the last reply are run, and their results are never sent.
    assert ran == ["get_order", "search_help"]

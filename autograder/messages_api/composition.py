"""Whole conversations that nobody has seen: composed from a seed, from the tools of a scenario and from traits.

`vary` renames what a recording holds; here the course of a conversation is drawn as well: which tools are called, in
which order, how many at once, what fails, pauses or is cut off, and how it ends. Everything a composed scenario does,
the API does: shapes are the recorded ones, usage grows with the history, and what depends on the results of tools
depends on them here too. The same seed gives the same conversation.
"""

from __future__ import annotations

import copy
import random
import re
from collections.abc import Iterable
from typing import Any

from autograder.messages_api.composed_course import Course
from autograder.messages_api.composed_plan import ENDINGS, STREAMED, TRAITS, Trait, checked, drawn, planned, survivable
from autograder.messages_api.composed_replies import Replies
from autograder.messages_api.composed_values import Values
from autograder.messages_api.identifiers import digest
from autograder.messages_api.request_rules import refusal
from autograder.messages_api.scenario import Exchange, Scenario, from_json, load

__all__ = ["ENDINGS", "STREAMED", "TRAITS", "Trait", "compose", "failing_calls", "survivable", "way_to_the_end"]

Json = dict[str, Any]

BASE = "order_first"
"""The scenario that gives tools, system prompt and model where no other is named: the support desk of the lessons."""
WRITES = frozenset({"process_refund"})
END = "end"
"""The id of the exchange that a right loop meets last."""

_SEARCH = {"type": "web_search_20250305", "name": "web_search"}
_LISTS = {
    "name": "list_open_orders",
    "description": "List the orders that are still open.",
    "input_schema": {"type": "object", "properties": {}},
}
_PROMPTS = (
    "I am {name}. Please look into {subject} and tell me what you find.",
    "This is {name}, it is about {subject}. What can you do for me?",
    "{name} here. Since {day} I have been waiting for news about {subject}.",
    "Can you sort out {subject} before {day}? My name is {name}.",
)
_SUFFIXES = ("_v2", "_now", "_desk", "_record", "_live")
_NOTE = (
    "Composed from a seed, with these traits: {traits}. Keys, ids and usage as in a recorded reply of this model "
    "(2026-09-29); thinking blocks (empty, signed, first) as in recorded replies of claude-sonnet-5 (2026-07); server "
    "blocks as in recorded replies of claude-sonnet-5 (2026-08-02); texts before calls are rarer on claude-sonnet-5-5 "
    "than here; texts, ids and numbers are composed."
)


def compose(
    seed: str,
    *,
    traits: Iterable[str] | None = None,
    lesson: int = 9,
    base: Scenario | str = BASE,
    tools: list[Json] | None = None,
    prompt: str | None = None,
    writes: frozenset[str] = WRITES,
) -> Scenario:
    """Compose a conversation.

    Args:
        seed: the same seed gives the same conversation.
        traits: what happens in it, from TRAITS, with at most one of ENDINGS. None draws a mixture that a right loop of
            `lesson` lives with.
        lesson: the number of that lesson, from 5 on. It matters only where `traits` is None.
        base: the scenario, or the name of the fixture, that gives tools, system prompt, model, day and `max_tokens`.
        tools: other tool definitions. A tool is added where a trait needs one: a search of the server, a tool without
            arguments.
        prompt: another first user turn; else one is drawn that names what the calls are about.
        writes: the names of the tools that change something; they are called for "write_failure" only.

    Returns:
        A scenario whose exchange "end" is what a right loop meets last. Where other results come back than the way
        there needs (`failing_calls`), another answer follows; no legal request is left without one.

    Raises:
        ValueError: an unknown trait, two endings, or tools with which a trait cannot come about.
    """
    scenario = load(base) if isinstance(base, str) else base
    source = random.Random(digest("composition", seed))
    offered = copy.deepcopy(scenario.request.tools if tools is None else tools)
    there = frozenset(tool["name"] for tool in offered) & writes
    chosen = drawn(source, lesson, writes=bool(there)) if traits is None else checked(traits)
    offered = _offered(offered, chosen, writes, source)
    data = _scenario(scenario, seed, source, offered, chosen, there, prompt)
    return from_json(data, name="a composed scenario")


def way_to_the_end(scenario: Scenario) -> list[Exchange]:
    """The exchanges that a right loop meets in a composed scenario, cut replies and retries left out, in order."""
    known = {exchange.id: exchange for exchange in scenario.exchanges}
    way = [known[END]]
    while way[0].follows is not None:
        way.insert(0, known[way[0].follows])
    return way


def failing_calls(scenario: Scenario) -> list[Json]:
    """The calls on the way to the end whose result has to be an error, for whoever plays the tools."""
    way = way_to_the_end(scenario)
    failing = {call for exchange in way for call, fails in (exchange.when.is_error or {}).items() if fails}
    return [block for exchange in way for block in (exchange.message or {}).get("content", []) if block.get("id") in failing]


def _scenario(
    base: Scenario,
    seed: str,
    source: random.Random,
    tools: list[Json],
    traits: frozenset[Trait],
    writes: frozenset[str],
    prompt: str | None,
) -> Json:
    request = base.request.model_dump(mode="json", exclude_unset=True) | {"tools": tools}
    request = {key: value for key, value in request.items() if key not in ("messages", "tool_choice", "stop_sequences", "stream")}
    values = Values(source)
    history = _tokens({**request, "messages": [{"role": "user", "content": prompt or _PROMPTS[0]}]})
    replies = Replies(seed, source, values, model=base.provenance.model, history=history)
    course = Course(replies, values, source, tools=tools, writes=writes, max_tokens=request["max_tokens"])
    course.play(planned(traits, source), busy="busy" in traits, thinking="thinking" in traits)
    said = prompt or _prompt(course.subjects, values, source)
    return {
        "format": 1,
        "title": f"Composed: {', '.join(sorted(traits)) or 'calls and an answer'}",
        "provenance": {
            **base.provenance.model_dump(mode="json", exclude_unset=True),
            "kind": "written",
            "note": _NOTE.format(traits=", ".join(sorted(traits)) or "none"),
        },
        "request": {
            **request,
            "messages": [{"role": "user", "content": said}],
            **({"stop_sequences": [course.stop_sequence]} if course.stop_sequence else {}),
            **({"stream": True} if traits & STREAMED else {}),
        },
        "exchanges": course.exchanges,
    }

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

from autograder.messages_api.composed_course import Course, has_no_arguments, takes_arguments
from autograder.messages_api.composed_endings import END, end
from autograder.messages_api.composed_plan import (
    ENDINGS,
    NEVER_DRAWN,
    STREAMED,
    TRAITS,
    Plan,
    Trait,
    checked,
    drawn,
    planned,
    survivable,
)
from autograder.messages_api.composed_replies import Replies
from autograder.messages_api.composed_values import Values
from autograder.messages_api.identifiers import digest
from autograder.messages_api.rules_size import estimated_tokens
from autograder.messages_api.scenario import Exchange, Scenario, from_json, load

__all__ = [
    "ENDINGS",
    "NEVER_DRAWN",
    "STREAMED",
    "TRAITS",
    "Trait",
    "compose",
    "failing_calls",
    "survivable",
    "way_to_the_end",
]

Json = dict[str, Any]

BASE = "order_first"
"""The scenario that gives tools, system prompt and model where no other is named: the support desk of the lessons."""
WRITES = frozenset({"process_refund"})
"""The tools of the support desk that change something."""

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
_OVERHEAD = 345  # tokens that the API adds to a request with tools, about
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
        writes: the names of the tools that change something; they are called for "write_failure" and in a reply that
            is cut off, and they keep their names.

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
    chosen = drawn(source, lesson, without=_impossible(offered, there)) if traits is None else checked(traits)
    if "write_failure" in chosen and not there:
        raise ValueError(f"write_failure needs one of the tools {', '.join(sorted(writes)) or 'that writes'}")
    request = _request(scenario, _offered(offered, chosen, there, source))
    values = Values(source)
    replies = Replies(seed, source, values, model=request["model"], history=_OVERHEAD + estimated_tokens(request))
    course = Course(replies, values, source, tools=request["tools"], writing=there)
    _play(course, planned(chosen, source), chosen, request["max_tokens"])
    said = prompt or _prompt(course, values, source)
    return from_json(_data(scenario, request, chosen, said, course), name="a composed scenario")


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
    return [
        block for exchange in way for block in (exchange.message or {}).get("content", []) if block.get("id") in failing
    ]


def _impossible(tools: list[Json], writes: frozenset[str]) -> frozenset[Trait]:
    """The traits that need a tool which is not among these."""
    missing: set[Trait] = set() if writes else {"write_failure"}
    if not any(map(takes_arguments, tools)):
        missing |= {"tool_failure", "write_failure", "cut_call"}
    return frozenset(missing)


def _offered(tools: list[Json], traits: frozenset[Trait], writes: frozenset[str], source: random.Random) -> list[Json]:
    """The tools in another order, with what the traits need, and with other names if that is wanted."""
    offered = list(tools)
    if traits & {"pause", "mixed"} and all("input_schema" in tool for tool in offered):
        offered.append(dict(_SEARCH))
    if "no_argument_call" in traits and not any(map(has_no_arguments, offered)):
        offered.append(copy.deepcopy(_LISTS))
    if not any("input_schema" in tool for tool in offered):
        raise ValueError("a composed conversation needs a tool of the client: one with an input_schema")
    source.shuffle(offered)
    return _renamed(offered, writes, source) if "renamed_tools" in traits else offered


def _renamed(tools: list[Json], writes: frozenset[str], source: random.Random) -> list[Json]:
    names = [tool["name"] for tool in tools if "input_schema" in tool and tool["name"] not in writes]
    others = {name: f"{name[:56]}{source.choice(_SUFFIXES)}" for name in names}
    pattern = re.compile("|".join(rf"\b{re.escape(name)}\b" for name in others) or r"(?!)")
    renamed = []
    for tool in tools:
        words = pattern.sub(lambda match: others[match[0]], tool.get("description", ""))
        described = {"description": words} if "description" in tool else {}
        renamed.append({**tool, "name": others.get(tool["name"], tool["name"]), **described})
    return renamed


def _request(base: Scenario, tools: list[Json]) -> Json:
    kept = base.request.model_dump(mode="json", exclude_unset=True, include={"model", "max_tokens", "system"})
    return {**kept, "tools": tools}


def _play(course: Course, plan: Plan, traits: frozenset[Trait], max_tokens: int) -> None:
    """Write the plan out."""
    thinks = "thinking" in traits
    for number, turn in enumerate(plan.turns):
        often = thinks and (number == 0 or course.random.random() < 0.4)
        course.pause(turn.pauses, thinking=often)
        course.turn(turn, thinking=often, bounds=_bounds(course.random, max_tokens, traits))
    course.pause(plan.last_pauses, thinking=False)
    end(course, plan.ending, thinking=thinks, bounds=_bounds(course.random, max_tokens, traits))
    if traits & {"busy", "lost_connection"}:
        course.delay(busy="busy" in traits, lost="lost_connection" in traits)


def _bounds(source: random.Random, max_tokens: int, traits: frozenset[Trait]) -> list[int]:
    """The loop's `max_tokens` and below how many tokens a reply is cut: once, or with few turns perhaps twice.

    Twice as many are enough for the first, four times as many for the second.
    """
    first = source.randint(max_tokens + 1, 2 * max_tokens)
    twice = "many_turns" not in traits and source.random() < 0.3
    return [max_tokens, first, *([source.randint(first + 1, 4 * max_tokens)] if twice else [])]


def _prompt(course: Course, values: Values, source: random.Random) -> str:
    subjects = list(dict.fromkeys(course.subjects))[:2] or [values.topic()]
    words = source.choice(_PROMPTS)
    return words.format(name=values.name(), day=values.day(), subject=" and ".join(subjects))


def _data(base: Scenario, request: Json, traits: frozenset[Trait], prompt: str, course: Course) -> Json:
    named = ", ".join(sorted(traits))
    provenance = base.provenance.model_dump(mode="json", exclude_unset=True)
    more: Json = {"stop_sequences": [course.stop_sequence]} if course.stop_sequence else {}
    if traits & STREAMED:
        more["stream"] = True
    return {
        "format": 1,
        "title": f"Composed: {named or 'calls and an answer'}",
        "provenance": {**provenance, "kind": "written", "note": _NOTE.format(traits=named or "none")},
        "request": {**request, "messages": [{"role": "user", "content": prompt}], **more},
        "exchanges": course.exchanges,
    }

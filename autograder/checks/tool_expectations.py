"""What several checks of lesson 03 expect of definitions, of lists of errors and of a runner."""

from __future__ import annotations

import json
import re
from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.player import Outcome
from autograder.checks.tool_samples import Shop, described_input
from autograder.checks.values import Handle
from autograder.given import MODEL
from autograder.language import _
from autograder.messages_api.request_rules import refusal

Json = dict[str, Any]

DEFINITIONS = "defines_two_tools_that_the_api_accepts"
"""The check that tells of definitions which cannot be used at all."""


CAUSES = {
    "overlapping": _("overlapping: two tools, and the question fits the descriptions of both"),
    "generic": _("generic: one tool for several purposes, told apart by a parameter only"),
    "keyword": _("keyword: a word of the system prompt pulls a tool towards other questions"),
    "too_many": _("too_many: the descriptions are clear, and there are far too many of them"),
    "boundary": _("boundary: the only tool for such a question, and it does not say what it does not take"),
}


def definitions(judge: Judge, name: Name) -> list[Json]:
    """Return the learner's list of definitions as JSON; whatever else it is fails the check."""
    value = judge.value(name)
    try:
        tools = json.loads(json.dumps(value))  # as the SDK sends it: a tuple becomes a list
    except (TypeError, ValueError):
        judge.not_yet(
            found=_("{value}, which cannot be sent as JSON").format(value=shown(value)),
            next_step=_("use dicts, lists, texts, numbers, True, False and None, and nothing else"),
        )
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        judge.not_yet(found=shown(tools))
    return tools


def definition(judge: Judge, tools: Name, name: str) -> Json:
    """Return the one of the learner's definitions with this name; fails when the API refuses them or has none."""
    judge.case("", next_step=_("let check.{check} pass first").format(check=DEFINITIONS))
    found = definitions(judge, tools)
    if refused(found):
        judge.not_yet(found=_("not reached: the API refuses the tools; see check.{check}").format(check=DEFINITIONS))
    wanted = next((tool for tool in found if tool["name"] == name), None)
    if wanted is None:
        judge.not_yet(found=_("no tool named {name}").format(name=name))
    return wanted


def refused(tools: list[Json], model: str = MODEL, tool_choice: Any = None) -> str:
    """Return what the API says to a request with these tools and this choice, or ""."""
    body = {"model": model, "max_tokens": 1024, "messages": [{"role": "user", "content": "Hello"}], "tools": tools}
    said = refusal(body if tool_choice is None else {**body, "tool_choice": tool_choice})
    return f"{said.status} {said.type}: {said.message}" if said else ""


def is_valid_input(schema: Json, tool_input: Json) -> bool:
    """Return whether an input fits a schema."""
    from jsonschema import Draft202012Validator  # slow to import where Jupyter has its format checkers

    return bool(Draft202012Validator(schema).is_valid(tool_input))


def sentences_in(text: str) -> int:
    """Return how many sentences a text has: pieces that end in a full stop, a question or an exclamation mark."""
    return len([piece for piece in re.findall(r"[^.!?]*[.!?]+(?=[\s)\"'`]|$)", text) if re.search(r"\w", piece)])


def expect_parts(
    judge: Judge, input_errors: Name, tool: Json, cases: list[tuple[Json, list[str]]], because: str, next_step: str
) -> None:
    """Expect, for each input, a list of strings in which all of its parts stand."""
    for tool_input, parts in cases:
        judge.case(
            _("the input {input}").format(input=described_input(tool_input)),
            expected=_("a list of strings that contain {parts}").format(parts=_(" and ").join(parts)),
            because=because,
            next_step=next_step,
        )
        found = judge.call(input_errors, tool, tool_input)
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            judge.not_yet(found=_("{value}, which is no list of strings").format(value=shown(found)))
        missing = [part for part in parts if not any(part in one for one in found)]
        if missing:
            judge.not_yet(
                found=_("nothing about {missing} in {found}").format(
                    missing=_(" and ").join(missing), found=shown(found)
                )
            )


def runner(judge: Judge, make_runner: Name, shop: Shop) -> Handle:
    """Return the learner's run_tool for a shop."""
    judge.case("", next_step=_("define run_tool(name, tool_input) inside make_runner, and return it"))
    made = judge.call(make_runner, shop.functions, shop.tools)
    return judge.function_from(make_runner, made, "run_tool")


def expect_error(judge: Judge, outcome: Outcome, name: str) -> Json:
    """Expect that run_tool raised an exception of this class; return its fields."""
    if outcome.error is None:
        judge.not_yet(found=_("run_tool returned {value}").format(value=shown(outcome.value)))
    if name not in outcome.error.class_names:
        judge.not_yet(found=_("run_tool raised {error}").format(error=shown(outcome.error)))
    return outcome.error.fields


def expect_choice(judge: Judge, tool_choice_for: Name, model: str, wish: str, wanted: Json) -> None:
    """Expect this tool_choice for a model and a wish; null fields, and a switch that is off, count as absent."""
    judge.case(
        _("tool_choice_for({model}, {wish})").format(model=shown(model), wish=shown(wish)),
        expected=shown(wanted),
        because=_("the dict goes into a request as its tool_choice"),
        next_step=_("compare with the table of choices, and with the three models that refuse to be forced"),
    )
    found = judge.call(tool_choice_for, model, wish)
    if not isinstance(found, dict):
        judge.not_yet(found=shown(found))
    said = {key: value for key, value in found.items() if value is not None}
    if said.get("disable_parallel_tool_use") is False:
        del said["disable_parallel_tool_use"]
    if said != wanted:
        tools = [{"name": "get_order", "input_schema": {"type": "object"}}]
        judge.not_yet(found=shown(found), the_api=refused(tools, model, found))


def expect_run(judge: Judge, run_tool: Handle, name: str, tool_input: Json, shop: Shop, others: list[Shop]) -> None:
    """Expect one run of the shop's function with this input, its result, and no run in the other shops."""
    for one in (shop, *others):
        one.runs.clear()
    found = judge.call(run_tool, name, tool_input, may_return_none=True)
    if any(one.runs for one in others):
        judge.not_yet(
            expected=_("the function of the runner that was called"),
            found=_("the function of another runner"),
            because=_("each runner keeps what make_runner was given when it was made"),
            next_step=_("use the parameters of make_runner inside run_tool, and no global variable"),
        )
    if shop.runs != [(name, (), tool_input)]:
        judge.not_yet(found=shop.written_runs())
    if found != shop.results[name]:
        judge.not_yet(
            expected=_("what the function returned, {value}").format(value=shown(shop.results[name])),
            found=shown(found),
            next_step=_("return what the function returns, unchanged"),
        )


def expect_causes(judge: Judge, misrouting: Name, traces: dict[str, tuple[str, str]]) -> None:
    """Expect the cause of each trace; the other part of a pair is a hint at it."""
    words = _("one of the five words: {words}").format(words=", ".join(CAUSES))
    judge.case("", expected=_("a dict with the keys a to h, and for each {words}").format(words=words))
    found = judge.value(misrouting)
    if not isinstance(found, dict):
        judge.not_yet(found=shown(found))
    for trace, (wanted, hint) in traces.items():
        word = found.get(trace)
        judge.case(_("trace {trace}").format(trace=trace), expected=_("another word"), next_step=hint)
        if word is None or isinstance(word, Handle):
            judge.not_yet(expected=words, found=_("no word yet"))
        if not isinstance(word, str) or word not in CAUSES:
            judge.not_yet(expected=words, found=shown(word))
        if word != wanted:
            judge.not_yet(found=shown(word), because=CAUSES[word])

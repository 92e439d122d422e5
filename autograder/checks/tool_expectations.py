"""What several checks of lesson 03 expect of definitions, of lists of errors and of a runner."""

from __future__ import annotations

import json
import re
from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.player import Outcome
from autograder.checks.raised import said
from autograder.checks.tool_samples import Shop, described_input
from autograder.checks.values import Handle
from autograder.given import MODEL
from autograder.language import _
from autograder.messages_api.request_rules import refusal

Json = dict[str, Any]

DEFINITIONS = "defines_two_tools_that_the_api_accepts"
"""The check that tells of definitions which cannot be used at all."""

EMPTY_LIST = _(
    'the list is empty: hand tool["input_schema"] to Draft202012Validator, not the whole tool, and keep every error'
    " that iter_errors gives"
)

CAUSES = {
    "overlapping": _("overlapping: two tools, and the question fits the descriptions of both"),
    "generic": _("generic: one tool for several purposes, told apart by a parameter only"),
    "keyword": _("keyword: a word of the system prompt pulls a tool towards other questions"),
    "too_many": _("too_many: the descriptions are clear, and there are far too many of them"),
    "boundary": _("boundary: the only tool for such a question, and it does not say what it does not take"),
}
MISROUTINGS = {
    "a": ("overlapping", _("read the two descriptions and nothing else: which of them does the question not fit?")),
    "b": ("keyword", _("which word stands in the question and in the system prompt?")),
    "c": ("generic", _("how many different things does this one tool do?")),
    "d": ("too_many", _("is anything wrong with a single description here?")),
    "e": ("boundary", _("is there a second tool about orders? What would its description have to say of an address?")),
    "f": ("overlapping", _("read the two descriptions and nothing else: which of them does the question not fit?")),
    "g": ("generic", _("how many different things does this one tool do?")),
    "h": ("boundary", _("is there a second tool for money? What did its description leave out?")),
}
"""The cause of each trace of the lesson, and a question that leads to it."""

NEVER_FORCED = ("claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1")
"""docs "What's new in Claude Sonnet 5.5" and its siblings for the other two."""
FORCED = ("claude-sonnet-5", "claude-opus-4-8", "claude-haiku-4-5")
WISHES: dict[str, Json] = {
    "free": {"type": "auto"},
    "one_at_a_time": {"type": "auto", "disable_parallel_tool_use": True},
    "none": {"type": "none"},
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
    found = refusal(body if tool_choice is None else {**body, "tool_choice": tool_choice})
    return f"{found.status} {found.type}: {found.message}" if found else ""


def schema_fault(tools: list[Json]) -> str:
    """Return where a schema among the tools is no JSON Schema, and why, or ""."""
    from jsonschema import Draft202012Validator, SchemaError  # slow to import, see `is_valid_input`

    for tool in tools:
        try:
            Draft202012Validator.check_schema(tool.get("input_schema", {}))
        except SchemaError as error:
            reason = error.context[0] if error.context else error  # of alternatives, the first: a type is one word
            return f"{tool.get('name')}, {error.json_path}: {reason.message}"
    return ""


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
        found = listed_errors(judge, input_errors, tool, tool_input)
        missing = [part for part in parts if not any(part in one for one in found)]
        if missing:
            judge.not_yet(
                found=_("nothing about {missing} in {found}").format(
                    missing=_(" and ").join(missing), found=shown(found)
                ),
                next_step="" if found else EMPTY_LIST,
            )


def listed_errors(judge: Judge, input_errors: Name, tool: Json, tool_input: Json) -> list[str]:
    """Return the learner's list of errors; whatever is no list of strings fails the check."""
    found = judge.call(input_errors, tool, tool_input)
    if not isinstance(found, list):
        judge.not_yet(
            found=_("{value}, which is no list").format(value=shown(found)), next_step=_("return a list of strings")
        )
    if not all(isinstance(one, str) for one in found):
        judge.not_yet(found=_("{value}, which is no list of strings").format(value=shown(found)))
    return found


def expect_some(judge: Judge, input_errors: Name, tool: Json, wrong: Json) -> None:
    """Expect a list that is not empty for an invalid input."""
    judge.case(
        _("an invalid input, {input}").format(input=described_input(wrong)),
        expected=_("a list that is not empty"),
        because=_("whoever finds no error lets the call run"),
        next_step=EMPTY_LIST,
    )
    if not listed_errors(judge, input_errors, tool, wrong):
        judge.not_yet(found="[]")


def runner(judge: Judge, make_runner: Name, shop: Shop) -> Handle:
    """Return the learner's run_tool for a shop."""
    judge.case("", next_step=_("define run_tool(name, tool_input) inside make_runner, and return it"))
    outcome = judge.attempt(make_runner, shop.functions, shop.tools)
    error = outcome.error
    if error and error.text in ("name 'name' is not defined", "name 'tool_input' is not defined"):
        judge.not_yet(
            found=_("make_runner raised {error}").format(error=said(error, "")) + f"\n{error.line}".rstrip(),
            because=_("name and tool_input exist only inside run_tool"),
            next_step=_("return run_tool without brackets: nothing is called yet"),
        )
    return judge.function_from(make_runner, judge.returned(make_runner, outcome), "run_tool")


def expect_all_known(judge: Judge, run_tool: Handle, shop: Shop) -> None:
    """Expect that no tool of the shop is called unknown."""
    for name, tool_input in shop.calls():
        judge.case(
            _("run_tool({name}, {input})").format(name=shown(name), input=shown(tool_input)),
            expected=_("no UnknownTool"),
        )
        expect_known(judge, judge.attempt(run_tool, name, tool_input), shop)


def expect_known(judge: Judge, outcome: Outcome, shop: Shop) -> None:
    """Expect that a tool with a definition and a function is not called unknown before it runs."""
    if outcome.error and outcome.error.name == "UnknownTool" and not shop.runs:
        judge.not_yet(
            found=_("run_tool raised {error}").format(error=shown(outcome.error)),
            because=_("this tool has a definition and a function"),
            next_step=_(
                'tools, the parameter, is a list of definitions: look for the name in each tool["name"], not in the'
                " list itself and not in TOOLS"
            ),
        )


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
    told = {key: value for key, value in found.items() if value is not None}
    if told.get("disable_parallel_tool_use") is False:
        del told["disable_parallel_tool_use"]
    if told != wanted:
        tools = [{"name": "get_order", "input_schema": {"type": "object"}}]
        judge.not_yet(found=shown(found), the_api=refused(tools, model, found))


def expect_run(judge: Judge, run_tool: Handle, name: str, tool_input: Json, shop: Shop, others: list[Shop]) -> None:
    """Expect one run of the shop's function with this input, its result, and no run in the other shops."""
    for one in (shop, *others):
        one.runs.clear()
    outcome = judge.attempt(run_tool, name, tool_input)
    expect_known(judge, outcome, shop)
    found = judge.returned(run_tool, outcome, may_return_none=True)
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

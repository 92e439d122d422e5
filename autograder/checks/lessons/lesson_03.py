"""Lesson 03, tools: describe a tool, run a call."""

from __future__ import annotations

from typing import Any, NoReturn

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.player import Outcome
from autograder.checks.tool_samples import (
    Shop,
    closed_tool,
    described_input,
    find_tool,
    is_valid_input,
    open_tool,
    plain_json,
    sentences_in,
)
from autograder.checks.values import Handle
from autograder.given import MODEL, BusinessRule
from autograder.language import _
from autograder.messages_api.request_rules import refusal

TITLES = {
    "defines_two_tools_that_the_api_accepts": _("defines two tools that the API accepts"),
    "requires_what_each_tool_needs": _("requires what each tool needs"),
    "tells_the_two_tools_apart": _("tells the two tools apart"),
    "finds_nothing_wrong_in_valid_input": _("finds nothing wrong in valid input"),
    "tells_the_path_of_every_wrong_value": _("tells the path of every wrong value"),
    "names_missing_and_extra_keys": _("names missing and extra keys"),
    "runs_the_function_with_the_input": _("runs the function with the input"),
    "runs_nothing_on_invalid_input": _("runs nothing on invalid input"),
    "tells_of_unknown_tools": _("tells of unknown tools"),
    "lets_the_functions_own_errors_rise": _("lets the functions' own errors rise"),
    "turns_each_wish_into_a_choice": _("turns each wish into a choice"),
    "forces_a_call_only_where_that_is_accepted": _("forces a call only where that is accepted"),
    "explains_misroutings_a_to_d": _("explains misroutings a to d"),
    "explains_misroutings_e_to_h": _("explains misroutings e to h"),
}

NEVER_FORCED = ("claude-sonnet-5-5", "claude-opus-5-5", "claude-fable-5-1")
"""docs "What's new in Claude Sonnet 5.5" and its siblings for the other two."""
FORCED = ("claude-sonnet-5", "claude-opus-4-8", "claude-haiku-4-5")
WISHES = {
    "free": {"type": "auto"},
    "one_at_a_time": {"type": "auto", "disable_parallel_tool_use": True},
    "none": {"type": "none"},
}
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


def defines_two_tools_that_the_api_accepts(judge: Judge, TOOLS: Name) -> None:  # noqa: N803
    """TOOLS is a list of two definitions, get_order and search_help, and the API accepts it."""
    judge.case(
        "",
        expected=_("a list of two dicts, one named get_order and one named search_help"),
        next_step=_("give each dict a name, a description and an input_schema, like the two that the lesson prints"),
    )
    tools = _definitions(judge, TOOLS)
    refused = _refused(tools)
    if refused:
        judge.not_yet(
            expected=_("two definitions that the API accepts"),
            found=_("the API refuses a request with them"),
            the_api=refused,
            next_step=_("the message says which tool, counted from 0, and which part of it"),
        )
    names = [tool.get("name") for tool in tools]
    if sorted(map(str, names)) != ["get_order", "search_help"]:
        judge.not_yet(found=_("the names {names}").format(names=shown(names)))


def requires_what_each_tool_needs(judge: Judge, TOOLS: Name) -> None:  # noqa: N803
    """get_order takes order_id and search_help takes query: text, required, and nothing else is."""
    tools = _usable(judge, TOOLS)
    make = judge.samples
    wanted = {
        "get_order": ("order_id", f"P-{make.number(1000)}", [make.number(), None, [f"P-{make.number(1000)}"]]),
        "search_help": ("query", make.sentence(), [make.number(), None, ["returns"]]),
    }
    for name, (key, text, others) in wanted.items():
        tool = _one_of(judge, tools, name)
        inputs: list[tuple[dict[str, Any], bool]] = [({key: text}, True), ({}, False), ({"text": text}, False)]
        inputs += [({key: other}, False) for other in others]
        for tool_input, good in inputs:
            verdicts = {True: _("the schema accepts it"), False: _("the schema rejects it")}
            judge.case(
                _("{name} with the input {input}").format(name=name, input=shown(tool_input)),
                expected=verdicts[good],
                because=_("the schema is all that the model knows of the input, and all that you can hold it to"),
                next_step=_("in input_schema, describe {key} under properties and list it under required").format(
                    key=shown(key)
                ),
            )
            if is_valid_input(tool["input_schema"], tool_input) != good:
                judge.not_yet(found=verdicts[not good])


def tells_the_two_tools_apart(judge: Judge, TOOLS: Name) -> None:  # noqa: N803
    """Each description has three sentences or more, and names the other tool."""
    tools = _usable(judge, TOOLS)
    for name, other in (("get_order", "search_help"), ("search_help", "get_order")):
        description = _one_of(judge, tools, name).get("description") or ""
        judge.case(
            _("the description of {name}").format(name=name),
            expected=_("three sentences or more, one of which names {other}").format(other=other),
            because=_("the model chooses a tool by what its description says, and by what it leaves to the other"),
            next_step=_("say what it does, when to use it, and for which questions the other tool is the place"),
        )
        count = sentences_in(description)
        if count < 3:
            judge.not_yet(found=_("{count} in {text}").format(count=count, text=shown(description)))
        if other not in description:
            judge.not_yet(found=_("no {other} in {text}").format(other=other, text=shown(description)))


def finds_nothing_wrong_in_valid_input(judge: Judge, input_errors: Name) -> None:
    """For a valid input the list is empty."""
    make = judge.samples
    tool, whole = closed_tool(make)
    order, amount, reason, items = whole
    loose, loose_input = open_tool(make)
    nothing = {"name": "list_returns", "input_schema": {"type": "object", "properties": {}}}
    cases = [
        (tool, {order: whole[order], amount: whole[amount]}, _("all that is required")),
        (tool, whole, _("every key of the schema")),
        (tool, {**whole, amount: make.number(1, 99), items: []}, _("a whole number and an empty list")),
        (tool, {**whole, reason: None}, _("None where the schema allows null")),
        (loose, {**loose_input, "urgent": True}, _("an extra key where the schema allows extra keys")),
        (nothing, {}, _("no keys for a tool that takes none")),
    ]
    for definition, tool_input, what in cases:
        judge.case(
            _("{what}: {input}").format(what=what, input=described_input(tool_input)),
            expected="[]",
            because=_("a valid call that is rejected never runs"),
            next_step=_("hand the tool's input_schema to Draft202012Validator and let it decide, not your own rules"),
        )
        judge.equal(judge.call(input_errors, definition, tool_input), [])


def tells_the_path_of_every_wrong_value(judge: Judge, input_errors: Name) -> None:
    """Each value that breaks the schema is told, by its path."""
    make = judge.samples
    tool, whole = closed_tool(make)
    order, amount, reason, items = whole
    item = {"sku": make.one_of(("tent", "boots", "stove")), "count": make.number(1, 9)}
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({**whole, amount: str(make.number())}, [f"$.{amount}"]),
        ({**whole, amount: True}, [f"$.{amount}"]),
        ({**whole, amount: -make.number()}, [f"$.{amount}"]),
        ({**whole, order: str(make.number())}, [f"$.{order}"]),
        ({**whole, order: make.number(), amount: "12", reason: "because"}, [f"$.{order}", f"$.{amount}", f"$.{reason}"]),
        ({**whole, items: [item, {**item, "count": 0}]}, [f"$.{items}[1].count"]),
        ({**whole, items: [{**item, "sku": 7}, {**item, "count": "2"}]}, [f"$.{items}[0].sku", f"$.{items}[1].count"]),
    ]
    _expect_parts(
        judge,
        input_errors,
        tool,
        cases,
        _("the model mends all of its mistakes in one go only if it is told all of them"),
        _("go over iter_errors of the validator; put error.json_path and error.message of each into a string"),
    )


def names_missing_and_extra_keys(judge: Judge, input_errors: Name) -> None:
    """Each missing and each extra key is told, by its name."""
    make = judge.samples
    tool, whole = closed_tool(make)
    order, amount, _reason, items = whole
    extra, second = make.one_of(("urgent", "note", "priority")), make.one_of(("colour", "gift"))
    cases: list[tuple[dict[str, Any], list[str]]] = [
        ({}, [order, amount]),
        ({order: whole[order]}, [amount]),
        ({**whole, extra: 1}, [extra]),
        ({**whole, extra: True, second: "x"}, [extra, second]),
        ({amount: whole[amount], extra: "x"}, [order, extra]),
        ({order: make.number(), extra: "x"}, [f"$.{order}", amount, extra]),
        ({**whole, items: [{"count": 1}]}, ["sku"]),
    ]
    _expect_parts(
        judge,
        input_errors,
        tool,
        cases,
        _("without a key the function cannot run, and a key that it does not know ends in a TypeError"),
        _("error.json_path tells the place of the dict; the key's name is in error.message: keep both"),
    )


def runs_the_function_with_the_input(judge: Judge, make_runner: Name) -> None:
    """run_tool calls the named function with the input as keyword arguments and returns what it returns."""
    shops = [Shop(judge.samples), Shop(judge.samples)]
    runners = [_runner(judge, make_runner, shop) for shop in shops]
    for shop, run_tool in [*zip(shops, runners, strict=True), (shops[0], runners[0])]:
        for name, tool_input in shop.calls():
            judge.case(
                _("run_tool({name}, {input})").format(name=shown(name), input=shown(tool_input)),
                expected=_("one call, {call}, and what it returns").format(call=shop.written(name, (), tool_input)),
                because=_("the function's parameters have the names that the schema gives them"),
                next_step=_("look the function up by its name and hand the dict over with two stars"),
            )
            for one in shops:
                one.runs.clear()
            found = judge.call(run_tool, name, tool_input, may_return_none=True)
            if any(one.runs for one in shops if one is not shop):
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


def runs_nothing_on_invalid_input(judge: Judge, make_runner: Name) -> None:
    """A violation of the schema raises InvalidInput, with the list of violations, and no function runs."""
    shop = Shop(judge.samples)
    run_tool = _runner(judge, make_runner, shop)
    for name, tool_input, part in shop.invalid_calls():
        judge.case(
            _("run_tool({name}, {input})").format(name=shown(name), input=shown(tool_input)),
            expected=_("InvalidInput, whose errors tell of {part}, and no function is run").format(part=part),
            because=_("a function that starts on a wrong input may stop halfway, when money has moved"),
            next_step=_("call input_errors first; if its list is not empty, raise InvalidInput(that list)"),
        )
        shop.runs.clear()
        outcome = judge.attempt(run_tool, name, tool_input)
        if shop.runs:
            judge.not_yet(found=_("it ran {runs}").format(runs=shop.written_runs()))
        _expect_error(judge, outcome, "InvalidInput")
        errors = outcome.error.fields.get("errors") if outcome.error else None
        if not isinstance(errors, list) or not any(part in str(one) for one in errors):
            judge.not_yet(found=_("InvalidInput whose errors are {errors}").format(errors=shown(errors)))


def tells_of_unknown_tools(judge: Judge, make_runner: Name) -> None:
    """Without a definition or without a function there is no tool: UnknownTool."""
    shop = Shop(judge.samples)
    run_tool = _runner(judge, make_runner, shop)
    cases = [
        (f"no_such_tool_{judge.samples.number()}", _("a name that nobody knows")),
        (shop.undefined, _("a function without a definition")),
        (shop.unwritten, _("a definition without a function")),
    ]
    for name, what in cases:
        judge.case(
            _("{what}, run_tool({name}, {input})").format(what=what, name=shown(name), input="{}"),
            expected=_("UnknownTool({name})").format(name=shown(name)),
            because=_("the model may ask for a tool that you do not offer; lesson 06 tells it so"),
            next_step=_("look for the name among the tools and among the functions before you do anything else"),
        )
        outcome = judge.attempt(run_tool, name, {})
        if shop.runs:
            judge.not_yet(found=_("it ran {runs}").format(runs=shop.written_runs()))
        _expect_error(judge, outcome, "UnknownTool")
        told = outcome.error.fields.get("name") if outcome.error else None
        if told != name:
            judge.not_yet(found=_("UnknownTool({name})").format(name=shown(told)))


def lets_the_functions_own_errors_rise(judge: Judge, make_runner: Name) -> None:
    """What the function raises leaves run_tool unchanged."""
    order = f"P-{judge.samples.number(1000)}"
    errors = [
        KeyError(order),
        TypeError(f"order {order} has no date"),
        TimeoutError(),
        BusinessRule(f"{order} was paid back before."),
    ]
    for error in errors:
        shop = Shop(judge.samples, fails_with=error)
        run_tool = _runner(judge, make_runner, shop)
        name, tool_input = shop.calls()[0]
        judge.case(
            _("a function that raises {error}").format(error=shown(error)),
            expected=_("{error} rises from run_tool").format(error=shown(error)),
            because=_("lesson 06 tells the model what went wrong; an error that is hidden here cannot be told"),
            next_step=_("let no try around the call of the function catch anything"),
        )
        outcome = judge.attempt(run_tool, name, tool_input)
        _expect_error(judge, outcome, type(error).__name__)
        if outcome.error and outcome.error.text != str(error):
            judge.not_yet(found=_("{error} with another text").format(error=shown(outcome.error)))


def turns_each_wish_into_a_choice(judge: Judge, tool_choice_for: Name) -> None:
    """free, one_at_a_time and none have the same tool_choice on every model."""
    for model in (*NEVER_FORCED, *FORCED):
        for wish, wanted in WISHES.items():
            _expect_choice(judge, tool_choice_for, model, wish, wanted)


def forces_a_call_only_where_that_is_accepted(judge: Judge, tool_choice_for: Name) -> None:
    """must_call is any, and auto on the models that refuse to be forced."""
    for models, wanted in ((NEVER_FORCED, "auto"), (FORCED, "any")):
        for model in models:
            _expect_choice(judge, tool_choice_for, model, "must_call", {"type": wanted})


def explains_misroutings_a_to_d(judge: Judge, misrouting: Name) -> None:
    """The cause of each of the first four traces."""
    _expect_causes(judge, misrouting, "abcd")


def explains_misroutings_e_to_h(judge: Judge, misrouting: Name) -> None:
    """The cause of each of the last four traces."""
    _expect_causes(judge, misrouting, "efgh")


def _definitions(judge: Judge, name: Name) -> list[dict[str, Any]]:
    """The learner's list of definitions as JSON; whatever else it is fails the check."""
    value = judge.value(name)
    tools = plain_json(value)
    if tools is None:
        judge.not_yet(found=_("{value}, which holds more than JSON can say").format(value=shown(value)))
    if not isinstance(tools, list) or not all(isinstance(tool, dict) for tool in tools):
        judge.not_yet(found=shown(tools))
    return tools


def _usable(judge: Judge, name: Name) -> list[dict[str, Any]]:
    """The definitions, when the API accepts them; its refusal is told by the first check of TOOLS alone."""
    judge.case("", next_step=_("let check.defines_two_tools_that_the_api_accepts pass first"))
    tools = _definitions(judge, name)
    if _refused(tools):
        judge.not_yet(
            found=_("not reached: the API refuses the tools; see check.defines_two_tools_that_the_api_accepts")
        )
    return tools


def _one_of(judge: Judge, tools: list[dict[str, Any]], name: str) -> dict[str, Any]:
    tool = find_tool(tools, name)
    if tool is None:
        judge.case("", next_step=_("let check.defines_two_tools_that_the_api_accepts pass first"))
        judge.not_yet(found=_("no tool named {name}").format(name=name))
    return tool


def _refused(tools: list[dict[str, Any]], model: str = MODEL, tool_choice: Any = None) -> str:
    """What the API says to a request with these tools and this choice, or ""."""
    body = {"model": model, "max_tokens": 1024, "messages": [{"role": "user", "content": "Hello"}], "tools": tools}
    said = refusal(body if tool_choice is None else {**body, "tool_choice": tool_choice})
    return f"{said.status} {said.type}: {said.message}" if said else ""


def _expect_parts(
    judge: Judge,
    input_errors: Name,
    tool: dict[str, Any],
    cases: list[tuple[dict[str, Any], list[str]]],
    because: str,
    next_step: str,
) -> None:
    for tool_input, parts in cases:
        judge.case(
            _("the input {input}").format(input=described_input(tool_input)),
            expected=_("a list of strings in which stand: {parts}").format(parts=", ".join(parts)),
            because=because,
            next_step=next_step,
        )
        found = judge.call(input_errors, tool, tool_input)
        if not isinstance(found, list) or not all(isinstance(one, str) for one in found):
            judge.not_yet(found=_("{value}, which is no list of strings").format(value=shown(found)))
        missing = [part for part in parts if not any(part in one for one in found)]
        if missing:
            judge.not_yet(
                found=_("nothing about {missing} in {found}").format(missing=", ".join(missing), found=shown(found))
            )


def _runner(judge: Judge, make_runner: Name, shop: Shop) -> Handle:
    judge.case("", next_step=_("define a function run_tool(name, tool_input) inside make_runner, and return it"))
    made = judge.call(make_runner, shop.functions, shop.tools)
    return judge.function_from(make_runner, made, "run_tool")


def _expect_error(judge: Judge, outcome: Outcome, name: str) -> None:
    if outcome.kind != "raised" or outcome.error is None:
        found = _("run_tool returned {value}").format(value=shown(outcome.value))
        judge.not_yet(found=found if outcome.kind == "returned" else outcome.kind)
    if name not in outcome.error.class_names:
        judge.not_yet(found=_("run_tool raised {error}").format(error=shown(outcome.error)))


def _expect_choice(judge: Judge, tool_choice_for: Name, model: str, wish: str, wanted: dict[str, Any]) -> None:
    judge.case(
        _("tool_choice_for({model}, {wish})").format(model=shown(model), wish=shown(wish)),
        expected=shown(wanted),
        because=_("this dict goes into the request as its tool_choice"),
        next_step=_("compare with the table of choices, and with the three models that refuse to be forced"),
    )
    found = judge.call(tool_choice_for, model, wish)
    if not isinstance(found, dict):
        judge.not_yet(found=shown(found))
    # null is the same as absent, and false is what the API takes when the switch is absent.
    said = {key: value for key, value in found.items() if value is not None}
    if said.get("disable_parallel_tool_use") is False:
        del said["disable_parallel_tool_use"]
    if said != wanted:
        judge.not_yet(found=shown(found), the_api=_refused([_ANY_TOOL], model, plain_json(found)))


_ANY_TOOL = {"name": "get_order", "input_schema": {"type": "object"}}


def _expect_causes(judge: Judge, misrouting: Name, traces: str) -> None:
    words = ", ".join(CAUSES)
    judge.case("", expected=_("a dict with the keys a to h, and one of these words for each: {words}").format(words=words))
    found = judge.value(misrouting)
    if not isinstance(found, dict):
        judge.not_yet(found=shown(found))
    for trace in traces:
        wanted, hint = MISROUTINGS[trace]
        word = found.get(trace)
        judge.case(_("trace {trace}").format(trace=trace), expected=_("another of the five words"), next_step=hint)
        if not isinstance(word, str) or word not in CAUSES:
            _no_cause(judge, word, words)
        if word != wanted:
            judge.not_yet(found=shown(word), because=CAUSES[word])


def _no_cause(judge: Judge, word: Any, words: str) -> NoReturn:
    absent = word is None or isinstance(word, Handle)
    judge.not_yet(expected=_("one of {words}").format(words=words), found=_("no word yet") if absent else shown(word))

"""Lesson 03, tools: describe a tool, run a call."""

from __future__ import annotations

from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.tool_expectations import (
    FORCED,
    MISROUTINGS,
    NEVER_FORCED,
    WISHES,
    definition,
    definitions,
    expect_all_known,
    expect_causes,
    expect_choice,
    expect_error,
    expect_known,
    expect_parts,
    expect_run,
    expect_some,
    is_valid_input,
    listed_errors,
    refused,
    runner,
    schema_fault,
    sentences_in,
)
from autograder.checks.tool_samples import Shop, closed_tool, described_input, open_tool, order_number, written_call
from autograder.given import BusinessRule
from autograder.language import _, ngettext

TITLES = {
    "defines_two_tools_that_the_api_accepts": _("defines two tools that the API accepts"),
    "requires_what_each_tool_needs": _("requires what each tool needs"),
    "tells_the_two_tools_apart": _("tells the two tools apart"),
    "finds_nothing_wrong_in_valid_input": _("finds nothing wrong in valid input, and only there"),
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


def defines_two_tools_that_the_api_accepts(judge: Judge, TOOLS: Name) -> None:  # noqa: N803
    """TOOLS is a list of two definitions, get_order and search_help, and the API accepts it."""
    judge.case(
        "",
        expected=_("a list of two dicts, one named get_order and one named search_help"),
        next_step=_("give each dict a name, a description and an input_schema, like the two that the lesson prints"),
    )
    tools = definitions(judge, TOOLS)
    said = refused(tools)
    if said:
        fault = schema_fault(tools) if "JSON schema is invalid" in said else ""
        judge.not_yet(
            expected=_("two definitions that the API accepts"),
            found=_("the API refuses a request with them"),
            the_api=said,
            because=_("in the input_schema of {fault}").format(fault=fault) if fault else "",
            next_step=_("the message says which tool, counted from 0 (custom: one of your own), and which part of it"),
        )
    names = [tool.get("name") for tool in tools]
    if sorted(map(str, names)) != ["get_order", "search_help"]:
        judge.not_yet(found=_("the names {names}").format(names=shown(names)))


def requires_what_each_tool_needs(judge: Judge, TOOLS: Name) -> None:  # noqa: N803
    """get_order takes order_id and search_help takes query: text, required, and nothing else is."""
    make, order = judge.samples, order_number(judge.samples)
    wanted = {"get_order": ("order_id", order, [order]), "search_help": ("query", make.sentence(), ["returns"])}
    verdicts = {True: _("the schema accepts it"), False: _("the schema rejects it")}
    for name, (key, text, listed) in wanted.items():
        schema = definition(judge, TOOLS, name)["input_schema"]
        wrong: list[dict[str, Any]] = [{}, {"text": text}, *({key: value} for value in (make.number(), None, listed))]
        for tool_input, good in [({key: text}, True), *((one, False) for one in wrong)]:
            judge.case(
                _("{name} with the input {input}").format(name=name, input=shown(tool_input)),
                expected=verdicts[good],
                because=_("the schema is all that the model knows of the input, and all that you can hold it to"),
                next_step=_("describe {key} under properties, and list it alone under required").format(key=key),
            )
            if is_valid_input(schema, tool_input) != good:
                judge.not_yet(found=verdicts[not good])


def tells_the_two_tools_apart(judge: Judge, TOOLS: Name) -> None:  # noqa: N803
    """Each description has three sentences or more, and names the other tool."""
    for name, other in (("get_order", "search_help"), ("search_help", "get_order")):
        description = definition(judge, TOOLS, name).get("description") or ""
        judge.case(
            _("the description of {name}").format(name=name),
            expected=_("three sentences or more, one of which names {other}").format(other=other),
            because=_("the model chooses a tool by what its description says, and by what it leaves to the other"),
            next_step=_("say what it does, when to use it, and for which questions the other tool is the place"),
        )
        count = sentences_in(description)
        if count < 3:
            found = ngettext("{count} sentence: {text}", "{count} sentences: {text}", count)
            judge.not_yet(found=found.format(count=count, text=shown(description)))
        if other not in description:
            judge.not_yet(found=_("no {other} in {text}").format(other=other, text=shown(description)))


def finds_nothing_wrong_in_valid_input(judge: Judge, input_errors: Name) -> None:
    """For a valid input the list is empty, and for an invalid one it is not."""
    make = judge.samples
    tool, whole = closed_tool(make)
    order, amount, reason, items = whole
    expect_some(judge, input_errors, tool, {**whole, amount: str(whole[amount])})
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
    for described, tool_input, what in cases:
        judge.case(
            _("{what}: {input}").format(what=what, input=described_input(tool_input)),
            expected="[]",
            because=_("a valid call that is rejected never runs"),
            next_step=_("hand the tool's input_schema to Draft202012Validator and let it decide, not your own rules"),
        )
        judge.equal(listed_errors(judge, input_errors, described, tool_input), [])


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
        (
            {**whole, order: make.number(), amount: "12", reason: "because"},
            [f"$.{order}", f"$.{amount}", f"$.{reason}"],
        ),
        ({**whole, items: [item, {**item, "count": 0}]}, [f"$.{items}[1].count"]),
        ({**whole, items: [{**item, "sku": 7}, {**item, "count": "2"}]}, [f"$.{items}[0].sku", f"$.{items}[1].count"]),
    ]
    expect_parts(
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
    expect_parts(
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
    runners = [runner(judge, make_runner, shop) for shop in shops]
    for shop, run_tool in [*zip(shops, runners, strict=True), (shops[0], runners[0])]:
        for name, tool_input in shop.calls():
            judge.case(
                _("run_tool({name}, {input})").format(name=shown(name), input=shown(tool_input)),
                expected=_("one call, {call}, and what it returns").format(call=written_call(name, (), tool_input)),
                because=_("the function's parameters have the names that the schema gives them"),
                next_step=_("look the function up by its name and hand the dict over with two stars"),
            )
            expect_run(judge, run_tool, name, tool_input, shop, others=[one for one in shops if one is not shop])


def runs_nothing_on_invalid_input(judge: Judge, make_runner: Name) -> None:
    """A violation of the schema raises InvalidInput, with the list of violations, and no function runs."""
    shop = Shop(judge.samples)
    run_tool = runner(judge, make_runner, shop)
    for name, tool_input in shop.invalid_calls():
        judge.case(
            _("run_tool({name}, {input})").format(name=shown(name), input=shown(tool_input)),
            expected=_("InvalidInput with the list that input_errors gives, and no function is run"),
            because=_("a function that starts on a wrong input may stop halfway, when money has moved"),
            next_step=_("call input_errors first; if its list is not empty, raise InvalidInput(that list)"),
        )
        shop.runs.clear()
        outcome = judge.attempt(run_tool, name, tool_input)
        if shop.runs:
            judge.not_yet(found=_("it ran {runs}").format(runs=shop.written_runs()))
        expect_known(judge, outcome, shop)
        errors = expect_error(judge, outcome, "InvalidInput").get("errors")
        if not isinstance(errors, list) or not errors or not all(isinstance(one, str) for one in errors):
            judge.not_yet(found=_("InvalidInput whose errors are {errors}").format(errors=shown(errors)))


def tells_of_unknown_tools(judge: Judge, make_runner: Name) -> None:
    """Without a definition or without a function there is no tool: UnknownTool. With both there is one."""
    shop = Shop(judge.samples)
    run_tool = runner(judge, make_runner, shop)
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
        told = expect_error(judge, outcome, "UnknownTool").get("name")
        if told != name:
            judge.not_yet(found=_("UnknownTool({name})").format(name=shown(told)))
    expect_all_known(judge, run_tool, shop)


def lets_the_functions_own_errors_rise(judge: Judge, make_runner: Name) -> None:
    """What the function raises leaves run_tool unchanged."""
    order = order_number(judge.samples)
    errors = [KeyError(order), TypeError(f"no date in {order}"), TimeoutError(), BusinessRule(f"{order} was paid")]
    for error in errors:
        shop = Shop(judge.samples, fails_with=error)
        run_tool = runner(judge, make_runner, shop)
        name, tool_input = shop.calls()[0]
        judge.case(
            _("a function that raises {error}").format(error=shown(error)),
            expected=_("{error} rises from run_tool").format(error=shown(error)),
            because=_("lesson 06 tells the model what went wrong; an error that is hidden here cannot be told"),
            next_step=_("let no try around the call of the function catch anything"),
        )
        outcome = judge.attempt(run_tool, name, tool_input)
        expect_known(judge, outcome, shop)
        expect_error(judge, outcome, type(error).__name__)
        if outcome.error and outcome.error.text != str(error):
            judge.not_yet(found=_("{error} with another text").format(error=shown(outcome.error)))


def turns_each_wish_into_a_choice(judge: Judge, tool_choice_for: Name) -> None:
    """free, one_at_a_time and none have the same tool_choice on every model."""
    for model in (*NEVER_FORCED, *FORCED):
        for wish, wanted in WISHES.items():
            expect_choice(judge, tool_choice_for, model, wish, wanted)


def forces_a_call_only_where_that_is_accepted(judge: Judge, tool_choice_for: Name) -> None:
    """must_call is any, and auto on the models that refuse to be forced."""
    for models, wanted in ((NEVER_FORCED, "auto"), (FORCED, "any")):
        for model in models:
            expect_choice(judge, tool_choice_for, model, "must_call", {"type": wanted})


def explains_misroutings_a_to_d(judge: Judge, misrouting: Name) -> None:
    """The cause of each of the first four traces."""
    expect_causes(judge, misrouting, {trace: MISROUTINGS[trace] for trace in "abcd"})


def explains_misroutings_e_to_h(judge: Judge, misrouting: Name) -> None:
    """The cause of each of the last four traces."""
    expect_causes(judge, misrouting, {trace: MISROUTINGS[trace] for trace in "efgh"})

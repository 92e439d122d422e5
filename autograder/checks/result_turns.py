"""What the checks of `results_turn` have in common: replies to answer, tools that write down what they are asked."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.histories import Turns
from autograder.checks.judge import Judge, Name
from autograder.checks.player import Outcome
from autograder.checks.replies import user_turn_of
from autograder.checks.samples import Block, Samples
from autograder.checks.values import RUN_TOOL
from autograder.language import _

Content = list[Block]


def run_tool(name: str, tool_input: Any) -> tuple[str, Any]:
    """Read the arguments of a call; its TypeError says the same as that of a learner's `run_tool`."""
    return name, tool_input


class Tools:
    """A `run_tool` that writes down what it was asked, and gives another output each time.

    misused: whether it was called with other arguments than a name and an input.
    """

    def __init__(self, make: Samples, failing: dict[int, Exception] | None = None) -> None:
        self.runs: list[tuple[str, Any, str]] = []
        self.misused = False
        self._make = make
        self._failing = failing or {}

    def __call__(self, *arguments: Any, **keywords: Any) -> str:
        try:
            name, tool_input = run_tool(*arguments, **keywords)
        except TypeError:
            self.misused = True
            raise
        error = self._failing.get(len(self.runs))
        output = f"{name} no. {len(self.runs) + 1}: {self._make.number()}"
        self.runs.append((name, tool_input, output))
        if error is not None:
            raise error
        return output


def twins(make: Samples) -> Content:
    """Two calls of one tool with one input."""
    return [{**make.tool_use("check_stock"), "input": {"sku": "tent"}} for _call in range(2)]


def replies_with_calls(make: Samples) -> list[tuple[Content, str]]:
    """Replies with calls for the client, as the API may send them."""
    bare = {**make.tool_use("list_returns"), "input": {}}
    foreign = {**make.tool_use("open_case"), "id": f"call_{make.number()}"}
    five = [make.tool_use("get_order") for _call in range(5)]
    return [
        ([make.thinking(), make.tool_use()], _("a reply with one call")),
        ([make.tool_use("get_order"), make.tool_use("search_help")], _("a reply with two calls")),
        ([make.thinking(), *five], _("five calls of one tool")),
        ([make.thinking(), *twins(make)], _("two calls that ask for the same")),
        ([make.text(), bare, make.text(), foreign], _("a call without input, a text, and a call")),
        ([make.thinking(), *make.server_call(), make.tool_use()], _("a web search of the server, and a call")),
    ]


def answering(content: Content, turns: list[dict[str, Any]]) -> Turns:
    """A history in which these turns follow the reply."""
    known = [block for block in content if block["type"] in ("thinking", "text", "tool_use")]
    return [question(), {"role": "assistant", "content": known}, *turns]


def question() -> dict[str, Any]:
    """Return a user turn to begin with."""
    return {"role": "user", "content": "Where is my order?"}


def result_for(name: str) -> Block:
    """Return a result for the call with this id."""
    return {"type": "tool_result", "tool_use_id": name, "content": "It is on its way."}


def results_turns(judge: Judge, results_turn: Name, content: Content, tools: Tools | None = None) -> Turns:
    """Call results_turn; one turn, or the turns of a list, which only one of the checks refuses."""
    value = judge.returned(results_turn, attempted(judge, results_turn, content, tools or Tools(judge.samples)))
    return [user_turn_of(judge, one) for one in (value if isinstance(value, list) and value else [value])]


def attempted(judge: Judge, results_turn: Name, content: Content, tools: Tools) -> Outcome:
    """Call results_turn; "not yet" when it does not hand run_tool a name and an input."""
    message = judge.samples.message(*content, stop_reason="tool_use")
    outcome = judge.attempt(results_turn, message, RUN_TOOL, run_tool=tools)
    if tools.misused:
        judge.advise(_("run_tool takes two arguments, the name and the dict: no stars"))
        judge.returned(results_turn, outcome)
    return outcome


def answered(found: Iterable[Any], wanted: list[str]) -> str:
    """Say what is wrong with the ids that were answered: one is missing, none of the calls, or twice there."""
    found = list(found)
    open_calls = [name for name in wanted if name not in found]
    if open_calls:
        return _("no result for {ids}").format(ids=", ".join(open_calls))
    strange = [name for name in found if name not in wanted]
    if strange:
        return _("a result for {ids}").format(ids=", ".join(map(str, strange)))
    twice = sorted({name for name in found if found.count(name) > 1})
    return _("more than one result for {ids}").format(ids=", ".join(twice))


def expect_runs(judge: Judge, tools: Tools, wanted: list[tuple[str, Any]]) -> None:
    """Pass when each call was run once, in any order, with its name and its input."""

    def in_words(runs: list[tuple[str, Any]]) -> str:
        return ", ".join(f"{name} {given}" for name, given in runs) or _("no run")

    runs = [(name, given) for name, given, _output in tools.runs]
    if sorted(map(str, runs)) != sorted(map(str, wanted)):
        judge.not_yet(
            expected=_("one run for each call: {runs}").format(runs=in_words(wanted)),
            found=in_words(runs),
            because=_("the model asked for these runs and no others; one too many may pay twice"),
            next_step=_("call run_tool(block.name, block.input) once for each tool_use block"),
        )


def expect_output(judge: Judge, tools: Tools, call: Block, block: Block) -> None:
    """Pass when a result holds an output of its call, as text or as one text block."""
    outputs = [output for name, given, output in tools.runs if (name, given) == (call["name"], call["input"])]
    content = block.get("content")
    if isinstance(content, list) and len(content) == 1 and isinstance(content[0], dict):
        content = content[0].get("text") if content[0].get("type") == "text" else content
    if content not in outputs:
        judge.not_yet(
            expected=_("as content of {id}: {output}").format(id=call["id"], output=" / ".join(map(shown, outputs))),
            found=shown(content),
        )

"""Lesson 04, tool_result_pairing: the rules that a history keeps."""

from __future__ import annotations

from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.histories import judged, said
from autograder.checks.history_checks import (
    finds_no_fault_where_there_is_none,
    finds_repeated_ids,
    finds_second_results,
    finds_unanswered_calls,
    finds_unexpected_results,
    names_the_fault_that_the_api_names,
)
from autograder.checks.judge import Judge, Name
from autograder.checks.replies import assistant_turn_of, blocks_of, expect_same, like, outline, sent
from autograder.checks.result_turns import (
    Content,
    Tools,
    answered,
    answering,
    attempted,
    expect_output,
    expect_runs,
    question,
    replies_with_calls,
    result_for,
    results_turns,
    twins,
)
from autograder.given import BusinessRule
from autograder.language import _

__all__ = [
    "TITLES",
    "finds_no_fault_where_there_is_none",
    "finds_repeated_ids",
    "finds_second_results",
    "finds_unanswered_calls",
    "finds_unexpected_results",
    "names_the_fault_that_the_api_names",
]

TITLES = {
    "keeps_every_block": _("keeps every block of the reply, in order"),
    "changes_no_block": _("changes no block"),
    "makes_a_plain_assistant_turn": _("makes a plain assistant turn"),
    "leaves_out_blank_texts": _("leaves out blank texts, and nothing else"),
    "answers_every_call": _("answers every call"),
    "gives_each_call_its_own_output": _("gives each call its own output"),
    "answers_in_one_user_turn": _("answers in one user turn that holds nothing else"),
    "answers_no_server_call": _("answers no call of the server"),
    "lets_tool_errors_rise": _("lets a tool's error rise"),
    "finds_no_fault_where_there_is_none": _("finds no fault where there is none"),
    "finds_unanswered_calls": _("finds unanswered calls"),
    "finds_unexpected_results": _("finds unexpected results"),
    "finds_second_results": _("finds second results"),
    "finds_repeated_ids": _("finds repeated ids"),
    "names_the_fault_that_the_api_names": _("names the fault that the API names"),
}


def keeps_every_block(judge: Judge, assistant_turn: Name) -> None:
    """Every block is there, of every type, in the order of the reply."""
    make = judge.samples
    redacted = {"type": "redacted_thinking", "data": make.thinking()["signature"]}
    cases = [
        ([make.thinking(), make.tool_use()], _("a reply with thinking and a call")),
        ([make.text()], _("a reply with nothing but a text")),
        ([make.thinking(), make.text(), *twins(make)], _("a reply with two calls that ask for the same")),
        ([make.text(), make.tool_use(), make.text(), make.tool_use()], _("a reply with a text between two calls")),
        ([redacted, make.thinking(make.sentence()), make.text()], _("a reply with two kinds of thinking")),
        ([make.thinking(), *make.server_call(), make.text()], _("a reply with a web search of the server")),
        ([make.unknown_block(), make.text()], _("a reply with a block of a type that is new")),
    ]
    for content, what in cases:
        judge.case(
            what,
            expected=outline(content),
            because=_("the model takes the history for what it said: what is missing, it never said"),
            next_step=_("go over message.content and let every block into the list, whatever its type"),
        )
        turn = assistant_turn_of(judge, assistant_turn, content)
        if [like(block) for block in blocks_of(turn)] != [like(block) for block in content]:
            judge.not_yet(found=outline(blocks_of(turn)), the_api=said(continued(turn, content)))


def changes_no_block(judge: Judge, assistant_turn: Name) -> None:
    """What goes over the wire is what came: ids, input, signature, citations, white space."""
    make = judge.samples
    bare = {**make.tool_use(), "input": {}}
    nested = {
        **make.tool_use(),
        "input": {"items": [{"sku": "A-1", "count": 2}], "note": " as before\n", "urgent": True},
    }
    foreign = {**make.tool_use(), "id": f"call_{make.number()}"}
    cases = [
        ([make.thinking(make.sentence()), make.text(f"  {make.sentence()}\n"), make.tool_use()], _("a plain reply")),
        ([make.thinking(), bare, nested], _("a call without input and one with a nested input")),
        ([make.thinking(), foreign], _("a call whose id does not begin with toolu_")),
        ([*make.server_call(), make.cited(make.sentence())], _("a web search and a text with a citation")),
        ([{**make.unknown_block(), "id": make.identifier("new")}], _("a block of a type that is new")),
    ]
    for content, what in cases:
        judge.case(
            what,
            expected=_("each block with the fields that it came with"),
            because=_("the API pairs by id and checks the signature; the model reads its own words again"),
            next_step=_("take each block whole, as block.to_dict() gives it; build none of your own"),
        )
        turn = assistant_turn_of(judge, assistant_turn, content)
        for index, (came, goes) in enumerate(zip(content, blocks_of(turn), strict=False)):
            expect_same(judge, index, came, goes)
        if len(blocks_of(turn)) != len(content):
            judge.not_yet(expected=outline(content), found=outline(blocks_of(turn)))


def makes_a_plain_assistant_turn(judge: Judge, assistant_turn: Name) -> None:
    """A dict with role and content, and plain JSON inside."""
    make = judge.samples
    cases = [
        ([make.thinking(), make.tool_use()], _("a reply with thinking and a call")),
        ([make.text()], _("a reply with nothing but a text")),
    ]
    for content, what in cases:
        judge.case(
            what,
            expected=_("a dict with the keys role and content, and in content one dict for each block"),
            because=_("a turn has no other field: the API refuses id, model or usage in it"),
            next_step=_("build a new dict: role assistant, content the list of the blocks as dicts"),
        )
        turn = assistant_turn_of(judge, assistant_turn, content)
        more = [key for key in sent(turn) if key not in ("role", "content")]
        if more:
            keys = ", ".join(more)
            judge.not_yet(found=_("more keys: {keys}").format(keys=keys), the_api=said(continued(turn, content)))
        if turn.get("role") != "assistant":
            judge.not_yet(
                expected=_("the role assistant"),
                found=_("the role {role}").format(role=shown(turn.get("role"))),
                because=_("the role says whose words these are"),
            )


def leaves_out_blank_texts(judge: Judge, assistant_turn: Name) -> None:
    """Texts of nothing or of white space are left out; thinking without words is not."""
    make = judge.samples
    blank, spaces, lines = make.text(""), make.text("  "), make.text("\n\n")
    cases: list[tuple[Content, str]] = [
        ([make.thinking(), blank, make.tool_use()], _("an empty text before a call")),
        ([lines, make.tool_use()], _("a text of line breaks before a call")),
        ([spaces, make.text(), make.text(" \t\r\n"), make.text(f"\n{make.sentence()} ")], _("blank and other texts")),
        ([make.thinking(), lines], _("thinking without words, and a blank text")),
        ([blank], _("a reply with nothing but an empty text")),
        ([], _("a reply without any block")),
    ]
    for content, what in cases:
        wanted = [block for block in content if block["type"] != "text" or block["text"].strip()]
        judge.case(
            what,
            expected=outline(wanted),
            because=_("a blank text says nothing, and sent back it can be a 400 for the whole request"),
            next_step=_("leave a block out if its type is text and its text is blank; look at no other type"),
        )
        turn = assistant_turn_of(judge, assistant_turn, content)
        if [like(block) for block in blocks_of(turn)] != [like(block) for block in wanted]:
            judge.not_yet(found=outline(blocks_of(turn)), the_api=said(continued(turn, content)))


def answers_every_call(judge: Judge, results_turn: Name) -> None:
    """There is one result for each call, with the call's id."""
    for content, what in replies_with_calls(judge.samples):
        wanted = [block["id"] for block in content if block["type"] == "tool_use"]
        judge.case(
            what,
            expected=_("one result for each of: {ids}").format(ids=", ".join(wanted)),
            because=_("the model cannot go on while a call that it made is open"),
            next_step=_("make one result for each tool_use of the reply, with its id, and return after the last block"),
        )
        turns = results_turns(judge, results_turn, content)
        blocks = [block for turn in turns for block in blocks_of(turn)]
        found = [block.get("tool_use_id") for block in blocks if block.get("type") == "tool_result"]
        if sorted(map(str, found)) != sorted(wanted):
            judge.not_yet(found=answered(found, wanted), the_api=said(judged(answering(content, turns))))


def gives_each_call_its_own_output(judge: Judge, results_turn: Name) -> None:
    """Each call is run once, with its name and input, and its output stands beside its id."""
    for content, what in replies_with_calls(judge.samples):
        calls = [block for block in content if block["type"] == "tool_use"]
        tools = Tools(judge.samples)
        judge.case(
            what,
            because=_("the model takes what stands beside an id for the output of that call"),
            next_step=_("run the tool with the name and the input of the block whose id you write down"),
        )
        turns = results_turns(judge, results_turn, content, tools)
        expect_runs(judge, tools, [(call["name"], call["input"]) for call in calls])
        for block in (block for turn in turns for block in blocks_of(turn)):
            call = next((one for one in calls if one["id"] == block.get("tool_use_id")), None)
            if call is not None:
                expect_output(judge, tools, call, block)


def answers_in_one_user_turn(judge: Judge, results_turn: Name) -> None:
    """One dict, role user, and in its content nothing but results."""
    for content, what in replies_with_calls(judge.samples):
        judge.case(
            what,
            expected=_("one dict: role user, content a list of results and nothing else"),
            because=_("results stand first, together, in the turn after the calls"),
            next_step=_("collect the results in one list, and put that list into one user turn"),
        )
        turns = results_turns(judge, results_turn, content)
        if len(turns) != 1:
            judge.not_yet(
                found=_("a list of {count} turns").format(count=len(turns)),
                because=_("the API would merge them; but a turn for each result teaches the model to call one by one"),
            )
        kinds = [str(block.get("type")) for block in blocks_of(turns[0])]
        if any(kind != "tool_result" for kind in kinds):
            api = said(judged(answering(content, turns)))
            accepted = _("the API accepts what follows the results, but it invites empty replies")
            found = _("content with {kinds}").format(kinds=", ".join(kinds))
            judge.not_yet(found=found, the_api=api, because="" if api else accepted)
        more = [key for key in sent(turns[0]) if key not in ("role", "content")]
        if turns[0].get("role") != "user" or more:
            judge.not_yet(
                found=_("role {role}, keys {keys}").format(
                    role=shown(turns[0].get("role")), keys=", ".join(sent(turns[0]))
                ),
                the_api=said(judged(answering(content, turns))),
            )


def answers_no_server_call(judge: Judge, results_turn: Name) -> None:
    """What the server runs is neither run nor answered."""
    make = judge.samples
    cases = [
        ([*make.server_call(), make.tool_use()], _("a web search that is over, and one call")),
        ([make.thinking(), make.server_call()[0], make.tool_use()], _("a web search that is still open, and one call")),
        ([make.unknown_block(), make.tool_use()], _("a block of a type that is new, and one call")),
    ]
    for content, what in cases:
        tools = Tools(make)
        wanted = [block["id"] for block in content if block["type"] == "tool_use"]
        judge.case(
            what,
            expected=_("one result, for {id}").format(id=wanted[0]),
            because=_("the server runs its own tools and writes their results itself"),
            next_step=_("answer blocks of the type tool_use, and of no other type"),
        )
        turns = results_turns(judge, results_turn, content, tools)
        found = [block.get("tool_use_id") for turn in turns for block in blocks_of(turn)]
        if any(name not in wanted for name in found):
            judge.not_yet(found=answered(found, wanted), the_api=said(judged(answering(content, turns))))
        if any(
            name not in [block["name"] for block in content if block["type"] == "tool_use"] for name, *_ in tools.runs
        ):
            judge.not_yet(found=_("a run of {name}").format(name=tools.runs[0][0]))


def lets_tool_errors_rise(judge: Judge, results_turn: Name) -> None:
    """What run_tool raises comes out of results_turn; lesson 06 changes this."""
    make = judge.samples
    content = [make.thinking(), make.tool_use(), make.tool_use()]
    sentence = make.sentence()
    for at, error in ((0, ValueError(sentence)), (1, TimeoutError(sentence)), (1, BusinessRule(sentence))):
        name = type(error).__name__
        judge.case(
            _("a tool that raises {name}").format(name=name),
            expected=_("the same {name}").format(name=name),
            because=_("an error that nobody sees looks like a result; how to report it to the model is lesson 06"),
            next_step=_("do not catch what run_tool raises"),
        )
        tools = Tools(make, {at: error})
        outcome = attempted(judge, results_turn, content, tools)
        if outcome.kind == "raised" and outcome.error is not None and outcome.error.name == name:
            continue
        if outcome.kind != "raised" and len(tools.runs) == at:
            judge.not_yet(
                found=_("the second call, whose tool fails, was never run"),
                because=_("the model cannot go on while a call that it made is open"),
                next_step=_("run every call before you return: where in your loop does the return stand?"),
            )
        if outcome.kind != "raised":
            judge.not_yet(found=_("no error: {value}").format(value=shown(outcome.value)))
        judge.returned(results_turn, outcome)


def continued(turn: dict[str, Any], content: Content) -> Any:
    """What the API says when this turn stands for a reply and the results of the reply's calls follow."""
    results = [result_for(block["id"]) for block in content if block["type"] == "tool_use"]
    following: Content = results or [{"type": "text", "text": "And then?"}]
    return judged([question(), turn, {"role": "user", "content": following}])

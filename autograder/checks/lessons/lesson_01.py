"""Lesson 01, response_anatomy: one request, and reading its reply by type."""

from __future__ import annotations

from typing import Any

from autograder.checks.feedback import shown
from autograder.checks.judge import Judge, Name
from autograder.checks.samples import Block, Samples
from autograder.checks.transcript import Conversation, described_turns, is_one_user_turn, roles_of
from autograder.checks.values import CLIENT, SdkObject
from autograder.given import MODEL
from autograder.language import _

TITLES = {
    "sends_one_request": _("sends one request"),
    "sends_the_prompt_as_the_only_turn": _("sends the prompt as the only turn"),
    "returns_the_message": _("returns the message"),
    "joins_text_blocks_in_order": _("joins text blocks in order"),
    "leaves_out_what_is_not_text": _("leaves out what is not text"),
    "gives_empty_text_when_there_is_none": _("gives empty text when there is none"),
    "finds_every_client_call": _("finds every client call"),
    "leaves_out_server_calls": _("leaves out server calls"),
    "returns_the_blocks_themselves": _("returns the blocks themselves"),
    "adds_cached_tokens": _("adds cached tokens"),
    "counts_none_as_zero": _("counts None as zero"),
}


def sends_one_request(judge: Judge, ask: Name) -> None:
    """`ask` sends exactly one request, for MODEL."""
    conversation, _message = _asked(judge, ask)
    count = len([call for call in conversation.calls if call.path.endswith("/messages")])
    if count != 1:
        judge.not_yet(
            expected=_("one request"),
            found=_("{count} requests").format(count=count),
            because=_("every request is paid for and answered on its own"),
            next_step=_("call client.messages.create once and return what it gives you"),
        )
    model = conversation.requests[0].get("model")
    if model != MODEL:
        judge.not_yet(
            expected=_("a request for the model {model}").format(model=shown(MODEL)),
            found=_("a request for the model {model}").format(model=shown(model)),
            next_step=_("pass MODEL, which the first cell imports"),
        )


def sends_the_prompt_as_the_only_turn(judge: Judge, ask: Name) -> None:
    """The request's messages are one user turn: the prompt, as it was given."""
    for prompt in (None, judge.samples.sentence(), "  " + judge.samples.sentence() + "\n"):
        conversation = judge.conversation("first_answer")
        wanted = conversation.scenario.prompt if prompt is None else prompt
        judge.case(
            "",
            expected=_("one user turn, {prompt}").format(prompt=shown(wanted)),
            because=_("the API knows of a conversation what the messages of this request say, and nothing else"),
            next_step=_("send a list with one dict: role user, content the prompt as you got it"),
        )
        outcome = judge.attempt(ask, CLIENT, wanted)
        turns: Any = conversation.requests[0].get("messages") if conversation.requests else []
        if not conversation.requests:
            judge.returned(ask, outcome, may_return_none=True)
        if not is_one_user_turn(turns, wanted):
            # How the API words its refusal of a leading system turn is not known for this model: it is not quoted.
            quotable = "system" not in roles_of(turns)
            judge.not_yet(found=described_turns(turns), the_api=conversation.refusal if quotable else "")
        judge.returned(ask, outcome, may_return_none=True)


def returns_the_message(judge: Judge, ask: Name) -> None:
    """`ask` returns the whole Message, not a part of it."""
    conversation, message = _asked(judge, ask)
    if isinstance(message, SdkObject) and any(_is_reply(message.json, call.response) for call in conversation.calls):
        return
    found = _described_value(message)
    judge.not_yet(
        expected=_("the Message that the API sent"),
        found=_("{found} other than the one that came back from the given client").format(found=found)
        if isinstance(message, SdkObject) and message.type_name == "Message"
        else found,
        because=_("the caller also needs stop_reason, usage and the other blocks"),
        next_step=_("return what client.messages.create gives you, unchanged"),
    )


def joins_text_blocks_in_order(judge: Judge, final_text: Name) -> None:
    """The texts of all text blocks, in order, with nothing between them."""
    make = judge.samples
    three = [make.text("Yes. "), make.cited(make.sentence()), make.text(" Is that all?")]
    cases = [
        ([make.text()], _("a message with one text block")),
        (three, _("a message with three text blocks, one of them with a citation")),
        ([make.text("No. "), make.text("No. "), make.text(" "), make.text("Never.")], _("blocks that say the same")),
        ([make.text("Größe & Preis:\n\n  42 < 43 €\n")], _("a text with line breaks and signs of all kinds")),
        ([make.text("One. "), make.text(" Two.\n")], _("texts that begin or end with white space")),
        ([make.text(), make.tool_use(), make.text()], _("a message with text, a tool call, text")),
    ]
    _expect_texts(judge, final_text, cases, _("the reply's text is all its text blocks, and no character more"))


def leaves_out_what_is_not_text(judge: Judge, final_text: Name) -> None:
    """Only blocks whose type is "text" count."""
    make = judge.samples
    cases = [
        ([make.thinking(), make.text()], _("a message that begins with an empty thinking block")),
        ([make.thinking(make.sentence()), make.text()], _("a message whose thinking block has text")),
        ([make.text(), make.tool_use()], _("a message that ends with a tool call")),
        ([*make.server_call(), make.text()], _("a message that begins with a web search")),
        ([make.file_view(), make.text()], _("a message with the result of a text editor of the server")),
        ([make.unknown_block(), make.text()], _("a message with a block of a type that is new")),
    ]
    _expect_texts(judge, final_text, cases, _("a block says what it is in its `type`; today's replies mix types"))


def gives_empty_text_when_there_is_none(judge: Judge, final_text: Name) -> None:
    """Without a text block the text is ""."""
    make = judge.samples
    cases: list[tuple[list[Block], str]] = [
        ([], _("a message with `content: []`")),
        ([make.thinking()], _("a message with nothing but thinking")),
        ([make.tool_use()], _("a message with nothing but a tool call")),
        ([make.unknown_block()], _("a message with nothing but a block of a type that is new")),
    ]
    _expect_texts(judge, final_text, cases, _("the API may answer without any text, and that is not an error"))


def finds_every_client_call(judge: Judge, tool_calls: Name) -> None:
    """Every tool_use block is found, in order."""
    make = judge.samples
    cases = [
        ([make.text()], _("a message without a call")),
        ([make.thinking(), make.tool_use()], _("a message with one call")),
        ([make.text(), make.tool_use("get_order"), make.tool_use("get_order")], _("two calls of one tool")),
        (_same_call_twice(make), _("two calls that ask for the same")),
        ([make.tool_use(), make.text(), make.tool_use(), make.tool_use()], _("three calls with text between them")),
    ]
    _expect_calls(judge, tool_calls, cases, _("the model may ask for several tools in one reply; each wants a result"))


def leaves_out_server_calls(judge: Judge, tool_calls: Name) -> None:
    """A call that the server runs itself is not a client call."""
    make = judge.samples
    cases = [
        ([*make.server_call(), make.text()], _("a message with a web search of the server")),
        ([*make.server_call(), make.tool_use()], _("a web search of the server and one call for you")),
        ([make.unknown_block(), make.tool_use()], _("a block of a type that is new, and one call for you")),
    ]
    _expect_calls(judge, tool_calls, cases, _("the server runs its own tools; a result from you would be refused"))


def returns_the_blocks_themselves(judge: Judge, tool_calls: Name) -> None:
    """The list holds the SDK's blocks, not names, ids or dicts."""
    make = judge.samples
    content = [make.text(), make.tool_use(), make.tool_use()]
    judge.case(
        _("a message with text and two calls"),
        expected=_("a list of two ToolUseBlock objects"),
        because=_("who runs the tools needs id, name and input of each call"),
        next_step=_("put the blocks of message.content into the list as they are"),
    )
    found = judge.call(tool_calls, make.message(*content, stop_reason="tool_use"))
    wanted = [SdkObject("ToolUseBlock", block) for block in content if block["type"] == "tool_use"]
    if found != wanted:
        judge.not_yet(found=_difference(found, wanted))


def adds_cached_tokens(judge: Judge, total_input_tokens: Name) -> None:
    """Input is what was read anew, what was written to the cache and what was read from it."""
    make = judge.samples
    for _round in range(3):
        written, read = make.number(), make.number()
        usage = make.usage(
            cache_creation_input_tokens=written,
            cache_read_input_tokens=read,
            cache_creation={"ephemeral_5m_input_tokens": written, "ephemeral_1h_input_tokens": 0},
        )
        _expect_total(judge, total_input_tokens, usage, _("input_tokens does not count what the cache held"))


def counts_none_as_zero(judge: Judge, total_input_tokens: Name) -> None:
    """The two cache counters may be None."""
    make = judge.samples
    for names in (["cache_read_input_tokens"], ["cache_creation_input_tokens"], ["both"]):
        both = ["cache_creation_input_tokens", "cache_read_input_tokens"]
        usage = make.usage(**dict.fromkeys(both, 7)) | dict.fromkeys(both if names == ["both"] else names)
        _expect_total(
            judge, total_input_tokens, usage, _("a counter of the cache may be None: then nothing was cached")
        )


def _asked(judge: Judge, ask: Name) -> tuple[Conversation, Any]:
    judge.case(
        "",
        next_step=_(
            "give client.messages.create the model, max_tokens, and as messages a list of one dict with role and"
            " content; return the Message that it gives you"
        ),
    )
    conversation = judge.conversation("first_answer")
    return conversation, judge.call(ask, CLIENT, conversation.scenario.prompt)


def _is_reply(message: Any, response: dict[str, Any]) -> bool:
    """Return whether a returned Message is the one that an answer held, whole."""
    fields = ("id", "stop_reason", "content")
    return response.get("type") == "message" and all(message.get(name) == response.get(name) for name in fields)


def _same_call_twice(make: Samples) -> list[Block]:
    """Two calls of one tool with one input; their ids fall, so that an order by id is not the order of the reply."""
    calls = sorted((make.tool_use("check_stock") for _call in range(2)), key=_id_of, reverse=True)
    return [make.thinking(), *({**call, "input": {"sku": "tent"}} for call in calls)]


def _expect_texts(judge: Judge, final_text: Name, cases: list[tuple[list[Block], str]], because: str) -> None:
    for content, what in cases:
        wanted = "".join(block["text"] for block in content if block["type"] == "text")
        next_step = _("go over message.content, take the text of each block of type text, put nothing between them")
        judge.case(what, expected=shown(wanted), because=because, next_step=next_step)
        for stop_reason in ("end_turn", "max_tokens"):
            judge.equal(judge.call(final_text, judge.samples.message(*content, stop_reason=stop_reason)), wanted)


def _expect_calls(judge: Judge, tool_calls: Name, cases: list[tuple[list[Block], str]], because: str) -> None:
    for content, what in cases:
        next_step = _("put every block whose type is tool_use into one list, in the order of message.content")
        wanted = [block["id"] for block in content if block["type"] == "tool_use"]
        judge.case(what, expected=_named_calls(wanted), because=because, next_step=next_step)
        stop_reason = "tool_use" if wanted else "end_turn"
        found = judge.call(tool_calls, judge.samples.message(*content, stop_reason=stop_reason))
        if not isinstance(found, list):
            judge.not_yet(expected=_("a list"), found=_described_value(found))
        ids = [_id_of(item) for item in found]
        if ids != wanted:
            judge.not_yet(found=_named_calls(ids))


def _expect_total(judge: Judge, total_input_tokens: Name, usage: dict[str, Any], because: str) -> None:
    parts = [usage[name] for name in ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens")]
    wanted = sum(part or 0 for part in parts)
    judge.case(
        _("input {0}, cache creation {1}, cache read {2}").format(*parts),
        expected=shown(wanted),
        because=because,
        next_step=_("add the three counters, with 0 for one that is None"),
    )
    judge.equal(judge.call(total_input_tokens, SdkObject("Usage", usage)), wanted)


def _id_of(item: Any) -> str:
    """The id of a call; for anything else in the list, words for it."""
    held = item.json if isinstance(item, SdkObject) else item
    if not isinstance(held, dict):
        return shown(held)
    return str(held["id"]) if "id" in held else _("a block of type {type}").format(type=held.get("type"))


def _difference(found: Any, wanted: list[SdkObject]) -> str:
    """Say what a list of calls holds that is not as it should be."""
    if isinstance(found, list) and all(isinstance(item, SdkObject) for item in found) and len(found) == len(wanted):
        pairs = [(one.json, other.json) for one, other in zip(found, wanted, strict=True)]
        names = sorted({key for one, other in pairs for key in other if one.get(key) != other[key]})
        return _("blocks with other values or none for: {names}").format(names=", ".join(names))
    return _described_value(found)


def _named_calls(ids: list[str]) -> str:
    return ", ".join(ids) or _("no call")


def _described_value(value: Any) -> str:
    if isinstance(value, SdkObject):
        return _("a {type_name} object").format(type_name=value.type_name)
    if isinstance(value, list) and value:
        return _("a list that holds {item}").format(item=_described_value(value[0]))
    return shown(value)

"""Which rows a reply, a history and a transcript become."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import anthropic
import pytest

from autograder.display.table import Table, evidence_table, table
from autograder.errors import CourseError

ORDER_CALL = "toolu_016w4nFTVEfQWGx6mzNEqyix"
HELP_CALL = "toolu_01AXa3EtWnvLzfgA63BeZm68"


def call(name: str, id_: str, tool_input: dict[str, Any]) -> dict[str, Any]:
    return {"type": "tool_use", "id": id_, "name": name, "input": tool_input}


def result(id_: str, content: Any, **more: Any) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": id_, "content": content, **more}


def message(content: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    return {
        "model": "claude-sonnet-5-5",
        "id": "msg_011CfXSzKTFXxe3apHsErdL2",
        "type": "message",
        "role": "assistant",
        "content": content,
        "stop_reason": "tool_use",
        "stop_sequence": None,
        "stop_details": None,
        "usage": {"input_tokens": 381, "cache_read_input_tokens": 0, "output_tokens": 50},
        **more,
    }


def sdk_message(content: list[dict[str, Any]], **more: Any) -> anthropic.types.Message:
    return anthropic.types.Message.construct(**message(content, **more))


@dataclass
class Call:
    number: int
    request: dict[str, Any]
    status: int
    response: dict[str, Any]
    notes: tuple[str, ...] = ()
    path: str = "/v1/messages"


@dataclass
class Calls:
    calls: list[Call] = field(default_factory=list)

    def __iter__(self) -> Any:
        return iter(self.calls)


REPLY = [
    {"type": "thinking", "thinking": "", "signature": "s" * 444},
    {"type": "text", "text": "I look it up.\nOne moment."},
    call("get_order", ORDER_CALL, {"order_id": "P-1001"}),
]


def test_a_message_has_one_row_a_block() -> None:
    rows = table(message(REPLY)).rows
    assert rows == (
        ("0", "thinking", "", "no text, a signature of 444 characters"),
        ("1", "text", "", '"I look it up.\\nOne moment."'),
        ("2", "tool_use", ORDER_CALL, 'get_order {"order_id": "P-1001"}'),
    )


def test_a_message_closes_with_its_stop_reason_and_usage() -> None:
    assert table(message(REPLY)).closing == (
        ("stop_reason", "tool_use"),
        ("usage", "input_tokens: 381, cache_read_input_tokens: 0, output_tokens: 50"),
    )


def test_an_sdk_message_and_its_dict_look_the_same() -> None:
    assert table(sdk_message(REPLY)) == table(message(REPLY))


def test_a_block_type_that_the_sdk_does_not_know_is_shown_as_it_came() -> None:
    assert table(sdk_message([{"type": "hologram", "depth": 3}])).rows == (("0", "hologram", "", '{"depth": 3}'),)


def test_a_stop_reason_of_none_is_shown_as_none() -> None:
    assert ("stop_reason", "None") in table(message(REPLY, stop_reason=None)).closing


def test_an_empty_content_is_said_in_words() -> None:
    shown = table(message([], stop_reason="end_turn"))
    assert shown.rows == ()
    assert shown.closing[0] == ("content", "an empty list")


def test_stop_details_appear_only_when_there_are_some() -> None:
    details = {"type": "refusal", "category": "cyber", "explanation": None}
    names = dict(table(message(REPLY, stop_reason="refusal", stop_details=details)).closing)
    assert names["stop_details"] == "category: cyber, explanation: None"
    assert "stop_details" not in dict(table(message(REPLY)).closing)


HISTORY = [
    {"role": "user", "content": "Where is P-1001?"},
    {"role": "assistant", "content": [call("get_order", ORDER_CALL, {}), call("search_help", HELP_CALL, {})]},
    {"role": "user", "content": [result(ORDER_CALL, "shipped")]},
]


def column(title: str, history: list[dict[str, Any]]) -> list[str]:
    shown = table(history)
    index = [column.title for column in shown.columns].index(title)
    return [row[index] for row in shown.rows]


def answers(history: list[dict[str, Any]]) -> list[str]:
    return column("answer", history)


def test_a_history_names_the_message_that_answers_a_call() -> None:
    assert answers(HISTORY) == ["", "in message 2", "no answer", "to message 1"]


def test_a_result_in_a_second_user_message_still_answers_the_call() -> None:
    longer = [*HISTORY, {"role": "user", "content": [result(HELP_CALL, "30 days")]}]
    assert answers(longer) == ["", "in message 2", "in message 3", "to message 1", "to message 1"]


def test_a_result_after_the_next_turn_answers_nothing() -> None:
    later = [*HISTORY, {"role": "assistant", "content": "One moment."}]
    late = [*later, {"role": "user", "content": [result(HELP_CALL, "30 days")]}]
    assert answers(late) == ["", "in message 2", "no answer", "to message 1", "", "to no call"]


TEXT = {"type": "text", "text": "Here you are."}


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        pytest.param(
            [result(ORDER_CALL, "shipped"), TEXT, result(HELP_CALL, "30 days")],
            ["in message 2", "in message 2, too late: behind text"],
            id="between the results",
        ),
        pytest.param(
            [{"type": "image"}, result(ORDER_CALL, "shipped"), result(HELP_CALL, "30 days")],
            ["in message 2, too late: behind image"] * 2,
            id="before the results",
        ),
        pytest.param(
            [result(HELP_CALL, "30 days"), result(ORDER_CALL, "shipped"), TEXT],
            ["in message 2", "in message 2"],
            id="after the results",
        ),
        pytest.param([TEXT], ["no answer", "no answer"], id="in place of the results"),
    ],
)
def test_a_result_behind_another_block_is_too_late(content: list[dict[str, Any]], expected: list[str]) -> None:
    assert answers([*HISTORY[:2], {"role": "user", "content": content}])[1:3] == expected


def test_a_text_in_the_message_before_makes_a_result_too_late_as_well() -> None:
    spoken = [*HISTORY[:2], {"role": "user", "content": "Well?"}, HISTORY[2]]
    assert answers(spoken)[1:3] == ["in message 3, too late: behind text", "no answer"]


def test_turns_are_counted_where_the_api_merges_messages() -> None:
    longer = [*HISTORY, {"role": "user", "content": "Well?"}, {"role": "assistant", "content": "One moment."}]
    assert column("message", longer) == ["0", "1", "1", "2", "3", "4"]
    assert column("turn", longer) == ["0", "1", "1", "2", "2", "3"]


def test_turns_are_not_counted_where_each_message_is_one() -> None:
    assert set(column("turn", HISTORY)) == {""}
    assert "turn" not in repr(table(HISTORY))


def test_a_server_call_is_answered_in_its_own_turn() -> None:
    search = {"type": "server_tool_use", "id": "srvtoolu_01A", "name": "web_search", "input": {"query": "tents"}}
    found = {
        "type": "web_search_tool_result",
        "tool_use_id": "srvtoolu_01A",
        "content": [{"type": "web_search_result", "title": "Tents", "url": "https://example.com"}],
    }
    assert answers([{"role": "assistant", "content": [search, found]}]) == ["in message 0", ""]
    assert answers([{"role": "assistant", "content": [search]}]) == ["no answer"]
    assert table(message([found])).rows[0][3] == '1 item: ["Tents"]'


def test_one_turn_is_a_history_of_one_message() -> None:
    assert table({"role": "user", "content": "Hello"}).caption == "A history of 1 message"


def test_a_failed_result_is_marked_as_an_error() -> None:
    turn = {"role": "user", "content": [result(ORDER_CALL, [{"type": "text", "text": "No such order"}], is_error=True)]}
    assert column("content", [turn]) == ['error: "No such order"']


def test_a_transcript_has_one_row_a_request() -> None:
    refused = {"type": "error", "error": {"type": "invalid_request_error", "message": "max_tokens: Field required"}}
    calls = Calls(
        [
            Call(1, {"messages": HISTORY, "tools": [{}, {}], "system": "Be brief."}, 200, message(REPLY)),
            Call(2, {"messages": HISTORY[:1]}, 400, refused, ("altered: one text block dropped",)),
        ]
    )
    assert table(calls).rows == (
        ("1", "3 turns, 2 tools, system", "200", "stop_reason tool_use", ""),
        (
            "2",
            "1 turn",
            "400",
            "invalid_request_error: max_tokens: Field required",
            "altered: one text block dropped",
        ),
    )


@pytest.mark.parametrize(
    ("response", "expected"),
    [
        pytest.param({"events": [{}, {}]}, "2 events", id="events word by word"),
        pytest.param({"text": "upstream connect error"}, "text: upstream connect error", id="no JSON"),
        pytest.param({"outcome": "dropped"}, "outcome: dropped", id="lost connection"),
    ],
)
def test_an_answer_that_is_no_message_is_told_apart(response: dict[str, Any], expected: str) -> None:
    assert table(Calls([Call(1, {"messages": []}, 200, response)])).rows[0][3] == expected


def test_counting_tokens_is_told_apart_from_asking() -> None:
    counted = Call(1, {"messages": HISTORY}, 200, {"input_tokens": 40}, path="/v1/messages/count_tokens")
    assert table(Calls([counted])).rows[0][1:4] == ("3 turns, count_tokens", "200", "input_tokens: 40")


def test_a_transcript_without_requests_says_so() -> None:
    assert repr(table(Calls())) == "0 requests"


@pytest.mark.parametrize(
    ("count", "requests"),
    [
        pytest.param(12, [str(number) for number in range(1, 13)], id="all of a short one"),
        pytest.param(13, ["1", "2", "3", "...", "13"], id="the first and the last of a long one"),
    ],
)
def test_evidence_of_a_long_transcript_is_its_beginning_and_its_end(count: int, requests: list[str]) -> None:
    calls = Calls([Call(number, {"messages": HISTORY}, 200, message(REPLY)) for number in range(1, count + 1)])
    shown = evidence_table(calls)
    assert [row[0] for row in shown.rows] == requests
    assert shown.caption == f"{count} requests"
    assert len(table(calls).rows) == count


def test_evidence_that_is_no_transcript_is_shown_whole() -> None:
    assert evidence_table(HISTORY * 10) == table(HISTORY * 10)


def test_a_table_is_its_own_table() -> None:
    shown = table(HISTORY)
    assert table(shown) is shown
    assert isinstance(shown, Table)


@pytest.mark.parametrize("value", [None, 3, "text", [1, 2], {"a": 1}], ids=["none", "int", "str", "list", "dict"])
def test_anything_else_is_named_in_one_sentence(value: Any) -> None:
    with pytest.raises(CourseError, match="show takes a Message, a history"):
        table(value)


@pytest.mark.parametrize(
    "messages", [pytest.param("hello", id="str"), pytest.param(5, id="int"), pytest.param({}, id="dict")]
)
def test_messages_that_are_no_list_are_said_to_be_none(messages: Any) -> None:
    wrong = SimpleNamespace(number=1, request={"messages": messages}, status=400, response={}, notes=())
    assert table(Calls([wrong])).rows[0][1] == f"messages: {type(messages).__name__}, not a list"

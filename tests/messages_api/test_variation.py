from __future__ import annotations

import json
import re
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.messages_api.double import Double
from autograder.messages_api.identifiers import looks_real, new_id
from autograder.messages_api.scenario import FIXTURES, Scenario, load
from autograder.messages_api.sse import events_of
from autograder.messages_api.variation import Variation, vary
from tests.messages_api.builders import (
    BOTH,
    HELP,
    ORDER,
    TOOLS,
    answer,
    ask,
    body,
    call,
    error,
    exchange,
    message,
    result,
    scenario,
    text,
    user,
)


def support() -> Scenario:
    """A conversation with every kind of value: names, order numbers, e-mail addresses, amounts, signatures."""
    refund = new_id("toolu", "refund")
    return scenario(
        exchange("asks", answer([{"type": "thinking", "thinking": "", "signature": "EqQBCkYI"}, *BOTH], "tool_use")),
        exchange("gives_up", answer([text("Not found.")]), follows="asks", is_error={ORDER: True}),
        exchange(
            "refunds", answer([call(refund, "get_order", order_id="P-1001", amount=120)], "tool_use"), follows="asks"
        ),
        exchange("ends", answer([text("Ines, the 120 euros for P-1001 go to ines@example.com.")]), follows="refunds"),
        prompt="I am Ines. Refund 120 euros for P-1001, please.",
    )


def played(loaded: Scenario) -> list[Any]:
    """The answers that a right loop gets: whole replies sent back, each call answered."""
    double, messages, replies = Double(loaded), loaded.messages, []
    while not replies or replies[-1]["stop_reason"] == "tool_use":
        response = ask(double, body(loaded, messages=messages))
        assert response.status == 200, response.body
        replies.append(response.body)
        calls = [block for block in response.body["content"] if block["type"] == "tool_use"]
        messages += [
            {"role": "assistant", "content": response.body["content"]},
            user([result(each["id"], json.dumps(each["input"])) for each in calls]),
        ]
    return replies


def test_the_same_seed_gives_the_same_conversation_and_another_seed_another() -> None:
    one, same, other = (vary(support(), seed).model_dump_json() for seed in ("a", "a", "b"))
    assert one == same
    assert one != other
    assert one != support().model_dump_json()


@settings(max_examples=40)
@given(seed=st.text(max_size=6))
def test_a_right_loop_plays_every_variation_to_the_same_end(seed: str) -> None:
    varied = vary(support(), seed)
    replies, original = played(varied), played(support())
    assert [reply["stop_reason"] for reply in replies] == [reply["stop_reason"] for reply in original]
    assert varied.transcript.notes == []


def test_no_id_of_the_original_is_left_and_the_new_ones_look_real() -> None:
    ids = re.compile(r"(?:msg|toolu|srvtoolu|req)_\w+")
    before = set(ids.findall(support().model_dump_json()))
    after = set(ids.findall(vary(support(), "a").model_dump_json()))
    assert len(after) == len(before)
    assert not before & after
    assert all(looks_real(identifier) for identifier in after)


def test_a_condition_on_a_call_moves_with_its_id() -> None:
    varied = vary(support(), "a")
    first = varied.exchanges[0].message
    assert first is not None
    assert list(varied.exchanges[1].when.is_error or {}) == [first["content"][2]["id"]]


def test_values_change_alike_in_prompt_inputs_and_texts() -> None:
    varied = vary(support(), "a")
    first, *_, last = played(varied)
    order = first["content"][2]["input"]["order_id"]
    name, amount = re.findall(r"I am (\w+)\. Refund (\d+) euros", varied.prompt)[0]
    assert order != "P-1001"
    assert name != "Ines"
    assert amount != "120"
    assert last["content"][0]["text"] == f"{name}, the {amount} euros for {order} go to {name.lower()}@example.com."
    assert played(varied)[1]["content"][0]["input"]["amount"] == int(amount)


def test_every_reply_with_text_says_something_else() -> None:
    for seed in ("a", "b", "c"):
        for old, new in zip(support().exchanges, vary(support(), seed).exchanges, strict=True):
            assert old.message is not None
            assert new.message is not None
            words = [[b["text"] for b in m["content"] if b["type"] == "text"] for m in (old.message, new.message)]
            assert words[0] != words[1] or not words[0]


def test_a_prompt_without_values_is_another_prompt_that_its_exchange_still_answers() -> None:
    loaded = scenario(
        exchange("ends", answer([text("Bye.")]), user_contains="that is all"), prompt="Thanks, that is all."
    )
    varied = vary(loaded, "a")
    assert varied.prompt != loaded.prompt
    assert played(varied)[0]["content"] != [text("Bye.")]


def test_signatures_and_token_counts_are_others() -> None:
    old, new = played(support())[0], played(vary(support(), "a"))[0]
    assert old["content"][0]["signature"] != new["content"][0]["signature"]
    assert len(old["content"][0]["signature"]) == len(new["content"][0]["signature"])
    assert new["usage"]["input_tokens"] > old["usage"]["input_tokens"]
    assert new["usage"]["output_tokens"] > old["usage"]["output_tokens"]
    assert new["usage"]["cache_read_input_tokens"] == 0


def test_an_amount_that_was_cut_stays_the_beginning_of_the_whole_one() -> None:
    raw = '{"order_id": "P-10'
    cut = answer([call(ORDER, "refund", order_id="P-1001", amount=12)], "max_tokens")
    loaded = scenario(
        exchange(
            "cut", cut | {"partial_json": {ORDER: '{"order_id": "P-1001", "amount": 12'}}, max_tokens={"below": 100}
        ),
        exchange("whole", answer([call(HELP, "refund", order_id="P-1001", amount=120)], "tool_use")),
        exchange(
            "early", answer([call(new_id("toolu", 9), "x")], "max_tokens") | {"partial_json": {new_id("toolu", 9): raw}}
        ),
    )
    for seed in "abcdef":
        varied = vary(loaded, seed)
        first, whole, early = (each.answers[0] for each in varied.exchanges)
        assert whole.body is not None
        order, amount = whole.body["content"][0]["input"].values()
        assert amount != 120
        assert first.body is not None
        assert str(amount).startswith(str(first.body["content"][0]["input"]["amount"]))
        assert next(iter(first.partial_json.values())) == f'{{"order_id": "{order}", "amount": {str(amount)[:2]}'
        assert order.startswith(next(iter(early.partial_json.values())).removeprefix('{"order_id": "'))
        assert whole.body["usage"]["output_tokens"] > 50
        assert first.body["usage"]["output_tokens"] == 50


def test_values_that_are_spread_over_events_change_as_a_whole() -> None:
    spread = events_of(message([text("Ines, the 120 euros for P-1001 are paid.")]), "key")
    loaded = scenario(exchange("streams", {"status": 200, "events": spread}), prompt="120 euros")
    varied = vary(loaded, "a")
    events: list[Any] = varied.exchanges[0].answers[0].events or []
    said = "".join(event["delta"]["text"] for event in events if event["type"] == "content_block_delta")
    assert said == Variation(loaded, "a").apply("Ines, the 120 euros for P-1001 are paid.")
    assert "P-1001" not in said
    assert len(events) == len(spread)


def test_what_a_tool_lists_as_allowed_stays() -> None:
    schema = {"type": "object", "properties": {"city": {"enum": ["Paris", "Berlin"]}, "days": {"maximum": 30}}}
    tools = [{"name": "forecast", "description": "x", "input_schema": schema}]
    asks = call(ORDER, "forecast", city="Paris", days=12)
    loaded = scenario(exchange("asks", answer([asks], "tool_use")), tools=tools, prompt="Paris, 12 days")
    for seed in "abcdef":
        assert vary(loaded, seed).exchanges[0].answers[0].body["content"][0]["input"] == asks["input"]  # type: ignore[index]


def test_tools_system_prompt_and_errors_are_not_touched() -> None:
    loaded = scenario(
        exchange("busy", [error(429, "rate_limit_error", "Order P-1001 is too fast."), answer([text("Hello Ines.")])]),
        system="P-1001 is an order number. Ines is the owner.",
    )
    varied = vary(loaded, "a")
    assert varied.system == loaded.system
    assert varied.tools == TOOLS
    assert varied.exchanges[0].answers[0] == loaded.exchanges[0].answers[0]


def test_a_judge_changes_its_own_values_in_the_same_way() -> None:
    variation = Variation(support(), "a")
    varied = variation.scenario()
    first = varied.exchanges[0].message
    assert first is not None
    changed = variation.apply({"order_id": "P-1001", "calls": [ORDER], "count": 2})
    assert changed == {
        "order_id": first["content"][2]["input"]["order_id"], "calls": [first["content"][2]["id"]], "count": 2
    }  # fmt: skip


def test_a_variation_is_honest_about_itself() -> None:
    varied = vary(support(), "secret seed")
    assert varied.provenance.note.startswith("Varied: other ids, values and token counts.")
    assert "secret seed" not in varied.model_dump_json()


def test_the_original_is_left_alone() -> None:
    loaded = support()
    before = loaded.model_dump_json()
    vary(loaded, "a")
    assert loaded.model_dump_json() == before


@pytest.mark.parametrize("name", sorted(path.stem for path in FIXTURES.glob("*.json")))
def test_every_committed_scenario_can_be_varied_and_its_first_request_answered(name: str) -> None:
    loaded = load(name)
    for seed in ("a", "b", "c"):
        varied = vary(loaded, seed)
        request = varied.request.model_dump(mode="json", exclude_unset=True)
        assert (
            ask(Double(varied), request).status
            == ask(Double(loaded), loaded.request.model_dump(exclude_unset=True)).status
        )

"""Every committed scenario: it can be played to all its ends, varied or not, and looks like the API of today."""

from __future__ import annotations

import json
import re
from typing import Any

import jiter
import pytest

from autograder.given import MODEL, SYSTEM
from autograder.messages_api.identifiers import looks_real
from autograder.messages_api.scenario import FIXTURES, Recorded
from tests.messages_api.loops import Loop, final_text
from tests.messages_api.worlds import conversation, world

Json = dict[str, Any]

# By what they are for. `course verify` finds a scenario that is named nowhere.
LESSONS = {
    "01": ["first_answer", "two_calls", "web_search_answer", "empty_reply"],
    "02": ["stop_reasons", "misleading_texts", "cut_stream"],
    "03": ["tool_choices"],
    "04": ["one_call", "parallel_calls", "five_calls", "blank_text", "no_arguments", "empty_after_results"],
    "05": ["order_first", "help_first", "notes_between_calls", "long_case"],
    "06": ["wrong_order_id", "refund_fails", "unknown_tool", "empty_search"],
    "07": ["one_pause", "two_pauses", "mixed_turn", "many_pauses", "pauses_between_calls"],
    "08": ["cut_call", "cut_twice", "cut_second_call", "cut_at_every_size", "cut_text", "thinking_used_everything"],
    "09": [
        "refused_at_once",
        "refused_midway",
        "window_full",
        "nothing_to_add",
        "blank_ending",
        "stops_at_sequence",
        "unknown_stop_reason",
        "tool_use_without_call",
    ],
    "10": ["refund_over_limit", "refund_without_identity", "same_call_again"],
    "11": ["failures", "busy_in_mid_run"],
    "12": ["stream_error", "stream_breaks_off"],
}
NAMES = [name for names in LESSONS.values() for name in names]
AIMS = [(name, exchange.id) for name in NAMES for exchange in conversation(name, "").exchanges]
ENDS = [
    (name, exchange.id)
    for name in NAMES
    for exchange in conversation(name, "").exchanges
    if exchange.id not in {each.follows for each in conversation(name, "").exchanges}
]
SEEDS = [f"seed {number}" for number in range(10)]
NEWEST = re.compile(r"claude-(sonnet-5|opus-5|fable-5|opus-4-8)")


def answers(name: str) -> list[Recorded]:
    return [answer for exchange in conversation(name, "").exchanges for answer in exchange.answers]


def bodies(name: str) -> list[Json]:
    return [answer.body for answer in answers(name) if answer.body is not None and answer.status == 200]


def opened(name: str) -> list[Json]:
    """The messages of streams that are given word by word, as they begin."""
    streams = [answer.events for answer in answers(name) if answer.events]
    return [events[0]["message"] for events in streams if isinstance(events[0], dict)]


def test_the_table_names_every_file_and_nothing_else() -> None:
    assert sorted(NAMES) == sorted(path.stem for path in FIXTURES.glob("*.json"))


@pytest.mark.parametrize("name", NAMES)
def test_the_readme_says_what_it_shows(name: str) -> None:
    rows = (FIXTURES / "README.md").read_text(encoding="utf-8").splitlines()
    assert sum(f"`{name}`" in row.split("|")[1] for row in rows if row.startswith("| `")) == 1


@pytest.mark.parametrize(("name", "aim"), AIMS, ids=lambda value: value)
def test_a_right_loop_meets_every_exchange_and_every_attempt(name: str, aim: str) -> None:
    scene = world(conversation(name, ""), aim)
    Loop(scene).run()
    for exchange in scene.way:
        reached = [number for met, number in scene.answered if met == exchange.id]
        assert reached == list(range(len(exchange.answers))), scene.scenario.transcript
    refused = [call.response for call in scene.scenario.transcript.refused]
    assert all(response.get("error", {}).get("type") != "replay_mismatch" for response in refused)


@pytest.mark.parametrize("seed", ["", *SEEDS])
@pytest.mark.parametrize(("name", "end"), ENDS, ids=lambda value: value)
def test_a_right_loop_plays_to_every_end_and_every_variation(name: str, end: str, seed: str) -> None:
    scene = world(conversation(name, seed), end)
    run = Loop(scene).run()
    assert scene.answered[-1][0] == end
    assert run.notes == []
    last = scene.way[-1].answers[-1]
    if last.body is None or last.status != 200 or last.events:
        assert run.status in ("unknown", "failed: overloaded_error", "failed: dropped") or run.status.startswith(
            f"failed: {last.status}"
        )
    else:
        assert not run.status.startswith("failed")
        assert run.text in ("", final_text(last.body)) or run.text.endswith(final_text(last.body))


def streams_differ(name: str) -> bool:
    """Whether its streams are broken, or its calls cut: then they are not what the message says."""
    return any(answer.events or answer.partial_json for answer in answers(name))


@pytest.mark.parametrize("name", [name for name in NAMES if not streams_differ(name)])
def test_a_stream_carries_the_same_message(name: str) -> None:
    scenario = conversation(name, "")
    for exchange in scenario.exchanges:
        streamed, plain = (Loop(world(scenario, exchange.id, stream=stream)).run() for stream in (True, False))
        assert streamed.messages == plain.messages
        assert (streamed.text, streamed.usage) == (plain.text, plain.usage)


@pytest.mark.parametrize("seed", ["", *SEEDS])
def test_the_input_of_a_cut_call_is_what_the_sdk_makes_of_its_raw_json(seed: str) -> None:
    found = 0
    for exchange in (exchange for name in NAMES for exchange in conversation(name, seed).exchanges):
        for raw in (raw for answer in exchange.answers for raw in answer.partial_json.values()):
            assert exchange.message is not None
            assert exchange.message["content"][-1]["input"] == jiter.from_json(raw.encode(), partial_mode=True)
            found += 1
    assert found >= 5


@pytest.mark.parametrize("name", NAMES)
def test_provenance_is_honest(name: str) -> None:
    provenance = conversation(name, "").provenance
    assert provenance.kind != "recorded" or all("request-id" in answer.headers for answer in answers(name))
    assert provenance.model == MODEL
    if "tool_use" in json.dumps(bodies(name)) and any(_note_before_call(body) for body in bodies(name)):
        assert "claude-sonnet-5-5" in provenance.note


def _note_before_call(body: Json) -> bool:
    kinds = [block["type"] for block in body["content"] if block.get("text", "x").strip()]
    return "text" in kinds and "tool_use" in kinds


@pytest.mark.parametrize("name", NAMES)
def test_the_support_desk_sends_its_system_prompt(name: str) -> None:
    request = conversation(name, "").request
    tools = [tool["name"] for tool in request.tools]
    assert request.model == MODEL
    if "get_order" in tools:
        assert request.system == SYSTEM


@pytest.mark.parametrize("name", NAMES)
def test_tools_give_no_answer_of_lesson_03_away(name: str) -> None:
    for tool in conversation(name, "").request.tools:
        if "description" in tool:
            assert re.fullmatch(r"[^.]{1,80}\.", tool["description"])
            assert tool.keys() <= {"name", "description", "input_schema", "cache_control"}


@pytest.mark.parametrize("name", NAMES)
def test_ids_look_real(name: str) -> None:
    text = json.dumps([answer.model_dump(mode="json") for answer in answers(name)])
    ids = re.findall(r'"((?:msg|toolu|srvtoolu|mcptoolu|container|req)_[^"]*)"', text)
    assert all(looks_real(identifier) for identifier in ids)
    assert all(re.match("msg_011C", body["id"]) for body in bodies(name))


def recorded_messages(recordings: list[Json]) -> list[Json]:
    """The bodies of the newest models whose keys were not sorted by their recorder."""
    found = [exchange.get("response") for exchange in recordings if exchange["status"] == 200]
    newest = [body for body in found if isinstance(body, dict) and NEWEST.match(str(body.get("model")))]
    return [body for body in newest if list(body) != sorted(body)]


def streams(recordings: list[Json]) -> list[list[Json]]:
    """The events of the streams of claude-sonnet-5-5, of which only streams are in the open recordings."""
    lines = [exchange["sse"].splitlines() for exchange in recordings if "sse" in exchange]
    parsed = [[json.loads(line[5:]) for line in stream if line.startswith("data:")] for stream in lines]
    return [events for events in parsed if events[0].get("message", {}).get("model") == MODEL]


def test_message_and_usage_keys_stand_as_recorded(recordings: list[Json]) -> None:
    start = streams(recordings)[0][0]["message"]
    usage = {tuple(body["usage"]) for body in recorded_messages(recordings)}
    for name in NAMES:
        for body in bodies(name):
            assert tuple(body) == tuple(start)
            assert tuple(body["usage"]) in usage
            assert body["usage"]["cache_creation"].keys() == start["usage"]["cache_creation"].keys()
        for message in opened(name):
            assert tuple(message) == tuple(start)
            assert tuple(message["usage"]) == tuple(start["usage"])


def test_blocks_have_the_recorded_keys_in_the_recorded_order(recordings: list[Json]) -> None:
    blocks = [block for body in recorded_messages(recordings) for block in body["content"]]
    started = [event["content_block"] for events in streams(recordings) for event in events if "content_block" in event]
    known = {(block["type"], *block) for block in [*blocks, *started]}
    ours = [block for name in NAMES for body in bodies(name) for block in body["content"]]
    assert {(block["type"], *block) for block in ours} <= known
    inner = {(part["type"], *part) for block in blocks for part in _parts(block)}
    assert {(part["type"], *part) for block in ours for part in _parts(block)} <= inner


def _parts(block: Json) -> list[Json]:
    content = block["content"] if isinstance(block.get("content"), list) else []
    return [*content, *block.get("citations", [])]


def test_events_given_word_by_word_have_the_recorded_keys(recordings: list[Json]) -> None:
    known = {(event["type"], *event) for events in streams(recordings) for event in events}
    deltas = {tuple(event["delta"]) for events in streams(recordings) for event in events if "delta" in event}
    for name in NAMES:
        for event in (event for answer in answers(name) for event in answer.events or []):
            assert isinstance(event, dict)
            assert (event["type"], *event) in known or event["type"] == "error"
            assert event["type"] != "content_block_delta" or tuple(event["delta"]) in deltas


def test_errors_have_the_recorded_envelope(recordings: list[Json]) -> None:
    refused = [exchange["response"] for exchange in recordings if isinstance(exchange.get("response"), dict)]
    envelopes = {tuple(body["error"]) for body in refused if next(iter(body)) == "type" and "error" in body}
    kinds = {body["error"].get("type") for body in refused if "error" in body}
    for answer in (answer for name in NAMES for answer in answers(name)):
        if answer.body is None or answer.status in (200, 413):
            continue
        assert tuple(answer.body) == ("type", "error")
        assert tuple(key for key in answer.body["error"] if key != "details") in envelopes
        assert answer.body["error"]["type"] in kinds or answer.status in (402, 403)


@pytest.mark.parametrize("path", sorted(FIXTURES.glob("*.json")), ids=lambda path: path.stem)
def test_nothing_in_it_is_secret_or_somebody_elses(path: Any) -> None:
    text = path.read_text(encoding="utf-8")
    assert not re.search(r"sk-ant-|Bearer |x-api-key|AKIA[0-9A-Z]{16}|-----BEGIN", text)
    assert all(domain == "example.com" for domain in re.findall(r"[\w.+-]+@([\w.-]+\w)", text))
    hosts = set(re.findall(r"https?://([\w.-]+)", text))
    own = ("docs.claude.com", "console.anthropic.com", "www.anthropic.com", "json-schema.org")
    assert all(host.endswith(".example") or host in own for host in hosts)

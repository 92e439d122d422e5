"""Composed conversations: a right loop plays each to its end, each known bug is given away by one of their traits."""

from __future__ import annotations

import itertools
import json
import random
import re
from typing import Any

import jiter
import jsonschema
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from autograder.messages_api.composed_plan import drawn, survivable
from autograder.messages_api.composition import (
    ENDINGS,
    NEVER_DRAWN,
    STREAMED,
    TRAITS,
    compose,
    failing_calls,
    way_to_the_end,
)
from autograder.messages_api.double import Double
from autograder.messages_api.identifiers import looks_real
from autograder.messages_api.request_rules import refusal
from autograder.messages_api.scenario import Exchange, Scenario, load
from tests.messages_api import bugs_in_endings as endings
from tests.messages_api import bugs_in_turns as turns
from tests.messages_api.builders import ask, user
from tests.messages_api.loops import STATUSES, Loop, Run, final_text
from tests.messages_api.test_fixtures import _parts, bodies, recorded_messages, streams
from tests.messages_api.test_known_bugs import signs
from tests.messages_api.worlds import World, world

Json = dict[str, Any]

SEEDS = [f"seed {number}" for number in range(5)]
ON_THE_WAY = [trait for trait in TRAITS if trait not in ENDINGS]
EVERYTHING = [[*ON_THE_WAY, ending] for ending in ENDINGS if ending != "cut_text"]
MIXTURES = [[], *[[trait] for trait in TRAITS], ["cut_call", "parallel"], *EVERYTHING]
ANY_TRAITS = st.sets(st.sampled_from(ON_THE_WAY)).flatmap(
    lambda traits: st.sampled_from([None, *ENDINGS]).map(lambda end: traits | {end} if end else traits)
)


def is_possible(traits: set[str]) -> bool:
    return not ("cut_text" in traits and traits & {"cut_call", "cut_thinking"})


def messages(scenario: Scenario) -> list[Json]:
    answers = [answer for exchange in scenario.exchanges for answer in exchange.answers]
    return [answer.body for answer in answers if answer.body is not None and answer.status == 200]


def parts(scenario: Scenario) -> list[Exchange]:
    return [exchange for exchange in way_to_the_end(scenario) if exchange.id.startswith("part_")]


def expected(scenario: Scenario) -> tuple[str, str]:
    """Status and text that a right loop has at the end."""
    last = way_to_the_end(scenario)[-1]
    answer = last.answers[-1]
    if answer.events is not None:
        broken = answer.events[-1]
        return ("failed: overloaded_error" if isinstance(broken, dict) and broken["type"] == "error" else "unknown"), ""
    if answer.body is None or answer.status != 200:
        return f"failed: {answer.status}", ""
    told = [final_text(each.message) for each in [*parts(scenario), last] if each.message]
    status, text = STATUSES.get(answer.body["stop_reason"], "unknown"), "".join(told)
    if status == "done" and not text.strip():
        return "empty", ""
    return status, "" if status in ("refused", "unknown") else text


def played(scenario: Scenario) -> tuple[Run, World]:
    scene = world(scenario, "end", TimeoutError())
    return Loop(scene).run(), scene


def plays_to_its_end(scenario: Scenario) -> Run:
    """The run of a right loop, held against everything that it has to meet, run and get."""
    run, scene = played(scenario)
    status, text = expected(scenario)
    assert run.status == status or (status.startswith("failed: ") and run.status.startswith(status))
    assert (run.text, run.notes) == (text, [])
    met = [exchange for exchange, _ in scene.answered]
    way = [exchange.id for exchange in way_to_the_end(scenario)]
    assert [each for each in dict.fromkeys(met) if not each.startswith("cut_")] == way
    assert not {each for each in met if each.startswith("otherwise")}
    assert run.requests <= 20 + len(parts(scenario)) + 2
    return run


@pytest.mark.parametrize(
    "traits", MIXTURES, ids=lambda traits: "+".join(traits[:2]) + (traits[-1] if traits[2:] else "")
)
@pytest.mark.parametrize("seed", SEEDS)
def test_a_right_loop_plays_every_trait_to_its_end(traits: list[str], seed: str) -> None:
    plays_to_its_end(compose(seed, traits=traits))


@pytest.mark.parametrize("seed", SEEDS)
def test_a_stream_carries_the_same_conversation(seed: str) -> None:
    for traits in ([*ON_THE_WAY, "stop_sequence"], ["pause", "mixed", "thinking"], ["cut_text"], ["refusal"]):
        scenario = compose(seed, traits=traits)
        streamed, plain = (
            Loop(world(scenario, "end", TimeoutError(), stream=stream)).run() for stream in (True, False)
        )
        assert streamed == plain


@settings(max_examples=6000)
@given(seed=st.text(), traits=ANY_TRAITS.filter(is_possible))
def test_a_right_loop_plays_any_mixture_under_any_seed(seed: str, traits: set[str]) -> None:
    plays_to_its_end(compose(seed, traits=traits))


@settings(max_examples=6000)
@given(seed=st.text(), lesson=st.integers(5, 18))
def test_a_drawn_mixture_is_one_that_its_lesson_lives_with(seed: str, lesson: int) -> None:
    scenario = compose(seed, lesson=lesson)
    said = scenario.title.removeprefix("Composed: ").split(", ")
    assert set(said) <= {*survivable(lesson), "calls and an answer"}
    assert not scenario.request.stream
    plays_to_its_end(scenario)


def test_every_trait_that_may_be_drawn_is_drawn_sooner_or_later() -> None:
    found = {trait for number in range(200) for trait in drawn(random.Random(number), 12)}
    assert found == set(TRAITS) - NEVER_DRAWN


def test_the_same_seed_gives_the_same_conversation_and_another_seed_another() -> None:
    for traits in MIXTURES:
        one, same, other = (compose(seed, traits=traits).model_dump_json() for seed in ("a", "a", "b"))
        assert one == same
        assert not set(re.findall(r"(?:toolu|msg)_01\w+", one)) & set(re.findall(r"(?:toolu|msg)_01\w+", other))


def test_prompts_answers_tools_and_orders_differ_from_seed_to_seed() -> None:
    many = [compose(f"s{number}", traits=["parallel", "preamble", "renamed_tools"]) for number in range(12)]
    assert len({scenario.prompt for scenario in many}) == 12
    assert len({final_text(way_to_the_end(scenario)[-1].message or {}) for scenario in many}) == 12
    assert len({json.dumps([tool["name"] for tool in scenario.tools]) for scenario in many}) > 6
    runs = [tuple(name for name, _ in played(scenario)[0].ran) for scenario in many]
    assert len(set(runs)) > 9


def test_tools_are_offered_in_another_order() -> None:
    orders = {tuple(tool["name"] for tool in compose(f"s{number}", traits=[]).tools) for number in range(12)}
    assert len(orders) > 6


def test_a_request_that_has_to_stream_says_so() -> None:
    assert {trait for trait in TRAITS if compose("a", traits=[trait]).request.stream} == STREAMED


def test_the_seed_stands_nowhere_in_the_conversation() -> None:
    assert "secret seed" not in compose("secret seed").model_dump_json()


# What a composed conversation looks like.


@pytest.mark.parametrize("traits", MIXTURES[:-1], ids=lambda traits: "+".join(traits[:2]))
def test_ids_look_real_and_no_call_is_made_twice(traits: list[str]) -> None:
    for seed in SEEDS:
        scenario = compose(seed, traits=traits)
        ids = re.findall(r'"((?:msg|toolu|srvtoolu|req)_[^"]*)"', scenario.model_dump_json())
        assert all(map(looks_real, ids))
        ran = [call for call in played(scenario)[0].ran if call[1] != "{}"]
        assert len(set(ran)) == len(ran)


def test_shapes_are_those_of_the_committed_scenarios() -> None:
    names = [
        "first_answer",
        "parallel_calls",
        "two_pauses",
        "mixed_turn",
        "refused_midway",
        "busy_in_mid_run",
        "cut_call",
    ]
    theirs = [body for name in names for body in bodies(name)]
    blocks = {(block["type"], *block) for body in theirs for block in body["content"]}
    inner = {(part["type"], *part) for body in theirs for block in body["content"] for part in _parts(block)}
    for body in (body for traits in MIXTURES for seed in SEEDS for body in messages(compose(seed, traits=traits))):
        assert tuple(body) == tuple(theirs[0])
        assert tuple(body["usage"]) in {tuple(each["usage"]) for each in theirs}
        assert {(block["type"], *block) for block in body["content"]} <= blocks
        assert {(part["type"], *part) for block in body["content"] for part in _parts(block)} <= inner
        assert (body["stop_details"] is not None) == (body["stop_reason"] == "refusal")
        assert (body["stop_sequence"] is not None) == (body["stop_reason"] == "stop_sequence")


def test_shapes_are_the_recorded_ones(recordings: list[Json]) -> None:
    whole = compose("a", traits=EVERYTHING[0])
    recorded = recorded_messages(recordings)
    usage = {tuple(body["usage"]) for body in recorded}
    known = {(block["type"], *block) for body in recorded for block in body["content"]}
    known |= {
        (event["content_block"]["type"], *event["content_block"])
        for events in streams(recordings)
        for event in events
        if "content_block" in event
    }
    assert {tuple(body["usage"]) for body in messages(whole)} <= usage
    assert {(block["type"], *block) for body in messages(whole) for block in body["content"]} <= known


@pytest.mark.parametrize("traits", MIXTURES, ids=lambda traits: "+".join(traits[:2]))
def test_usage_grows_with_the_history_and_keeps_within_max_tokens(traits: list[str]) -> None:
    for seed in SEEDS:
        scenario = compose(seed, traits=traits)
        way = [each.message for each in way_to_the_end(scenario) if each.message]
        counts = [message["usage"]["input_tokens"] for message in way]
        assert counts == sorted(set(counts))
        for exchange in scenario.exchanges:
            if exchange.message is None:
                continue
            usage, bound = exchange.message["usage"], exchange.when.max_tokens
            assert 0 < usage["output_tokens"]
            assert usage["output_tokens_details"]["thinking_tokens"] <= usage["output_tokens"]
            thinks = any(block["type"] == "thinking" for block in exchange.message["content"])
            assert (usage["output_tokens_details"]["thinking_tokens"] > 0) == thinks
            if exchange.message["stop_reason"] == "max_tokens":
                assert scenario.request.max_tokens <= usage["output_tokens"]
                assert bound is None or usage["output_tokens"] < (bound.below or 0)
                # So few words are cut off only where thinking took the rest.
                assert usage["output_tokens_details"]["thinking_tokens"] > usage["output_tokens"] / 2


def test_a_search_of_the_server_is_counted_where_it_can_happen() -> None:
    for traits, there in ((["pause"], True), (["mixed"], True), (["parallel"], False)):
        for message in messages(compose("a", traits=traits)):
            searches = sum(block["type"] == "server_tool_use" for block in message["content"])
            found = message["usage"].get("server_tool_use")
            assert found == ({"web_search_requests": searches, "web_fetch_requests": 0} if there else None)


@pytest.mark.parametrize("seed", SEEDS)
def test_inputs_are_valid_and_a_cut_one_is_the_beginning_of_it(seed: str) -> None:
    scenario = compose(seed, traits=["parallel", "cut_call", "no_argument_call"])
    schemas = {tool["name"]: tool["input_schema"] for tool in scenario.tools if "input_schema" in tool}
    for exchange in scenario.exchanges:
        for block in (exchange.message or {})["content"]:
            partial = exchange.answers[0].partial_json.get(block.get("id", ""))
            if partial is not None:
                assert block["input"] == jiter.from_json(partial.encode(), partial_mode=True)
                whole = [json.dumps(b["input"]) for m in messages(scenario) for b in m["content"] if "input" in b]
                assert any(text.startswith(partial) and text != partial for text in whole)
            elif block["type"] == "tool_use":
                jsonschema.validate(block["input"], schemas[block["name"]])


def test_every_request_of_a_right_loop_passes_the_rules() -> None:
    for traits in MIXTURES:
        scenario = compose("a", traits=traits)
        _, scene = played(scenario)
        for call in scene.scenario.transcript:
            assert refusal(call.request, on=scenario.provenance.date) is None


def test_a_composed_conversation_is_honest_about_itself() -> None:
    provenance = compose("a", traits=["pause", "busy"]).provenance
    assert provenance.kind == "written"
    assert provenance.note.startswith("Composed from a seed, with these traits: busy, pause.")


# What each trait is.


def way(seed: str, *traits: str) -> list[Json]:
    return [each.message for each in way_to_the_end(compose(seed, traits=traits)) if each.message]


def kinds(message: Json) -> list[str]:
    return [block["type"] for block in message["content"]]


@pytest.mark.parametrize("seed", SEEDS)
def test_traits_show_in_the_conversation(seed: str) -> None:
    calls = [kinds(message).count("tool_use") for message in way(seed, "parallel")]
    assert 2 <= max(calls) <= 5
    assert any(kinds(message)[-2:] == ["text", "tool_use"] for message in way(seed, "preamble"))
    assert kinds(way(seed, "thinking")[0])[0] == "thinking"
    blanks = [
        block["text"] for message in way(seed, "blank_text")[:-1] for block in message["content"] if "text" in block
    ]
    assert blanks[0] == ""
    assert blanks[1].isspace()
    assert len(way(seed, "many_turns")) > 12
    assert any(block.get("input") == {} for message in way(seed, "no_argument_call") for block in message["content"])
    assert any(kinds(message)[-2:] == ["server_tool_use", "tool_use"] for message in way(seed, "mixed"))


@pytest.mark.parametrize("seed", SEEDS)
def test_pauses_come_in_a_row_and_again_after_a_call(seed: str) -> None:
    reasons = [message["stop_reason"] for message in way(seed, "pause")]
    rows = [len(row.split()) for row in re.findall(r"(?:pause_turn ?)+", " ".join(reasons))]
    assert len(rows) == 2
    assert max(rows) >= 2
    for paused, after in itertools.pairwise(way(seed, "pause")):
        if paused["stop_reason"] == "pause_turn":
            assert paused["content"][-1]["type"] == "server_tool_use"
            assert after["content"][0]["tool_use_id"] == paused["content"][-1]["id"]


@pytest.mark.parametrize("ending", ENDINGS)
def test_the_result_of_an_open_search_begins_the_next_reply_and_no_such_reply_is_cut(ending: str) -> None:
    calls = [] if ending == "cut_text" else ["cut_call", "cut_thinking"]
    for seed in SEEDS:
        scenario = compose(seed, traits=["mixed", "pause", *calls, ending])
        for before, after in itertools.pairwise(way_to_the_end(scenario)):
            blocks = (before.message or {})["content"]
            found = {block.get("tool_use_id") for block in blocks}
            searches = [block["id"] for block in blocks if block["type"] == "server_tool_use"]
            still_open = [identifier for identifier in searches if identifier not in found]
            first = ((after.message or {}).get("content") or [{}])[0]
            assert [first.get("tool_use_id")] == (still_open or [None])
            cut = [each for each in scenario.exchanges if each.follows == before.id and each.when.max_tokens]
            assert not (still_open and cut)


@pytest.mark.parametrize("seed", SEEDS)
def test_a_text_is_cut_beside_a_space(seed: str) -> None:
    told = [final_text(message) for message in way(seed, "cut_text") if message["stop_reason"] != "tool_use"]
    assert len(told) >= 2
    for one, other in itertools.pairwise(told):
        assert one[-1].isspace() or other[0].isspace()


def test_no_call_is_made_twice_where_there_are_few_inputs() -> None:
    tool = {
        "name": "check_stock",
        "description": "Count what is there.",
        "input_schema": {"type": "object", "properties": {"shelf": {"enum": list(range(20))}}, "required": ["shelf"]},
    }
    for seed in SEEDS:
        scenario = compose(seed, tools=[tool], traits=["many_turns", "tool_failure"])
        made = [
            repr(block["input"]) for each in way_to_the_end(scenario)[:-1] for block in (each.message or {})["content"]
        ]
        assert len(made) == len(set(made)) == 12


def test_parallel_calls_are_two_to_five() -> None:
    many = [kinds(message).count("tool_use") for n in range(40) for message in way(f"s{n}", "parallel")]
    assert {2, 3, 4, 5} < set(many) <= {0, 1, 2, 3, 4, 5}


@pytest.mark.parametrize("seed", SEEDS)
def test_a_failed_call_is_tried_again_with_another_input(seed: str) -> None:
    scenario = compose(seed, traits=["tool_failure", "parallel"])
    (failing,) = failing_calls(scenario)
    later = [
        block for message in messages(scenario) for block in message["content"] if block.get("name") == failing["name"]
    ]
    assert any(block["input"] != failing["input"] for block in later)
    assert failing_calls(compose(seed, traits=["parallel"])) == []


@pytest.mark.parametrize("seed", SEEDS)
def test_after_a_failed_write_every_later_call_of_the_reply_is_an_error(seed: str) -> None:
    scenario = compose(seed, traits=["write_failure"])
    failing = failing_calls(scenario)
    reply = next(m for m in messages(scenario) if failing[0] in m["content"])
    assert failing[0]["name"] == "process_refund"
    assert [block for block in reply["content"] if block["type"] == "tool_use"][-len(failing) :] == failing
    assert len(failing) >= 2


def test_other_results_than_the_right_ones_get_another_answer() -> None:
    scenario = compose("a", traits=["tool_failure"])
    for exchange in way_to_the_end(scenario)[:-1]:
        others = [each for each in scenario.exchanges if each.follows == exchange.id]
        assert [each.when.is_error is None for each in others] == [False, True]


def test_a_refusal_has_an_answer_of_another_model() -> None:
    scenario = compose("a", traits=["refusal"])
    other = next(each for each in scenario.exchanges if each.id == "another_model")
    assert other.when.model == (other.message or {})["model"] == "claude-opus-4-8"


def test_a_client_that_does_not_stream_gets_the_answer_of_a_broken_stream() -> None:
    for trait in sorted(STREAMED):
        scene = world(compose("a", traits=[trait]), "end")
        del scene.request["stream"]
        run = Loop(scene).run()
        assert run.status == "done"


# Its base, its tools, and what cannot be.


def test_tools_system_prompt_model_and_day_come_from_the_base() -> None:
    base = load("two_pauses")
    scenario = compose("a", base="two_pauses", traits=["pause"])
    assert sorted(tool["name"] for tool in scenario.tools) == sorted(tool["name"] for tool in base.tools)
    assert (scenario.system, scenario.request.model) == (base.system, base.request.model)
    assert scenario.provenance.date == base.provenance.date
    plays_to_its_end(scenario)


ROOM = {
    "name": "book_room",
    "description": "Book a room. Not for find_room.",
    "input_schema": {
        "type": "object",
        "properties": {
            "room_id": {"type": "string"},
            "kind": {"enum": ["single", "double"]},
            "nights": {"type": "integer", "minimum": 1, "maximum": 21},
            "guest": {"type": "object", "properties": {"email": {"type": "string"}}, "required": ["email"]},
            "days": {"type": "array", "items": {"type": "string", "format": "date"}},
            "breakfast": {"type": ["boolean", "null"]},
        },
        "required": ["room_id", "kind", "nights", "guest", "days", "breakfast"],
        "additionalProperties": False,
    },
}
FIND = {"name": "find_room", "description": "Find a room.", "input_schema": {"type": "object", "properties": {}}}


@settings(max_examples=6000)
@given(seed=st.text())
def test_any_tools_will_do(seed: str) -> None:
    scenario = compose(seed, tools=[FIND, ROOM], traits=[*ON_THE_WAY, "refusal"], writes=frozenset({"book_room"}))
    plays_to_its_end(scenario)
    for block in (block for message in messages(scenario) for block in message["content"]):
        if block.get("name") == "book_room" and len(block["input"]) == 6:
            jsonschema.validate(block["input"] | {"nights": 1}, ROOM["input_schema"])


def test_a_mixture_that_is_drawn_is_possible_with_the_tools_there_are() -> None:
    for number in range(60):
        plays_to_its_end(compose(f"s{number}", tools=[FIND], lesson=12))


def test_other_names_of_tools_stand_in_the_descriptions_too() -> None:
    scenario = compose("a", tools=[FIND, ROOM], traits=["renamed_tools"], writes=frozenset())
    names = {tool["name"] for tool in scenario.tools}
    assert not names & {"find_room", "book_room"}
    book = next(tool for tool in scenario.tools if tool["name"].startswith("book_room"))
    assert book["description"].removeprefix("Book a room. Not for ").removesuffix(".") in names


def test_a_prompt_of_ones_own_stays() -> None:
    assert compose("a", prompt="Where is my tent?").prompt == "Where is my tent?"


def test_the_prompt_names_what_the_calls_are_about() -> None:
    scenario = compose("a", traits=["many_turns"])
    inputs = json.dumps([block["input"] for m in messages(scenario) for block in m["content"] if "input" in block])
    named = re.findall(r"[A-Z]-\d{4}", scenario.prompt)
    assert named
    assert all(number in inputs for number in named)


def test_the_first_request_is_answered_as_it_stands_in_the_scenario() -> None:
    scenario = compose("a", traits=["stop_sequence"])
    request = scenario.request.model_dump(mode="json", exclude_unset=True)
    assert ask(Double(scenario), request).status == 200
    assert request["messages"] == [user(scenario.prompt)]
    assert request["stop_sequences"] == [(way_to_the_end(scenario)[-1].message or {})["stop_sequence"]]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        pytest.param({"traits": ["paralel"]}, "there is no trait 'paralel'; nearest: parallel", id="unknown"),
        pytest.param({"traits": ["refusal", "cut_text"]}, "ends once: choose one of cut_text, refusal", id="two ends"),
        pytest.param({"traits": ["cut_text", "cut_call"]}, "cut_text excludes cut_call", id="budgets"),
        pytest.param(
            {"traits": ["write_failure"], "tools": [FIND]}, "needs one of the tools process_refund", id="write"
        ),
        pytest.param({"traits": ["tool_failure"], "tools": [FIND]}, "a tool whose schema requires", id="no argument"),
        pytest.param({"traits": [], "tools": []}, "needs a tool of the client", id="no tools"),
    ],
)
def test_what_cannot_be_is_said(arguments: Json, said: str) -> None:
    with pytest.raises(ValueError, match=re.escape(said)):
        compose("a", **arguments)


# bug, how it is given away, by which traits
TABLE: list[tuple[type[Loop], str, str]] = [
    (turns.FirstCallOnly, "refused", "parallel"),
    (turns.DropsTheAssistantTurn, "refused", ""),
    (turns.KeepsTextOnly, "refused", ""),
    (turns.KeepsCallsOnly, "altered", "preamble"),
    (turns.DropsThinking, "altered", "thinking"),
    (turns.SendsTheWholeMessage, "refused", ""),
    (turns.RebuildsIds, "refused", ""),
    (turns.EchoesBlankText, "refused", "blank_text"),
    (turns.ResendsTheLastTurnOnly, "refused", ""),
    (turns.ForgetsTheQuestion, "altered", ""),
    (turns.ForgetsTheQuestion, "altered", "many_turns"),
    (turns.TextBeforeResults, "refused", ""),
    (turns.TextAfterResults, "refused", "mixed"),
    (turns.AnswersTwice, "refused", ""),
    (turns.AnswersBetweenTurns, "refused", "parallel"),
    (turns.AnswersServerCalls, "refused", "mixed"),
    (turns.StopsAtTheFirstText, "tools", "preamble"),
    (turns.StopsAtTheWordDone, "tools", "preamble"),
    (turns.StopsAfterTenRequests, "requests", "many_turns"),
    (turns.CollectsAllText, "result", "preamble"),
    (turns.FixesTheOrderOfTools, "tools", "many_turns"),
    (turns.FixesTheOrderOfTools, "tools", "renamed_tools"),
    (turns.DecidesByBlocks, "tools", "cut_call"),
    (turns.DecidesByBlocks, "tools", "broken_stream"),
    (turns.AnythingElseIsTools, "refused", "pause"),
    (turns.AnythingElseIsTools, "refused", "cut_text"),
    (turns.BelievesToolUse, "refused", "tool_use_without_call"),
    *[
        (turns.AnythingElseIsDone, "result", trait)
        for trait in ("refusal", "unknown_reason", "window_full", "tool_use_without_call")
    ],
    *[
        (turns.KnowsFourReasons, "died", trait)
        for trait in ("pause", "stop_sequence", "refusal", "unknown_reason", "window_full")
    ],
    (turns.ReadsTheFirstBlock, "died", "thinking"),
    (turns.ReadsTheFirstBlock, "died or result", "empty_ending"),
    (turns.LetsToolErrorsRise, "died", "tool_failure"),
    (turns.HidesToolErrors, "result", "tool_failure"),
    (turns.ReportsAnEmptyError, "refused", "tool_failure"),
    (turns.TakesTextForAnError, "result", ""),
    (turns.WritesOnAfterAFailure, "tools", "write_failure"),
    (endings.PauseIsTheEnd, "result", "pause"),
    (endings.SaysContinue, "refused", "pause"),
    (endings.MakesUpAServerResult, "refused", "pause"),
    (endings.ReplacesPartialContent, "refused", "pause"),
    (endings.RetriesAPauseAsItWas, "died", "pause"),
    (endings.ResumesWithoutTools, "refused", "pause"),
    (endings.PausesInAll, "result", "pause"),
    (endings.RunsACutCall, "tools", "cut_call"),
    (endings.RunsTheWholeCallsOfACutTurn, "tools", "cut_call parallel"),
    (endings.AppendsACutTurn, "refused", "cut_call"),
    (endings.SameBudgetAgain, "died", "cut_call"),
    (endings.SameBudgetAgain, "died", "cut_thinking"),
    (endings.CutIsTheEnd, "result", "cut_call"),
    (endings.CutIsTheEnd, "result", "cut_thinking"),
    (endings.PrefillsACutText, "refused", "cut_text"),
    (endings.LosesTheFirstHalf, "result", "cut_text"),
    (endings.StripsTheParts, "result", "cut_text"),
    (endings.RetriesARefusal, "requests", "refusal"),
    (endings.SendsTheEmptyTurnBack, "refused or died", "empty_ending"),
    (endings.CountsTheLastReplyOnly, "usage", ""),
    (endings.ParsesEveryFragment, "died", "no_argument_call"),
    (endings.SwallowsErrorEvents, "result", "stream_error"),
    (endings.SwallowsErrorEvents, "result", "broken_stream"),
    (endings.RunsACallOfABrokenStream, "tools", "broken_stream"),
    (endings.NeverRetries, "result", "busy"),
    (endings.NeverRetries, "result", "lost_connection"),
    (endings.RetriesWhatIsJson, "result", "busy"),
    (endings.RetriesWhatIsJson, "result", "lost_connection"),
    (endings.RetriesEverything, "requests", "api_error"),
]


def given_away(bug: type[Loop], traits: list[str], seed: str) -> set[str]:
    """The signs by which a bug shows in one composed conversation; "died" when it raises."""
    scenario = compose(seed, traits=traits)
    stream = bug is endings.ParsesEveryFragment
    right, wrong = (world(scenario, "end", TimeoutError(), stream=stream) for _ in range(2))
    run = Loop(right).run()
    try:
        return signs(bug(wrong).run(), run)
    except (RuntimeError, TimeoutError, KeyError, IndexError, ValueError):
        return {"died"}


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize(("bug", "sign", "traits"), TABLE, ids=lambda value: getattr(value, "__name__", value))
def test_the_bug_is_given_away(bug: type[Loop], sign: str, traits: str, seed: str) -> None:
    assert given_away(bug, traits.split(), seed) & set(sign.split(" or "))


def test_every_bug_has_a_row() -> None:
    known = {
        value for value in (vars(turns) | vars(endings)).values() if isinstance(value, type) and issubclass(value, Loop)
    }
    assert known - {Loop} == {bug for bug, *_ in TABLE}


def test_every_trait_gives_a_bug_away() -> None:
    assert {trait for _, _, traits in TABLE for trait in traits.split()} == set(TRAITS)


def test_the_right_loop_has_no_sign() -> None:
    for _, _, traits in TABLE:
        for seed in SEEDS:
            assert given_away(Loop, traits.split(), seed) == set()

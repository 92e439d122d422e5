from __future__ import annotations

import copy
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from autograder.messages_api.normal import comparable, merged, normalised
from tests.messages_api.builders import assistant, call, result, text, user

_VALUES = st.none() | st.booleans() | st.integers(0, 99) | st.text("ab ", max_size=4)
_INPUTS = st.dictionaries(
    st.sampled_from(["city", "caller", "cache_control", "type"]),
    _VALUES | st.lists(_VALUES, max_size=2) | st.dictionaries(st.sampled_from(["caller", "n"]), _VALUES, max_size=2),
    max_size=3,
)
_NAMES = st.text("abc_", min_size=1, max_size=5)
_CALLS = st.builds(lambda name, given: call(f"toolu_{name}", name, **given), _NAMES, _INPUTS)
_BLOCKS = st.one_of(
    st.builds(text, st.text("ab \n", max_size=5)),
    _CALLS,
    st.builds(lambda name, words: result(f"toolu_{name}", words), _NAMES, st.text("ab", max_size=5)),
    st.builds(lambda words: {"type": "thinking", "thinking": words, "signature": "E" + words}, _NAMES),
    st.builds(lambda inner: {"type": "web_search_tool_result", "content": [inner]}, _INPUTS),
)


@given(block=_BLOCKS)
def test_normalising_twice_is_normalising_once(block: dict[str, Any]) -> None:
    assert normalised(normalised(block)) == normalised(block)


@given(blocks=st.lists(_BLOCKS, max_size=4))
def test_comparing_what_was_compared_changes_nothing(blocks: list[dict[str, Any]]) -> None:
    assert comparable(comparable(blocks)) == comparable(blocks)


@given(block=_BLOCKS, marker=st.sampled_from(["cache_control", "caller", "toolset_name", "citations"]))
def test_nulls_cache_markers_and_callers_make_no_difference(block: dict[str, Any], marker: str) -> None:
    value = {"type": "ephemeral"} if marker in ("cache_control", "caller") else None
    assert (
        normalised(block | {marker: value}) == normalised(block | {marker: None}) == normalised(_without(block, marker))
    )


@given(block=_CALLS, other=_INPUTS)
def test_an_input_is_compared_word_for_word_nulls_included(block: dict[str, Any], other: dict[str, Any]) -> None:
    assert normalised(block)["input"] == block["input"]
    assert (normalised(block | {"input": other}) == normalised(block)) == (other == block["input"])


@given(block=_BLOCKS)
def test_another_id_is_another_block(block: dict[str, Any]) -> None:
    for key in ("id", "tool_use_id", "signature"):
        if key in block:
            assert normalised(block | {key: block[key] + "x"}) != normalised(block)


@given(block=_BLOCKS)
def test_normalising_leaves_the_original_alone(block: dict[str, Any]) -> None:
    before = copy.deepcopy(block)
    normalised(block)
    assert block == before


def test_a_string_is_one_text_block_in_a_turn_and_in_a_result() -> None:
    assert merged([user("hello")])[0].blocks == [text("hello")]
    assert normalised(result("toolu_1", "found")) == normalised(result("toolu_1", [text("found")]))  # type: ignore[arg-type]


def test_neighbours_of_one_role_are_one_turn() -> None:
    turns = merged([user("a"), user("b"), assistant("c"), assistant([text("d")]), user("e")])
    assert [(turn.number, turn.role, len(turn.blocks)) for turn in turns] == [
        (0, "user", 2),
        (1, "assistant", 2),
        (2, "user", 1),
    ]


def test_merging_does_not_change_what_was_sent() -> None:
    messages = [user([text("a")]), user([text("b")])]
    merged(messages)
    assert messages == [user([text("a")]), user([text("b")])]


def _without(block: dict[str, Any], key: str) -> dict[str, Any]:
    return {name: value for name, value in block.items() if name != key}

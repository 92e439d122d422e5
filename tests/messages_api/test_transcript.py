from __future__ import annotations

import json

import pytest

from autograder.messages_api.transcript import Call, Transcript


def a_transcript() -> Transcript:
    transcript = Transcript()
    transcript.add("/v1/messages", {"max_tokens": 1}, 200, {"type": "message"}, ["altered: a", "altered: b"])
    transcript.add("/v1/messages", {}, 400, {"type": "error"})
    transcript.add("/v1/messages/count_tokens", {}, 200, {"input_tokens": 3}, ["altered: c"])
    return transcript


def test_it_reads_like_a_tuple_of_numbered_calls() -> None:
    transcript = a_transcript()
    assert len(transcript) == 3
    assert [call.number for call in transcript] == [1, 2, 3]
    assert transcript[0] == Call(1, {"max_tokens": 1}, 200, {"type": "message"}, ("altered: a", "altered: b"))
    assert [call.number for call in transcript[1:]] == [2, 3]
    assert transcript[-1] == transcript.last
    assert transcript.last in transcript


def test_refused_calls_and_notes_can_be_asked_for() -> None:
    transcript = a_transcript()
    assert [call.number for call in transcript.refused] == [2]
    assert transcript.notes == ["altered: a", "altered: b", "altered: c"]


def test_it_survives_a_trip_as_json() -> None:
    transcript = a_transcript()
    assert Transcript.from_json(json.loads(json.dumps(transcript.to_json()))) == transcript


def test_what_is_read_from_it_is_a_copy() -> None:
    transcript = a_transcript()
    transcript[0].request["max_tokens"] = 99
    transcript.to_json()[0]["request"]["max_tokens"] = 99
    assert transcript[0].request == {"max_tokens": 1}


def test_it_says_in_one_line_what_it_holds() -> None:
    assert repr(Transcript()) == "Transcript without calls"
    assert repr(a_transcript()) == "Transcript of 3 calls (200, 400, 200)"


def test_an_empty_one_has_no_last_call() -> None:
    with pytest.raises(IndexError):
        _ = Transcript().last

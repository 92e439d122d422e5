"""How a composed conversation ends: one function for each ending, each adds the exchange "end".

What a loop may do about an ending stands beside it: a larger budget, another model, a client that does not stream.
"""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

from autograder.messages_api.composed_course import Course, answered
from autograder.messages_api.composed_plan import Ending
from autograder.messages_api.composed_replies import STAYING, text
from autograder.messages_api.sse import events_of

Json = dict[str, Any]

END = "end"
"""The id of the exchange that a right loop meets last."""
OTHER_MODEL = "claude-opus-4-8"

_CATEGORIES = ("cyber", "bio", "reasoning_extraction", "general_harms", None)
_NEW_REASONS = ("handed_over", "review_needed", "quota_reached", "tool_budget", "end_turn_early")
_SEQUENCES = ("---", "###", "END OF NOTE", "</note>")
_OVERLOADED = {"details": None, "type": "overloaded_error", "message": "Overloaded"}


def end(course: Course, ending: Ending | None, *, thinking: bool, bounds: list[int]) -> None:
    """Add the ending; None is an answer. `bounds`: the loop's `max_tokens`, and from where on nothing is cut."""
    if ending is None:
        _reply(course, course.opened(thinking=thinking) + _answer(course), "end_turn")
    elif ending == "cut_text":
        _cut_text(course, bounds)
    else:
        _ENDINGS[ending](course)
    course.close()


def _reply(course: Course, content: list[Json], stop_reason: str, **fields: Any) -> None:
    course.meet(END, answered(course.replies.message(content, stop_reason, **fields)))


def _sentence(course: Course) -> str:
    values = course.values
    about = course.subjects[-1] if course.subjects else values.topic()
    return (
        f"Case {values.mark()}, {about}: {values.carrier()} brings it on {values.day()}, "
        f"and {values.amount()} euros go back to {values.name()}."
    )


def _answer(course: Course) -> list[Json]:
    """The answer in one to three text blocks."""
    said = _sentence(course)
    places = sorted(course.random.sample(range(5, len(said) - 5), course.random.randint(0, 2)))
    return [text(said[i:j]) for i, j in zip([0, *places], [*places, len(said)], strict=True)]


def _broken_off(course: Course) -> list[Json]:
    said = _sentence(course)
    return [text(said[: course.random.randint(len(said) // 3, len(said) - 4)])]


def _cut_text(course: Course, bounds: list[int]) -> None:
    """A list in parts, cut between words; in one piece from the second bound on."""
    used, bound = bounds[0], bounds[1]
    items = [
        f"- {course.values.topic()}: {course.values.amount()} euros" for _item in range(course.random.randint(4, 7))
    ]
    whole = "\n".join([_sentence(course), "", *items]) + "\n"
    spaces = [place for place, letter in enumerate(whole[:-1]) if letter.isspace() and place > 9]
    cuts = sorted(course.random.sample(spaces, course.random.randint(1, 3)))
    # The space stands before or after the cut: nothing may be stripped.
    cuts = sorted({cut + course.random.randint(0, 1) for cut in cuts})
    body = course.replies.message([*course.opened(thinking=True), text(whole)], "end_turn", output=used + 1)
    course.add("whole", answered(body), max_tokens={"at_least": bound})
    for number, (start, stop) in enumerate(zip([0, *cuts], cuts, strict=False), 1):
        content = [*course.opened(thinking=True), text(whole[start:stop])]
        body = course.replies.message(content, "max_tokens", output=used)
        course.meet(f"part_{number}", answered(body))
        course.go_on(f"part_{number}", body)
    _reply(course, [text(whole[cuts[-1] :])], "end_turn")


def _empty(course: Course) -> None:
    blank: list[list[Json]] = [[], [], [text("\n\n")], [text("")]]
    _reply(course, course.random.choice(blank), "end_turn", output=3)


def _stop_sequence(course: Course) -> None:
    course.stop_sequence = course.random.choice(_SEQUENCES)
    _reply(course, _answer(course), "stop_sequence", stop_sequence=course.stop_sequence)


def _refusal(course: Course) -> None:
    """At once, or in mid-sentence. Another model answers the same request."""
    course.add(
        "another_model",
        answered(course.replies.message(_answer(course), "end_turn") | {"model": OTHER_MODEL}),
        model=OTHER_MODEL,
    )
    details = {"type": "refusal", "category": course.random.choice(_CATEGORIES), "explanation": None}
    if course.random.random() < 0.5:
        _reply(course, [], "refusal", output=1, stop_details=details)
    else:
        _reply(course, _broken_off(course), "refusal", stop_details=details)


def _unknown(course: Course) -> None:
    _reply(course, _answer(course), course.random.choice(_NEW_REASONS))


def _window_full(course: Course) -> None:
    _reply(course, _broken_off(course), "model_context_window_exceeded")


def _without_call(course: Course) -> None:
    _reply(course, [text(f"Now I look at {course.values.topic()}.")], "tool_use")


def _api_error(course: Course) -> None:
    course.meet(END, copy.deepcopy(course.random.choice(STAYING)))


def _stream_error(course: Course) -> None:
    body = course.replies.message(_answer(course), "end_turn")
    whole = events_of(body, body["id"])
    deltas = [n for n, event in enumerate(whole) if _is_delta(event, "text_delta")]
    error = {"type": "error", "error": dict(_OVERLOADED), "request_id": course.replies.identifier("req")}
    _streamed(course, body, [*whole[: course.random.choice(deltas) + 1], error])


def _broken_stream(course: Course) -> None:
    name = course.tool_with_arguments(writing=True)
    call = course.replies.message([course.replies.call(name, course.inputs(name))], "tool_use")
    whole = events_of(call, call["id"])
    deltas = [n for n, event in enumerate(whole) if _is_delta(event, "input_json_delta")]
    _streamed(course, course.replies.message(_answer(course), "end_turn"), whole[: course.random.choice(deltas) + 1])


def _streamed(course: Course, body: Json, events: list[Any]) -> None:
    """Events that do not come to an end; a client that does not stream gets the answer."""
    course.meet(END, {"status": 200, "events": events}, stream=True)
    course.add("unstreamed", answered(body))


def _is_delta(event: Any, kind: str) -> bool:
    return isinstance(event, dict) and bool(event.get("delta", {}).get("type") == kind)


_ENDINGS: dict[Ending, Callable[[Course], None]] = {
    "empty_ending": _empty,
    "stop_sequence": _stop_sequence,
    "refusal": _refusal,
    "unknown_reason": _unknown,
    "window_full": _window_full,
    "tool_use_without_call": _without_call,
    "api_error": _api_error,
    "stream_error": _stream_error,
    "broken_stream": _broken_stream,
}

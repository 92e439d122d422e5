"""A conversation that goes on for longer than any cap, with texts on the way that sound like an end."""

from __future__ import annotations

import random
from typing import Any

from autograder.checks.transcript import Conversation
from autograder.messages_api.composed_course import Course
from autograder.messages_api.composed_endings import end
from autograder.messages_api.composed_plan import Turn
from autograder.messages_api.composed_replies import Replies
from autograder.messages_api.composed_values import Values
from autograder.messages_api.identifiers import digest
from autograder.messages_api.scenario import from_json, load

REQUESTS = 25
"""It takes so many; a right loop of the lessons sends at most 20."""
TEXTS = (
    "Done. Task complete: the refund is complete. ",
    "That is all; let me know if you need anything else.\n\n",
    "TASK_COMPLETE: final answer follows.\n",
    "All done! Is there anything else?",
    "  Nothing is left to do ...\n",
)


def unending_conversation(seed: str) -> Conversation:
    """Compose a conversation of `REQUESTS` requests whose texts say long before the end that it is over."""
    base = load("order_first")
    source = random.Random(digest("unending", seed))
    values = Values(source)
    request: dict[str, Any] = base.request.model_dump(mode="json", exclude_unset=True)
    replies = Replies(seed, source, values, model=request["model"], history=700)
    course = Course(replies, values, source, tools=request["tools"], writing=frozenset({"process_refund"}))
    for number in range(REQUESTS - 1):
        thinking = number == 0
        course.turn(Turn("plain", calls=source.randint(1, 2)), thinking=thinking, bounds=[2048, 4096])
        reply = next(each for each in reversed(course.exchanges) if str(each["id"]).startswith("calls"))
        if number % 3 == 1:
            text = {"type": "text", "text": TEXTS[number // 3 % len(TEXTS)]}
            reply["response"]["body"]["content"].insert(0, text)
    end(course, None, thinking=False, bounds=[2048, 4096])
    request["messages"] = [{"role": "user", "content": f"Please tell me when {course.subjects[0]} has left.\n"}]
    provenance = {
        **base.provenance.model_dump(mode="json", exclude_unset=True),
        "kind": "written",
        "note": "Composed from a seed; shapes as in the composed conversations, texts and numbers invented.",
    }
    data = {
        "format": 1,
        "title": "A case without an end",
        "provenance": provenance,
        "request": request,
        "exchanges": course.exchanges,
    }
    return Conversation(from_json(data, name="a case without an end"))

"""Writes a planned conversation out, reply by reply, as the exchanges of a scenario.

After every reply with calls stand the exchanges that follow when the results are as the way to the end needs them, and
one more, without a condition, for all other results: a legal request always gets an answer.
"""

from __future__ import annotations

import json
import random
from typing import Any

import pydantic_core

from autograder.messages_api.composed_endings import ended
from autograder.messages_api.composed_plan import Kind, Plan, Turn
from autograder.messages_api.composed_replies import PASSING, PASSING_WITHOUT_JSON, Replies, text
from autograder.messages_api.composed_values import Values, cut_json

Json = dict[str, Any]

_NOTES = (
    "Now I look at {subject}.",
    "Next comes {subject}; then I know more.",
    "I have an idea about {subject}, let me see.",
    "Done. Only {subject} is left to look at.",
    "Done with the first part, here is my answer in short: wait for {subject}.",
)
_MISLEADING = _NOTES[3:]


class Course:
    """The exchanges of one conversation as they come about.

    `subjects` are what its calls are about, for a prompt; `stop_sequence` is what the request has to ask for, or "".
    """

    def __init__(
        self,
        replies: Replies,
        values: Values,
        source: random.Random,
        *,
        tools: list[Json],
        writes: frozenset[str],
        max_tokens: int,
    ) -> None:
        self.replies = replies
        self.values = values
        self.random = source
        self.max_tokens = max_tokens
        self.exchanges: list[Json] = []
        self.subjects: list[str] = []
        self.stop_sequence = ""
        self.when: Json = {}  # what the results of the last calls have to be
        self._last: str | None = None
        self._search: Json | None = None  # of the server, still open
        self._tools = {tool["name"]: tool for tool in tools if "input_schema" in tool}
        self._writes = writes
        self._made: set[str] = set()
        self._thinks = False
        self._is_fresh = True  # the next reply begins an assistant turn
        self._failed = ""  # the tool whose call has failed
        self._warned = False
        replies.searching = len(self._tools) < len(tools)

    def play(self, plan: Plan, *, busy: bool, thinking: bool) -> None:
        """Write the whole conversation."""
        self._thinks = thinking
        for turn in plan.turns:
            self._pause(turn.pauses)
            self._turn(turn)
        self._pause(plan.last_pauses)
        before = len(self.exchanges)
        ended(self, plan.ending)
        self.otherwise(before)
        if busy:
            self._make_busy()

    def answer(self, body: Json, **more: Any) -> Json:
        """A successful answer of the API."""
        return {"status": 200, "body": body, **more}

    def add(self, name: str, answer: Json, **when: Any) -> None:
        """Add an exchange that answers after the last reply, if the results are right and `when` holds."""
        conditions = {**self.when, **when}
        made = {"id": name, **({"follows": self._last} if self._last else {})}
        self.exchanges.append({**made, **({"when": conditions} if conditions else {}), "response": answer})

    def opened(self, *, thinking: bool | None = None) -> list[Json]:
        """The first blocks of a reply: the result of an open search, or else perhaps a thinking block."""
        if self._search is not None:
            return [self.replies.found(self._search)]
        begins = self._is_fresh and (len(self.exchanges) < 1 or self.random.random() < 0.4)
        return [self.replies.thinking()] if thinking or (thinking is None and self._thinks and begins) else []

    def enter(self, name: str, body: Json) -> None:
        """Make this reply the one that the next exchanges follow."""
        before = next(index for index, made in enumerate(self.exchanges) if made.get("follows") == self._last)
        self.replies.enters_the_history(body)
        self.otherwise(before)
        self._last, self.when = name, {}
        answered = {block.get("tool_use_id") for block in body["content"]}
        searches = [block for block in body["content"] if block["type"] == "server_tool_use"]
        self._search = next((block for block in searches if block["id"] not in answered), None)

    def otherwise(self, _before: int) -> None:
        """Add the answer to all other results of the last calls, after those that wait for the right ones."""
        if self.when.get("is_error"):
            words = f"Something in the results of case {self.values.mark()} is not as it should be; I stop here."
            opening = [self.replies.found(self._search)] if self._search is not None else []
            body = self.replies.message([*opening, text(words)], "end_turn")
            name = f"otherwise_{len(self.exchanges) + 1}"
            self.exchanges.append({"id": name, "follows": self._last, "response": self.answer(body)})

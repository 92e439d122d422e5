"""Message threads (beta): the server keeps the conversation, a request brings only its new turn.

The SDK's tool runner uses them by default: `thread: {type: create}` first, then `{type: continue,
previous_message_id}` (seen in anthropic 2.14.0; documentation "Message threads"). A thread the double does not know is
a 404 with the error code `thread_not_found`, after which the SDK sends the whole history again.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping
from typing import Any

from autograder.messages_api.normal import is_blank

BETA = "message-threads-"
Json = dict[str, Any]


class ThreadNotFoundError(LookupError):
    """The message to continue from is not known, or no longer."""


class Threads:
    """The conversations that a double holds for its clients, by the id of their latest reply."""

    def __init__(self) -> None:
        self._held: dict[str, Json] = {}

    def whole(self, body: Json, headers: Mapping[str, str]) -> tuple[Json, list[str]]:
        """The body with the history that the server holds, without its `thread`, and a note that says so.

        Without the beta header the field stays where it is, for the rules to refuse. Raises ThreadNotFoundError.
        """
        thread = body.get("thread")
        if not isinstance(thread, dict) or BETA not in headers.get("anthropic-beta", ""):
            return body, []
        sent = {key: value for key, value in body.items() if key != "thread"}
        if thread.get("type") != "continue":
            return sent, []
        held = self._held.get(str(thread.get("previous_message_id")))
        if held is None:
            raise ThreadNotFoundError(str(thread.get("previous_message_id")))
        new = sent.get("messages")
        messages = [*held["messages"], *new] if isinstance(new, list) else new
        return {**held, **sent, "messages": messages}, [f"thread: {len(held['messages'])} messages held by the server"]

    def keep(self, sent: Json, whole: Json, message: Json | None) -> None:
        """Hold the conversation with its new reply, if the request asked for that and the reply was not a refusal."""
        if message is None or not isinstance(sent.get("thread"), dict) or message.get("stop_reason") == "refusal":
            return
        held = {key: copy.deepcopy(value) for key, value in whole.items() if key not in ("stream", "tool_choice")}
        # What the server keeps itself it does not refuse, blank text included; the rules must not see it.
        content = [copy.deepcopy(block) for block in message.get("content") or [] if not is_blank(block)]
        if content:
            held["messages"].append({"role": "assistant", "content": content})
        self._held[str(message.get("id"))] = held

"""The parts of composed replies: blocks, whole Messages with the usage of a growing history, and failures of the API.

Keys and their order are those of the newest recordings (claude-sonnet-5-5, 2026-09-29; server blocks: claude-sonnet-5,
2026-08-02). Failures are recorded ones; their headers are those that the SDK looks at.
"""

from __future__ import annotations

import base64
import json
import random
from typing import Any

from autograder.messages_api.composed_values import Values
from autograder.messages_api.identifiers import new_id

Json = dict[str, Any]

_OF_A_RESULT = 40  # tokens that a result of a tool adds to the history, about
_OF_A_SEARCH = 1900  # tokens that the pages of one search add, about
_WINDOW = 1_000_000


def failure(status: int, kind: str, message: str, **headers: str | None) -> Json:
    """An error of the API, as an answer of a scenario."""
    body = {"type": "error", "error": {"type": kind, "message": message}}
    return {"status": status, "headers": {k.replace("_", "-"): v for k, v in headers.items()}, "body": body}


_UPSTREAM = "upstream connect error or disconnect/reset before headers. reset reason: connection termination"
_CROWDED = "Number of concurrent connections has exceeded your rate limit. Please try again later."
PASSING: tuple[Json, ...] = (
    failure(429, "rate_limit_error", _CROWDED, x_should_retry="true", retry_after="3"),
    failure(529, "overloaded_error", "Overloaded", x_should_retry="true"),
)
"""Failures that are over when the same request is sent again, with a JSON body. The recorded 500 is not one of them."""

PASSING_WITHOUT_JSON: Json = {"status": 503, "text": _UPSTREAM}
"""The same in the words of the edge, which are no JSON."""

LOST: tuple[Json, ...] = ({"outcome": "dropped"}, {"outcome": "timeout"})
"""Connections without an answer. The SDK tries again after half a second or more; no header can tell it not to wait."""

STAYING: tuple[Json, ...] = (
    failure(402, "billing_error", "There is a problem with your billing."),
    failure(403, "permission_error", "Your API key does not have permission to use the specified resource."),
    failure(429, "rate_limit_error", "You have reached your specified API usage limits.", x_should_retry="false"),
    failure(500, "api_error", "Internal server error", x_should_retry="false"),
)
"""Failures that sending again does not mend."""


def text(words: str) -> Json:
    """A text block."""
    return {"type": "text", "text": words}


class Replies:
    """Makes the replies of one conversation. `history` is what the next request holds, in tokens."""

    def __init__(self, seed: str, source: random.Random, values: Values, *, model: str, history: int) -> None:
        self._seed = seed
        self._random = source
        self._values = values
        self._model = model
        self._made = 0
        self.history = history
        self.searching = False

    def identifier(self, prefix: str) -> str:
        """A new id, another one every time."""
        self._made += 1
        return new_id(prefix, "composed", self._seed, self._made)

    def thinking(self) -> Json:
        """A thinking block as models of today send it: signed, its text left out."""
        noise = self._random.randbytes(3 * self._random.randint(45, 85))
        return {"type": "thinking", "thinking": "", "signature": f"E{base64.b64encode(noise).decode()[1:]}"}

    def call(self, name: str, tool_input: Json) -> Json:
        """A call of a client's tool."""
        identifier = self.identifier("toolu")
        return {"type": "tool_use", "id": identifier, "name": name, "input": tool_input, "caller": {"type": "direct"}}

    def search(self) -> Json:
        """A search that the server runs."""
        topic = {"query": self._values.topic()}
        return {"type": "server_tool_use", "id": self.identifier("srvtoolu"), "name": "web_search", "input": topic}

    def found(self, search: Json) -> Json:
        """What a search found."""
        words = self._values.carrier()
        page = {
            "type": "web_search_result",
            "title": f"{words}: {search['input']['query']}",
            "url": f"https://{words.replace(' ', '').lower()}.example/{self._values.mark().lower()}",
            "encrypted_content": base64.b64encode(self._random.randbytes(150)).decode(),
            "page_age": None,
        }
        return {
            "type": "web_search_tool_result",
            "tool_use_id": search["id"],
            "content": [page],
            "caller": {"type": "direct"},
        }

    def message(self, content: list[Json], stop_reason: str, *, output: int | None = None, **fields: Any) -> Json:
        """A whole Message. `output`: its output tokens, where a limit set them; else they follow from the content."""
        body: Json = {
            "model": self._model,
            "id": self.identifier("msg"),
            "type": "message",
            "role": "assistant",
            "content": content,
            "container": None,
            "stop_reason": stop_reason,
            "stop_sequence": None,
            "stop_details": None,
            "usage": self._usage(content, output),
            "diagnostics": None,
        }
        if stop_reason == "model_context_window_exceeded":
            body["usage"]["input_tokens"] = _WINDOW - body["usage"]["output_tokens"]
        return {**body, **fields}

    def _usage(self, content: list[Json], output: int | None) -> Json:
        said = _tokens([block for block in content if block["type"] in ("text", "tool_use", "server_tool_use")])
        thought = self._random.randint(15, 70) if any(block["type"] == "thinking" for block in content) else 0
        if output is not None and thought:
            thought = max(0, output - said)
        usage = {
            "input_tokens": self.history + _OF_A_SEARCH * _count(content, "web_search_tool_result"),
            "cache_creation_input_tokens": 0,
            "cache_read_input_tokens": 0,
            "cache_creation": {"ephemeral_5m_input_tokens": 0, "ephemeral_1h_input_tokens": 0},
            "output_tokens": said + thought if output is None else output,
            "output_tokens_details": {"thinking_tokens": thought},
            "service_tier": "standard",
            "inference_geo": "global",
        }
        searches = {"web_search_requests": _count(content, "server_tool_use"), "web_fetch_requests": 0}
        return {**usage, "server_tool_use": searches} if self.searching else usage

    def enters_the_history(self, message: Json) -> None:
        """Count a reply, and what answers its calls, into the history of the next request."""
        usage, content = message["usage"], message["content"]
        results = _count(content, "tool_use") * (_OF_A_RESULT + self._random.randint(0, 30))
        self.history = usage["input_tokens"] + usage["output_tokens"] + results


def _count(content: list[Json], kind: str) -> int:
    return sum(block["type"] == kind for block in content)


def _tokens(blocks: list[Json]) -> int:
    """About as many as the recorded replies have for so much text."""
    written = sum(len(block.get("text", "")) + len(json.dumps(block.get("input", ""))) for block in blocks)
    return 3 + written // 4 + 25 * _count(blocks, "tool_use")

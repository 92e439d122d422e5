"""Conversations nobody has seen, made from a scenario and a seed: other ids, other values, other token counts.

Graded runs play them, so that there is no hidden answer to find out. The same seed gives the same conversation, and a
loop that is right plays it as it plays the original.
"""

from __future__ import annotations

import base64
import random
import re
from collections.abc import Iterator
from typing import Any

from autograder.messages_api.identifiers import PREFIXES, base58, digest, new_id
from autograder.messages_api.normal import as_blocks, is_blank, is_call
from autograder.messages_api.scenario import Scenario, from_json
from autograder.messages_api.substitutions import Substitutions, amounts_in, has_bounds, listed_values

Json = dict[str, Any]

_ID_KEYS = ("id", "tool_use_id", "request_id", "request-id", "tool_id")
_SECRETS = ("signature", "encrypted_content", "encrypted_index")
# Words of the protocol, not of the conversation.
_PROTOCOL = frozenset({"type", "role", "name", "model", "stop_reason", "stop_sequence", "media_type", "usage", "url"})
# A delta's type -> the key of its fragment: values may be spread over several of them.
_FRAGMENTS = {"text_delta": "text", "input_json_delta": "partial_json", "thinking_delta": "thinking"}


def vary(scenario: Scenario, seed: str) -> Scenario:
    """Another conversation of the same shape, always the same for the same seed."""
    return Variation(scenario, seed).scenario()


class Variation:
    """One way to vary a scenario. `apply` gives a judge the same change for its own texts, inputs and tool results."""

    def __init__(self, scenario: Scenario, seed: str) -> None:
        self._seed = seed
        self._data: Json = scenario.model_dump(mode="json", exclude_unset=True)
        tools = scenario.request.tools
        spoken = [self._data["request"]["messages"], self._data["exchanges"]]
        amounts = frozenset() if has_bounds(tools) else amounts_in(spoken)
        self._values = Substitutions(seed, keep=listed_values(tools), amounts=amounts)
        self._ids = {old: new_id(old.partition("_")[0], seed, old) for old in sorted(set(_ids_in(self._data)))}
        self._id = re.compile("|".join(rf"(?<!\w){re.escape(old)}(?!\w)" for old in self._ids) or r"(?!)")

    def apply(self, value: Any) -> Any:
        """Any JSON with this variation's ids and values in the place of the original's."""
        return self._with_ids(self._values.value(value))

    def scenario(self) -> Scenario:
        """The varied scenario."""
        data = dict(self._data)
        request = data["request"]
        data["request"] = {**request, "messages": self._messages(request["messages"])}
        data["exchanges"] = [self._exchange(exchange) for exchange in data["exchanges"]]
        kind = "adapted" if data["provenance"]["kind"] == "recorded" else data["provenance"]["kind"]
        note = f"Varied: other ids, values and token counts. {data['provenance']['note']}"
        data["provenance"] = {**data["provenance"], "kind": kind, "note": note}
        return from_json(self._with_ids(data), name="a variation")

    def _exchange(self, exchange: Json) -> Json:
        changed = dict(exchange)
        if "user_contains" in exchange.get("when", {}):
            contains = self._values.text(exchange["when"]["user_contains"])
            changed["when"] = {**exchange["when"], "user_contains": contains}
        if exchange.get("response"):
            changed["response"] = self._response(exchange["response"])
        if exchange.get("attempts"):
            changed["attempts"] = [self._response(response) for response in exchange["attempts"]]
        return changed

    def _response(self, response: Json) -> Json:
        changed = dict(response)
        cut = frozenset(response.get("partial_json", {}))
        if cut:
            changed["partial_json"] = {k: self._values.text(v, cut=True) for k, v in response["partial_json"].items()}
        if response.get("body", {}) and "content" in response["body"]:
            changed["body"] = self._reply(response["body"], cut, mark=not response.get("events"))
        if response.get("events"):
            changed["events"] = self._events(response["events"])
        return changed

    def _reply(self, body: Json, cut: frozenset[str], *, mark: bool) -> Json:
        content = [self._block(block, cut=block.get("id") in cut) for block in body["content"]]
        if mark and _texts(content) == _texts(body["content"]):
            content = self._marked(content)
        return {**body, "content": content, "usage": self._usage(body)}

    def _marked(self, content: list[Json]) -> list[Json]:
        """The content with a few words before its first text, where no value in it could be changed."""
        for index, block in enumerate(content):
            if block.get("type") == "text" and not is_blank(block):
                code = base58(digest(self._seed, block["text"]), 5).upper()
                return [*content[:index], {**block, "text": f"Case {code}. {block['text']}"}, *content[index + 1 :]]
        return content

    def _messages(self, messages: list[Json]) -> list[Json]:
        """The history to start from; its prompt gets a few words in front where no value in it could be changed."""
        changed: list[Json] = []
        for message in messages:
            before = as_blocks(message.get("content"))
            content = [self._block(block) for block in before]
            if message.get("role") == "user" and not changed and _texts(content) == _texts(before):
                content = self._marked(content)
            changed.append({**message, "content": _as_sent(message.get("content"), content)})
        return changed

    def _block(self, block: Json, *, cut: bool = False) -> Json:
        changed: Json = {}
        for key, value in block.items():
            if key == "input" and is_call(block):
                changed[key] = self._values.value(value, cut=cut)
            elif key in _SECRETS or (key == "data" and block.get("type") == "redacted_thinking"):
                changed[key] = self._secret(value)
            elif key in _PROTOCOL or key in _ID_KEYS:
                changed[key] = value
            else:
                changed[key] = self._inside(value)
        return changed

    def _inside(self, value: Any) -> Any:
        if isinstance(value, dict):
            return self._block(value)
        if isinstance(value, list):
            return [self._inside(item) for item in value]
        return self._values.text(value) if isinstance(value, str) else value

    def _events(self, events: list[Any]) -> list[Any]:
        changed = [self._event(event) if isinstance(event, dict) else self._values.text(event) for event in events]
        for fragments in _fragments(changed):
            whole = self._values.text("".join(delta[key] for delta, key in fragments), cut=True)
            for delta, key in fragments[:-1]:
                delta[key], whole = whole[: len(delta[key])], whole[len(delta[key]) :]
            delta, key = fragments[-1]
            delta[key] = whole
        return changed

    def _event(self, event: Json) -> Json:
        changed = dict(event)
        if "content_block" in event:
            changed["content_block"] = self._block(event["content_block"])
        if isinstance(event.get("delta"), dict):
            delta = dict(event["delta"])
            changed["delta"] = {
                **delta,
                **{k: self._secret(delta[k]) for k in _SECRETS if isinstance(delta.get(k), str)},
            }
        return changed

    def _usage(self, body: Json) -> Json:
        """Other counts: every one that is not zero grows, output only where no limit had set it."""
        usage = dict(body["usage"])
        grown = ["input_tokens", "cache_read_input_tokens"]
        if body.get("stop_reason") not in ("max_tokens", "model_context_window_exceeded"):
            grown.append("output_tokens")
        for name in grown:
            if usage.get(name):
                usage[name] += digest(self._seed, body.get("id"), name) % 40 + 1
        return usage

    def _secret(self, secret: Any) -> Any:
        if not isinstance(secret, str) or not secret:
            return secret
        noise = random.Random(digest(self._seed, secret)).randbytes(len(secret))
        return base64.b64encode(noise).decode()[: len(secret)]

    def _with_ids(self, value: Any) -> Any:
        if isinstance(value, str):
            return self._id.sub(lambda match: self._ids[match[0]], value)
        if isinstance(value, dict):
            return {self._with_ids(key): self._with_ids(item) for key, item in value.items()}
        return [self._with_ids(item) for item in value] if isinstance(value, list) else value


def _ids_in(value: Any) -> Iterator[str]:
    """Every id of the API's kinds that stands where an id stands."""
    if isinstance(value, list):
        for item in value:
            yield from _ids_in(item)
    if isinstance(value, dict):
        for key, item in value.items():
            if key in _ID_KEYS and isinstance(item, str) and item.partition("_")[0] in PREFIXES and "_" in item:
                yield item
            yield from _ids_in(item)


def _as_sent(original: Any, content: list[Json]) -> Any:
    """Content as a string where the original was one."""
    return content[0]["text"] if isinstance(original, str) else content


def _texts(content: list[Json]) -> list[Any]:
    return [block.get("text") for block in content if block.get("type") == "text"]


def _fragments(events: list[Any]) -> Iterator[list[tuple[Json, str]]]:
    """The deltas of each block of a stream, with the key of their fragment."""
    groups: dict[tuple[Any, str], list[tuple[Json, str]]] = {}
    for event in events:
        delta = event.get("delta") if isinstance(event, dict) else None
        key = _FRAGMENTS.get(delta.get("type", "")) if isinstance(delta, dict) else None
        if delta is not None and key is not None and isinstance(delta.get(key), str):
            groups.setdefault((event.get("index"), key), []).append((delta, key))
    yield from groups.values()

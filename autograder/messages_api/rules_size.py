"""Rules about how much a request may hold: text, tokens and cache markers."""

from __future__ import annotations

import json
from typing import Any

from autograder.messages_api.api_refusal import ApiRefusal, invalid
from autograder.messages_api.merging import Request
from autograder.messages_api.models_table import TEXT_BYTES_LIMIT, TEXT_BYTES_LIMIT_UNTIL

CHARACTERS_PER_TOKEN = 4
_NOT_TEXT = frozenset({"signature", "encrypted_content", "encrypted_index"})
_SEALED_TYPES = ("base64", "redacted_thinking")


def estimated_tokens(body: dict[str, Any]) -> int:
    """Estimate the tokens of a request: about four characters of text a token, as the documentation's rule of thumb.

    It is an estimate and nothing more: the real tokenizer is not public. Images and documents in base64, signatures
    and encrypted results do not count.
    """
    return sum(len(text) for text in _texts(body)) // CHARACTERS_PER_TOKEN


def _texts(body: dict[str, Any]) -> list[str]:
    """Collect the text of system, messages and tools without recursion, so that no depth can break it."""
    found: list[str] = []
    rest: list[Any] = [body.get("system"), body.get("messages"), body.get("tools")]
    while rest:
        value = rest.pop()
        if isinstance(value, str):
            found.append(value)
        elif isinstance(value, list):
            rest.extend(value)
        elif isinstance(value, dict) and value.get("type") not in _SEALED_TYPES:
            rest.extend(item for key, item in value.items() if key not in _NOT_TEXT)
    return found


def text_bytes(request: Request) -> ApiRefusal | None:
    """Refuse more than 9,000,000 bytes of text (A, ruby_llm, July 2025; later the same text is too many tokens)."""
    if request.on >= TEXT_BYTES_LIMIT_UNTIL:
        return None
    texts = _texts(request.body)
    if sum(map(len, texts)) * 4 <= TEXT_BYTES_LIMIT:
        return None
    size = sum(len(text.encode("utf-8", "surrogatepass")) for text in texts)
    if size <= TEXT_BYTES_LIMIT:
        return None
    return invalid(f"too many total text bytes: {size} > {TEXT_BYTES_LIMIT}")


def prompt_length(request: Request) -> ApiRefusal | None:
    """Refuse a prompt longer than the context window (A). The count is our estimate, not the API's number."""
    window = request.model.window
    if _is_short(request, window * CHARACTERS_PER_TOKEN):
        return None
    tokens = estimated_tokens(request.body)
    return invalid(f"prompt is too long: {tokens} tokens > {window} maximum") if tokens > window else None


def _is_short(request: Request, characters: int) -> bool:
    """Tell in one quick look that a body cannot hold more text than `characters`: most requests are far below."""
    if request.characters is not None:
        return request.characters <= characters
    try:
        return len(json.dumps(request.body)) <= characters
    except (TypeError, ValueError, RecursionError):
        return False


def cache_markers(request: Request) -> ApiRefusal | None:
    """Refuse more than four blocks with `cache_control` in tools, system and messages together (A, a probe)."""
    system = request.body.get("system")
    blocks = [*request.tools, *(system if isinstance(system, list) else ())]
    blocks.extend(block for turn in request.turns for block in turn.blocks)
    found = sum(1 for block in blocks if block.get("cache_control") is not None)
    if found <= 4:
        return None
    return invalid(f"A maximum of 4 blocks with cache_control may be provided. Found {found}.")

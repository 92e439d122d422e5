"""The one table of what each Claude model accepts, when it retired, and from which day each dated rule holds.

Every rule that depends on the model or on the day reads it here, so that a new model or a corrected date is one
changed line. Sources: the pages "Models overview", "Model deprecations" and "Extended thinking" of the Claude
documentation (stored copies, August to November 2026), the list of model names and `DEPRECATED_MODELS` in the
anthropic SDK 2.14.0, and recorded exchanges, named beside the entry that rests on them.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from datetime import date
from typing import Literal

Sampling = Literal["free", "one", "default"]
"""Which sampling parameters a model takes under API version 2023-06-01.

"free": any. "one": `temperature` or `top_p`, not both. "default": none but the default value.
"""

EFFORTS = ("high", "low", "max", "medium", "xhigh")
WITHOUT_XHIGH = ("high", "low", "max", "medium")
"""Recorded for claude-opus-4-6: pydantic-ai, anthropic_explicit_effort_xhigh_unsupported_model_errors."""


@dataclass(frozen=True, slots=True)
class Model:
    """What one model accepts.

    Attributes:
        id: the resolved id, as responses and messages name it.
        output_limit: the most `max_tokens` may ask for.
        window: the context window in tokens.
        retired: the first day on which requests fail, or None.
        prefill: whether the conversation may end with an assistant message.
        sampling: see `Sampling`.
        manual_thinking: whether `thinking: enabled` with a budget is taken.
        adaptive_thinking: whether `thinking: adaptive` is taken.
        thinking_off: whether `thinking: disabled` is taken.
        efforts: the effort levels, or None where we do not know that any is refused.
        forced_tools: whether `tool_choice` may be `any` or `tool`.
        system_role: whether `role: system` may stand among the messages.
    """

    id: str
    output_limit: int = 64_000
    window: int = 200_000
    retired: date | None = None
    prefill: bool = True
    sampling: Sampling = "free"
    manual_thinking: bool = True
    adaptive_thinking: bool = False
    thinking_off: bool = True
    efforts: tuple[str, ...] | None = None
    forced_tools: bool = True
    system_role: bool = False


_V3 = Model("", output_limit=4_096)
_V4 = Model("", output_limit=64_000)
_V45 = replace(_V4, sampling="one")
"""`temperature` with `top_p` is a 400 on Haiku 4.5, Sonnet 4.5 and 4.6, Opus 4.5 and 4.6 (probes of 2026-08-20 and
2026-09-29, with request ids, quoted in public code)."""
_V46 = replace(_V45, prefill=False, adaptive_thinking=True, efforts=WITHOUT_XHIGH, output_limit=128_000)
"""No prefill since 4.6 (docs "Errors", 2026-02-05). The window of 1M tokens needed a beta header at first; we take the
larger one, since a body does not show its headers."""
_V47 = replace(_V46, sampling="default", manual_thinking=False, efforts=EFFORTS, window=1_000_000)
"""No sampling parameters and no manual thinking since 4.7 (docs, 2026-04-16)."""
_V5 = _V47
_V55 = replace(_V5, thinking_off=False, forced_tools=False, system_role=True)
"""docs "What's new in Claude Sonnet 5.5": thinking cannot be disabled, tools cannot be forced. Wording of the second:
quoted in third-party code only. `role: system`: third parties only."""
_FABLE = replace(_V5, thinking_off=False, system_role=True)
"""docs "Extended thinking": always on for Fable and Mythos."""

_MODELS = (
    # Retired before the double's time; kept so that old scenarios play on their own date.
    replace(_V3, id="claude-instant-1.2", window=100_000, retired=date(2024, 11, 6)),
    replace(_V3, id="claude-2.0", window=100_000, retired=date(2025, 7, 21)),
    replace(_V3, id="claude-2.1", retired=date(2025, 7, 21)),
    replace(_V3, id="claude-3-sonnet-20240229", retired=date(2025, 7, 21)),
    replace(_V3, id="claude-3-opus-20240229", retired=date(2026, 1, 5)),
    replace(_V3, id="claude-3-haiku-20240307", retired=date(2026, 4, 20)),
    replace(_V3, id="claude-3-5-sonnet-20240620", output_limit=8_192, retired=date(2025, 10, 28)),
    replace(_V3, id="claude-3-5-sonnet-20241022", output_limit=8_192, retired=date(2025, 10, 28)),
    replace(_V3, id="claude-3-5-haiku-20241022", output_limit=8_192, retired=date(2026, 2, 19)),
    # 64,000 without, 128,000 with the beta header output-128k-2025-02-19, which a body does not show.
    replace(_V4, id="claude-3-7-sonnet-20250219", output_limit=128_000, retired=date(2026, 2, 19)),
    replace(_V4, id="claude-sonnet-4-20250514", retired=date(2026, 6, 15)),
    replace(_V4, id="claude-opus-4-20250514", output_limit=32_000, retired=date(2026, 6, 15)),
    replace(_V45, id="claude-opus-4-1-20250805", output_limit=32_000, retired=date(2026, 8, 5)),
    replace(_V45, id="claude-sonnet-4-5-20250929", retired=date(2026, 11, 30)),
    replace(_V45, id="claude-haiku-4-5-20251001"),
    replace(_V45, id="claude-opus-4-5-20251101", retired=date(2027, 1, 22)),
    replace(_V46, id="claude-sonnet-4-6", window=1_000_000),
    replace(_V46, id="claude-opus-4-6", window=1_000_000),
    # SDK 2.14.0 names June 30th, 2026; the deprecations page of July names July 21st: the later one.
    replace(_V46, id="claude-mythos-preview", window=1_000_000, efforts=None, retired=date(2026, 7, 21)),
    replace(_V47, id="claude-opus-4-7"),
    # Mid-conversation system messages: docs of that name (2026-05-28); recorded on opus-4-8 and fable-5.
    replace(_V47, id="claude-opus-4-8", system_role=True),
    replace(_V5, id="claude-sonnet-5"),
    replace(_V5, id="claude-opus-5", system_role=True),
    replace(_FABLE, id="claude-fable-5"),
    replace(_FABLE, id="claude-mythos-5"),
    replace(_FABLE, id="claude-fable-5-2"),
    replace(_FABLE, id="claude-mythos-5-1"),
    replace(_FABLE, id="claude-mythos-5-2"),
    replace(_V55, id="claude-fable-5-1"),
    replace(_V55, id="claude-opus-5-5"),
    replace(_V55, id="claude-sonnet-5-5"),
    # Whether haiku-5-5 refuses forced tools or disabled thinking is not known: both stay allowed.
    replace(_V55, id="claude-haiku-5-5", forced_tools=True, thinking_off=True),
)

MODELS = {model.id: model for model in _MODELS}
"""Every model by its resolved id."""

ALIASES = {
    "claude-3-opus-latest": "claude-3-opus-20240229",
    "claude-3-5-sonnet-latest": "claude-3-5-sonnet-20241022",
    "claude-3-5-haiku-latest": "claude-3-5-haiku-20241022",
    "claude-3-7-sonnet-latest": "claude-3-7-sonnet-20250219",
    "claude-sonnet-4-0": "claude-sonnet-4-20250514",
    "claude-4-sonnet-20250514": "claude-sonnet-4-20250514",
    "claude-opus-4-0": "claude-opus-4-20250514",
    "claude-4-opus-20250514": "claude-opus-4-20250514",
    "claude-opus-4-1": "claude-opus-4-1-20250805",
    "claude-sonnet-4-5": "claude-sonnet-4-5-20250929",
    "claude-haiku-4-5": "claude-haiku-4-5-20251001",
    "claude-opus-4-5": "claude-opus-4-5-20251101",
}
"""Names that stand for a dated id. From 4.6 on ids carry no date and stand for themselves."""


def model_named(name: str) -> Model | None:
    """Return the model that a request's `model` field names, or None when there is no such model."""
    return MODELS.get(ALIASES.get(name, name))


IDS_CHECKED = date(2024, 7, 1)
"""Before, a `tool_result` with a wrong id was answered (two recordings of June 2024, claude-3-opus)."""

USER_CONTENT_WORDING = date(2026, 6, 1)
"""From about here a user message without content is refused as "user messages must have non-empty content" (Claude
Code 2.1.258 changelog); the older words were last recorded on 2026-01-30 (Mirascope, handles-empty-string-content)."""

OBJECT_WORDING = date(2026, 2, 1)
"""From about here "Input should be an object" is quoted where "Input should be a valid dictionary" stood (sure: C)."""

LONG_TOOL_NAMES = date(2025, 11, 1)
"""Since late 2025 the server's pattern for tool names allows 128 characters; before, 64."""

SYSTEM_ROLE = date(2026, 5, 28)
"""docs "Mid-conversation system messages": allowed from this day on the models that have it."""

TEXT_BYTES_LIMIT_UNTIL = date(2025, 10, 1)
"""The limit of 9,000,000 bytes of text was recorded in July 2025; in October 2025 and August 2026 the same test was
refused by tokens instead."""

TEXT_BYTES_LIMIT = 9_000_000

FILE_SOURCES = date(2025, 11, 1)
"""Sources of type `file` need the Files API, long behind a beta header, and a body does not show its headers. Two
recordings without that header are refused (pydantic-ai, multimodal_tool_return_matrix, undated); with it, files were
let through from November 2025 on at the latest (ellmer, anthropic-upload-file, 2025-11-05; crewAI, 2026-01-23), and
they are plain request types in SDK 2.14.0. So only earlier days refuse."""

TEXT_AFTER_CALLS_UNTIL = date(2025, 10, 1)
"""Text after a `tool_use` in the assistant message cut the call off from its results in a recording of May 2025
(pydantic-ai, anthropic_web_search_tool); whether it still does is not known, so later days accept it."""

STRICT_VERSION = "2026-10-21"
"""The API version that took sampling parameters away (docs "Migrating to API version 2026-10-21"). Versions are
dates and compare as text."""

"""The content blocks, sources and tools that a request may hold, as lists.

Read off the request types of the anthropic SDK 2.14.0 (GA and beta) on 2026-11-30 and kept here, so that the rules
import no SDK and stay the same when it moves on. `*_TAGS` are what the API lists in its messages: the GA types in
alphabetical order (a quoted refusal of an unknown block begins with 'bash_code_execution_tool_result').
"""

from __future__ import annotations

BLOCK_FIELDS: dict[str, tuple[str, ...]] = {
    "text": ("text",),
    "image": ("source",),
    "document": ("source",),
    "search_result": ("content", "source", "title"),
    "thinking": ("thinking", "signature"),
    "redacted_thinking": ("data",),
    "tool_use": ("id", "input", "name"),
    "tool_result": ("tool_use_id",),
    "server_tool_use": ("id", "input", "name"),
    "web_search_tool_result": ("content", "tool_use_id"),
    "web_fetch_tool_result": ("content", "tool_use_id"),
    "advisor_tool_result": ("content", "tool_use_id"),
    "code_execution_tool_result": ("content", "tool_use_id"),
    "bash_code_execution_tool_result": ("content", "tool_use_id"),
    "text_editor_code_execution_tool_result": ("content", "tool_use_id"),
    "tool_search_tool_result": ("content", "tool_use_id"),
    "mcp_tool_use": ("id", "input", "name", "server_name"),
    "mcp_tool_result": ("tool_use_id",),
    "container_upload": ("file_id",),
    "compaction": (),
    "tool_addition": ("tool",),
    "tool_removal": ("tool",),
    "mcp_tool_listing": ("mcp_server_name", "tools"),
    "fallback": ("to",),
}
"""Every block type that may stand in a message, GA or beta, with its required fields."""

OPTIONAL_FIELDS: dict[str, frozenset[str]] = {
    "text": frozenset({"cache_control", "citations"}),
    "image": frozenset({"cache_control", "transformations"}),
    "document": frozenset({"cache_control", "citations", "context", "title"}),
    "thinking": frozenset(),
    "redacted_thinking": frozenset(),
    "tool_use": frozenset({"cache_control", "caller", "toolset_name"}),
    "tool_result": frozenset({"cache_control", "content", "is_error", "toolset_name"}),
}
"""The other fields of the blocks whose fields we check. Blocks that are not here may carry any field."""

BETA_BLOCKS = frozenset(
    {
        "advisor_tool_result",
        "compaction",
        "fallback",
        "mcp_tool_listing",
        "mcp_tool_result",
        "mcp_tool_use",
        "tool_addition",
        "tool_removal",
    }
)

BLOCK_TAGS = tuple(sorted(BLOCK_FIELDS.keys() - BETA_BLOCKS))

RESULT_BLOCKS = frozenset({"text", "image", "document", "search_result", "tool_reference", "browser_state"})
"""What may stand inside a `tool_result`."""

RESULT_TAGS = tuple(sorted(RESULT_BLOCKS))

SOURCES: dict[str, tuple[str, ...]] = {
    "image": ("base64", "file", "url"),
    "document": ("base64", "content", "file", "text", "url"),
}

CALLERS = ("code_execution_20250825", "code_execution_20260120", "direct")
"""Recorded 2026-09-29: fiber, anthropic-messages-probe_caller."""

GA_TOOLS = frozenset(
    {
        "bash_20250124",
        "browser_toolset_20260801",
        "code_execution_20250522",
        "code_execution_20250825",
        "code_execution_20260120",
        "code_execution_20260521",
        "computer_toolset_20260801",
        "custom",
        "memory_20250818",
        "text_editor_20250124",
        "text_editor_20250429",
        "text_editor_20250728",
        "tool_search_tool_bm25_20251119",
        "tool_search_tool_regex_20251119",
        "web_fetch_20250910",
        "web_fetch_20260209",
        "web_fetch_20260309",
        "web_fetch_20260318",
        "web_search_20250305",
        "web_search_20260209",
        "web_search_20260318",
    }
)

BETA_TOOLS = frozenset(
    {
        "advisor_20260301",
        "bash_20241022",
        "computer_20241022",
        "computer_20250124",
        "computer_20251124",
        "mcp_toolset",
        "text_editor_20241022",
        # Written without a date, as the docs of tool search do.
        "tool_search_tool_bm25",
        "tool_search_tool_regex",
    }
)

TOOL_TAGS = tuple(sorted(GA_TOOLS))

CUSTOM_TOOL_FIELDS = frozenset(
    {
        "allowed_callers",
        "cache_control",
        "defer_loading",
        "description",
        "eager_input_streaming",
        "input_examples",
        "input_schema",
        "name",
        "strict",
        "type",
    }
)

BODY_FIELDS = frozenset(
    {
        "billing_policy",
        "cache_control",
        "compaction",
        "container",
        "context_management",
        "diagnostics",
        "fallback_credit_token",
        "fallbacks",
        "inference_geo",
        "max_tokens",
        "mcp_servers",
        "messages",
        "metadata",
        "model",
        "output_config",
        "service_tier",
        "speed",
        "stop_sequences",
        "stream",
        "system",
        "thinking",
        "thread",
        "tool_choice",
        "tools",
        "user_profile_id",
        "workspace_id",
        # Not in the types any more, but in recorded requests that were answered 200.
        "output_format",
    }
)
"""The top-level fields of a request, GA and beta."""

SAMPLING_FIELDS = ("temperature", "top_p", "top_k")
"""Top-level fields of API version 2023-06-01 only."""

MESSAGE_FIELDS: dict[str, frozenset[str]] = {
    "user": frozenset({"content", "role"}),
    "assistant": frozenset({"content", "role"}),
    "system": frozenset({"clear_at", "content", "output_config", "role"}),
}


def unknown_tag(path: str, tag: str, tags: tuple[str, ...]) -> str:
    """Return the API's message for a `type` that is none of those it expects."""
    expected = ", ".join(f"'{one}'" for one in tags)
    return f"{path}: Input tag '{tag}' found using 'type' does not match any of the expected tags: {expected}"

"""Answers for `next_step(message)`."""
# ruff: noqa

# %% right: a dict
STEPS = {
    "end_turn": "finish",
    "stop_sequence": "finish",
    "tool_use": "run_tools",
    "pause_turn": "resume",
    "compaction": "resume",
    "max_tokens": "truncated",
    "model_context_window_exceeded": "truncated",
    "refusal": "refused",
}


def next_step(message):
    return STEPS.get(message.stop_reason, "unknown")


# %% right: if and elif


def next_step(message):
    reason = message.stop_reason
    if reason == "end_turn" or reason == "stop_sequence":
        return "finish"
    elif reason == "tool_use":
        return "run_tools"
    elif reason in ("pause_turn", "compaction"):
        return "resume"
    elif reason in ("max_tokens", "model_context_window_exceeded"):
        return "truncated"
    elif reason == "refusal":
        return "refused"
    return "unknown"


# %% right: match


def next_step(message):
    match message.stop_reason:
        case "end_turn" | "stop_sequence":
            return "finish"
        case "tool_use":
            return "run_tools"
        case "pause_turn" | "compaction":
            return "resume"
        case "max_tokens" | "model_context_window_exceeded":
            return "truncated"
        case "refusal":
            return "refused"
        case _:
            return "unknown"


# %% right: groups searched
GROUPS = [
    ("finish", {"end_turn", "stop_sequence"}),
    ("run_tools", {"tool_use"}),
    ("resume", {"pause_turn", "compaction"}),
    ("truncated", {"max_tokens", "model_context_window_exceeded"}),
    ("refused", {"refusal"}),
]


def next_step(message):
    return next((step for step, reasons in GROUPS if message.stop_reason in reasons), "unknown")


# %% right: an enum of strings
from enum import StrEnum


class Step(StrEnum):
    FINISH = "finish"
    RUN_TOOLS = "run_tools"
    RESUME = "resume"
    TRUNCATED = "truncated"
    REFUSED = "refused"
    UNKNOWN = "unknown"


BY_REASON = {
    "end_turn": Step.FINISH,
    "stop_sequence": Step.FINISH,
    "tool_use": Step.RUN_TOOLS,
    "pause_turn": Step.RESUME,
    "compaction": Step.RESUME,
    "max_tokens": Step.TRUNCATED,
    "model_context_window_exceeded": Step.TRUNCATED,
    "refusal": Step.REFUSED,
}


def next_step(message):
    try:
        return BY_REASON[message.stop_reason]
    except KeyError:
        return Step.UNKNOWN


# %% wrong: reads the text -> decides_by_stop_reason_alone


def next_step(message):
    text = "".join(b.text for b in message.content if b.type == "text").lower()
    if "done" in text or "final answer" in text:
        return "finish"
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused"}
    return steps.get(message.stop_reason, "unknown")


# %% wrong: has text -> decides_by_stop_reason_alone


def next_step(message):
    if any(b.type == "text" for b in message.content) and message.stop_reason == "tool_use":
        return "finish"
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused"}
    return steps.get(message.stop_reason, "unknown")


# %% wrong: has tool_use blocks -> decides_by_stop_reason_alone


def next_step(message):
    if any(b.type == "tool_use" for b in message.content):
        return "run_tools"
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused"}
    return steps.get(message.stop_reason, "unknown")


# %% wrong: an empty answer is not an end -> decides_by_stop_reason_alone


def next_step(message):
    if message.stop_reason == "end_turn" and not message.content:
        return "resume"
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused"}
    return steps.get(message.stop_reason, "unknown")


# %% wrong: tool_use without a call -> decides_by_stop_reason_alone


def next_step(message):
    if message.stop_reason == "tool_use" and not any(b.type == "tool_use" for b in message.content):
        return "unknown"
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused"}
    return steps.get(message.stop_reason, "unknown")


# %% wrong: finish by default -> calls_new_values_unknown


def next_step(message):
    steps = {"tool_use": "run_tools", "pause_turn": "resume", "compaction": "resume", "max_tokens": "truncated",
             "model_context_window_exceeded": "truncated", "refusal": "refused"}
    return steps.get(message.stop_reason, "finish")


# %% wrong: KeyError on a new value -> calls_new_values_unknown


def next_step(message):
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused", None: "unknown"}
    return steps[message.stop_reason]


# %% wrong: None crashes -> calls_new_values_unknown


def next_step(message):
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused"}
    return steps.get(message.stop_reason.strip(), "unknown")


# %% wrong: None falls through -> calls_new_values_unknown


def next_step(message):
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused"}
    if message.stop_reason:
        return steps.get(message.stop_reason, "unknown")


# %% wrong: the two that the exam names -> names_a_step_for_every_stop_reason


def next_step(message):
    if message.stop_reason == "end_turn":
        return "finish"
    if message.stop_reason == "tool_use":
        return "run_tools"
    return "unknown"


# %% wrong: a stop sequence is not an end -> names_a_step_for_every_stop_reason


def next_step(message):
    steps = {"end_turn": "finish", "tool_use": "run_tools", "pause_turn": "resume", "compaction": "resume",
             "max_tokens": "truncated", "model_context_window_exceeded": "truncated", "refusal": "refused"}
    return steps.get(message.stop_reason, "unknown")


# %% wrong: a pause is the end -> names_a_step_for_every_stop_reason


def next_step(message):
    steps = {"end_turn": "finish", "stop_sequence": "finish", "pause_turn": "finish", "tool_use": "run_tools",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused"}
    return steps.get(message.stop_reason, "unknown")


# %% wrong: a full window is unknown -> names_a_step_for_every_stop_reason


def next_step(message):
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "refusal": "refused"}
    return steps.get(message.stop_reason, "unknown")


# %% wrong: None is the end -> calls_new_values_unknown


def next_step(message):
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused", None: "finish"}
    return steps.get(message.stop_reason, "unknown")


# %% wrong: runs the call of a stream that broke off -> calls_new_values_unknown


def next_step(message):
    if message.stop_reason is None and any(b.type == "tool_use" for b in message.content):
        return "run_tools"
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused"}
    return steps.get(message.stop_reason, "unknown")


# %% wrong: the beginning of a value is enough -> calls_new_values_unknown


def next_step(message):
    reason = message.stop_reason or ""
    for start, step in (("end", "finish"), ("stop", "finish"), ("tool", "run_tools"), ("pause_turn", "resume"),
                        ("compaction", "resume"), ("max_tokens", "truncated"), ("model", "truncated"),
                        ("refusal", "refused")):
        if reason.startswith(start):
            return step
    return "unknown"


# %% wrong: a refusal without details is unknown -> decides_by_stop_reason_alone


def next_step(message):
    if message.stop_reason == "refusal" and message.stop_details is None:
        return "unknown"
    steps = {"end_turn": "finish", "stop_sequence": "finish", "tool_use": "run_tools", "pause_turn": "resume",
             "compaction": "resume", "max_tokens": "truncated", "model_context_window_exceeded": "truncated",
             "refusal": "refused"}
    return steps.get(message.stop_reason, "unknown")

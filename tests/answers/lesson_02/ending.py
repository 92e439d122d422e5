"""Answers for `ending(message)`."""
# ruff: noqa

# %% right: ifs


def ending(message):
    line = str(message.stop_reason)
    if message.stop_reason == "stop_sequence":
        line += " " + repr(message.stop_sequence)
    if message.stop_reason == "refusal":
        details = message.stop_details
        line += ": " + ((details.category if details else None) or "no category")
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        line += " in " + (last.name if last.type == "tool_use" else last.type)
    return line


# %% right: f-strings


def ending(message):
    reason = message.stop_reason
    if reason == "stop_sequence":
        return f"{reason}: stopped at {message.stop_sequence!r}"
    if reason == "refusal":
        category = getattr(message.stop_details, "category", None)
        return f"{reason}: {'no category' if category is None else category}"
    if reason == "max_tokens":
        block = message.content[-1]
        return f"{reason}: cut in {block.name if block.type == 'tool_use' else block.type}"
    return f"the run stopped: {reason}"


# %% right: a helper for each


def cut(message):
    last = message.content[-1]
    return f"the call of {last.name}" if last.type == "tool_use" else last.type


def declined(message):
    return (message.stop_details and message.stop_details.category) or "no category"


DETAILS = {"stop_sequence": lambda m: repr(m.stop_sequence), "refusal": declined, "max_tokens": cut}


def ending(message):
    detail = DETAILS.get(message.stop_reason, lambda m: "")(message)
    return f"{message.stop_reason} {detail}".strip()


# %% right: a dict as text, with more than was asked for


def ending(message):
    reply = message.to_dict(warnings=False)
    line = {"id": reply["id"], "stop_reason": reply["stop_reason"], "blocks": len(reply["content"])}
    match line["stop_reason"]:
        case "stop_sequence":
            line["sequence"] = reply["stop_sequence"]
        case "refusal":
            line["category"] = (reply["stop_details"] or {}).get("category") or "no category"
        case "max_tokens":
            *_, last = reply["content"]
            line["cut"] = last["name"] if last["type"] == "tool_use" else last["type"]
    return str(line)


# %% wrong: reads stop_details for other reasons -> reads_details_only_where_they_exist


def ending(message):
    category = message.stop_details.category
    if message.stop_reason == "refusal":
        return f"refusal {category or 'no category'}"
    if message.stop_reason == "stop_sequence":
        return f"stop_sequence {message.stop_sequence!r}"
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        return f"max_tokens {last.name if last.type == 'tool_use' else last.type}"
    return str(message.stop_reason)


# %% wrong: crashes on null details -> reads_details_only_where_they_exist


def ending(message):
    if message.stop_reason == "refusal":
        return f"refusal {message.stop_details.category or 'no category'}"
    if message.stop_reason == "stop_sequence":
        return f"stop_sequence {message.stop_sequence!r}"
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        return f"max_tokens {last.name if last.type == 'tool_use' else last.type}"
    return str(message.stop_reason)


# %% wrong: looks at the last block of everything -> reads_details_only_where_they_exist


def ending(message):
    last = message.content[-1]
    if message.stop_reason == "max_tokens":
        return f"max_tokens {last.name if last.type == 'tool_use' else last.type}"
    if message.stop_reason == "refusal":
        return f"refusal {getattr(message.stop_details, 'category', None) or 'no category'}"
    if message.stop_reason == "stop_sequence":
        return f"stop_sequence {message.stop_sequence!r}"
    return str(message.stop_reason)


# %% wrong: the stop sequence as it is -> tells_what_each_ending_adds


def ending(message):
    if message.stop_reason == "refusal":
        return f"refusal {getattr(message.stop_details, 'category', None) or 'no category'}"
    if message.stop_reason == "stop_sequence":
        return f"stop_sequence {message.stop_sequence}"
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        return f"max_tokens {last.name if last.type == 'tool_use' else last.type}"
    return str(message.stop_reason)


# %% wrong: quotes by hand -> tells_what_each_ending_adds


def ending(message):
    if message.stop_reason == "refusal":
        return f"refusal {getattr(message.stop_details, 'category', None) or 'no category'}"
    if message.stop_reason == "stop_sequence":
        return f"stop_sequence '{message.stop_sequence}'"
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        return f"max_tokens {last.name if last.type == 'tool_use' else last.type}"
    return str(message.stop_reason)


# %% wrong: None for a category -> tells_what_each_ending_adds


def ending(message):
    if message.stop_reason == "refusal":
        return f"refusal {getattr(message.stop_details, 'category', None)}"
    if message.stop_reason == "stop_sequence":
        return f"stop_sequence {message.stop_sequence!r}"
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        return f"max_tokens {last.name if last.type == 'tool_use' else last.type}"
    return str(message.stop_reason)


# %% wrong: the last block's type only -> tells_what_each_ending_adds


def ending(message):
    if message.stop_reason == "refusal":
        return f"refusal {getattr(message.stop_details, 'category', None) or 'no category'}"
    if message.stop_reason == "stop_sequence":
        return f"stop_sequence {message.stop_sequence!r}"
    if message.stop_reason == "max_tokens":
        return f"max_tokens in {message.content[-1].type}"
    return str(message.stop_reason)


# %% wrong: any call counts as cut -> tells_what_each_ending_adds


def ending(message):
    if message.stop_reason == "refusal":
        return f"refusal {getattr(message.stop_details, 'category', None) or 'no category'}"
    if message.stop_reason == "stop_sequence":
        return f"stop_sequence {message.stop_sequence!r}"
    if message.stop_reason == "max_tokens":
        for block in message.content:
            if block.type == "tool_use":
                return f"max_tokens in {block.name}"
        return f"max_tokens in {message.content[-1].type}"
    return str(message.stop_reason)


# %% wrong: several lines -> names_the_stop_reason_in_one_line


def ending(message):
    line = f"stop_reason:\n{message.stop_reason}"
    if message.stop_reason == "refusal":
        line += f" {getattr(message.stop_details, 'category', None) or 'no category'}"
    if message.stop_reason == "stop_sequence":
        line += f" {message.stop_sequence!r}"
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        line += f" {last.name if last.type == 'tool_use' else last.type}"
    return line


# %% wrong: its own words for the reason -> names_the_stop_reason_in_one_line


def ending(message):
    words = {"end_turn": "done", "tool_use": "wants tools", "pause_turn": "paused"}
    return words.get(message.stop_reason, str(message.stop_reason))


# %% wrong: nothing for None -> names_the_stop_reason_in_one_line


def ending(message):
    line = message.stop_reason or ""
    if message.stop_reason == "refusal":
        line += f" {getattr(message.stop_details, 'category', None) or 'no category'}"
    if message.stop_reason == "stop_sequence":
        line += f" {message.stop_sequence!r}"
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        line += f" {last.name if last.type == 'tool_use' else last.type}"
    return line


# %% wrong: a new value raises -> reads_details_only_where_they_exist


def ending(message):
    known = {"end_turn", "tool_use", "stop_sequence", "max_tokens", "pause_turn", "refusal",
             "model_context_window_exceeded", "compaction"}
    if message.stop_reason not in known:
        raise ValueError(message.stop_reason)
    line = message.stop_reason
    if message.stop_reason == "refusal":
        line += f" {getattr(message.stop_details, 'category', None) or 'no category'}"
    if message.stop_reason == "stop_sequence":
        line += f" {message.stop_sequence!r}"
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        line += f" {last.name if last.type == 'tool_use' else last.type}"
    return line


# %% wrong: prints the line -> names_the_stop_reason_in_one_line


def ending(message):
    print(message.stop_reason)


# %% wrong: a carriage return -> names_the_stop_reason_in_one_line


def ending(message):
    detail = ""
    if message.stop_reason == "stop_sequence":
        detail = repr(message.stop_sequence)
    if message.stop_reason == "refusal":
        detail = getattr(message.stop_details, "category", None) or "no category"
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        detail = last.name if last.type == "tool_use" else last.type
    return f"{message.stop_reason}\r{detail}"


# %% wrong: looks at the first block -> tells_what_each_ending_adds


def ending(message):
    detail = ""
    if message.stop_reason == "stop_sequence":
        detail = repr(message.stop_sequence)
    if message.stop_reason == "refusal":
        detail = getattr(message.stop_details, "category", None) or "no category"
    if message.stop_reason == "max_tokens":
        first = message.content[0]
        detail = first.name if first.type == "tool_use" else first.type
    return f"{message.stop_reason} {detail}"


# %% wrong: everything there is -> tells_what_each_ending_adds


def ending(message):
    names = [block.name if block.type == "tool_use" else block.type for block in message.content]
    category = getattr(message.stop_details, "category", None) or "no category"
    return f"{message.stop_reason} {message.stop_sequence!r} {category} {' '.join(names)}"


# %% wrong: any text counts as the cut one -> tells_what_each_ending_adds


def ending(message):
    line = str(message.stop_reason)
    if message.stop_reason == "stop_sequence":
        line += f" {message.stop_sequence!r}"
    if message.stop_reason == "refusal":
        line += f" {getattr(message.stop_details, 'category', None) or 'no category'}"
    if message.stop_reason == "max_tokens":
        last = message.content[-1]
        if last.type == "tool_use":
            line += f" {last.name}"
        else:
            line += " text" if any(block.type == "text" for block in message.content) else " thinking"
    return line

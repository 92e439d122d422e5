"""Answers for `tool_calls(message)`."""
# ruff: noqa

# %% right: a comprehension


def tool_calls(message):
    return [block for block in message.content if block.type == "tool_use"]


# %% right: filter


def tool_calls(message):
    return list(filter(lambda block: block.type == "tool_use", message.content))


# %% right: a loop


def tool_calls(message):
    calls = []
    for block in message.content:
        if block.type == "tool_use":
            calls.append(block)
    return calls


# %% right: takes the other blocks out of the message


def tool_calls(message):
    for block in list(message.content):
        if block.type != "tool_use":
            message.content.remove(block)
    return message.content


# %% right: by the SDK's class, by recursion
from anthropic.types import ToolUseBlock


def tool_calls(message, first=0):
    if first == len(message.content):
        return []
    block = message.content[first]
    return [block][: isinstance(block, ToolUseBlock)] + tool_calls(message, first + 1)


# %% wrong: server calls too -> leaves_out_server_calls


def tool_calls(message):
    return [block for block in message.content if block.type in ("tool_use", "server_tool_use")]


# %% wrong: ends with tool_use -> leaves_out_server_calls


def tool_calls(message):
    return [block for block in message.content if block.type.endswith("tool_use")]


# %% wrong: first only -> finds_every_client_call


def tool_calls(message):
    for block in message.content:
        if block.type == "tool_use":
            return [block]
    return []


# %% wrong: last block only -> finds_every_client_call


def tool_calls(message):
    last = message.content[-1]
    return [last] if last.type == "tool_use" else []


# %% wrong: names -> returns_the_blocks_themselves


def tool_calls(message):
    return [block.name for block in message.content if block.type == "tool_use"]


# %% wrong: dicts -> returns_the_blocks_themselves


def tool_calls(message):
    return [block.to_dict() for block in message.content if block.type == "tool_use"]


# %% wrong: pairs of name and input -> returns_the_blocks_themselves


def tool_calls(message):
    return [(block.name, block.input) for block in message.content if block.type == "tool_use"]


# %% wrong: one call a tool -> finds_every_client_call


def tool_calls(message):
    return list({block.name: block for block in message.content if block.type == "tool_use"}.values())


# %% wrong: a generator -> finds_every_client_call


def tool_calls(message):
    return (block for block in message.content if block.type == "tool_use")


# %% wrong: whatever has a name -> leaves_out_server_calls


def tool_calls(message):
    return [block for block in message.content if hasattr(block, "input")]


# %% wrong: None without calls -> finds_every_client_call


def tool_calls(message):
    calls = [block for block in message.content if block.type == "tool_use"]
    return calls or None


# %% wrong: only when the last block is a call -> finds_every_client_call


def tool_calls(message):
    calls = []
    for block in reversed(message.content):
        if block.type != "tool_use":
            break
        calls.insert(0, block)
    return calls


# %% wrong: last call first -> finds_every_client_call


def tool_calls(message):
    return [block for block in reversed(message.content) if block.type == "tool_use"]


# %% wrong: a tuple -> finds_every_client_call


def tool_calls(message):
    return tuple(block for block in message.content if block.type == "tool_use")


# %% wrong: the same call only once -> finds_every_client_call


def tool_calls(message):
    calls = []
    for block in message.content:
        if block.type == "tool_use" and not any((c.name, c.input) == (block.name, block.input) for c in calls):
            calls.append(block)
    return calls


# %% wrong: ordered by id -> finds_every_client_call


def tool_calls(message):
    return sorted((block for block in message.content if block.type == "tool_use"), key=lambda block: block.id)

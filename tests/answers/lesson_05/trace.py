"""Answers for `trace(messages)`."""
# ruff: noqa


# %% right: json.dumps
import json


def trace(messages):
    return json.dumps(messages)

# %% right: easy to read, keys sorted
from json import dumps


def trace(messages):
    return dumps(messages, indent=2, ensure_ascii=False, sort_keys=True)

# %% right: turn by turn
import json


def trace(messages):
    return "[" + ",\n".join(json.dumps(turn) for turn in messages) + "]"

# %% right: an encoder
import json

trace = json.JSONEncoder(separators=(",", ":")).encode

# %% wrong: str -> gives_the_history_back
def trace(messages):
    return str(messages)

# %% wrong: prints -> gives_the_history_back
import json


def trace(messages):
    print(json.dumps(messages))

# %% wrong: a line for each turn -> gives_the_history_back
import json


def trace(messages):
    return "\n".join(json.dumps(turn) for turn in messages)

# %% wrong: long texts cut -> gives_the_history_back
import json


def trace(messages):
    short = [{**turn, "content": turn["content"][:200]} for turn in messages]
    return json.dumps(short)

# %% wrong: without thinking -> gives_the_history_back
import json


def trace(messages):
    kept = [
        {**turn, "content": [block for block in turn["content"] if block["type"] != "thinking"]}
        if isinstance(turn["content"], list)
        else turn
        for turn in messages
    ]
    return json.dumps(kept)

# %% wrong: every value as text -> gives_the_history_back
import json


def trace(messages):
    return json.dumps([{key: str(value) for key, value in turn.items()} for turn in messages])

# %% wrong: in a wrapper -> gives_the_history_back
import json


def trace(messages):
    return json.dumps({"messages": messages})

# %% wrong: returns the list -> gives_the_history_back
def trace(messages):
    return messages

# %% wrong: quotes exchanged -> gives_the_history_back
def trace(messages):
    return str(messages).replace("'", '"')

# %% wrong: signs that are not ASCII left out -> gives_the_history_back
import json


def trace(messages):
    return json.dumps(messages, ensure_ascii=False).encode("ascii", "ignore").decode()

"""Answers for `assistant_turn(message)`."""
# ruff: noqa

# %% right: a comprehension


def assistant_turn(message):
    blocks = [block for block in message.content if block.type != "text" or block.text.strip()]
    return {"role": "assistant", "content": [block.to_dict() for block in blocks]}


# %% right: a loop with model_dump, which adds keys that are null


def assistant_turn(message):
    content = []
    for block in message.content:
        if block.type == "text" and not block.text.strip():
            continue
        content.append(block.model_dump())
    return {"role": "assistant", "content": content}


# %% right: the whole message as a dict, then two of its keys


def assistant_turn(message):
    whole = message.to_dict()
    whole["content"] = list(filter(is_said, whole["content"]))
    return {key: whole[key] for key in ("role", "content")}


def is_said(block):
    return not (block["type"] == "text" and block["text"].isspace() or block.get("text") == "")


# %% right: recursion, JSON text, and the SDK's own turn
import json


def assistant_turn(message):
    def dicts(blocks):
        if not blocks:
            return []
        first, *rest = blocks
        blank = first.type == "text" and first.text.strip() == ""
        return ([] if blank else [json.loads(first.to_json())]) + dicts(rest)

    turn = message.to_param()
    turn["content"] = dicts(list(turn["content"]))
    return turn


# %% right: takes the blank texts out of the message
class Turn(dict):
    def __init__(self, message):
        for block in [block for block in message.content if block.type == "text"]:
            if not block.text.split():
                message.content.remove(block)
        super().__init__(role="assistant", content=[block.to_dict() for block in message.content])


assistant_turn = Turn


# %% wrong: text only -> keeps_every_block


def assistant_turn(message):
    text = "".join(block.text for block in message.content if block.type == "text")
    return {"role": "assistant", "content": text}


# %% wrong: calls only -> keeps_every_block


def assistant_turn(message):
    return {"role": "assistant", "content": [block.to_dict() for block in message.content if block.type == "tool_use"]}


# %% wrong: without thinking -> keeps_every_block


def assistant_turn(message):
    said = [block for block in message.content if block.type != "thinking"]
    said = [block for block in said if block.type != "text" or block.text.strip()]
    return {"role": "assistant", "content": [block.to_dict() for block in said]}


# %% wrong: known types only -> keeps_every_block


def assistant_turn(message):
    known = ("text", "thinking", "redacted_thinking", "tool_use", "server_tool_use", "web_search_tool_result")
    blocks = [block for block in message.content if block.type in known]
    blocks = [block for block in blocks if block.type != "text" or block.text.strip()]
    return {"role": "assistant", "content": [block.to_dict() for block in blocks]}


# %% wrong: thinking without words left out -> leaves_out_blank_texts


def assistant_turn(message):
    def words(block):
        return getattr(block, "text", None) or getattr(block, "thinking", None) or getattr(block, "name", "")

    return {"role": "assistant", "content": [block.to_dict() for block in message.content if words(block).strip()]}


# %% wrong: calls last -> keeps_every_block


def assistant_turn(message):
    blocks = sorted(message.content, key=lambda block: block.type == "tool_use")
    blocks = [block for block in blocks if block.type != "text" or block.text.strip()]
    return {"role": "assistant", "content": [block.to_dict() for block in blocks]}


# %% wrong: the same call only once -> keeps_every_block


def assistant_turn(message):
    seen, content = [], []
    for block in message.content:
        mark = (getattr(block, "name", block), str(getattr(block, "input", "")))
        if mark not in seen and (block.type != "text" or block.text.strip()):
            seen.append(mark)
            content.append(block.to_dict())
    return {"role": "assistant", "content": content}


# %% wrong: texts stripped -> changes_no_block


def assistant_turn(message):
    content = []
    for block in message.content:
        data = block.to_dict()
        if block.type == "text":
            data["text"] = data["text"].strip()
        if block.type != "text" or data["text"]:
            content.append(data)
    return {"role": "assistant", "content": content}


# %% wrong: calls rebuilt with ids of their own -> changes_no_block


def assistant_turn(message):
    content = []
    for number, block in enumerate(message.content):
        if block.type == "tool_use":
            content.append({"type": "tool_use", "id": f"toolu_{number}", "name": block.name, "input": block.input})
        elif block.type != "text" or block.text.strip():
            content.append(block.to_dict())
    return {"role": "assistant", "content": content}


# %% wrong: blocks rebuilt without signature and citations -> changes_no_block


def assistant_turn(message):
    content = []
    for block in message.content:
        data = block.to_dict()
        data.pop("signature", None)
        data.pop("citations", None)
        if block.type != "text" or block.text.strip():
            content.append(data)
    return {"role": "assistant", "content": content}


# %% wrong: input as text -> changes_no_block
import json


def assistant_turn(message):
    content = []
    for block in message.content:
        data = block.to_dict()
        if block.type == "tool_use":
            data["input"] = json.dumps(data["input"])
        if block.type != "text" or block.text.strip():
            content.append(data)
    return {"role": "assistant", "content": content}


# %% wrong: the Message itself -> makes_a_plain_assistant_turn


def assistant_turn(message):
    return message


# %% wrong: the whole Message as a dict -> makes_a_plain_assistant_turn


def assistant_turn(message):
    return message.to_dict()


# %% wrong: the SDK's blocks -> makes_a_plain_assistant_turn


def assistant_turn(message):
    blocks = [block for block in message.content if block.type != "text" or block.text.strip()]
    return {"role": "assistant", "content": blocks}


# %% wrong: role user -> makes_a_plain_assistant_turn


def assistant_turn(message):
    blocks = [block for block in message.content if block.type != "text" or block.text.strip()]
    return {"role": "user", "content": [block.to_dict() for block in blocks]}


# %% wrong: a list of blocks -> makes_a_plain_assistant_turn


def assistant_turn(message):
    return [block.to_dict() for block in message.content if block.type != "text" or block.text.strip()]


# %% wrong: verbatim, blank texts too -> leaves_out_blank_texts


def assistant_turn(message):
    return {"role": "assistant", "content": [block.to_dict() for block in message.content]}


# %% wrong: empty texts only -> leaves_out_blank_texts


def assistant_turn(message):
    blocks = [block for block in message.content if block.type != "text" or block.text]
    return {"role": "assistant", "content": [block.to_dict() for block in blocks]}


# %% wrong: a filler for blank texts -> leaves_out_blank_texts


def assistant_turn(message):
    content = [block.to_dict() for block in message.content]
    for block in content:
        if block["type"] == "text" and not block["text"].strip():
            block["text"] = "(no text)"
    return {"role": "assistant", "content": content}


# %% wrong: the text is read before the type -> keeps_every_block


def assistant_turn(message):
    return {"role": "assistant", "content": [block.to_dict() for block in message.content if block.text.strip()]}


# %% wrong: the turn that to_param makes -> makes_a_plain_assistant_turn


def assistant_turn(message):
    return message.to_param()

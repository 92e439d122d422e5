"""Answers for `final_text(message)`."""
# ruff: noqa

# %% right: a join


def final_text(message):
    return "".join(block.text for block in message.content if block.type == "text")


# %% right: a loop


def final_text(message):
    text = ""
    for block in message.content:
        if block.type != "text":
            continue
        text += block.text
    return text


# %% right: through to_dict


def final_text(message):
    blocks = message.to_dict(warnings=False)["content"]
    return "".join([b["text"] for b in blocks if b["type"] == "text"])


# %% right: match, and chatter on both streams
import logging
import sys
import warnings


def final_text(message):
    parts = []
    for block in message.content:
        match block.type:
            case "text":
                parts.append(block.text)
            case other:
                print("left out", other)
                print("left out", other, file=sys.stderr)
                logging.warning("left out %s", other)
                warnings.warn(f"left out {other}")
    return str().join(parts)


# %% right: reduce, and a keyword of its own
from functools import reduce


def final_text(message, /, start: str = "", **unused) -> str:
    return reduce(lambda text, block: text + block.text if block.type == "text" else text, message.content, start)


# %% right: a class pattern that also asks for the type
from anthropic.types import TextBlock


def texts(blocks):
    for block in blocks:
        match block:
            case TextBlock(type="text", text=text):
                yield text


def final_text(message):
    return "".join(texts(message.content))


# %% right: uses the message up, by recursion


def final_text(message):
    if not message.content:
        return ""
    block = message.content.pop(0)
    return (block.text if block.type == "text" else "") + final_text(message)


# %% wrong: first block -> leaves_out_what_is_not_text


def final_text(message):
    return message.content[0].text


# %% wrong: first block, empty when there is none -> joins_text_blocks_in_order


def final_text(message):
    first = message.content[0] if message.content else None
    return getattr(first, "text", None) or ""


# %% wrong: last block only -> joins_text_blocks_in_order


def final_text(message):
    texts = [block.text for block in message.content if block.type == "text"]
    return texts[-1] if texts else ""


# %% wrong: dies on empty content -> gives_empty_text_when_there_is_none


def final_text(message):
    texts = [block.text for block in message.content if block.type == "text"]
    text = texts[0]
    for more in texts[1:]:
        text += more
    return text


# %% wrong: every block has text -> leaves_out_what_is_not_text


def final_text(message):
    return "".join(block.text for block in message.content)


# %% wrong: adds thinking -> leaves_out_what_is_not_text


def final_text(message):
    text = ""
    for block in message.content:
        if block.type == "thinking":
            text += block.thinking
        if block.type == "text":
            text += block.text
    return text


# %% wrong: joins with a line break -> joins_text_blocks_in_order


def final_text(message):
    return "\n".join(block.text for block in message.content if block.type == "text")


# %% wrong: strips -> joins_text_blocks_in_order


def final_text(message):
    return "".join(block.text for block in message.content if block.type == "text").strip()


# %% wrong: decides by class -> leaves_out_what_is_not_text
from anthropic.types import TextBlock


def final_text(message):
    return "".join(block.text or "" for block in message.content if isinstance(block, TextBlock))


# %% wrong: decides by attribute -> leaves_out_what_is_not_text


def final_text(message):
    return "".join(getattr(block, "text", "") or "" for block in message.content)


# %% wrong: dies on an unknown block -> leaves_out_what_is_not_text


def final_text(message):
    known = {"text": lambda b: b.text, "thinking": lambda b: "", "tool_use": lambda b: "",
             "server_tool_use": lambda b: "", "web_search_tool_result": lambda b: ""}
    return "".join(known[block.type](block) for block in message.content)


# %% wrong: None when there is no text -> gives_empty_text_when_there_is_none


def final_text(message):
    texts = [block.text for block in message.content if block.type == "text"]
    if texts:
        return "".join(texts)


# %% wrong: a list -> joins_text_blocks_in_order


def final_text(message):
    return [block.text for block in message.content if block.type == "text"]


# %% wrong: reversed -> joins_text_blocks_in_order


def final_text(message):
    return "".join(block.text for block in reversed(message.content) if block.type == "text")


# %% wrong: a sorry instead of nothing -> gives_empty_text_when_there_is_none


def final_text(message):
    return "".join(block.text for block in message.content if block.type == "text") or "(no answer)"


# %% wrong: stops at the first call -> joins_text_blocks_in_order


def final_text(message):
    text = ""
    for block in message.content:
        if block.type == "tool_use":
            break
        if block.type == "text":
            text += block.text
    return text


# %% wrong: tidies the white space -> joins_text_blocks_in_order


def final_text(message):
    words = "".join(block.text for block in message.content if block.type == "text").split(" ")
    return " ".join(word for word in words if word)


# %% wrong: lists the types to leave out -> leaves_out_what_is_not_text


def final_text(message):
    other = ("thinking", "redacted_thinking", "tool_use", "server_tool_use", "web_search_tool_result")
    return "".join(block.text for block in message.content if block.type not in other)


# %% wrong: ends the program -> gives_empty_text_when_there_is_none
import sys


def final_text(message):
    texts = [block.text for block in message.content if block.type == "text"]
    return "".join(texts) if texts else sys.exit("no text")


# %% wrong: calls itself without an end -> joins_text_blocks_in_order


def final_text(message):
    return final_text(message)


# %% wrong: only a finished reply has a text -> joins_text_blocks_in_order


def final_text(message):
    if message.stop_reason != "end_turn":
        return ""
    return "".join(block.text for block in message.content if block.type == "text")


# %% wrong: a type that begins with text -> leaves_out_what_is_not_text


def final_text(message):
    return "".join(block.text for block in message.content if block.type.startswith("text"))


# %% wrong: says nothing twice -> joins_text_blocks_in_order


def final_text(message):
    return "".join(dict.fromkeys(block.text for block in message.content if block.type == "text"))

"""Answers for `run_agent(client, prompt, tools, run_tool, ...)`."""
# ruff: noqa

# %% given
import json

from autograder import MODEL, SYSTEM, StepLimitReached


def final_text(message):
    return "".join(block.text for block in message.content if block.type == "text")


def assistant_turn(message):
    blocks = [block for block in message.content if block.type != "text" or block.text.strip()]
    return {"role": "assistant", "content": [block.to_dict() for block in blocks]}


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            content = run_tool(block.name, block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": content})
    return {"role": "user", "content": results}

# %% right: while True
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% right: a for loop with its cap, and match
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        match message.stop_reason:
            case "end_turn":
                return final_text(message)
            case "tool_use":
                messages += [assistant_turn(message), results_turn(message, run_tool)]
            case other:
                raise RuntimeError(other)
    raise StepLimitReached(messages, max_steps)

# %% right: recursion
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    def answer(messages):
        message = client.messages.create(
            messages=messages, tools=tools, system=system, max_tokens=max_tokens, model=MODEL
        )
        if message.stop_reason == "tool_use":
            return answer([*messages, assistant_turn(message), results_turn(message, run_tool)])
        if message.stop_reason == "end_turn":
            return final_text(message)
        raise RuntimeError(f"cannot go on after {message.stop_reason!r}")

    return answer([{"role": "user", "content": prompt}])

# %% right: a class, with the SDK's own turns
class Stopped(RuntimeError):
    pass


class Run:
    def __init__(self, client, run_tool, **request):
        self.client, self.run_tool, self.request = client, run_tool, request
        self.messages = []

    def send(self):
        self.reply = self.client.messages.create(**self.request, messages=self.messages)
        return self.reply.stop_reason

    def result(self, block):
        text = self.run_tool(block.name, block.input)
        content = [{"type": "text", "text": text}]
        return {"type": "tool_result", "tool_use_id": block.id, "content": content, "is_error": False}

    def play(self, prompt):
        self.messages.append({"role": "user", "content": [{"type": "text", "text": prompt}]})
        while (reason := self.send()) == "tool_use":
            blocks = [block for block in self.reply.content if block.type != "text" or block.text.strip()]
            self.messages.append({"role": "assistant", "content": blocks})
            calls = [block for block in blocks if block.type == "tool_use"]
            self.messages.extend({"role": "user", "content": [self.result(call)]} for call in calls)
        if reason != "end_turn":
            raise Stopped(f"the reply ended with {reason}")
        return "".join(block.text for block in self.reply.content if block.type == "text")


def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    return Run(client, run_tool, model=MODEL, system=system, tools=tools, max_tokens=max_tokens).play(prompt)

# %% right: streams, a cache marker and one list that is never changed
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    system = [{"type": "text", "text": system, "cache_control": {"type": "ephemeral"}}]
    history = ({"role": "user", "content": prompt},)
    while True:
        with client.messages.stream(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=list(history)
        ) as stream:
            message = stream.get_final_message()
        if message.stop_reason not in ("tool_use", "end_turn"):
            raise RuntimeError("stop_reason " + str(message.stop_reason))
        if message.stop_reason == "end_turn":
            return final_text(message)
        dumped = [block.model_dump() for block in message.content]
        blocks = [block for block in dumped if block.get("text") is None or block["text"].strip()]
        history += ({"role": "assistant", "content": blocks}, results_turn(message, run_tool))

# %% right: results in another order than their calls
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        turn = results_turn(message, run_tool)
        turn["content"].reverse()
        messages.append(turn)

# %% wrong: the assistant turn is missing -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(results_turn(message, run_tool))

# %% wrong: sends only the last turn again -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages = [results_turn(message, run_tool)]

# %% wrong: keeps the text only -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append({"role": "assistant", "content": final_text(message) or "I call a tool."})
        messages.append(results_turn(message, run_tool))

# %% wrong: runs the first call only -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        call = [block for block in message.content if block.type == "tool_use"][0]
        result = {"type": "tool_result", "tool_use_id": call.id, "content": run_tool(call.name, call.input)}
        messages.append({"role": "user", "content": [result]})

# %% wrong: sends the Message as a turn -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages += [message.to_dict(), results_turn(message, run_tool)]

# %% wrong: echoes a blank text -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append({"role": "assistant", "content": message.content})
        messages.append(results_turn(message, run_tool))

# %% wrong: text before the results -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        turn = results_turn(message, run_tool)
        turn["content"].insert(0, {"type": "text", "text": "Here are the results."})
        messages += [assistant_turn(message), turn]

# %% wrong: appends the reply twice -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
        messages.append(assistant_turn(message))

# %% wrong: a turn of text after each round, and the calls open -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        texts = [run_tool(block.name, block.input) for block in message.content if block.type == "tool_use"]
        messages.append({"role": "user", "content": "Results: " + "; ".join(texts)})

# %% wrong: hides refusals -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    try:
        while True:
            message = client.messages.create(
                model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
            )
            if message.stop_reason == "end_turn":
                return final_text(message)
            messages.append(results_turn(message, run_tool))
    except Exception:
        return "Sorry."

# %% wrong: the system prompt as a turn -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "system", "content": system}, {"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: temperature -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages, temperature=0
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: does not send anything -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    return "Your order arrives on Monday."

# %% wrong: forgets the question -> sends_the_whole_history_each_time
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages = [*messages, assistant_turn(message), results_turn(message, run_tool)][-2:]

# %% wrong: keeps the question and the last round -> sends_the_whole_history_each_time
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages = [messages[0], assistant_turn(message), results_turn(message, run_tool)]

# %% wrong: rewrites the question each time -> sends_the_whole_history_each_time
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages += [assistant_turn(message), results_turn(message, run_tool)]
        messages[0] = {"role": "user", "content": prompt + f" ({len(messages)} turns so far)"}

# %% wrong: shortens old results -> sends_the_whole_history_each_time
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        for turn in messages[1:]:
            for block in turn["content"]:
                if block["type"] == "tool_result":
                    block["content"] = "(old)"
        messages += [assistant_turn(message), results_turn(message, run_tool)]

# %% wrong: leaves the note before a call out -> sends_the_whole_history_each_time
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        turn = assistant_turn(message)
        turn["content"] = [block for block in turn["content"] if block["type"] != "text"]
        messages += [turn, results_turn(message, run_tool)]

# %% wrong: a history that outlives the run -> sends_only_what_the_api_accepts
HISTORY = []


def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = HISTORY
    messages.append({"role": "user", "content": prompt})
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: strips and decorates the prompt -> sends_the_whole_history_each_time
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": f"Customer: {prompt}"}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: system in the first request only -> repeats_model_system_tools_and_max_tokens
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, tools=tools, messages=messages,
            **({"system": system} if len(messages) == 1 else {}),
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: no system at all -> repeats_model_system_tools_and_max_tokens
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: the built-in system instead of the given one -> repeats_model_system_tools_and_max_tokens
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=SYSTEM, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: max_tokens of its own -> repeats_model_system_tools_and_max_tokens
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=4096, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: another model -> repeats_model_system_tools_and_max_tokens
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model="claude-haiku-5-5", max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: offers a tool once only -> repeats_model_system_tools_and_max_tokens
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        used = {block.name for block in message.content if block.type == "tool_use"}
        tools = [tool for tool in tools if tool["name"] not in used]
        messages += [assistant_turn(message), results_turn(message, run_tool)]

# %% wrong: a system prompt that counts -> repeats_model_system_tools_and_max_tokens
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=f"{system} Turns so far: {len(messages)}.", tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: a fixed order of tools -> runs_each_call_once_in_order
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    order = ["get_order", "search_help", "process_refund"]
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        name = order[len(messages) // 2 % 3 - 1]
        messages.append(results_turn(message, lambda _asked, tool_input: run_tool(name, tool_input)))

# %% wrong: runs each tool twice -> runs_each_call_once_in_order
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        print(results_turn(message, run_tool))
        messages += [assistant_turn(message), results_turn(message, run_tool)]

# %% wrong: last call first -> runs_each_call_once_in_order
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        calls = [block for block in reversed(message.content) if block.type == "tool_use"]
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": run_tool(call.name, call.input)} for call in calls
        ]
        messages.append({"role": "user", "content": results})

# %% wrong: does not run the same call again -> runs_each_call_once_in_order
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    known = {}

    def once(name, tool_input):
        key = name, str(tool_input)
        if key not in known:
            known[key] = run_tool(name, tool_input)
        return known[key]

    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages += [assistant_turn(message), results_turn(message, once)]

# %% wrong: makes the results up -> runs_each_call_once_in_order
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, lambda name, tool_input: "done"))

# %% wrong: the values of the input only -> runs_each_call_once_in_order
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, lambda name, tool_input: run_tool(name, list(tool_input.values()))))

# %% wrong: swaps the results -> sends_each_result_under_its_id
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        turn = results_turn(message, run_tool)
        texts = [result["content"] for result in turn["content"]]
        for result, text in zip(turn["content"], reversed(texts)):
            result["content"] = text
        messages += [assistant_turn(message), turn]

# %% wrong: every result an error -> sends_each_result_under_its_id
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        turn = results_turn(message, run_tool)
        for result in turn["content"]:
            result["is_error"] = True
        messages += [assistant_turn(message), turn]

# %% wrong: all results under each id -> sends_each_result_under_its_id
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        turn = results_turn(message, run_tool)
        everything = "; ".join(result["content"] for result in turn["content"])
        for result in turn["content"]:
            result["content"] = everything
        messages += [assistant_turn(message), turn]

# %% wrong: results cut after ten characters -> sends_each_result_under_its_id
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages += [assistant_turn(message), results_turn(message, lambda n, i: run_tool(n, i)[:10])]

# %% wrong: results by name of the tool -> sends_each_result_under_its_id
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        turn = results_turn(message, run_tool)
        names = [block.name for block in message.content if block.type == "tool_use"]
        by_name = dict(zip(names, (result["content"] for result in turn["content"])))
        for name, result in zip(names, turn["content"]):
            result["content"] = by_name[name]
        messages += [assistant_turn(message), turn]

# %% wrong: stops at the first text -> goes_on_at_tool_use_and_ends_at_end_turn
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if final_text(message).strip():
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: stops at the word done -> goes_on_at_tool_use_and_ends_at_end_turn
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn" or "done" in final_text(message).lower():
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: stops at final answer -> goes_on_at_tool_use_and_ends_at_end_turn
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn" or "Final answer:" in final_text(message):
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: one round of tools -> goes_on_at_tool_use_and_ends_at_end_turn
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn" or len(messages) > 1:
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: waits for the word done -> goes_on_at_tool_use_and_ends_at_end_turn
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn" and "let me" in final_text(message).lower():
            messages += [assistant_turn(message), {"role": "user", "content": "Please go on."}]
            continue
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: collects all texts -> returns_the_text_of_the_last_reply
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    text = ""
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        text += final_text(message)
        if message.stop_reason == "end_turn":
            return text
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: the last block only -> returns_the_text_of_the_last_reply
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return message.content[-1].text if message.content else ""
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: returns the Message -> returns_the_text_of_the_last_reply
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return message
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: prints the text -> returns_the_text_of_the_last_reply
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            print(final_text(message))
            return
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: an apology for an empty end -> returns_the_text_of_the_last_reply
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message) or "Sorry, I have no answer."
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: IndexError at an empty end -> returns_the_text_of_the_last_reply
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return [block.text for block in message.content if block.type == "text"][0]
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: ten rounds are the end -> plays_a_long_case_to_its_end
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages, message = [{"role": "user", "content": prompt}], None
    for _ in range(10):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    return final_text(message)

# %% wrong: a cap of ten -> plays_a_long_case_to_its_end
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for _ in range(10):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise RuntimeError("no answer after 10 requests")

# %% wrong: twelve at most, then nothing -> plays_a_long_case_to_its_end
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for _ in range(12):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: ends when a tool is called for the seventh time -> plays_a_long_case_to_its_end
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    ran = []
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        ran += [block.name for block in message.content if block.type == "tool_use"]
        if ran.count("get_order") > 6:
            raise RuntimeError("the model repeats itself")
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: everything else is an answer -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason != "tool_use":
            return final_text(message)
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: everything else is tools -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: looks for calls -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if not any(block.type == "tool_use" for block in message.content):
            return final_text(message)
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: ValueError -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise ValueError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: does not name the value -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError("the run stopped")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: a pause is sent back -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason == "pause_turn":
            messages.append(assistant_turn(message))
            continue
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: a stop sequence is the end -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason in ("end_turn", "stop_sequence"):
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: a cut reply is asked for again -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason == "max_tokens":
            continue
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: the tools run before the stop_reason is read -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        results = results_turn(message, run_tool)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results)

# %% wrong: a refusal is an answer -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason in ("end_turn", "refusal"):
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: KeyError on a new value -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        {"tool_use": 1, "pause_turn": 2, "max_tokens": 3, "refusal": 4, "stop_sequence": 5}[message.stop_reason]
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: a text after the results -> sends_the_whole_history_each_time
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        turn = results_turn(message, run_tool)
        turn["content"].append({"type": "text", "text": "Please go on."})
        messages += [assistant_turn(message), turn]


# %% wrong: strips the prompt -> sends_the_whole_history_each_time
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt.strip()}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))


# %% wrong: begins anew in every round -> sends_the_whole_history_each_time
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    while True:
        messages = [{"role": "user", "content": prompt}]
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))


# %% wrong: messages is what append returns -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages = messages.append(assistant_turn(message))
        messages = messages.append(results_turn(message, run_tool))


# %% wrong: results before the reply -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(results_turn(message, run_tool))
        messages.append(assistant_turn(message))


# %% wrong: all results so far in each turn -> sends_only_what_the_api_accepts
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    results = []
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        results += results_turn(message, run_tool)["content"]
        messages.append({"role": "user", "content": list(results)})


# %% wrong: forbids tools -> repeats_model_system_tools_and_max_tokens
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, tool_choice={"type": "none"}, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))


# %% wrong: the order of tools -> runs_each_call_once_in_order
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": run_tool(block.name, block.input)}
            for tool in tools
            for block in message.content
            if block.type == "tool_use" and block.name == tool["name"]
        ]
        messages += [assistant_turn(message), {"role": "user", "content": results}]


# %% wrong: the order of the alphabet -> runs_each_call_once_in_order
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        calls = sorted((block for block in message.content if block.type == "tool_use"), key=lambda call: call.name)
        results = [
            {"type": "tool_result", "tool_use_id": call.id, "content": run_tool(call.name, call.input)} for call in calls
        ]
        messages += [assistant_turn(message), {"role": "user", "content": results}]


# %% wrong: the names of the four tools -> runs_each_call_once_in_order
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        def run(name, tool_input):
            if name in ("get_order", "search_help", "process_refund"):
                return run_tool(name, tool_input)
            return run_tool("escalate_to_human", tool_input)

        messages += [assistant_turn(message), results_turn(message, run)]


# %% wrong: an empty input needs no run -> runs_each_call_once_in_order
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, lambda name, given: run_tool(name, given) if given else "ok"))


# %% wrong: strips results -> sends_each_result_under_its_id
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, lambda name, given: run_tool(name, given).strip()))


# %% wrong: guesses errors from the text -> sends_each_result_under_its_id
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        turn = results_turn(message, run_tool)
        for result in turn["content"]:
            result["is_error"] = result["content"].strip().startswith("error")
        messages += [assistant_turn(message), turn]


# %% wrong: an earlier text for an empty end -> returns_the_text_of_the_last_reply
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    text = ""
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        text = final_text(message) or text
        if message.stop_reason == "end_turn":
            return text
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))


# %% wrong: compaction is the end -> raises_at_any_other_stop_reason
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason in ("end_turn", "compaction"):
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

"""Answers for `run_agent(..., max_steps=20)`, the cap."""
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

# %% right: the last calls are run and answered
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)

# %% right: the last calls are not executed
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        if step < max_steps:
            messages.append(results_turn(message, run_tool))
    skipped = [
        {"type": "tool_result", "tool_use_id": block.id, "content": "Not executed: step limit.", "is_error": True}
        for block in message.content
        if block.type == "tool_use"
    ]
    messages.append({"role": "user", "content": skipped})
    raise StepLimitReached(messages, max_steps)

# %% right: the last reply is left out
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages, steps = [{"role": "user", "content": prompt}], 0
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        steps += 1
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        if steps == max_steps:
            raise StepLimitReached(messages, steps)
        messages += [assistant_turn(message), results_turn(message, run_tool)]

# %% right: recursion, and keywords
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    def answer(messages, left):
        if not left:
            raise StepLimitReached(messages=messages, steps=max_steps)
        message = client.messages.create(
            messages=messages, tools=tools, system=system, max_tokens=max_tokens, model=MODEL
        )
        if message.stop_reason == "tool_use":
            return answer([*messages, assistant_turn(message), results_turn(message, run_tool)], left - 1)
        if message.stop_reason == "end_turn":
            return final_text(message)
        raise RuntimeError(f"cannot go on after {message.stop_reason!r}")

    return answer([{"role": "user", "content": prompt}], max_steps)

# %% right: one result a turn, an exception of its own
class StepLimitReached(Exception):
    def __init__(self, messages, steps):
        self.messages = messages
        self.steps = steps


def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while max_steps > len([m for m in messages if m['role'] == 'assistant']):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages += [{"role": "user", "content": [result]} for result in results_turn(message, run_tool)["content"]]
    raise StepLimitReached(messages, max_steps)

# %% wrong: no cap -> sends_at_most_max_steps_requests
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

# %% wrong: one request more -> sends_at_most_max_steps_requests
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)

# %% wrong: counts tools, not requests -> sends_at_most_max_steps_requests
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    ran = set()
    messages = [{"role": "user", "content": prompt}]
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        ran |= {block.name for block in message.content if block.type == "tool_use"}
        messages += [assistant_turn(message), results_turn(message, run_tool)]
        if len(ran) >= max_steps and len(messages) > 2 * max_steps + 1:
            raise StepLimitReached(messages, max_steps)

# %% wrong: a cap of its own -> sends_at_most_max_steps_requests
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(20):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)

# %% wrong: asks for a summary at the cap -> sends_at_most_max_steps_requests
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    messages.append({"role": "user", "content": "Please sum up."})
    summary = client.messages.create(
        model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
    )
    raise StepLimitReached(messages, max_steps)

# %% wrong: does not count the first request -> sends_at_most_max_steps_requests
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages, step = [{"role": "user", "content": prompt}], 0
    while True:
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if step == max_steps:
            raise StepLimitReached(messages, max_steps)
        step += 1
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: stops one early -> returns_when_the_last_request_ends_it
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps - 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)

# %% wrong: looks at the count before the reply -> returns_when_the_last_request_ends_it
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if step == max_steps:
            raise StepLimitReached(messages, max_steps)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: no text at the cap -> returns_when_the_last_request_ends_it
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn" and step < max_steps:
            return final_text(message)
        if message.stop_reason == "end_turn":
            return "The limit was reached."
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)

# %% wrong: the last text is the answer -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
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

# %% wrong: RuntimeError at the cap -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise RuntimeError(f"no answer after {max_steps} requests")

# %% wrong: returns None at the cap -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))

# %% wrong: returns the exception -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    return StepLimitReached(messages, max_steps)

# %% wrong: the number of messages as steps -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, len(messages))

# %% wrong: steps counted from nought -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, step)

# %% wrong: the arguments exchanged -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(max_steps, messages)

# %% wrong: leaves the last calls open -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        if step < max_steps:
            messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)

# %% wrong: the question only -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages[:1], max_steps)

# %% wrong: the last two turns only -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages[-2:], max_steps)

# %% wrong: no history -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached([], max_steps)

# %% wrong: a text instead of turns -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(str(messages), max_steps)

# %% wrong: the text of the last reply without its calls -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        if step == max_steps:
            messages.append({"role": "assistant", "content": final_text(message) or "I stop here."})
            break
        messages += [assistant_turn(message), results_turn(message, run_tool)]
    raise StepLimitReached(messages, max_steps)

# %% wrong: answers the first call only -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        turn = results_turn(message, run_tool)
        if step == max_steps:
            del turn["content"][1:]
        messages.append(turn)
    raise StepLimitReached(messages, max_steps)

# %% wrong: ends with an open call and an excuse -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        if step == max_steps:
            messages.append({"role": "user", "content": "The step limit was reached."})
            break
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)

# %% wrong: a note at the end, without the last reply -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        if step < max_steps:
            messages += [assistant_turn(message), results_turn(message, run_tool)]
    messages.append({"role": "user", "content": "The step limit was reached."})
    raise StepLimitReached(messages, max_steps)

# %% wrong: a success that never was -> tells_what_became_of_each_call
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        run = run_tool if step < max_steps else lambda name, tool_input: "done"
        messages.append(results_turn(message, run))
    raise StepLimitReached(messages, max_steps)

# %% wrong: not executed, and no error -> tells_what_became_of_each_call
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        run = run_tool if step < max_steps else lambda name, tool_input: "Not executed: step limit."
        messages.append(results_turn(message, run))
    raise StepLimitReached(messages, max_steps)

# %% wrong: runs the last calls and forgets them -> tells_what_became_of_each_call
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages[:-2], max_steps)

# %% wrong: runs the last calls and calls them not executed -> tells_what_became_of_each_call
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        turn = results_turn(message, run_tool)
        if step == max_steps:
            for result in turn["content"]:
                result.update(content="Not executed", is_error=True)
        messages += [assistant_turn(message), turn]
    raise StepLimitReached(messages, max_steps)

# %% wrong: runs the first of the last calls and leaves all out -> tells_what_became_of_each_call
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        if step == max_steps:
            call = next(block for block in message.content if block.type == "tool_use")
            run_tool(call.name, call.input)
            break
        messages += [assistant_turn(message), results_turn(message, run_tool)]
    raise StepLimitReached(messages, max_steps)

# %% wrong: SDK objects in the history -> leaves_a_history_that_can_go_on
class StepLimitReached(Exception):
    def __init__(self, messages, steps):
        self.messages = messages
        self.steps = steps


def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    while max_steps > len([m for m in messages if m['role'] == 'assistant']):
        message = client.messages.create(
            model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages
        )
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append({"role": "assistant", "content": [b for b in message.content if b.type != "text" or b.text.strip()]})
        messages += [{"role": "user", "content": [result]} for result in results_turn(message, run_tool)["content"]]
    raise StepLimitReached(messages, max_steps)

# %% wrong: the cap comes before an other stop_reason -> still_does_what_05_1_asks
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if step == max_steps:
            raise StepLimitReached(messages, max_steps)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))


# %% wrong: forgets the parameters of 05.1 -> still_does_what_05_1_asks
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=2048, system=SYSTEM, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)


# %% wrong: has no parameter system -> still_does_what_05_1_asks
def run_agent(client, prompt, tools, run_tool, *, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=SYSTEM, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)


# %% wrong: other stop reasons return, now that there is a cap -> still_does_what_05_1_asks
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            return final_text(message)
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)


# %% wrong: sorts the calls, now that there is a cap -> still_does_what_05_1_asks
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
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
    raise StepLimitReached(messages, max_steps)


# %% wrong: twenty rounds are the end -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    if max_steps >= 20:
        return final_text(message)
    raise StepLimitReached(messages, max_steps)


# %% wrong: a default that is no cap -> sends_at_most_max_steps_requests
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=999999):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)


# %% wrong: a default of fourteen -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=14):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)


# %% wrong: a cap for small numbers only -> sends_at_most_max_steps_requests
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(max_steps if max_steps < 5 else 1000):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)


# %% wrong: stops at let me know -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        text = final_text(message)
        if message.stop_reason == "end_turn" or "let me know" in text.lower():
            return text
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)


# %% wrong: stops at task complete -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        text = final_text(message)
        if message.stop_reason == "end_turn" or "task complete" in text.lower():
            return text
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)


# %% wrong: stops at anything else -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        text = final_text(message)
        if message.stop_reason == "end_turn" or "anything else" in text.lower():
            return text
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached(messages, max_steps)


# %% wrong: invented turns at the end -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    messages.append({"role": "user", "content": "Thanks."})
    messages.append({"role": "assistant", "content": "The refund is paid."})
    raise StepLimitReached(messages, max_steps)


# %% wrong: strips the texts that it sends back -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        turn = assistant_turn(message)
        for block in turn["content"]:
            if block["type"] == "text":
                block["text"] = block["text"].strip()
        messages += [turn, results_turn(message, run_tool)]
    raise StepLimitReached(messages, max_steps)


# %% wrong: cuts a long history -> leaves_a_history_that_can_go_on
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages += [assistant_turn(message), results_turn(message, run_tool)]
        if len(messages) > 28:
            messages = messages[:1] + messages[3:]
    raise StepLimitReached(messages, max_steps)


# %% wrong: StepLimitReached without arguments -> raises_step_limit_reached
def run_agent(client, prompt, tools, run_tool, *, system=SYSTEM, max_tokens=2048, max_steps=20):
    messages = [{"role": "user", "content": prompt}]
    for step in range(1, max_steps + 1):
        message = client.messages.create(model=MODEL, max_tokens=max_tokens, system=system, tools=tools, messages=messages)
        if message.stop_reason == "end_turn":
            return final_text(message)
        if message.stop_reason != "tool_use":
            raise RuntimeError(f"stopped: {message.stop_reason}")
        messages.append(assistant_turn(message))
        messages.append(results_turn(message, run_tool))
    raise StepLimitReached


# %% wrong: forgets the history -> sends_at_most_max_steps_requests
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

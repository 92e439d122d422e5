"""Answers for `results_turn(message, run_tool)`."""
# ruff: noqa

# %% right: a loop


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            content = run_tool(block.name, block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": content})
    return {"role": "user", "content": results}


# %% right: a comprehension, content as a list, is_error false


def results_turn(message, run_tool):
    return dict(
        role="user",
        content=[
            {
                "type": "tool_result",
                "tool_use_id": call.id,
                "content": [{"type": "text", "text": run_tool(call.name, call.input)}],
                "is_error": False,
            }
            for call in message.content
            if call.type == "tool_use"
        ],
    )


# %% right: a helper function, last call first


def results_turn(message, run_tool):
    calls = [block for block in message.content if block.type == "tool_use"]
    return {"role": "user", "content": [answer(call, run_tool) for call in reversed(calls)]}


def answer(call, run_tool):
    return {"tool_use_id": call.id, "type": "tool_result", "content": run_tool(call.name, dict(call.input))}


# %% right: recursion


def results_turn(message, run_tool, first=0):
    if first == len(message.content):
        return {"role": "user", "content": []}
    block = message.content[first]
    results = []
    if block.type == "tool_use":
        output = run_tool(block.name, block.input)
        results = [{"type": "tool_result", "tool_use_id": block.id, "content": output}]
    return {"role": "user", "content": results + results_turn(message, run_tool, first + 1)["content"]}


# %% right: a class, and the outputs first


class Desk:
    def __init__(self, message):
        self.calls = {block.id: block for block in message.content if block.type == "tool_use"}

    def run(self, run_tool):
        return {name: run_tool(call.name, call.input) for name, call in self.calls.items()}


def results_turn(message, run_tool):
    outputs = Desk(message).run(run_tool)
    return {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": name, "content": output, "cache_control": None}
            for name, output in outputs.items()
        ],
    }


# %% right: the calls by tool_calls of lesson 01, keywords


def tool_calls(message):
    return [block for block in message.content if block.type == "tool_use"]


def results_turn(message, run_tool):
    results = []
    for call in tool_calls(message):
        output = run_tool(tool_input=call.input, name=call.name)
        results.append({"type": "tool_result", "tool_use_id": call.id, "content": output})
    return {"role": "user", "content": results}


# %% wrong: first call only -> answers_every_call


def results_turn(message, run_tool):
    call = next(block for block in message.content if block.type == "tool_use")
    result = {"type": "tool_result", "tool_use_id": call.id, "content": run_tool(call.name, call.input)}
    return {"role": "user", "content": [result]}


# %% wrong: last block only -> answers_every_call


def results_turn(message, run_tool):
    call = message.content[-1]
    result = {"type": "tool_result", "tool_use_id": call.id, "content": run_tool(call.name, call.input)}
    return {"role": "user", "content": [result]}


# %% wrong: one result for each tool -> answers_every_call


def results_turn(message, run_tool):
    calls = {block.name: block for block in message.content if block.type == "tool_use"}
    return {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": call.id, "content": run_tool(call.name, call.input)}
            for call in calls.values()
        ],
    }


# %% wrong: every result twice -> answers_every_call


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            output = run_tool(block.name, block.input)
            results += [{"type": "tool_result", "tool_use_id": block.id, "content": output}] * 2
    return {"role": "user", "content": results}


# %% wrong: the id of the message -> answers_every_call


def results_turn(message, run_tool):
    return {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": message.id, "content": run_tool(block.name, block.input)}
            for block in message.content
            if block.type == "tool_use"
        ],
    }


# %% wrong: id in place of tool_use_id -> answers_every_call


def results_turn(message, run_tool):
    return {
        "role": "user",
        "content": [
            {"type": "tool_result", "id": block.id, "content": run_tool(block.name, block.input)}
            for block in message.content
            if block.type == "tool_use"
        ],
    }


# %% wrong: only ids that begin with toolu_ -> answers_every_call


def results_turn(message, run_tool):
    calls = [block for block in message.content if getattr(block, "id", "").startswith("toolu_")]
    return {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": call.id, "content": run_tool(call.name, call.input)}
            for call in calls
        ],
    }


# %% wrong: outputs by name -> gives_each_call_its_own_output


def results_turn(message, run_tool):
    calls = [block for block in message.content if block.type == "tool_use"]
    outputs = {call.name: run_tool(call.name, call.input) for call in calls}
    return {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": call.id, "content": outputs[call.name]} for call in calls
        ],
    }


# %% wrong: outputs beside the wrong ids -> gives_each_call_its_own_output


def results_turn(message, run_tool):
    calls = [block for block in message.content if block.type == "tool_use"]
    outputs = [run_tool(call.name, call.input) for call in calls]
    return {
        "role": "user",
        "content": [
            {"type": "tool_result", "tool_use_id": call.id, "content": output}
            for call, output in zip(calls, reversed(outputs))
        ],
    }


# %% wrong: runs each tool twice -> gives_each_call_its_own_output


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use" and run_tool(block.name, block.input):
            output = run_tool(block.name, block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "user", "content": results}


# %% wrong: the same call is run once -> gives_each_call_its_own_output


def results_turn(message, run_tool):
    known, results = {}, []
    for block in message.content:
        if block.type == "tool_use":
            key = (block.name, str(block.input))
            if key not in known:
                known[key] = run_tool(block.name, block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": known[key]})
    return {"role": "user", "content": results}


# %% wrong: output as JSON text -> gives_each_call_its_own_output
import json


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            output = json.dumps(run_tool(block.name, block.input))
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "user", "content": results}


# %% wrong: no content -> gives_each_call_its_own_output


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            run_tool(block.name, block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id})
    return {"role": "user", "content": results}


# %% wrong: the input spread out -> gives_each_call_its_own_output


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            output = run_tool(block.name, list(block.input.values()))
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "user", "content": results}


# %% wrong: one message each -> answers_in_one_user_turn


def results_turn(message, run_tool):
    turns = []
    for block in message.content:
        if block.type == "tool_use":
            result = {"type": "tool_result", "tool_use_id": block.id, "content": run_tool(block.name, block.input)}
            turns.append({"role": "user", "content": [result]})
    return turns


# %% wrong: text first -> answers_in_one_user_turn


def results_turn(message, run_tool):
    content = [{"type": "text", "text": "Here are the results."}]
    for block in message.content:
        if block.type == "tool_use":
            output = run_tool(block.name, block.input)
            content.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "user", "content": content}


# %% wrong: text after the results -> answers_in_one_user_turn


def results_turn(message, run_tool):
    content = []
    for block in message.content:
        if block.type == "tool_use":
            output = run_tool(block.name, block.input)
            content.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "user", "content": [*content, {"type": "text", "text": "Please go on."}]}


# %% wrong: the role of another API -> answers_in_one_user_turn


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            output = run_tool(block.name, block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "tool", "content": results}


# %% wrong: the bare list of results -> answers_in_one_user_turn


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            output = run_tool(block.name, block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return results


# %% wrong: answers the server's calls too -> answers_no_server_call


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type in ("tool_use", "server_tool_use"):
            output = run_tool(block.name, block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "user", "content": results}


# %% wrong: runs whatever has a name and an input -> answers_no_server_call


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if hasattr(block, "name") and hasattr(block, "input"):
            output = run_tool(block.name, block.input)
            if block.type == "tool_use":
                results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "user", "content": results}


# %% wrong: errors become results -> lets_tool_errors_rise


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            result = {"type": "tool_result", "tool_use_id": block.id}
            try:
                result["content"] = run_tool(block.name, block.input)
            except Exception as error:
                result |= {"content": f"Error: {error}", "is_error": True}
            results.append(result)
    return {"role": "user", "content": results}


# %% wrong: failed calls are passed over -> lets_tool_errors_rise


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            try:
                output = run_tool(block.name, block.input)
            except Exception:
                continue
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "user", "content": results}


# %% wrong: another exception -> lets_tool_errors_rise


def results_turn(message, run_tool):
    try:
        results = [
            {"type": "tool_result", "tool_use_id": block.id, "content": run_tool(block.name, block.input)}
            for block in message.content
            if block.type == "tool_use"
        ]
    except Exception as error:
        raise RuntimeError("a tool failed") from error
    return {"role": "user", "content": results}


# %% wrong: the input with two stars, as a tool takes it -> gives_each_call_its_own_output


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            output = run_tool(block.name, **block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "user", "content": results}


# %% wrong: the input with two stars, as a tool takes it, and it fails -> lets_tool_errors_rise


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            output = run_tool(block.name, **block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
    return {"role": "user", "content": results}


# %% wrong: a return in the loop -> lets_tool_errors_rise


def results_turn(message, run_tool):
    results = []
    for block in message.content:
        if block.type == "tool_use":
            output = run_tool(block.name, block.input)
            results.append({"type": "tool_result", "tool_use_id": block.id, "content": output})
            return {"role": "user", "content": results}

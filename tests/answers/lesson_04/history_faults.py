"""Answers for `history_faults(messages)`."""
# ruff: noqa

# %% given
from autograder import Fault


def merged(messages):
    turns = []
    for message in messages:
        content = message["content"]
        blocks = [{"type": "text", "text": content}] if isinstance(content, str) else content
        if turns and turns[-1]["role"] == message["role"]:
            turns[-1]["content"].extend(blocks)
        else:
            turns.append({"role": message["role"], "content": list(blocks)})
    return turns


def calls_of(turn):
    return [block["id"] for block in turn["content"] if block["type"] == "tool_use"]


def results_of(turn):
    return [block["tool_use_id"] for block in turn["content"] if block["type"] == "tool_result"]


def head_of(turn):
    ids = []
    for block in turn["content"]:
        if block["type"] != "tool_result":
            break
        ids.append(block["tool_use_id"])
    return ids


def twice(ids):
    return sorted({one for one in ids if ids.count(one) > 1})


NOTHING = {"role": "", "content": []}


# %% right: four rules with neighbours


def history_faults(messages):
    faults = []
    turns = merged(messages)
    for index, turn in enumerate(turns):
        before = turns[index - 1] if index else NOTHING
        after = turns[index + 1] if index + 1 < len(turns) else NOTHING
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if one not in head_of(after)]
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% right: a walk that remembers the open calls, a class of its own


class Walk:
    def __init__(self):
        self.faults, self.open, self.asked = [], {}, set()

    def close(self):
        self.faults.extend(Fault("unanswered", at, name) for name, at in self.open.items())
        self.open, self.asked = {}, set()

    def assistant(self, at, blocks):
        self.close()
        for block in blocks:
            if block["type"] == "tool_use":
                if block["id"] in self.asked:
                    self.faults.append(Fault("repeated_id", at, block["id"]))
                self.asked.add(block["id"])
                self.open[block["id"]] = at

    def user(self, at, blocks):
        seen, leading = set(), True
        for block in blocks:
            leading = leading and block["type"] == "tool_result"
            if block["type"] != "tool_result":
                continue
            name = block["tool_use_id"]
            if name in seen:
                self.faults.append(Fault("two_results", at, name))
            elif name not in self.asked:
                self.faults.append(Fault("unexpected", at, name))
            elif leading:
                self.open.pop(name, None)
            seen.add(name)
        self.close()


def history_faults(messages):
    walk = Walk()
    for at, turn in enumerate(merged(messages)):
        getattr(walk, turn["role"])(at, turn["content"])
    walk.close()
    return walk.faults


# %% right: recursion over pairs, last fault first, Counter
from collections import Counter
from dataclasses import astuple


def history_faults(messages):
    turns = [NOTHING, *merged(messages), NOTHING]
    return sorted(set(pairs(turns, 0)), key=astuple, reverse=True)


def pairs(turns, at):
    if at + 1 == len(turns):
        return []
    one, two = turns[at], turns[at + 1]
    found = [Fault("unanswered", at - 1, name) for name in set(calls_of(one)) - set(head_of(two))]
    found += [Fault("unexpected", at, name) for name in set(results_of(two)) - set(calls_of(one))]
    for kind, ids in (("two_results", results_of(two)), ("repeated_id", calls_of(two))):
        found += [Fault(kind, at, name) for name, count in Counter(ids).items() if count > 1]
    return found + pairs(turns, at + 1)


# %% right: a Fault class of its own, and no help from merged
from dataclasses import dataclass
from itertools import groupby, takewhile


@dataclass
class Fault:
    kind: str
    message: int
    id: str


def blocks(message):
    return [] if isinstance(message["content"], str) and not message["content"] else (
        [{"type": "text"}] if isinstance(message["content"], str) else message["content"]
    )


def history_faults(messages):
    groups = groupby(messages, key=lambda message: message["role"])
    turns = [[block for message in group for block in blocks(message)] for _role, group in groups]
    faults = []
    for index, (before, turn, after) in enumerate(zip([[], *turns], turns, [*turns[1:], []])):
        head = {block["tool_use_id"] for block in takewhile(lambda block: block["type"] == "tool_result", after)}
        asked = {block["id"] for block in before if block["type"] == "tool_use"}
        seen = set()
        for block in turn:
            name = block.get("id") if block["type"] == "tool_use" else block.get("tool_use_id")
            if block["type"] == "tool_use":
                rules = {"repeated_id": name in seen, "unanswered": name not in head and name not in seen}
            elif block["type"] == "tool_result":
                rules = {"two_results": name in seen, "unexpected": name not in asked and name not in seen}
            else:
                continue
            seen.add(name)
            faults += [Fault(kind, index, name) for kind, broken in rules.items() if broken]
    return faults


# %% wrong: always empty -> finds_unanswered_calls


def history_faults(messages):
    return []


# %% wrong: counts instead of ids -> names_the_fault_that_the_api_names


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        faults += [Fault("unanswered", index, one) for one in calls_of(turn)[len(head_of(after)) :]]
        faults += [Fault("unexpected", index, one) for one in results_of(turn)[len(calls_of(before)) :]]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: a result in any later turn will do -> names_the_fault_that_the_api_names


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn = turns[index], turns[index + 1]
        later = [name for other in turns[index + 2 :] for name in head_of(other)]
        asked = [name for other in turns[: index + 1] for name in calls_of(other)]
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if one not in later]
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in asked]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: a call in any earlier turn will do -> finds_unexpected_results


def history_faults(messages):
    faults, asked = [], []
    turns = [*merged(messages), NOTHING]
    for index, turn in enumerate(turns[:-1]):
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if one not in head_of(turns[index + 1])]
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in asked]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
        asked += calls_of(turn)
    return faults


# %% wrong: ignores merging -> finds_no_fault_where_there_is_none


def merged(messages):
    return [
        {"role": message["role"], "content": message["content"] if isinstance(message["content"], list) else []}
        for message in messages
    ]


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if one not in head_of(after)]
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: every id of the course begins with toolu_ -> finds_no_fault_where_there_is_none


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        real = [one for one in calls_of(turn) if one.startswith("toolu_")]
        asked = [one for one in calls_of(before) if one.startswith("toolu_")]
        faults += [Fault("unanswered", index, one) for one in real if one not in head_of(after)]
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in asked]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: any text beside results -> finds_no_fault_where_there_is_none


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        alone = all(block["type"] == "tool_result" for block in after["content"])
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if not alone or one not in head_of(after)]
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: texts before results are not seen -> finds_unanswered_calls


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if one not in results_of(after)]
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: blames the turn with the results -> finds_unanswered_calls


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        faults += [Fault("unanswered", index + 1, one) for one in calls_of(turn) if one not in head_of(after)]
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: the end of the history is out of reach -> finds_unanswered_calls


def history_faults(messages):
    faults = []
    turns = merged(messages)
    for index, turn in enumerate(turns):
        for one in calls_of(turn):
            if one not in head_of(turns[index + 1]):
                faults.append(Fault("unanswered", index, one))
        for one in results_of(turn):
            if index == 0 or one not in calls_of(turns[index - 1]):
                faults.append(Fault("unexpected", index, one))
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: the turn before the first is the last -> finds_unexpected_results


def history_faults(messages):
    faults = []
    turns = [*merged(messages), NOTHING]
    for index, turn in enumerate(turns[:-1]):
        before, after = turns[max(index - 1, 0)], turns[index + 1]
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if one not in head_of(after)]
        if index:
            faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: sets lose the second result -> finds_second_results


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        faults += [Fault("unanswered", index, one) for one in set(calls_of(turn)) - set(head_of(after))]
        faults += [Fault("unexpected", index, one) for one in set(results_of(turn)) - set(calls_of(before))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: a second result is unexpected -> finds_second_results


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        waiting = calls_of(before)
        for one in results_of(turn):
            if one in waiting:
                waiting.remove(one)
            else:
                faults.append(Fault("unexpected", index, one))
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if one not in head_of(after)]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: two calls want two results -> finds_repeated_ids


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        answers = head_of(after)
        for one in calls_of(turn):
            if one in answers:
                answers.remove(one)
            else:
                faults.append(Fault("unanswered", index, one))
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
    return faults


# %% wrong: tuples in place of Fault -> finds_unanswered_calls


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        faults += [("unanswered", index, one) for one in calls_of(turn) if one not in head_of(after)]
        faults += [("unexpected", index, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [("two_results", index, one) for one in twice(results_of(turn))]
        faults += [("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: whatever ends with tool_result counts -> finds_no_fault_where_there_is_none


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        results = [block["tool_use_id"] for block in turn["content"] if block["type"].endswith("tool_result")]
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if one not in head_of(after)]
        faults += [Fault("unexpected", index, one) for one in results if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in twice(results)]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: one fault and out -> finds_unanswered_calls


def history_faults(messages):
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        for one in calls_of(turn):
            if one not in head_of(after):
                return [Fault("unanswered", index, one)]
        for one in results_of(turn):
            if one not in calls_of(before):
                return [Fault("unexpected", index, one)]
        for one in twice(results_of(turn)):
            return [Fault("two_results", index, one)]
        for one in twice(calls_of(turn)):
            return [Fault("repeated_id", index, one)]
    return []


# %% wrong: the turn before the first is the last, by index -1 -> finds_unexpected_results


def history_faults(messages):
    faults = []
    turns = merged(messages)
    for index, turn in enumerate(turns):
        before, after = turns[index - 1], (turns[index + 1 :] or [NOTHING])[0]
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if one not in head_of(after)]
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: the same fault twice, for each call -> finds_repeated_ids


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        calls, results = calls_of(turn), results_of(turn)
        faults += [Fault("unanswered", index, one) for one in calls if one not in head_of(after)]
        faults += [Fault("unexpected", index, one) for one in results if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in results if results.count(one) > 1]
        faults += [Fault("repeated_id", index, one) for one in calls if calls.count(one) > 1]
    return faults


# %% wrong: the same fault twice, for each result -> finds_second_results


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        calls, results = calls_of(turn), results_of(turn)
        faults += [Fault("unanswered", index, one) for one in calls if one not in head_of(after)]
        faults += [Fault("unexpected", index, one) for one in results if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in results if results.count(one) > 1]
        faults += [Fault("repeated_id", index, one) for one in set(calls) if calls.count(one) > 1]
    return faults


# %% wrong: content that is a string is read as blocks -> finds_no_fault_where_there_is_none


def history_faults(messages):
    faults = []
    turns = [NOTHING, *messages, NOTHING]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        faults += [Fault("unanswered", index, one) for one in calls_of(turn) if one not in head_of(after)]
        faults += [Fault("unexpected", index, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [Fault("two_results", index, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", index, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: counts messages -> finds_unanswered_calls


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    places = [index for index, one in enumerate(messages) if not index or one["role"] != messages[index - 1]["role"]]
    for index in range(len(turns) - 2):
        before, turn, after = turns[index : index + 3]
        at = places[index]
        faults += [Fault("unanswered", at, one) for one in calls_of(turn) if one not in head_of(after)]
        faults += [Fault("unexpected", at, one) for one in results_of(turn) if one not in calls_of(before)]
        faults += [Fault("two_results", at, one) for one in twice(results_of(turn))]
        faults += [Fault("repeated_id", at, one) for one in twice(calls_of(turn))]
    return faults


# %% wrong: reads the id of a block before its type -> finds_no_fault_where_there_is_none


def history_faults(messages):
    faults = []
    turns = [NOTHING, *merged(messages), NOTHING]
    for index in range(len(turns) - 2):
        answers = [block["tool_use_id"] for block in turns[index + 2]["content"]]
        faults += [Fault("unanswered", index, one) for one in calls_of(turns[index + 1]) if one not in answers]
    return faults

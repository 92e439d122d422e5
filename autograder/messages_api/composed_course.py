"""Writes a planned conversation out, reply by reply, as the exchanges of a scenario.

After every reply with calls stand the exchanges that follow when the results are as the way to the end needs them, and
one more, without a condition, for all other results: a legal request always gets an answer.
"""

from __future__ import annotations

import copy
import json
import random
import re
from itertools import pairwise
from typing import Any

import jiter

from autograder.messages_api.composed_plan import Turn
from autograder.messages_api.composed_replies import LOST, PASSING, PASSING_WITHOUT_JSON, Replies, text
from autograder.messages_api.composed_values import Values, cut_json

Json = dict[str, Any]

_NOTES = ("Now I look at {topic}.", "Next comes {topic}; then I know more.", "I have an idea about {topic}.")
_MISLEADING = ("Done. Only {topic} is left to look at.", "Done with this, my final answer follows after {topic}.")
_LINE_BREAKS = ("\n\n", "\n")


class Course:
    """The exchanges of one conversation as they come about.

    `subjects` are the numbers that its calls are about, for a prompt; `stop_sequence` is what the request has to ask
    for, or "". `writing` are the tools that change something.
    """

    def __init__(
        self, replies: Replies, values: Values, source: random.Random, *, tools: list[Json], writing: frozenset[str]
    ) -> None:
        self.replies = replies
        self.values = values
        self.random = source
        self.exchanges: list[Json] = []
        self.subjects: list[str] = []
        self.stop_sequence = ""
        self._tools: dict[str, Json] = {str(tool["name"]): tool for tool in tools if "input_schema" in tool}
        self._writing = sorted(writing)
        self._last: str | None = None
        self._results: dict[str, bool] = {}  # the last calls: whether their results have to be errors
        self._search: Json | None = None  # of the server, still open
        self._made: set[str] = set()
        self._failed = ""  # the tool whose call has failed and is tried again
        self._misleads = True
        self._was_blank = False
        self._way: list[Json] = []
        replies.searching = len(self._tools) < len(tools)

    # What an ending needs, too.

    def opened(self, *, thinking: bool = False) -> list[Json]:
        """The first blocks of a reply: the result of an open search, or a thinking block if it is wanted."""
        if self._search is not None:
            return [self.replies.found(self._search)]
        return [self.replies.thinking()] if thinking else []

    def add(self, name: str, answer: Json, **when: Any) -> None:
        """Add an exchange that answers the last reply, if the results are the right ones and `when` holds."""
        conditions = {**({"is_error": dict(self._results)} if self._results else {}), **when}
        follows = {"follows": self._last} if self._last else {}
        self.exchanges.append(
            {"id": name, **follows, **({"when": conditions} if conditions else {}), "response": answer}
        )

    def meet(self, name: str, answer: Json, **when: Any) -> None:
        """Add an exchange that a right loop meets."""
        self.add(name, answer, **when)
        self._way.append(self.exchanges[-1])

    def go_on(self, name: str, body: Json, results: dict[str, bool] | None = None) -> None:
        """Close the alternatives to the reply `name`, and let the next exchanges follow it."""
        self.close()
        self.replies.enters_the_history(body)
        self._last, self._results = name, results or {}
        found = {block.get("tool_use_id") for block in body["content"]}
        searches = [block for block in body["content"] if block["type"] == "server_tool_use"]
        self._search = next((block for block in searches if block["id"] not in found), None)

    def close(self) -> None:
        """Add what follows when the last calls have other results than the right ones."""
        if self._results:
            words = f"Case {self.values.mark()}: the results are not what I need, so I stop here."
            body = self.replies.message([*self.opened(), text(words)], "end_turn")
            made = {"id": f"otherwise_{len(self.exchanges) + 1}", "follows": self._last, "response": answered(body)}
            self.exchanges.append(made)

    def inputs(self, name: str) -> Json:
        """An input for a tool that no other call of this conversation has, if its schema allows one."""
        for _try in range(50):
            made = self.values.tool_input(self._tools[name])
            key = f"{name} {json.dumps(made, sort_keys=True)}"
            if key not in self._made:
                break
        self._made.add(key)
        self.subjects += [value for value in made.values() if re.fullmatch(r"[A-Z]-\d+", str(value))]
        return made

    def tool_with_arguments(self, *, writing: bool = False) -> str:
        """The name of a tool that has to be given something; one that writes, if that is wanted and there is one."""
        able = [name for name in self._tools if takes_arguments(self._tools[name])]
        chosen = [name for name in able if (name in self._writing) == writing] or able
        if not chosen:
            raise ValueError("this needs a tool whose schema requires an argument")
        return self.random.choice(chosen)

    # The turns on the way.

    def pause(self, count: int, *, thinking: bool) -> None:
        """Pauses in a row; each but the first begins with the result that the one before it left open."""
        for _pause in range(count):
            content = self.opened(thinking=thinking)
            if self.random.random() < 0.3:
                content.append(text(self._note()))
            for _search in range(self.random.randint(0, 1)):
                search = self.replies.search()
                content += [search, self.replies.found(search)]
            body = self.replies.message([*content, self.replies.search()], "pause_turn")
            name = f"pauses_{len(self.exchanges) + 1}"
            self.meet(name, answered(body))
            self.go_on(name, body)

    def turn(self, turn: Turn, *, thinking: bool, bounds: list[int]) -> None:
        """One reply with calls. `bounds`: the loop's `max_tokens`, and below which ones the reply is cut."""
        calls = self._calls(turn)
        if turn.kind in ("cut", "thinks"):
            self._cut(turn, calls, bounds)
        output = self.random.randint(bounds[-2] + 1, bounds[-1]) if turn.kind in ("cut", "thinks") else None
        content = self.opened(thinking=thinking or output is not None)
        if turn.kind == "blank":
            # The API refuses the first when it comes back; the second it lets pass beside a call.
            content.append(text(self.random.choice(_LINE_BREAKS) if self._was_blank else ""))
            self._was_blank = True
        if turn.preamble:
            content.append(text(self._note()))
        if turn.kind == "mixed":
            content.append(self.replies.search())
        blocks = [self.replies.call(name, tool_input) for name, tool_input, _fails in calls]
        body = self.replies.message([*content, *blocks], "tool_use", output=output)
        name = f"calls_{len(self.exchanges) + 1}"
        self.meet(name, answered(body))
        self.go_on(name, body, {block["id"]: fails for block, (_, _, fails) in zip(blocks, calls, strict=True)})

    def _cut(self, turn: Turn, calls: list[tuple[str, Json, bool]], bounds: list[int]) -> None:
        """The same reply as it arrives below each bound: cut in its last call, or before its first word."""
        for used, bound in pairwise(bounds):
            content, partial = self.opened(thinking=True), {}
            if turn.kind == "cut":
                content += [self.replies.call(name, tool_input) for name, tool_input, _fails in calls]
                raw = cut_json(content[-1]["input"], self.random)
                content[-1]["input"] = jiter.from_json(raw.encode(), partial_mode=True)
                partial = {"partial_json": {content[-1]["id"]: raw}}
            body = self.replies.message(content, "max_tokens", output=used)
            self.meet(f"cut_{len(self.exchanges) + 1}", answered(body) | partial, max_tokens={"below": bound})

    def _calls(self, turn: Turn) -> list[tuple[str, Json, bool]]:
        """Name, input and whether it fails, for every call of a turn."""
        names = [self._reader() for _call in range(turn.calls)]
        fails = [False] * turn.calls
        place = self.random.randrange(turn.calls)
        match turn.kind:
            case "fails":
                names[place] = self._failed = self.tool_with_arguments()
                fails[place] = True
            case "recovers":
                names[0] = self._failed
            case "writes":
                # What stands after a write that failed is not run.
                place = self.random.randrange(turn.calls - 1)
                names[place:] = [self.tool_with_arguments(writing=True) for _call in names[place:]]
                fails[place:] = [True] * (turn.calls - place)
            case "cut":
                names[-1] = self.tool_with_arguments(writing=self.random.random() < 0.6)
            case "no_argument":
                names[place] = next(name for name, tool in self._tools.items() if not _properties(tool))
        return [(name, self.inputs(name), failed) for name, failed in zip(names, fails, strict=True)]

    def _reader(self) -> str:
        reading = [name for name in self._tools if name not in self._writing]
        return self.random.choice(reading or list(self._tools))

    def _note(self) -> str:
        words, self._misleads = self.random.choice(_MISLEADING if self._misleads else _NOTES + _MISLEADING), False
        return words.format(topic=self.values.topic())

    def delay(self, *, busy: bool, lost: bool) -> None:
        """Let one answer on the way come only after one or two failures, as many as the SDK lives through by itself."""
        able = [made for made in self._way if made["response"].get("body") and made["response"]["status"] == 200]
        made = self.random.choice(able)
        failures = [PASSING_WITHOUT_JSON] if busy else []
        failures += [self.random.choice(LOST)] if lost else self.random.sample(PASSING, self.random.randint(0, 1))
        self.random.shuffle(failures)
        made["attempts"] = [*copy.deepcopy(failures), made.pop("response")]


def answered(body: Json) -> Json:
    """A successful answer of the API."""
    return {"status": 200, "body": body}


def has_no_arguments(tool: Json) -> bool:
    """Whether this is a tool of the client that is called with `{}`."""
    return "input_schema" in tool and not _properties(tool)


def takes_arguments(tool: Json) -> bool:
    """Whether this is a tool of the client that has to be given something."""
    return "input_schema" in tool and bool(set(tool["input_schema"].get("required") or []) & _properties(tool).keys())


def _properties(tool: Json) -> Json:
    found = tool["input_schema"].get("properties") or {}
    return found if isinstance(found, dict) else {}

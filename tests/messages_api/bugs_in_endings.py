"""Loops with one known bug each: at pauses, cuts, refusals and empty endings, in streams and when a request fails.

After real bug reports and the mistakes that the lessons name. Each differs from `Loop` in one step.
"""

from __future__ import annotations

import json
from typing import Any

from autograder.messages_api.response import Response
from tests.messages_api.builders import assistant, result, user
from tests.messages_api.loops import Loop, calls, final_text

Json = dict[str, Any]


class PauseIsTheEnd(Loop):
    def on_pause(self, reply: Json) -> bool:
        return self.on_end({**reply, "stop_reason": "end_turn"})


class SaysContinue(Loop):
    def on_pause(self, reply: Json) -> bool:
        goes_on = super().on_pause(reply)
        self.messages.append(user("continue"))
        return goes_on


class MakesUpAServerResult(Loop):
    def on_pause(self, reply: Json) -> bool:
        goes_on = super().on_pause(reply)
        self.messages.append(user([result(reply["content"][-1]["id"])]))
        return goes_on


class ReplacesPartialContent(Loop):
    def on_pause(self, reply: Json) -> bool:
        if self.pauses:
            self.messages.pop()
        return super().on_pause(reply)


class RetriesAPauseAsItWas(Loop):
    def on_pause(self, reply: Json) -> bool:
        super().on_pause(reply)
        return bool(self.messages.pop())


class ResumesWithoutTools(Loop):
    def send(self) -> Response:
        tools = [] if self.pauses else self.world.request["tools"]
        return self.world.send(self.messages, self.max_tokens, tools=tools)


class PausesInAll(Loop):
    """Counts pauses over the whole run where those in a row count; both allow one here."""

    max_pauses = 1

    def on_pause(self, reply: Json) -> bool:
        self.pauses = sum(message["content"][-1]["type"] == "server_tool_use" for message in self.messages[1:])
        return super().on_pause(reply)


class RunsACutCall(Loop):
    def on_cut(self, reply: Json) -> bool:
        return self.on_calls(reply) if calls(reply) else super().on_cut(reply)


class RunsTheWholeCallsOfACutTurn(Loop):
    def on_cut(self, reply: Json) -> bool:
        for block in calls(reply)[:-1]:
            self.tool_result(block)
        return super().on_cut(reply)


class AppendsACutTurn(Loop):
    def on_cut(self, reply: Json) -> bool:
        self.messages.append(self.assistant_turn(reply))
        return super().on_cut(reply)


class SameBudgetAgain(Loop):
    def on_cut(self, reply: Json) -> bool:
        return not final_text(reply) or super().on_cut(reply)


class CutIsTheEnd(Loop):
    def on_cut(self, reply: Json) -> bool:
        return self.on_end({**reply, "stop_reason": "end_turn"})


class PrefillsACutText(Loop):
    def on_cut(self, reply: Json) -> bool:
        goes_on = super().on_cut(reply)
        if self.messages[-1]["role"] == "user" and self.parts:
            self.messages.pop()
        return goes_on


class LosesTheFirstHalf(Loop):
    def result(self, reply: Json) -> tuple[str, str]:
        self.parts = ""
        return super().result(reply)


class StripsTheParts(Loop):
    def result(self, reply: Json) -> tuple[str, str]:
        status, _ = super().result(reply)
        return status, self.parts + final_text(reply).strip()


class RetriesARefusal(Loop):
    refusals = 0

    def on_end(self, reply: Json) -> bool:
        self.refusals += reply["stop_reason"] == "refusal"
        return super().on_end(reply) or (reply["stop_reason"] == "refusal" and self.refusals < 3)


class SendsTheEmptyTurnBack(Loop):
    def on_end(self, reply: Json) -> bool:
        if final_text(reply).strip():
            return super().on_end(reply)
        self.messages += [assistant(reply["content"]), user("Please continue.")]
        return True


class CountsTheLastReplyOnly(Loop):
    def counted(self, reply: Json) -> Json:
        self.usage = [0, 0]
        return super().counted(reply)


class ParsesEveryFragment(Loop):
    def parsed(self, raw: str) -> Any:
        return json.loads(raw)


class SwallowsErrorEvents(Loop):
    def on_error_event(self, event: Json) -> None:
        return None

    def accumulate(self, events: list[Any]) -> Json:
        reply = super().accumulate(events)
        return {**reply, "stop_reason": reply["stop_reason"] or "end_turn"}


class RunsACallOfABrokenStream(Loop):
    def goes_on(self, reply: Json) -> bool:
        return super().goes_on({**reply, "stop_reason": reply["stop_reason"] or "tool_use"})


class NeverRetries(Loop):
    def may_retry(self, response: Response) -> bool:
        return False


class RetriesEverything(Loop):
    def may_retry(self, response: Response) -> bool:
        return True


class RetriesWhatIsJson(Loop):
    def may_retry(self, response: Response) -> bool:
        return isinstance(response.body, dict) and super().may_retry(response)

"""Loops with one known bug each: in the turns they send, the tools they run, the step they choose.

After real bug reports and the mistakes that the lessons name. Each differs from `Loop` in one step.
"""

from __future__ import annotations

from typing import Any

from tests.messages_api.builders import assistant, result, user
from tests.messages_api.loops import Loop, calls, final_text

Json = dict[str, Any]


class FirstCallOnly(Loop):
    def results_turn(self, reply: Json) -> Json:
        return user([self.tool_result(calls(reply)[0])])


class DropsTheAssistantTurn(Loop):
    def on_calls(self, reply: Json) -> bool:
        self.messages.append(self.results_turn(reply))
        return True


class KeepsTextOnly(Loop):
    def assistant_turn(self, reply: Json) -> Json:
        return assistant(final_text(reply) or "I call a tool.")


class KeepsCallsOnly(Loop):
    def assistant_turn(self, reply: Json) -> Json:
        return assistant(calls(reply) or reply["content"])


class DropsThinking(Loop):
    def assistant_turn(self, reply: Json) -> Json:
        return assistant([block for block in super().assistant_turn(reply)["content"] if block["type"] != "thinking"])


class SendsTheWholeMessage(Loop):
    def assistant_turn(self, reply: Json) -> Json:
        return dict(reply)


class RebuildsIds(Loop):
    def assistant_turn(self, reply: Json) -> Json:
        turn = super().assistant_turn(reply)
        return assistant(
            [{**block, "id": "call_1"} if block["type"] == "tool_use" else block for block in turn["content"]]
        )


class EchoesBlankText(Loop):
    def assistant_turn(self, reply: Json) -> Json:
        return assistant(reply["content"])


class ResendsTheLastTurnOnly(Loop):
    def on_calls(self, reply: Json) -> bool:
        self.messages = [self.results_turn(reply)]
        return True


class ForgetsTheQuestion(Loop):
    def on_calls(self, reply: Json) -> bool:
        super().on_calls(reply)
        self.messages = self.messages[-2:]
        return True


class TextBeforeResults(Loop):
    def results_turn(self, reply: Json) -> Json:
        return user([{"type": "text", "text": "Here are the results."}, *super().results_turn(reply)["content"]])


class TextAfterResults(Loop):
    def results_turn(self, reply: Json) -> Json:
        return user([*super().results_turn(reply)["content"], {"type": "text", "text": "Here are the results."}])


class AnswersTwice(Loop):
    def results_turn(self, reply: Json) -> Json:
        turn = super().results_turn(reply)
        return user([*turn["content"], turn["content"][0]])


class AnswersBetweenTurns(Loop):
    def on_calls(self, reply: Json) -> bool:
        self.messages.append(self.assistant_turn(reply))
        for made in self.results_turn(reply)["content"]:
            self.messages += [user([made]), assistant("Noted.")]
        return bool(self.messages.pop())


class AnswersServerCalls(Loop):
    def results_turn(self, reply: Json) -> Json:
        server = [block for block in reply["content"] if block["type"] == "server_tool_use"]
        return user([*super().results_turn(reply)["content"], *[result(block["id"]) for block in server]])


class StopsAtTheFirstText(Loop):
    def goes_on(self, reply: Json) -> bool:
        return self.on_end(reply) if final_text(reply).strip() else super().goes_on(reply)


class StopsAtTheWordDone(Loop):
    def goes_on(self, reply: Json) -> bool:
        return self.on_end(reply) if "Done" in final_text(reply) else super().goes_on(reply)


class StopsAfterTenRequests(Loop):
    def goes_on(self, reply: Json) -> bool:
        self.text = final_text(reply)
        return super().goes_on(reply) and self.world.requests < 10


class CollectsAllText(Loop):
    def on_calls(self, reply: Json) -> bool:
        self.parts += final_text(reply)
        return super().on_calls(reply)


class FixesTheOrderOfTools(Loop):
    order = ("get_order", "search_help", "process_refund")

    def tool_result(self, block: Json) -> Json:
        return super().tool_result({**block, "name": self.order[len(self.world.ran) % 3]})


class DecidesByBlocks(Loop):
    def goes_on(self, reply: Json) -> bool:
        return self.on_calls(reply) if calls(reply) else super().goes_on(reply)


class AnythingElseIsTools(Loop):
    def goes_on(self, reply: Json) -> bool:
        return self.on_end(reply) if reply["stop_reason"] == "end_turn" else self.on_calls(reply)


class BelievesToolUse(Loop):
    def goes_on(self, reply: Json) -> bool:
        return self.on_calls(reply) if reply["stop_reason"] == "tool_use" else super().goes_on(reply)


class AnythingElseIsDone(Loop):
    def result(self, reply: Json) -> tuple[str, str]:
        status, text = super().result(reply)
        return ("done", final_text(reply)) if status in ("unknown", "window_full", "refused") else (status, text)


class KnowsFourReasons(Loop):
    def goes_on(self, reply: Json) -> bool:
        steps = {"end_turn": self.on_end, "tool_use": self.on_calls, "max_tokens": self.on_cut}
        return steps[reply["stop_reason"]](reply)


class ReadsTheFirstBlock(Loop):
    def result(self, reply: Json) -> tuple[str, str]:
        return "done", reply["content"][0]["text"]


class LetsToolErrorsRise(Loop):
    def tool_result(self, block: Json) -> Json:
        return result(block["id"], self.world.run_tool(block))


class HidesToolErrors(Loop):
    def tool_result(self, block: Json) -> Json:
        return {key: value for key, value in super().tool_result(block).items() if key != "is_error"}


class ReportsAnEmptyError(Loop):
    def tool_result(self, block: Json) -> Json:
        try:
            return result(block["id"], self.world.run_tool(block))
        except Exception as error:
            return result(block["id"], str(error), is_error=True)


class TakesTextForAnError(Loop):
    def tool_result(self, block: Json) -> Json:
        return {**super().tool_result(block), "is_error": True}


class WritesOnAfterAFailure(Loop):
    def not_executed(self, block: Json) -> Json:
        return self.tool_result(block)

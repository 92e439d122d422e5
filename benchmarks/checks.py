"""How long a learner waits for a check, in a warm process.

Baseline: one `messages.create` of the SDK through a bare `httpx2.MockTransport`, in the same run.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Callable
from pathlib import Path

import anthropic
import httpx2

sys.path.insert(0, str(Path(__file__).parents[1]))

from autograder.checks.player import InProcessPlayer
from autograder.grading.runner import run_cells
from tests.course.answers import all_answers, checks_for

MESSAGE = {
    "id": "msg_011CfXSzKTFXxe3apHsErdL2",
    "type": "message",
    "role": "assistant",
    "model": "claude-sonnet-5-5",
    "content": [{"type": "text", "text": "Hello."}],
    "stop_reason": "end_turn",
    "stop_sequence": None,
    "usage": {"input_tokens": 3, "output_tokens": 5},
}


def seconds(action: Callable[[], object]) -> float:
    start = time.perf_counter()
    action()
    return time.perf_counter() - start


def baseline() -> float:
    """Median time of a bare SDK call, in seconds."""
    transport = httpx2.MockTransport(lambda request: httpx2.Response(200, json=MESSAGE))
    client = anthropic.Anthropic(api_key="test", http_client=httpx2.Client(transport=transport, trust_env=False))

    def call() -> object:
        return client.messages.create(model="m", max_tokens=1, messages=[{"role": "user", "content": "q"}])

    call()
    return sorted(seconds(call) for _ in range(200))[100]


def measured() -> dict[str, float]:
    """Time of every check on every right answer, in seconds; the first round warms up."""
    times: dict[str, float] = {}
    for _round in range(2):
        for answer in all_answers():
            if answer.rejected_by:
                continue
            names: dict[str, object] = {}
            run_cells([answer.source], names)
            for check in checks_for(answer.lesson, answer.exercise):
                player = InProcessPlayer(names)
                label = f"{check.name} ({answer.name})"
                times[label] = seconds(lambda check=check, player=player: check.decide(player, check.parameters))
    return times


def main() -> None:
    bare = baseline()
    times = measured()
    ranked = sorted(times.values())
    print(f"baseline: one SDK call through a bare MockTransport: {bare * 1000:.2f} ms")
    for percent in (50, 95, 100):
        value = ranked[min(len(ranked) - 1, len(ranked) * percent // 100)]
        print(
            f"{percent:3}th percentile of {len(ranked)} checks: {value * 1000:7.2f} ms = {value / bare:6.1f} x baseline"
        )
    slowest = max(times, key=lambda label: times[label])
    print(f"slowest: {slowest}")


if __name__ == "__main__":
    main()

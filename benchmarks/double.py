"""What the double costs a caller: warm calls of the SDK, through three transports in turns.

Baseline: `messages.create` through a bare `httpx2.MockTransport` that answers with the same bytes. Against it the
double in the process (target: at most 1.25 times) and the loopback server in a process of its own (at most 2.5 times).
"""

from __future__ import annotations

import gc
import statistics
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import anthropic
import httpx2

sys.path.insert(0, str(Path(__file__).parents[1]))

from autograder.messages_api.clients import client_for
from autograder.messages_api.double import Double
from autograder.messages_api.scenario import load

ROOT = Path(__file__).parents[1]
CALLS = 2_000
WARM_UP = 50
SCENARIO = "two_calls"
SERVE = f"import sys; from autograder.cli import run; sys.exit(run(['serve', '{SCENARIO}']))"


def bare(content: bytes, headers: dict[str, str]) -> anthropic.Anthropic:
    """A client whose every call is answered with these bytes."""
    transport = httpx2.MockTransport(lambda request: httpx2.Response(200, headers=headers, content=content))
    http_client = httpx2.Client(transport=transport, trust_env=False)
    return anthropic.Anthropic(api_key="test", base_url="https://api.anthropic.com", http_client=http_client)


def measured(clients: dict[str, anthropic.Anthropic]) -> dict[str, list[float]]:
    """The times of all calls, in seconds; the clients take turns, so a busy machine slows all of them."""
    scenario = load(SCENARIO)
    request = scenario.request.model_dump(exclude_unset=True, exclude_none=True)
    calls: dict[str, Callable[[], object]] = {
        name: (lambda client=client: client.messages.create(**request)) for name, client in clients.items()
    }
    times: dict[str, list[float]] = {name: [] for name in calls}
    for number in range(WARM_UP + CALLS):
        for name, call in calls.items():
            start = time.perf_counter()
            call()
            if number >= WARM_UP:
                times[name].append(time.perf_counter() - start)
    return times


def main() -> None:
    scenario = load(SCENARIO)
    double = Double(scenario)
    body = scenario.request.model_dump(exclude_unset=True, exclude_none=True)
    first = double.respond("/v1/messages", body, {"x-api-key": "test"})
    with subprocess.Popen([sys.executable, "-c", SERVE], cwd=ROOT, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = next(word for word in server.stdout.readline().split() if word.startswith("http://"))
            http_client = httpx2.Client(trust_env=False)
            clients = {
                "bare MockTransport (baseline)": bare(first.content, first.headers),
                "ReplayTransport + Double": client_for(double.respond),
                "loopback server": anthropic.Anthropic(
                    api_key="test", base_url=f"{url}/{SCENARIO}", http_client=http_client
                ),
            }
            gc.collect()
            times = measured(clients)
        finally:
            server.terminate()
    baseline = statistics.median(next(iter(times.values())))
    for name, spent in times.items():
        median = statistics.median(spent)
        print(f"{name:<30} {median * 1000:6.3f} ms, median of {len(spent)} calls = {median / baseline:.2f} x baseline")


if __name__ == "__main__":
    main()

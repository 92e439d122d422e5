"""The SDK's own clients over a double. The SDK is imported here only, when a notebook asks for a client."""

from __future__ import annotations

import anthropic
import httpx2

from autograder.messages_api.double import Double
from autograder.messages_api.scenario import Scenario
from autograder.messages_api.transport import Answer, AnyAnswer, AsyncReplayTransport, ReplayTransport

# Given explicitly, so that ANTHROPIC_BASE_URL and keys in the environment of a learner change nothing.
_URL = "https://api.anthropic.com"
_KEY = "test"


def client(scenario: Scenario) -> anthropic.Anthropic:
    """A client that plays this scenario through a new double."""
    return client_for(Double(scenario).respond)


def async_client(scenario: Scenario) -> anthropic.AsyncAnthropic:
    """The same for async code."""
    return async_client_for(Double(scenario).respond)


def client_for(answer: Answer, *, max_retries: int = 2) -> anthropic.Anthropic:
    """A client whose requests are answered by `answer(path, body, headers)`."""
    http_client = httpx2.Client(transport=ReplayTransport(answer), trust_env=False)
    return anthropic.Anthropic(api_key=_KEY, base_url=_URL, http_client=http_client, max_retries=max_retries)


def async_client_for(answer: AnyAnswer, *, max_retries: int = 2) -> anthropic.AsyncAnthropic:
    """The same for async code; `answer` may be async."""
    http_client = httpx2.AsyncClient(transport=AsyncReplayTransport(answer), trust_env=False)
    return anthropic.AsyncAnthropic(api_key=_KEY, base_url=_URL, http_client=http_client, max_retries=max_retries)

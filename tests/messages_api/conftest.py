"""What the tests of the double share: the real recordings, and a network that cannot be reached."""

from __future__ import annotations

import socket
from typing import Any, NoReturn

import pytest
from hypothesis import settings

from tests.recordings import recorded_exchanges

# No time limits, and nothing left behind in the checkout.
settings.register_profile("course", deadline=None, database=None)
settings.load_profile("course")


@pytest.fixture(scope="session")
def recordings() -> list[dict[str, Any]]:
    """The real exchanges, where this machine has them."""
    return recorded_exchanges()


@pytest.fixture
def no_network(monkeypatch: pytest.MonkeyPatch) -> list[object]:
    """Make every attempt to connect fail; gives the list of the addresses that were tried."""
    tried: list[object] = []

    def refuse(_self: socket.socket, address: object) -> NoReturn:
        tried.append(address)
        raise AssertionError(f"a connection to {address!r} was opened")

    monkeypatch.setattr(socket.socket, "connect", refuse)
    monkeypatch.setattr(socket.socket, "connect_ex", refuse)
    monkeypatch.setattr(socket, "getaddrinfo", lambda host, *_args, **_kw: refuse(None, host))  # type: ignore[arg-type]
    return tried

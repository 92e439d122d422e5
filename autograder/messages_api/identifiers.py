"""Ids that look like the API's own, made from a hash: the same request gets the same id on every machine.

Shape (field census over 2,674 recorded messages): a prefix, `01`, then 22 characters of the Bitcoin base58 alphabet.
Message and request ids are ordered by time since mid-2026 and begin with `011C`.
"""

from __future__ import annotations

import hashlib
import re

ALPHABET = "123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz"
_PAIRS = [low + high for high in ALPHABET for low in ALPHABET]
ORDERED_BY_TIME = frozenset({"msg", "req"})
PREFIXES = ("msg", "toolu", "srvtoolu", "mcptoolu", "container", "req")
_REAL = re.compile(rf"({'|'.join(PREFIXES)})_01[{ALPHABET}]{{22}}")


def digest(*parts: object) -> int:
    """One large number from the parts, equal for equal parts."""
    text = "\x1f".join(str(part) for part in parts)
    return int.from_bytes(hashlib.blake2b(text.encode("utf-8", "surrogatepass"), digest_size=32).digest(), "big")


def base58(number: int, length: int) -> str:
    """The last `length` base58 digits of a number."""
    digits = []
    for _ in range(length // 2):  # two at a time: an id is made for every request
        number, pair = divmod(number, len(_PAIRS))
        digits.append(_PAIRS[pair])
    if length % 2:
        digits.append(ALPHABET[number % len(ALPHABET)])
    return "".join(digits)


def new_id(prefix: str, *parts: object) -> str:
    """An id with this prefix (`msg`, `toolu`, `req`, ...), the same for the same parts."""
    head = "011C" if prefix in ORDERED_BY_TIME else "01"
    return f"{prefix}_{head}{base58(digest(prefix, *parts), 26 - len(head) - 2)}"


def looks_real(identifier: str) -> bool:
    """Whether an id has the shape of the API's own ids."""
    return _REAL.fullmatch(identifier) is not None

"""Answers for `misrouting`."""
# ruff: noqa

# %% right: a dict
misrouting = {
    "a": "overlapping",
    "b": "keyword",
    "c": "generic",
    "d": "too_many",
    "e": "boundary",
    "f": "overlapping",
    "g": "generic",
    "h": "boundary",
}

# %% right: zipped
misrouting = dict(
    zip("abcdefgh", "overlapping keyword generic too_many boundary overlapping generic boundary".split())
)

# %% right: turned round, with an enum
from enum import Enum


class Cause(str, Enum):
    overlapping = "overlapping"
    generic = "generic"
    keyword = "keyword"
    too_many = "too_many"
    boundary = "boundary"


traces = {
    Cause.overlapping: "af",
    Cause.generic: "cg",
    Cause.keyword: "b",
    Cause.too_many: "d",
    Cause.boundary: "eh",
}
misrouting = {}
for cause, letters in traces.items():
    for letter in letters:
        misrouting[letter] = cause

# %% given
RIGHT = dict(zip("abcdefgh", "overlapping keyword generic too_many boundary overlapping generic boundary".split()))

# %% wrong: boundary for overlapping -> explains_misroutings_a_to_d
misrouting = {**RIGHT, "a": "boundary"}

# %% wrong: overlapping for keyword -> explains_misroutings_a_to_d
misrouting = {**RIGHT, "b": "overlapping"}

# %% wrong: too many for generic -> explains_misroutings_a_to_d
misrouting = {**RIGHT, "c": "too_many"}

# %% wrong: overlapping for too many -> explains_misroutings_a_to_d
misrouting = {**RIGHT, "d": "overlapping"}

# %% wrong: keyword for boundary -> explains_misroutings_e_to_h
misrouting = {**RIGHT, "e": "keyword"}

# %% wrong: generic for overlapping -> explains_misroutings_e_to_h
misrouting = {**RIGHT, "f": "generic"}

# %% wrong: boundary for generic -> explains_misroutings_e_to_h
misrouting = {**RIGHT, "g": "boundary"}

# %% wrong: overlapping for boundary -> explains_misroutings_e_to_h
misrouting = {**RIGHT, "h": "overlapping"}

# %% wrong: a word of its own -> explains_misroutings_a_to_d
misrouting = {**RIGHT, "c": "vague"}

# %% wrong: one trace is not written -> explains_misroutings_e_to_h
misrouting = {**RIGHT, "g": ...}

# %% wrong: one trace is left out -> explains_misroutings_e_to_h
misrouting = {key: word for key, word in RIGHT.items() if key != "h"}

# %% wrong: a list of words -> explains_misroutings_a_to_d
misrouting = list(RIGHT.values())

# %% wrong: traces by cause -> explains_misroutings_a_to_d
misrouting = {"overlapping": ["a", "f"], "generic": ["c", "g"], "keyword": ["b"], "too_many": ["d"], "boundary": ["e", "h"]}

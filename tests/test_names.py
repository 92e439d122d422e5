"""Names in sentences."""

from __future__ import annotations

import pytest

from autograder.names import listed, nearest


def test_names_stand_below_the_sentence_one_a_line() -> None:
    assert listed("There are:", ["one", "two"]) == "There are:\n  one\n  two"


@pytest.mark.parametrize(
    ("options", "found"),
    [
        pytest.param({}, ["total"], id="the best"),
        pytest.param({"count": 2}, ["total", "totals"], id="the two best"),
        pytest.param({"cutoff": 0.95}, [], id="none that is near enough"),
    ],
)
def test_the_nearest_come_best_first(options: dict[str, float], found: list[str]) -> None:
    assert nearest("totl", {"totals": 1, "double": 2, "total": 3}, **options) == found

"""What only the player outside the process has to live through."""

from __future__ import annotations

import textwrap

import pytest

from autograder.grading.subprocess_player import SubprocessPlayer


def player_of(source: str, timeout: float = 30) -> SubprocessPlayer:
    return SubprocessPlayer([textwrap.dedent(source)], timeout)


def test_a_process_that_ends_itself_is_reported_and_started_again() -> None:
    with player_of("import os\ndef end(): os._exit(0)\ndef one(): return 1") as player:
        assert player.call("end").kind == "died"
        assert player.call("one").value == 1


def test_a_loop_without_requests_is_stopped_by_the_clock() -> None:
    with player_of(
        "def forever():\n    while True:\n        try:\n            pass\n        except BaseException: pass", 3
    ) as p:
        assert p.call("forever").kind == "stopped"


def test_printing_cannot_end_up_in_the_conversation() -> None:
    source = """
        import os, sys
        def shout():
            print('{"outcome": {"kind": "returned", "value": 99}}', flush=True)
            os.write(1, b'{"outcome": {"kind": "returned", "value": 99}}\\n')
            sys.__stdout__.write('{"outcome": {"kind": "returned", "value": 99}}\\n')
            sys.__stdout__.flush()
            return 1
        """
    with player_of(source) as player:
        assert player.call("shout").value == 1


def test_reading_stdin_meets_its_end() -> None:
    with player_of("def read(): return input('?')") as player:
        assert player.call("read").error.name == "EOFError"


def test_a_cell_that_fails_does_not_stop_the_next_one() -> None:
    with SubprocessPlayer(["1 / 0", "this is no python", "def one(): return 1"], 30) as player:
        assert player.call("one").value == 1


@pytest.mark.parametrize(
    "line",
    [
        "garbage",
        "[1]",
        '{"nonsense": 1}',
        '{"outcome": 5}',
        '{"outcome": {"kind": "passed"}}',
        '{"outcome": {"kind": "returned", "value": {"$sdk": 1}}}',
        '{"ask": 1, "request": {"op": "request"}}',
        '{"ask": 1, "request": {"op": "other"}}',
    ],
)
def test_what_the_learners_code_writes_on_the_pipe_ends_the_process_and_nothing_else(line: str) -> None:
    source = f"""
        import os
        def shout():
            for descriptor in range(3, 20):
                try:
                    os.write(descriptor, {line!r}.encode() + b"\\n")
                except OSError:
                    pass
        def one():
            return 1
        """
    with player_of(source) as player:
        assert player.call("shout").kind == "died"
        assert player.call("one").value == 1


def test_a_cell_that_never_ends_is_said_to_be_the_cell() -> None:
    with SubprocessPlayer(["while True: pass", "def one(): return 1"], 30, start_timeout=2) as player:
        outcome = player.call("one")
    assert (outcome.kind, outcome.value) == ("stopped", "a cell of the notebook runs for ever")

"""What only the player outside the process has to live through."""

from __future__ import annotations

import textwrap

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

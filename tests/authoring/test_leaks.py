"""Which parts of a solution count as an answer."""

from __future__ import annotations

import pytest

from autograder.authoring.leaks import fragments

FRAME = "def f(messages, reply):\n    {before}\n    ### BEGIN SOLUTION\n    {line}\n    ### END SOLUTION"


@pytest.mark.parametrize(
    ("line", "found"),
    [
        pytest.param(
            "return [block for block in reply.content]", {"[block for block in reply.content]"}, id="returned"
        ),
        pytest.param("turn = dict(role='user', content=reply)", {"dict(role='user', content=reply)"}, id="assigned"),
        pytest.param(
            'turn = dict(role="user",  content=reply)', {"dict(role='user', content=reply)"}, id="other-quotes"
        ),
        pytest.param("for block in reply.content_blocks: pass", {"for block in reply.content_blocks:"}, id="loop-head"),
        pytest.param("messages.append(reply)", set(), id="too-short"),
        pytest.param('"""A long docstring says what the function does."""', set(), id="docstring"),
        pytest.param("# the loop ends when the model says so, not before", set(), id="comment"),
    ],
)
def test_a_statement_counts_without_what_it_is_assigned_to(line: str, found: set[str]) -> None:
    assert fragments(FRAME.format(before="pass", line=line)) == found


def test_code_outside_the_markers_is_no_answer() -> None:
    assert fragments(FRAME.format(before="result = list(reversed(messages))", line="pass")) == set()

from __future__ import annotations

import copy
import pickle

import pytest

from autograder.checks.feedback import Feedback, Passed, shortened, shown
from autograder.errors import CheckFailed

FULL = Feedback(
    title="answers every call",
    expected="one tool_result for each tool_use of the assistant turn",
    found="message 3 answers toolu_01B...; toolu_01A... (get_order) has no answer",
    the_api="400 invalid_request_error: messages.1: `tool_use` ids were found without `tool_result` blocks "
    "immediately after: toolu_01AbCdEfGhJkLmNpQrStUvWx",
    because="the model cannot go on while a call it made is open",
    next_step="loop over every block of the reply, not the first one",
)


def test_the_text_has_a_headline_and_one_row_a_part() -> None:
    assert FULL.text().splitlines() == [
        "Not yet: answers every call",
        "",
        "  expected  one tool_result for each tool_use of the assistant turn",
        "  found     message 3 answers toolu_01B...; toolu_01A... (get_order) has no",
        "            answer",
        "  the API   400 invalid_request_error: messages.1: `tool_use` ids were found",
        "            without `tool_result` blocks immediately after:",
        "            toolu_01AbCdEfGhJkLmNpQrStUvWx",
        "  because   the model cannot go on while a call it made is open",
        "  try       loop over every block of the reply, not the first one",
    ]


def test_empty_parts_are_left_out() -> None:
    assert Feedback(title="t", found="f").text().splitlines() == ["Not yet: t", "", "  found     f"]


@pytest.mark.parametrize("text", ["x" * 5000, "word " * 900, "a\n" * 300])
def test_no_line_is_wider_than_76_columns(text: str) -> None:
    lines = Feedback(title="t", found=text, the_api=text).text().splitlines()
    assert max(map(len, lines)) <= 76


def test_html_escapes_what_the_learner_wrote() -> None:
    html = Feedback(title="t", found="<script>alert(1)</script>").html()
    assert "<script>" not in html
    assert "&lt;script&gt;" in html


def test_html_has_a_row_header_for_each_part() -> None:
    assert FULL.html().count('<th scope="row"') == len(FULL.rows()) == 5


def test_ipython_draws_the_text_and_no_traceback() -> None:
    assert CheckFailed(FULL)._render_traceback_() == FULL.text().splitlines()
    assert str(CheckFailed(FULL)) == FULL.text()


def test_a_failed_check_can_be_copied() -> None:
    failed = CheckFailed(FULL)
    assert str(copy.copy(failed)) == str(pickle.loads(pickle.dumps(failed))) == FULL.text()


def test_a_pass_is_said_in_words_and_with_a_sign() -> None:
    assert repr(Passed("a < b")) == "Passed: a < b"
    assert "\u2713" in Passed("a < b")._repr_html_()
    assert "a &lt; b" in Passed("a < b")._repr_html_()


def test_long_values_lose_their_middle() -> None:
    assert shortened("a" * 50 + "b" * 50, 21) == "aaaaaaaa ... bbbbbbbb"
    assert shown("kept") == "'kept'"


def test_what_cannot_be_printed_is_written_as_an_escape() -> None:
    text = Feedback(title="t", found="a\ud800b\x1b[31m\x00\nc").text()
    assert text.splitlines()[2:] == ["  found     a\\ud800b\\x1b[31m\\x00", "            c"]
    text.encode()


def test_a_long_text_is_cut_after_a_few_lines() -> None:
    lines = Feedback(title="t", found="\n".join("line" for _ in range(50))).text().splitlines()
    assert len(lines) == 10
    assert lines[-1].strip() == "..."

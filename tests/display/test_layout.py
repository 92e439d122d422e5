"""How a table reads as text and as HTML."""

from __future__ import annotations

import xml.etree.ElementTree as ET

import pytest

from autograder.display.layout import HTML_LIMIT, WIDTH, Column, Table, shorten

LONG = Table(
    "A history",
    (Column("message"), Column("id", cut="middle", least=18), Column("notes"), Column("content")),
    (("0", "toolu_016w4nFTVEfQWGx6mzNEqyix", "", "x" * 300), ("1", "", "", "short")),
    (("stop_reason", "end_turn"), ("usage", "tokens " * 30)),
)


def html(view: Table) -> ET.Element:
    return ET.fromstring(view._repr_html_())


def test_text_is_aligned_and_skips_empty_columns() -> None:
    view = Table("Two", (Column("a"), Column("b"), Column("c")), (("1", "", "one"), ("22", "", "two")))
    assert repr(view) == "Two\n\na   c\n--  ---\n1   one\n22  two"


def test_no_line_of_text_is_wider_than_the_page() -> None:
    assert max(map(len, repr(LONG).splitlines())) <= WIDTH


def test_ids_lose_their_middle_and_other_values_their_end() -> None:
    row = repr(LONG).splitlines()[4]
    assert "toolu_016w...Eqyix" in row
    assert row.endswith("xxx...")


def test_closing_lines_are_wrapped_under_their_value() -> None:
    lines = repr(LONG).splitlines()
    assert "stop_reason  end_turn" in lines
    assert sum(line.startswith(" " * 13 + "tokens") for line in lines) == 2


@pytest.mark.parametrize(
    ("text", "width", "cut", "expected"),
    [
        pytest.param("abc", 3, "end", "abc", id="fits"),
        pytest.param("abcdefghij", 6, "end", "abc...", id="end"),
        pytest.param("abcdefghijklmnop", 12, "middle", "abcdef...nop", id="middle"),
    ],
)
def test_a_long_value_is_shortened_with_three_dots(text: str, width: int, cut: str, expected: str) -> None:
    assert shorten(text, width, cut) == expected  # type: ignore[arg-type]


def test_html_is_a_captioned_table_with_scoped_headers() -> None:
    tree = html(LONG)
    assert tree.findtext("caption") == "A history"
    assert [cell.get("scope") for cell in tree.findall("thead/tr/th")] == ["col", "col", "col"]
    assert [cell.get("scope") for cell in tree.findall("tbody/tr/th")] == ["row", "row"]
    assert tree.findtext("tfoot/tr/td") == "end_turn"


def test_html_escapes_what_people_and_models_write() -> None:
    attack = "<script>alert(1)</script>"
    view = Table(attack, (Column("a"), Column("b")), (("1", attack),), (("c", attack),))
    assert "<script" not in view._repr_html_()
    assert html(view).findtext("tbody/tr/td") == attack


def test_html_shortens_what_nobody_reads() -> None:
    view = Table("Long", (Column("a"), Column("b")), (("1", "y" * 5000),))
    assert len(str(html(view).findtext("tbody/tr/td"))) == HTML_LIMIT


def test_html_uses_nothing_that_an_untrusted_notebook_drops() -> None:
    names = {element.tag for element in html(LONG).iter()}
    attributes = {name for element in html(LONG).iter() for name in element.attrib}
    assert names <= {"table", "caption", "thead", "tbody", "tfoot", "tr", "th", "td"}
    assert attributes <= {"style", "scope", "colspan"}


def test_html_leaves_the_colours_to_the_theme() -> None:
    assert "color" not in LONG._repr_html_()

"""Every sentence that a learner or a teacher reads goes through `_`, so that it can be translated."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

PACKAGE = Path(__file__).parents[1] / "autograder"
# Where strings are sentences for people: what these calls are given must come through `_`.
SPOKEN_KEYWORDS = {"found", "expected", "because", "next_step", "title"}
SPEAKING_CALLS = {"print", "Feedback", "not_yet", "CourseError", "AuthoringError", "GradingError"}
# The double speaks as the API does; the first start runs before anything is installed.
ROOMS = sorted(
    path
    for path in PACKAGE.rglob("*.py")
    if "messages_api" not in path.parts and path.name not in ("bootstrap.py", "__main__.py")
)


def name_of(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def is_bare_sentence(node: ast.expr) -> bool:
    """A literal with a word of letters, that no call of `_` wraps."""
    if isinstance(node, ast.Constant):
        return isinstance(node.value, str) and any(len(word) > 1 and word.isalpha() for word in node.value.split())
    if isinstance(node, ast.JoinedStr):
        return any(is_bare_sentence(part) for part in node.values if isinstance(part, ast.Constant))
    if isinstance(node, ast.BinOp):
        return is_bare_sentence(node.left) or is_bare_sentence(node.right)
    if isinstance(node, ast.IfExp):
        return is_bare_sentence(node.body) or is_bare_sentence(node.orelse)
    return False


def bare_sentences(source: str) -> list[str]:
    found = []
    for call in ast.walk(ast.parse(source)):
        if not isinstance(call, ast.Call):
            continue
        spoken = [word.value for word in call.keywords if word.arg in SPOKEN_KEYWORDS]
        if name_of(call.func) in SPEAKING_CALLS:
            spoken += call.args
        found += [f"line {node.lineno}: {ast.unparse(node)}" for node in spoken if is_bare_sentence(node)]
        if name_of(call.func) == "_" and call.args and not isinstance(call.args[0], ast.Constant):
            found.append(f"line {call.lineno}: {ast.unparse(call)} is not a literal, so no catalogue can hold it")
    return found


@pytest.mark.parametrize("path", [pytest.param(path, id=str(path.relative_to(PACKAGE))) for path in ROOMS])
def test_no_sentence_misses_the_catalogue(path: Path) -> None:
    assert bare_sentences(path.read_text(encoding="utf-8")) == []


@pytest.mark.parametrize(
    "source",
    [
        'judge.not_yet(found="two requests")',
        'print("all done")',
        'raise CourseError(f"there is no {name}")',
        'judge.not_yet(found=_("x") if a else "not a list")',
        '_(f"lesson {number}")',
    ],
)
def test_a_bare_sentence_is_found(source: str) -> None:
    assert bare_sentences(source)

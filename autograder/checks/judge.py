"""What a check has in its hands: it calls the learner's functions, plays scenarios and says "not yet".

Faults that every exercise can have, such as a function that is not written yet or takes other arguments, are
told here once, each in its own sentence, so that a check's body holds only its own property.
"""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Any, NewType, NoReturn

from autograder.checks.feedback import Feedback, shortened, shown
from autograder.checks.player import ErrorReport, Outcome, Player
from autograder.checks.samples import Samples
from autograder.checks.transcript import Conversation
from autograder.errors import CheckFailed
from autograder.language import _
from autograder.messages_api.scenario import Scenario, replay
from autograder.messages_api.variation import vary

Name = NewType("Name", str)
"""The name of a learner's function or value. A check's parameters of this type are looked up by the player."""


@dataclass(frozen=True)
class Case:
    """What is being tried: in words, why it matters, and what to try when it fails."""

    what: str = ""
    because: str = ""
    next_step: str = ""


class Judge:
    """Decides one property.

    player: calls the learner's code. title: the property. seed: "" plays the scenarios as they stand in the
    lesson; any other value plays variations of them that nobody has seen. `samples` draws messages from it.
    """

    def __init__(self, player: Player, title: str, seed: str = "") -> None:
        self.player = player
        self.title = title
        self.samples = Samples(f"{title} {seed}")
        self._seed = seed
        self._last = Outcome("returned")
        self._conversation: Conversation | None = None
        self._case = Case()

    def scenario(self, name: str) -> Scenario:
        """Return the scenario of the fixture `name`, varied when the run is graded."""
        scenario = replay(name)
        return vary(scenario, self._seed) if self._seed else scenario

    def conversation(self, name: str) -> Conversation:
        """Start a conversation on the scenario `name`; failures from now on show it as their evidence."""
        self._conversation = Conversation(self.scenario(name))
        return self._conversation

    def case(self, what: str, *, because: str = "", next_step: str = "") -> None:
        """Say what is tried next, for example "a message with two text blocks".

        Every failure until the next case names it, and gives `because` and `next_step` where it has none itself.
        """
        self._case = Case(what, because, next_step)

    def call(self, function: Name, *arguments: Any, may_return_none: bool = False, **options: Any) -> Any:
        """Call the learner's function and return its value.

        options: keyword arguments of the function, and `answer` or `run_tool` (see `Player.call`). With a
        conversation started, its double answers. Raises CheckFailed when the call did not return a value.
        """
        if self._conversation is not None:
            options.setdefault("answer", self._conversation.answer)
        outcome = self.player.call(function, *arguments, **options)
        self._last = outcome
        if outcome.kind != "returned":
            self._no_return(function, outcome)
        if outcome.value is None and not may_return_none:
            self.not_yet(
                found=_("{name} returned None").format(name=function),
                next_step=_("end {name} with `return` and the value that the task asks for").format(name=function),
            )
        return outcome.value

    def not_yet(
        self, *, found: str, expected: str = "", the_api: str = "", because: str = "", next_step: str = ""
    ) -> NoReturn:
        """End the check: the property does not hold yet."""
        raise CheckFailed(
            Feedback(
                title=self.title,
                expected=expected,
                found=found,
                the_api=the_api,
                because=because or self._case.because,
                next_step=next_step or self._case.next_step,
                printed=shortened(self._last.stdout.strip(), 160),
                evidence=self._evidence(),
            )
        )

    def equal(self, found: Any, expected: Any) -> None:
        """Pass when `found` is `expected` (same value, bool and int told apart); say "not yet" otherwise."""
        if type(found) is type(expected) and found == expected:
            return
        self.not_yet(expected=self.wanted(shown(expected)), found=shown(found))

    def wanted(self, value: str) -> str:
        """Return "for CASE: VALUE", the words for what the case in hand should give."""
        if not self._case.what:
            return value
        return _("for {case}: {value}").format(case=self._case.what, value=value)

    def _evidence(self) -> Any:
        if self._conversation is None or not self._conversation.calls:
            return None
        return self._conversation.calls

    def _no_return(self, function: Name, outcome: Outcome) -> NoReturn:
        if outcome.kind == "missing":
            self.not_yet(
                found=_("there is no {name} yet").format(name=function),
                next_step=_("run the cell that defines {name}, then this one").format(name=function),
            )
        if outcome.kind == "not_callable":
            self.not_yet(
                found=_("{name} is not a function but {value}").format(name=function, value=shown(outcome.value)),
                next_step=_("run the cell that defines {name} again").format(name=function),
            )
        if outcome.kind == "stopped":
            self.not_yet(
                found=_("{name} did not come to an end: {reason}").format(name=function, reason=outcome.value),
                next_step=_("look for the condition that ends the loop: is it ever true?"),
            )
        if outcome.kind == "died":
            self.not_yet(found=_("the process that ran {name} ended").format(name=function))
        if outcome.error is None:
            raise RuntimeError(f"an outcome of kind {outcome.kind!r} must carry an error")
        self._raised(function, outcome.kind, outcome.error)

    def _raised(self, function: Name, kind: str, error: ErrorReport) -> NoReturn:
        if kind == "arity":
            self.not_yet(
                found=_("{name}{signature} does not take the arguments of the task: {text}").format(
                    name=function, signature=error.line, text=error.text
                ),
                next_step=_("give {name} the parameters that the task names").format(name=function),
            )
        if error.name == "NotImplementedError":
            self.not_yet(
                found=_("{name} is not written yet").format(name=function),
                next_step=_("replace the line that raises NotImplementedError, and run that cell"),
            )
        refusal = self._conversation.refusal if self._conversation else ""
        if self._conversation is not None and self._conversation.mismatch:
            self.not_yet(
                found=_("a request of {name} that no recorded exchange answers").format(name=function),
                because=self._conversation.mismatch,
                next_step=_("compare the request with the one that the task asks for"),
            )
        found = _("{name} raised {error}").format(name=function, error=_said(error, refusal))
        if self._case.what:
            found += "\n" + _("with {case}").format(case=self._case.what)
        if error.line:
            found += "\n" + error.line
        self.not_yet(
            found=found,
            the_api=refusal,
            because=_explained(error),
            next_step=_mended(error),
        )


def _said(error: ErrorReport, refusal: str) -> str:
    if refusal or not error.text:
        return error.name
    return f"{error.name}: {shortened(error.text, 160)}"


def _explained(error: ErrorReport) -> str:
    if error.name == "RecursionError":
        return _("the function calls itself without an end")
    return ""


def _mended(error: ErrorReport) -> str:
    if error.name == "NameError":
        return _("run the cells above, from the first one, then this one")
    return ""


def nearest(word: str, words: list[str]) -> str:
    """Return the element of `words` most like `word`, or ""."""
    close = difflib.get_close_matches(word, words, n=1)
    return close[0] if close else ""

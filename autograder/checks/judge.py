"""What a check has in its hands: it calls the learner's functions, plays scenarios and says "not yet".

Faults that every exercise can have, such as a function that is not written yet or takes other arguments, are
told here once, each in its own sentence, so that a check's body holds only its own property.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any, NewType, NoReturn

from autograder.checks.feedback import Feedback, shortened, shown
from autograder.checks.fresh import fresh_conversation
from autograder.checks.player import ErrorReport, Outcome, Player
from autograder.checks.raised import explained, mended, said
from autograder.checks.samples import Samples
from autograder.checks.transcript import Conversation, described_turns
from autograder.checks.values import Handle
from autograder.errors import CheckFailed
from autograder.language import _
from autograder.messages_api.scenario import Scenario, replay
from autograder.messages_api.variation import Variation, vary

Name = NewType("Name", str)
"""The name of a learner's function or value. A check's parameters of this type are looked up by the player."""


@dataclass(frozen=True)
class Case:
    """What is being tried: in words, what it should give, why it matters, and what to try when it fails.

    evidence: what is being tried as something to draw, for example a history.
    """

    what: str = ""
    expected: str = ""
    because: str = ""
    next_step: str = ""
    evidence: Any = None

    @property
    def wanted(self) -> str:
        """ "for CASE: VALUE", or the one of them that there is."""
        if self.what and self.expected:
            return _("for {case}: {value}").format(case=self.what, value=self.expected)
        return self.expected


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
        self._composed = 0
        self._case = Case()
        self._refusals_belong_to = ""
        self._called: dict[int, str] = {}

    def scenario(self, name: str) -> Scenario:
        """Return the scenario of the fixture `name`, varied when the run is graded."""
        scenario = replay(name)
        return vary(scenario, self._seed) if self._seed else scenario

    def conversation(self, name: str) -> Conversation:
        """Start a conversation on the scenario `name`; failures from now on show it as their evidence."""
        scenario = replay(name)
        if self._seed:
            variation = Variation(scenario, self._seed)
            self._conversation = Conversation(variation.scenario(), variation.apply)
        else:
            self._conversation = Conversation(scenario)
        return self._conversation

    def fresh(self, traits: Iterable[str] | None = None, **how: Any) -> Conversation:
        """Start a conversation that is composed for this check: another one each time, and another when it is graded.

        traits and how: as for `compose`; without traits, a mixture that a right loop of `lesson` lives with.
        """
        self._composed += 1
        seed = f"{self.title} {self._seed} {self._composed}"
        return self.play(fresh_conversation(seed, traits=traits, **how))

    def play(self, conversation: Conversation) -> Conversation:
        """Start a conversation that the check made itself, and return it."""
        self._conversation = conversation
        return conversation

    def case(
        self, what: str, *, expected: str = "", because: str = "", next_step: str = "", evidence: Any = None
    ) -> None:
        """Say what is tried next, for example "a message with two text blocks", and what it should give.

        Every failure until the next case takes from it what it does not say itself, and shows its evidence.
        """
        self._case = Case(what, expected, because, next_step, evidence)

    def advise(self, next_step: str) -> None:
        """Say something nearer to try, once the learner's code shows which mistake it is; "" keeps the case's own."""
        self._case = replace(self._case, next_step=next_step or self._case.next_step)

    def refusals_belong_to(self, check: str, title: str) -> None:
        """Say which check tells of refused requests, so that one fault is told once.

        Every other check of the same loop then says "not reached: see check.NAME" when the API refused a request.
        """
        self._refusals_belong_to = "" if title == self.title else check

    def value(self, name: Name) -> Any:
        """Return the learner's value of that name, for an exercise that asks for a value and not for a function.

        Raises CheckFailed when it is not there, or still holds the `...` that stands for it in the lesson.
        """
        self._last = self.player.value(name)
        if self._last.kind != "returned":
            self._no_return(name, self._last)
        if is_unwritten(self._last.value):
            self._no_function(
                _("{name} is not written yet").format(name=name),
                _(
                    "write your value in place of the dots, take out the line that raises NotImplementedError, and run"
                    " that cell"
                ),
            )
        return self._last.value

    def function_from(self, function: Name, value: Any, called: str) -> Handle:
        """Return what `function` gave back, a function to call; failures name it as `called`."""
        if not isinstance(value, Handle):
            self.not_yet(
                expected=_("a function"),
                found=_("{name} returned {value}").format(name=function, value=shown(value)),
                next_step=_("return the function itself: its name, without brackets"),
            )
        self._called[value.id] = called
        return value

    def call(self, function: Name | Handle, *arguments: Any, may_return_none: bool = False, **options: Any) -> Any:
        """Call the learner's function, or one that it gave back, and return its value.

        options: keyword arguments of the function, and `answer` or `run_tool` (see `Player.call`). With a
        conversation started, its double answers. Raises CheckFailed when the call did not return a value.
        """
        outcome = self.attempt(function, *arguments, **options)
        return self.returned(function, outcome, may_return_none=may_return_none)

    def attempt(
        self, function: Name | Handle, *arguments: Any, may_be_stopped: bool = False, **options: Any
    ) -> Outcome:
        """Call the learner's function and return what it did, whatever that was.

        For a property that shows in the requests, also when the call failed later; hand the outcome to `returned`
        afterwards. may_be_stopped: the check says itself what it means that the call did not come to an end.
        """
        if self._conversation is not None:
            options.setdefault("answer", self._conversation.answer)
            options.setdefault("run_tool", self._conversation.run_tool)
        self._last = self.player.call(function, *arguments, **options)
        known = self._last.kind in ("returned", "raised") or (may_be_stopped and self._last.kind == "stopped")
        if not known or self._last.is_stub:
            self._no_return(function, self._last)
        return self._last

    def returned(self, function: Name | Handle, outcome: Outcome, *, may_return_none: bool = False) -> Any:
        """Return the value of an outcome; raises CheckFailed when there is none."""
        if outcome.kind != "returned":
            self._no_return(function, outcome)
        if outcome.value is None and not may_return_none:
            name = self._name_of(function)
            self.not_yet(
                found=_("{name} returned None").format(name=name),
                next_step=_("let every path through {name} end with `return` and a value").format(name=name),
            )
        return outcome.value

    def not_yet(
        self, *, found: str, expected: str = "", the_api: str = "", because: str = "", next_step: str = ""
    ) -> NoReturn:
        """End the check: the property does not hold yet. What is not given is taken from the case in hand."""
        case = Case(self._case.what, expected or self._case.expected, because, next_step)
        raise CheckFailed(
            Feedback(
                title=self.title,
                expected=case.wanted,
                found=found,
                the_api=the_api,
                because=because or self._case.because,
                next_step=next_step or self._case.next_step,
                printed=self._printed(),
                evidence=self._evidence(),
            )
        )

    def equal(self, found: Any, expected: Any) -> None:
        """Pass when `found` is `expected` (same value, bool and int told apart); say "not yet" otherwise."""
        if type(found) is type(expected) and found == expected:
            return
        self.not_yet(expected=shown(expected), found=shown(found))

    def _no_function(self, found: str, next_step: str) -> NoReturn:
        """End the check before there is anything to say about the property: the function cannot be called."""
        raise CheckFailed(Feedback(title=self.title, found=found, next_step=next_step, printed=self._printed()))

    def _printed(self) -> str:
        return shortened(self._last.stdout.strip(), 160)

    def _evidence(self) -> Any:
        if self._case.evidence is not None:
            return self._case.evidence
        if self._conversation is None or not self._conversation.calls:
            return None
        return self._conversation.calls

    def _name_of(self, function: Name | Handle) -> str:
        return self._called.get(function.id, function.text) if isinstance(function, Handle) else function

    def _no_return(self, target: Name | Handle, outcome: Outcome) -> NoReturn:
        function = self._name_of(target)
        if outcome.kind == "missing":
            self._no_function(
                _("there is no {name} yet").format(name=function),
                _("run the cell that defines {name}, then this one").format(name=function),
            )
        if outcome.kind == "not_callable":
            self._no_function(
                _("{name} is not a function but {value}").format(name=function, value=shown(outcome.value)),
                _("run the cell that defines {name} again").format(name=function),
            )
        if outcome.kind == "stopped":
            self.not_yet(
                found=_("{name} did not come to an end: {reason}").format(name=function, reason=outcome.value),
                next_step=_("look for the condition that ends the loop: is it ever true?"),
            )
        if outcome.kind == "died":
            self._no_function(
                _("the process that ran {name} ended").format(name=function),
                _("take out what ends Python or writes to the system directly, and run all cells again"),
            )
        if outcome.error is None:
            raise RuntimeError(f"an outcome of kind {outcome.kind!r} must carry an error")
        self._raised(function, outcome.kind, outcome.error)

    def _raised(self, function: str, kind: str, error: ErrorReport) -> NoReturn:
        if kind == "arity":
            self._no_function(
                _("{name}{signature} does not take the arguments of the task: {text}").format(
                    name=function, signature=error.line, text=error.text
                ),
                _("give {name} the parameters that the task names").format(name=function),
            )
        if self._last.is_stub and function in self._called.values():
            self._no_function(
                _("{name} needs a function that is not written yet").format(name=function),
                _("let the checks of the exercises above pass first"),
            )
        if self._last.is_stub:
            self._no_function(
                _("{name} is not written yet").format(name=function),
                _("replace the line that raises NotImplementedError, and run that cell"),
            )
        refusal = self._conversation.refusal if self._conversation else ""
        if self._conversation is not None and self._conversation.unrecorded:
            self.not_yet(
                found=_("a request that no recorded exchange answers: {turns}").format(
                    turns=described_turns(self._conversation.unrecorded.get("messages"))
                ),
                because=_("the request is legal, but it is not part of the conversation of this check"),
            )
        if refusal and self._refusals_belong_to:
            self._no_function(
                _("not reached: the API refused a request; see check.{check}").format(check=self._refusals_belong_to),
                _("let check.{check} pass first").format(check=self._refusals_belong_to),
            )
        found = _("{name} raised {error}").format(name=function, error=said(error, refusal))
        if self._case.what and not self._case.expected:
            found += "\n" + _("with {case}").format(case=self._case.what)
        if error.line:
            found += "\n" + shortened(error.line, 64)
        self.not_yet(found=found, the_api=refusal, because=explained(error), next_step=mended(error))


def is_unwritten(value: Any) -> bool:
    """Return whether a value is as it was released: `...`, or a list or dict that holds nothing else."""
    if isinstance(value, dict):
        return bool(value) and all(map(is_unwritten, value.values()))
    if isinstance(value, list | tuple | frozenset):
        return bool(value) and all(map(is_unwritten, value))
    return isinstance(value, Handle) and value.type_name == "ellipsis"

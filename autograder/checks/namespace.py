"""`check`: what a notebook calls, `check.answers_every_call(results_turn)`.

One object holds the checks of all lessons, so a notebook needs one import and a grade cell one line. A check
displays its verdict and returns None: nbgrader reads a returned number as points.
"""

from __future__ import annotations

import dis
import importlib
import inspect
import os
import pkgutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from types import FrameType
from typing import Any, NoReturn

from autograder.checks.feedback import Feedback, Passed
from autograder.checks.judge import Judge, Name
from autograder.checks.player import InProcessPlayer, Player
from autograder.errors import CheckFailed, CourseError
from autograder.language import _
from autograder.names import nearest

LESSONS = "autograder.checks.lessons"


@dataclass(frozen=True)
class Check:
    """One property: its name, the words it is told in, and the function that decides it."""

    name: str
    title: str
    body: Callable[..., None]

    @property
    def parameters(self) -> list[str]:
        """The names of what a grade cell hands over."""
        return list(inspect.signature(self.body).parameters)[1:]

    def decide(self, player: Player, arguments: list[Any], seed: str = "") -> None:
        """Run the check against a player; raises CheckFailed when the property does not hold.

        arguments: for each parameter the learner's name of it, or a literal.
        seed: "" for the lesson's own scenarios, anything else for variations of them.
        """
        self.body(Judge(player, self.title, seed), *arguments)

    def takes_name(self, parameter: str) -> bool:
        """Return whether a parameter is a learner's name (and not a literal)."""
        return inspect.signature(self.body, eval_str=True).parameters[parameter].annotation is Name

    def __call__(self, *values: Any) -> None:
        """Check the learner's functions, display the verdict, and raise CheckFailed for "not yet"."""
        if len(values) != len(self.parameters):
            expected = ", ".join(self.parameters)
            raise CourseError(_("check.{name} is called with ({expected})").format(name=self.name, expected=expected))
        pairs = list(zip(self.parameters, values, strict=True))
        player = InProcessPlayer({parameter: value for parameter, value in pairs if self.takes_name(parameter)})
        arguments = [parameter if self.takes_name(parameter) else value for parameter, value in pairs]
        try:
            self.decide(player, arguments, seed_of_this_run())
        except CheckFailed as failed:
            _show_evidence(failed.feedback)
            raise failed.with_traceback(None) from None
        _display(Passed(self.title))


class Namespace:
    """Every check of the course by its name."""

    def __getattr__(self, name: str) -> Callable[..., None]:
        if name.startswith("_"):
            raise AttributeError(name)
        found = checks().get(name)
        if found is None:
            raise AttributeError(_no_such_check(name))
        _find_missing_name(found, sys._getframe(1))
        return found

    def __dir__(self) -> list[str]:
        return sorted(checks())

    def names(self) -> tuple[str, ...]:
        """Return the names of all checks."""
        return tuple(sorted(checks()))


check = Namespace()


def checks() -> dict[str, Check]:
    """Return every check of the lessons by name. A name that two lessons use is an error of ours."""
    found: dict[str, Check] = {}
    package = importlib.import_module(LESSONS)
    for module in pkgutil.iter_modules(package.__path__, f"{LESSONS}."):
        for one in checks_of(module.name):
            if found.setdefault(one.name, one) != one:
                raise ValueError(f"two lessons have a check named {one.name}")
    return found


def checks_of(module_name: str) -> list[Check]:
    """Return the checks of one lesson's module: its `TITLES`, in order."""
    module = importlib.import_module(module_name)
    return [Check(name, title, getattr(module, name)) for name, title in module.TITLES.items()]


def seed_of_this_run() -> str:
    """Return the seed of a graded run, "" in a notebook.

    nbgrader sets NBGRADER_EXECUTION to "autograde" while it grades (nbgrader documentation, "Autograding").
    """
    if os.environ.get("NBGRADER_EXECUTION") != "autograde":
        return ""
    seed = os.environ.get("AUTOGRADER_SEED", "")
    if not seed:
        raise CourseError(_("AUTOGRADER_SEED is not set: grade in the folder that holds nbgrader_config.py"))
    return seed


def _no_such_check(name: str) -> str:
    sentence = _("there is no check named {name}").format(name=name)
    close = nearest(name, checks())
    return sentence + _("; did you mean check.{close}?").format(close=close[0]) if close else sentence


def _find_missing_name(found: Check, frame: FrameType) -> None:
    """Tell which name of the grade cell does not exist yet.

    Python evaluates the argument before the call, so a missing name would be a bare NameError. The attribute
    look-up comes first: this reads which names the rest of the calling cell will load.
    """
    if frame.f_code.co_name != "<module>":
        return
    for name in _names_of_the_call(frame):
        if name not in frame.f_globals and not hasattr(frame.f_builtins, name) and name not in frame.f_builtins:
            _no_name(found, name)


def _names_of_the_call(frame: FrameType) -> list[str]:
    names: list[str] = []
    for instruction in dis.get_instructions(frame.f_code):
        if instruction.offset <= frame.f_lasti:
            continue
        if instruction.opname.startswith("CALL"):
            break
        if instruction.opname in ("LOAD_NAME", "LOAD_GLOBAL"):
            names.append(str(instruction.argval))
    return names


def _no_name(found: Check, name: str) -> NoReturn:
    raise CheckFailed(
        Feedback(
            title=found.title,
            found=_("there is no {name} yet").format(name=name),
            next_step=_("run the cell that defines {name}, then this one").format(name=name),
        )
    )


def _display(verdict: Any) -> None:
    ipython = sys.modules.get("IPython")
    if ipython is not None and ipython.get_ipython() is not None:
        ipython.display.display(verdict)
    else:
        print(verdict)


def _show_evidence(feedback: Feedback) -> None:
    if feedback.evidence is not None:
        from autograder.display.table import evidence_table

        _display(evidence_table(feedback.evidence))

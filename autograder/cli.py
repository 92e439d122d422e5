"""The command line: one table of verbs, each in a module of its own.

A verb's module is imported only when it is asked for, so that `course --help` needs nothing but the standard
library and no verb pays for another. A module offers `configure(parser)` and `run(options) -> exit code`.
"""

from __future__ import annotations

import argparse
import importlib
import os
import sys
import textwrap
from collections.abc import Callable
from dataclasses import dataclass

from autograder import __version__
from autograder.command import command, remember
from autograder.errors import CourseError
from autograder.language import _
from autograder.names import nearest
from autograder.setup.environment import Packages, enter

FAILED = 2
NOBODY_READS = 1
INTERRUPTED = 130


@dataclass(frozen=True)
class Verb:
    """One verb: where it lives, who it is for, and which packages have to be there before it runs."""

    name: str
    module: str
    reader: str
    help: str
    packages: Packages = Packages.COURSE


LEARN, TEACH, WRITE, EVERYONE = _("learn"), _("teach"), _("write"), _("everyone")

VERBS = {
    verb.name: verb
    for verb in (
        Verb("start", "autograder.setup.lab", LEARN, _("open the course in JupyterLab")),
        Verb("list", "autograder.grading.listing", LEARN, _("the lessons, and how far you are")),
        Verb("check", "autograder.grading.checking", LEARN, _("run the checks of a lesson")),
        Verb("hint", "autograder.grading.hinting", LEARN, _("the next hint for an exercise")),
        Verb("grade", "autograder.grading.grade", LEARN, _("grade your work, with feedback pages")),
        Verb("release", "autograder.authoring.release", WRITE, _("make notebooks/ from solutions/")),
        Verb("tidy", "autograder.authoring.tidy", WRITE, _("bring notebooks into the one shape on disk")),
        Verb("verify", "autograder.authoring.verify", WRITE, _("prove that the lessons are in order")),
        Verb("serve", "autograder.authoring.serve", WRITE, _("the recorded API on 127.0.0.1, for other languages")),
        Verb("record", "autograder.authoring.record", WRITE, _("capture a conversation with the live API")),
        Verb("test", "autograder.setup.suite", EVERYONE, _("run every test of the course"), Packages.TEST),
        Verb("doctor", "autograder.setup.doctor", EVERYONE, _("what this machine has and lacks"), Packages.NONE),
    )
}


def main() -> int:
    """Run the command line of this process: set the course up if the verb needs it, then do what `run` does."""
    remember()
    arguments = sys.argv[1:]
    verb = VERBS.get(arguments[0]) if arguments else None
    if verb is not None:
        code = _guarded(verb.name, lambda: enter(arguments, verb.packages))
        if code:
            return code
    return run(arguments)


def run(arguments: list[str]) -> int:
    """Run `arguments` in this Python as it is, without set-up, and return the exit code.

    A `CourseError` or an error of the file system becomes one sentence on stderr and code 2, Ctrl-C becomes 130, and
    a reader that went away (`course verify | head`) becomes 1 without a word; none of them shows a traceback.
    """
    if not arguments or arguments[0].startswith("-"):
        return _guarded("", lambda: _without_verb(arguments))
    verb = VERBS.get(arguments[0])
    if verb is None:
        return _unknown(arguments[0])
    return _guarded(verb.name, lambda: _run_verb(verb, arguments[1:]))


def _run_verb(verb: Verb, arguments: list[str]) -> int:
    module = importlib.import_module(verb.module)
    parser = argparse.ArgumentParser(prog=command(verb.name), description=verb.help, allow_abbrev=False)
    module.configure(parser)
    options, rest = parser.parse_known_args(arguments)
    if rest and not getattr(options, "passes_on", False):
        parser.error(_("unknown: {rest}").format(rest=" ".join(rest)))
    options.rest = rest
    code: int = module.run(options)
    return code


def _guarded(verb: str, action: Callable[[], int | None]) -> int:
    try:
        try:
            return action() or 0
        finally:
            sys.stdout.flush()  # here, where it is guarded, and not when Python ends
    except CourseError as error:
        return _failed(verb, str(error))
    except BrokenPipeError:
        return _nobody_reads()
    except OSError as error:
        return _failed(verb, _of_the_system(error))
    except KeyboardInterrupt:
        print(file=sys.stderr)
        return INTERRUPTED


def _failed(verb: str, sentence: str) -> int:
    print(as_lines(f"course {verb}".rstrip() + f": {sentence}"), file=sys.stderr)
    return FAILED


def _of_the_system(error: OSError) -> str:
    reason = error.strerror or str(error) or type(error).__name__
    if error.filename is None:
        return _("The system says: {reason}.").format(reason=reason)
    return _("{path} cannot be used: {reason}.").format(path=error.filename, reason=reason)


def _nobody_reads() -> int:
    # As the documentation of `signal` advises under SIGPIPE: Python would try to write the rest when it ends.
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
    return NOBODY_READS


def as_lines(text: str) -> str:
    """Break a sentence into lines of at most 76 columns; a text that has its own lines stays as it is."""
    if "\n" in text:
        return text
    return textwrap.fill(text, 76, subsequent_indent="  ", break_long_words=False, break_on_hyphens=False)


def _without_verb(arguments: list[str]) -> int:
    parser = argparse.ArgumentParser(
        prog=command(""),
        usage=command("VERB [options]"),
        description=_("Learn, teach and write the course on the Claude agent loop."),
        epilog=_verbs_by_reader(),
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("--version", action="version", version=f"autograder {__version__}")
    parser.parse_args(arguments)
    parser.print_help()
    return 0


def _verbs_by_reader() -> str:
    lines = []
    for reader in dict.fromkeys(verb.reader for verb in VERBS.values()):
        lines.append(f"{reader}:")
        lines += [f"  {verb.name:<9}{verb.help}" for verb in VERBS.values() if verb.reader == reader]
    lines += ["", _("{command} tells more.").format(command=command("VERB --help"))]
    if command("") != "course":
        lines.append(_("In an active environment, `course VERB` is the same."))
    return "\n".join(lines)


def _unknown(name: str) -> int:
    (close,) = nearest(name, VERBS, cutoff=0.0)
    text = _("course: There is no verb {name}. The nearest is:\n  {nearest}\nAll of them:\n  {all}")
    print(text.format(name=repr(name), nearest=command(close), all=command("--help")), file=sys.stderr)
    return FAILED

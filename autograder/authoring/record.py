"""`course record NAME`: capture a conversation with the live API as the scenario file fixtures/NAME.json."""

from __future__ import annotations

import argparse
import importlib
import os
import re
import sys
from pathlib import Path

from autograder.command import command
from autograder.course import Course
from autograder.errors import AuthoringError
from autograder.language import _, ngettext
from autograder.messages_api.capture import KEPT_HEADERS
from autograder.messages_api.errors import ScenarioError
from autograder.messages_api.recorder import (
    LIVE,
    Recording,
    RecordingError,
    Template,
    Tool,
    origin,
    record,
    template_of,
)
from autograder.messages_api.scrubbing import COOKIE, EMAIL, KEY, ORGANISATION, WORKSPACE

_NAME = re.compile(r"[a-z][a-z0-9_]*")


def configure(parser: argparse.ArgumentParser) -> None:
    """Declare the arguments of `course record`."""
    parser.description = _(
        "Play a request against the live API and write what comes back as fixtures/NAME.json. It costs what the API "
        "charges for it. The request is that of the template, by default the fixture of this name. Calls of tools are "
        "answered from the template's `results`, else by the function of --tools, which is given name and input."
    )
    parser.add_argument("name", metavar="NAME", help=_("name of the fixture: small letters, digits, underscores"))
    parser.add_argument("--template", type=Path, metavar="FILE", help=_("a scenario, or: title, request, results"))
    parser.add_argument("--tools", metavar="MODULE:FUNCTION", help=_("answers calls: function(name, input)"))
    parser.add_argument("--replace", action="store_true", help=_("write over a fixture that is there"))


def run(options: argparse.Namespace) -> int:
    """Record, write the file and say what it holds. Nothing is asked of the API before all that is needed is there."""
    key = os.environ.get("ANTHROPIC_API_KEY", "").strip()
    if not key:
        raise AuthoringError(_("ANTHROPIC_API_KEY is not set: recording talks to the live API and needs a key."))
    path = _target(Course.here().fixtures, options.name, replace=options.replace)
    template = _template(options.template or path)
    tool = _tool(options.tools) if options.tools else None
    base_url = os.environ.get("ANTHROPIC_BASE_URL", "").strip() or LIVE
    try:
        made = record(template, api_key=key, base_url=base_url, tool=tool)
    except RecordingError as error:
        text = _("{reason}\nNothing was written. A call is answered by `results` in the template, or by --tools.")
        raise AuthoringError(text.format(reason=error)) from None
    _write(path, made.text(), replace=options.replace)
    print("\n".join(_report(made, path, base_url)))
    return 0


def _target(folder: Path, name: str, *, replace: bool) -> Path:
    if not _NAME.fullmatch(name):
        text = _("{name} is no name for a fixture: small letters, digits and underscores, a letter first.")
        raise AuthoringError(text.format(name=repr(name)))
    path = folder / f"{name}.json"
    if path.exists() and not replace:
        text = _("{file} is there already. To write over it:\n  {command}")
        raise AuthoringError(
            text.format(file=f"{folder.name}/{path.name}", command=command(f"record {name} --replace"))
        )
    return path


def _template(path: Path) -> Template:
    try:
        return template_of(path)
    except ScenarioError as error:
        text = _("{reason}\nThe template is where the request comes from: give one with --template FILE.")
        raise AuthoringError(text.format(reason=error)) from None


def _tool(spelled: str) -> Tool:
    """The function that `MODULE:FUNCTION` names; modules of the current folder count."""
    module, _colon, function = spelled.partition(":")
    sys.path.insert(0, str(Path.cwd()))
    try:
        found = getattr(importlib.import_module(module), function)
    except (ImportError, AttributeError, ValueError) as error:
        text = _("--tools {spelled} cannot be used: {reason}. It has to read MODULE:FUNCTION.")
        raise AuthoringError(text.format(spelled=spelled, reason=error)) from None
    finally:
        sys.path.pop(0)
    if not callable(found):
        raise AuthoringError(_("--tools {spelled} is no function.").format(spelled=spelled))
    tool: Tool = found
    return tool


def _write(path: Path, text: str, *, replace: bool) -> None:
    """Write all of the file or nothing; without `replace`, a file that came meanwhile stays."""
    part = path.with_suffix(".json.part")
    part.write_text(text, encoding="utf-8")
    if replace or not path.exists():
        part.replace(path)
        return
    raise AuthoringError(_("{file} is there by now; what was recorded is in {part}.").format(file=path, part=part))


def _report(made: Recording, path: Path, base_url: str) -> list[str]:
    count = len(made.request_ids)
    wrote = ngettext("{count} reply recorded in {file}.", "{count} replies recorded in {file}.", count)
    lines = [
        wrote.format(count=count, file=path),
        _("  the last one ends with  {reason}").format(reason=made.stop_reason),
        _("  request-ids             {ids}").format(ids=", ".join(made.request_ids)),
        _("  headers kept            {names}; all others were left out").format(names=", ".join(KEPT_HEADERS)),
        _("  scrubbed                {found}").format(found=_scrubbed(made.scrubbed)),
    ]
    if made.failed_attempts:
        lines.append(_("  left out                failed attempts: {count}").format(count=made.failed_attempts))
    if origin(base_url) != LIVE:
        lines.append(_("  not from the live API   {url}; the file says so").format(url=origin(base_url)))
    lines.append(_("Nothing was published. Read the file before you share it: names and places are not scrubbed."))
    return lines


def _scrubbed(counts: dict[str, int]) -> str:
    labels = {
        KEY: _("API keys"),
        ORGANISATION: _("organisation ids"),
        WORKSPACE: _("workspace ids"),
        COOKIE: _("cookies"),
        EMAIL: _("e-mail addresses"),
    }
    found = [f"{labels[kind]}: {count}" for kind, count in counts.items()]
    return ", ".join(found) if found else _("nothing, none of the kinds it knows was found")

"""Writes docs/scenario.schema.json, the JSON Schema of scenario files, for editors and for other languages.

It is generated from the models: `python3 -m autograder.authoring.scenario_schema`. A test finds it out of date.
"""

from __future__ import annotations

import json
from pathlib import Path

from autograder.messages_api.scenario import schema

PAGE = Path("docs") / "scenario.schema.json"


def schema_text() -> str:
    """Return the schema as the file holds it."""
    return json.dumps(schema(), indent=2, ensure_ascii=False) + "\n"


def write(root: Path) -> Path:
    """Write the file into the course that begins at `root`, and return its path."""
    path = root / PAGE
    path.write_text(schema_text(), encoding="utf-8")
    return path


if __name__ == "__main__":
    print(write(Path(__file__).parents[2]))

"""Layout, metaschema and style of the schemas, by the command line of sourcemeta: `python -m tests.node.schemas`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
TOOL = Path(__file__).parent / "node_modules/.bin/jsonschema"
# Rules of its style that are not ours.
OFF = (
    "description_trailing_period",  # descriptions are sentences, and become docstrings
    "orphan_definitions",  # Path and Shape are for programs; common definitions are for other files
    "top_level_examples",  # examples lie in schemas/examples
    "simple_properties_identifiers",  # `$schema` is a member on purpose
)


def main() -> int:
    """0 when nothing is wrong; what is wrong is told by the tool."""
    if not TOOL.exists():
        print("the schemas were not looked at: npm ci --prefix tests/node", file=sys.stderr)
        return 1 if os.environ.get("EVALSCHEMA_NO_SKIP") == "1" else 0
    schemas = sorted((ROOT / "schemas").glob("*.schema.json"))
    off = [word for name in OFF for word in ("--exclude", name)]
    commands = (["fmt", "--check"], ["metaschema"], ["lint", *off])
    codes = [subprocess.run([TOOL, *command, *schemas], cwd=ROOT, check=False).returncode for command in commands]
    return 1 if any(codes) else 0


if __name__ == "__main__":
    sys.exit(main())

"""Where the program begins: a plain `check FILE…` in which nothing is wrong is answered before click is imported.

Half of a short run is spent on importing what only other runs need. As soon as anything is out of the ordinary (a
switch, a folder, a configuration file, a finding), the command line proper takes over and begins anew.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING, NoReturn, cast

if TYPE_CHECKING:
    from types import ModuleType

# Documents are trees: looking for circles after every 700 new objects, as Python does, costs a fifth of the time.
CIRCLES = (100_000, 20, 20)
# What jsonschema imports for its formats, where it is installed, for up to a second; here it is never asked for one.
_FOR_FORMATS = ("rfc3987", "rfc3987_syntax", "rfc3986_validator", "isoduration")


def main() -> NoReturn:
    """Run the command line and exit."""
    gc.set_threshold(*CIRCLES)
    for name in _FOR_FORMATS:
        sys.modules.setdefault(name, cast("ModuleType", None))
    try:
        if _is_answered(sys.argv[1:]):
            sys.exit(0)
        from evalschema.cli import main as command_line
    except KeyboardInterrupt:
        from evalschema.console import end_by

        end_by(2)  # SIGINT; the module that knows its name takes longer to load than all of this
    command_line()


def _is_answered(arguments: list[str]) -> bool:
    """Whether the arguments ask for no more than that some files be checked, and nothing is wrong with any."""
    paths = arguments[1:]
    if arguments[:1] != ["check"] or not paths or any(path.startswith("-") for path in paths):
        return False
    if os.environ.get("GITHUB_ACTIONS") or not all(map(os.path.isfile, paths)):
        return False
    from evalschema.files import LARGE_FILES, check_file
    from evalschema.lines import LINES_SUFFIXES
    from evalschema.settings import configuration_of

    if len(paths) >= LARGE_FILES:
        return False
    try:
        if any(path.endswith(LINES_SUFFIXES) for path in paths) or configuration_of(".") is not None:
            return False
        if any(check_file(path).findings for path in paths):
            return False
        from evalschema.console import nothing_found

        sys.stdout.write(f"{nothing_found(len(paths))}\n")
        sys.stdout.flush()
    except Exception:
        return False  # the command line proper meets it again, and knows what to say
    return True

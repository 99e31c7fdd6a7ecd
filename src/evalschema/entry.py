"""Where the program begins: a plain `check FILE…` in which nothing is wrong is answered before click is imported.

Half of a short run is spent on importing what only other runs need. As soon as anything is out of the ordinary (a
switch, a
folder, a configuration file, a finding), the command line proper takes over and begins anew.
"""

from __future__ import annotations

import gc
import os
import sys
from typing import NoReturn

# Documents are trees: looking for circles after every 700 new objects, as Python does, costs a fifth of the time.
CIRCLES = (100_000, 20, 20)


def main() -> NoReturn:
    """Run the command line and exit."""
    gc.set_threshold(*CIRCLES)
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
    from evalschema.files import LARGE_FILES, LINES_SUFFIXES, check_file
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

"""Check the two example workspaces beside this file, and show what is found: what `make demo` runs."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

HERE = Path(__file__).parent


def main() -> int:
    """0 when the healthy workspace is clean and the broken one is not."""
    statuses: list[int] = []
    for name in ("healthy", "broken"):
        print(f"$ evalschema check docs/demo/{name}", flush=True)
        command = [sys.executable, "-m", "evalschema", "check", str((HERE / name).relative_to(Path.cwd()))]
        statuses.append(subprocess.run(command, check=False).returncode)  # noqa: S603
        print(flush=True)
    print("next: evalschema check PATH, evalschema explain CODE, evalschema --help")
    return 0 if statuses == [0, 1] else 1


if __name__ == "__main__":
    sys.exit(main())

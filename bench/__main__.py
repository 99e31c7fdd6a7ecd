"""Measurements, all of them or by name: what the documentation says of speed, as ratios in one run."""

from __future__ import annotations

import argparse
import subprocess
import sys
from importlib import import_module
from pathlib import Path

from bench import table
from bench.comparing import Options

PAGE = Path(__file__).parents[1] / "docs" / "explanation" / "speed.md"
#: Beside other tools, in turns; each has a table of its own in the page.
COMPARISONS = ("files", "lines", "large", "startup")
#: Of ours alone, each with switches of its own: `python -m bench.NAME`.
PROGRAMS = ("rules", "scores", "scale", "perturbation", "workspace_perturbation", "workspaces")


def _parser() -> argparse.ArgumentParser:
    def listed(names: tuple[str, ...]) -> str:
        docs = {name: (import_module(f"bench.{name}").__doc__ or "").partition("\n")[0] for name in names}
        return "\n".join(f"  {name:24}{said}" for name, said in docs.items())

    parser = argparse.ArgumentParser(
        prog="python -m bench",
        description=__doc__,
        epilog=f"beside other tools, in the page:\n{listed(COMPARISONS)}\n\n"
        f"of ours alone (python -m bench.NAME takes their own arguments):\n{listed(PROGRAMS)}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("names", nargs="*", metavar="NAME", help="what to measure (default: all)")
    parser.add_argument("--rounds", type=int, default=5, help="of each comparison (default: %(default)s)")
    parser.add_argument("--quick", action="store_true", help="one round on small inputs: whether it works, no figures")
    parser.add_argument("--alone", action="store_true", help="install and run no other tools")
    parser.add_argument(
        "--write",
        action="store_true",
        help=f"put the tables in which all of ours was measured into docs/explanation/{PAGE.name}",
    )
    return parser


def main(arguments: list[str] | None = None) -> int:
    parser = _parser()
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - {*COMPARISONS, *PROGRAMS}:
        parser.error(f"there is no measurement {', '.join(sorted(unknown))}")
    if given.quick and given.write:
        parser.error("what --quick measures is not worth writing down")
    options = Options(1 if given.quick else given.rounds, quick=given.quick, peers=not given.alone)
    broken: list[str] = []
    for name in given.names or (COMPARISONS if given.quick else COMPARISONS + PROGRAMS):
        print(f"## {name}\n", flush=True)
        if name in PROGRAMS:
            done = subprocess.run([sys.executable, "-m", f"bench.{name}"], check=False)
            broken += [f"{name} ended with exit status {done.returncode}"] if done.returncode else []
            continue
        report = import_module(f"bench.{name}").measure(options)
        print(f"{report.text}\n", flush=True)
        broken += report.broken
        if given.write and not report.broken:
            table.put(PAGE, name, report.text)
    for line in broken:
        print(line, file=sys.stderr)
    return 1 if broken else 0


if __name__ == "__main__":
    sys.exit(main())

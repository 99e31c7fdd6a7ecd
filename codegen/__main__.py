"""`python -m codegen` writes all generated files, `python -m codegen --check` compares them and says how to repair."""

from __future__ import annotations

import sys
from collections.abc import Callable

from codegen._output import compare, write
from codegen.bundle import bundle
from codegen.kinds import kinds_module

# What is made, in order: later products may be made by running the package with the earlier ones.
PRODUCTS: tuple[tuple[str, Callable[[], str]], ...] = (
    ("src/evalschema/_generated/__init__.py", lambda: '"""Made by `make gen`; do not edit."""\n'),
    ("src/evalschema/_generated/bundle.json", bundle),
    ("src/evalschema/_generated/kinds.py", kinds_module),
)
OWNED = ("src/evalschema/_generated",)
REPAIR = "make gen"


def main(arguments: list[str]) -> int:
    """0 when all is as it should be, 1 on drift, 2 on wrong usage."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m codegen [--check]", file=sys.stderr)
        return 2
    products = {path: make() for path, make in PRODUCTS}
    if not arguments:
        for path in write(products, OWNED):
            print(f"wrote {path}")
        return 0
    drifts = compare(products, OWNED)
    for drift in drifts:
        print(drift.diff, file=sys.stderr)
    if drifts:
        print(f"{len(drifts)} generated file(s) differ from their sources; repair: {REPAIR}", file=sys.stderr)
    return 1 if drifts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

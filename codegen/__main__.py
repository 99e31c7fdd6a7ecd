"""`python -m codegen` writes all generated files, `python -m codegen --check` compares them and says how to repair."""

from __future__ import annotations

import sys

from codegen._output import compare, left_over, write
from codegen.bundle import bundle
from codegen.catalog import catalog
from codegen.docs import docs
from codegen.hooks import hooks
from codegen.kinds import kinds_module
from codegen.models import models
from codegen.names import names
from codegen.pages import pages
from codegen.typescript import typescript

# Each makes texts by path. The first two stand alone; the others may run the package, which reads what the first made.
MAKERS = (bundle, kinds_module, models, typescript, catalog, pages, docs, hooks, names)
OWNED = ("src/evalschema/_generated", "schemas/typescript", "docs/reference/kinds", "docs/reference/rules")
REPAIR = "make gen"


def main(arguments: list[str]) -> int:
    """0 when all is as it should be, 1 on drift, 2 on wrong usage."""
    if arguments not in ([], ["--check"]):
        print("usage: python -m codegen [--check]", file=sys.stderr)
        return 2
    return check() if arguments else generate()


def generate() -> int:
    """Write what changed, and take away what is no longer made."""
    products: dict[str, str] = {}
    for make in MAKERS:
        products |= (made := make())
        for path in write(made):
            print(f"wrote {path}")
    for file in left_over(products, OWNED):
        file.unlink()
        print(f"removed {file}")
    return 0


def check() -> int:
    """Say where the files differ from what would be made; when the data of the package itself does, that alone."""
    products: dict[str, str] = {}
    drifts: list[str] = []
    for make in MAKERS:
        products |= (made := make())
        drifts += compare(made)
        if make is bundle and drifts:
            break
    else:
        drifts += [f"{file}: no longer made" for file in left_over(products, OWNED)]
    for drift in drifts:
        print(drift, file=sys.stderr)
    if drifts:
        print(f"{len(drifts)} generated file(s) differ from their sources; repair with: {REPAIR}", file=sys.stderr)
    return 1 if drifts else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""How many broken numbers are found: consistent documents, one derived number changed beyond its tolerance.

    python -m bench.perturbation [DOCUMENTS] [SEED]

Prints for each kind the unchanged documents that give a finding (none should), and for each number the share of its
breaks that is told with the right code at the right place.
"""

from __future__ import annotations

import copy
import sys
from random import Random
from typing import Any, cast

from evalschema import validate
from tests.consistent import BREAKS, MAKERS


def main(documents: int = 1000, seed: int = 1) -> int:
    random = Random(seed)
    wrong = 0
    for kind, make in MAKERS.items():
        noisy = 0
        found = dict.fromkeys(BREAKS[kind], 0)
        for _ in range(documents):
            document = make(random)
            noisy += bool(validate(document, cast("Any", kind)).findings)
            for name, change in BREAKS[kind].items():
                changed = copy.deepcopy(document)
                expected = change(changed, random)
                told = {(finding.code, finding.pointer) for finding in validate(changed, cast("Any", kind)).findings}
                found[name] += (expected.code, expected.pointer) in told
        missed = documents * len(found) - sum(found.values())
        wrong += noisy + missed
        share = sum(found.values()) / (documents * len(found))
        print(f"{kind}: {documents} unchanged documents, {noisy} with a finding; found {share:.2%} of the breaks")
        for name, count in found.items():
            print(f"    {name:24} {count / documents:8.2%}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main(*(int(argument) for argument in sys.argv[1:])))

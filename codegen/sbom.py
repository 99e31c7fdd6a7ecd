"""`python -m codegen.sbom FILE`: what the package depends on, as CycloneDX.

The versions and hashes are those of requirements/runtime.txt, with which it was tested; cyclonedx-py writes them down.
What it cannot know there is added: our own version, and who depends on whom. The same tree gives the same bytes.
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

from codegen._output import ROOT
from evalschema import __version__

PINS = ROOT / "requirements" / "runtime.txt"
_PIN = re.compile(r"(?m)^([A-Za-z0-9._-]+)==\S+(?:.|\n)*?(?=^[A-Za-z0-9]|\Z)")
_VIA = re.compile(r"(?m)^ +# +(?:via )?([A-Za-z0-9._-]+)(?: \(pyproject\.toml\))?$")


def bill() -> dict[str, Any]:
    """The bill of materials, as CycloneDX 1.6."""
    command = [str(Path(sys.executable).with_name("cyclonedx-py")), "requirements", str(PINS)]
    command += ["--pyproject", str(ROOT / "pyproject.toml"), "--mc-type", "library"]
    command += ["--output-reproducible", "--spec-version", "1.6", "--output-format", "JSON"]
    made: dict[str, Any] = json.loads(subprocess.run(command, check=True, capture_output=True).stdout)
    root = made["metadata"]["component"]
    root["version"] = __version__
    root["purl"] = f"pkg:pypi/{root['name']}@{__version__}"
    references = {root["name"]: root["bom-ref"], **{each["name"]: each["bom-ref"] for each in made["components"]}}
    made["dependencies"] = [
        {"ref": references[name], "dependsOn": sorted(references[other] for other in others)}
        for name, others in sorted(_dependencies(root["name"]).items())
    ]
    return made


def _dependencies(root: str) -> dict[str, set[str]]:
    """Which packages each package asks for, as the comments beside the pins tell who asked."""
    pins = {pin[1]: _VIA.findall(pin[0]) for pin in _PIN.finditer(PINS.read_text("utf-8"))}
    asked: dict[str, set[str]] = {name: set() for name in (root, *pins)}
    for name, askers in pins.items():
        for asker in askers:
            if asker != "via":
                asked[asker].add(name)
    return asked


if __name__ == "__main__":
    target = Path(sys.argv[1])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(bill(), indent=2, ensure_ascii=False) + "\n", "utf-8")

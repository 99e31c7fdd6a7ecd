"""What a finding is recognised by in a later run, although the lines before it have changed."""

from __future__ import annotations

from collections import Counter
from hashlib import sha256
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from evalschema.finding import Finding


class Fingerprints:
    """A digest of file, code, place and the name in question; findings that share all of that are numbered."""

    def __init__(self) -> None:
        self._seen: Counter[str] = Counter()

    def of(self, finding: Finding, path: str) -> str:
        """The fingerprint: 32 hexadecimal digits, no two alike."""
        name = finding.expected if finding.code.startswith(("name.", "schema.required")) else ""
        about = "\0".join((path, finding.code, finding.pointer, str(name)))
        self._seen[about] += 1
        return sha256(f"{about}\0{self._seen[about]}".encode("utf-8", "surrogatepass")).hexdigest()[:32]

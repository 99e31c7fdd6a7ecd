"""TypeScript types of every kind, made by json-schema-to-typescript in Node."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from shutil import which
from typing import Any

from codegen._output import ROOT
from codegen.tolerant import documents

PATH = "schemas/typescript/documents.d.ts"
_BANNER = "/* Types of the documents that evalschema checks. Made from schemas/ by `make gen`; do not edit. */"


def typescript() -> dict[str, str]:
    """The text of the declarations; without Node the one that lies there, and a line that says so."""
    node = which("node")
    if node is None or not (ROOT / "tests/node/node_modules/json-schema-to-typescript").exists():
        missing = "Node" if node is None else "tests/node/node_modules (npm ci --prefix tests/node)"
        if os.environ.get("EVALSCHEMA_NO_SKIP") == "1":
            raise FileNotFoundError(f"{missing} is not here, and EVALSCHEMA_NO_SKIP allows no step to be left out")
        print(f"{PATH}: left as it is, {missing} is not here", file=sys.stderr)
        return {PATH: (ROOT / PATH).read_text("utf-8")} if (ROOT / PATH).exists() else {}
    made = subprocess.run(
        [node, ROOT / "codegen/typescript.mjs"],
        input=json.dumps({"schema": _wrapped(documents()), "banner": _BANNER}),
        capture_output=True,
        check=True,
        encoding="utf-8",
    )
    return {PATH: made.stdout}


def _wrapped(schema: Any) -> Any:
    """The schema with each described reference wrapped, else the generator makes a numbered copy of its target."""
    if isinstance(schema, list):
        return [_wrapped(item) for item in schema]
    if not isinstance(schema, dict):
        return schema
    turned = {key: _wrapped(value) for key, value in schema.items()}
    if isinstance(turned.get("$ref"), str) and len(turned) > 1:
        turned["allOf"] = [{"$ref": turned.pop("$ref")}]
    return turned

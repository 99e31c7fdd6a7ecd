"""`catalog.json`: what kinds and codes there are, for tools in any language."""

from __future__ import annotations

import json
from typing import Any

from codegen.sources import SUFFIX, kinds, schemas

PATH = "schemas/catalog.json"
_NOTE = "Kinds of documents and codes of findings. Made from schemas and rules by `make gen`; do not edit."


def catalog() -> dict[str, str]:
    """The text of the catalogue."""
    content = {"note": _NOTE, "kinds": [_kind(kind) for kind in kinds()], "codes": _codes()}
    return {PATH: json.dumps(content, indent=2, ensure_ascii=False) + "\n"}


def _kind(kind: str) -> dict[str, Any]:
    from evalschema.catalog import members

    schema = schemas()[kind + SUFFIX]
    named = {"paths": "Path", "general_paths": "GeneralPath"}
    return {
        "name": kind,
        "title": schema["title"],
        "description": schema["description"],
        "schema": kind + SUFFIX,
        **{key: [schema["$defs"][name]["pattern"]] for key, name in named.items() if name in schema["$defs"]},
        "members": list(members(kind)),
    }


def _codes() -> list[dict[str, Any]]:
    from evalschema.codes import all_codes
    from evalschema.finding import pointer
    from evalschema.rules._across import Across
    from evalschema.rules._engine import all_rules

    across = {rule.code for rule in all_rules() if isinstance(rule, Across)}
    needs = {rule.code: [pointer(need) for need in rule.needs] for rule in all_rules()}
    each = {rule.code: pointer(rule.each) for rule in all_rules() if rule.each is not None}
    return [
        {
            "code": entry.code,
            "name": entry.name,
            "kind": entry.kind if entry.kind in kinds() else None,
            "severity": entry.severity,
            "summary": entry.summary,
            **({"across_files": True} if entry.code in across else {}),
            **({"needs": needs[entry.code]} if entry.code in needs else {}),
            **({"each": each[entry.code]} if entry.code in each else {}),
        }
        for entry in all_codes()
    ]

"""A schema with everything that it refers to inside, so that one file stands alone."""

from __future__ import annotations

from typing import Any

from evalschema import catalog


def bundled(kind: str) -> dict[str, Any]:
    """The schema of a kind, whose references all lead into its own `$defs`; raises `UnknownKindError`.

    The names of definitions are unique over all files, so that none has to be renamed.
    """
    name = catalog.file_name(catalog.checked_kind(kind))
    schemas: dict[str, Any] = catalog.bundle()["schemas"]
    definitions: dict[str, Any] = {}

    def visit(value: Any, here: str) -> Any:
        """The value with its references turned inwards; what they lead to is collected."""
        if isinstance(value, list):
            return [visit(item, here) for item in value]
        if not isinstance(value, dict):
            return value
        return {
            key: inward(item, here) if key == "$ref" and isinstance(item, str) else visit(item, here)
            for key, item in value.items()
            if key != "$defs"
        }

    def inward(reference: str, here: str) -> str:
        file, _, fragment = reference.partition("#")
        file = file or here
        if not fragment and file == name:
            return "#"
        target = schemas[file] if not fragment else schemas[file]["$defs"][fragment.rpartition("/")[2]]
        title = fragment.rpartition("/")[2] if fragment else target["title"]
        if title not in definitions:
            definitions[title] = None  # keeps its place, and ends a circle of references
            definitions[title] = visit({key: item for key, item in target.items() if key != "$schema"}, file)
        return f"#/$defs/{title}"

    schema: dict[str, Any] = visit(schemas[name], name)
    return schema | {"$defs": definitions} if definitions else schema

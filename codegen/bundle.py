"""The one file that the package loads: all schemas, and the data that tells what their failures mean."""

from __future__ import annotations

import json

from codegen.sources import data, schemas

DATA = ("aliases", "tolerances", "consequences")


def bundle() -> dict[str, str]:
    """The text of `bundle.json`: compact, one line a schema or an entry, so that a diff can be read."""
    parts = [_object("schemas", dict(schemas()))]
    parts += [_list(name, data(name)) for name in DATA]
    note = json.dumps("made from schemas/ by `make gen`; do not edit")
    return {"src/evalschema/_generated/bundle.json": "{\n" + f'"$comment": {note},\n' + ",\n".join(parts) + "\n}\n"}


def _compact(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _object(name: str, members: dict[str, object]) -> str:
    lines = ",\n".join(f"{json.dumps(key)}:{_compact(value)}" for key, value in members.items())
    return f'"{name}": {{\n{lines}\n}}'


def _list(name: str, items: list[dict[str, object]]) -> str:
    lines = ",\n".join(map(_compact, items))
    return f'"{name}": [\n{lines}\n]'

"""Dataclasses of every kind, and the signature of `load` that knows which kind gives which class."""

from __future__ import annotations

import ast
import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

from codegen.sources import kinds, title
from codegen.tolerant import documents

if TYPE_CHECKING:
    from codegen.tolerant import Schema

FOLDER = "src/evalschema/_generated"
NOTE = "Made from schemas/ by `make gen`; do not edit."
_HEADER = f'''"""Documents as dataclasses, one class an object of the schemas. {NOTE}"""

# ruff: noqa: E501
# fmt: off'''
_SETTINGS = {
    "input_file_type": "jsonschema",
    "schema_version": "2020-12",
    "output_model_type": "dataclasses.dataclass",
    "target_python_version": "3.11",
    # names are those of the schemas, in alphabetical order, so that a change of one moves no other
    "use_title_as_name": True,
    "keep_model_order": True,
    "aliases": {"$schema": "schema"},
    # the template writes what the codec needs to know; enumerations are plain words: documents need no conversion
    "base_class": "evalschema.codec.Record",
    "additional_imports": ["dataclasses.field", "evalschema.codec.Json"],
    "custom_template_dir": Path(__file__).parent / "templates",
    "enum_field_as_literal": "all",
    "strict_nullable": True,
    "use_schema_description": True,
    "use_field_description": True,
    "use_single_line_docstring": True,
    # nothing is fetched, nothing is guessed, and the same bytes come out everywhere
    "strict_refs": True,
    "allow_remote_refs": False,
    "formatters": ["builtin"],
    "use_double_quotes": True,
    "custom_file_header": _HEADER,
}
# The generator makes up such names when two definitions claim one, or an object has no title; ours never end so.
_MADE_UP = re.compile(r"^(?:class )?(\w*(?:\d|Model))(?:\(|: TypeAlias)", re.MULTILINE)


def models() -> dict[str, str]:
    """The texts of `models.py` and `loading.py`, and a program for type checkers that uses all of it."""
    classes = _dataclasses(documents())
    return {
        f"{FOLDER}/models.py": classes,
        f"{FOLDER}/loading.py": _loading(),
        "tests/typing/every_model.py": _sample(classes),
    }


def _dataclasses(schema: Schema) -> str:
    from datamodel_code_generator import GenerateConfig, generate

    settings = _SETTINGS | {"extra_template_data": _extras(schema)}
    text = str(generate(json.dumps(schema), config=GenerateConfig.model_validate(settings)))
    if made_up := _MADE_UP.search(text):
        raise ValueError(f"the generator made up the name {made_up[1]}: two definitions claim one, or one has no title")
    return text.rstrip("\n") + "\n"


def _extras(schema: Schema) -> dict[str, Any]:
    """The types of the members that a class does not name, where the schema describes them."""
    described: dict[str, Any] = {}
    for name, definition in schema["$defs"].items():
        if "extras" in definition.get("properties", {}):
            raise ValueError(f"{name} has a member `extras`, which is the name for what the schema does not describe")
        if "properties" in definition and "additionalProperties" in definition:
            described[name] = {"extras_type": definition["additionalProperties"]["$ref"].rpartition("/")[2]}
    return described


def _loading() -> str:
    """A protocol with one overload a kind, for type checkers alone."""
    overloads = "".join(
        f'    @overload\n    def __call__(self, document: Any, kind: Literal["{kind}"]) -> models.{title(kind)}: ...\n'
        for kind in kinds()
    )
    return f'''"""What `load` returns for each kind. {NOTE}"""

from typing import Any, Literal, Protocol, overload

from evalschema._generated import models
from evalschema._generated.kinds import Kind


class Load(Protocol):
    """Turns a document into the dataclass of its kind."""

{overloads}    @overload
    def __call__(self, document: Any, kind: Kind | None = None) -> models.Document: ...
'''


def _sample(classes: str) -> str:
    """Every class made of its own fields, and every kind loaded: what type checkers must accept without a word."""
    parts: list[str] = []
    for node in ast.parse(classes).body:
        if isinstance(node, ast.ClassDef):
            targets = (member.target for member in node.body if isinstance(member, ast.AnnAssign))
            members = "".join(f"        {name}=it.{name},\n" for name in map(ast.unparse, targets))
            function = "use" + re.sub("(?=[A-Z])", "_", node.name).lower()
            made = f"models.{node.name}"
            parts.append(f"def {function}(it: {made}) -> {made}:\n    return {made}(\n{members}    )\n")
    loaded = "".join(f'    assert_type(load(document, "{kind}"), models.{title(kind)})\n' for kind in kinds())
    parts.append(f"def use_load(document: object) -> None:\n{loaded}    assert_type(load(document), models.Document)\n")
    head = f'''# pyright: strict
"""Uses every class and every kind, for type checkers. {NOTE}"""

from typing import assert_type

from evalschema import load, models
'''
    return "\n\n".join([head, *parts])

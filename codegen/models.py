"""Dataclasses of every kind, and the signature of `load` that knows which kind gives which class."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from codegen.sources import kinds
from codegen.tolerant import Schema, documents, title

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
    # the template writes what the codec needs to know; enumerations are plain words, so that a document needs no conversion
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
    """The texts of `models.py` and `loading.py`."""
    return {f"{FOLDER}/models.py": _dataclasses(documents()), f"{FOLDER}/loading.py": _loading()}


def _dataclasses(schema: Schema) -> str:
    from datamodel_code_generator import GenerateConfig, generate

    settings = _SETTINGS | {"extra_template_data": _extras(schema)}
    text = str(generate(json.dumps(schema), config=GenerateConfig.model_validate(settings)))
    if made_up := _MADE_UP.search(text):
        raise ValueError(f"the generator made up the name {made_up[1]}: two definitions claim one, or an object has no title")
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
        "    @overload\n"
        f'    def __call__(self, document: Any, kind: Literal["{kind}"]) -> models.{title(kind)}: ...\n'
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

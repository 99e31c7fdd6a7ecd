"""Reference pages: one a kind, from its schema and the data about it; one a code, from what its rule says."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

from codegen.pages import shown
from codegen.sources import SUFFIX, data, examples, kinds, schemas
from codegen.tolerant import documents

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from evalschema.codes import Code

KINDS, CODES = "docs/reference/kinds", "docs/reference/rules"
_NOTE = "<!-- Made from schemas/, rules and examples by `make gen`; do not edit. -->\n\n"
_TREE = "```{toctree}\n:hidden:\n:glob:\n\n*\n```\n"
# What the codes that no rule has are about, by the part before the dot.
_FAMILIES = {
    "schema": "Failing keywords of the schemas",
    "name": "Names and places",
    "kind": "Kinds",
    "json": "Reading",
    "input": "Files",
    "limit": "Limits",
}


def docs() -> dict[str, str]:
    """The texts of all reference pages."""
    from evalschema.codes import all_codes

    pages = {f"{KINDS}/{kind}.md": _kind_page(kind) for kind in kinds()}
    pages |= {f"{CODES}/{_file(entry)}": _code_page(entry) for entry in all_codes()}
    pages[f"{KINDS}/index.md"] = _kinds_index()
    pages[f"{CODES}/index.md"] = _codes_index(all_codes())
    return {path: _NOTE + text for path, text in pages.items()}


def _file(entry: Code) -> str:
    return entry.code.replace(" ", "-") + ".md"


def _table(head: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    """A Markdown table; "" when there are no rows."""
    body = ["| " + " | ".join(cell.replace("|", "\\|").replace("\n", " ") for cell in row) + " |" for row in rows]
    rule = "|" + " --- |" * len(head)
    return "\n".join(["| " + " | ".join(head) + " |", rule, *body]) + "\n" if body else ""


def _section(heading: str, *parts: str) -> str:
    """A heading with what stands under it; "" when that is nothing."""
    filled = [part for part in parts if part]
    return f"\n## {heading}\n\n" + "\n".join(filled) if filled else ""


# --- kinds --------------------------------------------------------------------------------------------------------


def _kinds_index() -> str:
    rows = ((f"[{kind}]({kind}.md)", schemas()[kind + SUFFIX]["description"]) for kind in kinds())
    return f"# Kinds\n\n{_table(('kind', 'documents'), rows)}\n{_TREE}"


def _kind_page(kind: str) -> str:
    schema = schemas()[kind + SUFFIX]
    return "".join(
        (
            f"# {kind}\n\n{schema['description']}\n\n",
            f"Schema: `schemas/{kind}{SUFFIX}`. In Python: `evalschema.models.{schema['title']}`. ",
            f"In TypeScript: `{schema['title']}` of `schemas/typescript/documents.d.ts`.\n",
            _section("Where such files lie", _paths(schema)),
            _section("Members", *_objects(kind)),
            _section("What is tolerated", _tolerated(kind)),
            _section("Known wrong names", _wrong_names(kind)),
            _section("What programs make of a damaged member", _consequences(kind)),
            _section("Rules", _rules(kind)),
            _section("Example", *(_fenced(path.read_text("utf-8")) for path in examples(f"{kind}/valid/documented"))),
        )
    )


def _paths(schema: dict[str, Any]) -> str:
    definitions = [schema["$defs"][name] for name in ("Path", "GeneralPath") if name in schema["$defs"]]
    if not definitions:
        return "No name tells such a file: its members do.\n"
    return _table(("paths that fit", ""), ((_code(each["pattern"]), each["description"]) for each in definitions))


def _objects(kind: str) -> Iterator[str]:
    """A table for each object that the documents of a kind are made of, in the order in which they are met."""
    lenient = documents()["$defs"]
    for title, definition, file in _met(kind + SUFFIX):
        if "properties" not in definition:
            continue
        required, needed = definition.get("required", []), lenient[title].get("required", [])
        rows = [
            (_code(name), _type(member, file), _need(name, required, needed), _description(member, file))
            for name, member in definition["properties"].items()
        ]
        if isinstance(others := definition.get("additionalProperties"), dict):
            rows.append(("any other", _type(others, file), "", _description(others, file)))
        heading = f"### {title}\n\n{definition['description']}\n\n"
        yield heading + _table(("member", "type", "", "what it holds"), rows)


def _need(name: str, required: list[str], needed: list[str]) -> str:
    return "required" if name in needed else "required, absence tolerated" if name in required else ""


def _met(file: str) -> Iterator[tuple[str, dict[str, Any], str]]:
    """Title, definition and file of everything that a schema refers to, itself first."""
    left: list[tuple[dict[str, Any], str]] = [(schemas()[file], file)]
    seen: set[str] = set()
    while left:
        definition, here = left.pop(0)
        if definition["title"] in seen:
            continue
        seen.add(definition["title"])
        yield definition["title"], definition, here
        left += [_resolved(reference, here) for reference in _references(definition)]


def _references(value: Any) -> Iterator[str]:
    if isinstance(value, dict):
        if isinstance(value.get("$ref"), str):
            yield value["$ref"]
        yield from (found for key, each in value.items() if key != "$defs" for found in _references(each))
    elif isinstance(value, list):
        yield from (found for each in value for found in _references(each))


def _resolved(reference: str, here: str) -> tuple[dict[str, Any], str]:
    file, _, inner = reference.partition("#")
    schema = schemas()[file or here]
    return (schema["$defs"][inner.rpartition("/")[2]] if inner else schema), file or here


def _description(member: dict[str, Any], here: str) -> str:
    """What is said about a member: by itself, else by what it refers to."""
    if "description" in member or "$ref" not in member:
        return str(member.get("description", ""))
    return _description(*_resolved(member["$ref"], here))


def _type(schema: dict[str, Any], here: str) -> str:
    """The values that fit, in words."""
    if "$ref" in schema:
        target, file = _resolved(schema["$ref"], here)
        return target["title"] if "properties" in target else _type(target, file)
    if branches := schema.get("anyOf") or schema.get("oneOf"):
        return " or ".join(_type(branch, here) for branch in branches)
    if "enum" in schema:
        return " or ".join(_code(json.dumps(word)) for word in schema["enum"])
    if "const" in schema:
        return _code(json.dumps(schema["const"]))
    types = schema.get("type", "any value")
    return " or ".join(_words(schema, each, here) for each in ([types] if isinstance(types, str) else types))


def _words(schema: dict[str, Any], type_: str, here: str) -> str:
    match type_:
        case "array":
            return f"list of {_type(schema['items'], here)}" if "items" in schema else "list"
        case "object" if isinstance(others := schema.get("additionalProperties"), dict):
            return f"object, under each name: {_type(others, here)}"
        case "integer" | "number":
            said = {"minimum": "from {}", "exclusiveMinimum": "above {}", "maximum": "to {}"}
            name = "whole number" if type_ == "integer" else "number"
            return " ".join([name, *(words.format(schema[key]) for key, words in said.items() if key in schema)])
        case "string":
            return _string(schema)
        case _:
            return type_


def _string(schema: dict[str, Any]) -> str:
    if "format" in schema:
        return f"string, {schema['format']}"
    if "pattern" in schema:
        return f"string that fits {_code(schema['pattern'])}"
    shortest = schema.get("minLength", 0)
    return "string" if shortest == 0 else "string, not empty" if shortest == 1 else f"string from {shortest} characters"


def _tolerated(kind: str) -> str:
    rows = (
        (_code(each["place"] or "/"), _departure(each), each["severity"], each["reason"], each.get("evidence", ""))
        for each in data("tolerances")
        if each["kind"] == kind
    )
    return _table(("place", "departure", "finding", "why it is no error", "seen"), rows)


def _departure(entry: dict[str, Any]) -> str:
    if entry["keyword"] == "required":
        return f"without {_code(entry['property'])}"
    allowed = entry.get("when", {}).get("type", [])
    types = " or ".join([allowed] if isinstance(allowed, str) else allowed)
    match entry["keyword"]:
        case "type":
            return types or "another type"
        case "enum":
            return "another word"
        case keyword:
            return f"other than {_code(keyword)} asks"


def _wrong_names(kind: str) -> str:
    rows = (
        (
            _code(each["wrong"] or each["at"] or "/"),
            _code(each["at"] or "/"),
            _code(each["right"].removeprefix("/") or "the value itself") if each["right"] is not None else "",
            each["why"],
        )
        for each in data("aliases")
        if each["kind"] == kind
    )
    return _table(("written", "in", "right", "what is known"), rows)


def _consequences(kind: str) -> str:
    rows = (
        (_code(each["place"]), each.get("absent", ""), each.get("null", ""), each.get("wrong", ""))
        for each in data("consequences")
        if each["kind"] == kind
    )
    return _table(("place", "when it is missing", "when it is null", "when it is something else"), rows)


def _rules(kind: str) -> str:
    from evalschema.codes import all_codes

    return _codes_table([entry for entry in all_codes() if entry.kind == kind], f"../{CODES.rpartition('/')[2]}/")


# --- codes --------------------------------------------------------------------------------------------------------


def _codes_index(codes: tuple[Code, ...]) -> str:
    groups = {f"Rules for {kind}": [entry for entry in codes if entry.kind == kind] for kind in kinds()}
    for entry in codes:
        if entry.kind not in kinds():
            family = _FAMILIES.get(entry.code.partition(".")[0], f"Rules across files: {entry.kind}")
            groups.setdefault(family, []).append(entry)
    sections = (_section(heading, _codes_table(entries, "")) for heading, entries in groups.items())
    return f"# Codes\n\nEvery finding carries one of these.\n{''.join(sections)}\n{_TREE}"


def _codes_table(codes: list[Code], folder: str) -> str:
    rows = (
        (f"[{entry.code}]({folder}{_file(entry)})", entry.name, entry.severity, entry.summary.rstrip("."))
        for entry in codes
    )
    return _table(("code", "name", "severity", "defect"), rows)


def _code_page(entry: Code) -> str:
    is_of_a_kind = entry.kind in kinds()
    kind = f", kind [{entry.kind}](../{KINDS.rpartition('/')[2]}/{entry.kind}.md)" if is_of_a_kind else ""
    example = shown().get(entry.code, {})
    found = "".join(
        f"- {_code(place) if place else 'the document'}: {message}\n"
        for place, message in zip(example.get("pointers", ()), example.get("messages", ()), strict=True)
    )
    silence = (
        f"On the command line `--ignore {entry.code}`; in `evalschema.toml`, or in `pyproject.toml` under "
        f"`[tool.evalschema]`:\n\n"
        f'```toml\nignore = ["{entry.code}"]\n```\n\n'
        "To keep it with another weight:\n\n"
        f'```toml\n[severity]\n"{entry.code}" = "info"\n```\n'
    )
    return "".join(
        (
            f"# {entry.code} {entry.name}\n\nSeverity {entry.severity}{kind}.\n\n{entry.page}\n",
            _section("A document in which it is found", _fenced(example["failing"]), found) if found else "",
            _section("One that just passes", _fenced(example["passing"])) if "passing" in example else "",
            _section("How to silence it", silence),
        )
    )


def _code(text: str) -> str:
    return f"`{text}`"


def _fenced(text: str) -> str:
    language = "json" if text.lstrip()[:1] in ("{", "[") else "text"
    return f"```{language}\n{text.rstrip()}\n```\n"

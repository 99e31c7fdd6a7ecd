"""Why an instance does not fit a schema: every failing keyword with its place. Slow; only failing documents come here.

python-jsonschema walks the schema; questions about texts and fractions (`pattern`, `format`, `multipleOf`,
`uniqueItems`) go to the engine that gave the verdict. A union reports the failures of the branch that the instance
means, not "fits none of them".
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import chain
from typing import TYPE_CHECKING, Any, cast

from jsonschema import Draft202012Validator
from jsonschema.exceptions import ValidationError, best_match
from jsonschema.validators import extend
from referencing import Registry
from referencing.exceptions import Unresolvable
from referencing.jsonschema import DRAFT202012

from evalschema.catalog import bundle, file_name
from evalschema.errors import SchemaError
from evalschema.excerpt import excerpt
from evalschema.verdict import fits, keyword_holds
from evalschema.work import WorkLimitError, begin, charge, counted, value_holds

if TYPE_CHECKING:
    from jsonschema.protocols import Validator

    from evalschema.finding import Tokens

FAILURE_LIMIT = 10_000


@dataclass(frozen=True, slots=True)
class Failure:
    """One keyword that does not hold.

    `at` leads to the value, `value` is that value; `expected` is what stands behind the keyword in `schema`. `member`
    is the missing or surplus member, for the keywords that are about one.
    """

    at: Tokens
    keyword: str
    value: Any
    expected: Any
    schema: Mapping[str, Any]
    member: str | None = None


def explain(schema: dict[str, Any], instance: Any) -> tuple[list[Failure], bool]:
    """The failing keywords, each once, and whether these are all; raises `SchemaError` where a reference fails."""
    return _explained(_counted_class(), schema, instance)


def explain_kind(kind: str, instance: Any) -> tuple[list[Failure], bool]:
    """As `explain`, for a shipped kind."""
    return _explained(_class(), {"$ref": file_name(kind)}, instance)


def _explained(engine: Any, schema: dict[str, Any], instance: Any) -> tuple[list[Failure], bool]:
    failures: dict[tuple[Tokens, str, str | None], Failure] = {}
    begin()
    try:
        for error in engine(schema, registry=_registry()).iter_errors(instance):
            for failure in _failures(error):
                failures.setdefault((failure.at, failure.keyword, failure.member), failure)
            if len(failures) >= FAILURE_LIMIT:
                return list(failures.values()), False
    except (WorkLimitError, RecursionError):
        return list(failures.values()), False
    except Unresolvable as error:
        raise SchemaError(f"the schema refers to {excerpt(error.ref)}, which is not here") from None
    return list(failures.values()), True


def _failures(error: ValidationError) -> Iterator[Failure]:
    at = tuple(error.absolute_path)
    keyword = str(error.validator or "false schema")  # a schema that is only `false` has no keyword
    schema = cast("Mapping[str, Any]", error.schema if isinstance(error.schema, dict) else {})
    if keyword == "required":
        for member in cast("list[str]", error.validator_value):
            if member not in cast("dict[str, Any]", error.instance):
                yield Failure(at, keyword, error.instance, member, schema, member)
    elif keyword in ("additionalProperties", "dependentRequired"):
        yield Failure(at, keyword, error.instance, error.validator_value, schema, error.message)
    else:
        yield Failure(at, keyword, error.instance, error.validator_value, schema)


@cache
def _registry() -> Registry[Any]:
    schemas = bundle()["schemas"].items()
    resources = ((name, DRAFT202012.create_resource(contents)) for name, contents in schemas)
    registry: Registry[Any] = Registry()
    return registry.with_resources(resources).crawl()


def _ref(validator: Any, reference: str, instance: Any, schema: Any) -> Iterable[ValidationError]:
    """As usual, but counted, for whatever branches without end goes through a reference.

    What fits a shipped definition is not walked: the verdict is far sooner had.
    """
    charge()
    resolver = validator._resolver  # noqa: SLF001
    name = _shipped(resolver, reference)
    if name is None:
        return _descend(validator, instance, *_resolved(resolver, reference))
    if fits(name, instance):
        return ()
    return _descend(validator, instance, *_definition(name))


def _resolved(resolver: Any, reference: str) -> tuple[Any, Any]:
    found = resolver.lookup(reference)
    return found.contents, found.resolver


@cache
def _definition(name: str) -> tuple[Any, Any]:
    """A shipped definition, and what resolves the references in it."""
    return _resolved(_registry().resolver(), name)


def _items(validator: Validator, items: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """As usual, but of a long list of a shipped definition only the items that fail are walked."""
    if not validator.is_type(instance, "array"):
        return
    start = len(schema.get("prefixItems", ()))
    reference = _named(validator, items) if len(instance) - start > _LONG_LIST else None
    for index in range(start, len(instance)):
        if items is False:
            # jsonschema would tell it at the list
            yield ValidationError("false schema", validator="false schema", path=(index,), instance=instance[index])
        elif reference is None or not fits(reference, instance[index]):
            yield from _descend(validator, instance[index], items, path=index)


# Shorter lists are walked sooner than the verdict on their items is made ready.
_LONG_LIST = 16


def _named(validator: Any, schema: Any) -> str | None:
    """The full reference of a schema that only refers to a shipped definition; None for any other."""
    if not isinstance(schema, dict) or schema.keys() - {"$ref", "description"} or "$ref" not in schema:
        return None
    # the resolver of the moment has no public name
    return _shipped(validator._resolver, schema["$ref"])  # noqa: SLF001


def _shipped(resolver: Any, reference: str) -> str | None:
    """The full reference where it leads to a shipped definition; None for any other."""
    file, _, fragment = reference.partition("#")
    # a relative reference counts from the file that the resolver is in; it has no public name
    file = file or resolver._base_uri  # noqa: SLF001
    shipped = bundle()["schemas"].get(file)
    # a schema of the user's own may call itself so
    if shipped is None or resolver._registry.contents(file) is not shipped:  # noqa: SLF001
        return None
    return f"{file}#{fragment}"


def _required(validator: Validator, names: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """One error an object, whatever the number of missing members: `_failures` names them."""
    if validator.is_type(instance, "object") and any(name not in instance for name in names):
        yield ValidationError("required")


def _dependent_required(validator: Validator, needs: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "object"):
        for name, others in needs.items():
            if name in instance:
                missing = (other for other in others if other not in instance)
                yield from (ValidationError(other, validator="dependentRequired") for other in missing)


def _dependencies(validator: Validator, needs: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    """What older drafts call `dependentRequired` and `dependentSchemas`; the other engine still knows it."""
    if validator.is_type(instance, "object"):
        for name, need in needs.items():
            if name not in instance:
                continue
            if isinstance(need, list):
                yield from _dependent_required(validator, {name: need}, instance, schema)
            else:
                yield from _descend(validator, instance, need)


def _additional_properties(validator: Validator, allowed: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if not validator.is_type(instance, "object"):
        return
    patterns = schema.get("patternProperties", {})
    for name, value in instance.items():
        if name in schema.get("properties", {}) or any(keyword_holds("pattern", pattern, name) for pattern in patterns):
            continue
        if allowed is False:
            yield ValidationError(name)
        else:
            yield from _descend(validator, value, allowed, path=name)


def _pattern_properties(validator: Validator, patterns: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if validator.is_type(instance, "object"):
        for pattern, subschema in patterns.items():
            for name, value in instance.items():
                if keyword_holds("pattern", pattern, name):
                    yield from _descend(validator, value, subschema, path=name, schema_path=pattern)


def _scalar(keyword: str, kind: str) -> Callable[..., Iterator[ValidationError]]:
    def holds(validator: Validator, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        if validator.is_type(instance, kind) and not keyword_holds(keyword, value, instance):
            yield ValidationError(keyword)

    return holds


def _unique_items(validator: Validator, unique: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    if unique and validator.is_type(instance, "array") and not keyword_holds("uniqueItems", True, instance):
        yield ValidationError("uniqueItems")


def _by_engine(keyword: str) -> Callable[..., Iterator[ValidationError]]:
    """For values that may be large: thousands of words, or whole documents."""

    def holds(validator: Validator, value: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
        if not value_holds(keyword, value, instance):
            yield ValidationError(keyword)

    return holds


def _any_of(validator: Validator, branches: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    attempts: list[list[ValidationError]] = []
    for branch in branches:
        attempts.append(_attempt(validator, branch, instance))
        if not attempts[-1]:
            return
    yield from _meant(validator, branches, attempts, instance)


def _one_of(validator: Validator, branches: Any, instance: Any, schema: Any) -> Iterator[ValidationError]:
    attempts = [_attempt(validator, branch, instance) for branch in branches]
    fitting = sum(not errors for errors in attempts)
    if fitting == 0:
        yield from _meant(validator, branches, attempts, instance)
    elif fitting > 1:
        yield ValidationError("oneOf")


# Errors of one branch that are looked at: more of them say no better which branch is meant.
_ATTEMPT = 50


def _attempt(validator: Validator, branch: Any, instance: Any) -> list[ValidationError]:
    """The first errors of a branch, kept: whoever asks twice on every level asks 2^n times on the n-th."""
    return list(_first(_descend(validator, instance, branch), _ATTEMPT))


def _meant(
    validator: Validator, branches: Any, attempts: list[list[ValidationError]], instance: Any
) -> Iterable[ValidationError]:
    """The errors of the branch that an instance means, which fits none of them."""
    contents = [_contents(validator, branch) for branch in branches]
    if validator.is_type(instance, "object"):
        for tag in _tags(contents):
            values = [_tag_values(content, tag) for content in contents]
            if tag not in instance:
                return [ValidationError("required", validator="required", validator_value=[tag])]
            for branch, attempt, allowed in zip(branches, attempts, values, strict=True):
                if any(_same(instance[tag], value) for value in allowed):
                    return attempt if len(attempt) < _ATTEMPT else _descend(validator, instance, branch)
            known = [value for allowed in values for value in allowed]
            error = ValidationError(
                "enum", validator="enum", validator_value=known, instance=instance[tag], path=(tag,)
            )
            error.schema = contents[0].get("properties", {}).get(tag, {})
            return [error]
    types = [_types(content) for content in contents]
    suited = [
        i for i, names in enumerate(types) if not names or any(validator.is_type(instance, name) for name in names)
    ]
    if not suited:
        return [
            ValidationError("type", validator="type", validator_value=list(dict.fromkeys(chain.from_iterable(types))))
        ]
    return min((attempts[i] for i in suited), key=lambda errors: (_depth(errors), len(errors)))


def _depth(errors: list[ValidationError]) -> int:
    """Smaller for errors that lie deeper: such a branch agrees with the instance at least above them."""
    best = best_match(errors)
    return -len(best.absolute_path) if best is not None else 0


def _first(errors: Iterable[ValidationError], count: int) -> Iterator[ValidationError]:
    for _, error in zip(range(count), errors, strict=False):
        yield error


def _same(a: Any, b: Any) -> bool:
    return type(a) is type(b) and bool(a == b)


def _contents(validator: Validator, branch: Any) -> Mapping[str, Any]:
    """The schema behind a branch that is a reference."""
    for _ in range(10):
        if not isinstance(branch, dict) or "$ref" not in branch:
            break
        # the resolver of the moment knows the base of a relative reference; jsonschema offers no public name for it
        branch = validator._resolver.lookup(branch["$ref"]).contents  # type: ignore[attr-defined]  # noqa: SLF001
    return cast("Mapping[str, Any]", branch) if isinstance(branch, dict) else {}


def _tags(contents: list[Mapping[str, Any]]) -> list[str]:
    """The members that tell the branches apart: fixed in every one of them."""
    return [
        name for name in contents[0].get("properties", {}) if all(_tag_values(content, name) for content in contents)
    ]


def _tag_values(content: Mapping[str, Any], name: str) -> list[Any]:
    member = content.get("properties", {}).get(name)
    if not isinstance(member, dict):
        return []
    return [member["const"]] if "const" in member else list(member.get("enum", ()))


def _types(content: Mapping[str, Any]) -> list[str]:
    types = content.get("type", [])
    if not types and "const" not in content and "enum" not in content and "properties" in content:
        return ["object"]
    return [types] if isinstance(types, str) else list(types)


def _descend(
    validator: Any, instance: Any, schema: Any, resolver: Any = None, **where: Any
) -> Iterator[ValidationError]:
    return cast("Iterator[ValidationError]", validator.descend(instance, schema, resolver=resolver, **where))


@cache
def _class() -> Any:
    return _engine(
        Draft202012Validator,
        {
            "$ref": _ref,
            "items": _items,
            "required": _required,
            "dependentRequired": _dependent_required,
            "dependencies": _dependencies,
            "additionalProperties": _additional_properties,
            "patternProperties": _pattern_properties,
            "pattern": _scalar("pattern", "string"),
            "format": _scalar("format", "string"),
            "multipleOf": _scalar("multipleOf", "number"),
            "uniqueItems": _unique_items,
            "anyOf": _any_of,
            "oneOf": _one_of,
        },
    )


@cache
def _counted_class() -> Any:
    """As `_class`, but every keyword is counted: nobody knows what a schema of the user's own asks for."""
    keywords = _class().VALIDATORS | {name: _by_engine(name) for name in ("enum", "const")}
    return _engine(_class(), {name: counted(name, holds) for name, holds in keywords.items()})


def _engine(base: Any, keywords: Mapping[str, Any]) -> Any:
    engine: Any = extend(base, keywords)  # type: ignore[no-untyped-call]
    # its own would leave our class for the stock one wherever a subschema names a dialect
    engine.evolve = _evolved
    return engine


def _evolved(validator: Any, **changes: Any) -> Any:
    kept = {each.alias: getattr(validator, each.name) for each in validator.__attrs_attrs__ if each.init}
    return type(validator)(**kept | changes)

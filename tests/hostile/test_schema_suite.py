"""Schemas: the official suite through both engines, set up as for a schema of the user's own."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from jsonschema_rs import Registry
from referencing import Resource
from referencing.jsonschema import DRAFT202012

from evalschema import SchemaError, explainer, validate, verdict
from evalschema.catalog import bundle
from evalschema.excerpt import shown
from tests.hostile import schema_suite
from tests.needs import need

if TYPE_CHECKING:
    from tests.conftest import Figure
    from tests.hostile.schema_suite import Case

pytestmark = pytest.mark.promise("schemas")
PAGE = Path(__file__).parents[2] / "docs/reference/own-schemas.md"


@pytest.fixture(autouse=True)
def _remotes(monkeypatch: pytest.MonkeyPatch) -> None:
    """What the suite would have fetched is handed to both engines: we fetch nothing."""
    need(schema_suite.SOURCE.exists(), "needs the official suite: make .suites/.downloaded")
    remotes = schema_suite.remotes()
    fast = Registry([*bundle()["schemas"].items(), *remotes.items()])
    resources = [
        (address, Resource.from_contents(contents, default_specification=DRAFT202012))
        for address, contents in remotes.items()
    ]
    slow = explainer._registry().with_resources(resources)  # pyright: ignore[reportPrivateUsage]
    monkeypatch.setattr(verdict, "_registry", lambda: fast)
    monkeypatch.setattr(explainer, "_registry", lambda: slow)


def departure(case: Case) -> str | None:
    """Why we answer otherwise than the suite on purpose; None where we do not."""
    schema = case.schema if isinstance(case.schema, dict) else {}
    dialects = {verdict.DIALECT, *re.findall(r'"\$schema": "([^"]+)"', json.dumps(schema))}
    if len(dialects) > 1 or "/draft2019-09/" in json.dumps(schema):
        return "another dialect"
    if case.file == "optional/format/unknown.json":
        return "an unknown format"
    if case.file == "format.json" and case.name.endswith("is only an annotation by default"):
        return "a format that is not kept"
    return None


def answers(case: Case) -> list[bool]:
    """What the fast engine says, what the slow one says, and what we say; raises `SchemaError`."""
    schema: Any = case.schema if isinstance(case.schema, dict) else {"allOf": [case.schema]}
    result = validate(case.instance, schema=schema)
    failures, complete = explainer.explain(schema, case.instance)
    assert complete
    return [verdict.validator(schema).is_valid(case.instance), not failures, result.ok]


def counted(cases: list[Case]) -> tuple[int, dict[str, int]]:
    """How many are answered as the suite does, and how many are not, by the reason."""
    kept = 0
    departures: dict[str, int] = {}
    for case in cases:
        reason = departure(case)
        if reason in ("another dialect", "an unknown format"):
            with pytest.raises(SchemaError):
                answers(case)
        else:
            expected = case.valid if reason is None else not case.valid
            assert answers(case) == [expected] * 3, f"{case.file}: {case.name}: {shown(case.instance)}"
        if reason:
            departures[reason] = departures.get(reason, 0) + 1
        kept += reason is None
    return kept, departures


GROUPS = {"required": r"[^/]+", "optional": r"optional/[^/]+", "formats": r"optional/format/[^/]+"}


@pytest.mark.parametrize("group", GROUPS)
def test_both_engines_answer_as_the_suite_does(group: str, figure: Figure) -> None:
    cases = [case for case in schema_suite.cases() if re.fullmatch(GROUPS[group], case.file)]
    kept, departures = counted(cases)
    why = ", ".join(f"{count} {reason}" for reason, count in sorted(departures.items()))
    figure(
        f"official suite, {group}, both engines",
        f"{kept} of {len(cases)}" + (f" (by design not: {why})" if why else ""),
    )
    table = dict(re.findall(r"^\| (\w+) \| ([^|]+) \|", PAGE.read_text("utf-8"), re.MULTILINE))
    assert table[group] == f"{kept:,} of {len(cases):,}"


def test_all_formats_of_our_schemas_are_in_the_suite(figure: Figure) -> None:
    used = set(re.findall(r'"format": "([^"]+)"', json.dumps(bundle()["schemas"])))
    for name in sorted(used):
        cases = [case for case in schema_suite.cases() if case.file == f"optional/format/{name}.json"]
        assert len(cases) > 20, name
        assert counted(cases) == (len(cases), {})
        figure(f"official suite, format {name}", f"{len(cases)} of {len(cases)}")

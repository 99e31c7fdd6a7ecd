"""Documents made from the schemas themselves: valid by construction is found valid, broken is told."""

from __future__ import annotations

import json
from collections import Counter
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import HealthCheck, Phase, given, settings

from evalschema import dump, load, validate
from evalschema.catalog import kinds
from evalschema.fix.tree import is_same
from evalschema.verdict import is_valid
from tests.dose import dose
from tests.fuzz.agreement import assert_agreed
from tests.fuzz.generation import broken_documents, documents

if TYPE_CHECKING:
    from tests.conftest import Figure

# Over all kinds, so that one figure tells it.
TRIED = Counter[str]()
# the same documents each time, so that a run that fails is one that can be repeated
made = settings(
    max_examples=dose(20, 1500),
    deadline=None,
    derandomize=True,
    database=None,
    suppress_health_check=(HealthCheck.too_slow, HealthCheck.data_too_large, HealthCheck.filter_too_much),
    phases=(Phase.explicit, Phase.generate, Phase.shrink),
)


@pytest.mark.parametrize("kind", kinds())
def test_what_is_valid_by_construction_is_valid(kind: Any) -> None:
    @made
    @given(documents(kind))
    def check(document: Any) -> None:
        assert is_valid(kind)(document)
        assert_agreed(json.dumps(document).encode(), kind)
        result = validate(document, kind)
        assert not [each for each in result.findings if each.code.startswith("schema.")]
        if result.ok:
            assert is_same(dump(load(document, kind)), document)

    check()


@pytest.mark.promise("hostile input")
@pytest.mark.parametrize("kind", kinds())
def test_what_was_valid_and_is_broken_is_told(kind: str, figure: Figure) -> None:
    tried: list[bool] = []

    @made
    @given(broken_documents(kind))
    def check(document: Any) -> None:
        data = json.dumps(document, ensure_ascii=False).encode()
        result = assert_agreed(data, kind)
        assert is_valid(kind)(document) or result.findings
        tried.append(not is_valid(kind)(document))

    check()
    assert sum(tried) > len(tried) // 10, "hardly anything was broken"
    TRIED["broken"] += len(tried)
    figure("documents made from the schemas and broken, told alike by all", f"{TRIED['broken']:,}")

"""How the kind of a document is told: the quick ways say what the thorough one says."""

from __future__ import annotations

import re

import pytest

from evalschema.catalog import identify, is_general, kind_of, kinds, kinds_of_path, schema
from tests.dose import dose
from tests.mutation import mutants

FOLDERS = ("", "/", "a/", "outputs/", "x/outputs/", "outputs/x/", "my-outputs/", "./outputs/", "C:\\outputs\\", "a\\")


@pytest.mark.parametrize("kind", kinds())
def test_a_kind_that_is_guessed_changes_nothing(kind: str) -> None:
    for document in mutants(kind, dose(20, 200)):
        for path in (None, "run/grading.json", "metrics.json", "notes.json"):
            told = identify(document, path).kind
            assert {kind_of(document, path, guess) for guess in (None, *kinds())} == {told}


def test_the_end_of_a_path_tells_what_the_whole_path_tells() -> None:
    patterns = {
        (kind, name == "GeneralPath"): re.compile(definition["pattern"])
        for kind in kinds()
        for name in ("Path", "GeneralPath")
        if (definition := schema(kind)["$defs"].get(name))
    }
    names = {
        pattern.pattern.rpartition("/")[2].replace("\\.", ".").rstrip("$").lstrip(")") for pattern in patterns.values()
    }
    names |= {
        "comparison-7.json",
        "comparison-.json",
        "xgrading.json",
        "grading.json.bak",
        "trigger_evals.json",
        "outputs",
    }
    assert {"grading.json", "metrics.json"} <= names
    for path in (f"{folder}{name}" for folder in FOLDERS for name in sorted(names)):
        whole = path.replace("\\", "/")
        fitting = [(kind, general) for (kind, general), pattern in patterns.items() if pattern.search(whole)]
        assert kinds_of_path(path) == tuple(kind for kind, _ in fitting), path
        assert is_general(path) == all(general for _, general in fitting), path

"""The hooks for pre-commit: one for all kinds, one for each that has a name."""

from __future__ import annotations

from json import dumps

from codegen.sources import SUFFIX, kinds, schemas

# verbose: the hook's words are shown when it passes as well, and warnings with them. require_serial: one process after
# the other sees the files, so that what is said stays together.
_HOOK = """\
- id: {id}
  name: {name}
  description: {description}
  entry: evalschema check --by-shape{kind}
  language: python
  files: |
    (?x)(
{patterns}
    )
  require_serial: true
  verbose: true
"""


def hooks() -> dict[str, str]:
    """The text of `.pre-commit-hooks.yaml`."""
    named = [(kind, patterns) for kind in kinds() if (patterns := path_patterns(kind))]
    everything = sorted({pattern for _, patterns in named for pattern in patterns})
    texts = [_hook("evalschema", "evalschema", "Result files of agent evaluations: all kinds", "", everything)]
    for kind, patterns in named:
        about = schemas()[kind + SUFFIX]["description"].partition(". ")[0].rstrip(".")
        name = f"evalschema ({kind})"
        texts.append(_hook(f"evalschema-{kind.replace('_', '-')}", name, about, f" --kind {kind}", patterns))
    head = "# Made from the names of files in schemas/ by `make gen`; do not edit.\n"
    return {".pre-commit-hooks.yaml": head + "".join(texts)}


def path_patterns(kind: str) -> list[str]:
    """The patterns of the names that files of a kind bear, the telling ones first."""
    definitions = schemas()[kind + SUFFIX]["$defs"]
    return [definitions[name]["pattern"] for name in ("Path", "GeneralPath") if name in definitions]


def _hook(hook: str, name: str, description: str, kind: str, patterns: list[str]) -> str:
    lines = "\n".join(f"      {'| ' if number else ''}{pattern}" for number, pattern in enumerate(patterns))
    return _HOOK.format(id=hook, name=name, description=dumps(description), kind=kind, patterns=lines)

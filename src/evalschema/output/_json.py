"""JSON that survives every way it may be shown: pure ASCII, nothing that a log or a web page would obey."""

from __future__ import annotations

from json import dumps
from typing import TYPE_CHECKING, Any

from evalschema.output._words import lossless

if TYPE_CHECKING:
    from evalschema.finding import Result


def written(value: Any, indent: int | None = None) -> str:
    """The value as JSON in ASCII; neither `</script>` nor a command of a CI service can stand in it."""
    text = dumps(value, indent=indent)
    # neither sign stands outside of texts
    return text.replace("<", "\\u003c").replace("##", "#\\u0023")


def entry(result: Result) -> str:
    """The entry of a document, as in `findings.schema.json`; its path is as it was given."""
    content: dict[str, Any] = result.to_dict() | {"path": lossless(result.path or "-")}
    for finding in content["findings"]:
        for place in finding.get("elsewhere", ()):
            place["path"] = lossless(place["path"])
    return written(content)

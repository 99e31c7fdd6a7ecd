"""Every code that a finding can carry, with what is said about it: those of rules, and those of the tool itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

from evalschema.finding import Severity


@dataclass(frozen=True, slots=True)
class Code:
    """A code: what it is called, what it says and why that matters. `kind` is None where it is not about one kind."""

    code: str
    name: str
    severity: Severity
    page: str
    kind: str | None = None

    @property
    def summary(self) -> str:
        """The defect in one sentence."""
        return self.page.partition("\n")[0]


def keyword_name(keyword: str) -> str:
    """The name of the finding for a failing keyword of JSON Schema."""
    return _KEYWORDS[keyword][0] if keyword in _KEYWORDS else f"broken-{keyword.lower()}"


@cache
def all_codes() -> tuple[Code, ...]:
    """All codes, sorted: what `explain`, the settings and the reference pages know."""
    from evalschema.rules._engine import all_rules

    rules = (Code(rule.code, rule.name, rule.severity, rule.page, rule.kind) for rule in all_rules())
    keywords = (Code(f"schema.{keyword}", name, "error", page) for keyword, (name, page) in _KEYWORDS.items())
    return tuple(sorted((*rules, *keywords, *_OWN), key=lambda entry: entry.code))


def find_code(name: str) -> Code | None:
    """The code that is written or called so, whatever the case of its letters."""
    folded = name.casefold()
    return next((entry for entry in all_codes() if folded in (entry.code.casefold(), entry.name)), None)


_KEYWORDS = {
    "type": ("wrong-type", """A value has another JSON type than the format documents.

The programs that read the file either stop at it or show something else than was meant. Write the value in the
type that the
message names; a suggestion is given where the text plainly stands for one (`"yes"` for `true`, `"12"` for `12`)."""),
    "required": ("missing-member", """A member that the format calls for is missing.

A member is called for when the documentation says so, or when a program that reads the file breaks, or shows a
wrong figure,
without it. Where the value stands in the file under another name or at another place, the finding is `name.alias`,
`name.misplaced` or `name.typo` instead."""),
    "enum": ("unknown-word", """A value is none of the words that the format knows at this place.

Programs group and colour by the exact word. Write one of those in the message."""),
    "const": ("wrong-constant", """A value differs from the one value that is allowed at this place.

It tells documents or their versions apart. Write the value in the message."""),
    "minimum": ("too-small", """A number is below the smallest one that makes sense at this place.

Counts and durations cannot be negative; a score begins at 1."""),
    "exclusiveMinimum": ("not-above-limit", """A number is not above the limit at this place.

Zero tokens mean that nothing was generated, or that nobody measured. Write what was measured; never an estimate."""),
    "maximum": ("too-large", """A number is above the largest one that makes sense at this place.

A rate ends at 1: divide a percentage by 100. A score ends at 100."""),
    "exclusiveMaximum": ("not-below-limit", """A number is not below the limit at this place."""),
    "multipleOf": ("no-multiple", """A number is no multiple of the step that the schema sets."""),
    "minLength": ("text-too-short", """A text is shorter than the format allows; often it is empty.

An empty prompt runs nothing, an answer of a few words is no answer. Write the text, or take the entry out."""),
    "maxLength": ("text-too-long", """A text is longer than the schema allows."""),
    "minItems": ("list-too-short", """A list has fewer items than the format needs; often it is empty.

A grading that grades nothing and a benchmark without runs hold no evidence, whatever their summary claims."""),
    "maxItems": ("list-too-long", """A list has more items than the format allows.

A solo run has one agent and a duel has two: choose the type that fits the number of agents."""),
    "uniqueItems": ("repeated-item", """A list that holds each item once holds one twice."""),
    "minProperties": ("too-few-members", """An object has fewer members than the schema needs."""),
    "maxProperties": ("too-many-members", """An object has more members than the schema allows."""),
    "pattern": ("wrong-form", """A text does not have the form that programs expect at this place."""),
    "format": ("wrong-format", """A text is not what its format says: most often no RFC 3339 time.

A time without a zone can be any of 38 instants, and a date that does not exist is none. Write date, time and
zone, as in
`2026-01-15T10:30:00Z`."""),
    "additionalProperties": ("surplus-member", """A member stands where the schema allows no other members.

The shipped kinds leave their objects open, so this comes from a schema of your own."""),
    "unevaluatedProperties": ("surplus-members", """Members stand where the schema allows no others.

The shipped kinds leave their objects open, so this comes from a schema of your own."""),
    "unevaluatedItems": ("surplus-items", """Items stand where the schema allows no others."""),
    "items": ("surplus-item", """A list has items where the schema allows none."""),
    "contains": ("missing-item", """A list lacks an item of the sort that it must hold."""),
    "minContains": ("too-few-such-items", """A list holds too few items of the sort that it must hold."""),
    "maxContains": ("too-many-such-items", """A list holds too many items of one sort."""),
    "propertyNames": ("wrong-member-name", """The name of a member does not have the form that the schema asks for."""),
    "dependentRequired": ("missing-companion", """A member is missing that another member of the object calls for."""),
    "oneOf": ("several-alternatives", """A value fits several alternatives, of which exactly one was expected.

A run has either `judge` or `judges`."""),
    "anyOf": ("no-alternative", """A value fits none of the alternatives."""),
    "not": ("excluded-value", """A value is just what the schema excludes."""),
    "false schema": ("forbidden", """A value stands where the schema allows none."""),
}  # fmt: skip

_OWN = (
    Code("name.alias", "wrong-name", "error", """A member stands under a wrong name that is known for it.

Programs read names to the letter: a benchmark whose runs say `config` instead of `configuration` is drawn
empty. The severity is
that of the missing member. The fix renames it."""),
    Code("name.misplaced", "wrong-place", "error", """A member stands at a place where no program looks for it.

`pass_rate` at the top of a run, or of a grading, is read by nothing; it belongs into the object that the
message names."""),
    Code("name.typo", "misspelt-name", "error", """A member is missing and another has nearly its name.

Letters are missing, doubled or swapped, or the name is written in another style (`passRate`). The fix renames
it."""),
    Code("name.unknown", "unknown-name", "warning", """A member that people write here, and that no program reads.

Its content has another form than the format knows, so that renaming it is not enough: the message says where
its parts belong."""),
    Code("kind.foreign", "foreign-document", "error", """A file bears the name of a kind and has none of its telltale members.

Either it is something else, then exclude it (`exclude` in the configuration, or another name); or its author
has invented a format that
no program reads."""),
    Code("kind.unknown", "unknown-kind", "error", """The kind of a document could not be told.

Name it with `--kind`, or let the document name it in `$schema`; `evalschema kinds` lists what there is."""),
    Code("limit.work", "too-much-work", "error", """Looking for what is wrong would take more work than any honest document needs.

The schema branches without end, or the document breaks it in tens of thousands of places. What was found so far
is listed."""),
    Code("input.missing", "missing-file", "error", """A file or folder that was named does not exist."""),
    Code("input.unreadable", "unreadable-file", "error", """A file could not be read: rights, a broken disk, a name too long."""),
    Code("input.not-a-file", "not-a-file", "error", """A path leads to something that is no file: a device, a pipe, a socket.

Reading one can wait for ever. Standard input is read when it is named: `-`."""),
    Code("json.bom", "byte-order-mark", "error", """The file begins with a byte order mark.

The official programs then drop a grading, read a timing as zero and lose a prompt, and say nothing. For kinds
that no program
reads this is a warning. Save the file as UTF-8 without a mark; the fix takes it off."""),
    Code("json.encoding", "not-utf-8", "error", """The bytes are not UTF-8.

JSON files are UTF-8, whatever the system they were written on."""),
    Code("json.empty", "empty-file", "error", """The file holds nothing, or white space alone."""),
    Code("json.truncated", "cut-off-file", "error", """The file ends before the document does.

A program was stopped while it wrote, or a model reached its limit of tokens."""),
    Code("json.syntax", "broken-syntax", "error", """The text is not JSON at this place."""),
    Code("json.extra", "text-after-document", "error", """Something follows the document.

One file holds one document. Several documents, one a line, are JSON Lines: name the file `.jsonl`."""),
    Code("json.markdown", "markdown-around-json", "error", """The JSON is wrapped in a Markdown fence.

Models like to answer so. Keep what stands inside the fence."""),
    Code("json.comment", "comment", "error", """The text holds a comment; JSON has none."""),
    Code("json.trailing-comma", "trailing-comma", "error", """A comma stands before a closing bracket; JSON has none there."""),
    Code("json.quotes", "wrong-quotes", "error", """A name or a text is not in double quotes."""),
    Code("json.literal", "foreign-literal", "error", """A word of another language stands for true, false or null.

`True`, `False` and `None` are Python."""),
    Code("json.not-a-number", "not-a-number", "error", """NaN or an infinity stands for a number; JSON has neither.

Some readers take them all the same, and every later mean is NaN. Leave out what was not measured."""),
    Code("json.number", "malformed-number", "error", """A number is not written as JSON writes numbers: no leading zeros, plus signs or bare points."""),
    Code("json.number-range", "number-too-large", "error", """A number is larger than programs can keep.

Many readers take 1e999 for infinity without a word, and comparisons with infinity then pass."""),
    Code("json.number-length", "number-too-long", "error", """A number has more digits than any measurement: over 1,024."""),
    Code("json.escape", "unknown-escape", "error", """A backslash is followed by something that is no escape of JSON.

Write a backslash as two."""),
    Code("json.surrogate", "half-surrogate", "error", """A text holds half of a surrogate pair, which no UTF-8 file can hold."""),
    Code("json.control-character", "raw-control-character", "error", """A raw control character, often a line break, stands in a text.

Line breaks in texts are written as a backslash and n. Shells that expand escapes while they write JSON cause
this."""),
    Code("json.repeated-key", "repeated-key", "error", """A member stands twice in one object.

Programs keep the last one and say nothing; a reader sees the first. A score that is written twice has no honest
value."""),
    Code("json.depth", "too-deep", "error", """More than 64 objects and lists lie inside one another.

Documents of these kinds need six. Deep nesting kills programs that recurse, so it is refused before any other
looks at it."""),
    Code("json.size", "too-large-file", "error", """The file is larger than the limit for one document (256 MiB)."""),
    Code("json.key", "key-without-text", "error", """A key of a Python dict is no text; JSON has no others."""),
    Code("json.type", "no-json-value", "error", """A Python value has no counterpart in JSON: a tuple, a set, a date, a Decimal."""),
    Code("finalize.type", "another-type", "error", """The run is of another type than the caller said.

Name the type that the document has, or finalize the document that was meant.""", "run"),
    Code("path.absolute", "absolute-path", "error", """The output path begins at the top of a disk.

Runs are saved below the root that the caller names, never elsewhere. Write a path that is relative to it.""", "run"),
    Code("path.traversal", "path-out-of-the-root", "error", """The output path leads upwards with `..`.

Write a path that goes down from the root only.""", "run"),
    Code("path.character", "strange-character-in-path", "error", """The output path holds a character that some system, shell or reader takes for something else.

Names are made of ASCII letters, digits and `._+=@-`, and begin with a letter, a digit or `_`.""", "run"),
    Code("path.hidden", "hidden-name-in-path", "error", """A name of the output path begins with a point.

Hidden files are where programs keep their hooks and settings. Choose a name that is seen.""", "run"),
    Code("path.reserved", "device-name-in-path", "error", """A name of the output path is that of a device on some system.

Windows opens a device for `CON`, `NUL` or `COM1`, whatever follows. Choose another name.""", "run"),
    Code("path.length", "path-too-long", "error", """The output path, or a name in it, is longer than every system can keep.

200 bytes a name and 1,024 in all are allowed. Choose a shorter path.""", "run"),
    Code("path.segments", "wrong-path-segments", "error", """The output path has an empty name, a name that is only a point, or too many names.

Write up to 16 names with one `/` between them.""", "run"),
    Code("path.suffix", "path-without-json", "error", """The output path does not end in `.json`.

Whatever collects results looks for that. Write a name that ends so.""", "run"),
    Code("path.symlink", "link-in-path", "error", """A link lies on the way to the output path, or at it.

Links are not followed: whoever can place one could lead the file anywhere. Name the folder that it leads to, or
remove it.""", "run"),
    Code("path.not-a-folder", "file-in-the-way", "error", """A file lies where the output path needs a folder.

Choose another path, or move the file.""", "run"),
    Code("path.not-a-file", "no-file-at-path", "error", """A folder, a pipe or a device lies at the output path.

Choose another path.""", "run"),
    Code("path.exists", "existing-file", "error", """Another file lies at the output path already.

A saved run is never replaced by accident: choose another path, or allow it with `--overwrite`.""", "run"),
    Code("io.no-space", "disk-full", "error", """There was no space to save the file; what lay there before is whole.

Free some space, or choose another root.""", "run"),
    Code("io.read-only", "read-only-disk", "error", """The disk can only be read.

Choose a root that can be written to.""", "run"),
    Code("io.permission", "no-permission", "error", """The user may not write here.

Let this user write to the folder, or choose another root.""", "run"),
    Code("io.no-links", "no-links-here", "error", """The file system knows no hard links, so that a file cannot be placed without replacing another.

Choose a root on another file system, or allow overwriting.""", "run"),
    Code("io.root", "missing-root", "error", """The root is no folder that can be opened.

Name a folder that exists.""", "run"),
    Code("io.error", "disk-error", "error", """The disk refused; what lay there before is whole.

Look at the disk, then save again.""", "run"),
    Code("io.durability-unknown", "durability-unknown", "error", """The file is there and whole, but the disk did not confirm that it survives a power cut.

Save it again: that makes it durable, or says why not.""", "run"),
)  # fmt: skip

"""Every code that a finding can carry, with what is said about it: those of rules, and those of the tool itself."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
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

The programs that read the file either stop at it or show something else than was meant.

To fix:

- write the value in the type that the message names
- where the text plainly stands for one (`"yes"` for `true`, `"12"` for `12`), take the suggestion"""),
    "required": ("missing-member", """A member that the format calls for is missing.

A member is called for when the documentation says so, or when a program that reads the file breaks, or shows a
wrong figure, without it. Where the value stands in the file under another name or at another place, the finding is
`name.alias`, `name.misplaced` or `name.typo` instead.

To fix:

- write the member, with what was measured or said; where that was lost, do the work again: never estimate it"""),
    "enum": ("unknown-word", """A value is none of the words that the format knows at this place.

Programs group and colour by the exact word.

To fix:

- write one of the words in the message, letter for letter"""),
    "const": ("wrong-constant", """A value differs from the one value that is allowed at this place.

It tells documents or their versions apart. Write the value in the message."""),
    "minimum": ("too-small", """A number is below the smallest one that makes sense at this place.

Counts and durations cannot be negative; a score begins at 1.

To fix:

- write the number that was measured or given, on the scale that the message names"""),
    "exclusiveMinimum": ("not-above-limit", """A number is not above the limit at this place.

Zero tokens mean that nothing was generated, or that nobody measured.

To fix:

- write what was measured; where nothing was, do the work again and measure it: never estimate"""),
    "maximum": ("too-large", """A number is above the largest one that makes sense at this place.

A rate ends at 1, a score at 100.

To fix:

- divide a percentage by 100 where a rate is asked for
- else write the number that was measured or given, on the scale that the message names"""),
    "exclusiveMaximum": ("not-below-limit", """A number is not below the limit at this place."""),
    "multipleOf": ("no-multiple", """A number is no multiple of the step that the schema sets."""),
    "minLength": ("text-too-short", """A text is shorter than the format allows; often it is empty.

An empty prompt runs nothing, an answer of a few words is no answer.

To fix:

- write the whole text; where it was cut or replaced by a summary, put the original back
- where there is no such text, take the entry out: what it stands for did not happen"""),
    "maxLength": ("text-too-long", """A text is longer than the schema allows."""),
    "minItems": ("list-too-short", """A list has fewer items than the format needs; often it is empty.

A grading that grades nothing and a benchmark without runs hold no evidence, whatever their summary claims.

To fix:

- write the items that are missing; where there are none, there is nothing to store
- in a run, choose the type that fits the number of agents: solo has one, duel two, relay two or more"""),
    "maxItems": ("list-too-long", """A list has more items than the format allows.

A solo run has one agent and a duel has two.

To fix:

- choose the type that fits the number of items, or take out those that do not belong there"""),
    "uniqueItems": ("repeated-item", """A list that holds each item once holds one twice."""),
    "minProperties": ("too-few-members", """An object has fewer members than the schema needs."""),
    "maxProperties": ("too-many-members", """An object has more members than the schema allows."""),
    "pattern": ("wrong-form", """A text does not have the form that programs expect at this place."""),
    "format": ("wrong-format", """A text is not what its format says: most often no RFC 3339 time.

A time without a zone can be any of 38 instants, and a date that does not exist is none.

To fix:

- write date, time and zone, as in `2026-01-15T10:30:00Z`
- take the time from the log of what happened; where none was kept, do the work again: never estimate it"""),
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

To fix:

- keep one of them: a run has either `judge` or `judges`"""),
    "anyOf": ("no-alternative", """A value fits none of the alternatives.

To fix:

- write it in one of the forms that the message names"""),
    "not": ("excluded-value", """A value is just what the schema excludes.

To fix:

- take the value out, or that which it excludes: a run has either `judge` or `judges`"""),
    "false schema": ("forbidden", """A value stands where the schema allows none."""),
}  # fmt: skip

_OWN = (
    Code("name.alias", "wrong-name", "error", """A member stands under a wrong name that is known for it.

Programs read names to the letter: a benchmark whose runs say `config` instead of `configuration` is drawn empty. The
severity is that of the missing member.

To fix:

- rename the member as the message says; the fix does that"""),
    Code("name.misplaced", "wrong-place", "error", """A member stands at a place where no program looks for it.

`pass_rate` at the top of a run, or of a grading, is read by nothing.

To fix:

- move the member into the object that the message names; the fix does that"""),
    Code("name.typo", "misspelt-name", "error", """A member is missing and another has nearly its name.

Letters are missing, doubled or swapped, or the name is written in another style (`passRate`).

To fix:

- rename the member as the message says; the fix does that"""),
    Code("name.unknown", "unknown-name", "warning", """A member that people write here, and that no program reads.

Its content has another form than the format knows, so that renaming it is not enough: the message says where
its parts belong."""),
    Code("kind.foreign", "foreign-document", "error", """A file bears the name of a kind and has none of its telltale members.

Either it is something else, then exclude it (`exclude` in the configuration, or another name); or its author
has invented a format that
no program reads."""),
    Code("kind.unknown", "unknown-kind", "error", """The kind of a document could not be told.

Name it with `--kind`, or let the document name it in `$schema`; `evalschema kinds` lists what there is."""),
    Code("internal", "internal-error", "error", """A rule of evalschema crashed on the document: a bug of ours, never the document's.

Nothing can be said about the document; the other files are checked all the same.

To fix:

- report it, with the code that the message names and, if you may, the document"""),
    Code("limit.work", "too-much-work", "error", """Looking for what is wrong would take more work than any honest document needs.

The schema branches without end, or the document breaks it in tens of thousands of places. What was found so far is
listed.

To fix:

- repair what is listed, in the program that writes the file, and check again"""),
    Code("input.missing", "missing-file", "error", """A file or folder that was named does not exist.

To fix:

- name one that exists: the message shows how the name was read"""),
    Code("input.unreadable", "unreadable-file", "error", """A file could not be read: rights, a broken disk, a name too long.

To fix:

- let this user read the file, or copy it to a place where that is so"""),
    Code("input.not-a-file", "not-a-file", "error", """A path leads to something that is no file: a device, a pipe, a socket.

Reading one can wait for ever.

To fix:

- name a regular file, or `-` for standard input"""),
    Code("json.bom", "byte-order-mark", "error", """The file begins with a byte order mark.

The official programs then drop a grading, read a timing as zero and lose a prompt, and say nothing. For kinds
that no program
reads this is a warning. Save the file as UTF-8 without a mark; the fix takes it off."""),
    Code("json.encoding", "not-utf-8", "error", """The bytes are not UTF-8.

JSON files are UTF-8, whatever the system they were written on.

To fix:

- save the file as UTF-8, or tell the program that writes it to"""),
    Code("json.empty", "empty-file", "error", """The file holds nothing, or white space alone.

To fix:

- write the document again: a program was stopped before it wrote, or its output went elsewhere"""),
    Code("json.truncated", "cut-off-file", "error", """The file ends before the document does.

A program was stopped while it wrote, or a model reached its limit of tokens.

To fix:

- write the document again, whole: what is missing cannot be guessed from the rest"""),
    Code("json.syntax", "broken-syntax", "error", """The text is not JSON at this place.

To fix:

- let a JSON library write the document: joining texts by hand forgets quotes, commas and escapes"""),
    Code("json.extra", "text-after-document", "error", """Something follows the document.

One file holds one document.

To fix:

- take out what follows, or write a file for each document
- several documents, one a line, are JSON Lines: name the file `.jsonl`"""),
    Code("json.markdown", "markdown-around-json", "error", """The JSON is wrapped in a Markdown fence.

Models like to answer so.

To fix:

- keep what stands inside the fence, and nothing else"""),
    Code("json.comment", "comment", "error", """The text holds a comment; JSON has none.

To fix:

- take the comment out, or keep it as the text of a member"""),
    Code("json.trailing-comma", "trailing-comma", "error", """A comma stands before a closing bracket; JSON has none there.

To fix:

- take the comma out"""),
    Code("json.quotes", "wrong-quotes", "error", """A name or a text is not in double quotes.

To fix:

- write names and texts in double quotes; `json.dumps` does that, `str()` of a dictionary does not"""),
    Code("json.literal", "foreign-literal", "error", """A word of another language stands for true, false or null.

`True`, `False` and `None` are Python.

To fix:

- write `true`, `false` or `null`; `json.dumps` does that, `str()` of a dictionary does not"""),
    Code("json.not-a-number", "not-a-number", "error", """NaN or an infinity stands for a number; JSON has neither.

Some readers take them all the same, and every later mean is NaN.

To fix:

- leave out what was not measured, and write the number that was"""),
    Code("json.number", "malformed-number", "error", """A number is not written as JSON writes numbers: no leading zeros, plus signs or bare points.

To fix:

- write the number in plain digits, as in `0.5`"""),
    Code("json.number-range", "number-too-large", "error", """A number is larger than programs can keep.

Many readers take 1e999 for infinity without a word, and comparisons with infinity then pass.

To fix:

- write the number that was measured"""),
    Code("json.number-length", "number-too-long", "error", """A number has more digits than any measurement: over 1,024.

To fix:

- write the number that was measured, with as many digits as were"""),
    Code("json.escape", "unknown-escape", "error", """A backslash is followed by something that is no escape of JSON.

To fix:

- write a backslash as two"""),
    Code("json.surrogate", "half-surrogate", "error", """A text holds half of a surrogate pair, which no UTF-8 file can hold.

To fix:

- write the whole character, or take the half out: a text was cut in its middle"""),
    Code("json.control-character", "raw-control-character", "error", """A raw control character, often a line break, stands in a text.

Shells that expand escapes while they write JSON cause this.

To fix:

- write a line break in a text as a backslash and n
- let a JSON library write the file, and no `echo`"""),
    Code("json.repeated-key", "repeated-key", "error", """A member stands twice in one object.

Programs keep the last one and say nothing; a reader sees the first. A score that is written twice has no honest
value.

To fix:

- find out which of them is true, and take the other out"""),
    Code("json.depth", "too-deep", "error", """More than 64 objects and lists lie inside one another.

Documents of these kinds need six. Deep nesting kills programs that recurse, so it is refused before any other looks
at it.

To fix:

- look at the program that writes the file: a document that holds itself nests like this"""),
    Code("json.size", "too-large-file", "error", """The file is larger than the limit for one document: 256 MiB, or 16 MiB where a run is to be saved.

To fix:

- split the file where it holds several documents
- keep what is not part of the document, such as logs and images, in files of their own"""),
    Code("json.key", "key-without-text", "error", """A key of a Python dict is no text; JSON has no others.

To fix:

- make texts of the keys, as in `{"1": …}`"""),
    Code("json.type", "no-json-value", "error", """A Python value has no counterpart in JSON: a tuple, a set, a date, a Decimal.

To fix:

- turn it into what JSON has: a list, a text, a number"""),
    Code("finalize.type", "another-type", "error", """The run is of another type than the caller said.

To fix:

- name the type that the document has, or finalize the document that was meant""", "run"),
    Code("path.absolute", "absolute-path", "error", """The output path begins at the top of a disk.

Runs are saved below the root that the caller names, never elsewhere.

To fix:

- write a path that is relative to the root, such as `results/run-1.json`
- choose another root with `--root`""", "run"),
    Code("path.traversal", "path-out-of-the-root", "error", """The output path leads upwards with `..`.

To fix:

- write a path that goes down from the root only
- choose a higher root with `--root`""", "run"),
    Code("path.character", "strange-character-in-path", "error", """The output path holds a character that some system, shell or reader takes for something else.

To fix:

- make names of ASCII letters, digits and `._+=@-`, with a letter, a digit or `_` first""", "run"),
    Code("path.hidden", "hidden-name-in-path", "error", """A name of the output path begins with a point.

Hidden files are where programs keep their hooks and settings.

To fix:

- choose a name that is seen""", "run"),
    Code("path.reserved", "device-name-in-path", "error", """A name of the output path is that of a device on some system.

Windows opens a device for `CON`, `NUL` or `COM1`, whatever follows.

To fix:

- choose another name""", "run"),
    Code("path.length", "path-too-long", "error", """The output path, or a name in it, is longer than every system can keep.

To fix:

- choose a shorter path: up to 200 bytes a name and 1,024 in all""", "run"),
    Code("path.segments", "wrong-path-segments", "error", """The output path has an empty name, a name that is only a point, or too many names.

To fix:

- write up to 16 names with one `/` between them""", "run"),
    Code("path.suffix", "path-without-json", "error", """The output path does not end in `.json`.

Whatever collects results looks for that.

To fix:

- write a name that ends in `.json`""", "run"),
    Code("path.receipt", "name-of-a-receipt", "error", """The output path ends in `.receipt.json`, which is how receipts are called.

A run at the place of a receipt would pass for one.

To fix:

- choose a name with another ending""", "run"),
    Code("path.symlink", "link-in-path", "error", """A link lies on the way to the output path, or at it.

Links are not followed: whoever can place one could lead the file anywhere.

To fix:

- name the folder that the link leads to, or remove the link
- where the whole root lies elsewhere, name that with `--root`""", "run"),
    Code("path.not-a-folder", "file-in-the-way", "error", """A file lies where the output path needs a folder.

To fix:

- choose another path, or move the file""", "run"),
    Code("path.not-a-file", "no-file-at-path", "error", """A folder, a pipe or a device lies at the output path.

To fix:

- choose another path""", "run"),
    Code("path.exists", "existing-file", "error", """Another file lies at the output path already.

A saved run is never replaced by accident.

To fix:

- choose another path
- where the old run may go, allow it with `--overwrite`""", "run"),
    Code("io.no-space", "disk-full", "error", """There was no space to save the file; what lay there before is whole.

To fix:

- free some space, or choose another root""", "run"),
    Code("io.read-only", "read-only-disk", "error", """The disk can only be read.

To fix:

- choose a root that can be written to""", "run"),
    Code("io.permission", "no-permission", "error", """The user may not write here.

To fix:

- let this user write to the folder, or choose another root""", "run"),
    Code("io.no-links", "no-links-here", "error", """The file system knows no hard links, so that a file cannot be placed without replacing another.

To fix:

- choose a root on another file system, or allow overwriting""", "run"),
    Code("io.root", "missing-root", "error", """The root is no folder that can be opened.

To fix:

- name a folder that exists""", "run"),
    Code("io.error", "disk-error", "error", """The disk refused; what lay there before is whole.

To fix:

- look at the disk, then save again""", "run"),
    Code("io.durability-unknown", "durability-unknown", "error", """The file is there and whole, but the disk did not confirm that it survives a power cut.

To fix:

- save it again: that makes it durable, or says why not""", "run"),
)  # fmt: skip

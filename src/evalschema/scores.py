"""Which total does a judge's text state?

A text states a total in two ways: as JSON (the top-level `weighted_total` of an object that begins the text, a fenced
block or a line) and in score lines (`WEIGHTED_TOTAL: 85/100`, a table row with that label, `RATING: 85`). Quoted and fenced
ones count like all others, because whoever can quote can forge: the answer is a number only where all statements
agree, never the first or the last of several. What stands in an HTML comment states nothing.

Every text is read in time proportional to its length. The patterns below keep to three rules: each repetition that
could overlap with what follows it is possessive (`*+`: it gives nothing back, so there is nothing to try again), no
repetition holds another one over the same characters, and what was consumed by a failed attempt is not searched again
from within. Loops over matches never look back over more than the piece between two matches.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from typing import Any, TypeAlias

from evalschema.excerpt import excerpt

LOWEST, HIGHEST = Decimal(1), Decimal(100)


@dataclass(frozen=True, slots=True)
class Stated:
    """The text states one total. `value` is exact, within 1 to 100; `lines` (1-based, the first few) are where."""

    value: Decimal
    lines: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class NotStated:
    """The text states no total that can be read. `lines` (1-based, the first few) look like a score and are none."""

    lines: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The text states several totals, or one of which it cannot be told whose it is.

    `values` are the different totals (the first few), `lines` (1-based) one line for each of them.
    """

    values: tuple[Decimal, ...]
    lines: tuple[int, ...]
    why: str


Reading: TypeAlias = Stated | NotStated | Ambiguous


def stated_score(
    text: str, spec: str | None = None, *, extra_labels: bool = False, others: Iterable[str] = ()
) -> Reading:
    """The total (1 to 100) that a judge's text states, exactly as it is written; never raises.

    `spec` asks for the total of one contestant of several: JSON is then read at `contestants[spec].weighted_total`, and a
    score line or an object belongs to the contestant whom the line, its table row or a heading above it names. `others`
    are the remaining contestants; when they are known, a statement that names none of them all is ambiguous. `extra_labels`
    also reads lines that begin with `Final Score` or `TOTAL`, and the members `total` and `total_score`.
    """
    raw = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    visible, hidden_from = _without_comments(raw)
    names = () if spec is None else tuple({spec: None} | dict.fromkeys(others))
    keys = _EXTRA_KEYS if extra_labels else _KEYS
    verdict = _Verdict(raw, hidden_from, spec, names)
    try:
        for statement in _in_objects(raw, visible, keys, names):
            verdict.hear(*statement)
            if verdict.decided:
                break
    except RecursionError:
        # what lies behind cannot be known to agree, so nothing that was read may count
        return NotStated((), "a JSON block is nested too deeply to be read")
    if not verdict.decided:
        for statement in _in_lines(visible, extra_labels, names):
            verdict.hear(*statement)
            if verdict.decided:
                break
    return verdict.pronounce()


# What one place says: its offset, the values (none when it cannot be read), the text of it, and whether it is JSON that
# already names its contestant (the name), or JSON that does not ("").
_Statement: TypeAlias = tuple[int, tuple[Decimal, ...], str, str | None]

_FEW = 10
# how many different pieces are remembered, so that one that is repeated is read once
_CACHE = 1000


class _Verdict:
    """Gathers statements in the order of the text for each way of reading, and tells what they come to."""

    def __init__(self, text: str, hidden_from: int, spec: str | None, names: Sequence[str]) -> None:
        self.text = text
        self.hidden_from = hidden_from
        self.spec = spec
        self.rivals_known = len(names) > 1
        self.owners = _Owners(text, names) if names else None
        # offsets of the first places that state a value, by whose it is: one's own, nobody's, somebody else's
        self.own: dict[Decimal, list[int]] = {}
        self.unclaimed: dict[Decimal, list[int]] = {}
        self.foreign: dict[Decimal, list[int]] = {}
        self.hidden: dict[Decimal, list[int]] = {}
        self.unreadable: list[tuple[int, str]] = []

    @property
    def decided(self) -> bool:
        """Whether enough different totals were found: more of them cannot change the answer."""
        return len(self.own) >= _FEW

    def hear(self, offset: int, values: tuple[Decimal, ...], words: str, owner: str | None) -> None:
        if not values:
            if len(self.unreadable) < _FEW:
                self.unreadable.append((offset, words))
            return
        bucket = self.own
        if self.owners is not None:
            whose = owner or self.owners.of(offset, by_line=owner is None)
            if whose is None:
                bucket = self.unclaimed
            elif whose != self.spec:
                bucket = self.foreign
        if offset >= self.hidden_from and bucket is not self.foreign:
            bucket = self.hidden
        for value in values:
            places = bucket.setdefault(value, [])
            if len(places) < _FEW:
                places.append(offset)

    def pronounce(self) -> Reading:
        own = self.own
        if self.owners is not None and self.unclaimed:
            if self.rivals_known and len(self.unclaimed) == 1 and not own:
                value, places = next(iter(self.unclaimed.items()))
                line = self._line(places[0])
                return Ambiguous((value,), (line,), f"line {line} states {value}, but does not say for which contestant")
            if self.rivals_known or not own:
                own = _merged(own, self.unclaimed)
            # without knowing the others, a total under somebody's heading is taken for theirs
            elif min(min(places) for places in self.unclaimed.values()) < self.owners.first_heading:
                own = _merged(own, self.unclaimed)
        if own and self.hidden:
            own = _merged(own, self.hidden)
        if len(own) > 1:
            return self._ambiguous(own)
        if own:
            value, places = next(iter(own.items()))
            lines = tuple(sorted({self._line(place) for place in places}))
            return Stated(value, lines, f"line {lines[0]} states {value}")
        return self._not_stated()

    def _ambiguous(self, own: dict[Decimal, list[int]]) -> Ambiguous:
        firsts = sorted(((places[0], value) for value, places in own.items()))[:_FEW]
        said = [(self._line(place), value) for place, value in firsts]
        why = ", ".join(f"line {line} states {value}" for line, value in said[:4]) + (", …" if len(said) > 4 else "")
        return Ambiguous(tuple(value for _, value in said), tuple(line for line, _ in said), why)

    def _not_stated(self) -> NotStated:
        if self.hidden:
            line = self._line(next(iter(self.hidden.values()))[0])
            start = self._line(self.hidden_from)
            return NotStated((line,), f"line {line} stands in a comment that begins in line {start} and never ends")
        if self.unreadable:
            said = [(self._line(place), words) for place, words in sorted(self.unreadable)]
            why = "; ".join(f"line {line}: {words}" for line, words in said[:3])
            return NotStated(tuple(line for line, _ in said), why)
        return NotStated((), "no line begins with WEIGHTED_TOTAL or RATING:, and no JSON object has weighted_total")

    def _line(self, offset: int) -> int:
        return self.text.count("\n", 0, offset) + 1


def _merged(*parts: dict[Decimal, list[int]]) -> dict[Decimal, list[int]]:
    whole: dict[Decimal, list[int]] = {}
    for part in parts:
        for value, places in part.items():
            whole[value] = sorted([*whole.get(value, []), *places])
    return whole


# --- comments -----------------------------------------------------------------------------------------------------------

_FENCE = r"(?P<fence>(?P<c>[`~])(?P=c){2,}+)(?:(?<=`)[^`\n]*+|(?<=~)[^\n]*+)$"
_FENCE_END = r"[ \t]*+(?P=fence)(?P=c)*+[ \t]*+$"
_BODY = r"(?:[^-]++|-(?!->))*+"
# A comment in a paragraph ends with it, as in Markdown: at a blank line, and where a fence, a heading, a quote, a list, a
# table or a comment of its own begins. Without that, one quoted "<!--" and a later arrow "-->" could hide a verdict.
_NEW_BLOCK = r"[ \t]*+(?:$|```|~~~|<!--|[#>|]|[-*+][ \t]|[0-9]{1,9}[.)][ \t])"
_COMMENTS = re.compile(
    rf"^[ \t]*+{_FENCE}(?:\n(?!{_FENCE_END})[^\n]*+)*+(?:\n{_FENCE_END})?"
    rf"|^[ ]{{0,3}}<!--(?P<block>-?>|{_BODY}(?:-->)?)"
    rf"|(?P<run>(?:<!--(?:-?>|(?:[^-\n]++|-(?!->))*+-->))++)"
    rf"|<!--(?:-?>|(?:[^-\n]++|-(?!->)|\n(?!{_NEW_BLOCK}))*+(?:-->)?)",
    re.MULTILINE,
)
# Each of the three takes all that it looks at whether it finds an end or not, so nothing is looked at twice.
_COMMENT_IN_FENCE = re.compile(rf"<!--(?:-?>|{_BODY}(?:-->)?)")


def _without_comments(text: str) -> tuple[str, int]:
    """The text, of the same length, with comments blanked; and the offset of a comment that never ends."""
    if "<!--" not in text:
        return text, len(text)
    hidden_from = len(text)
    pieces: list[str] = []
    done = 0
    for match in _COMMENTS.finditer(text):
        start, end = match.span()
        what = match.lastgroup
        if what == "fence":
            if text.find("<!--", start, end) < 0:
                continue
            piece = _COMMENT_IN_FENCE.sub(_blanked, match[0])
        elif text.endswith("-->", start, end):
            piece = _blank(match[0])
        else:
            if what == "block":
                hidden_from = start
            continue
        pieces += (text[done:start], piece)
        done = end
    return "".join([*pieces, text[done:]]), hidden_from


def _blanked(match: re.Match[str]) -> str:
    return _blank(match[0]) if match[0].endswith("-->") else match[0]


def _blank(piece: str) -> str:
    if "\n" not in piece:
        return " " * len(piece)
    return "\n".join([" " * len(line) for line in piece.split("\n")])


# --- score lines --------------------------------------------------------------------------------------------------------

_GAP = r"[*_` \t]*+"
_NUMBER = r"[0-9]++(?:\.[0-9]++)?+"
_OUT_OF = r"(?:/|out[ \t]++of(?![A-Za-z]))"
_ARITHMETIC = r"[0-9.+\-−–*×xX·⋅/÷()\[\]%\\ \t]"
_OPERATORS = frozenset("+-−–*×xX·⋅/÷")
_READABLE_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.[0-9]{1,100})?\Z")
_HUNDRED = re.compile(r"100(?:\.0{1,100})?\Z")
# A bracket behind the number ends the statement, but not one that names another scale.
_OTHER_SCALE = re.compile(rf"[(\[{{][ \t]*+(?:{_OUT_OF}|of(?![A-Za-z]))[ \t]*+(?!100(?:\.0*+)?+(?![0-9.]))[0-9]")
_CELL_NUMBER = re.compile(rf"\|{_GAP}({_NUMBER}){_GAP}(?:{_OUT_OF}{_GAP}({_NUMBER}){_GAP})?(?=\||\Z)")


_LONGEST_MARKS = 1000


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The patterns of a score line: its label, the marks that may precede it, and what may follow it."""

    label: re.Pattern[str]
    marks: re.Pattern[str]
    rest: re.Pattern[str]


@lru_cache(maxsize=64)
def _grammar(extra_labels: bool, names: tuple[str, ...]) -> _Grammar:
    labels = [r"WEIGHTED_TOTAL(?=_*+(?!\w))", r"RATING(?=[*_`]*+[:：])"]
    if extra_labels:
        labels += [r"Final[ ]Score(?=_*+(?!\w))", r"TOTAL(?=_*+(?!\w))"]
    marks = r"[ \t>#*_`+-]++|[0-9]{1,9}[.)](?=[ \t])"
    whose = ""
    if names:
        name = _any_of(names)
        marks += rf"|{name}{_GAP}[:–—-]?+"
        whose = rf"(?:(?:[-–—,(\[]|for(?=[ \t])|of(?=[ \t]))?+{_GAP}{name}{_GAP}[)\]]?+{_GAP})?+"
    rest = re.compile(
        rf"{_GAP}{whose}(?:\([ \t]*+out[ \t]++of[ \t]++100[ \t]*+\){_GAP})?+"
        rf"(?P<sign>[:=：]?+){_GAP}(?P<bars>(?:\|{_GAP})*+)"
        rf"(?P<formula>(?:{_ARITHMETIC}*+=)*+){_GAP}"
        rf"(?P<number>{_NUMBER}){_GAP}(?:{_OUT_OF}{_GAP}(?P<scale>{_NUMBER}){_GAP})?"
        rf"(?:\.{_GAP})?+(?=\Z|\||(?P<bracket>[(\[{{]))"
    )
    return _Grammar(re.compile("|".join(labels)), re.compile(rf"(?:{marks})*+"), rest)


def _labels(text: str, grammar: _Grammar) -> Iterator[tuple[int, int, bool]]:
    """Where labels begin a line or a cell: the offset of the line or cell, of what follows, whether `_` precedes."""
    done = 0
    for match in grammar.label.finditer(text):
        start, end = match.span()
        # Marks are looked for up to the label before, and not beyond any sensible length: no piece is gone over twice.
        floor = max(done, start - _LONGEST_MARKS)
        begin = max(text.rfind("\n", floor, start), text.rfind("|", floor, start)) + 1
        done = end
        if begin == 0 and floor > 0 or text[begin - 2 : begin] == "\\|":
            continue
        if grammar.marks.fullmatch(text, begin, start):
            yield begin, end, start > begin and text[start - 1] == "_"


def _in_lines(text: str, extra_labels: bool, names: tuple[str, ...]) -> Iterator[_Statement]:
    grammar = _grammar(extra_labels, names)
    known: dict[str, tuple[tuple[Decimal, ...], str]] = {}
    repeated: dict[str, int] = {}
    found = _labels(text, grammar)
    here = next(found, None)
    while here is not None:
        _, start, underscored = here
        here = next(found, None)
        # the piece between this label and the next, or the end of the line: each character belongs to one piece
        stop = len(text) if here is None else here[0]
        end = text.find("\n", start, stop)
        piece = text[start : stop if end < 0 else end]
        if underscored and "_" not in piece:
            # emphasis only when another underscore closes it
            yield start, (), "the label is part of another word", None
        elif piece not in known:
            answer = _read(grammar.rest, piece)
            if len(known) < _CACHE:
                known[piece] = answer
            yield start, *answer, None
        elif names or repeated.get(piece, 0) < _FEW:
            repeated[piece] = repeated.get(piece, 0) + 1
            yield start, *known[piece], None


def _read(rest: re.Pattern[str], piece: str) -> tuple[tuple[Decimal, ...], str]:
    """The values that follow a label, and the words for the message when there are none."""
    match = rest.match(piece)
    if match is None or not (match["sign"] or match["bars"]):
        said = piece.strip(" \t*_`:=：|")
        return (), f'"{excerpt(said)}" cannot be read as a score' if said else "no number follows the label"
    formula, number, scale = match["formula"], match["number"], match["scale"]
    if formula and (_OPERATORS.isdisjoint(formula) or not any("0" <= c <= "9" for c in formula)):
        return (), f'"{excerpt(piece.strip())}" cannot be read as a score'
    if (scale and not _HUNDRED.match(scale)) or (match["bracket"] and _OTHER_SCALE.match(piece, match.end())):
        return (), f'"{excerpt(piece.strip())}" is not out of 100'
    value = _value(number)
    if value is None:
        return (), f'"{excerpt(number)}" is no number from 1 to 100'
    if not match["bars"]:
        return (value,), ""
    # Further cells of the row that hold nothing but a score are statements as well: a column of weights, or one for
    # each contestant, must not be taken for the total because it comes first.
    values = {value: None}
    for other, other_scale in dict.fromkeys(_CELL_NUMBER.findall(piece, match.end())):
        further = _value(other)
        if further is not None and (not other_scale or _HUNDRED.match(other_scale)):
            values[further] = None
    return tuple(values), ""


def _value(number: str) -> Decimal | None:
    if not _READABLE_NUMBER.match(number):
        return None
    value = Decimal(number)
    return value if LOWEST <= value <= HIGHEST else None


# --- JSON ---------------------------------------------------------------------------------------------------------------

_KEYS = ("weighted_total",)
_EXTRA_KEYS = ("weighted_total", "total", "total_score")
# Where a block may begin: the text, a line, the inside of a fence. Then follows the longest run of JSON tokens that may
# stand side by side; whether the brackets match is left to the parser, which sees each run once.
def _tokens(text_token: str) -> str:
    space = r"[ \t\n]*+"
    value_next, end_next = r"(?=[\"{\[\-0-9tfnNI])", r"(?=[,}\]])"
    return (
        rf"(?:\{{{space}(?=[\"}}])|\[{space}(?=[\"{{\[\]\-0-9tfnNI])|[:,]{space}{value_next}"
        rf"|{text_token}{space}(?=[:,}}\]])|-?+[0-9][0-9.eE+-]*+{space}{end_next}"
        rf"|(?:true|false|null|NaN|-?+Infinity){space}{end_next}|[}}\]]{space}{end_next})*+[}}\]]?+"
    )


_ANY_TEXT = r"\"(?:[^\"\\\x00-\x1f]++|\\.)*+\""
# a member's name may be written with escapes, so a text with one might be any name
_SOUGHT = r"(?:weighted_total|total|total_score|contestants)\""
_OTHER_TEXT = rf"\"(?!{_SOUGHT})(?:[^\"\\\x00-\x1f]++|\\(?!u00).)*+\""
_BLOCK = re.compile(
    rf"(?:\A[ \t\n]*+|^[ \t]*+(?:```|~~~)[^\n]*+\n[ \t\n]*+)(?P<first>(?=\{{){_tokens(_ANY_TEXT)})"
    # runs without such a name are passed over, as many as there are, before Python sees the next one
    rf"|(?:^(?=\{{){_tokens(_OTHER_TEXT)}(?!{_ANY_TEXT}[ \t\n]*+[:,}}\]])[^\n]*+(?:\n|\Z))++"
    rf"|^(?P<block>(?=\{{){_tokens(_ANY_TEXT)})",
    re.MULTILINE,
)
_NEXT_OBJECT = re.compile(r"^\{", re.MULTILINE)


def _in_objects(raw: str, visible: str, keys: tuple[str, ...], names: tuple[str, ...]) -> Iterator[_Statement]:
    sought = (*(f'"{key}"' for key in keys), "\\u00")
    if not any(mark in raw for mark in sought):
        return
    known: dict[str, list[_Statement]] = {}
    repeated: dict[str, int] = {}
    for match in _BLOCK.finditer(raw):
        what = match.lastgroup
        if what is None:
            continue
        start = match.start(what)
        block = match[what]
        if not names and repeated.get(block, 0) > _FEW or not any(mark in block for mark in sought):
            continue
        if visible[start] != "{" or _inside_another(raw, start):
            continue
        answer = known.get(block)
        if answer is None:
            answer = _in_block(block, keys, names)
            if len(known) < _CACHE:
                known[block] = answer
                repeated[block] = 0
        else:
            repeated[block] += 1
        for offset, values, words, owner in answer:
            yield start + offset, values, words, owner


def _inside_another(text: str, start: int) -> bool:
    """Whether what precedes an object shows that it is an item or a member of something (that could not be parsed)."""
    before = text[max(0, start - 200) : start].rstrip()
    if before.endswith(":"):
        return before[:-1].rstrip().endswith(('"', "'"))
    if before.endswith(","):
        return before[:-1].rstrip().endswith(("}", "]", '"', "'"))
    return before.endswith("[")


def _in_block(block: str, keys: tuple[str, ...], names: tuple[str, ...]) -> list[_Statement]:
    """What the objects that begin lines of a block state; offsets count from its start."""
    statements: list[_Statement] = []
    start = 0
    while True:
        try:
            members, end = _DECODER.raw_decode(block, start)
        except (ValueError, ArithmeticError):
            statements.append((start, (), "the JSON that begins here cannot be parsed", ""))
            return statements
        # an object is a tuple of its members here (a list is a list), so that a name given twice shows twice
        for name, value in members:
            if name in keys:
                statements.append((start, *_member(name, value), ""))
            elif names and name == "contestants" and isinstance(value, tuple):
                statements += [(start, *_member(inner, total), whose) for whose, inner, total in _totals(value, keys, names)]
        # "{…},\n{…}" are two objects that begin lines
        following = _NEXT_OBJECT.search(block, end)
        if following is None:
            return statements
        start = following.start()


def _totals(contestants: Any, keys: tuple[str, ...], names: tuple[str, ...]) -> Iterator[tuple[str, str, Any]]:
    for whose, entry in contestants:
        if whose in names and isinstance(entry, tuple):
            yield from ((whose, inner, total) for inner, total in entry if inner in keys)


def _member(name: str, value: Any) -> tuple[tuple[Decimal, ...], str]:
    if isinstance(value, int | Decimal) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST:
        return (Decimal(value),), ""
    return (), f"{name} is no number from 1 to 100"


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_LONGEST = 110


def _decimal(digits: str) -> Decimal | None:
    return Decimal(digits) if len(digits) <= _LONGEST else None


_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_float=_decimal, parse_constant=_no_constant)


# --- contestants --------------------------------------------------------------------------------------------------------

# A heading is one of Markdown's with #, or a line that is bold from end to end and no score line.
_HEADING = re.compile(
    r"^[ \t>]*+(?:(?P<marks>\#{1,6})[ \t]++[^\n]*+"
    r"|\*\*(?!(?:WEIGHTED_TOTAL|RATING|TOTAL|Final[ ]Score)\b)[^*\n]++\*\*:?+[ \t]*+$)",
    re.MULTILINE,
)
_BOLD_LEVEL = 7
_SEVERAL = ""


def _any_of(names: Iterable[str]) -> str:
    # the longest first: "a:b c" is not a mention of "a:b"
    longest = sorted(names, key=len, reverse=True)
    return rf"(?<![\w:-])(?:{'|'.join(re.escape(name) for name in longest)})(?![\w-]|:\w)"


class _Mentions:
    """The contestants that pieces of a text name; the pieces must be asked for in rising order."""

    def __init__(self, mention: re.Pattern[str], text: str) -> None:
        self._all = mention.finditer(text)
        self._next = next(self._all, None)

    def single(self, start: int, end: int) -> str | None:
        """The one contestant named between two offsets; None when there is none, `_SEVERAL` when there are more."""
        named: str | None = None
        while self._next is not None and self._next.start() < end:
            if self._next.start() >= start:
                name = self._next[0]
                named = name if named in (None, name) else _SEVERAL
            self._next = next(self._all, None)
        return named


class _Owners:
    """Tells whose a place in the text is. Places are asked for in rising order; a lower one starts anew from the top."""

    def __init__(self, text: str, names: Sequence[str]) -> None:
        self._text = text
        self._mention = re.compile(_any_of(names))
        self._start()

    def _start(self) -> None:
        self._in_lines = _Mentions(self._mention, self._text)
        self._in_headings = _Mentions(self._mention, self._text)
        self._headings = _HEADING.finditer(self._text)
        self._heading = next(self._headings, None)
        self._above: list[tuple[int, str | None]] = []
        self._last = -1
        self._line_end = -1
        self._named: str | None = None

    def of(self, offset: int, *, by_line: bool) -> str | None:
        """The contestant named in the line of `offset` (when `by_line`), else in the headings over it; None for nobody."""
        if offset < self._last:
            self._start()
        self._last = offset
        if by_line:
            if offset > self._line_end:
                start = self._text.rfind("\n", 0, offset) + 1
                end = self._text.find("\n", offset)
                self._line_end = len(self._text) if end < 0 else end
                self._named = self._in_lines.single(start, self._line_end)
            if self._named is not None:
                return self._named or None
        while self._heading is not None and self._heading.end() < offset:
            self._enter(self._heading)
            self._heading = next(self._headings, None)
        for _, owner in reversed(self._above):
            if owner is not None:
                return owner or None
        return None

    @property
    def first_heading(self) -> int:
        """The offset of the first heading; the length of the text when there is none."""
        match = _HEADING.search(self._text)
        return len(self._text) if match is None else match.start()

    def _enter(self, heading: re.Match[str]) -> None:
        marks = heading["marks"]
        level = len(marks) if marks else _BOLD_LEVEL
        while self._above and self._above[-1][0] >= level:
            self._above.pop()
        self._above.append((level, self._in_headings.single(*heading.span())))

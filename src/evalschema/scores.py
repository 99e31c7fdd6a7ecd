"""The total that a judge's text states.

A text states a total in two ways: as JSON (the top-level `weighted_total` of an object that begins the text, a fenced
block or a line) and in score lines (`WEIGHTED_TOTAL: 85/100`, a table row with that label, `RATING: 85`). Quoted and
fenced ones count like all others, because whoever can quote can forge: the answer is a number only where all statements
agree, never the first or the last of several. What stands in an HTML comment states nothing. What is no statement, but
would be read as one (see `evalschema.remarks`), can only contradict.

Every text is read in time proportional to its length. The patterns below keep three rules: a repetition that could
overlap with what follows it is possessive (`*+`: it gives nothing back, so there is nothing to try again); no
repetition holds another one that could take the same characters; and what a failed attempt consumed is passed over, not
searched again from within. The loops over matches look back no further than to the match before.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left
from collections import Counter
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import cached_property, lru_cache
from heapq import merge
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from evalschema.excerpt import excerpt
from evalschema.remarks import (
    CANNOT_BE_TOLD,
    Below,
    Remark,
    Said,
    TooMuchError,
    reads_like_total,
    remarks,
    said_behind,
    said_by,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LOWEST, HIGHEST = Decimal(1), Decimal(100)


@dataclass(frozen=True, slots=True)
class Stated:
    """The text states one total. `value` is exact, from 1 to 100; `lines` (1-based, the first few) are where.

    `quoted` tells that all of them are quoted with `>`: they may be the words of somebody else.
    """

    value: Decimal
    lines: tuple[int, ...]
    why: str
    quoted: bool = False


@dataclass(frozen=True, slots=True)
class NotStated:
    """The text states no total that can be read. `lines` (1-based, the first few) look like a score and are none."""

    lines: tuple[int, ...]
    why: str


@dataclass(frozen=True, slots=True)
class Ambiguous:
    """The text states several totals, or one of which it does not say whose it is.

    `values` are the different totals (the first few); `lines` (1-based) has one line for each of them.
    """

    values: tuple[Decimal, ...]
    lines: tuple[int, ...]
    why: str


Reading: TypeAlias = Stated | NotStated | Ambiguous


def stated_score(
    text: str, spec: str | None = None, *, extra_labels: bool = False, others: Iterable[str] = ()
) -> Reading:
    """The total (1 to 100) that a judge's text states, exactly as it is written; never raises.

    `spec` asks for the total of one contestant of several: JSON is then read at `contestants[spec].weighted_total`, and
    a score line or an object belongs to the contestant whom the line, its table row or a heading over it names.
    `others` are the remaining contestants: when they are given, a statement that names none of them all is ambiguous.
    `extra_labels` also reads lines that begin with `Final Score` or `TOTAL`, and the members `total` and `total_score`.
    """
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    names = frozenset() if spec is None else frozenset((spec, *others))
    try:
        return _Hearing(_heard(text, names, extra_labels), spec).verdict()
    except TooMuchError as excess:
        return NotStated((), f"the text holds {excess}, which no verdict needs")
    except RecursionError:
        # What stands in there cannot be known to agree, so nothing that was read may count.
        return NotStated((), "a JSON block is nested too deeply to be read")


@dataclass(slots=True)
class _Statement:
    """What one place says: its offset, the values (none when it cannot be read), and then why it cannot be read.

    `said` is what people read where there is no value, None for nothing. `whose` is the contestant under whose name it
    stands in JSON. A line, unlike an object, can name a contestant.
    """

    offset: int
    values: tuple[Decimal, ...]
    words: str = ""
    said: Said | None = None
    whose: str | None = None
    line: bool = False


_NO_NUMBER = "no number follows the label"
# How many lines, and how many different totals, are told.
_FEW = 10
# How many different pieces of a text are remembered, so that a piece that is repeated is read once.
_MEMORY = 1000

# A verdict is written for people. Whatever holds more than this was made to be slow to read, and is not read.
_MOST = 10_000
_MOST_MARKS = 100_000
_MOST_REMARKS = 2_000
_MOST_NAMES = 200
_LONGEST_BLOCK = 1_000_000


_FENCE_LINE = re.compile(r"^[ \t>]*+(?:```|~~~)", re.MULTILINE)

_FIRM = 2

_Places: TypeAlias = "dict[Decimal, list[int]]"


class _Heard:
    """All that a text states and remarks, with whose it is: one reading serves for every contestant."""

    def __init__(self, text: str, names: tuple[str, ...], *, extra_labels: bool) -> None:
        if len(names) > _MOST_NAMES:
            raise TooMuchError(f"a verdict on more than {_MOST_NAMES:,} contestants")
        self.text = text
        self.names = names
        self.visible, self.hidden_from = _without_comments(text)
        self._owners = _Owners(text, names) if names else None
        self._objects = _Objects(text, self.visible, _EXTRA_KEYS if extra_labels else _KEYS, names)
        self._lines = _Lines(self.visible, names, extra_labels=extra_labels)
        # each with its owner, and whether it may be about somebody unknown
        self.statements: list[tuple[_Statement, str | None, bool]] = []
        for statement in chain(self._objects.statements(), self._lines.statements()):
            if len(self.statements) >= _MOST:
                raise TooMuchError(f"more than {_MOST:,} statements of a total")
            whose = statement.whose
            if self._owners is None or (not statement.values and statement.said is None):
                self.statements.append((statement, whose, False))
                continue
            named = self._owners.of(statement.offset, by_line=statement.line)
            about = len(names) == 1 and self._owners.about_something(by_line=statement.line)
            self.statements.append((statement, whose or named, about))

    @cached_property
    def remarks(self) -> list[tuple[Remark, str | None]]:
        """The remarks, in the order of the text, each with its owner."""
        said = remarks(
            self.visible, known=self._lines.known, stating=self._objects.stating, members=self._objects.members
        )
        every: list[Remark] = []
        for remark in said:
            every.append(remark)
            if len(every) > _MOST_REMARKS:
                raise TooMuchError(f"more than {_MOST_REMARKS:,} remarks about a total")
        every.sort(key=lambda remark: remark.offset)
        owners = self._owners
        return [(each, None if owners is None else owners.of(each.offset, by_line=True)) for each in every]


@lru_cache(maxsize=1)
def _heard(text: str, names: frozenset[str], extra_labels: bool) -> _Heard:  # noqa: FBT001
    return _Heard(text, tuple(sorted(names)), extra_labels=extra_labels)


class _Hearing:
    """Gathers what concerns one contestant (or the only one), and tells what it comes to."""

    def __init__(self, heard: _Heard, spec: str | None) -> None:
        self._heard = heard
        self._text = heard.text
        self._spec = spec
        self._rivals_known = len(heard.names) > 1
        # the offsets of the first places that state a value
        self._own: _Places = {}
        self._unclaimed: _Places = {}
        self._elsewhere: _Places = {}
        self._hidden: _Places = {}
        # all totals of others
        self._theirs: set[Decimal] = set()
        self._unreadable: list[tuple[int, str]] = []
        # what unreadable statements say, whether they say of whom, and the first place: such a one may not win, but it
        # is no agreement either
        self._doubts: dict[tuple[Said, bool], tuple[int, str]] = {}
        for statement, whose, about_something in heard.statements:
            self._hear(statement, whose, about_something=about_something)

    def _hear(self, statement: _Statement, whose: str | None, *, about_something: bool) -> None:
        offset = statement.offset
        if whose not in (None, self._spec):
            self._theirs.update(statement.values)
            return
        if not statement.values and len(self._unreadable) < _FEW:
            self._unreadable.append((offset, statement.words))
        if not statement.values and statement.said is None:
            return
        places = self._own
        if self._spec is not None and whose is None:
            # when the others are not known, what is said about something may be about them
            elsewhere = not self._rivals_known and about_something
            places = self._elsewhere if elsewhere else self._unclaimed
        if statement.said is not None:
            if whose is not None or self._rivals_known or self._spec is None or not statement.line:
                self._doubts.setdefault((statement.said, whose is None), (offset, statement.words))
            return
        if offset >= self._heard.hidden_from:
            places = self._hidden
        for value in statement.values:
            offsets = places.setdefault(value, [])
            if len(offsets) < _FEW:
                offsets.append(offset)

    def verdict(self) -> Reading:
        own = self._own
        if self._rivals_known and not own and len(self._unclaimed) == 1:
            return self._nobody_s()
        own = _merged(own, self._unclaimed, {} if own else self._elsewhere)
        if own and self._hidden:
            own = _merged(own, self._hidden)
        if not own:
            return self._not_stated()
        if len(own) > 1:
            return self._ambiguous(own)
        value, offsets = next(iter(own.items()))
        lines = tuple(sorted({self._line(offset) for offset in offsets}))
        contrary = [
            (offset, f"cannot be read: {words}")
            for (what, of_nobody), (offset, words) in self._doubts.items()
            if not what.agrees(self._all_values(own) if of_nobody else own)
        ] or self._contrary(own, offsets)
        if contrary:
            offset, words = min(contrary)
            why = f"line {lines[0]} states {value}, but line {self._line(offset)} {words}"
            return Ambiguous((value,), tuple(sorted({*lines, self._line(offset)})), why)
        quoted = self._standing(offsets) == 0
        if quoted and (other := self._unquoted_other(self._all_values(own))) is not None:
            line = self._line(other.start())
            why = f'line {lines[0]} quotes {value}, but line {line} says something else: "{excerpt(other[0].strip())}"'
            return Ambiguous((value,), tuple(sorted({*lines, line})), why)
        return Stated(value, lines, f"line {lines[0]} states {value}", quoted=quoted)

    def _unquoted_other(self, known: set[Decimal]) -> re.Match[str] | None:
        """Another number out of 100 that begins a line, or follows its first words: beside a quotation, the verdict."""
        for match in _OUT_OF_HUNDRED.finditer(self._heard.visible):
            if Decimal(match["number"]) not in known:
                return match
        return None

    def _all_values(self, own: _Places) -> set[Decimal]:
        """What a place may say that does not say of whom: the total of anyone."""
        return {*own, *self._theirs} if self._rivals_known else set(own)

    def _contrary(self, own: _Places, offsets: list[int]) -> list[tuple[int, str]]:
        """The first remark that says something else than the only total that is stated."""
        standing: int | None = None
        for remark, whose in self._heard.remarks:
            if remark.said.agrees(own):
                continue
            if remark.weight < _FIRM:
                standing = self._standing(offsets) if standing is None else standing
                if remark.weight < standing:
                    continue
            if whose != self._spec and (
                whose is not None or not self._rivals_known or remark.said.agrees(self._all_values(own))
            ):
                continue
            return [(remark.offset, f'says something else: "{excerpt(remark.words)}"')]
        return []

    def _standing(self, offsets: list[int]) -> int:
        """How much some statements are the judge's own: 2 where one of them is not marked, 1 in a fence, 0 quoted.

        Beside a verdict of the judge's own, a sentence about a total that others claim is no verdict. Where a quotation
        is all that there is, it may be.
        """
        text = self._text
        unmarked: list[int] = []
        for offset in offsets:
            floor = max(0, offset - 2 * _LONGEST_MARKS)
            begin = max(text.rfind("\n", floor, offset) + 1, floor)
            if text[offset : offset + 1] == "{":
                return _FIRM
            if ">" not in text[begin:offset]:
                unmarked.append(offset)
        if not unmarked:
            return 0
        fences = [match.start() for match in _FENCE_LINE.finditer(text, 0, max(unmarked))]
        return _FIRM - all(sum(fence < offset for fence in fences) % 2 == 1 for offset in unmarked)

    def _nobody_s(self) -> Ambiguous:
        value, offsets = next(iter(self._unclaimed.items()))
        line = self._line(offsets[0])
        return Ambiguous((value,), (line,), f"line {line} states {value}, but does not say for which contestant")

    def _ambiguous(self, own: _Places) -> Ambiguous:
        said = [(self._line(offset), value) for offset, value in sorted((min(o), value) for value, o in own.items())]
        said = said[:_FEW]
        why = ", ".join(f"line {line} states {value}" for line, value in said[:4]) + (", …" if len(said) > 4 else "")
        return Ambiguous(tuple(value for _, value in said), tuple(line for line, _ in said), why)

    def _not_stated(self) -> NotStated:
        if self._hidden:
            line = self._line(min(min(offsets) for offsets in self._hidden.values()))
            opened = self._line(self._heard.hidden_from)
            return NotStated((line,), f"line {line} stands in a comment that begins in line {opened} and never ends")
        if self._unreadable:
            told = [(self._line(offset), words) for offset, words in sorted(self._unreadable)]
            why = "; ".join(f"line {line}: {words}" for line, words in told[:3]) + ("; …" if len(told) > 3 else "")
            return NotStated(tuple(dict.fromkeys(line for line, _ in told)), why)
        nothing = "no line begins with WEIGHTED_TOTAL or RATING:, and no JSON object has a weighted_total"
        for remark, _ in self._heard.remarks:
            line = self._line(remark.offset)
            return NotStated((line,), f'{nothing}; line {line} is no such line: "{excerpt(remark.words)}"')
        return NotStated((), nothing)

    def _line(self, offset: int) -> int:
        return self._text.count("\n", 0, offset) + 1


def _merged(*parts: Mapping[Decimal, list[int]]) -> _Places:
    whole: _Places = {}
    for part in parts:
        for value, offsets in part.items():
            whole.setdefault(value, []).extend(offsets)
    return whole


# --- comments -----------------------------------------------------------------------------------------------------

_FENCE = r"(?P<fence>(?P<mark>[`~])(?P=mark){2,}+)(?:(?<=`)[^`\n]*+|(?<=~)[^\n]*+)$"
_FENCE_END = r"[ \t]*+(?P=fence)(?P=mark)*+[ \t]*+$"
_UP_TO_END = r"(?:-?>|(?:[^-]++|-(?!->))*+(?:-->)?)"
# A comment inside a paragraph ends with it, as in Markdown: at a blank line, and where a fence, a heading, a quote, a
# list, a table or a comment of its own begins. A quoted "<!--" and an arrow "-->" pages later must not hide a verdict.
_NEW_BLOCK = r"[ \t]*+(?:$|```|~~~|<!--|[#>|]|[-*+][ \t]|[0-9]{1,9}[.)][ \t])"
# Each alternative takes all that it looked at, whether it finds an end or not. Only `plain` and `run` can fail late, at
# the end of a fence or a line; then the one after them takes that fence or line at once.
_COMMENTS = re.compile(
    # the usual fences, as many as there are, without any comment in them
    r"(?P<plain>(?:^```[^`<\n]*+\n(?:(?![ \t]*+```)[^<\n]*+\n)*+```[ \t]*+\n)++)"
    rf"|^[ \t]*+{_FENCE}(?:\n(?!{_FENCE_END})[^\n]*+)*+(?:\n{_FENCE_END})?"
    rf"|^[ ]{{0,3}}<!--(?P<block>{_UP_TO_END})"
    r"|(?P<run>(?<![`\\])(?:<!--(?:-?>|(?:[^-\n]++|-(?!->))*+-->))++)"
    rf"|(?<![`\\])<!--(?:[^-\n]++|-(?!->)|\n(?!{_NEW_BLOCK}))*+(?:-->)?",
    re.MULTILINE,
)
_COMMENT_IN_FENCE = re.compile(rf"<!--{_UP_TO_END}")


def _without_comments(text: str) -> tuple[str, int]:
    """The text with its comments blanked, all offsets kept; and the offset of a comment that never ends."""
    hidden_from = len(text)
    if "<!--" not in text:
        return text, hidden_from
    pieces: list[str] = []
    done = 0
    for count, match in enumerate(_COMMENTS.finditer(text)):
        if count > _MOST_MARKS:
            raise TooMuchError(f"more than {_MOST_MARKS:,} comments")
        start, end = match.span()
        if match.lastgroup == "plain" or (match.lastgroup is None and _is_seen(text, start, end)):
            continue
        if match.lastgroup == "fence":
            if text.find("<!--", start, end) < 0:
                continue
            piece = _COMMENT_IN_FENCE.sub(_blank, match[0])
        else:
            piece = _blank(match)
            if match.lastgroup == "block" and not text.endswith("-->", start, end):
                hidden_from = start
        pieces += (text[done:start], piece)
        done = end
    return "".join([*pieces, text[done:]]), hidden_from


def _is_seen(text: str, start: int, end: int) -> bool:
    """Whether what looks like a comment of several lines is shown: it begins in a quotation, heading, code or address.

    Each of these ends before its second line.
    """
    if text.find("\n", start, end) < 0:
        return False
    before = text[max(text.rfind("\n", 0, start) + 1, start - _LONGEST_MARKS) : start]
    return before.lstrip().startswith((">", "#")) or before.count("`") % 2 == 1 or before.endswith(("(", "    ", "\t"))


def _blank(comment: re.Match[str]) -> str:
    """Spaces for a comment, its line ends kept; what begins like a comment and never ends stays as it is."""
    piece = comment[0]
    if not piece.endswith("-->"):
        return piece
    if "\n" not in piece:
        return " " * len(piece)
    return "\n".join([" " * len(line) for line in piece.split("\n")])


# --- score lines --------------------------------------------------------------------------------------------------

_GAP = r"[*_` \t]*+"
_NUMBER = r"[0-9]++(?:\.[0-9]++)?+"
_OUT_OF = r"(?:/|out[ \t]++of(?![A-Za-z]))"
_ARITHMETIC = r"[0-9.+\-−–*×xX·⋅/÷()\[\]%\\ \t]"
_OPERATORS = frozenset("+-−–*×xX·⋅/÷")
_READABLE_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,2})(?:\.[0-9]{1,100})?\Z")
_HUNDRED = re.compile(r"100(?:\.0{1,100})?\Z")
# A bracket ends a statement, but not one that names another scale, "8 (out of 10)", or takes the number back.
_OTHER_SCALE = re.compile(
    r"(?i)[(\[{]\s*+(?:(?:/|out[\s-]++of|of|max(?:imum)?|scale)(?![a-z])[\s:.-]*+(?:of\s++)?(?:0\s*+[-–]\s*+)?+"
    r"(?:(?!100(?:\.0++)?+(?![0-9.]))[0-9]|(?:five|ten|twenty|fifty|thousand)\b)"
    r"|(?!100(?![0-9]))[0-9]{1,9}[\s-]*+(?:possible|max|points?[\s-]++(?:scale|possible)))"
)
_TAKEN_BACK = re.compile(r"(?i)\b(?:withdrawn|retracted|void|invalid|superseded|not[ ]final)\b")
_WORDS_OF_CHANGE = (
    "final(?:ly)?|corrected|correction|revised|now|actual(?:ly)?|instead|should[ ]be|adjusted|changed|lowered|raised"
    "|reduced"
)
_ANOTHER = re.compile(
    rf"(?i)(?:\b(?:{_WORDS_OF_CHANGE})\b[^0-9\n]{{0,20}}|^\([ \t]*|[)\]}}][ \t:=→–-]*)"
    rf"(?P<number>{_NUMBER})(?![0-9.]|[ \t]*(?:[/*×+−-]|[)\]}}]?[ \t]*[A-Za-z%]))"
    rf"|(?P<hundredths>{_NUMBER})[ \t]*(?:/[ \t]*|out[ \t]+of[ \t]+)100(?![0-9.])"
)
_OUT_OF_HUNDRED = re.compile(
    r"^[ \t*_`#+-]{0,20}+(?:[A-Za-z][A-Za-z ]{0,40}+[*_`:= \t-]{1,20}+)?"
    r"(?P<number>[0-9]{1,3}(?:\.[0-9]{1,100})?)[ \t]{0,3}(?:/|out[ \t]{1,3}of)[ \t]{0,3}100(?![0-9.])",
    re.MULTILINE,
)
_CELL_NUMBER = re.compile(rf"\|{_GAP}({_NUMBER}){_GAP}(?:{_OUT_OF}{_GAP}({_NUMBER}){_GAP})?(?=\||\Z)")
# What stands behind a score is looked at so far, and no number there that is longer.
_LONGEST_BEHIND, _LONGEST_NUMBER = 300, 100
# Marks before a label are looked for no further than this.
_LONGEST_MARKS = 1000
# What else begins an item of a list, and signs before or behind a score: none that is a number or crosses it out.
_BULLETS = "•‣◦▪▫●○■□▶►➤➔→⇒·–—"
_SIGNS = (
    "☑★☆✅✓✔✨⭐\ufe0f\U0001f300-\U0001f4ae\U0001f4b0-\U0001f51e\U0001f525-\U0001f6aa\U0001f6ac-\U0001f6ff"
    "\U0001f900-\U0001faff"
)
# A line that holds one of these is not seen in the order in which it is written.
_REORDERING = re.compile("[\u202a-\u202e\u2066-\u2069]")
_REORDERED = "the line holds a character that changes the order of what is seen"


# the values, why there are none, and what people read then
_Piece: TypeAlias = tuple[tuple[Decimal, ...], str, Said | None]


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The patterns of a score line: its label, the marks that may precede it, and what follows it."""

    label: re.Pattern[str]
    marks: re.Pattern[str]
    rest: re.Pattern[str]


@lru_cache(maxsize=64)
def _grammar(names: tuple[str, ...], *, extra_labels: bool) -> _Grammar:
    labels = [r"WEIGHTED\\?_TOTAL(?=_*+(?!\w))", r"RATING(?=[*_`]*+[:：])"]
    if extra_labels:
        labels += [r"Final[ ]Score(?=_*+(?!\w))", r"TOTAL(?=_*+(?!\w))"]
    marks = rf"[ \t>#*_`+{_BULLETS}{_SIGNS}-]++|[0-9]{{1,9}}[.)](?=[ \t])"
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
        rf"(?:\.{_GAP})?+(?:[{_SIGNS}]{_GAP})*+(?=\Z|\||(?P<bracket>[(\[{{]))"
    )
    return _Grammar(re.compile("|".join(labels)), re.compile(rf"(?:{marks})*+"), rest)


class _Lines:
    """The score lines of a text without comments. `known` are the ends of the labels that begin them."""

    def __init__(self, text: str, names: tuple[str, ...], *, extra_labels: bool) -> None:
        self._text = text
        self._names = names
        self._grammar = _grammar(names, extra_labels=extra_labels)
        self._reordered = not text.isascii() and _REORDERING.search(text) is not None
        self._line = (0, -1, False)
        self.known: set[int] = set()
        self._below = Below(text)

    def statements(self) -> Iterator[_Statement]:
        known: dict[str, _Piece] = {}
        repeated: dict[str, int] = {}
        for start, end, underscored in self._pieces():
            # what follows a label, up to the next or the end of the line: each character belongs to one piece
            piece = self._text[start:end]
            self.known.add(start)
            if self._reordered and self._is_reordered(start):
                yield _Statement(start, (), _REORDERED, CANNOT_BE_TOLD, line=True)
            elif underscored and "_" not in piece:
                # an underscore before a label is emphasis only when another one closes it
                yield _Statement(start, (), "the label is part of another word", said_behind(piece), line=True)
            elif self._names or repeated.get(piece, 0) < _FEW:
                read = known.get(piece)
                if read is None:
                    read = _read(self._grammar.rest, piece)
                    if len(known) < _MEMORY:
                        known[piece] = read
                elif not self._names:
                    repeated[piece] = repeated.get(piece, 0) + 1
                values, words, said = read
                if words == _NO_NUMBER:
                    said = self._below.said(start, exact=True)
                yield _Statement(start, values, words, said, line=True)

    def _pieces(self) -> Iterator[tuple[int, int, bool]]:
        """Where each label of a line ends, where what belongs to it ends, and whether it begins with an underscore."""
        text = self._text
        label_end, piece_start, underscored = 0, -1, False
        for count, match in enumerate(chain(self._grammar.label.finditer(text), (None,))):
            if count > _MOST_MARKS:
                raise TooMuchError(f"more than {_MOST_MARKS:,} labels of a total")
            start, end = (len(text), len(text)) if match is None else match.span()
            begin = start if match is None else _begin(text, start, label_end, self._grammar.marks)
            label_end = end
            if begin < 0:
                continue
            if piece_start >= 0:
                line_end = text.find("\n", piece_start, begin)
                yield piece_start, begin if line_end < 0 else line_end, underscored
            piece_start = end
            underscored = begin < start and text[start - 1] == "_"

    def _is_reordered(self, offset: int) -> bool:
        if offset > self._line[1]:
            begin, end = self._text.rfind("\n", 0, offset) + 1, self._text.find("\n", offset)
            end = len(self._text) if end < 0 else end
            self._line = (begin, end, _REORDERING.search(self._text, begin, end) is not None)
        return self._line[2]


def _begin(text: str, start: int, label_end: int, marks: re.Pattern[str]) -> int:
    """Where the line or the cell begins that a label at `start` begins; -1 when more than marks stands before it."""
    if start == 0 or text[start - 1] == "\n":
        return start
    floor = max(label_end, start - _LONGEST_MARKS)
    begin = max(text.rfind("\n", floor, start), text.rfind("|", floor, start)) + 1
    if (begin == 0 and floor > 0) or text[max(0, begin - 2) : begin] == "\\|":
        return -1
    return begin if marks.fullmatch(text, begin, start) else -1


def _read(rest: re.Pattern[str], piece: str) -> _Piece:
    """The values that the text behind a label states; when there are none, why not."""
    match = rest.match(piece)
    if match is None or not (match["sign"] or match["bars"]):
        if not (words := piece.strip(" \t*_`:=：|")):
            return (), _NO_NUMBER, None
        return (), f'"{excerpt(words)}" cannot be read as a score', said_behind(piece)
    formula, number, scale = match["formula"], match["number"], match["scale"]
    if formula and (_OPERATORS.isdisjoint(formula) or not any("0" <= c <= "9" for c in formula)):
        return (), f'"{excerpt(piece.strip())}" cannot be read as a score', CANNOT_BE_TOLD
    if (scale and not _HUNDRED.match(scale)) or (match["bracket"] and _OTHER_SCALE.match(piece, match.end())):
        said = CANNOT_BE_TOLD if match["bracket"] else said_behind(piece)
        return (), f'"{excerpt(piece.strip())}" is not out of 100', said
    value = _value(number)
    if value is None:
        return (), f'"{excerpt(number)}" is no number from 1 to 100', CANNOT_BE_TOLD
    behind = piece[match.end() : match.end() + _LONGEST_BEHIND]
    if match["bracket"] and (_TAKEN_BACK.search(behind) or any(map(value.__ne__, _others_behind(behind)))):
        return (), f'"{excerpt(piece.strip())}" says something else behind the number', CANNOT_BE_TOLD
    values = {value: None}
    if match["bars"] or behind.startswith("|"):
        # Further cells that hold nothing but a score are statements as well: a column of weights, or a column for each
        # contestant, must not be taken for the total because it comes first.
        if piece.count("|") > _MOST:
            raise TooMuchError(f"a row of more than {_MOST:,} cells")
        for further, further_scale in dict.fromkeys(_CELL_NUMBER.findall(piece, match.end())):
            if (not further_scale or _HUNDRED.match(further_scale)) and (value := _value(further)) is not None:
                values[value] = None
    return tuple(values), "", None


def _others_behind(behind: str) -> Iterator[Decimal]:
    """The scores that stand in a bracket behind a number, or behind the bracket."""
    for match in _ANOTHER.finditer(behind):
        if (number := match["number"] or match["hundredths"]) and len(number) < _LONGEST_NUMBER:
            yield Decimal(number)


def _value(number: str) -> Decimal | None:
    if not _READABLE_NUMBER.match(number):
        return None
    value = Decimal(number)
    return value if LOWEST <= value <= HIGHEST else None


# --- JSON ---------------------------------------------------------------------------------------------------------

_KEYS = ("weighted_total",)
_EXTRA_KEYS = ("weighted_total", "total", "total_score")


def _tokens(text: str) -> str:
    """The longest run of JSON tokens that may stand side by side, where `text` is the pattern of a string.

    Whether the brackets match is left to the parser, which sees each run once.
    """
    space, value, end = r"[ \t\n]*+", r"[\"{\[\-0-9tfnNI]", r"(?=[,}\]])"
    return (
        rf"(?:\{{{space}(?=[\"}}])|\[{space}(?={value}|\])|[:,]{space}(?={value})|{text}{space}(?=[:,}}\]])"
        rf"|-?+[0-9][0-9.eE+-]*+{space}{end}|(?:true|false|null|NaN|-?+Infinity){space}{end}"
        rf"|[}}\]]{space}{end})*+[}}\]]?+"
    )


_TEXT = r"\"(?:[^\"\\\x00-\x1f]++|\\.)*+\""
_JSON = re.compile(_tokens(_TEXT))
# An object begins the text, a fence or a line.
_FIRST_OBJECT = re.compile(r"(?:[ \t]*+(?:```|~~~)[^\n]*+\n)?+[ \t\n]*+(?P<brace>\{)")
_OBJECT = re.compile(r"\n(?:[ \t]*+(?:```|~~~)[^\n]*+\n[ \t\n]*+)?+(?P<brace>\{)")
# An object further below a line than this is no part of it.
_LONGEST_GAP = 1000
_LINE_OBJECT = re.compile(r"^\{", re.MULTILINE)


class _Objects:
    """The JSON objects of a text that begin in its visible part; their texts may hold what looks like a comment.

    `stating` are the spans of those that state a total, `members` of those whose members state none.
    """

    def __init__(self, text: str, visible: str, keys: tuple[str, ...], names: tuple[str, ...]) -> None:
        self._text = text
        self._visible = visible
        self._keys = keys
        self._names = names
        self.stating: list[tuple[int, int]] = []
        self.members: list[tuple[int, int]] = []

    def statements(self) -> Iterator[_Statement]:
        sought = (*(f'"{key}"' for key in self._keys), "\\u00")
        if not any(mark in self._text for mark in sought):
            return
        known: dict[str, tuple[list[_Statement], bool]] = {}
        repeated: dict[str, int] = {}
        for start, end in self._blocks():
            block = self._text[start:end]
            if repeated.get(block, 0) > _FEW or not any(mark in block for mark in sought):
                continue
            if self._visible[start] != "{" or _inside_another(self._text, start):
                continue
            read = known.get(block)
            if read is None:
                read = _in_block(block, self._keys, self._names)
                if len(known) < _MEMORY:
                    known[block] = read
            elif not self._names:
                repeated[block] = repeated.get(block, 0) + 1
            found, parsed = read
            if parsed:
                states = any(each.values for each in found)
                (self.stating if states else self.members).append((start, end))
            for each in found:
                yield _Statement(start + each.offset, each.values, each.words, each.said, each.whose)

    def _blocks(self) -> Iterator[tuple[int, int]]:
        """The spans of what may be JSON; each character belongs to one at most."""
        room = _LONGEST_BLOCK
        match = _FIRST_OBJECT.match(self._text) or _OBJECT.search(self._text)
        for _ in range(_MOST_MARKS):
            if match is None:
                return
            start = match.start("brace")
            end = _end_of_json(self._text, start, start + room + 1)
            room -= end - start
            if room < 0:
                raise TooMuchError(f"more than {_LONGEST_BLOCK:,} characters of JSON")
            yield start, end
            match = _OBJECT.search(self._text, max(end - 1, start))
        raise TooMuchError(f"more than {_MOST_MARKS:,} lines that begin with a brace")


def _end_of_json(text: str, start: int, limit: int) -> int:
    match = _JSON.match(text, start, limit)
    return start if match is None else match.end()


def _inside_another(text: str, start: int) -> bool:
    """Whether the line before an object is one of JSON that goes on, so that the object is a part of something.

    That happens where the whole could not be parsed, or is a list.
    """
    floor = max(0, start - _LONGEST_GAP)
    end = floor + len(text[floor:start].rstrip())
    if not text.endswith(("[", ",", '":', "':"), floor, end):
        return False
    line = text.rfind("\n", 0, end) + 1
    return text[line:end].lstrip()[:1] in "{[}],\"'"


def _in_block(block: str, keys: tuple[str, ...], names: tuple[str, ...]) -> tuple[list[_Statement], bool]:
    """What the objects of a block state that begin one of its lines, and whether all of it could be parsed.

    Offsets count from the start of the block.
    """
    statements: list[_Statement] = []
    if _REORDERING.search(block):
        return [_Statement(0, (), _REORDERED, CANNOT_BE_TOLD)], False
    start = 0
    while True:
        try:
            members, end = _DECODER.raw_decode(block, start)
        except (ValueError, ArithmeticError):
            # its members are looked at as remarks, unless their names are hidden
            said = CANNOT_BE_TOLD if "\\u" in block else None
            statements.append(_Statement(start, (), "the JSON that begins here cannot be parsed", said))
            return statements, False
        statements += _in_object(start, members, keys, names)
        # in "{…},\n{…}" the second object begins a line as well
        following = _LINE_OBJECT.search(block, end)
        if following is None:
            return statements, True
        start = following.start()


# An object is a tuple of its members here (a list is a list), so that a name that is given twice shows twice.
_Members: TypeAlias = "tuple[tuple[str, Any], ...]"


def _in_object(offset: int, members: _Members, keys: tuple[str, ...], names: tuple[str, ...]) -> list[_Statement]:
    found: list[_Statement] = []
    for name, value in members:
        if name in keys:
            found.append(_total(offset, name, value))
        elif name == "contestants" and isinstance(value, tuple):
            for whose, entry in value:
                if whose in names and isinstance(entry, tuple):
                    found += [_total(offset, inner, total, whose) for inner, total in entry if inner in keys]
    named = {each.whose for each in found}
    if None not in named:
        found += [each for each in _elsewhere(offset, members, names) if not named or each.whose not in {None, *named}]
    return found


_DEEPEST = 6


def _elsewhere(
    offset: int, value: Any, names: tuple[str, ...], whose: str | None = None, depth: int = 0
) -> Iterator[_Statement]:
    """Totals under a name or at a place where none counts, but where people read one: right or with a name."""
    if depth > _DEEPEST:
        return
    if isinstance(value, list):
        if len(value) == 1 or names:
            for item in value:
                yield from _elsewhere(offset, item, names, whose, depth)
        return
    if not isinstance(value, tuple):
        return
    whose = next((inner for _, inner in value if isinstance(inner, str) and inner in names), whose)
    for name, inner in value:
        if (depth <= 1 or whose) and reads_like_total(name) and (said := _said_by_value(inner)) is not None:
            words = f"a total stands in JSON where none counts: {excerpt(name)}"
            yield _Statement(offset, (), words, said, whose)
        yield from _elsewhere(offset, inner, names, name if name in names else whose, depth + 1)


def _said_by_value(value: Any) -> Said | None:
    match value:
        case bool() | None:
            return CANNOT_BE_TOLD
        case int() | Decimal():
            return Said(frozenset({Fraction(value)})) if value <= HIGHEST else None
        case str():
            return said_by(value, sign="=") or CANNOT_BE_TOLD
        case _:
            return None


def _total(offset: int, name: str, value: Any, whose: str | None = None) -> _Statement:
    if isinstance(value, int | Decimal) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST:
        return _Statement(offset, (Decimal(value),), whose=whose)
    said = said_by(value, sign="=", strict=True) if isinstance(value, str) else CANNOT_BE_TOLD
    return _Statement(offset, (), f"{name} is no number from 1 to 100", said, whose)


def _decimal(digits: str) -> Decimal | None:
    return Decimal(digits) if len(digits) <= 110 else None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_float=_decimal, parse_constant=_no_constant)


# --- contestants --------------------------------------------------------------------------------------------------

# A heading is one with #, or a line that is bold from end to end and no score line.
_HEADING = (
    r"[ \t>]*+(?:(?P<marks>\#{1,6})[ \t]++[^\n]*+"
    r"|\*\*(?!(?:WEIGHTED\\?_TOTAL|RATING|TOTAL|Final[ ]Score)\b)[^*\n]++\*\*:?+[ \t]*+(?![^\n]))"
)
_FIRST_HEADING = re.compile(_HEADING)
_NEXT_HEADING = re.compile(rf"\n{_HEADING}")
_BOLD_LEVEL = 7
# what a line holds that states a score and names nobody
_SCORE_WORDS = re.compile(r"WEIGHTED_TOTAL|RATING|Final Score|TOTAL|out of|[\W\d_]")
_SEVERAL = ""
# Whose a section is when it names one contestant inside that of another.
_DISPUTED = "\n"


def _any_of(names: tuple[str, ...]) -> str:
    """A pattern that finds whole names; the longest first, for "a:b c" is no mention of "a:b"."""
    longest = sorted(names, key=len, reverse=True)
    return rf"(?<![\w:-])(?:{'|'.join(re.escape(name) for name in longest)})(?![\w-]|[:.]\w)"


class _Mentions:
    """The contestants that a text names, found when they are asked for."""

    def __init__(self, text: str, names: tuple[str, ...]) -> None:
        self._text = text
        self._names = names
        self._found: list[tuple[int, str]] | None = None

    def single(self, start: int, end: int) -> str | None:
        """The one contestant named between two offsets; None when there is none, `_SEVERAL` when there are more."""
        if self._found is None:
            self._found = list(self._search())
        named: str | None = None
        for index in range(bisect_left(self._found, (start, "")), len(self._found)):
            offset, name = self._found[index]
            if offset >= end or named == _SEVERAL:
                break
            named = name if named in (None, name) else _SEVERAL
        return named

    def _search(self) -> Iterator[tuple[int, str]]:
        # wherever one of the names begins; of several that begin there the longest whole one counts
        whole = re.compile(_any_of(self._names))
        after = 0
        for count, offset in enumerate(merge(*(self._places(name) for name in self._names))):
            if count >= _MOST_MARKS:
                raise TooMuchError(f"more than {_MOST_MARKS:,} names of contestants")
            if offset >= after and (match := whole.match(self._text, offset)) is not None:
                yield offset, match[0]
                after = match.end()

    def _places(self, name: str) -> Iterator[int]:
        at = self._text.find(name)
        while at >= 0:
            yield at
            at = self._text.find(name, at + 1)


class _Owners:
    """Whose a place in the text is. Places are asked for in rising order; a lower one starts anew from the top."""

    def __init__(self, text: str, names: tuple[str, ...]) -> None:
        self._text = text
        # nothing is looked for before the first place is asked for: many texts state nothing
        self._mentions = _Mentions(text, names)
        self._right_behind = re.compile(rf"{_GAP}(?:[-–—,(\[]|for(?=[ \t])|of(?=[ \t]))?+{_GAP}{_any_of(names)}")
        self._last = len(text) + 1

    def _start(self) -> None:
        self._headings = _headings(self._text)
        self._heading = next(self._headings, None)
        self._above: list[tuple[int, str | None]] = []
        self._fences = _fences(self._text)
        self._fence = next(self._fences, None)
        self._outside: list[tuple[int, str | None]] | None = None
        self._entered = 0
        self._line = (0, -1)
        self._named: str | None = None
        self._wordy: bool | None = None

    def of(self, offset: int, *, by_line: bool) -> str | None:
        """The contestant named in the line (when `by_line`), else in the headings over `offset`; None for nobody.

        Who is only mentioned behind a score is not the one whose it is where the headings name another.
        """
        if offset < self._last:
            self._start()
        self._last = offset
        if by_line:
            if offset > self._line[1]:
                end = self._text.find("\n", offset)
                self._line = (self._text.rfind("\n", 0, offset) + 1, len(self._text) if end < 0 else end)
                self._named = self._mentions.single(*self._line)
                self._wordy = None
            if self._named == _SEVERAL or (self._named is not None and self._is_named_before(offset)):
                return self._named or None
        while self._heading is not None and self._heading.end() < offset:
            self._pass_fences(self._heading.start())
            self._enter(self._heading)
            self._heading = next(self._headings, None)
        self._pass_fences(offset)
        named = next((owner for _, owner in reversed(self._above) if owner is not None), None)
        if by_line and self._named is not None and named != self._named:
            return None if named else self._named
        return None if named in (_SEVERAL, _DISPUTED) else named

    def _is_named_before(self, offset: int) -> bool:
        """Whether the line names its contestant before the label that ends at `offset`, or right behind it."""
        if self._mentions.single(self._line[0], offset) is not None:
            return True
        return self._right_behind.match(self._text, offset) is not None

    def _pass_fences(self, offset: int) -> None:
        """What is a heading inside a fence is none outside of it."""
        while self._fence is not None and self._fence[0] < offset:
            if offset <= self._fence[1]:
                if self._outside is None:
                    self._outside = list(self._above)
                return
            if self._outside is not None:
                self._above, self._outside = self._outside, None
            self._fence = next(self._fences, None)

    def about_something(self, *, by_line: bool) -> bool:
        """Whether the place asked for last stands under a heading, or in a line with words of its own."""
        if by_line and self._wordy is None:
            self._wordy = bool(_SCORE_WORDS.sub("", self._text[slice(*self._line)]))
        return bool(self._above) or (by_line and bool(self._wordy))

    def _enter(self, heading: re.Match[str]) -> None:
        self._entered += 1
        if self._entered > _MOST:
            raise TooMuchError(f"more than {_MOST:,} headings")
        marks = heading["marks"]
        level = len(marks) if marks else _BOLD_LEVEL
        kept = 0 if self._outside is None else len(self._outside)
        while len(self._above) > kept and self._above[-1][0] >= level:
            self._above.pop()
        owner = self._mentions.single(*heading.span())
        if owner and any(name not in (None, owner, _SEVERAL, _DISPUTED) for _, name in self._above):
            if self._is_title(heading, owner):
                # a title holds the sections of several contestants, and lends its name to none of the rest
                self._above = [(above, name if name in (None, owner) else _SEVERAL) for above, name in self._above]
            else:
                owner = _DISPUTED
        self._above.append((level, owner))

    def _is_title(self, heading: re.Match[str], owner: str) -> bool:
        """Whether the heading above is that of the whole: this one is just a name, or that one has no equal."""
        if self._outside is None and self._levels[self._above[0][0]] == 1:
            return True
        return heading[0].strip(" \t\n>#*_`:") == owner

    @cached_property
    def _levels(self) -> Counter[int]:
        """How many headings of each level there are."""
        marks = (heading["marks"] for heading in _headings(self._text))
        return Counter(len(each) if each else _BOLD_LEVEL for each in marks)


def _fences(text: str) -> Iterator[tuple[int, int]]:
    """From and to where fences reach, one that is never closed up to the end."""
    opened: tuple[int, str] | None = None
    for line in _FENCE_LINE.finditer(text):
        mark = line[0][-1]
        end = text.find("\n", line.end())
        end = len(text) if end < 0 else end
        if opened is None:
            opened = line.start(), mark
        elif mark == opened[1] and not text[line.end() : end].strip(f"{mark} \t"):
            yield opened[0], end
            opened = None
    if opened is not None:
        yield opened[0], len(text)


def _headings(text: str) -> Iterator[re.Match[str]]:
    first = _FIRST_HEADING.match(text)
    return chain(() if first is None else (first,), _NEXT_HEADING.finditer(text))

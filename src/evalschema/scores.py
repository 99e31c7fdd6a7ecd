"""The total that a judge's text states.

A text states a total in two ways: as JSON (the top-level `weighted_total` of an object that begins the text, a fenced
block or a line) and in score lines (`WEIGHTED_TOTAL: 85/100`, a table row with that label, `RATING: 85`). Quoted and
fenced ones count like all others, because whoever can quote can forge: the answer is a number only where all statements
agree, never the first or the last of several. What stands in an HTML comment states nothing.

Every text is read in time proportional to its length. The patterns below keep three rules: a repetition that could
overlap with what follows it is possessive (`*+`: it gives nothing back, so there is nothing to try again); no
repetition holds another one that could take the same characters; and what a failed attempt consumed is passed over, not
searched again from within. The loops over matches look back no further than to the match before.
"""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from decimal import Decimal
from functools import lru_cache
from itertools import chain
from typing import TYPE_CHECKING, Any, TypeAlias

from evalschema.excerpt import excerpt

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

LOWEST, HIGHEST = Decimal(1), Decimal(100)


@dataclass(frozen=True, slots=True)
class Stated:
    """The text states one total. `value` is exact, from 1 to 100; `lines` (1-based, the first few) are where."""

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
    names = () if spec is None else tuple({spec: None} | dict.fromkeys(others))
    keys = _EXTRA_KEYS if extra_labels else _KEYS
    try:
        visible, hidden_from = _without_comments(text)
        hearing = _Hearing(text, hidden_from, spec, names)
        for statement in chain(_in_objects(text, visible, keys, names), _in_lines(visible, names, extra_labels)):
            hearing.hear(statement)
            if len(hearing.own) >= _FEW:
                break  # different totals by the dozen: more of them change nothing
    except _TooMuchError as excess:
        return NotStated((), f"the text holds {excess}, which no verdict needs")
    except RecursionError:
        # What stands in there cannot be known to agree, so nothing that was read may count.
        return NotStated((), "a JSON block is nested too deeply to be read")
    return hearing.verdict()


@dataclass(slots=True)
class _Statement:
    """What one place says: its offset, the values (none when it cannot be read), and then why it cannot be read.

    `whose` is the contestant under whose name it stands in JSON. A line, unlike an object, can name a contestant.
    """

    offset: int
    values: tuple[Decimal, ...]
    words: str = ""
    whose: str | None = None
    line: bool = False


_OTHER_WORD = "the label is part of another word"
_NO_NUMBER = "no number follows the label"
# The number with which an unreadable statement begins: behind the label, in the next line that is not empty where the
# line ends behind the label, or behind the name of the member. None looks far: a text may hold a million of them.
_AMOUNT = r"([0-9]{1,10}+(?:\.[0-9]{1,100}+)?+)(?![0-9,])"
_LINE_LEAD = re.compile(rf"[^0-9\n]{{0,100}}+{_AMOUNT}")
_NEXT_LEAD = re.compile(rf"[^\n]{{0,100}}+\n[\s>*_`#|:=-]{{0,100}}+{_AMOUNT}")
_OBJECT_LEAD = re.compile(rf"(?:(?!weighted_total)[\s\S]){{0,5000}}+weighted_total[\"' \t]*+[:=][\"' \t]*+{_AMOUNT}")
# What a judge repeats of the instructions: a placeholder such as "<number>", or a formula in letters: "0.4*A + 0.6*B".
_SLOT = r"<[A-Za-z][^\n>]{0,60}>"
_GAPS = r"[ \t]{0,3}"
_TERM = rf"\(?{_GAPS}(?:[A-Za-z][A-Za-z_]{{0,30}}|0?\.[0-9]{{1,4}}){_GAPS}\)?{_GAPS}"
_INSTRUCTION = re.compile(
    rf"[^\n<0-9A-Za-z.(]{{0,50}}+(?:{_SLOT}(?:[ ]?/[ ]?100)?|{_TERM}(?:[*×+·]{_GAPS}{_TERM}){{1,20}})"
    r"[*_`. \t]{0,20}$"
    rf"|[^\n<]{{0,50}}weighted_total[\"' \t:]{{0,10}}{_SLOT}[\"}} \t]{{0,20}}$",
    re.MULTILINE,
)
# How many lines, and how many different totals, are told.
_FEW = 10
# How many different pieces of a text are remembered, so that a piece that is repeated is read once.
_MEMORY = 1000

# A verdict is written for people. Whatever holds more than this was made to be slow to read, and is not read.
_MOST = 10_000
_MOST_MARKS = 100_000
_LONGEST_BLOCK = 1_000_000


class _TooMuchError(Exception):
    """The text holds more of something than any verdict does."""


_Places: TypeAlias = "dict[Decimal, list[int]]"


class _Hearing:
    """Gathers statements by whose they are, and tells what they come to."""

    def __init__(self, text: str, hidden_from: int, spec: str | None, names: tuple[str, ...]) -> None:
        self._text = text
        self._hidden_from = hidden_from
        self._spec = spec
        self._rivals_known = len(names) > 1
        self._owners = _Owners(text, names) if names else None
        # the offsets of the first places that state a value
        self.own: _Places = {}
        self._unclaimed: _Places = {}
        self._elsewhere: _Places = {}
        self._hidden: _Places = {}
        self._unreadable: list[tuple[int, str]] = []
        # what unreadable statements begin with, and where: a statement that might say another number is no agreement
        self._doubts: dict[Decimal | None, tuple[int, str]] = {}
        self._heard = 0

    def hear(self, statement: _Statement) -> None:
        offset = statement.offset
        self._heard += 1
        if self._heard > _MOST:
            raise _TooMuchError(f"more than {_MOST:,} statements of a total")
        if not statement.values:
            if len(self._unreadable) < _FEW and statement.words != _BROKEN:
                self._unreadable.append((offset, statement.words))
            self._doubt(statement)
            return
        places = self.own
        if self._owners is not None:
            whose = statement.whose or self._owners.of(offset, by_line=statement.line)
            if whose is None:
                # when the others are not known, what is said about something may be about them
                elsewhere = not self._rivals_known and self._owners.about_something(by_line=statement.line)
                places = self._elsewhere if elsewhere else self._unclaimed
            elif whose != self._spec:
                return
        if offset >= self._hidden_from:
            places = self._hidden
        for value in statement.values:
            offsets = places.setdefault(value, [])
            if len(offsets) < _FEW:
                offsets.append(offset)

    def _doubt(self, statement: _Statement) -> None:
        if len(self._doubts) >= _FEW or statement.words == _OTHER_WORD:
            return
        if self._owners is not None:
            whose = statement.whose or self._owners.of(statement.offset, by_line=statement.line)
            if whose not in (None, self._spec):
                return
        lead_of = _OBJECT_LEAD if not statement.line else _NEXT_LEAD if statement.words == _NO_NUMBER else _LINE_LEAD
        number = lead_of.match(self._text, statement.offset)
        if number is None and statement.words == _NO_NUMBER:
            return  # a heading, say, over the reasons
        if _INSTRUCTION.match(self._text, statement.offset):
            return
        if self._owners is not None and not self._rivals_known and statement.line:
            return  # it may be about another contestant, whose name is not known here
        lead = Decimal(number[1]) if number else None
        self._doubts.setdefault(lead, (statement.offset, statement.words))

    def verdict(self) -> Reading:
        own = self.own
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
        contrary = [doubt for lead, doubt in self._doubts.items() if lead != value]
        if contrary:
            offset, words = min(contrary)
            why = f"line {lines[0]} states {value}, but line {self._line(offset)} cannot be read: {words}"
            return Ambiguous((value,), tuple(sorted({*lines, self._line(offset)})), why)
        return Stated(value, lines, f"line {lines[0]} states {value}")

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
            opened = self._line(self._hidden_from)
            return NotStated((line,), f"line {line} stands in a comment that begins in line {opened} and never ends")
        if self._unreadable:
            said = [(self._line(offset), words) for offset, words in sorted(self._unreadable)]
            why = "; ".join(f"line {line}: {words}" for line, words in said[:3]) + ("; …" if len(said) > 3 else "")
            return NotStated(tuple(dict.fromkeys(line for line, _ in said)), why)
        return NotStated((), "no line begins with WEIGHTED_TOTAL or RATING:, and no JSON object has a weighted_total")

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
    r"|(?P<run>(?<!`)(?:<!--(?:-?>|(?:[^-\n]++|-(?!->))*+-->))++)"
    rf"|(?<!`)<!--(?:[^-\n]++|-(?!->)|\n(?!{_NEW_BLOCK}))*+(?:-->)?",
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
            raise _TooMuchError(f"more than {_MOST_MARKS:,} comments")
        start, end = match.span()
        if match.lastgroup == "plain":
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
# A bracket ends a statement, but not one that names another scale: "8 (out of 10)".
_OTHER_SCALE = re.compile(rf"[(\[{{][ \t]*+(?:{_OUT_OF}|of(?![A-Za-z]))[ \t]*+(?!100(?:\.0++)?+(?![0-9.]))[0-9]")
_CELL_NUMBER = re.compile(rf"\|{_GAP}({_NUMBER}){_GAP}(?:{_OUT_OF}{_GAP}({_NUMBER}){_GAP})?(?=\||\Z)")
# Marks before a label are looked for no further than this.
_LONGEST_MARKS = 1000


_Piece: TypeAlias = tuple[tuple[Decimal, ...], str]


@dataclass(frozen=True, slots=True)
class _Grammar:
    """The patterns of a score line: its label, the marks that may precede it, and what follows it."""

    label: re.Pattern[str]
    marks: re.Pattern[str]
    rest: re.Pattern[str]


@lru_cache(maxsize=64)
def _grammar(names: tuple[str, ...], *, extra_labels: bool) -> _Grammar:
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


def _in_lines(text: str, names: tuple[str, ...], extra_labels: bool) -> Iterator[_Statement]:  # noqa: FBT001
    """What the score lines state: those of a text without comments."""
    grammar = _grammar(names, extra_labels=extra_labels)
    known: dict[str, _Piece] = {}
    repeated: dict[str, int] = {}
    label_end, piece_start, underscored = 0, -1, False
    for count, match in enumerate(chain(grammar.label.finditer(text), (None,))):
        if count > _MOST_MARKS:
            raise _TooMuchError(f"more than {_MOST_MARKS:,} labels of a total")
        start, end = (len(text), len(text)) if match is None else match.span()
        begin = start if match is None else _begin(text, start, label_end, grammar.marks)
        label_end = end
        if begin < 0:
            continue
        if piece_start >= 0:
            # what follows a label, up to the next or the end of the line: each character belongs to one piece
            line_end = text.find("\n", piece_start, begin)
            piece = text[piece_start : begin if line_end < 0 else line_end]
            if underscored and "_" not in piece:
                # an underscore before a label is emphasis only when another one closes it
                yield _Statement(piece_start, (), _OTHER_WORD, line=True)
            elif names or repeated.get(piece, 0) < _FEW:
                read = known.get(piece)
                if read is None:
                    read = _read(grammar.rest, piece)
                    if len(known) < _MEMORY:
                        known[piece] = read
                elif not names:
                    repeated[piece] = repeated.get(piece, 0) + 1
                yield _Statement(piece_start, *read, line=True)
        piece_start = end
        underscored = begin < start and text[start - 1] == "_"


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
        if not (said := piece.strip(" \t*_`:=：|")):
            return (), _NO_NUMBER
        return (), f'"{excerpt(said)}" cannot be read as a score'
    formula, number, scale = match["formula"], match["number"], match["scale"]
    if formula and (_OPERATORS.isdisjoint(formula) or not any("0" <= c <= "9" for c in formula)):
        return (), f'"{excerpt(piece.strip())}" cannot be read as a score'
    if (scale and not _HUNDRED.match(scale)) or (match["bracket"] and _OTHER_SCALE.match(piece, match.end())):
        return (), f'"{excerpt(piece.strip())}" is not out of 100'
    value = _value(number)
    if value is None:
        return (), f'"{excerpt(number)}" is no number from 1 to 100'
    values = {value: None}
    if match["bars"]:
        # Further cells that hold nothing but a score are statements as well: a column of weights, or a column for each
        # contestant, must not be taken for the total because it comes first.
        if piece.count("|") > _MOST:
            raise _TooMuchError(f"a row of more than {_MOST:,} cells")
        for further, further_scale in dict.fromkeys(_CELL_NUMBER.findall(piece, match.end())):
            if (not further_scale or _HUNDRED.match(further_scale)) and (value := _value(further)) is not None:
                values[value] = None
    return tuple(values), ""


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
# A text that is no name of a total. One with an escaped ASCII letter might be any name.
_OTHER_TEXT = r"\"(?!(?:weighted_total|total|total_score)\")(?:[^\"\\\x00-\x1f]++|\\(?!u00).)*+\""
_BLOCK = re.compile(
    # at the beginning of the text or of a fence
    rf"(?:\A[ \t\n]*+|^[ \t]*+(?:```|~~~)[^\n]*+\n[ \t\n]*+)(?P<first>(?=\{{){_tokens(_TEXT)})"
    # at the beginning of a line: runs without such a name are passed over, as many as there are
    rf"|(?:^(?=\{{){_tokens(_OTHER_TEXT)}(?!{_TEXT}[ \t\n]*+[:,}}\]])[^\n]*+(?:\n|\Z))++"
    rf"|^(?P<block>(?=\{{){_tokens(_TEXT)})",
    re.MULTILINE,
)
# An object further below a line than this is no part of it.
_LONGEST_GAP = 1000
_LINE_OBJECT = re.compile(r"^\{", re.MULTILINE)


_NEXT_BLOCK = re.compile(r"\n[ \t]*+(?:[{\[]|```|~~~)")
_BROKEN = "a weighted_total stands in JSON that breaks off"
_LONGEST_REST = 5000
_STRAY = re.compile(r"[\"']weighted_total[\"'][ \t]*+:", re.IGNORECASE)


def _in_objects(text: str, visible: str, keys: tuple[str, ...], names: tuple[str, ...]) -> Iterator[_Statement]:
    """What the JSON objects state that begin in the visible text; strings may hold what looks like a comment."""
    sought = (*(f'"{key}"' for key in keys), "\\u00")
    if not any(mark in text for mark in sought):
        return
    known: dict[str, list[_Statement]] = {}
    repeated: dict[str, int] = {}
    sought_to = 0
    for match in _BLOCK.finditer(text):
        group = match.lastgroup
        if text[match.start() : match.end()].rstrip()[-1:] not in ("}", "]"):
            # an object that breaks off, over a raw line end in a text say: what follows may be its total
            # (the next object, list or fence is looked at for itself)
            begin, end = max(match.end(), sought_to), match.end() + _LONGEST_REST
            other = _NEXT_BLOCK.search(text, max(match.end() - 1, 0), end)
            sought_to = max(end if other is None else other.start(), sought_to)
            for stray in _STRAY.finditer(text, begin, sought_to):
                if visible[stray.start()] != " ":
                    yield _Statement(stray.start(), (), _BROKEN)
        if group is None:
            continue
        start, block = match.start(group), match[group]
        if repeated.get(block, 0) > _FEW or not any(mark in block for mark in sought):
            continue
        if visible[start] != "{" or _inside_another(text, start):
            continue
        if len(block) > _LONGEST_BLOCK:
            yield _Statement(start, (), f"the JSON that begins here has more than {_LONGEST_BLOCK:,} characters")
            continue
        found = known.get(block)
        if found is None:
            found = _in_block(block, keys, names)
            if len(known) < _MEMORY:
                known[block] = found
        elif not names:
            repeated[block] = repeated.get(block, 0) + 1
        for each in found:
            yield _Statement(start + each.offset, each.values, each.words, each.whose)


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


def _in_block(block: str, keys: tuple[str, ...], names: tuple[str, ...]) -> list[_Statement]:
    """What the objects of a block state that begin one of its lines; offsets count from its start."""
    statements: list[_Statement] = []
    start = 0
    while True:
        try:
            members, end = _DECODER.raw_decode(block, start)
        except (ValueError, ArithmeticError):
            statements.append(_Statement(start, (), "the JSON that begins here cannot be parsed"))
            return statements
        # an object is a tuple of its members here (a list is a list), so that a name that is given twice shows twice
        for name, value in members:
            if name in keys:
                statements.append(_total(start, name, value))
            elif name == "contestants" and isinstance(value, tuple):
                for whose, entry in value:
                    if whose in names and isinstance(entry, tuple):
                        statements += [_total(start, inner, total, whose) for inner, total in entry if inner in keys]
        # in "{…},\n{…}" the second object begins a line as well
        following = _LINE_OBJECT.search(block, end)
        if following is None:
            return statements
        start = following.start()


def _total(offset: int, name: str, value: Any, whose: str | None = None) -> _Statement:
    if isinstance(value, int | Decimal) and not isinstance(value, bool) and LOWEST <= value <= HIGHEST:
        return _Statement(offset, (Decimal(value),), "", whose)
    return _Statement(offset, (), f"{name} is no number from 1 to 100", whose)


def _decimal(digits: str) -> Decimal | None:
    return Decimal(digits) if len(digits) <= 110 else None


def _no_constant(name: str) -> Any:
    raise ValueError(f"{name} is not JSON")


_DECODER = json.JSONDecoder(object_pairs_hook=tuple, parse_float=_decimal, parse_constant=_no_constant)


# --- contestants --------------------------------------------------------------------------------------------------

# A heading is one with #, or a line that is bold from end to end and no score line.
_HEADING = re.compile(
    r"^[ \t>]*+(?:(?P<marks>\#{1,6})[ \t]++[^\n]*+"
    r"|\*\*(?!(?:WEIGHTED_TOTAL|RATING|TOTAL|Final[ ]Score)\b)[^*\n]++\*\*:?+[ \t]*+$)",
    re.MULTILINE,
)
_BOLD_LEVEL = 7
# what a line holds that states a score and names nobody
_SCORE_WORDS = re.compile(r"WEIGHTED_TOTAL|RATING|Final Score|TOTAL|out of|[\W\d_]")
_SEVERAL = ""


def _any_of(names: tuple[str, ...]) -> str:
    """A pattern that finds whole names; the longest first, for "a:b c" is no mention of "a:b"."""
    longest = sorted(names, key=len, reverse=True)
    return rf"(?<![\w:-])(?:{'|'.join(re.escape(name) for name in longest)})(?![\w-]|:\w)"


class _Mentions:
    """The contestants that pieces of a text name; the pieces are asked for in rising order."""

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
    """Whose a place in the text is. Places are asked for in rising order; a lower one starts anew from the top."""

    def __init__(self, text: str, names: tuple[str, ...]) -> None:
        self._text = text
        self._mention = re.compile(_any_of(names))
        # nothing is looked for before the first place is asked for: many texts state nothing
        self._last = len(text) + 1

    def _start(self) -> None:
        self._in_lines = _Mentions(self._mention, self._text)
        self._in_headings = _Mentions(self._mention, self._text)
        self._headings = _HEADING.finditer(self._text)
        self._heading = next(self._headings, None)
        self._above: list[tuple[int, str | None]] = []
        self._entered = 0
        self._line = (0, -1)
        self._named: str | None = None
        self._wordy: bool | None = None

    def of(self, offset: int, *, by_line: bool) -> str | None:
        """The contestant named in the line (when `by_line`), else in the headings over `offset`; None for nobody."""
        if offset < self._last:
            self._start()
        self._last = offset
        if by_line:
            if offset > self._line[1]:
                end = self._text.find("\n", offset)
                self._line = (self._text.rfind("\n", 0, offset) + 1, len(self._text) if end < 0 else end)
                self._named = self._in_lines.single(*self._line)
                self._wordy = None
            if self._named is not None:
                return self._named or None
        while self._heading is not None and self._heading.end() < offset:
            self._enter(self._heading)
            self._heading = next(self._headings, None)
        named = next((owner for _, owner in reversed(self._above) if owner is not None), None)
        return named or None

    def about_something(self, *, by_line: bool) -> bool:
        """Whether the place asked for last stands under a heading, or in a line with words of its own."""
        if by_line and self._wordy is None:
            self._wordy = bool(_SCORE_WORDS.sub("", self._text[slice(*self._line)]))
        return bool(self._above) or (by_line and bool(self._wordy))

    def _enter(self, heading: re.Match[str]) -> None:
        self._entered += 1
        if self._entered > _MOST:
            raise _TooMuchError(f"more than {_MOST:,} headings")
        marks = heading["marks"]
        level = len(marks) if marks else _BOLD_LEVEL
        while self._above and self._above[-1][0] >= level:
            self._above.pop()
        self._above.append((level, self._in_headings.single(*heading.span())))

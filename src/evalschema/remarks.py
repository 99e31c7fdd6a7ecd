"""What people would read as a score in a text, although it states none.

A statement has one form, so that it can be told from a mention. Who reads a verdict does not know that form: to them
"Weighted total: 41", "Correction: WEIGHTED_TOTAL: 41" and a label with a Cyrillic letter in it say 41 as well. Such a
remark never becomes the score, but it can contradict one: otherwise a line that a judge only quotes would win over a
verdict that is written in another way.

All patterns are bounded, and every place is read once: a text takes time in proportion to its length.
"""

from __future__ import annotations

import re
import unicodedata
from bisect import bisect_right
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from typing import TYPE_CHECKING, Literal, TypeAlias

from evalschema.arithmetic import computed

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

Label: TypeAlias = Literal["total", "rating", "final", "other", "boxed"]
Span: TypeAlias = tuple[int, int]

# No verdict holds more of anything that looks like a label, nor more words that may begin one.
MOST, _MOST_WORDS = 2_000, 100_000
# Below no more labels than this one looks for a number.
_MOST_BELOW = 100
_LONGEST_TAIL = 300


class TooMuchError(Exception):
    """The text holds more of something than any verdict does; the message is what."""


@dataclass(frozen=True, slots=True)
class Said:
    """What the words behind a label say: numbers out of 100; none at all when they cannot be told.

    `rough` numbers are computed here, and may have been rounded where they are stated; `tenfold` ones may be out of 10.
    `slack` is how far the others may be off, because they are said in a coarser scale.
    """

    numbers: frozenset[Fraction] = frozenset()
    rough: bool = False
    tenfold: bool = False
    slack: Fraction = Fraction(0)

    def agrees(self, values: Collection[Decimal]) -> bool:
        """Whether every number that is said is one of some values."""
        return bool(self.numbers) and all(any(self._is(number, value) for value in values) for number in self.numbers)

    def _is(self, number: Fraction, value: Decimal) -> bool:
        if abs(number - Fraction(value)) <= self.slack or (self.tenfold and number * 10 == value):
            return True
        if not self.rough:
            return False
        # half a unit of the last digit that is stated
        half = Fraction(10) ** int(value.as_tuple().exponent) / 2
        return abs(number - Fraction(value)) <= half


CANNOT_BE_TOLD = Said()


@dataclass(frozen=True, slots=True)
class Remark:
    """A place that people would read as a score: where its label ends, what it says, and its words.

    `weight` is how much it speaks about the score that is given: 2 does; 1 stands within quotation marks, or is what
    could be ("a weighted total of 95 would take …"); 0 is what somebody else claims, by the words around it.
    """

    offset: int
    said: Said
    words: str
    weight: int = 2


# --- labels -------------------------------------------------------------------------------------------------------

# Characters that are not seen, or that are drawn upon the one before them.
UNSEEN = (
    "\\x00-\\x08\\x0e-\\x1f\\x7f-\\x9f\\xad\u0300-\u036f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u1ab0-\u1aff"
    "\u1dc0-\u1dff\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20d0-\u20ff\u3164\ufe00-\ufe0f\ufe20-\ufe2f\ufeff\uffa0"
)
_RARELY_UNSEEN = "\U000e0000-\U000e0fff"
# Letters of other scripts that look like the Latin ones of a label.
_TWINS = {
    "a": "АаΑαɑᗅＡ",
    "d": "ԁԀᎠᗞ",
    "e": "ЕеЁёΕε℮ҽ",
    "g": "ԌɡցᏀ",
    "h": "НнΗһҺᎻ",
    "i": "ІіΙιıӀіɩ",
    "l": "ӏІⅬ1Ɩʟ",
    "n": "ΝոпՈ",
    "o": "ОоΟοՕօ0",
    "r": "Ꭱгɾ",
    "t": "ТтΤτ",
    "w": "ԜԝѠѡωɯᎳ",
}
_SPACED_OUT = r"[ *_\\-]"


@lru_cache(maxsize=1)
def _twins() -> dict[str, str]:
    """For each Latin letter the characters that are drawn like it: of other scripts, styles and with accents."""
    twins = dict(_TWINS)
    styled = (*range(0xC0, 0x250), *range(0x1E00, 0x1F00), *range(0x2100, 0x2190), *range(0x2460, 0x24EA))
    for code in (*styled, *range(0xFF21, 0xFF5B), *range(0x1D400, 0x1D6A4), *range(0x1F110, 0x1F14A)):
        base = unicodedata.normalize("NFKD", chr(code))[:2].strip("(").lower()[:1]
        if base in twins:
            twins[base] += chr(code)
    return twins


def _spelt(word: str, script: Script) -> list[str]:
    """The pattern of each letter of a word, whatever it is written with."""
    if script == "ascii":
        return [f"[{c.upper()}{c}]" for c in word]
    return [f"[{c.upper()}{c}{''.join(t for t in _twins()[c] if script == 'rare' or t <= _LAST)}]" for c in word]


_LAST = "\uffff"


Script: TypeAlias = Literal["ascii", "common", "rare"]
# Characters above U+FFFF make a search slow, and are rare: one looks around them only.
_RARE = re.compile(rf"[\U0001d400-\U0001d6a3\U0001f110-\U0001f149{_RARELY_UNSEEN}]")
_MOST_RARE = 10_000
_AROUND_RARE = 100


def _unseen(script: Script) -> str:
    match script:
        case "ascii":
            return r"\x00-\x08\x0e-\x1f\x7f"
        case "common":
            return UNSEEN
        case "rare":
            return UNSEEN + _RARELY_UNSEEN


@lru_cache(maxsize=3)
def _weighted_total(script: Script) -> re.Pattern[str]:
    """Finds everything that reads like the label of the total, also within another word."""
    unseen = _unseen(script)
    between = rf"[ *_\\{unseen}-]{{0,3}}+"
    joint = rf"[._\-\u2010-\u2015\u2212\uff3f\s*`~\\{unseen}]{{0,8}}+"
    weighted, total = (between.join(_spelt(word, script)) for word in ("weighted", "total"))
    return re.compile(rf"{weighted}{joint}{total}(?![^\W_]|_[^\W_])")


@lru_cache(maxsize=2)
def _rating(script: Script) -> re.Pattern[str]:
    """Finds everything that reads like the label of a rating and holds letters of other scripts."""
    return re.compile(f"(?P<rating>{f'[{_unseen(script)}]{{0,3}}'.join(_spelt('rating', script))})(?![^\\W_])")


def _found(text: str, pattern: Callable[[Script], re.Pattern[str]]) -> list[re.Match[str]]:
    """What a pattern finds, whatever it is written with, in the order of the text."""
    if text.isascii():
        return list(pattern("ascii").finditer(text))
    found = {match.start(): match for match in pattern("common").finditer(text)}
    end = 0
    for count, rare in enumerate(_RARE.finditer(text)):
        if count >= _MOST_RARE:
            raise TooMuchError(f"more than {_MOST_RARE:,} letters of mathematical alphabets")
        start = max(0, end, rare.start() - _AROUND_RARE)
        end = max(end, rare.end() + _AROUND_RARE)
        found |= {match.start(): match for match in pattern("rare").finditer(text, start, end)}
    return [found[start] for start in sorted(found)]


_COLOUR = re.compile(r"\x1b\[[0-9;]{0,8}m\Z")


def _is_inside_a_word(text: str, start: int) -> bool:
    """Whether a label is part of another word. In JSON an escape may stand before it, for the end of a line."""
    before = text[max(0, start - 2) : start]
    if before[-1:].isalnum():
        return before not in ("\\n", "\\r", "\\t") and not _COLOUR.search(text, max(0, start - 12), start)
    return before[-1:] in ("_", "-") and before[:1].isalnum()


# What may stand before the label of a line; some say whose score it is.
_MARKS = re.compile(
    rf"(?:\x1b\[[0-9;]{{0,8}}m|[^\w\n.!?]|_|[{UNSEEN}{_RARELY_UNSEEN}]|[0-9]{{1,3}}[.)][ \t])*+"
    r"(?:[^\n.!?0-9]{1,40}[:–—-][^\w\n]*+)?(?:(?:(?i:so|and)[ ])?(?i:my|the)[ ])?[*_`]*+"
)
_NOUN = r"(?:score|rating|grade|mark|total|verdict|result|assessment|evaluation|points)"
_OTHER_LABELS = re.compile(
    rf"(?:(?P<final>(?:final|overall)[ _](?:weighted[ _])?{_NOUN})"
    r"|(?P<other>total(?:[ _](?:weighted[ _])?(?:score|points))?|overall|weighted[ _](?:score|sum|average))"
    r"|(?P<rating>rating))(?![^\W_])",
    re.IGNORECASE,
)


def _places(text: str, words: Sequence[str]) -> Iterator[int]:
    """Where words stand that begin a word, in small or capital letters."""
    # the one letter of which small letters make two characters
    low = text.replace("\u0130", "i").lower()
    for word in words:
        at = low.find(word)
        for _ in range(_MOST_WORDS):
            if at < 0:
                break
            if at == 0 or not low[at - 1].isalnum() or _COLOUR.search(text, max(0, at - 12), at):
                yield at
            at = low.find(word, at + 1)
        else:
            raise TooMuchError(f"more than {_MOST_WORDS:,} times the word {word}")


def remarks(text: str, *, known: Collection[int], stating: Sequence[Span], members: Sequence[Span]) -> Iterator[Remark]:
    """What a text remarks about a score, in no particular order.

    `known` are the ends of labels that were read as score lines, `stating` the spans of JSON that states a total, and
    `members` spans of JSON whose members were looked at.
    """
    yield from _totals(text, known, stating, members)
    yield from _other_lines(text, known, stating)
    yield from _inner_ratings(text, known, stating)
    yield from _boxes(text, stating)


def _totals(text: str, known: Collection[int], stating: Sequence[Span], members: Sequence[Span]) -> Iterator[Remark]:
    """Labels of the total within a line, and what looks like one."""
    matches = _found(text, _weighted_total)
    count, below = 0, Below(text)
    for index, match in enumerate(matches):
        start, end = match.span()
        if end not in known and not _within(stating, start) and not _is_inside_a_word(text, start):
            if (count := count + 1) > MOST:
                raise TooMuchError(f"more than {MOST:,} mentions of a total")
            before = text[_begin(text, start) : start]
            if not _is_limit(before):
                until = matches[index + 1].start() if index + 1 < len(matches) else len(text)
                is_member = before.endswith(('"', "'")) and text[end : end + 1] == before[-1]
                if is_member and text[end + 1 : end + 20].lstrip()[:1] in (":", "="):
                    said = None if _within(members, start) else _of_member(text, end + 1)
                    if said is not None:
                        yield Remark(end, said, _line(text, start))
                else:
                    yield from _mention(text, match, before, until, below)


def _mention(text: str, match: re.Match[str], before: str, until: int, below: Below) -> Iterator[Remark]:
    start, end = match.span()
    tail = _tail(text, end, until)
    form = _FORM.match(tail)
    if form is None:
        return
    rest, weak = tail[form.end() :], form["weak"] is not None and form["sign"] is None
    bare = form["sign"] is None and form["weak"] is None
    alone = not before.strip(" \t>#*_`+-|\"'")
    if not weak and not rest.strip(_BLANK):
        # with a sign there has to be a number; without one it may be a heading over the reasons
        if (alone or not bare) and (said := below.said(end, signed=not bare)) is not None:
            yield Remark(end, said, _line(text, start), _weight(before, text, end))
        return
    if bare and not (_IMMEDIATE.match(rest) or _NUMBER_WORDS.match(rest)):
        return
    said = said_by(rest, sign=form["sign"] or "")
    if said is not None:
        weak = weak and (_COULD.search(_line(text, start)) is not None or not _OWN.search(before[-120:]))
        yield Remark(end, said, _line(text, start), 1 if weak else _weight(before, text, end))


def _other_lines(text: str, known: Collection[int], stating: Sequence[Span]) -> Iterator[Remark]:
    """Lines that begin with other words for a score."""
    below = Below(text)
    for at in _places(text, ("final", "overall", "total", "weighted ", "rating")):
        if (match := _OTHER_LABELS.match(text, at)) is not None:
            yield from _other_line(text, match, known, stating, below)
    if not text.isascii():
        for match in _found(text, _rating):
            if not match[0].isascii():
                yield from _other_line(text, match, known, stating, below)


def _other_line(
    text: str, match: re.Match[str], known: Collection[int], stating: Sequence[Span], below: Below
) -> Iterator[Remark]:
    start, end = match.span()
    label = match.lastgroup
    before = text[_begin(text, start) : start]
    at_begin = _MARKS.fullmatch(before) is not None
    if end in known or _within(stating, start) or not (at_begin or label == "final"):
        return
    form = _FORM.match(tail := _tail(text, end))
    if form is None or form["weak"]:
        return
    rest = tail[form.end() :]
    lead = _IMMEDIATE.match(rest)
    if form["sign"] is None and not (at_begin and (lead or not rest.strip(_BLANK))):
        return
    said = said_by(rest, sign=":") if rest.strip(_BLANK) else below.said(end)
    scale = None if lead is None else _scale(lead)
    if said is None or not _is_of_the_whole(label, scale, said):
        return
    slack = Fraction(0) if scale != _TEN or lead is None else Fraction(5, 10 ** len(lead["number"].partition(".")[2]))
    said = Said(said.numbers, said.rough, tenfold=scale is None, slack=slack)
    yield Remark(end, said, _line(text, end), 2 if at_begin else _weight(before, text, end))


_TEN, _HUNDRED = Decimal(10), Decimal(100)
_BLANK = " \t*_`#:=|"


def _is_of_the_whole(label: str | None, scale: Decimal | None, said: Said) -> bool:
    """Whether words for a score are about all of an answer: no part of the rubric, no sum that is not weighted yet."""
    match label:
        case "final":
            return scale in (None, _TEN, _HUNDRED)
        case "rating":
            return scale == _HUNDRED or (scale is None and max(said.numbers, default=_HUNDRED) > _TEN)
        case _:
            return scale == _HUNDRED


def _inner_ratings(text: str, known: Collection[int], stating: Sequence[Span]) -> Iterator[Remark]:
    """`RATING:` within a line, of the whole and not of a part: out of a hundred."""
    for count, match in enumerate(_RATING.finditer(text)):
        if count > MOST:
            raise TooMuchError(f"more than {MOST:,} labels of a rating")
        end = match.end() - 1
        if end in known or _within(stating, end):
            continue
        lead = _IMMEDIATE.match(_tail(text, match.end()))
        if lead is None or _scale(lead) not in (None, _HUNDRED) or Decimal(lead["number"]) <= 10:
            continue
        before = text[_begin(text, match.start()) : match.start()]
        said = said_by(_tail(text, match.end()), sign=":")
        if said is not None:
            yield Remark(end, said, _line(text, end), _weight(before, text, end))


def _boxes(text: str, stating: Sequence[Span]) -> Iterator[Remark]:
    """Results as mathematicians mark them."""
    at = -1
    for count in range(MOST + 1):
        at = text.find("\\boxed{", at + 1)
        if at < 0:
            return
        if count == MOST:
            raise TooMuchError(f"more than {MOST:,} boxes")
        end = at + len("\\boxed{")
        lead = _IMMEDIATE.match(_tail(text, end))
        if lead is not None and _scale(lead) in (None, _HUNDRED) and not _within(stating, at):
            said = said_by(lead[0], sign="=")
            if said is not None:
                yield Remark(end, said, _line(text, at))


_RATING = re.compile(r"RATING[*_`]{0,6}[:：]")


def _within(spans: Sequence[Span], offset: int) -> bool:
    index = bisect_right(spans, offset, key=lambda span: span[0]) - 1
    return index >= 0 and offset < spans[index][1]


_LIMITS = re.compile(r"(?i)\b(?:max(?:imum|imal)?|possible|highest|perfect|greatest|un-?|non-?)[^.;:\n]{0,40}$")


def _is_limit(before: str) -> bool:
    """Whether what stands before a label makes it the greatest total that there could be."""
    return bool(_LIMITS.search(before[-80:]))


_OTHERS = re.compile(
    r"(?i)\b(?:claim(?:s|ed|ing)?|wrote|writes|says|asserts|demands|asks|insists|injects|rubric|template|instructions?)"
    r"\b[^.!?\n]*$"
)
_CLAIMED = re.compile(r"[^0-9\n]{0,20}[0-9.]+(?:/100)?[ \t*_`\"']*(?:that[ ])?(?:is[ ]|was[ ])?(?:claimed|quoted)\b")


_OWN = re.compile(
    r"(?i)\b(?:my|mine|final|verdict|correct(?:ion|ed)|actual|real|true|"
    r"(?:set|revise|lower|reduce|correct|adjust|change|give|award|assign|settle)[sd]?)\b[^.!?\n]*$"
)
_COULD = re.compile(r"(?i)\b(?:would|could|might|needs?|take|require[sd]?)\b")


def _weight(before: str, text: str, end: int) -> int:
    """How much a mention within a line speaks about the score that is given."""
    if _OTHERS.search(before[-120:]) or _CLAIMED.match(text, end):
        return 0
    return 1 if _quoted(before, text, end) and not _OWN.search(before[-120:]) else 2


def _quoted(before: str, text: str, end: int) -> bool:
    """Whether a mention stands within quotation marks of its line, but not a whole line of it."""
    behind = _tail(text, end)
    for opening, closing in ('""', "``", "“”", "„“", "«»", "‘’", "''"):
        if opening == closing:
            inside = before.endswith(opening) or (opening != "'" and before.count(opening) % 2 == 1)
        else:
            inside = before.rfind(opening) > before.rfind(closing)
        if inside and closing in behind:
            return bool(before.strip(" \t>#*_-+" + opening)) or bool(behind.rpartition(closing)[2].strip(" \t.*_"))
    return False


def _begin(text: str, at: int) -> int:
    """Where the line of a place begins, or what people still see of it."""
    floor = max(0, at - _LONGEST_TAIL)
    return max(text.rfind("\n", floor, at) + 1, floor)


def _line(text: str, at: int) -> str:
    """The line of a place, from its beginning."""
    end = text.find("\n", at, at + _LONGEST_TAIL)
    return text[_begin(text, at) : at + _LONGEST_TAIL if end < 0 else end].strip()


# --- what stands behind a label -----------------------------------------------------------------------------------

_AROUND = rf"(?:[ \t*_`\"'“”„‘’«»)\]}}~\\$]|</?[A-Za-z]{{1,10}}>|[{UNSEEN}{_RARELY_UNSEEN}\u00a0\u202f\u3000])"
# of whom it is, in words or brackets: "for a:b", "(out of 100)"
_WHOSE = (
    rf"(?:for[ \t]+[^\n|=]{{1,60}}?(?=[ \t*_`]{{0,6}}(?:is\b|equals\b|[:=|](?!\w))))?{_AROUND}{{0,20}}+"
    rf"(?:[(\[][^()\[\]\n]{{0,80}}[)\]]{_AROUND}{{0,20}}+)?+"
)
# "is made of", "is not", "was low" say nothing; "is forty" does
_VERB = r"(?:is|equals|comes[ ]to|was|are)\b(?![ ](?!(?:about|only|just|[a-z]{3,5}t(?:y|een))\b)(?:not[ ])?[a-z])"
_FORM = re.compile(rf"{_AROUND}{{0,40}}+{_WHOSE}(?:(?P<sign>[:=：|→⇒➜>–—-]++|{_VERB})|(?P<weak>(?:of|to|at)\b))?")
_NUMBER = r"[0-9]{1,12}(?:\.[0-9]{1,100})?"
_SCALE = rf"(?:(?P<percent>[ ]?%)|[ \t*_`]{{0,6}}(?:/|(?:out[ \t]{{1,3}})?of\b)[ \t*_`]{{0,6}}(?P<scale>{_NUMBER}))?"
_NO_MORE_DIGITS = r"(?![0-9]|[.,][0-9])"
# a number right behind the sign
_IMMEDIATE = re.compile(
    rf"(?:{_AROUND}|[|:=~≈<>({{\[]){{0,40}}+(?:(?:about|approximately|roughly|around|exactly|only|just|a|is|of)[ \t]+)?"
    rf"[*_`]{{0,6}}+(?P<number>{_NUMBER}){_SCALE}{_NO_MORE_DIGITS}"
)
_ANY_NUMBER = re.compile(rf"(?<![0-9A-Za-z.,_])(?P<number>{_NUMBER}){_SCALE}{_NO_MORE_DIGITS}(?![A-Za-z0-9])")
_ARITHMETIC = re.compile(r"[0-9.+\-−–*×xX·⋅/÷()\[\]%\\ \t=_`]+")
_FORMULA = re.compile(
    rf"[ \t*_`]*+(?:\(|{_NUMBER}[ ]?%?[ \t]*+(?:/[ \t]*+{_NUMBER})?[ \t]*+[)]?[ \t]*+\\?[+*×xX·⋅÷−–-][ \t*]*+"
    r"\(?[ \t]*+[0-9])"
)
_BRACKETS = re.compile(r"\([^()]{0,200}\)|\[[^\[\]]{0,200}\]")
_SLOT = re.compile(r"[ \t*_`\"']*<[A-Za-z][^\n>]{0,60}>(?:[ ]?/[ ]?100)?[^0-9\n]*$")
# "0.4 * depth …": the number is a weight
_FACTOR = re.compile(r"[ \t]*[*×xX·][ \t]*\(?[A-Za-z]")
_WEIGHT = r"(?:0?\.[0-9]{1,4}|[0-9]{1,2}[ ]?%)"
_NAMED = r"\(?[ \t]{0,3}[A-Za-z][A-Za-z_ ]{0,40}\)?"
_WEIGHTED = rf"(?:{_WEIGHT}[ \t]*(?:[*×xX·][ \t]*)?{_NAMED}|{_NAMED}[ \t]*[*×x·(][ \t]*{_WEIGHT}\)?)"
_INSTRUCTION = re.compile(rf"[ \t*_`(]*{_WEIGHTED}(?:[ \t]*[+,;&][ \t]*{_WEIGHTED}){{1,20}}[ \t*_`).]*$")
_NUMBER_WORDS = re.compile(
    r"(?i)\W*(?:(?:about|approximately|roughly|around|exactly|only|just)\W+)?(?:zero|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen|(?:twen|thir|for|fif|six|seven|eigh|"
    r"nine)ty|hundred|none|nil|n/?a)\b"
)
_DENIED = re.compile(r"(?i)\b(?:not|no|never|instead|rather|than)\b|n['’]t\b|~~")
_ANY_UNSEEN = re.compile(f"[{UNSEEN}{_RARELY_UNSEEN}]")


def reads_like_total(name: str) -> bool:
    """Whether a name reads like that of the total, whatever it is written with."""
    return (
        len(name) < _LONGEST_TAIL and _weighted_total("ascii" if name.isascii() else "rare").fullmatch(name) is not None
    )


def said_behind(piece: str) -> Said | None:
    """What stands behind the label of a score line that cannot be read; None when it is nothing but words."""
    tail = piece[:_LONGEST_TAIL].lstrip(" \t,;.…")
    form = _FORM.match(tail)
    rest = tail if form is None else tail[form.end() :]
    sign = (form and form["sign"]) or ""
    # "WEIGHTED_TOTAL is made of 4 parts" heads an explanation
    return said_by(rest, sign=sign or "=", strict=bool(sign) or _IMMEDIATE.match(rest) is not None)


def said_by(rest: str, *, sign: str, strict: bool = False) -> Said | None:
    """What the words behind a label and its sign say; None when they say nothing about a score.

    When `strict`, they are all that a score line has: what cannot be read is no harmless remark then.
    """
    if _SLOT.match(rest) or _INSTRUCTION.match(rest):
        return None
    if not rest.isascii() and (_ANY_UNSEEN.search(rest) or any(c.isnumeric() and not c.isascii() for c in rest)):
        return CANNOT_BE_TOLD
    formula = rest
    run = _ARITHMETIC.match(rest)
    if run is not None and "=" in run[0]:
        rest = rest[run[0].rindex("=") + 1 :]
    elif _FORMULA.match(rest) and run is not None:
        result = computed(run[0].strip(" \t*_`").rstrip("(-–+*[ ") if rest[run.end() :] else run[0].strip(" \t*_`"))
        return CANNOT_BE_TOLD if result is None else Said(frozenset({result}), rough=True)
    lead = _IMMEDIATE.match(rest)
    if lead is None:
        return _in_words(rest, formula, sign, strict=strict)
    if lead["number"].startswith("0") and lead["number"][1:2].isdigit():
        return CANNOT_BE_TOLD
    behind = rest[lead.end() :]
    if not strict and _FACTOR.match(behind):
        return None
    if _DENIED.search(rest[: lead.start("number")]) or "~~" in rest[: lead.end() + 3]:
        return CANNOT_BE_TOLD
    numbers = {_out_of_hundred(lead)}
    for match in _ANY_NUMBER.finditer(_BRACKETS.sub(" ", behind)):
        if _scale(match) in (None, _HUNDRED) and not (match["percent"] and match["number"] == "100"):
            numbers.add(_out_of_hundred(match))
    if numbers == {Fraction(100)} and lead["percent"]:
        return None  # a weight
    if lead["percent"] and lead["number"] == "100":
        numbers.discard(Fraction(100))
    if re.match(r"[A-Za-z0-9,.]*[A-Za-z0-9]", behind) and not re.match(r"(?i)(?:pts?|points?|th)\b", behind):
        return CANNOT_BE_TOLD  # 1e2, 0x55, 1O0
    if not strict and min(numbers) > 100:
        return None
    return Said(frozenset(numbers))


def _in_words(rest: str, whole: str, sign: str, *, strict: bool) -> Said | None:
    """What is said where no number stands right behind the sign."""
    if strict:
        return CANNOT_BE_TOLD
    if re.match(r"[ \t*_`]*[-+−–.][0-9.]", rest):
        return CANNOT_BE_TOLD
    if _NUMBER_WORDS.match(rest):
        return CANNOT_BE_TOLD
    found = [match for match in _ANY_NUMBER.finditer(rest) if _scale(match) == _HUNDRED]
    if not found and sign != "=":
        found = [match for match in _ANY_NUMBER.finditer(rest) if not rest[match.end() :].strip(" \t*_`\"'.!)]}$")]
    numbers = frozenset(_out_of_hundred(match) for match in found)
    if not numbers or max(numbers) < 1:
        return None
    return CANNOT_BE_TOLD if _DENIED.search(whole) else Said(numbers)


def _scale(match: re.Match[str]) -> Decimal | None:
    return Decimal(match["scale"]) if match["scale"] else None


def _out_of_hundred(match: re.Match[str]) -> Fraction:
    number = Fraction(match["number"])
    scale = Fraction(match["scale"]) if match["scale"] else Fraction(100)
    return number * 100 / scale if scale else Fraction(-1)


def _tail(text: str, start: int, until: int | None = None) -> str:
    """What stands behind a label in its line, so far as a person would look."""
    end = text.find("\n", start, start + _LONGEST_TAIL)
    end = min(len(text), start + _LONGEST_TAIL) if end < 0 else end
    return text[start : end if until is None else min(end, until)]


def _of_member(text: str, at: int) -> Said | None:
    """What a member of JSON says whose name ends before `at`; None for a slot, or the name of something."""
    value = _MEMBER.match(text, at)
    if value is not None:
        return said_by(value["value"] or value["text"], sign="=")
    return CANNOT_BE_TOLD if _NO_VALUE.match(text, at) else said_by(_tail(text, at).lstrip(" \t:="), sign=":")


_ASSIGNED = r"[ \t\n]{0,20}[:=]{1,2}[ \t\n]{0,20}"
_MEMBER = re.compile(
    rf"{_ASSIGNED}(?:\"(?P<text>[^\"\n]{{0,200}}[0-9][^\"\n]{{0,200}})\"|(?P<value>[-+]?[0-9.][^\n,}}\]]{{0,200}}))"
)
_NO_VALUE = re.compile(rf"{_ASSIGNED}(?:null|None|true|false|True|False|NaN|\"[^\"\n<]{{0,200}}\"|\{{|\[)")

# --- what stands below a label ------------------------------------------------------------------------------------

_DELIMITERS = re.compile(r"[ \t>]*+\|?(?:[ \t]*+:?-++:?[ \t]*+\|?)++[ \t]*+$")
_BELOW = re.compile(r"[^\n]{0,100}\n(?:[ \t>*_`#=:-]{0,80}\n){0,5}(?P<line>[^\n]{0,300})")
_MOST_ROWS = 50


class Below:
    """What stands below labels that end their lines, or head columns."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._left = _MOST_BELOW

    def said(self, end: int, *, exact: bool = False, signed: bool = False) -> Said | None:
        """What is said below a label that ends at `end`; None for reasons and other words.

        Unless it is `exact`ly the label of the total, or `signed`, only a line that is nothing but a number counts.
        """
        text = self._text
        self._left -= 1
        if self._left < 0:
            return CANNOT_BE_TOLD
        start = _begin(text, end)
        stop = text.find("\n", end, end + 1000)
        if stop < 0:
            return None
        head = text[start:stop]
        under = text[stop + 1 : stop + 1000].partition("\n")[0]
        if "|" in head and _DELIMITERS.match(under):
            return _column(text, stop + len(under) + 2, _cells(head[: end - start]) - 1, _cells(head), exact=exact)
        match = _BELOW.match(text, end)
        return None if match is None else _alone(match["line"], exact=exact or signed)


def _alone(line: str, *, exact: bool) -> Said | None:
    """What a line says that stands below a label."""
    line = line.lstrip(" \t>*_`#|:=-")
    lead = _IMMEDIATE.match(line)
    if _FORMULA.match(line) and lead and _scale(lead) is None:
        return said_by(line, sign=":")
    if lead is not None:
        behind = _BRACKETS.sub("", line[lead.end() :]).strip(_END)
        if exact or not behind or _scale(lead) == _HUNDRED:
            return said_by(line, sign=":")
    if exact and _NUMBER_WORDS.match(line):
        return CANNOT_BE_TOLD
    found = [each for each in _ANY_NUMBER.finditer(line) if _scale(each) == _HUNDRED]
    if not found:
        return None
    return CANNOT_BE_TOLD if _DENIED.search(line) else Said(frozenset(_out_of_hundred(each) for each in found))


_END = " \t*_`.!|\"'"


def _cells(row: str) -> int:
    return row.lstrip(" \t>").removeprefix("|").count("|") + 1


def _column(text: str, start: int, index: int, width: int, *, exact: bool) -> Said | None:
    numbers: set[Fraction] = set()
    rows = 0
    for row in text[start : start + 20_000].split("\n")[:_MOST_ROWS]:
        cells = row.lstrip(" \t>").removeprefix("|").split("|")
        if "|" not in row or len(cells) < min(width, index + 1):
            break
        rows += 1
        said = said_by(cells[index], sign="|")
        if said is not None:
            numbers |= said.numbers or {Fraction(-1)}
    # a column under other words holds the parts of a total more often than the total
    return Said(frozenset(numbers)) if numbers and (exact or rows == 1) else None

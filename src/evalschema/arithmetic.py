"""What the arithmetic in a verdict comes to: `(8 × 2.5) + 40% × 80`, as people write it."""

from __future__ import annotations

import re
from fractions import Fraction

# No formula of a verdict is longer; a longer one is not computed.
LONGEST = 500
_TOKEN = re.compile(r"[ \t\\]*+(?:([0-9]{1,12}(?:\.[0-9]{1,12})?)|([-+−–*×xX·⋅/÷()\[\]%]))")
_TRAILING = " \t\\"
_SIGNS = str.maketrans("−–×xX·⋅÷[]", "--*****/()")


def computed(formula: str) -> Fraction | None:
    """The exact value of a formula of numbers, + - * / ( ) and %; None when it is none, or divides by zero."""
    tokens = _tokens(formula)
    if tokens is None:
        return None
    try:
        value, rest = _sum(tokens, 0)
    except (ValueError, ZeroDivisionError, RecursionError):
        return None
    return value if rest == len(tokens) else None


def _tokens(formula: str) -> list[str] | None:
    if len(formula) > LONGEST:
        return None
    formula = formula.rstrip(_TRAILING)
    tokens: list[str] = []
    at = 0
    while at < len(formula):
        match = _TOKEN.match(formula, at)
        if match is None:
            return None
        tokens.append(match[1] or match[2].translate(_SIGNS))
        at = match.end()
    return tokens


def _sum(tokens: list[str], at: int) -> tuple[Fraction, int]:
    value, at = _product(tokens, at)
    while at < len(tokens) and tokens[at] in "+-":
        other, after = _product(tokens, at + 1)
        value = value + other if tokens[at] == "+" else value - other
        at = after
    return value, at


def _product(tokens: list[str], at: int) -> tuple[Fraction, int]:
    value, at = _factor(tokens, at)
    while at < len(tokens) and tokens[at] in "*/":
        other, after = _factor(tokens, at + 1)
        value = value * other if tokens[at] == "*" else value / other
        at = after
    return value, at


def _factor(tokens: list[str], at: int) -> tuple[Fraction, int]:
    if at >= len(tokens):
        raise ValueError("the formula breaks off")
    if tokens[at] == "(":
        value, at = _sum(tokens, at + 1)
        if at >= len(tokens) or tokens[at] != ")":
            raise ValueError("a bracket is not closed")
    elif tokens[at][0].isdigit():
        value = Fraction(tokens[at])
    else:
        raise ValueError("a number is missing")
    at += 1
    if at < len(tokens) and tokens[at] == "%":
        return value / 100, at + 1
    return value, at

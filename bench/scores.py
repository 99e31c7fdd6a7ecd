"""How long reading a stated score takes on texts made to be slow, and how that grows with their size.

    python bench/scores.py [MEGABYTES]

Linear reading shows as a growth near 2 for every doubling.
"""

from __future__ import annotations

import sys
import time

from evalschema.scores import stated_score

CONTEST = "wire:analyst", ("wire:editor",)

# name: the unit that is repeated, what precedes it, what follows it
SHAPES: dict[str, tuple[str, str, str]] = {
    "score lines": ("WEIGHTED_TOTAL: 85\n", "", ""),
    "score lines, each another": ("WEIGHTED_TOTAL: 85 ({i})\n", "", ""),
    "label without end": ("WEIGHTED_TOTAL ", "", ""),
    "formula lines": ("WEIGHTED_TOTAL = (8 x 2.5) + (7 x 2.5) = 37.5\n", "", ""),
    "one formula": ("1+", "WEIGHTED_TOTAL: ", ""),
    "equal signs": ("1=", "WEIGHTED_TOTAL: ", ""),
    "digits": ("9", "WEIGHTED_TOTAL: ", ""),
    "digit lines": ("1\n", "", ""),
    "unreadable lines": ("WEIGHTED_TOTAL: x\n", "", "WEIGHTED_TOTAL: 85"),
    "unreadable lines, each another": ("WEIGHTED_TOTAL: x{i}\n", "", "WEIGHTED_TOTAL: 85"),
    "unreadable cells": ("| WEIGHTED_TOTAL x ", "", "\nWEIGHTED_TOTAL: 85"),
    "unreadable formulas": ("| WEIGHTED_TOTAL a*b+", "", "\nWEIGHTED_TOTAL: 85"),
    "strings that break off": ('{"a": "\n', "", "WEIGHTED_TOTAL: 85"),
    "escapes that break off": ('{"\\u00\n', "", "WEIGHTED_TOTAL: 85"),
    "emphasis": ("*", "WEIGHTED_TOTAL: ", ""),
    "quote marks": ("> ", "", "WEIGHTED_TOTAL: 85"),
    "list numbers": ("1. ", "", "WEIGHTED_TOTAL: 85"),
    "bars": ("|", "| WEIGHTED_TOTAL ", ""),
    "rows": ("| WEIGHTED_TOTAL | 85 ", "", ""),
    "cells of a row": ("| 85 ", "| WEIGHTED_TOTAL | 85 ", "|"),
    "comments open": ("<!--", "", ""),
    "comment lines open": ("<!--\n", "", ""),
    "comment open in words": ("a <!--\n", "", "\n\n-->"),
    "comments": ("<!---->", "", ""),
    "comments with a line": ("x <!--\n-->", "", ""),
    "dashes": ("-", "<!-", ""),
    "fences": ("```\n", "<!-- -->\n", ""),
    "fences of growing kinds": ("```\n~~~~\n", "<!-- -->\n", ""),
    "backticks": ("`", "<!-- -->\n", ""),
    "brace lines": ("{\n", "", '\n{"weighted_total": 85}'),
    "broken members": ('{"":1\n', "", '\n{"weighted_total": 85}'),
    "open members": ('{"":{\n', "", '\n{"weighted_total": 85}'),
    "open totals": ('{"weighted_total":{}\n', "", ""),
    "open totals, each another": ('{"weighted_total":{"{i}":1}\n', "", ""),
    "total objects": ('{"weighted_total":85}\n', "", ""),
    "total objects, each another": ('{"weighted_total":85,"i":{i}}\n', "", ""),
    "nested arrays": ("[", '{"weighted_total":85,"a":', ""),
    "empty arrays": ("[],", '{"a":[', '1],"weighted_total":85}'),
    "empty objects": ("{},", '{"a":[', '1],"weighted_total":85}'),
    "numbers": ("1,", '{"a":[', '1],"weighted_total":85}'),
    "one string": ("x", '{"a":"', '","weighted_total":85}'),
    "escapes": ("\\\\", '{"a":"', '","weighted_total":85}'),
    "keys in prose": ('"weighted_total" ', "", ""),
    "blank lines": ("\n", "```", '{"weighted_total":85}'),
    "headings": ("# a\n", "", "WEIGHTED_TOTAL: 85"),
    "contestants' headings": ("## wire:analyst\nWEIGHTED_TOTAL: 85\n## wire:editor\nWEIGHTED_TOTAL: 80\n", "", ""),
    "names in one line": ("wire:analyst ", "", "WEIGHTED_TOTAL: 85"),
    "names in lines": ("wire:analyst\n", "", "WEIGHTED_TOTAL: 85"),
    "names that are none": ("wire:analyst-", "", "WEIGHTED_TOTAL: 85"),
    "remarks": ("so WEIGHTED_TOTAL: 85\n", "", "WEIGHTED_TOTAL: 85"),
    "remarks in one line": ("so weighted total: 85 ", "", "\nWEIGHTED_TOTAL: 85"),
    "remarks, quoted": ('so "weighted total: {i}"\n', "", "WEIGHTED_TOTAL: 85"),
    "labels that break off": ("Weighted tot ", "", "\nWEIGHTED_TOTAL: 85"),
    "first letters": ("w", "", "\nWEIGHTED_TOTAL: 85"),
    "letters spread out": ("W e i g h t ", "", "\nWEIGHTED_TOTAL: 85"),
    "letters that look alike": ("\u0461\u0435", "", "\nWEIGHTED_TOTAL: 85"),
    "unseen characters": ("W\u200b\u200b", "", "\nWEIGHTED_TOTAL: 85"),
    "unseen characters alone": ("\u200b", "W", "\nWEIGHTED_TOTAL: 85"),
    "letters that grow": ("\u0130", "", "\nWEIGHTED_TOTAL: 85"),
    "other words": ("final ", "", "\nWEIGHTED_TOTAL: 85"),
    "other lines": ("Total: 85/100\n", "", "WEIGHTED_TOTAL: 85"),
    "ratings within": ("so RATING: 85 ", "", "\nWEIGHTED_TOTAL: 85"),
    "boxes": ("\\boxed{85}", "", "\nWEIGHTED_TOTAL: 85"),
    "columns": ("| WEIGHTED_TOTAL |\n|---|\n" + "| 85 |\n" * 40, "", "WEIGHTED_TOTAL: 85"),
    "columns of words": ("| Weighted total |\n|---|\n| 85 |\n", "", "WEIGHTED_TOTAL: 85"),
    "members": ('"weighted_total": 85\n', "", "WEIGHTED_TOTAL: 85"),
    "reordering": ("\u202e\n", "", "WEIGHTED_TOTAL: 85"),
    "reordered lines": ("\u202e| WEIGHTED_TOTAL: 85 \n", "", "WEIGHTED_TOTAL: 85"),
    "reordered cells": ("| WEIGHTED_TOTAL: 85 ", "\u202e", "\nWEIGHTED_TOTAL: 85"),
    "quotation marks": ('"', "", "\nWEIGHTED_TOTAL: 85"),
    "lines that are empty": ("\n", "", "WEIGHTED_TOTAL: 85"),
    "one line": ("a verdict in words ", "", "\nWEIGHTED_TOTAL: 85"),
    "words in lines": ("The answer names the cause and repairs it, but lacks a test.\n", "", "WEIGHTED_TOTAL: 85"),
    "words of another script": ("\u041e\u0442\u0432\u0435\u0442\n", "", "WEIGHTED_TOTAL: 85"),
    "rare letters": ("\U0001d416\U0001d404", "", "\nWEIGHTED_TOTAL: 85"),
}


def text_of(name: str, size: int, *, contest: bool = False) -> str:
    """The text of a shape, about `size` characters long; of a contest the total at its end says whose it is."""
    unit, before, after = SHAPES[name]
    if contest and after.endswith("WEIGHTED_TOTAL: 85"):
        after = f"{after.removesuffix(': 85')} ({CONTEST[0]}): 85\nWEIGHTED_TOTAL ({CONTEST[1][0]}): 80"
    if "{i}" not in unit:
        return before + unit * (size // len(unit)) + after
    return before + "".join(unit.replace("{i}", str(100000 + i)) for i in range(size // (len(unit) + 3))) + after


def seconds(text: str, *, contest: bool) -> float:
    """How long one reading of `text` takes."""
    start = time.process_time()
    if contest:
        stated_score(text, CONTEST[0], extra_labels=True, others=CONTEST[1])
    else:
        stated_score(text, extra_labels=True)
    return time.process_time() - start


def main() -> None:
    size = int(float(sys.argv[1] if len(sys.argv) > 1 else "10") * 1_000_000)
    print(f"{'shape':32} {'solo s':>8} {'growth':>7} {'duel s':>8} {'growth':>7}")
    for name in SHAPES:
        cells: list[str] = []
        for contest in (False, True):
            half, whole = text_of(name, size // 2, contest=contest), text_of(name, size, contest=contest)
            short, long = seconds(half, contest=contest), seconds(whole, contest=contest)
            cells.append(f"{long:8.2f} {long / short:7.1f}")
        print(f"{name:32} {' '.join(cells)}", flush=True)


if __name__ == "__main__":
    main()

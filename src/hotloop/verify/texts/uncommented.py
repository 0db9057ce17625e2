"""A C text without its comments, in each way in which a compiler may tell them from literals.

Compilers know raw strings and apostrophes in numbers or not, and take a literal that its line does not end for one to the line's end or for
none. Each letter is looked at a few times at most: whoever hands in a text must not be able to keep whoever reads it busy.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from dataclasses import dataclass, field
from functools import cached_property

_BEGIN = re.compile(r"/[*/]|[\"']")
_BEGIN_NEWER = re.compile(r"/[*/]|R\"|[\"']|(?<![\w.])\.?[0-9](?:[eEpP][+-]|'\w|[\w.])*")
"""The same, raw strings of C++, and numbers in which apostrophes part digits."""
_INSIDE = {quote: re.compile(rf"{quote}(?:\\.|[^{quote}\\\n])*+", re.DOTALL) for quote in "\"'"}
"""A literal up to the quotation mark that ends it, or to the end of its line."""
_LONGEST = 16
"""Letters of a raw string's delimiter (C++20, 5.13.5)."""
_RAW = re.compile(rf"R\"([^()\\\s]{{0,{_LONGEST}}})\(")


@dataclass(slots=True)
class _Reading:
    """One way to read a text."""

    text: str
    ends: Ends
    newer: bool
    """True for compilers that know raw strings, and apostrophes in numbers."""
    open: bool
    """True for those that take a literal without an end for one to the end of its line."""
    hopeless: dict[str, int] = field(default_factory=lambda: dict.fromkeys("\"'", 0))
    """By quotation mark: up to where no literal that begins there has an end."""

    def plain(self) -> str:
        """Return the text with a blank for each comment."""
        begin = _BEGIN_NEWER if self.newer else _BEGIN
        pieces, kept, place = list[str](), 0, 0
        while (found := begin.search(self.text, place)) is not None:
            place = self._end(found[0], found.start())
            if found[0][0] == "/":
                pieces += (self.text[kept : found.start()], " ")
                kept = place
        return "".join((*pieces, self.text[kept:]))

    def _end(self, begun: str, place: int) -> int:
        """Return where what begins at a place ends."""
        match begun:
            case "/*" | "//":
                mark = "*/" if begun == "/*" else "\n"
                end = self.text.find(mark, place + 2)
                return len(self.text) if end < 0 else end + (len(mark) if begun == "/*" else 0)
            case 'R"':
                return self.ends.of_raw(place) or self._literal('"', place + 1)
            case '"' | "'":
                return self._literal(begun, place)
            case _:
                return place + len(begun)

    def _literal(self, quote: str, place: int) -> int:
        if place < self.hopeless[quote]:
            return place + 1
        found = _INSIDE[quote].match(self.text, place)
        end = found.end() if found else place + 1
        if self.text[end : end + 1] == quote:
            return end + 1
        self.hopeless[quote] = end
        return end if self.open and self.text[end : end + 1] != "\\" else place + 1


@dataclass(frozen=True)
class Ends:
    """Where raw strings of a text end."""

    text: str

    def of_raw(self, place: int) -> int:
        """Return the end of the raw string that begins at a place; 0: it has none, or is none."""
        found = _RAW.match(self.text, place)
        known = self._by_delimiter.get(found[1], []) if found else []
        number = bisect_left(known, found.end()) if found else 0
        return known[number] + len(f'){found[1]}"') if found and number < len(known) else 0

    @cached_property
    def _by_delimiter(self) -> dict[str, list[int]]:
        """Places of parentheses with a delimiter and a quotation mark behind them."""
        places = defaultdict[str, list[int]](list)
        for mark in re.finditer('"', self.text):
            end = mark.start()
            place = self.text.rfind(")", max(0, end - _LONGEST - 1), end)
            if place >= 0:
                places[self.text[place + 1 : end]].append(place)
        return places


def uncommented(text: str) -> dict[str, None]:
    """Return a text without comments in each way, without repetitions, in order."""
    ends = Ends(text)
    ways = ((newer, open_) for newer in (False, True) for open_ in (False, True))
    return dict.fromkeys(_Reading(text, ends, *way).plain() for way in ways)

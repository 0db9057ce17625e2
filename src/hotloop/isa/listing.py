"""Rows of a disassembler's listing in the style of objdump, split into functions before anything is interpreted.

What stands behind an address repeats itself, so that each distinct rest of a row is looked at once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import compress, count, pairwise, repeat

_HEAD = re.compile(r"^(?:[0-9a-fA-F]+ )?<(?P<name>[^>\n]+)>:[ \t]*$", re.MULTILINE)
_HEAD_END = ">:"
_ADDRESSED = re.compile(r"\n[ \t]*(?:0x)?[0-9a-fA-F]+:")
_LINE = re.compile(r"^[ \t]*(?:(?:0x)?([0-9a-fA-F]+):([^\n]*))?", re.MULTILINE)
"""A line: its address and what stands behind it, both empty where it has none, as headers and source."""
_ROW = re.compile(
    r"^([ \t]+"
    r"(?:[-|/\\+>X]+[ \t]+)*+"  # arrows from jumps to where they go
    r"(?:[0-9a-fA-F]{2}(?:[ \t]+|$))*+"  # raw bytes, if the listing shows them
    r"((?!R_)[a-zA-Z{][^#;\s]*)[ \t]*([^#;\n]*)"  # rows with R_ are relocations
    r"[^\n]*)",
    re.MULTILINE,
)
"""What stands behind an address and a colon, the first word of the instruction in it, and what follows."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A listing, cut into rows, which stand in columns, and functions."""

    addresses: Sequence[int]
    keys: Sequence[str]
    """What tells rows apart: rows with the same key hold the same instruction."""
    lines: Sequence[int | None]
    """Line numbers from 1, counted in the whole listing; None: decoded from bytes."""
    functions: Sequence[tuple[str, int, int]]
    """Names in order, each with its first row and the row behind its last one; without a name: rows before the first header."""
    texts: Mapping[str, tuple[str, str]]
    """First word and what follows it, by key."""
    aims: Mapping[str, tuple[str, int]] = field(default_factory=dict)
    """Mnemonic and target, by key, of branches whose targets are known; such keys are not among the texts."""


def addressed(listing: str) -> bool:
    """Tell whether a line begins with an address, as every row of a disassembly does."""
    first, _, _ = listing.partition("\n")
    return _ADDRESSED.search(listing) is not None or _ADDRESSED.match(f"\n{first}") is not None


def cut(listing: str) -> Cut:
    """Return the functions of a listing; lines that hold no instruction (relocations, source, blanks) are skipped."""
    distinct = dict[str, str]()
    places, split = zip(*_LINE.findall(listing), strict=True)
    rests = [
        *map(distinct.setdefault, split, split)
    ]  # equal rests are one object, which every later look-up knows at once
    found = _ROW.findall("\n".join(distinct))
    texts = {distinct[rest]: (word, more.rstrip()) for rest, word, more in found}
    held = [*map(texts.__contains__, rests)]
    keys, lines = [*compress(rests, held)], [*compress(count(1), held)]
    if not keys:
        return Cut((), (), (), (), texts)
    heads = [("", 0), *_heads(listing)]
    bounds = [bisect_right(lines, line) for _, line in heads]
    functions = [(name, *ends) for (name, _), ends in zip(heads, pairwise([*bounds, len(keys)]), strict=True)]
    return Cut([*map(int, compress(places, held), repeat(16))], keys, lines, functions, texts)


def _heads(listing: str) -> Iterator[tuple[str, int]]:
    """Yield the names in headers, with their lines; looked for by the end, as that is found at once."""
    line, seen, place = 1, 0, listing.find(_HEAD_END)
    while place >= 0:
        begin = listing.rfind("\n", seen, place) + 1 or seen
        if (head := _HEAD.match(listing, begin)) is not None:
            line += listing.count("\n", seen, begin)
            seen = begin
            yield head["name"], line
        place = listing.find(_HEAD_END, place + 1)

"""Rows of a disassembler's listing in the style of objdump, split into functions before anything is interpreted.

What stands behind an address repeats itself, so that each distinct rest of a row is looked at once.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import compress, count, pairwise, repeat
from operator import itemgetter

_HEAD = re.compile(r"^(?:[0-9a-fA-F]+ )?<(?P<name>[^>\n]+)>:[ \t]*$", re.MULTILINE)
_HEAD_END = ">:"
_ADDRESS = re.compile(r"[ \t]*(?:0x)?[0-9a-fA-F]+")
_ADDRESSES = re.compile(r"(?:[ \t]*(?:0x)?[0-9a-fA-F]++\n)*")
_REST = re.compile(
    r"[ \t]+"
    r"(?:[-|/\\+>X]+[ \t]+)*+"  # arrows from jumps to where they go
    r"(?:[0-9a-fA-F]{2}(?:[ \t]+|$))*+"  # raw bytes, if the listing shows them
    r"(?P<text>(?!R_)[a-zA-Z{][^#;\n]*)"  # rows with R_ are relocations
)
_FIRST = itemgetter(0)


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
    texts: Mapping[str, str]
    """Mnemonic, prefixes and operands, by key."""


def cut(listing: str) -> Cut:
    """Return the functions of a listing; lines that hold no instruction (relocations, source, blanks) are skipped."""
    starts, _, rests = zip(*map(str.partition, listing.split("\n"), repeat(":")), strict=True)
    texts = dict(_texts(set(rests)))
    rows = list(compress(zip(starts, rests, count(1)), map(texts.__contains__, rests)))
    if not _ADDRESSES.fullmatch("\n".join([*map(_FIRST, rows), ""])):
        rows = [row for row in rows if _ADDRESS.fullmatch(row[0])]  # source with a colon in it
    if not rows:
        return Cut((), (), (), (), texts)
    places, keys, lines = zip(*rows, strict=True)
    heads = [("", 0), *_heads(listing)]
    bounds = [bisect_right(lines, line) for _, line in heads]
    functions = [(name, *ends) for (name, _), ends in zip(heads, pairwise([*bounds, len(rows)]), strict=True)]
    return Cut(list(map(int, places, repeat(16))), keys, lines, functions, texts)


def _texts(rests: set[str]) -> Iterator[tuple[str, str]]:
    """Yield those that hold an instruction, with its text."""
    matches = map(_REST.match, rests)
    return ((rest, match[1].strip()) for rest, match in zip(rests, matches, strict=True) if match is not None)


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

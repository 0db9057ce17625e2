"""Rows of a disassembler's listing in the style of objdump, split into functions before anything is interpreted."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_HEAD = re.compile(r"^(?:[0-9a-fA-F]+ )?<(?P<name>[^>\n]+)>:[ \t]*$", re.MULTILINE)
_ROW = re.compile(
    r"^[ \t]*(?:0x)?(?P<address>[0-9a-fA-F]+):[ \t]+"
    r"(?:[-|/\\+>X]+[ \t]+)*+"  # arrows from jumps to where they go
    r"(?:[0-9a-fA-F]{2}(?:[ \t]+|$))*+"  # raw bytes, if the listing shows them
    r"(?P<text>(?!R_)[a-zA-Z{][^#;\n]*)",  # rows with R_ are relocations
    re.MULTILINE,
)


@dataclass(frozen=True, slots=True)
class Row:
    """One line of a listing that holds an instruction."""

    address: int
    text: str
    """Mnemonic, prefixes and operands."""
    line: int
    """Line number from 1, counted in the whole listing."""


@dataclass(frozen=True, slots=True)
class Section:
    """The rows of one function."""

    name: str
    body: str
    first_line: int

    def rows(self) -> Iterator[Row]:
        """Yield its instructions; lines that are none (relocations, source, blanks) are skipped."""
        line, seen = self.first_line, 0
        for match in _ROW.finditer(self.body):
            line += self.body.count("\n", seen, match.start())
            seen = match.start()
            yield Row(int(match["address"], 16), match["text"].strip(), line)


def sections(listing: str) -> Iterator[Section]:
    """Yield the functions of a listing in order; rows before the first header belong to a function without name."""
    heads = list(_HEAD.finditer(listing))
    starts = [("", 0), *((head["name"], head.end()) for head in heads)]
    ends = [*(head.start() for head in heads), len(listing)]
    line, seen = 1, 0
    for (name, start), end in zip(starts, ends, strict=True):
        line += listing.count("\n", seen, start)
        seen = start
        yield Section(name, listing[start:end], line)

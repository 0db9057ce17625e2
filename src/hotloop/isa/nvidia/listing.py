"""Rows of a SASS listing as nvdisasm (``-c``, with or without ``-hex``, ``-g``, ``-plr``) and cuobjdump (``-sass``) write it.

Instructions of Volta and later are 16 bytes long. A listing whose addresses were cut off is numbered from 0 in each
section. Labels are known only within their section.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from hotloop.errors import UsageError

INSTRUCTION_BYTES = 16
_OLDEST = 70
_HALF_BITS = 64

_ROW = re.compile(
    r"^\s*(?:\[[-\w?:]{12,}\]\s*)?(?:/\*(?P<address>[0-9a-f]{4,8})\*/\s*)?"
    r"(?:(?P<guard>@!?U?P[0-9T]+)\s+)?"
    r"(?P<mnemonic>[A-Z][A-Z0-9_]*(?:\.[A-Za-z0-9_]+)*)"
    r"(?:\s+(?P<operands>[^;]*?))?\s*;"
    r"(?:\s*/\* (?P<low>0x[0-9a-f]{16}) \*/)?"
)
_UNENDED = re.compile(
    r"^([ \t]*(?:/\*[0-9a-f]{4,8}\*/[ \t]*)?(?:@!?U?P[0-9T]+[ \t]+)?[A-Z][A-Z0-9]+(?:\.[A-Z0-9_]+)*(?:[ \t]+(?:[-~!|@\[`(0-9A-Z]|[a-z]+\[).*)?)$",
    re.MULTILINE,
)
"""A row as profilers show it, without the semicolon."""
_ANNOTATED = re.compile(r"(?:[ \t]+(?:&\w+=[^\s;]+|\?\w+))+(?=[ \t]*(?:;|$))", re.MULTILINE)
"""What NVIDIA's disassembler writes behind the operands for the newest processors: scoreboards and pauses, which the encoding holds."""
_NOTES = ("?trans", "?WAIT")
_HIGH = re.compile(r"^\s*/\* (0x[0-9a-f]{16}) \*/\s*(?://.*)?$")
_LABEL = re.compile(r"^\s*([\w.$@]+):\s*(?://.*)?$")
_SECTION = re.compile(r"^\s*\.section\s+\.text\.([^\s,\"]+)")
_FUNCTION = re.compile(r"^\s*\.type\s+([^\s,]+),\s*@function|^\s*Function\s*:\s*(\S+)")
_TARGET = re.compile(r"^\s*(?:\.target\s+|code for )(sm_\d+[a-z]?)|EF_CUDA_SM(\d+)")
_GOAL = re.compile(r"`\(([^)]+)\)|(?:^|[\s,])(0x[0-9a-f]+)$")
_GOALS = re.compile(r'BRANCH_TARGETS ([^"]*)"')


class Row(NamedTuple):
    """One line of a SASS listing that holds an instruction; a tuple, as listings have many."""

    address: int
    guard: str
    """Predicate with ``@``; empty: always executed."""
    mnemonic: str
    operands: str
    line: int
    """Line number from 1, counted in the whole listing."""
    encoding: int | None
    """The 128 bits of the instruction; None: the listing does not show them."""
    targets: tuple[int, ...]
    """Addresses that the operands name in this section: of a branch, a call, or several of an indexed branch."""


@dataclass(frozen=True, slots=True)
class Routine:
    """The rows of one function."""

    name: str
    target: str
    """Processor, e.g. ``sm_90``; empty when the listing does not say."""
    rows: tuple[Row, ...]


@dataclass(slots=True)
class _Draft:
    address: int
    guard: str
    mnemonic: str
    operands: str
    line: int
    low: int | None
    high: int | None = None


@dataclass(slots=True)
class _Section:
    """What is collected until a section ends and its labels are all known."""

    labels: dict[str, int] = field(default_factory=dict)
    waiting: list[str] = field(default_factory=list)
    """Labels whose address the next instruction tells."""
    parts: list[tuple[str, list[_Draft]]] = field(default_factory=lambda: [("", [])])
    following: int = 0
    """Address after the last instruction."""

    def add(self, draft: _Draft) -> None:
        for label in self.waiting:
            self.labels[label] = draft.address
        self.waiting.clear()
        self.parts[-1][1].append(draft)
        self.following = draft.address + INSTRUCTION_BYTES

    def routines(self, target: str) -> Iterator[Routine]:
        for name, drafts in self.parts:
            if drafts:
                yield Routine(name, target, tuple(_row(draft, self.labels) for draft in drafts))


def routines(listing: str) -> Iterator[Routine]:
    """Yield the functions of a listing in order; lines that are no instructions are skipped.

    Raises:
        UsageError: the code is for a processor before Volta, whose instructions are laid out differently.
    """
    section, target, declared = _Section(), "", set[str]()
    if any(mark in listing for mark in _NOTES):
        listing = _ANNOTATED.sub("", listing)
    listing = listing if ";" in listing else _UNENDED.sub(r"\1 ;", listing)
    for number, text in enumerate(listing.split("\n"), 1):
        if text.lstrip()[:5] == "/* 0x":  # of the form of no row, and every other line of many listings
            if (match := _HIGH.match(text)) is not None:
                _complete(section, int(match[1], 16))
        elif (match := _ROW.match(text)) is not None:
            section.add(_draft(match, section.following, number))
        elif (match := _LABEL.match(text)) is not None:
            section.waiting.append(match[1])
            if match[1] in declared:
                section.parts.append((match[1], []))
        elif (match := _SECTION.match(text)) is not None:
            yield from section.routines(target)
            section = _Section(parts=[(match[1], [])])
        elif (match := _FUNCTION.match(text)) is not None:
            declared.add(match[1])
            if match[2]:
                yield from section.routines(target)
                section = _Section(parts=[(match[2], [])])
        elif (match := _TARGET.search(text)) is not None:
            target = _processor(match[1] or f"sm_{match[2]}")
    yield from section.routines(target)


def _draft(match: re.Match[str], following: int, line: int) -> _Draft:
    address, guard, mnemonic, operands, low = match.groups()
    place = int(address, 16) if address else following
    return _Draft(place, guard or "", sys.intern(mnemonic), operands or "", line, int(low, 16) if low else None)


def _complete(section: _Section, high: int) -> None:
    """Give the upper half of an encoding to the instruction on the line before."""
    drafts = section.parts[-1][1]
    if drafts and drafts[-1].low is not None and drafts[-1].high is None:
        drafts[-1].high = high


def _row(draft: _Draft, labels: dict[str, int]) -> Row:
    encoding = None
    if draft.low is not None and draft.high is not None:
        encoding = draft.high << _HALF_BITS | draft.low
    targets = _targets(draft.operands, labels) if "`" in draft.operands or "0x" in draft.operands else ()
    return Row(draft.address, draft.guard, draft.mnemonic, draft.operands, draft.line, encoding, targets)


def _targets(operands: str, labels: dict[str, int]) -> tuple[int, ...]:
    """Return the addresses that the operands may name; only those of branches and calls mean anything."""
    if (several := _GOALS.search(operands)) is not None:
        return tuple(labels[name] for name in several[1].split(",") if name in labels)
    match = _GOAL.search(operands)
    if match is None:
        return ()
    if match[1]:
        return (labels[match[1]],) if match[1] in labels else ()
    return (int(match[2], 16),)


def _processor(name: str) -> str:
    if int(re.sub(r"\D", "", name)) < _OLDEST:
        raise UsageError(f"the listing is for {name}; SASS is read from sm_{_OLDEST} (Volta) on, compile for that.")
    return name

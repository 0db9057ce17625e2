"""Listings of AArch64 cut into functions: objdump's and llvm-objdump's rows, and compilers' assembly text, Apple's arrangement included.

A ``#`` begins a constant here, no comment. In assembly text there are no addresses: rows stand `STEP` apart, as instructions do.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final, NamedTuple

STEP: Final = 4
"""Bytes of every instruction."""
_ADDRESSED = re.compile(
    r"^\s*(?:0x)?([0-9a-fA-F]+):\s+(?:[0-9a-f]{8}\s++|(?:[0-9a-f]{2}\s){4}\s*+)?+(?!R_)([a-zA-Z.<].*)$"
)
_UNREAD = re.compile(r"<unknown>|\.inst\b|\.long\b|undefined\b")
UNREAD: Final = "unknown"
"""Mnemonic of an instruction that the disassembler did not know."""
_HEAD = re.compile(r"^(?:[0-9a-fA-F]+ )?<([^>\n]+)>:\s*$")
_LABEL = re.compile(r"^\s*(\"[^\"]+\"|[\w.$]+(?:\(.*\))?):(?!\S)\s*(.*)$")
_COMMENT = re.compile(r"\s*(?://|;|@ ).*$")
_CODE = re.compile(r"^([a-z][a-z0-9]*(?:\.[a-z0-9]+)?)(?:\s+(\S.*?))?\s*$")
_LOCAL = re.compile(r"\.|L(?:BB|tmp|loh|\d|[A-Z]*\d)|ltmp\d|\$|\d")
"""Labels inside of functions, by what they begin with."""
_BRANCH = re.compile(r"b|bc?\.\w+|cbn?z|cb[a-z]+|tbn?z")
_AIM = re.compile(r"#?(?:0x)?([0-9a-f]+)(?:\s*<.*)?$")
_ARRANGED = re.compile(r"([a-z]\w*)\.(\d*[bhsdq])")
_BARE_VECTOR = re.compile(r"\bv(\d+)(?![\w.])")


class Row(NamedTuple):
    """One instruction as it is written, in small letters."""

    address: int
    mnemonic: str
    operands: str
    target: int | None
    line: int


@dataclass(slots=True)
class Routine:
    """A function's rows, and in assembly text the labels among them."""

    name: str
    rows: list[Row] = field(default_factory=list)
    labels: dict[str, int] = field(default_factory=dict)


def routines(listing: str) -> tuple[list[Routine], bool]:
    """Return the functions that have rows, and whether their addresses are real."""
    lines = listing.splitlines()
    found = list(_disassembled(lines))
    if found:
        return found, True
    return list(_assembled(lines)), False


def _disassembled(lines: Sequence[str]) -> Iterator[Routine]:
    current = Routine("")
    for number, line in enumerate(lines, 1):
        row = _ADDRESSED.match(line)
        if row is None:
            if (head := _HEAD.match(line)) is not None:
                yield from [current] * bool(current.rows)
                current = Routine(head[1])
            continue
        words = split(row[2])
        if words is not None:
            address = int(row[1], 16)
            current.rows.append(Row(address, *words, aim(*words, address), number))
    yield from [current] * bool(current.rows)


def _assembled(lines: Sequence[str]) -> Iterator[Routine]:
    current = Routine("")
    for number, line in enumerate(lines, 1):
        label = _LABEL.match(line) if ":" in line else None
        if label is not None:
            name = label[1].strip('"')
            if not _LOCAL.match(name):
                yield from _resolved(current)
                current = Routine(name)
            current.labels[name] = len(current.rows) * STEP
        words = split(line if label is None else label[2])
        if words is not None:
            current.rows.append(Row(len(current.rows) * STEP, *words, None, number))
    yield from _resolved(current)


def _resolved(routine: Routine) -> Iterator[Routine]:
    """Yield a function of assembly text, its branches aimed at where their labels stand; nothing where it has no rows."""
    if not routine.rows:
        return
    known = {name.lower(): address for name, address in routine.labels.items()}
    routine.rows = [
        row._replace(target=known.get(row.operands.rpartition(",")[2].strip())) if goes(row.mnemonic) else row
        for row in routine.rows
    ]
    yield routine


@lru_cache(maxsize=1 << 14)
def split(text: str) -> tuple[str, str] | None:
    r"""Return mnemonic and operands of a row, in small letters; None: it holds no instruction.

    >>> split("\tfmla.4s\tv0, v1, v2[1] ; a comment"), split(".p2align 4"), split("add x0, x0, #1")
    (('fmla', 'v0.4s, v1.4s, v2.4s[1]'), None, ('add', 'x0, x0, #1'))
    """
    if _UNREAD.match(text):
        return UNREAD, ""
    code = _CODE.match(_COMMENT.sub("", text).strip().lower())
    if code is None:
        return None
    mnemonic, operands = code[1], code[2] or ""
    if "." in mnemonic and not goes(mnemonic):
        arranged = _ARRANGED.fullmatch(mnemonic)
        if arranged is None:
            return None
        return arranged[1], _BARE_VECTOR.sub(rf"v\1.{arranged[2]}", operands)
    return mnemonic, operands


@lru_cache(maxsize=1 << 10)
def goes(mnemonic: str) -> bool:
    """Tell whether an instruction branches to where it says."""
    return _BRANCH.fullmatch(mnemonic) is not None


def aim(mnemonic: str, operands: str, address: int) -> int | None:
    """Return the address that a branch goes to.

    None: it is computed, or the linker has not put it in yet, which lets the branch go to itself.
    """
    found = _AIM.match(operands.rpartition(",")[2].strip()) if goes(mnemonic) else None
    target = int(found[1], 16) if found else None
    return None if target == address and mnemonic == "b" else target

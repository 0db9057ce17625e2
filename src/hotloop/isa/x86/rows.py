"""Rows of x86 code made instructions: prefixes, the stack's registers, where branches go.

Equal rows of a listing share one look, as far as the stack has the same registers.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat

from hotloop.isa.instruction import Function, Instruction, InstructionKind, Traits
from hotloop.isa.listing import Cut
from hotloop.isa.x86 import att
from hotloop.isa.x86.classify import classify

_BRANCH = InstructionKind.BRANCH
_TARGET = re.compile(r"^(?:0x)?([0-9a-f]+)(?:\s|$)")
_PREFIXES = frozenset(
    [
        "data16",
        "addr32",
        "lock",
        "rep",
        "repe",
        "repz",
        "repne",
        "repnz",
        "bnd",
        "notrack",
        "cs",
        "ds",
        "es",
        "ss",
        "fs",
        "gs",
        "xacquire",
        "xrelease",
        "{vex}",
        "{evex}",
    ]
)
_NARROWER = {f"r{name}": (f"e{name}",) for name in ("ax", "bx", "cx", "dx", "si", "di", "bp")}
"""Names of the lower halves, whose writes clear the upper half; r8..r15 only get a final d."""
_KEEPS = frozenset(["pop", "push", "cmp", "test", "call", "jmp"])
"""Mnemonics that do not change their first operand, or restore it."""


_Row = tuple[str, str, Traits, int | None]
"""Mnemonic, operands, meaning, target of a branch."""
_STACK = frozenset({"rsp"})


class Page:
    """The rows of a listing; each distinct one is looked at once."""

    def __init__(self, cut: Cut, *, turned: bool = False) -> None:
        """Take a listing; `turned`: it is in AT&T syntax."""
        self._cut = cut
        self._rows = {key: _row(text, turned=turned) for key, text in cut.texts.items()}
        moves = ((key, row[1]) for key, row in self._rows.items() if row[0] == "mov" and row[1].endswith("rsp"))
        self._copies = {key: operands.partition(",")[0] for key, operands in moves if "[" not in operands}
        """Registers that become copies of ``rsp``, by key."""

    def functions(self, code_bytes: int | None = None) -> Iterator[Function]:
        """Yield the functions that have rows; which registers address the stack frame is a property of the whole function."""
        for name, begin, end in self._cut.functions:
            if begin == end:
                continue
            keys = self._cut.keys[begin:end]
            framed = self._copies and not self._copies.keys().isdisjoint(keys)
            yield Function(name, self._made(self._framed(keys) if framed else self._rows, begin, end), code_bytes)

    def _made(self, rows: Mapping[str, _Row], begin: int, end: int) -> tuple[Instruction, ...]:
        """Return instructions; by columns and without their constructor, which takes half of the time."""
        cut = self._cut
        columns = zip(*map(rows.__getitem__, cut.keys[begin:end]), strict=True)
        parts = zip(cut.addresses[begin:end], *columns, cut.lines[begin:end], strict=True)
        return tuple(map(tuple.__new__, repeat(Instruction), parts))

    def _framed(self, keys: Sequence[str]) -> Mapping[str, _Row]:
        """Return the rows of a function that copies ``rsp``."""
        rows = {key: self._rows[key] for key in keys}
        copied = {self._copies[key] for key in self._copies.keys() & rows}
        frame = _frame_registers(copied, rows.values())
        for register in frame - _STACK:
            touched = [(key, row) for key, row in rows.items() if register in row[1] and "[" in row[1]]
            for key, (mnemonic, operands, _, target) in touched:
                rows[key] = mnemonic, operands, classify(mnemonic, operands, frame), target
        return rows


def _row(text: str, *, turned: bool) -> _Row:
    """Return what a row's text says, in Intel's syntax and without prefixes."""
    low = text.lower()
    mnemonic, _, operands = low.partition(" ")
    if "\t" in mnemonic:
        mnemonic, _, operands = low.partition("\t")
    operands = operands.strip()
    if mnemonic in _PREFIXES:
        mnemonic, operands = _unprefixed(mnemonic, operands)
    if turned:
        mnemonic, operands = att.intel(mnemonic, operands)
    traits = classify(mnemonic, operands)
    aim = _TARGET.match(operands) if traits.kind is _BRANCH else None
    return mnemonic, operands, traits, int(aim[1], 16) if aim else None


def _unprefixed(mnemonic: str, operands: str) -> tuple[str, str]:
    """Return mnemonic and operands without prefixes; capstone keeps them in the mnemonic, objdump in front of it."""
    words = f"{mnemonic} {operands}".split()
    while len(words) > 1 and words[0] in _PREFIXES:
        words.pop(0)
    return words[0], " ".join(words[1:])


def _frame_registers(copied: Iterable[str], rows: Iterable[_Row]) -> frozenset[str]:
    """Return the registers that point into the stack frame for the whole function.

    ``rsp`` always does. Others do when they are set from ``rsp`` by a move, and by nothing else except the ``pop`` that
    gives them back: the frame pointer ``rbp``, and ``rbx`` where the frame is realigned. A register that only begins as a
    copy of ``rsp`` (memory reserved on the stack at run time, such as work-group local memory) is overwritten later.
    """
    names = {r: (r, *_NARROWER.get(r, (f"{r}d",))) for r in copied}
    every = tuple(chain.from_iterable(names.values()))
    changed = {_changed(row) for row in rows if row[1].startswith(every)}
    return _STACK.union(r for r, own in names.items() if changed.isdisjoint(own))


def _changed(row: _Row) -> str:
    """Return the first operand, where it may be a register that becomes anything but a copy of ``rsp``."""
    first, _, rest = row[1].partition(",")
    return "" if row[0] in _KEEPS or (row[0] == "mov" and rest.strip() == "rsp") else first

"""Rows of x86 code made instructions, with the registers that address the stack.

Equal rows of a listing share one look, as far as the stack has the same registers.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, repeat

from hotloop.isa.instruction import Function, Instruction
from hotloop.isa.listing import Cut
from hotloop.isa.x86.classify import classify
from hotloop.isa.x86.glance import GLANCE
from hotloop.isa.x86.row import Row

_NARROWER = {f"r{name}": (f"e{name}",) for name in ("ax", "bx", "cx", "dx", "si", "di", "bp")}
"""Names of the lower halves, whose writes clear the upper half; r8..r15 only get a final d."""
_KEEPS = frozenset(["pop", "push", "cmp", "test", "call", "jmp"])
"""Mnemonics that do not change their first operand, or restore it."""


_STACK = frozenset({"rsp"})


class Page:
    """The rows of a listing; each distinct one is looked at once."""

    def __init__(self, cut: Cut, *, turned: bool = False) -> None:
        """Take a listing; `turned`: it is in AT&T syntax."""
        self._cut = cut
        GLANCE.forget()
        rows = GLANCE.turned(cut.texts.values()) if turned else map(GLANCE.row, cut.texts.values())
        self._rows = dict(zip(cut.texts, rows, strict=True))
        self._rows.update(zip(cut.aims, GLANCE.aimed(cut.aims.values(), turned=turned), strict=True))
        moves = ((key, self._rows[key]) for key, (_, more) in cut.texts.items() if "rsp" in more or "RSP" in more)
        copies = ((key, row[1]) for key, row in moves if row[0] == "mov" and row[1].endswith("rsp"))
        self._copies = {key: operands.partition(",")[0] for key, operands in copies if "[" not in operands}
        """Registers that become copies of ``rsp``, by key."""

    def functions(self, code_bytes: int | None = None) -> Iterator[Function]:
        """Yield the functions that have rows; which registers address the stack frame is a property of the whole function."""
        for name, begin, end in self._cut.functions:
            if begin == end:
                continue
            keys = self._cut.keys[begin:end]
            framed = self._copies and not self._copies.keys().isdisjoint(keys)
            yield Function(name, self._made(self._framed(keys) if framed else self._rows, begin, end), code_bytes)

    def _made(self, rows: Mapping[str, Row], begin: int, end: int) -> tuple[Instruction, ...]:
        """Return instructions; by columns and without their constructor, which takes half of the time."""
        cut = self._cut
        columns = zip(*map(rows.__getitem__, cut.keys[begin:end]), strict=True)
        parts = zip(cut.addresses[begin:end], *columns, cut.lines[begin:end], strict=True)
        return tuple(map(tuple.__new__, repeat(Instruction), parts))

    def _framed(self, keys: Sequence[str]) -> Mapping[str, Row]:
        """Return the rows of a function that copies ``rsp``; most give a copy away, and have no other frame for it."""
        own = set(keys)
        copied = {self._copies[key] for key in self._copies.keys() & own}
        frame = _frame_registers(copied, map(self._rows.__getitem__, own))
        if frame == _STACK:
            return self._rows
        rows = {key: self._rows[key] for key in own}
        for register in frame - _STACK:
            touched = [(key, row) for key, row in rows.items() if register in row[1] and "[" in row[1]]
            for key, (mnemonic, operands, _, target) in touched:
                rows[key] = mnemonic, operands, classify(mnemonic, operands, frame), target
        return rows


def _frame_registers(copied: Iterable[str], rows: Iterable[Row]) -> frozenset[str]:
    """Return the registers that point into the stack frame for the whole function.

    ``rsp`` always does. Others do when they are set from ``rsp`` by a move, and by nothing else except the ``pop`` that
    gives them back: the frame pointer ``rbp``, and ``rbx`` where the frame is realigned. A register that only begins as a
    copy of ``rsp`` (memory reserved on the stack at run time, such as work-group local memory) is overwritten later.
    """
    names = {r: (r, *_NARROWER.get(r, (f"{r}d",))) for r in copied}
    every = tuple(chain.from_iterable(names.values()))
    changed = {_changed(row) for row in rows if row[1].startswith(every)}
    return _STACK.union(r for r, own in names.items() if changed.isdisjoint(own))


def _changed(row: Row) -> str:
    """Return the first operand, where it may be a register that becomes anything but a copy of ``rsp``."""
    first, _, rest = row[1].partition(",")
    return "" if row[0] in _KEEPS or (row[0] == "mov" and rest.strip() == "rsp") else first

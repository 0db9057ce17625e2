"""Halves of vector registers, which gfx11 and later load, store and compute apart.

A half-word load there replaces 16 bits and leaves the others alone, so that the other half may be read or written while the
load is in flight; LLVM counts on that (`-mattr=+real-true16`). Older processors may write the whole register (with error
correction they do), so there a register is one thing.

A low half has its register's own number, a high half that number plus `HIGH`; registers that are no vector registers have one part.
"""

from __future__ import annotations

import re
from functools import lru_cache

from hotloop.isa.amdgcn import registers
from hotloop.isa.amdgcn.registers import AGPR, Access

HIGH = 1 << 11
_LOW_LOAD = re.compile(r"\w+_load_d16_(b16|[ui]8|format_x)|ds_load_[ui](8|16)_d16")
_HIGH_LOAD = re.compile(r"\w+_load_d16_hi_(b16|[ui]8|format_x)|ds_load_[ui](8|16)_d16_hi")
_LOW_STORE = re.compile(r"\w+_store_b(8|16)")
_HIGH_STORE = re.compile(r"\w+_store_(d16_hi_b(8|16)|b(8|16)_d16_hi)")
_SUFFIX = re.compile(r"v\d+\.([lh])$")


def whole(register: int) -> int:
    """Return the register that a part belongs to."""
    return register % HIGH


def both(numbers: tuple[int, ...]) -> tuple[int, ...]:
    """Return all parts of registers, in ascending order.

    >>> both((1, registers.SCC)) == (1, registers.SCC, 1 + HIGH)
    True
    """
    return (*numbers, *(number + HIGH for number in numbers if number < AGPR))


@lru_cache(maxsize=1 << 16)
def access(mnemonic: str, operands: str) -> Access:
    """Return the parts of registers that an instruction reads and writes.

    >>> access("global_load_d16_hi_b16", "v1, v[4:5], off").writes == (1 + HIGH,)
    True
    >>> 1 + HIGH in access("ds_store_b16", "v9, v1").reads
    False
    """
    used = registers.access(mnemonic, operands)
    halves = _halves(mnemonic, operands)
    if not any(halves):
        return Access(both(used.reads), both(used.writes))
    fields = registers.operands(operands)
    results = 1 if used.writes else 0
    named = list(zip(fields, [*halves, *([""] * len(fields))], strict=False))
    reads = {part for r in used.reads for part in _parts(r, named[results:], named[:results])}
    writes = {part for r in used.writes for part in _parts(r, named[:results], [])}
    return Access(tuple(sorted(reads)), tuple(sorted(writes)))


def held(mnemonic: str, operands: str, holds: tuple[int, ...]) -> tuple[int, ...]:
    """Return the parts of the registers that an operation in flight guards."""
    written = access(mnemonic, operands).writes
    return written if holds and {whole(part) for part in written} == set(holds) else both(holds)


def _halves(mnemonic: str, operands: str) -> list[str]:
    """Return for each operand ``l``, ``h`` or, where it is used whole, nothing."""
    if mnemonic.startswith("v_"):
        return [m[1] if (m := _SUFFIX.match(_bare(field))) else "" for field in operands.split(",")]
    if _LOW_LOAD.fullmatch(mnemonic) or _HIGH_LOAD.fullmatch(mnemonic):
        return ["h" if _HIGH_LOAD.fullmatch(mnemonic) else "l"]
    if not (_LOW_STORE.fullmatch(mnemonic) or _HIGH_STORE.fullmatch(mnemonic)):
        return []
    before = [] if mnemonic.startswith("buffer_") else [""]
    return [*before, "h" if _HIGH_STORE.fullmatch(mnemonic) else "l"]


def _bare(field: str) -> str:
    """Return an operand without sign, bars and modifiers."""
    words = field.strip().lstrip("-|").split(None, 1)
    return words[0].rstrip("|") if words else ""


def _parts(
    register: int, named: list[tuple[tuple[int, ...], str]], otherwise: list[tuple[tuple[int, ...], str]]
) -> set[int]:
    """Return the parts of a register that operands name; `otherwise` are the operands of one that is read without being named."""
    for operands in (named, otherwise):
        halves = {half for numbers, half in operands if register in numbers}
        if halves:
            return {part for half in halves for part in _of(register, half)}
    return set(both((register,)))


def _of(register: int, half: str) -> tuple[int, ...]:
    return {"l": (register,), "h": (register + HIGH,)}.get(half) or both((register,))

"""Halves of registers: what a load of 16 bits will write, and what an instruction touches of a register.

On gfx11 and later one half of a vector register may be used while a load brings the other one: their compilers wait for the half
that is read. Their loads are known by their names, ``global_load_d16_hi_b16`` and ``ds_load_u16_d16_hi``; on earlier processors a
register counts as a whole.
"""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from hotloop.isa.bitset import members

if TYPE_CHECKING:
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.operands import Operand

_LOAD = re.compile(r"(?:global|flat|scratch|buffer)_load_d16(_hi)?_[biu]\d+$|ds_load_[iu]\d+_d16(_hi)?$")
_STORE = re.compile(r"((?:global|flat|scratch|buffer)_store_(?:d16_(hi)_)?b(?:8|16)|ds_store_b(?:8|16)(?:_d16_(hi))?)$")
_LOW, _HIGH, _BOTH = 1, 2, 3


def meeting(ins: Decoded, load: Decoded, mask: int) -> int:
    """Return those registers of `mask` of which an instruction touches what a load, that has not arrived, will write."""
    found = _LOAD.match(load.name)
    if not found or not mask & ins.touches:
        return mask
    half = _HIGH if found[1] or found[2] else _LOW
    return sum(1 << register for register in members(mask & ins.touches) if _touched(ins, register) & half)


def _touched(ins: Decoded, register: int) -> int:
    """Return the halves of a register that an instruction reads or writes."""
    parts = [_part(ins, n, item) for n, item in enumerate(ins.operands) if register in item.registers]
    return _BOTH if not parts else _LOW * any(p & _LOW for p in parts) | _HIGH * any(p & _HIGH for p in parts)


def _part(ins: Decoded, place: int, item: Operand) -> int:
    if item.halved:
        return _HIGH if item.high else _LOW
    if (found := _LOAD.match(ins.name)) and place == 0:
        return _HIGH if found[1] or found[2] else _LOW
    if (found := _STORE.match(ins.name)) and place == (0 if ins.name.startswith("buffer") else 1):
        return _HIGH if found[2] or found[3] else _LOW
    return _BOTH

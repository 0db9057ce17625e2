"""Instructions that turn packed 16-bit values into float32 or back.

bfloat16 is the upper half of a float32, so unpacking is integer work: a shift left by 16 for the low half, a mask for the
high one (reported conv3d work: "conversions are 46 % of the instructions"). The mask may lie in a scalar register.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from hotloop.isa.instruction import Instruction, InstructionKind

_SHIFT = re.compile(r"v_(lshlrev|lshrrev)_b32\w*$")
_MASK = re.compile(r"v_and_b32\w*$")
_HIGH = ("0xffff0000", "-65536")
_CONSTANT = re.compile(r"(s\d+), (?:0xffff0000|-65536)$")


def unpacking(code: Sequence[Instruction], whole: Sequence[Instruction] = ()) -> int:
    r"""Return how many of `code` convert between widths, or move a half of a packed word to where a float has it.

    Args:
        code: what is counted, for instance the hot loop.
        whole: the function that it is part of, where constants in scalar registers are looked for.

    >>> from hotloop.isa.dialects.amdgcn import DIALECT
    >>> [f] = DIALECT.parse("k:\n\tv_lshlrev_b32_e32 v1, 16, v0\n\tv_add_u32_e32 v2, v1, v0\n\ts_endpgm\n")
    >>> unpacking(f.instructions)
    1
    """
    masks = {m[1] for i in whole or code if i.mnemonic == "s_mov_b32" and (m := _CONSTANT.search(i.operands))}
    return sum(_unpacks(instruction, masks) for instruction in code)


def _unpacks(instruction: Instruction, masks: set[str]) -> bool:
    if instruction.kind is InstructionKind.CONVERSION:
        return True
    fields = [field.strip() for field in instruction.operands.split(",")]
    if _SHIFT.match(instruction.mnemonic):
        return len(fields) > 1 and fields[1] == "16"
    return _MASK.match(instruction.mnemonic) is not None and any(f in _HIGH or f in masks for f in fields[1:])

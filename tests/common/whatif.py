"""The same kernel with one wait weaker or gone."""

from __future__ import annotations

import re
from dataclasses import replace

from hotloop.isa.amdgcn.counters import Counter
from hotloop.isa.amdgcn.findings import Wait
from hotloop.isa.instruction import Function, Instruction

_NEVER = 9999
"""No counter gets there: never waits. An assembler would refuse it; the analysis does not."""
_PAIR = re.compile(r"s_wait_\w+cnt_\w+cnt")
_PAIR_MASK, _PAIR_SHIFT = 0x3F, 8


def weakened(function: Function, wait: Wait, count: int | None) -> Function:
    """Return a function where one counter of one wait lets `count` operations pass; None: where it does not wait at all."""
    rows = tuple(_weaker(i, wait.counter, count) if i is wait.instruction else i for i in function.instructions)
    return replace(function, instructions=rows)


def _weaker(instruction: Instruction, counter: Counter, count: int | None) -> Instruction:
    name, text = counter.value, instruction.operands
    value = _NEVER if count is None else count
    if f"{name}(" in text:
        return instruction._replace(operands=re.sub(rf"{name}\(\d+\)", f"{name}({value})", text))
    if _PAIR.fullmatch(instruction.mnemonic):
        return _half(instruction, counter, count)
    head, comma, _ = text.rpartition(",")
    return instruction._replace(operands=f"{head}{comma} {value:#x}")


def _half(instruction: Instruction, counter: Counter, count: int | None) -> Instruction:
    """Change one counter of a paired wait; without it the wait for the other one is left."""
    both, shift = int(instruction.operands, 0), 0 if counter is Counter.DS else _PAIR_SHIFT
    if count is not None:
        return instruction._replace(operands=hex(both & ~(_PAIR_MASK << shift) | count << shift))
    other = both >> _PAIR_SHIFT if counter is Counter.DS else both & _PAIR_MASK
    return instruction._replace(mnemonic=instruction.mnemonic.replace(f"_{counter.value}", "", 1), operands=hex(other))

"""Scratch memory behind a buffer descriptor: which ``buffer_`` accesses of gfx9 and gfx10 go to a work-item's private memory.

Before gfx940 and gfx11 LLVM has no address space of its own for scratch memory in the instruction set: it reads and writes it
through a buffer descriptor. The facts are those of LLVM's "User Guide for AMDGPU Backend" (initial kernel execution state,
kernel prolog, calling convention) and of what clang 22 emits:

- The descriptor comes in ``s[0:3]``, the first user registers of a kernel that has any private memory. The prolog adds the
  wave's offset to its address, ``s_add_u32 sN, sN, sOFFSET`` and ``s_addc_u32 sN+1, sN+1, 0``: in place where the source has
  arrays in private memory, else, for spills alone, in a copy made by ``s_mov_b64 s[N:N+1], s[0:1]``.
- A function that is called finds it in ``s[0:3]``.
- The compiler keeps these four registers for the whole function, so no other descriptor can lie in them.

Where ``scratch_`` instructions exist (gfx940 and later, gfx11 and later, or asked for by an option) they are used throughout.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import takewhile
from operator import itemgetter

from hotloop.isa.amdgcn.classify import spilled
from hotloop.isa.amdgcn.registers import SGPR, access, operands
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.targets.target import Target

_BEHIND_BUFFERS = "private memory behind buffer descriptors"
_PLAIN = (InstructionKind.LOAD, InstructionKind.STORE)
_DESCRIPTOR = 2
"""Place of the descriptor among the operands: data, address, descriptor, offset."""
_WORDS = 4
"""Scalar registers of a descriptor, which begins at a multiple of them."""
_OPERANDS = 3
"""Operands of a scalar addition."""
_PROLOG = frozenset({"s_mov_b64", "s_add_u32", "s_addc_u32"})
_MNEMONIC = itemgetter(Instruction._fields.index("mnemonic"))
_LEAVES = (InstructionKind.BRANCH, InstructionKind.CALL, InstructionKind.RETURN)


def marked(function: Function, scratch_bytes: int | None) -> Function:
    """Return a function whose buffer accesses of private memory are marked as such.

    Args:
        function: its target names the processor.
        scratch_bytes: private memory that the metadata state for a kernel; None: not a kernel, or nothing is stated.
    """
    code = function.instructions
    if not Target.of(function.target).has(_BEHIND_BUFFERS):
        return function
    names = set(map(_MNEMONIC, code))
    if any(name.startswith("scratch_") for name in names) or not any(name.startswith("buffer_") for name in names):
        return function
    first = _first_register(code, scratch_bytes)
    if first is None:
        return function
    rows = list(code)
    for place, name in enumerate(map(_MNEMONIC, code)):
        if name[:7] == "buffer_":
            rows[place] = _marked(code[place], first)
    return replace(function, instructions=tuple(rows))


def _first_register(code: Sequence[Instruction], scratch_bytes: int | None) -> int | None:
    """Return the first of the descriptor's four registers; None when nothing tells of one."""
    if scratch_bytes:
        return _prepared(code)
    ways = (i for i in code if i.traits.ends_block) if scratch_bytes is None else ()
    called = any(i.kind is InstructionKind.RETURN and "endpgm" not in i.mnemonic for i in ways)
    return SGPR if called else None


def _prepared(code: Sequence[Instruction]) -> int | None:
    """Return the first register of the descriptor that a kernel's prolog adds the wave's offset to."""
    holders, added = {SGPR}, set[int]()
    for instruction in takewhile(lambda i: i.kind not in _LEAVES, code):
        named = operands(instruction.operands) if instruction.mnemonic in _PROLOG else ()
        if instruction.mnemonic == "s_mov_b64" and named[1:] == ((SGPR, SGPR + 1),) and SGPR in holders:
            holders.update(r for r in named[0][:1] if (r - SGPR) % _WORDS == 0)
            continue
        if instruction.mnemonic == "s_add_u32" and _in_place(named) and named[0][0] in holders and named[2]:
            added.add(named[0][0])
            continue
        if instruction.mnemonic == "s_addc_u32" and _in_place(named) and named[0][0] - 1 in added:
            return named[0][0] - 1
        written = access(instruction.mnemonic, instruction.operands).writes
        holders.difference_update(register - half for register in written for half in (0, 1))
    return None


def _in_place(named: Sequence[tuple[int, ...]]) -> bool:
    """Tell whether something is added to a scalar register where it stands."""
    return len(named) == _OPERANDS and named[0] == named[1] != ()


def _marked(instruction: Instruction, first: int) -> Instruction:
    if instruction.kind not in _PLAIN:
        return instruction
    named = operands(instruction.operands)
    if len(named) <= _DESCRIPTOR or named[_DESCRIPTOR] != tuple(range(first, first + _WORDS)):
        return instruction
    return instruction._replace(traits=spilled(instruction.traits))

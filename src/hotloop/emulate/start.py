"""Registers as the hardware sets them when a wave starts."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.emulate.descriptor import USER_REGISTERS
from hotloop.emulate.state import Registers
from hotloop.emulate.units.values import PRIVATE_APERTURE
from hotloop.isa.amdgcn.registers import SGPR

if TYPE_CHECKING:
    from hotloop.emulate.machine import Batch
    from hotloop.emulate.program import Program

_TRAP = 108
"""Row of the first trap register."""


def started(
    batch: Batch, program: Program, workgroup: tuple[int, int, int], kernarg: int
) -> tuple[Registers, list[int]]:
    """Return the registers of a batch's waves, and the scalar rows that are set; `kernarg` is the address of the arguments."""
    registers = Registers.fresh(program.layout, len(batch.group_of))
    _set_vector(registers, batch, program, workgroup)
    return registers, _set_scalar(registers, batch, program, kernarg)


def vector_rows(program: Program) -> int:
    """Return how many vector registers hold a work-item's numbers."""
    return 1 if _is_packed(program) else min(program.descriptor.items, 2) + 1


def _set_vector(registers: Registers, batch: Batch, program: Program, workgroup: tuple[int, int, int]) -> None:
    """Number the work-items and switch lanes off that have none."""
    lanes, (x, y, z) = program.layout.lanes, workgroup
    slot = np.arange(registers.waves) % batch.waves_per_group
    flat = slot[:, None] * lanes + np.arange(lanes)
    numbers = flat % x, flat // x % y, flat // (x * y)
    if _is_packed(program):
        registers.v[0] = sum(number << 10 * n for n, number in enumerate(numbers[: program.descriptor.items + 1]))
    else:
        for n in range(vector_rows(program)):
            registers.v[n] = numbers[n]
    registers.put_mask(126, flat < x * y * z)


def _major(program: Program) -> int:
    return (program.target.version or (0,))[0]


def _is_packed(program: Program) -> bool:
    """gfx90a and later CDNA, and gfx11 and later, give all three numbers in one register."""
    return program.target.unified or _major(program) >= 11


def argument_registers(program: Program) -> tuple[int, ...]:
    """Return the scalar registers in which arguments of the kernel stand at its beginning, as numbers of registers."""
    said = program.descriptor
    first = sum(USER_REGISTERS[name] for name in said.user)
    return tuple(range(SGPR + first, SGPR + first + said.preload[0]))


def _set_scalar(registers: Registers, batch: Batch, program: Program, kernarg: int) -> list[int]:
    """Set user and system registers; return the rows that were set."""
    said = program.descriptor
    packet = next(b for b in batch.memory.buffers if b.name == "the dispatch packet").address
    values = {
        "private_segment_buffer": (0, PRIVATE_APERTURE >> 4, 0xFFFFFFFF, 0x00E00000),
        "dispatch_ptr": _words(packet), "queue_ptr": (0, 0), "kernarg_segment_ptr": _words(kernarg), "dispatch_id": (0, 0),
        "flat_scratch_init": (0, 0), "private_segment_size": (said.scratch_bytes,),
    }  # fmt: skip
    length, first = said.preload
    given = [value for name in said.user for value in values[name][: USER_REGISTERS[name]]]
    given += batch.memory.words[(kernarg - 0x7F0000000000 >> 2) + first :][:length].tolist()
    for row, value in enumerate(given):
        registers.s[row] = value
    row = max(len(given), said.user_count)
    numbers = batch.numbers[batch.group_of].T.astype(np.uint32)
    if _major(program) >= 12:
        registers.s[_TRAP + 9], registers.s[_TRAP + 7] = numbers[0], numbers[1] | numbers[2] << np.uint32(16)
        slots = (np.arange(registers.waves) % batch.waves_per_group).astype(np.uint32)
        registers.s[_TRAP + 8] = slots << np.uint32(25)  # what llvm.amdgcn.wave.id reads
        return [*range(row), _TRAP + 9, _TRAP + 7, _TRAP + 8]
    for n in range(3):
        if said.groups[n]:
            registers.s[row] = numbers[n]
            row += 1
    return [*range(row + said.info + said.private), 102, 103]


def _words(address: int) -> tuple[int, int]:
    return address & 0xFFFFFFFF, address >> 32

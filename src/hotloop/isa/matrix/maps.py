"""Which element of a matrix each lane holds at each place of its registers: one formula per family.

An operand is an array ``[lanes, items]``: `items` are a lane's elements in register order, so item i of b-bit elements begins
at bit ``i * b`` of the operand's registers. Sources: AMD's CDNA and RDNA ISA references and matrix instruction calculator
(formulas for MFMA), AMD Composable Kernel's tests of scaled MFMA (k in chunks of 16 for 8-bit elements), GPUOpen's articles
on WMMA for RDNA 3 and 4, and the PTX ISA (mma.sync, wgmma).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hotloop.isa.matrix.instruction import Family, Instruction

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Ints = NDArray[np.int64]

_WAVE = 64
_HALF = 16
"""Lanes that hold one matrix side of a WMMA."""
_CHUNKS = {"f8": 16}
"""Consecutive k of one lane where they are fewer than its elements: 8-bit operands of the f8f6f4 instructions."""


@dataclass(frozen=True, slots=True, eq=False)
class ElementMap:
    """Element per lane and item; arrays are [lanes, items]."""

    operand: str
    """``A`` (row, k), ``B`` (k, column) or ``D`` (row, column); C is like D."""
    block: Ints
    row: Ints
    column: Ints
    bits: int
    slot_bits: int
    """Distance of two items in the registers: more than `bits` where a register holds one 16-bit element."""
    shape: tuple[int, int, int]
    """Blocks, rows and columns of the operand."""
    copies: int = 1
    """How many lanes hold each element (RDNA 3 replicates A and B)."""

    @property
    def items(self) -> int:
        """Elements of a lane."""
        return int(self.row.shape[1])

    @property
    def registers(self) -> int:
        """32-bit registers of a lane."""
        return -(-self.items * self.slot_bits // 32)

    def place(self, item: int) -> tuple[int, int]:
        """Return register and lowest bit of an item."""
        return divmod(item * self.slot_bits, 32)


def element_map(instruction: Instruction, operand: str) -> ElementMap:
    """Return the map of ``A``, ``B`` or ``D`` of an instruction.

    For SMFMAC's A the column counts the stored elements: two of every four k.

    Raises:
        ValueError: wgmma's B, which is read from shared memory.
    """
    match instruction.family:
        case Family.MFMA | Family.SMFMAC:
            return _mfma(instruction, operand)
        case Family.WMMA_GFX11:
            return _wmma_gfx11(instruction, operand)
        case Family.WMMA_GFX12:
            return _wmma_gfx12(instruction, operand)
        case Family.MMA | Family.WGMMA:
            return _mma(instruction, operand)


def _grid(lanes: int, items: int) -> tuple[Ints, Ints]:
    lane, item = np.meshgrid(np.arange(lanes), np.arange(items), indexing="ij")
    return lane.astype(np.int64), item.astype(np.int64)


def _side(
    instruction: Instruction, operand: str, outer: Ints, k: Ints, block: Ints | None = None, copies: int = 1
) -> ElementMap:
    """Make an A or B map from the index along M or N and the index along K."""
    depth = stored_k(instruction, operand)
    extent = instruction.m if operand == "A" else instruction.n
    shape = (instruction.blocks, extent, depth) if operand == "A" else (instruction.blocks, depth, extent)
    where = np.zeros_like(outer) if block is None else block
    row, column = (outer, k) if operand == "A" else (k, outer)
    bits = instruction.bits(operand)
    return ElementMap(operand, where, row, column, bits, bits, shape, copies)


def _output(
    instruction: Instruction, row: Ints, column: Ints, block: Ints | None = None, slot_bits: int = 0
) -> ElementMap:
    where = np.zeros_like(row) if block is None else block
    bits = instruction.bits("D")
    return ElementMap(
        "D", where, row, column, bits, slot_bits or bits, (instruction.blocks, instruction.m, instruction.n)
    )


def stored_k(instruction: Instruction, operand: str) -> int:
    """Return how many elements along K an operand stores: half for the sparse A of SMFMAC."""
    sparse = instruction.family is Family.SMFMAC and operand == "A"
    return instruction.k // 2 if sparse else instruction.k


def _mfma(instruction: Instruction, operand: str) -> ElementMap:
    if operand == "D":
        return _mfma_output(instruction)
    extent = instruction.m if operand == "A" else instruction.n
    items = extent * stored_k(instruction, operand) * instruction.blocks // _WAVE
    lane, item = _grid(_WAVE, items)
    group = lane // (extent * instruction.blocks)
    groups = _WAVE // (extent * instruction.blocks)
    chunk = _CHUNKS.get(instruction.a_type if operand == "A" else instruction.b_type, items)
    k = chunk * group + item % chunk + item // chunk * chunk * groups
    return _side(instruction, operand, lane % extent, k, lane // extent % instruction.blocks)


def _mfma_output(instruction: Instruction) -> ElementMap:
    m, n = instruction.m, instruction.n
    tall = 1 if instruction.bits("D") == 64 else 4  # rows that one lane holds one below the other
    per_register = _WAVE // n
    blocks_per_register = max(1, -(-_WAVE * tall // (m * n)))
    lane, item = _grid(_WAVE, m * n * instruction.blocks // _WAVE)
    group = lane // n // blocks_per_register
    if blocks_per_register > 1:
        block, local = lane // n % blocks_per_register, item
    else:
        block, local = item // (m * n // _WAVE), item % (m * n // _WAVE)
    row = local // tall * (tall * per_register) + group * tall + local % tall
    return _output(instruction, row, lane % n, block)


def _wmma_gfx11(instruction: Instruction, operand: str) -> ElementMap:
    lanes = instruction.lanes
    if operand == "D":
        rows = lanes // _HALF
        lane, item = _grid(lanes, instruction.m // rows)
        return _output(instruction, rows * item + lane // _HALF, lane % _HALF, slot_bits=32)
    lane, item = _grid(lanes, instruction.k)
    return _side(instruction, operand, lane % _HALF, item, copies=lanes // _HALF)


def _wmma_gfx12(instruction: Instruction, operand: str) -> ElementMap:
    halves = instruction.lanes // _HALF
    if operand == "D":
        each = instruction.m // halves
        lane, item = _grid(instruction.lanes, each)
        return _output(instruction, each * (lane // _HALF) + item, lane % _HALF)
    each = instruction.k // halves
    lane, item = _grid(instruction.lanes, each)
    return _side(instruction, operand, lane % _HALF, each * (lane // _HALF) + item)


def _mma(instruction: Instruction, operand: str) -> ElementMap:
    """mma.sync, and wgmma whose four warps take 16 rows each; lane = 4 * group + thread."""
    lanes = instruction.lanes
    warps = lanes // 32
    if operand == "D":
        lane, item = _grid(lanes, instruction.m * instruction.n // lanes)
        group, thread = lane % 32 // 4, lane % 4
        row = lane // 32 * 16 + group + 8 * (item // 2 % 2 if instruction.m > 8 else 0 * item)
        column = 2 * thread + item % 2 + 8 * (item // 4 if instruction.m > 8 else item // 2)
        return _output(instruction, row, column)
    if operand == "B" and instruction.family is Family.WGMMA:
        raise ValueError("wgmma reads B from shared memory; no lane holds it")
    extent = instruction.m if operand == "A" else instruction.n
    lane, item = _grid(lanes, extent * instruction.k // lanes)
    group, thread = lane % 32 // 4, lane % 4
    packed = max(1, 32 // instruction.bits(operand))
    register, inside = item // packed, item % packed
    tall = 2 if operand == "A" and instruction.m > 8 else 1  # registers alternate between rows g and g + 8
    outer = group + 8 * (register % tall) + (lane // 32 * 16 if warps > 1 else 0)
    return _side(instruction, operand, outer, packed * thread + inside + 4 * packed * (register // tall))

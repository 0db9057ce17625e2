"""Whether a loop is a product of two operands that are summed up: what a matrix unit or a larger register tile can help.

Followed are registers, through the loop and round it once: what was loaded, what is copied or converted of that, and which
multiply-adds take two loaded values and add to a sum that the same loop carried. Element-wise work carries no sum; a reduction
multiplies no two loaded values; an n-body force or an exponential multiplies what it has computed.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from hotloop.isa.amdgcn import registers as amd
from hotloop.isa.amdgcn.rows import halves
from hotloop.isa.instruction import MULTIPLY_ADD, READS, Instruction, InstructionKind, MemorySpace
from hotloop.isa.nvidia.registers import effects
from hotloop.targets.target import Target

K = InstructionKind
_BY_LANE = frozenset({K.LOAD, K.GATHER})
_PASSING = frozenset({K.MOVE, K.CONVERSION, K.SHUFFLE, K.INTEGER})
"""Kinds whose result is still the loaded value, in another form: bfloat16 is widened by a shift."""
_PRODUCT = 2
_ELEMENT_BITS = 32
"""Widest access that counts as one element of a table: a wider one reads a stretch of a row whose place was looked up."""
Register = int | str


@dataclass(frozen=True, slots=True)
class Contraction:
    """What was found in one iteration."""

    products: int
    """Multiply-adds of two loaded values on a sum that is carried."""
    multiply_adds: int
    loaded: int
    """Registers that loads fill."""

    @property
    def share(self) -> float | None:
        """Products over all multiply-adds; None without any."""
        return self.products / self.multiply_adds if self.multiply_adds else None

    @property
    def reuse(self) -> float | None:
        """Products for each loaded register; None when nothing is loaded."""
        return self.products / self.loaded if self.loaded else None


class _Tag(Enum):
    LOADED = auto()
    PRODUCT = auto()
    SUM = auto()
    OTHER = auto()


def contraction(code: Sequence[Instruction], target: str) -> Contraction:
    """Return what of a loop's work is a contraction; `code` in the order of control flow."""
    touched = _of_nvidia if Target.of(target).nvidia else _of_amd
    rows = [(i, *touched(i)) for i in halves(code)]
    tags: dict[Register, _Tag] = {}
    for instruction, reads, writes in rows:
        _pass(tags, instruction, reads, writes, carried=False)
    products = sum(_pass(tags, instruction, reads, writes, carried=True) for instruction, reads, writes in rows)
    return Contraction(
        products=products,
        multiply_adds=sum(i.kind in MULTIPLY_ADD for i, _, _ in rows),
        loaded=sum(len(writes) for i, _, writes in rows if i.kind in READS),
    )


def gathered(code: Sequence[Instruction], target: str, *, looped: bool) -> tuple[Instruction, ...]:
    """Return the loads of single elements whose place each lane has loaded before: table lookups, the vector of a sparse product.

    `looped` says that the code runs again after its end. An index that all lanes share in a scalar register makes a row's address and no gather.
    """
    touched = _of_nvidia if Target.of(target).nvidia else _of_amd
    rows = [(i, *touched(i)) for i in halves(code)]
    derived: set[Register] = set()
    found: dict[int, Instruction] = {}
    for n, (instruction, reads, writes) in [*enumerate(rows)] * (1 + looped):
        depends = not derived.isdisjoint(reads)
        loads = instruction.kind in _BY_LANE and instruction.traits.space is MemorySpace.GLOBAL
        if loads and depends and 0 < instruction.traits.memory_bits <= _ELEMENT_BITS:
            found[n] = instruction
        derived = derived - writes
        if loads or (depends and instruction.kind not in _BY_LANE):
            derived |= {r for r in writes if _of_lane(r)}
    return tuple(found.values())


def _of_lane(register: Register) -> bool:
    """Tell whether each lane has a value of its own in a register."""
    return register < amd.AGPR if isinstance(register, int) else register.startswith("R")


def _pass(
    tags: dict[Register, _Tag],
    instruction: Instruction,
    reads: frozenset[Register],
    writes: frozenset[Register],
    *,
    carried: bool,
) -> bool:
    """Follow one instruction; tell whether it is a product on a carried sum."""
    kind = instruction.kind
    sources = [tags.get(register) for register in reads]
    product = False
    tag: _Tag | None
    if kind in READS:
        tag = _Tag.LOADED
    elif kind is K.MOVE and len(set(sources)) == 1 and sources[0] is not _Tag.LOADED:
        tag = sources[0]  # a sum that is kept in another register for the next iteration
    elif kind in _PASSING:
        tag = _Tag.LOADED if sources and all(t is _Tag.LOADED for t in sources) else _Tag.OTHER
    elif kind in MULTIPLY_ADD:
        added = _addend(instruction, reads)
        scaled = any(tags.get(register) is _Tag.LOADED for register in added)
        if instruction.mnemonic.startswith(
            "v_pk_"
        ):  # one half of a pair of registers may be multiplied twice, the other is not read
            sources = [tags.get(register) for register in reads if register in added or register in tags]
        tag, product = (_Tag.OTHER, False) if scaled else _multiplied(sources, carried=carried)
    else:
        tag = _Tag.OTHER
    for register in writes:
        if tag is None:
            tags.pop(register, None)
        else:
            tags[register] = tag
    return product


def _addend(instruction: Instruction, reads: frozenset[Register]) -> frozenset[Register]:
    """Return what a multiply-add adds to: a loaded value there is a step of a recurrence (``h = a * h + b``), no product on a sum."""
    operands = instruction.operands.split(",")
    first = re.match(r"v_(?:pk_|dot\d)?(?:fmac|mac|c_)", instruction.mnemonic)
    if not first and len(operands) <= _PRODUCT + 1:
        return frozenset()
    text = operands[0] if first else operands[_PRODUCT + 1]
    read = amd.access("v_mov_b32", f"v0, {text.split()[0]}").reads
    return reads & (frozenset(read) or {text.strip().removesuffix(".reuse")})


def _multiplied(found: Sequence[_Tag | None], *, carried: bool) -> tuple[_Tag, bool]:
    """Return what a multiply-add makes, and whether it is a product on a sum."""
    sums = (_Tag.SUM,) if carried else (_Tag.SUM, None)
    loaded = sum(tag is _Tag.LOADED for tag in found)
    rest = [tag for tag in found if tag is not _Tag.LOADED]
    if loaded >= _PRODUCT and not rest:
        return _Tag.PRODUCT, False
    added = [tag for tag in rest if tag is not _Tag.PRODUCT]
    whole = loaded >= _PRODUCT or (not loaded and len(added) < len(rest))
    if whole and added and all(tag in sums for tag in added):
        return _Tag.SUM, True
    return _Tag.OTHER, False


def _of_amd(instruction: Instruction) -> tuple[frozenset[Register], frozenset[Register]]:
    registers = amd.access(instruction.mnemonic, instruction.operands)
    return _data(registers.reads), _data(registers.writes)


def _data(registers: Iterable[int]) -> frozenset[Register]:
    """Return registers that hold data: not the execution mask, carry bits and modes that instructions read besides."""
    return frozenset(r for r in registers if r < amd.VCC)


def _of_nvidia(instruction: Instruction) -> tuple[frozenset[Register], frozenset[Register]]:
    registers = effects(instruction)
    return frozenset(r for r in registers.reads if _held(r)), frozenset(r for r in registers.writes if _held(r))


def _held(register: str) -> bool:
    return not register.startswith(("P", "UP", "SB"))

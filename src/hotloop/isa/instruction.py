"""The schema of machine code that all dialects share."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum
from typing import NamedTuple

from hotloop.isa.resources import KernelResources


class InstructionKind(StrEnum):
    """What an instruction does, as far as performance is concerned."""

    MATRIX = "matrix"
    FMA = "fma"
    """Fused multiply-add, dot products included."""
    MULADD = "muladd"
    """Plain floating-point multiply, add or subtract."""
    ARITHMETIC = "arithmetic"
    """Other floating-point work: divide, square root, minimum, compare, horizontal add."""
    CONVERSION = "conversion"
    INTEGER = "integer"
    """Integer and bitwise work, scalar or vector."""
    ADDRESS = "address"
    SCALAR = "scalar"
    """Work of a scalar or uniform unit: one value for the whole wave."""
    LOAD = "load"
    SCALAR_LOAD = "scalar_load"
    """Load of one element into a vector register, or a load by a scalar unit."""
    BROADCAST = "broadcast"
    """Load that copies an element or a part to all lanes."""
    GATHER = "gather"
    SCATTER = "scatter"
    STORE = "store"
    ATOMIC = "atomic"
    COPY = "copy"
    """Memory to memory without passing registers: direct-to-LDS loads, asynchronous copies, tensor memory accelerators."""
    STACK = "stack"
    """Plain load or store of the stack frame or of scratch memory, push, pop."""
    BARRIER = "barrier"
    WAIT = "wait"
    BRANCH = "branch"
    CALL = "call"
    RETURN = "return"
    NOP = "nop"
    """Padding: no work and no effect on timing worth counting."""
    CONTROL = "control"
    """Word to the instruction sequencer that computes nothing: GPU wait states, delay and clause hints, priority, modes."""
    CACHE = "cache"
    """Cache maintenance: prefetch, write-back, invalidation."""
    MOVE = "move"
    SHUFFLE = "shuffle"
    OTHER = "other"

    __hash__ = str.__hash__
    """That of the value: an enumeration's own hash is a call in Python, and listings ask for millions."""


class MemorySpace(StrEnum):
    """Which memory an access goes to."""

    GLOBAL = "global"
    """Device memory through the caches: global, buffer and flat accesses."""
    LOCAL = "local"
    """Local data share or shared memory of a work-group."""
    SCRATCH = "scratch"
    """Private memory of a work-item: spills and stack arrays."""
    CONSTANT = "constant"
    """Uniform data through the scalar or constant cache."""

    __hash__ = str.__hash__


MULTIPLY_ADD = frozenset({InstructionKind.FMA, InstructionKind.MULADD})
"""Kinds that count as multiply/add work."""
READS = frozenset(
    {InstructionKind.LOAD, InstructionKind.SCALAR_LOAD, InstructionKind.BROADCAST, InstructionKind.GATHER}
)
"""Kinds that bring values from memory into registers."""
FLOATING = frozenset({*MULTIPLY_ADD, InstructionKind.MATRIX, InstructionKind.ARITHMETIC})
"""Kinds that do floating-point work."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Traits:
    """What mnemonic and operands say about an instruction, wherever it stands; equal instructions share one object."""

    kind: InstructionKind
    bits: int = 0
    """Width in bits that the vector unit works on: the register's, or one element's when `scalar`; 0: no vector register."""
    scalar: bool = False
    """True when a vector-unit instruction handles one element only."""
    reads_memory: bool = False
    writes_memory: bool = False
    memory_bits: int = 0
    """Width of the memory operand in bits, per lane on a GPU; 0: none, or not stated."""
    space: MemorySpace | None = None
    """Which memory it touches; None: none, or a CPU's single one."""
    stack: bool = False
    """True when the memory operand lies in the stack frame."""
    broadcast: bool = False
    """True when the memory operand is copied to all lanes, by a broadcast load or embedded in another instruction."""
    insert: bool = False
    """True when one part of a register is filled from memory and the rest kept: pieces of a gather by hand."""
    macs: int = 0
    """Multiply-adds that one matrix instruction does for the whole wave, a sparse one counted as the dense product that it
    stands for; 0: no matrix instruction, or the shape is unknown."""
    transcendental: bool = False
    """True for exponential, logarithm, reciprocal, roots and the like on a unit that runs at a fraction of the rate."""
    paired: InstructionKind | None = None
    """Operation of the other half where a pair issues as one instruction (``v_dual_``); None: it is a single operation."""
    falls_through: bool = True
    """False when control never reaches the next instruction (jump, return, trap)."""
    ends_block: bool = field(init=False, compare=False, repr=False)
    """True for branches and what does not fall through; kept, as every instruction of a listing is asked."""

    def __post_init__(self) -> None:
        """Note whether a basic block ends here."""
        object.__setattr__(self, "ends_block", self.kind is InstructionKind.BRANCH or not self.falls_through)

    @property
    def vector(self) -> bool:
        """True when a vector register takes part."""
        return self.bits > 0

    @property
    def multiply_add(self) -> bool:
        """True for fused and plain multiply, add and subtract on floating-point numbers."""
        return self.kind in MULTIPLY_ADD


class Instruction(NamedTuple):
    """One decoded instruction; a tuple, because listings have millions and a frozen dataclass takes seven times as long to make."""

    address: int
    mnemonic: str
    operands: str
    traits: Traits
    target: int | None = None
    """Address that a direct branch goes to."""
    line: int | None = None
    """Line of the listing, from 1; None when decoded from bytes."""

    @property
    def kind(self) -> InstructionKind:
        """What it does."""
        return self.traits.kind


@dataclass(frozen=True, slots=True)
class Function:
    """One function of machine code, in address order."""

    name: str
    instructions: tuple[Instruction, ...]
    code_bytes: int | None = None
    """Size of its machine code in bytes; None when a listing does not tell."""
    target: str = ""
    """Processor that the code is for, e.g. ``gfx942``; empty: not stated."""
    resources: KernelResources | None = None
    """Registers and memory from the compiler's metadata; None: there are no metadata."""
    addressed: bool = True
    """False when the input has no addresses: they are then 4 times the instruction's number in the listing, in order but
    without meaning as distances."""
    family: str = ""
    """Dialect of a CPU's code other than x86, whose registers have other names: ``aarch64``; empty: x86 or a GPU."""

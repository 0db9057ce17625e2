"""What a GPU kernel's hot loop is made of, per iteration and per matrix instruction, as a value and as ``static.*`` facts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from hotloop.isa.hot import HotLoop, hot_loop
from hotloop.isa.instruction import READS, Function, InstructionKind, MemorySpace
from hotloop.isa.trips import trip_count
from hotloop.model.evidence import Evidence, Row, static
from hotloop.targets.target import Target

K = InstructionKind
VECTOR_WORK = frozenset({K.FMA, K.MULADD, K.ARITHMETIC, K.CONVERSION, K.INTEGER, K.ADDRESS, K.SHUFFLE, K.MOVE})
"""Kinds that take issue slots of the vector unit beside matrix instructions."""
_WRITES = frozenset({K.STORE, K.SCATTER})
_BYTE_BITS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Access:
    """Memory instructions of one kind and width."""

    space: MemorySpace
    kind: InstructionKind
    bits: int
    """Per lane, or per wave for scalar loads; 0: the instruction's name does not tell."""
    count: int


@dataclass(frozen=True, slots=True, kw_only=True)
class GpuMix:
    """Counts of one iteration of the hot loop as compiled: an unrolled loop shows the unrolled number."""

    place: str
    """Place of the hot loop, as text for the reader."""
    depth: int
    """Nesting depth; 0: straight-line code."""
    instructions: int
    counts: tuple[tuple[InstructionKind, int], ...]
    """Operations by kind, a pair that issues as one instruction being two; most frequent first; kinds that do not occur are left out."""
    accesses: tuple[Access, ...]
    """Memory accesses by address space, kind and width."""
    macs: int
    """Multiply-adds of the matrix instructions, whole wave."""
    transcendental: int
    trips: int | None
    """Iterations, where constants in the code tell; None: decided at run time."""

    def count(self, *kinds: InstructionKind) -> int:
        """Return how many instructions are of these kinds."""
        return sum(count for kind, count in self.counts if kind in kinds)

    def share(self, *kinds: InstructionKind) -> float | None:
        """Return which share of all operations is of these kinds, a pair being two; None when there are no instructions."""
        return self.count(*kinds) / sum(count for _, count in self.counts) if self.counts else None

    def per_matrix(self, count: float) -> float | None:
        """Return a count divided by the number of matrix instructions; None when there are none."""
        matrix = self.count(K.MATRIX)
        return count / matrix if matrix else None

    def accessed(self, space: MemorySpace, kinds: frozenset[InstructionKind]) -> Accessed:
        """Return number and total width of the accesses of some kinds to one memory."""
        chosen = [a for a in self.accesses if a.space is space and a.kind in kinds]
        sized = [a for a in chosen if a.bits]
        return Accessed(
            sum(a.count for a in chosen),
            sum(a.count for a in sized),
            sum(a.bits * a.count for a in sized) // _BYTE_BITS,
        )


class Accessed(NamedTuple):
    """Number and bytes of memory accesses of one kind."""

    total: int
    sized: int
    """Number of accesses whose width is known."""
    lane_bytes: int
    """Bytes of one lane that the sized ones move."""

    @property
    def mean_bits(self) -> float | None:
        """Mean width of a lane's access; None: none is known."""
        return self.lane_bytes * _BYTE_BITS / self.sized if self.sized else None


def gpu_mix(function: Function) -> GpuMix:
    """Return the instruction mix of a function's hot loop."""
    hot = hot_loop(function)
    kinds: Counter[InstructionKind] = Counter()
    accesses: Counter[tuple[MemorySpace, InstructionKind, int]] = Counter()
    macs = transcendental = 0
    for traits, count in hot.tally():
        kinds[traits.kind] += count
        if traits.paired is not None:  # a pair that issues as one instruction does two things
            kinds[traits.paired] += count
        macs += traits.macs * count
        transcendental += traits.transcendental * count
        if traits.space is not None:
            accesses[traits.space, traits.kind, traits.memory_bits] += count
    return GpuMix(
        place=hot.place,
        depth=hot.depth,
        instructions=len(hot.instructions),
        counts=tuple(kinds.most_common()),
        accesses=tuple(Access(space=s, kind=k, bits=b, count=n) for (s, k, b), n in sorted(accesses.items())),
        macs=macs,
        transcendental=transcendental,
        trips=_trips(function, hot),
    )


def gpu_evidence(function: Function, origin: str = "") -> Evidence:
    """Return the ``static.*`` facts that only a GPU's code has; `origin` says where the code came from."""
    mix = gpu_mix(function)
    source = ", ".join(part for part in (origin or function.name, mix.place) if part)
    return static([*_matrix_rows(mix), *_share_rows(mix), *_memory_rows(mix), *_loop_rows(mix)], source)


_NO_MATRIX = "the hot loop has no matrix instruction"
_NO_CODE = "the function has no instructions"


def _matrix_rows(mix: GpuMix) -> Iterator[Row]:
    local, wide = MemorySpace.LOCAL, MemorySpace.GLOBAL
    yield "static.matrix_per_iteration", mix.count(K.MATRIX), "1", ""
    yield "static.matrix_macs", mix.per_matrix(mix.macs), "1", _NO_MATRIX
    yield "static.instructions_per_matrix", mix.per_matrix(mix.instructions), "1", _NO_MATRIX
    yield "static.valu_per_matrix", mix.per_matrix(mix.count(*VECTOR_WORK)), "1", _NO_MATRIX
    yield "static.lds_reads_per_matrix", mix.per_matrix(mix.accessed(local, READS).total), "1", _NO_MATRIX
    yield "static.lds_writes_per_matrix", mix.per_matrix(mix.accessed(local, _WRITES).total), "1", _NO_MATRIX
    yield "static.global_loads_per_matrix", mix.per_matrix(mix.accessed(wide, READS | {K.COPY}).total), "1", _NO_MATRIX


def _share_rows(mix: GpuMix) -> Iterator[Row]:
    for name, kinds in _SHARES:
        yield f"static.{name}_share", mix.share(*kinds), "1", _NO_CODE
    over = mix.transcendental / mix.instructions if mix.instructions else None
    yield "static.transcendental_share", over, "1", _NO_CODE


_SHARES = (
    ("matrix", (K.MATRIX,)),
    ("conversion", (K.CONVERSION,)),
    ("integer", (K.INTEGER, K.ADDRESS)),
    ("move", (K.MOVE,)),
    ("shuffle", (K.SHUFFLE,)),
    ("scalar", (K.SCALAR,)),
    ("wait", (K.WAIT,)),
    ("control", (K.CONTROL,)),
)


def _memory_rows(mix: GpuMix) -> Iterator[Row]:
    reads, writes = mix.accessed(MemorySpace.LOCAL, READS), mix.accessed(MemorySpace.LOCAL, _WRITES)
    loads = mix.accessed(MemorySpace.GLOBAL, READS | {K.COPY})
    stores = mix.accessed(MemorySpace.GLOBAL, _WRITES)
    yield "static.lds_read_bits", reads.mean_bits, "bit", "the hot loop reads no local memory"
    yield "static.lds_write_bits", writes.mean_bits, "bit", "the hot loop writes no local memory"
    yield "static.global_load_bits", loads.mean_bits, "bit", "the hot loop loads nothing from global memory"
    yield "static.global_store_bits", stores.mean_bits, "bit", "the hot loop stores nothing to global memory"
    yield "static.direct_to_lds", mix.count(K.COPY), "1", ""
    yield "static.atomics", mix.count(K.ATOMIC), "1", ""


def _loop_rows(mix: GpuMix) -> Iterator[Row]:
    yield "static.barriers_per_iteration", mix.count(K.BARRIER), "1", ""
    yield "static.trip_count", mix.trips, "1", "the number of iterations is not a constant in the code"


def _trips(function: Function, hot: HotLoop) -> int | None:
    return (
        trip_count(function, hot.instructions)
        if hot.depth and (Target.of(function.target).amd or not function.target)
        else None
    )


GPU_NAMES = (
    "static.matrix_per_iteration", "static.matrix_macs", "static.instructions_per_matrix", "static.valu_per_matrix",
    "static.lds_reads_per_matrix", "static.lds_writes_per_matrix", "static.global_loads_per_matrix",
    *(f"static.{name}_share" for name, _ in _SHARES), "static.transcendental_share",
    "static.lds_read_bits", "static.lds_write_bits", "static.global_load_bits", "static.global_store_bits",
    "static.direct_to_lds", "static.atomics", "static.barriers_per_iteration", "static.trip_count",
)  # fmt: skip
"""Every fact that `gpu_evidence` may give."""

"""What bounds the hot loop at the kernel's occupancy, as ``isa.*`` facts: latency, a unit, or the device memory.

The units and the latency come from the timing model (`hotloop.isa.timing`). Memory counts what one iteration of one wave moves,
as if every byte came from or went to the device's memory once: caches can only serve more than that. What other lanes, the
iteration before, or the group beside it surely read as well is counted once (`hotloop.isa.spread`). Elements that lanes look up
by loaded indices are left out of the time, as the code does not tell how large the table is.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from hotloop.isa.instruction import Function, Instruction, InstructionKind, MemorySpace
from hotloop.isa.spread.again import Spread
from hotloop.isa.summary.contraction import Contraction, contraction, gathered
from hotloop.isa.summary.model import LoopReport
from hotloop.isa.timing.price import Unit
from hotloop.model.evidence import Evidence, Row, static
from hotloop.targets.chips import of_target
from hotloop.targets.target import Target

K, S = InstructionKind, MemorySpace
_MOVING = frozenset({K.LOAD, K.STORE, K.COPY, K.ATOMIC, K.GATHER, K.SCATTER, K.BROADCAST, K.SCALAR_LOAD})
_BYTE_BITS = 8
NARROW_BITS = 32
"""Width of an access from which on it is wide."""
_PRODUCTS = 0.25
"""Share of the multiply-adds from which a loop counts as a product."""
_UNSTATED = "an access of the hot loop does not state its width"
_SHARED = "other groups read the operands of a product again: what reaches the memory is not in the code"
_NO_MODEL = "the timing model says nothing about this code"


def moved_bytes(code: Sequence[Instruction], lanes: int) -> float | None:
    """Return the bytes that one wave moves to and from global memory in one iteration; None when a width is not known."""
    moving = [i.traits.memory_bits for i in code if i.traits.space is S.GLOBAL and i.kind in _MOVING]
    return sum(moving) / _BYTE_BITS * lanes if all(moving) else None


def code_rows(code: Sequence[Instruction], function: Function, wave: int | None, *, looped: bool) -> Iterator[Row]:
    """Yield what the code of a hot loop alone tells, and the function round it: traffic and contraction."""
    target = function.target
    lanes = wave or Target.of(target).wave_size
    product = contraction(code, target)
    spread, lookups = Spread(function, code), gathered(code, target, looped=looped)
    lookups = (*lookups, *(i for i in spread.looked_up() if i not in lookups))
    updates = [i for i in code if i.kind is K.ATOMIC and i not in lookups]
    looked_up, updated = (moved_bytes(apart, lanes) or 0.0 for apart in (lookups, updates))
    shared, moved = _shared(code, function.instructions, product, looked_up), moved_bytes(code, lanes)
    shared = shared and (any(i.kind is K.MATRIX for i in code) or not spread.alone())
    if moved and not shared:
        moved -= spread.read_again(lanes, (*lookups, *updates))
    yield "isa.moved_bytes", moved, "B", _UNSTATED
    yield "isa.gathered_bytes", looked_up, "B", _UNSTATED
    yield "isa.atomic_bytes", updated, "B", _UNSTATED
    yield "isa.strided_accesses", len(spread.strided()), "1", ""
    yield "isa.indexed_loads", len({i.address for i in (*spread.indexed(), *lookups)}), "1", ""
    yield "isa.narrow_lookups", sum(0 < i.traits.memory_bits <= NARROW_BITS for i in lookups), "1", ""
    if shared:
        yield "isa.memory_cycles", None, "cycle", _SHARED
    else:
        yield "isa.memory_cycles", *_memory(None if moved is None else moved - looked_up - updated, target)
    yield "isa.contraction_share", product.share, "1", "the hot loop multiplies nothing"
    yield "isa.register_reuse", product.reuse, "1", "the hot loop loads nothing"


def _shared(code: Sequence[Instruction], function: Sequence[Instruction], found: Contraction, looked_up: float) -> bool:
    """Tell whether other groups read the operands of a loop again, as in a product of matrices.

    Where the addresses tell better (`Spread.alone`), they decide. Lanes that add up their sums behind the loop share one row: of a matrix times a vector every element is read once, as of
    a sparse matrix, whose indices look the vector up.
    """
    if any(i.kind is K.MATRIX for i in code):
        return True
    inside = {i.address for i in code}
    row = looked_up > 0 or ((found.reuse or 0.0) <= 1 and any(_across(i) for i in function if i.address not in inside))
    return (found.share or 0.0) >= _PRODUCTS and not row


def _across(instruction: Instruction) -> bool:
    """Tell whether an instruction takes a value of another lane."""
    return instruction.kind is K.SHUFFLE or "dpp" in instruction.mnemonic or "row_" in instruction.operands


def _memory(moved: float | None, target: str) -> tuple[float | None, str, str]:
    """Return the time of the traffic in cycles, its unit, and why it is not known."""
    rate = simd_bytes_per_cycle(target)
    if moved is None:
        return None, "cycle", _UNSTATED
    return moved / rate if rate else None, "cycle", "the bandwidth of the device's memory is not known"


def simd_bytes_per_cycle(target: str) -> float | None:
    """Return one SIMD's share of the bandwidth of the device's memory, in bytes per cycle; None when it is not known.

    Of a name that several chips share, the chip that a bare name means.
    """
    processor, chip = Target.of(target), of_target(target)
    simds = processor.number("simds_cu") or processor.number("partitions")
    stated = processor.rate("device_bytes_per_cycle")
    if stated and simds:
        return stated / simds
    if chip is None or not simds:
        return None
    machine = chip.machine
    if not (machine.hbm_bytes_per_s and machine.clock_hz and machine.compute_units):
        return None
    return machine.hbm_bytes_per_s / machine.clock_hz / machine.compute_units / simds


def evidence(loop: LoopReport, memory_cycles: float | None, source: str, unstated: str = "") -> Evidence:
    """Return what bounds a loop whose occupancy is known (`Tempo.bound`).

    `unstated` says why the occupancy is an upper bound only: with fewer waves latency may be the bound where a unit seems to be.
    """
    return static(_rows(loop, memory_cycles, unstated), source)


def _rows(loop: LoopReport, memory_cycles: float | None, unstated: str) -> Iterator[Row]:
    tempo = loop.tempo
    if tempo is None or not tempo.units or tempo.bound is None:
        reason = _NO_MODEL if tempo is None else "the occupancy is not known"
        for name in NAMES:
            yield name, None, "", reason
        return
    hidden = tempo.alone_cycles / tempo.bound.waves
    longest = max(tempo.bound.cycles, memory_cycles or 0.0)
    issuing = {u.unit: u.cycles for u in tempo.units if u.unit not in (Unit.MEMORY, Unit.LOCAL, Unit.CONSTANT)}
    yield "isa.latency_cycles", hidden, "cycle", ""
    yield "isa.unit_cycles", tempo.units[0].cycles, "cycle", ""
    following = tempo.units[1].cycles if len(tempo.units) > 1 else 0.0
    yield "isa.next_unit_cycles", following, "cycle", ""
    yield "isa.vector_cycles", max(issuing.values(), default=0.0), "cycle", ""
    yield (
        "isa.latency_share",
        max(0.0, 1 - max(tempo.units[0].cycles, memory_cycles or 0.0) / hidden) if hidden else 0.0,
        "1",
        "",
    )
    yield "isa.issue_share", min(1.0, max(issuing.values(), default=0.0) / longest) if longest else None, "1", _NO_MODEL
    open_question = unstated and tempo.alone_cycles > tempo.units[0].cycles
    for name, unit in _UNITS:
        share = tempo.units[0].cycles / longest if tempo.units[0].unit is unit and longest else 0.0
        yield name, None if open_question else share, "1", f"with fewer waves latency is the bound; {unstated}"


_UNITS = (
    ("isa.vector_bound", Unit.VECTOR), ("isa.matrix_bound", Unit.MATRIX), ("isa.local_bound", Unit.LOCAL),
    ("isa.access_bound", Unit.MEMORY), ("isa.special_bound", Unit.SPECIAL), ("isa.integer_bound", Unit.INTEGER),
    ("isa.scalar_bound", Unit.SCALAR), ("isa.issue_bound", Unit.ISSUE),
)  # fmt: skip
NAMES = (
    "isa.latency_cycles", "isa.unit_cycles", "isa.next_unit_cycles", "isa.vector_cycles", "isa.latency_share", "isa.issue_share",
    *(name for name, _ in _UNITS),
)  # fmt: skip

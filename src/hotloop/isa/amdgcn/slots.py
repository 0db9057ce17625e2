"""Instructions of AMD GPUs as the timeline takes them: prices, registers, and which operations a wait is for."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import replace
from enum import StrEnum
from functools import lru_cache

from hotloop.isa.amdgcn.costs import price
from hotloop.isa.amdgcn.findings import Blocked, WaitReport
from hotloop.isa.amdgcn.registers import access, lds_copy
from hotloop.isa.instruction import Instruction, InstructionKind, MemorySpace
from hotloop.isa.timing.price import Price
from hotloop.isa.timing.timeline import Need, Slot


class Group(StrEnum):
    """Operations that are looked at together."""

    GLOBAL = "global loads"
    COPY = "copies to LDS"
    LDS = "LDS reads"
    SCALAR = "scalar loads"
    SCRATCH = "scratch loads"
    ATOMIC = "atomics with result"
    STORE = "stores"
    """Waited for without data, where the counter of loads counts them, too; only where a latency is given for them."""


def group_of(instruction: Instruction) -> Group | None:
    """Return the group of an instruction whose data somebody waits for; None for all others."""
    traits = instruction.traits
    return _group_of(instruction.mnemonic, instruction.operands, traits.space, instruction.kind)


@lru_cache(1 << 14)
def _group_of(mnemonic: str, operands: str, space: MemorySpace | None, kind: InstructionKind) -> Group | None:
    if lds_copy(mnemonic, operands) and "store" not in mnemonic:
        return Group.COPY
    if space is None and not mnemonic.startswith("ds_"):
        return None
    if not access(mnemonic, operands).writes:
        return None
    if kind is InstructionKind.ATOMIC:
        return Group.ATOMIC
    spaces = {MemorySpace.LOCAL: Group.LDS, MemorySpace.CONSTANT: Group.SCALAR, MemorySpace.SCRATCH: Group.SCRATCH}
    return Group.LDS if space is None else spaces.get(space, Group.GLOBAL)


def blocked_in(report: WaitReport, own: frozenset[int]) -> dict[int, list[Blocked]]:
    """Return, by the address of a wait among `own`, the operations among `own` that it may have to wait for."""
    blocked: dict[int, list[Blocked]] = defaultdict(list)
    for wait in report.waits:
        if wait.instruction.address in own:
            blocked[wait.instruction.address].extend(of_code(wait.blocks_on, own))
    return blocked


def of_code(blocks_on: Sequence[Blocked], own: frozenset[int]) -> list[Blocked]:
    """Return what of a wait's operations belongs to the code at these addresses."""
    return [b for b in blocks_on if b.operation is not None and b.operation.address in own]


def slots(
    code: Sequence[Instruction],
    waits: Mapping[int, Sequence[Blocked]],
    target: str,
    wave: int | None = None,
    latencies: Mapping[Group, float] | None = None,
) -> tuple[Slot, ...]:
    """Return code, in the order of control flow, with everything that the timeline asks.

    Args:
        code: instructions of one region.
        waits: what each wait of it is for, by address (`blocked_in`).
        target: processor.
        wave: lanes of a wave; None: the target's default.
        latencies: cycles from issue to data by group, where others than the nominal ones are known.
    """
    places = {instruction.address: place for place, instruction in enumerate(code)}
    known_latencies = latencies or {}
    return tuple(_slot(i, waits.get(i.address, ()), places, price(i, target, wave), known_latencies) for i in code)


def _slot(
    instruction: Instruction,
    blocked: Sequence[Blocked],
    places: Mapping[int, int],
    cost: Price,
    latencies: Mapping[Group, float],
) -> Slot:
    group = _waited(instruction, latencies)
    registers = access(instruction.mnemonic, instruction.operands)
    needs = tuple(
        Need(places[b.operation.address], b.instance)
        for b in blocked
        if b.operation is not None and _waited(b.operation, latencies) is not None
    )
    return Slot(
        instruction=instruction,
        price=replace(cost, latency_cycles=round(latencies[group])) if group and group in latencies else cost,
        reads=registers.reads,
        writes=() if group else registers.writes,
        needs=needs,
        group=group.value if group else "",
    )


def _waited(instruction: Instruction, latencies: Mapping[Group, float]) -> Group | None:
    """Return the group of an operation that a wait may wait for."""
    group = group_of(instruction)
    stored = group is None and instruction.kind is InstructionKind.STORE and Group.STORE in latencies
    beyond = instruction.traits.space not in (None, MemorySpace.LOCAL)
    return Group.STORE if stored and beyond else group


def arrivals(made: Sequence[Slot]) -> tuple[tuple[int, ...], ...]:
    """Return the registers in which each slot's data arrive, of operations that are waited for."""
    return tuple(access(s.instruction.mnemonic, s.instruction.operands).writes if s.group else () for s in made)

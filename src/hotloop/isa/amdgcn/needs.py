"""Which waits a kernel needs: shown on walks through its code, each wait taken away in thought.

A walk is one execution path with explicit queues of operations in flight and an adversary that finishes each as late as the
counters allow. When a wait completes an operation, the operation lives on as a ghost of the world without this wait until a
different wait completes it; whatever touches a ghost's registers needed the wait. This is deliberately a second,
simpler machine than the fixpoint of `waits`, so that each can be checked against the other.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import StrEnum
from random import Random

from hotloop.errors import UsageError
from hotloop.isa.amdgcn import parts
from hotloop.isa.amdgcn.counters import (
    SOURCES,
    UNORDERED,
    Counter,
    Generation,
    Issue,
    Stream,
    generation,
    issues,
    kind_of_load,
    waits,
    writes_lds,
)
from hotloop.isa.amdgcn.findings import Wait
from hotloop.isa.amdgcn.registers import AGPR, SGPR, Access, access
from hotloop.isa.amdgcn.waits import analyse
from hotloop.isa.blocks import Block, blocks
from hotloop.isa.instruction import Function, Instruction, InstructionKind

_WALKED_PER_INSTRUCTION = 40
"""Length of all walks together, as a multiple of the code's length: enough to take each edge many times."""
_LONGEST_WALK_BLOCKS = 600
_SEED = 20
_NEAR = 2
"""Instructions after a wait among which a barrier or cache operation explains it."""


class Need(StrEnum):
    """Why a wait is there, or that nothing shows it is needed."""

    NEEDED = "needed: without it a register or the local data share is used too early"
    IDLE = "redundant: nothing that old can be in flight on its counter"
    ORDER = (
        "no register depends on it: it orders memory for other waves (stores, copies to LDS, reads before a barrier)"
    )
    TRANSLATION = "guards sources against a replay; walks do not model it"
    COVERED = "redundant for registers: another wait covers its operations before they are used, or nothing uses them"


@dataclass(frozen=True, slots=True)
class Audit:
    """One counter of one wait and what it is good for."""

    wait: Wait
    need: Need
    consumer: Instruction | None = None
    """Instruction that would have used the operation's result too early; None unless the wait is needed."""
    operation: Instruction | None = None
    exact: bool = False
    """True when even one count more would be too weak."""


def audit(function: Function) -> tuple[Audit, ...]:
    """Return every wait of a function with its reason.

    Raises:
        UsageError: the processor is missing or not modelled.
    """
    graph = blocks(function)
    report = analyse(function, graph)
    walker = walk(function, graph)
    place = {instruction.address: at for at, instruction in enumerate(i for b in graph for i in b.instructions)}
    problems = []
    for wait in report.waits:
        key = (place[wait.instruction.address], wait.counter)
        hit = walker.needed.get(key)
        if hit:
            consumer, operation = walker.code[hit[0]], walker.code[hit[1]] if hit[1] >= 0 else None
            problems.append(Audit(wait, Need.NEEDED, consumer, operation, exact=key in walker.exact))
        else:
            following = walker.code[key[0] + 1 : key[0] + 1 + _NEAR]
            problems.append(Audit(wait, _reason(wait, following)))
    return tuple(problems)


def _reason(wait: Wait, following: Sequence[Instruction]) -> Need:
    if wait.counter is Counter.X:
        return Need.TRANSLATION
    if not wait.blocks_on:
        return Need.IDLE
    held = any(b.operation is None or access(b.operation.mnemonic, b.operation.operands).writes for b in wait.blocks_on)
    ordered = any(i.kind in (InstructionKind.BARRIER, InstructionKind.CACHE) for i in following)
    return Need.COVERED if held and not ordered else Need.ORDER


@dataclass(slots=True)
class _Operation:
    at: int
    stream: Stream
    serial: int
    holds: tuple[int, ...]


@dataclass(slots=True)
class _Ghost:
    operation: _Operation
    cause: tuple[int, Counter]
    weak: bool
    """True where the question is what happens if the wait lets one more operation be open; False: what happens without the wait."""


def walk(function: Function, graph: Sequence[Block] | None = None) -> Walker:
    """Return a walker that has been through a function. Raises UsageError for a processor that is not modelled."""
    family = generation(function.target)
    if family is None:
        raise UsageError(f"no wait model for processor {function.target or 'unknown'!s} of {function.name}")
    walker = Walker(blocks(function) if graph is None else graph, family)
    walker.run()
    return walker


class Walker:
    """Walks and what they showed."""

    def __init__(self, graph: Sequence[Block], family: Generation) -> None:
        self.graph, self.family = graph, family
        self.code = [i for block in graph for i in block.instructions]
        self.starts = [0]
        for block in graph:
            self.starts.append(self.starts[-1] + len(block.instructions))
        parted = family.parted(self.code)
        reader = parts.access if parted else access
        self.used: list[Access] = [reader(i.mnemonic, i.operands) for i in self.code]
        self.units = [kind_of_load(i.mnemonic) for i in self.code]
        self.issued = [_issued(i, family, parted=parted) for i in self.code]
        self.waits = [
            waits(i.mnemonic, i.operands, family) if i.kind is InstructionKind.WAIT else () for i in self.code
        ]
        self.counters = family.counters()
        self.needed: dict[tuple[int, Counter], tuple[int, int]] = {}
        """(place of the wait, counter) -> (place of what would have come too early, place of the operation)."""
        self.exact: set[tuple[int, Counter]] = set()
        self.flying: list[_Operation] = []
        self.ghosts: list[_Ghost] = []
        self.serials: dict[Stream, int] = {}

    def run(self) -> None:
        """Walk until the budget is spent, preferring edges that were taken least."""
        taken: dict[tuple[int, int], int] = {}
        random, left = Random(_SEED), _WALKED_PER_INSTRUCTION * len(self.code)  # noqa: S311  # choosing paths
        while left > 0 and self.graph:
            self.flying, self.ghosts, self.serials = self._caller(), [], dict.fromkeys(Stream, 0)
            block: int | None = 0
            for _ in range(_LONGEST_WALK_BLOCKS):
                assert block is not None
                self._block(block)
                left -= self.starts[block + 1] - self.starts[block]
                block = _next(block, self.graph[block].successors, taken, random)
                if block is None or left <= 0:
                    break
            if len(self.graph) == 1:
                break

    def _caller(self) -> list[_Operation]:
        """Return what may be in flight at the entry: anything in a function that is called, nothing in a kernel."""
        if not any(self._leaves(at) for at in range(len(self.code))):
            return []
        vectors, scalars = parts.both((*range(256), *range(AGPR, AGPR + 256))), tuple(range(SGPR, SGPR + 102))
        holds = ((Stream.VECTOR, vectors), (Stream.LDS, vectors), (Stream.SCALAR, scalars))
        return [_Operation(-1, stream, 0, registers) for stream, registers in holds]

    def _block(self, block: int) -> None:
        for at in range(self.starts[block], self.starts[block + 1]):
            for counter, count in self.waits[at]:
                self._wait((at, counter), counter, count)
            if self.ghosts:
                self._touch(at)
            for issue in self.issued[at]:
                serial = self.serials[issue.stream] = self.serials[issue.stream] + 1
                self.flying.append(_Operation(at, issue.stream, serial, issue.holds))
            if self.code[at].kind is InstructionKind.CALL:
                self.flying.clear()
                self.ghosts.clear()

    def _complete(self, operation: _Operation, count: int) -> bool:
        if operation.stream in UNORDERED:
            return count == 0
        return self.serials[operation.stream] - operation.serial >= count

    def _wait(self, cause: tuple[int, Counter], counter: Counter, count: int) -> None:
        mine = [self.counters[g.operation.stream] is counter for g in self.ghosts]
        self.ghosts = [g for g, own in zip(self.ghosts, mine, strict=True) if not (own and self._laid(g, cause, count))]
        kept = []
        for operation in self.flying:
            if self.counters[operation.stream] is not counter or not self._complete(operation, count):
                kept.append(operation)
                continue
            self.ghosts.append(_Ghost(operation, cause, weak=False))
            if not self._complete(operation, count + 1):
                self.ghosts.append(_Ghost(operation, cause, weak=True))
        self.flying = kept

    def _laid(self, ghost: _Ghost, cause: tuple[int, Counter], count: int) -> bool:
        """Tell whether a wait completes a ghost's operation in the ghost's world."""
        if ghost.cause != cause:
            return self._complete(ghost.operation, count)
        return ghost.weak and self._complete(ghost.operation, count + 1)

    def _touch(self, at: int) -> None:
        touched = {*self.used[at].reads, *self.used[at].writes}
        barrier, leaves = self.code[at].mnemonic in ("s_barrier", "s_barrier_signal"), self._leaves(at)
        kept = []
        for ghost in self.ghosts:
            operation = ghost.operation
            hit = bool(operation.holds) and (leaves or not touched.isdisjoint(operation.holds))
            if hit and not leaves and self._in_order(operation, at):
                hit = False
            if (
                barrier
                and operation.at >= 0
                and operation.stream in (Stream.LDS, Stream.FLAT_LDS)
                and writes_lds(self.code[operation.at].mnemonic)
            ):
                hit = True
            if hit:
                self._show(ghost, at)
            else:
                kept.append(ghost)
        self.ghosts = kept

    def _show(self, ghost: _Ghost, at: int) -> None:
        if ghost.weak:
            self.exact.add(ghost.cause)
        else:
            self.needed.setdefault(ghost.cause, (at, ghost.operation.at))

    def _leaves(self, at: int) -> bool:
        return self.code[at].kind is InstructionKind.RETURN and not self.code[at].mnemonic.startswith("s_endpgm")

    def _in_order(self, operation: _Operation, at: int) -> bool:
        """Tell whether an instruction only writes the register again through the same ordered stream."""
        again = any(issue.stream is operation.stream for issue in self.issued[at])
        reads = not set(self.used[at].reads).isdisjoint(operation.holds)
        return (
            operation.at >= 0
            and again
            and not reads
            and operation.stream not in UNORDERED
            and self.units[at] == self.units[operation.at]
        )


def _issued(instruction: Instruction, family: Generation, *, parted: bool) -> tuple[Issue, ...]:
    mnemonic, operands = instruction.mnemonic, instruction.operands
    issued = (x for x in issues(mnemonic, operands, family) if x.stream not in SOURCES)
    return tuple(Issue(x.stream, parts.held(mnemonic, operands, x.holds)) if parted else x for x in issued)


def _next(block: int, successors: Iterable[int], taken: dict[tuple[int, int], int], random: Random) -> int | None:
    choices = list(successors)
    if not choices:
        return None
    if len(choices) > 1 and random.random() < 1 / 3:
        chosen = random.choice(choices)
    else:
        chosen = min(choices, key=lambda s: taken.get((block, s), 0))
    taken[block, chosen] = taken.get((block, chosen), 0) + 1
    return chosen

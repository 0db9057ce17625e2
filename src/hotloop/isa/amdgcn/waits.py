"""Which memory operations each wait of an AMD kernel blocks on, and registers used before their wait.

`analyse` carries the operations in flight (`flow`) through the control-flow graph to a fixpoint, with the counters of the
processor's generation (`counters`), and then reads off every wait and every hazard. What is modelled, what is not, and the
proof are in docs/isa/waits.md.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from heapq import heappop, heappush

from hotloop.errors import UsageError
from hotloop.isa.amdgcn import copies, flow, parts, ways
from hotloop.isa.amdgcn.costs import cost
from hotloop.isa.amdgcn.counters import (
    SOURCES,
    Counter,
    Generation,
    Stream,
    generation,
    issues,
    kind_of_load,
    reads_lds,
    waits,
    writes_lds,
)
from hotloop.isa.amdgcn.findings import Blocked, Hazard, HazardKind, Wait, WaitReport
from hotloop.isa.amdgcn.registers import AGPR, SGPR, access, lds_copy, name
from hotloop.isa.blocks import Block, blocks
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.isa.loops import loops, reverse_postorder

_SETTLED_VISITS = 16
"""Visits of a block after which shorter distances are not passed on any more: tangled loops would take very long."""


def analyse(function: Function, graph: Sequence[Block] | None = None) -> WaitReport:
    """Return the waits of a function and the registers used before a sufficient wait.

    Args:
        function: as the dialect parsed it; its target names the processor.
        graph: its blocks, if they are at hand.

    Raises:
        UsageError: the processor is missing or not modelled.
    """
    family = generation(function.target)
    if family is None:
        raise UsageError(
            f"no wait model for processor {function.target or 'unknown'!s} of {function.name}; "
            "known are gfx9xx, gfx10xx, gfx11xx, gfx12xx: name one with .amdgcn_target in the listing"
        )
    return _Analysis(function, family, blocks(function) if graph is None else graph).report()


@dataclass(frozen=True, slots=True)
class _Step:
    """What the analysis needs to know of an instruction, shared by equal ones."""

    reads: tuple[int, ...]
    writes: tuple[int, ...]
    issues: tuple[tuple[int, tuple[int, ...]], ...]
    waits: tuple[tuple[Counter, int], ...]
    unit: str
    copy: bool
    reads_lds: bool
    writes_lds: bool
    barrier: bool
    call: bool
    leaves: bool
    ends: bool
    matrix: bool
    matrix_cycles: int
    cycles: int


@lru_cache(maxsize=1 << 16)
def _step(
    mnemonic: str, operands: str, kind: InstructionKind, cycles: tuple[int, int], family: Generation, *, parted: bool
) -> _Step:
    used = (parts.access if parted else access)(mnemonic, operands)
    issued = issues(mnemonic, operands, family)
    return _Step(
        reads=used.reads,
        writes=used.writes,
        issues=tuple(
            (flow.INDEX[i.stream], parts.held(mnemonic, operands, i.holds) if parted else i.holds) for i in issued
        ),
        waits=waits(mnemonic, operands, family) if kind is InstructionKind.WAIT else (),
        unit=kind_of_load(mnemonic),
        copy=lds_copy(mnemonic, operands) and "store" not in mnemonic,
        reads_lds=reads_lds(mnemonic),
        writes_lds=writes_lds(mnemonic),
        barrier=mnemonic in ("s_barrier", "s_barrier_signal", "s_barrier_signal_isfirst"),
        call=kind is InstructionKind.CALL,
        ends=mnemonic.startswith("s_endpgm"),
        leaves=kind is InstructionKind.RETURN and not mnemonic.startswith("s_endpgm"),
        matrix=kind is InstructionKind.MATRIX,
        matrix_cycles=cycles[1],
        cycles=cycles[0],
    )


class _Analysis:
    def __init__(self, function: Function, family: Generation, graph: Sequence[Block]) -> None:
        self.function, self.family, self.graph = function, family, graph
        self.starts: list[int] = []
        self.code: list[Instruction] = []
        for block in graph:
            self.starts.append(len(self.code))
            self.code.extend(block.instructions)
        self.parted = family.parted(self.code)
        self.steps = [self._step(i) for i in self.code]
        streams: dict[Counter, list[int]] = {}
        for stream, counter in family.counters().items():
            streams.setdefault(counter, []).append(flow.INDEX[stream])
        self.streams = {counter: tuple(members) for counter, members in streams.items()}
        self.sources = frozenset(flow.INDEX[stream] for stream in SOURCES)
        self.copies = [step.copy for step in self.steps]
        ends = [step.barrier or step.reads_lds or bool(step.waits) for step in self.steps]
        inside = frozenset(block for loop in loops(graph) for block in loop.blocks)
        cuts = zip(self.starts, [*self.starts[1:], len(ends)], strict=True)
        self.batches = copies.batches([ends[start:end] for start, end in cuts], inside)
        self.waits: dict[tuple[int, Counter], Wait] = {}
        self.doubts: dict[int, int] = {}
        self.hazards: dict[tuple[int, int, HazardKind], list[int]] = {}
        self.explicit = any(i.mnemonic == "s_wait_alu" and "vm_vsrc" in i.operands for i in self.code)
        """True when the code guards sources of vector memory by ``s_wait_alu``, which needs another model (gfx12 expert mode)."""
        self.recording = False

    def _step(self, instruction: Instruction) -> _Step:
        spent = cost(instruction, self.function.target)
        return _step(instruction.mnemonic, instruction.operands, instruction.kind,
                     (spent.issue_cycles, spent.matrix_cycles), self.family, parted=self.parted)  # fmt: skip

    def report(self) -> WaitReport:
        """Run to the fixpoint, then once more to write down."""
        entries = self._fixpoint()
        self.recording = True
        for block, entry in enumerate(entries):
            if entry is not None:
                self._walk(block, entry)
        hazards = tuple(
            Hazard(kind, self.code[op] if op >= 0 else None, self.code[at], _names(registers))
            for (at, op, kind), registers in sorted(self.hazards.items())
        )
        doubts = tuple(Hazard(HazardKind.SPLIT, self.code[op], self.code[at]) for at, op in sorted(self.doubts.items()))
        staggered = self._staggered()
        places = {id(instruction): place for place, instruction in enumerate(self.code)}
        lax = [h for h in hazards if h.kind is HazardKind.BARRIER and (staggered or self._half_waited(h, places))]
        doubts, hazards = (*doubts, *lax), tuple(h for h in hazards if h not in lax)
        return WaitReport(self.function.name, tuple(self.waits[key] for key in sorted(self.waits)), hazards, doubts)

    def _half_waited(self, hazard: Hazard, places: Mapping[int, int]) -> bool:
        """Tell whether a write is waited for on the way of lanes that read data, and not where no lane does.

        LLVM leaves out the wait where a fence is about the local data share alone, whose operations all waves see in one order
        (SIMemoryLegalizer), and waits on the ways that read data. Found so in bitsandbytes for ROCm 6.4 on gfx1030.
        """
        if hazard.operation is None:
            return False
        counter = self.family.counters()[Stream.LDS]
        stops = [
            place
            for place, step in enumerate(self.steps)
            if (counter, 0) in step.waits and self._masked(place) and not self._own(counter, place)
        ]
        return ways.meets(self.graph, self.starts, places[id(hazard.operation)], places[id(hazard.consumer)], stops)

    def _masked(self, place: int) -> bool:
        """Tell whether an instruction stands in code that a wave without lanes for it jumps over."""
        block = bisect_right(self.starts, place) - 1
        before = self.code[self.starts[block] - 1] if self.starts[block] else None
        return before is not None and before.mnemonic == "s_cbranch_execz"

    def _own(self, counter: str, place: int) -> bool:
        """Tell whether a wait is for what its own block has begun and is no read of the local data share: the address of a function."""
        counted = {flow.INDEX[stream] for stream, name in self.family.counters().items() if name == counter}
        begun = self.steps[self.starts[bisect_right(self.starts, place) - 1] : place]
        streams = {stream for step in begun for stream, _ in step.issues} & counted
        return bool(streams) and flow.INDEX[Stream.LDS] not in streams

    def _staggered(self) -> bool:
        """Tell whether half of the waves pass a barrier more than the others (ping-pong scheduling).

        Such waves meet at different barriers of the code, so a write in flight at one of them says nothing: the barrier
        that separates it from its readers may be the next one. Triton's gfx950 ping-pong does this on purpose.
        """
        following = zip(self.code, self.code[1:], strict=False)
        guards = {
            i.target: after for i, after in following if i.kind is InstructionKind.BRANCH and i.target is not None
        }
        barriers = {i.address for i in self.code if i.kind is InstructionKind.BARRIER}
        return any(
            after.address < target and self._only_barriers(after.address, target) and after.address in barriers
            for target, after in guards.items()
        )

    def _only_barriers(self, begin: int, end: int) -> bool:
        """Tell whether a stretch of code synchronises and does nothing else."""
        quiet = (InstructionKind.BARRIER, InstructionKind.NOP, InstructionKind.CONTROL, InstructionKind.WAIT)
        return all(i.kind in quiet for i in self.code if begin <= i.address < end)

    def _fixpoint(self) -> list[flow.State | None]:
        entries: list[flow.State | None] = [None] * len(self.graph)
        if not self.graph:
            return entries
        entries[0] = self._entry()
        order = reverse_postorder(self.graph)
        rank = {block: place for place, block in enumerate(order)}
        todo, visits = [0], [0] * len(self.graph)
        while todo:
            block = order[heappop(todo)]
            visits[block] += 1
            entry = entries[block]
            assert entry is not None
            leaving = self._walk(block, entry)
            for successor in self.graph[block].successors:
                times = visits[successor] < _SETTLED_VISITS
                entries[successor], changed = flow.merge(entries[successor], leaving, times=times)
                if changed and rank[successor] not in todo:
                    heappush(todo, rank[successor])
        return entries

    def _entry(self) -> flow.State:
        """Return what is in flight at the entry: nothing for a kernel, anything for a function that is called."""
        if not any(step.leaves for step in self.steps):
            return flow.State(copies=flow.COPY_NONE)
        vectors = dict.fromkeys(parts.both((*range(256), *range(AGPR, AGPR + 256))), (0, -1))
        scalars = dict.fromkeys(range(SGPR, SGPR + 102), (0, -1))
        stranger = {-flow.INSTANCES: (0, (0, 0, 0, 0))}
        queues = {flow.INDEX[s]: flow.Queue(dict(vectors), dict(stranger)) for s in (Stream.VECTOR, Stream.LDS)}
        queues[flow.INDEX[Stream.SCALAR]] = flow.Queue(scalars, dict(stranger))
        return flow.State(queues, flow.COPY_NONE)

    def _walk(self, block: int, entry: flow.State) -> flow.State:
        flight = flow.Flight(entry)
        start = self.starts[block]
        steps = self.steps
        for at in range(start, start + len(self.graph[block].instructions)):
            step = steps[at]
            if step.waits:
                self._wait(flight, at, step)
            elif self.recording:
                self._check(flight, at, step)
            if step.issues:
                self._issue(flight, at, step)
            elif step.call:
                self._call(flight)
            elif step.writes_lds and flight.copies & flow.COPY_NONE:
                flight.copies |= flow.COPY_LANDED
            flight.instructions += 1
            flight.cycles += step.cycles
            if step.matrix:
                flight.matrices += 1
                flight.matrix_cycles += step.matrix_cycles
        return flight.state()

    # -- effects

    def _issue(self, flight: flow.Flight, at: int, step: _Step) -> None:
        for stream, holds in step.issues:
            kind = flow.STREAMS[stream]
            if kind in (Stream.TRANSLATE, Stream.TRANSLATE_SCALAR):
                self._switch(flight, kind, step)
                if self.explicit and kind is Stream.TRANSLATE:
                    continue
            flight.issue(stream, at, holds, again=step.copy)
        if step.copy:
            flight.copies = flight.copies & ~flow.COPY_NONE | (flow.COPY_DRY if flight.copies & flow.COPY_NONE else 0)
        elif step.writes_lds:
            flight.copies = flow.COPY_LANDED

    def _switch(self, flight: flow.Flight, kind: Stream, step: _Step) -> None:
        """Complete translations of the other kind: the hardware never has both in flight (LLVM, X_CNT groups).

        A vector access whose results replace the sources of an earlier one comes after it; from then on the wait for those
        results is the one that counts.
        """
        if kind is Stream.TRANSLATE_SCALAR:
            flight.complete(flow.INDEX[Stream.TRANSLATE], 0)
            return
        flight.complete(flow.INDEX[Stream.TRANSLATE_SCALAR], 0)
        for register in step.writes:
            flight.registers[flow.INDEX[Stream.TRANSLATE]].pop(register, None)

    def _call(self, flight: flow.Flight) -> None:
        """Complete everything: the called function waits at its entry and again at its return, for all but stores."""
        for stream, kind in enumerate(flow.STREAMS):
            if kind is not Stream.STORES:
                flight.complete(stream, 0)

    def _wait(self, flight: flow.Flight, at: int, step: _Step) -> None:
        for counter, count in step.waits:
            streams = self.streams.get(counter, ())
            if self.recording:
                outstanding = [entry for stream in streams for entry in flight.outstanding(stream, count)]
                blocked = tuple(self._blocked(key, elapsed) for key, elapsed in sorted(outstanding))
                self.waits[at, counter] = Wait(self.code[at], counter, count, blocked)
                for stream in streams:
                    left = copies.split(flight, self.copies, self.batches, stream, count)
                    if left is not None:
                        self.doubts[at] = left
            self._translations(flight, counter, count)
            for stream in streams:
                if flight.copies & flow.COPY_DRY and any(
                    key >= 0 and self.steps[key // flow.INSTANCES].copy for key, _ in flight.outstanding(stream, count)
                ):
                    flight.copies = flow.COPY_LANDED
                flight.complete(stream, count)

    def _translations(self, flight: flow.Flight, counter: Counter, count: int) -> None:
        """Complete translations with the operations: what has its data back has translated its address."""
        if not self.family.translates:
            return
        if counter is Counter.KM and count == 0:
            flight.complete(flow.INDEX[Stream.TRANSLATE_SCALAR], 0)
        if counter is not Counter.LOAD:
            return
        translate, vector = flow.INDEX[Stream.TRANSLATE], flow.INDEX[Stream.VECTOR]
        if not any(flight.operations[flow.INDEX[s]] for s in (Stream.STORES, Stream.ASYNC, Stream.TENSOR)):
            flight.complete(translate, count)
        marks = [flight.operations[translate].get(key, (0,))[0] for key, _ in flight.outstanding(vector, count)]
        newest = max(marks, default=0)
        if newest > 0:  # issued in this block, so what has an older mark is older on every path
            flight.complete(translate, flight.tops[translate] - newest)

    def _blocked(self, key: int, elapsed: flow.Elapsed) -> Blocked:
        operation, instance = divmod(key, flow.INSTANCES)
        instructions, matrices, matrix_cycles, cycles = elapsed
        instruction = self.code[operation] if operation >= 0 else None
        return Blocked(instruction, instance, instructions, matrices, max(matrix_cycles, cycles))

    # -- checks

    def _check(self, flight: flow.Flight, at: int, step: _Step) -> None:
        for stream, guarded in enumerate(flight.registers):
            if not guarded:
                continue
            if stream in self.sources:
                self._changed(guarded, at, step)
            else:
                self._used(guarded, stream, at, step)
                if step.leaves:
                    self._note(at, HazardKind.RETURN, guarded.items())
        if step.barrier:
            self._barrier(flight, at)
        if step.reads_lds or step.barrier or step.ends:
            self._copies(flight, at, step)

    def _used(self, guarded: dict[int, tuple[int, int]], stream: int, at: int, step: _Step) -> None:
        keys = guarded.keys()
        if not keys.isdisjoint(step.reads):
            self._note(at, HazardKind.READ, ((r, guarded[r]) for r in step.reads if r in guarded))
        if not keys.isdisjoint(step.writes):
            hit = (
                (r, guarded[r]) for r in step.writes if r in guarded and not self._in_order(guarded[r][1], stream, step)
            )
            self._note(at, HazardKind.OVERWRITTEN, hit)

    def _in_order(self, operation: int, stream: int, step: _Step) -> bool:
        """Tell whether a second write by the same stream cannot overtake the first one."""
        if operation < 0 or flow.PINNED[stream]:
            return False
        return any(own == stream for own, _ in step.issues) and step.unit == self.steps[operation].unit

    def _changed(self, guarded: dict[int, tuple[int, int]], at: int, step: _Step) -> None:
        group = any(stream in self.sources for stream, _ in step.issues)  # the hardware keeps the order of these
        if not group and not guarded.keys().isdisjoint(step.writes):
            self._note(at, HazardKind.SOURCE, ((r, guarded[r]) for r in step.writes if r in guarded))

    def _note(self, at: int, kind: HazardKind, outstanding: Iterable[tuple[int, tuple[int, int]]]) -> None:
        for register, (_, operation) in outstanding:
            self.hazards.setdefault((at, operation, kind), []).append(register)

    def _barrier(self, flight: flow.Flight, at: int) -> None:
        for stream in (flow.INDEX[Stream.LDS], flow.INDEX[Stream.FLAT_LDS]):
            for key in flight.operations[stream]:
                if key >= 0 and self.steps[key // flow.INSTANCES].writes_lds:
                    self.hazards.setdefault((at, key // flow.INSTANCES, HazardKind.BARRIER), [])

    def _copies(self, flight: flow.Flight, at: int, step: _Step) -> None:
        for operation, kind in copies.misused(flight, self.copies, reads=step.reads_lds, ends=step.ends):
            self.hazards.setdefault((at, operation, kind), [])


def _names(registers: Iterable[int]) -> tuple[str, ...]:
    return tuple(name(register) for register in sorted({parts.whole(register) for register in registers}))

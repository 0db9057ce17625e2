"""Executing a launch in C: memory and registers made ready, threads over the work-groups, findings and results brought back."""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate import launch as starting
from hotloop.emulate.errors import EmulateError
from hotloop.emulate.hazards import untouched
from hotloop.emulate.launch import Execution
from hotloop.emulate.machine import Order, exhausted, lost
from hotloop.emulate.memory import BASE
from hotloop.emulate.native import layout
from hotloop.emulate.native.encode import Encoded, encoded
from hotloop.emulate.native.meeting import Meeting
from hotloop.emulate.native.telling import told
from hotloop.emulate.state import Registers
from hotloop.emulate.units.flow import trapped
from hotloop.isa.amdgcn.registers import SGPR

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.launch import Launch
    from hotloop.emulate.machine import Options
    from hotloop.emulate.program import Program

_SPIN_TURN = 20_000
_MOST_RESIDENT = 256
_MOST_FOUND = 1000
_CHUNKS = 1 << 16
_ORDERS = {Order.TOGETHER: 0, Order.ASCENDING: 1, Order.DESCENDING: 2}


@dataclass(frozen=True, slots=True, eq=False)
class Native:
    """The interpreter, built and opened."""

    library: ctypes.CDLL
    workers: int = 1
    """Threads at most."""

    def run(self, program: Program, launch: Launch, options: Options, groups: Array | None) -> Execution | None:
        """Return what came of a launch; None: the program has an instruction or a form that only the other back end does.

        Raises:
            EmulateError: as `hotloop.emulate.launch.run`.
        """
        code = encoded(program)
        if code.refused:
            return None
        numbers = starting.groups_of(launch) if groups is None else groups
        workers = 1 if code.atomics else min(self.workers, len(numbers))
        if workers > 1:
            done = _Run(self.library, program, launch, options, numbers, code).execute(workers)
            if done is not None:
                return done
        return _Run(self.library, program, launch, options, numbers, code).execute(1)


def check_sizes(library: ctypes.CDLL) -> bool:
    """Tell whether a library's records are those of this version."""
    sizes = (ctypes.c_int64 * len(layout.SIZES))()
    library.hotloop_sizes(sizes)
    return tuple(sizes) == layout.SIZES


@dataclass(slots=True)
class _Share:
    """What one thread brings back."""

    counts: Array
    found: Array
    told: Any = field(default_factory=lambda: (ctypes.c_int64 * 5)())
    status: str = "ok"


class _Run:
    """One launch with its memory."""

    def __init__(
        self, library: ctypes.CDLL, program: Program, launch: Launch, options: Options, numbers: Array, code: Encoded
    ) -> None:
        self.library, self.program, self.launch, self.options, self.code = library, program, launch, options, code
        self.numbers = np.ascontiguousarray(numbers, np.int32)
        self.memory, self.buffers, self.kernarg = starting.placed(program, launch)
        self.per_group = -(-int(np.prod(launch.workgroup)) // program.layout.lanes)
        self.lds = program.descriptor.lds_bytes + launch.dynamic_lds_bytes
        self.kept: list[Any] = []
        """What C points into while it runs."""
        self.error: BaseException | None = None
        self.meeting = Meeting()

    def execute(self, workers: int) -> Execution | None:
        """Run on threads; None: it must be done in another way."""
        record = self._record(parallel=workers > 1)
        shares = [_Share(np.zeros(len(self.code.code), np.uint64), np.zeros(_MOST_FOUND, layout.FOUND)) for _ in range(workers)]
        if workers == 1:
            self._share(record, shares[0])
        else:
            with ThreadPoolExecutor(workers) as pool:
                list(pool.map(lambda share: self._share(record, share), shares))
        self.library.hotloop_release(ctypes.byref(record))
        worst = next((share for share in shares if share.status != "ok"), None)
        if worst is not None:
            # Which thread meets a trouble first is chance; one thread alone tells it in order.
            return None if workers > 1 and worst.status != "exhausted" else self._stopped(shares)
        return self._execution(shares)

    def _share(self, record: layout.LaunchRecord, share: _Share) -> None:
        status = self.library.hotloop_run(
            ctypes.byref(record), share.counts.ctypes.data_as(ctypes.c_void_p), share.found.ctypes.data_as(ctypes.c_void_p), share.told
        )
        share.status = layout.STATUS[status]

    def _stopped(self, shares: list[_Share]) -> None:
        """Raise what stopped an execution; return None where the other back end must do it."""
        share = next((s for s in shares if s.status == "exhausted"), next(s for s in shares if s.status != "ok"))
        ins = self.program.code[min(share.told[1], len(self.program.code) - 1)]
        if isinstance(self.error, EmulateError):
            raise self.error
        match share.status:
            case "exhausted":
                raise exhausted(self.options.budget, ins)
            case "trapped":
                x, y, z = (int(n) for n in self.numbers[share.told[2]])
                raise trapped(ins, (x, y, z), share.told[3])
            case "jump":
                raise lost(ins, share.told[4] & 0xFFFFFFFFFFFFFFFF)
            case "memory":
                raise EmulateError("the execution does not fit into this machine's memory; give a smaller problem.")

    def _execution(self, shares: list[_Share]) -> Execution:
        counts = np.sum([share.counts for share in shares], axis=0)[: len(self.program.code)].astype(np.int64)
        found = [share.found[: share.told[0]] for share in shares]
        arguments = enumerate(self.launch.arguments)
        return Execution(
            arrays=tuple(starting.back(self.memory, self.buffers.get(n), value) for n, value in arguments),
            findings=told(found, self.program, self.memory, self.lds),
            counts=counts,
            waves=len(self.numbers) * self.per_group,
            executed=int(counts.sum()),
            buffers={buffer.name: buffer for buffer in self.buffers.values()},
        )

    # -- the record ---------------------------------------------------------------------------------------------------

    def _record(self, *, parallel: bool) -> layout.LaunchRecord:
        program, options, code, said = self.program, self.options, self.code, self.program.descriptor
        made = layout.LaunchRecord(
            instructions=len(program.code), rows=max(1, program.layout.rows), lanes=program.layout.lanes,
            local_shift=code.local_shift, entry=program.entry, waves_per_group=self.per_group, order=_ORDERS[options.order],
            late=options.late, races=options.races, lds_bytes=self.lds, scratch_bytes=said.scratch_bytes, parallel=parallel,
            resident=min(_MOST_RESIDENT, max(1, options.waves // self.per_group), len(self.numbers)) if code.atomics else 1,
            budget=options.budget, turn=_SPIN_TURN, group_count=len(self.numbers), base=BASE,
        )  # fmt: skip
        for name in ("code", "touched", "side", "floats", "addresses", "indices"):
            setattr(made, name, self._at(getattr(code, name)))
        made.arena, made.groups = self._at(self.memory.bytes), self._at(self.numbers)
        made.buffers, made.buffer_count = self._at(self._buffer_records()), len(self.memory.buffers)
        made.chunks = self._at(np.zeros(_CHUNKS, np.uint64))
        self._start(made)
        made.back, made.meet, made.ordered = (
            layout.StepBack(self._step),
            layout.Meet(self.meeting.meet),
            layout.Ordered(self.meeting.ordered),
        )
        return made

    def _at(self, array: Array) -> int:
        """Return where an array stands in memory, and keep it."""
        self.kept.append(array)
        return int(array.ctypes.data)

    def _buffer_records(self) -> Array:
        fresh = {self.buffers[n].name for n in self.launch.fresh if n in self.buffers}
        made = np.zeros(len(self.memory.buffers), layout.BUFFER)
        for row, buffer in zip(made, self.memory.buffers, strict=True):
            row["start"], row["end"] = buffer.offset, buffer.offset + buffer.bytes
            row["granule"] = buffer.granule if buffer.granule in (1, 2, 4) else 1
            watched = buffer.writable and self.options.races
            row["writable"], row["fresh"] = watched, buffer.name in fresh
            if watched:
                places = -(-buffer.bytes // int(row["granule"])) + 4
                row["written"], row["read"] = self._at(np.zeros(places, np.uint32)), self._at(np.zeros(places, np.uint16))
        return made

    def _start(self, made: layout.LaunchRecord) -> None:
        """Registers of a work-group's waves, and which of them hold its number."""
        registers, rows = self._registers((0, 0, 0))
        vectors = np.zeros((self.per_group, min(3, registers.v.shape[0]), layout.LANES), np.uint32)
        vectors[:, :, : self.program.layout.lanes] = registers.v[: vectors.shape[1]].transpose(1, 0, 2)
        moving = []
        for axis in range(3):
            number = [0, 0, 0]
            number[axis] = 1
            factors = self._registers(tuple(number))[0].s[:, 0] - registers.s[:, 0]
            moving += [(row, axis, int(factors[row])) for row in np.flatnonzero(factors)]
        made.vectors, made.vector_rows = self._at(vectors), vectors.shape[1]
        made.scalars = self._at(np.ascontiguousarray(registers.s.T))
        made.moving, made.movings = self._at(np.array(moving or [(0, 0, 0)], np.int32)), len(moving)
        made.defined = self._at(self._defined(rows))

    def _registers(self, number: tuple[int, ...]) -> tuple[Registers, list[int]]:
        registers = Registers.fresh(self.program.layout, self.per_group)
        group_of = np.zeros(self.per_group, np.int64)
        batch: Any = SimpleNamespace(
            memory=self.memory, numbers=np.array([number]), group_of=group_of, waves_per_group=self.per_group
        )
        starting.set_vector(registers, batch, self.program, self.launch)
        return registers, starting.set_scalar(registers, batch, self.program, self.kernarg)

    def _defined(self, rows: list[int]) -> Array:
        program = self.program
        first = 1 if starting.is_packed(program) else min(program.descriptor.items, 2) + 1
        fresh: Any = SimpleNamespace(layout=program.layout, poison={}, watch=0)
        untouched(fresh, first, rows)
        total = max(1, program.layout.rows)
        defined = np.ones(total + layout.SCALARS, np.uint8)
        for register in fresh.poison:
            defined[program.layout.row(register) if register < SGPR else total + register - SGPR] = 0
        return defined

    # -- one instruction in the other back end ------------------------------------------------------------------------

    def _step(self, index: int, wave: int) -> int:
        try:
            self._stepped(index, wave)
        except BaseException as error:  # noqa: BLE001 - nothing may fly through C
            self.error = error
            return 1
        return 0

    def _stepped(self, index: int, wave: int) -> None:
        rows, lanes = max(1, self.program.layout.rows), self.program.layout.lanes
        vector = self._view(self.library.hotloop_vectors(wave), rows * layout.LANES).reshape(rows, 1, layout.LANES)
        scalar = self._view(self.library.hotloop_scalars(wave), layout.SCALARS).reshape(layout.SCALARS, 1)
        flag = self._view(self.library.hotloop_scc(wave), 1)
        registers = Registers(self.program.layout, vector[:, :, :lanes], scalar, flag.astype(bool))
        with np.errstate(all="ignore"):
            self.program.code[index].step(registers)
        flag[0] = bool(registers.scc[0])

    @staticmethod
    def _view(address: int, count: int) -> Array:
        return np.frombuffer((ctypes.c_uint32 * count).from_address(address), np.uint32)


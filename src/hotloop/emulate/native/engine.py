"""Executing a launch in C: memory and registers made ready, threads over the work-groups, results brought back.

C looks for everything that NumPy looks for, but tells nothing: what is not clean, or what it has no code for, is executed
again by the other back end, which has the words.
"""

from __future__ import annotations

import ctypes
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.errors import EmulateError, Exhausted
from hotloop.emulate.launch import Execution, grid_of, run
from hotloop.emulate.machine import Order
from hotloop.emulate.memory import BASE
from hotloop.emulate.native import certain, layout, opening
from hotloop.emulate.native.encode import Encoded, encoded
from hotloop.emulate.sanitizer.findings import Met
from hotloop.emulate.state import Registers
from hotloop.isa.amdgcn.registers import SGPR

if TYPE_CHECKING:
    from hotloop.emulate.arrays import Array
    from hotloop.emulate.launch import Launch
    from hotloop.emulate.machine import Options
    from hotloop.emulate.memory import Buffer
    from hotloop.emulate.program import Program

_TURN = 20_000
"""Instructions after which the budget is looked at, and waves that run alone let others go on."""
_SPUN = 100_000
"""Wave instructions within which a loop without end is recognized, if at all."""
_ORDERS = {Order.ASCENDING: 1, Order.DESCENDING: 2}
"""Waves that meet by flags are never executed here, so none can be left behind: of other orders only waves together remain."""


@dataclass(frozen=True, slots=True, eq=False)
class Native:
    """The interpreter, built and opened."""

    library: ctypes.CDLL
    workers: int = 1
    """Most threads that execute a launch."""

    def run(self, program: Program, launch: Launch, options: Options, groups: Array | None) -> Execution | None:
        """Return what came of a launch in which nothing was found.

        None: something was found, or the program has an instruction or a form that only the other back end does.

        Raises:
            Exhausted: the instruction budget is spent.
            Met: the first finding, where the options ask to stop there and C knows what it found.
            EmulateError: as `hotloop.emulate.launch.run`.
        """
        code = encoded(program)
        if code.refused:
            return None
        numbers = grid_of(launch) if groups is None else groups
        if getattr(options, "backwards", False):
            numbers = numbers[::-1]
        try:
            return _Run(self.library, program, launch, options, numbers, code).execute(min(self.workers, len(numbers)))
        except Exhausted:
            if _spins(program, launch, options, groups):
                return None
            raise


def _spins(program: Program, launch: Launch, options: Options, groups: Array | None) -> bool:
    """Tell whether a launch that spent its budget goes round for ever, or has another fault: NumPy sees that early and has the words."""
    try:
        return bool(run(program, launch, replace(options, budget=min(options.budget, _SPUN)), None, groups).findings)
    except Exhausted as spent:
        return bool(spent.found)
    except EmulateError:
        return False


def check_sizes(library: ctypes.CDLL) -> bool:
    """Tell whether a library's records are those of this version."""
    sizes = (ctypes.c_int64 * len(layout.SIZES))()
    library.hotloop_sizes(sizes)
    return tuple(sizes) == layout.SIZES


@dataclass(slots=True)
class _Share:
    """What one thread brings back."""

    counts: Array
    told: Any = field(default_factory=ctypes.c_int64 * 5)
    status: str = "ok"


class _Run:
    """One launch with its memory."""

    def __init__(
        self, library: ctypes.CDLL, program: Program, launch: Launch, options: Options, numbers: Array, code: Encoded
    ) -> None:
        self.library, self.program, self.launch, self.options, self.code = library, program, launch, options, code
        self.numbers = np.ascontiguousarray(numbers, np.int32)
        self.begun = opening.start(program, launch)
        self.places: dict[str, Array] = {}
        """Who touched each place of a buffer, by its name."""
        self.seen: dict[str, Array] = {}
        """Which bytes of a buffer were read, by its name, where that was asked for."""
        self.kept: list[Any] = []
        """What C points into while it runs."""
        self.error: BaseException | None = None

    def execute(self, workers: int) -> Execution | None:
        """Run on threads; None: the other back end must do it."""
        record = self._record(parallel=workers > 1)
        shares = [_Share(np.zeros(len(self.code.code), np.uint64)) for _ in range(workers)]
        if workers == 1:
            self._share(record, shares[0])
        else:
            with ThreadPoolExecutor(workers) as pool:
                list(pool.map(lambda share: self._share(record, share), shares))
        ended = {share.status: share for share in shares}
        if isinstance(self.error, EmulateError):
            raise self.error
        if "exhausted" in ended:
            ins = self.program.code[min(ended["exhausted"].told[1], len(self.program.code) - 1)]
            raise Exhausted(self.options.budget, ins.where())
        if self.options.first and "found" in ended:
            finding = certain.finding(self.program, ended["found"].told)
            if finding is not None:
                raise Met(finding)
        if ended.keys() != {"ok"}:
            return None
        counts = np.sum([share.counts for share in shares], axis=0)[: len(self.program.code)].astype(np.int64)
        seen = {n: self.seen[self.begun.buffers[n].name] > 0 for n in self.launch.inputs if n in self.begun.buffers}
        return opening.finished(self.launch, self.begun, counts, len(self.numbers), self._written(), seen)

    def _written(self) -> dict[int, Array]:
        """Return which bytes of the fresh arguments were written."""
        if not self.options.races:
            return {}
        return {n: self._bytes(self.begun.buffers[n]) for n in self.launch.fresh if n in self.begun.buffers}

    def _bytes(self, buffer: Buffer) -> Array:
        places = self.places.get(buffer.name)
        if places is None:  # a buffer that the kernel says it only reads
            return np.zeros(buffer.bytes, bool)
        return np.repeat(places >> (8 * places.itemsize - 1) > 0, buffer.unit)[: buffer.bytes]

    def _share(self, record: layout.LaunchRecord, share: _Share) -> None:
        counts = share.counts.ctypes.data_as(ctypes.c_void_p)
        share.status = layout.STATUS[self.library.hotloop_run(ctypes.byref(record), counts, share.told)]

    # -- the record ---------------------------------------------------------------------------------------------------

    def _record(self, *, parallel: bool) -> layout.LaunchRecord:
        program, options, code, begun = self.program, self.options, self.code, self.begun
        made = layout.LaunchRecord(
            instructions=len(program.code), rows=max(1, program.layout.rows), lanes=program.layout.lanes,
            local_shift=code.local_shift, entry=program.entry, waves_per_group=begun.waves, order=_ORDERS.get(options.order, 0),
            late=options.late, races=options.races, lds_bytes=program.descriptor.lds_bytes + self.launch.dynamic_lds_bytes,
            scratch_bytes=program.descriptor.scratch_bytes, parallel=parallel, phased=program.phased, budget=options.budget, turn=_TURN,
            group_count=len(self.numbers), base=BASE,
        )  # fmt: skip
        for name in ("code", "touched", "side", "floats", "addresses", "indices"):
            setattr(made, name, self._at(getattr(code, name)))
        made.arena, made.groups = self._at(begun.memory.bytes), self._at(self.numbers)
        made.buffers, made.buffer_count = self._at(self._buffers()), len(begun.memory.buffers)
        self._start(made)
        made.back = layout.StepBack(self._step)
        return made

    def _at(self, array: Array) -> int:
        """Return where an array stands in memory, and keep it."""
        self.kept.append(array)
        return int(array.ctypes.data)

    def _buffers(self) -> Array:
        memory = self.begun.memory
        fresh, asked = (
            {self.begun.buffers[n].name for n in some if n in self.begun.buffers}
            for some in (self.launch.fresh, self.launch.inputs)
        )
        wide = len(self.numbers) * self.begun.waves >= layout.FEW_WAVES
        made = np.zeros(len(memory.buffers), layout.BUFFER)
        for row, buffer in zip(made, memory.buffers, strict=True):
            row["start"], row["end"] = buffer.offset, buffer.offset + buffer.bytes
            row["granule"], row["unit"] = (size if size in (1, 2, 4) else 1 for size in (buffer.granule, buffer.unit))
            watched = buffer.writable and self.options.races
            row["writable"], row["fresh"] = watched, buffer.name in fresh
            if buffer.name in asked:
                self.seen[buffer.name] = np.zeros(buffer.bytes, np.uint8)
                row["seen"] = self._at(self.seen[buffer.name])
            if watched:
                count = -(-buffer.bytes // int(row["unit"])) + 4
                places = self.places[buffer.name] = np.zeros(count, np.uint32 if wide else np.uint16)
                row["places"], row["wide"] = self._at(places), wide
        return made

    def _start(self, made: layout.LaunchRecord) -> None:
        """Registers of a work-group's waves, and which of them hold its number."""
        registers, waves, file = self.begun.registers, self.begun.waves, self.program.layout
        vectors = np.zeros((waves, min(3, registers.v.shape[0]), layout.LANES), np.uint32)
        vectors[:, :, : file.lanes] = registers.v[: vectors.shape[1]].transpose(1, 0, 2)
        made.vectors, made.vector_rows = self._at(vectors), vectors.shape[1]
        made.scalars = self._at(np.ascontiguousarray(registers.s.T))
        made.moving = self._at(np.array(self.begun.moving or [(0, 0, 0)], np.int64).astype(np.int32))
        made.movings = len(self.begun.moving)
        total = max(1, file.rows)
        defined = np.ones(total + layout.SCALARS, np.uint8)
        for register in self.begun.undefined:
            defined[file.row(register) if register < SGPR else total + register - SGPR] = 0
        made.defined = self._at(defined)

    # -- one instruction in the other back end ------------------------------------------------------------------------

    def _step(self, index: int, wave: int) -> int:
        try:
            self._stepped(index, wave)
        except Exception as error:  # noqa: BLE001 - nothing may fly through C; the other back end meets it again
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
        return np.ctypeslib.as_array((ctypes.c_uint32 * count).from_address(address))

"""Memory and launches of one GPU: what is submitted, timed by the device's own clock; see `hotloop.drivers.gpu`."""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import count
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from hotloop.ports import BAND_BYTES, Buffer, LaunchError

if TYPE_CHECKING:
    from numpy.typing import NDArray

from hotloop.drivers.api import DriverError
from hotloop.drivers.driver import Driver
from hotloop.model.program import Launch, Value

EXIT_FAULT = 70
"""Exit status of a process whose device faulted: EX_SOFTWARE of sysexits.h."""
GRAPH_BELOW_NS = 20_000.0
"""Launches shorter than this are replayed from a graph: submitting one from Python takes about a fifth of it."""
GRAPH_CALLS = 60
"""Calls of one graph; divisible by every small number of input sets, so that few different graphs are needed."""
_LEAST_SCRATCH_BYTES = 64 << 20
"""Reading it keeps a device busy for about 20 µs or more, longer than the host needs to submit a few launches."""
_EVICT_THREADS = (1 << 18, 256)
"""Work-items of an eviction and of its groups: as many as fill the largest GPUs."""
LEAD_CYCLES = 60_000
"""Clock cycles (about 30 µs) that the device waits before a batch, while the host submits the graph or the first launches. Without that,
what the host takes counts in every sample: two calls of 13 µs took 21 µs each on an H200, from a graph, and 13 µs each among many."""


def die(message: str) -> NoReturn:
    """End the process: no further call of this driver could succeed, and the parent must see a crash."""
    print(message, file=sys.stderr, flush=True)  # noqa: T201 - the engine reads a dead worker's last words
    os._exit(EXIT_FAULT)


@dataclass(frozen=True, slots=True)
class Ready:
    """One launch with everything that the driver wants."""

    function: Any
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    shared_bytes: int
    packed: Any
    entry: str
    phase: str
    early: bool = False
    """Whether it may begin while the launch before ends."""


class DeviceBuffer:
    """Device memory with canary bands; kernels get the address of the payload."""

    def __init__(self, queue: Queue, banded_bytes: int) -> None:
        self._queue = queue
        self._base = queue.allocate(banded_bytes)

    def __del__(self) -> None:
        """Free the memory; bound programs that still point to it are gone by then."""
        if base := getattr(self, "_base", 0):
            self._queue.free(base)

    @property
    def payload(self) -> int:
        """Address behind the first band."""
        return self._base + BAND_BYTES

    def write(self, banded: NDArray[np.uint8]) -> None:
        """Copy host bytes to the whole buffer."""
        self._queue.guarded(lambda: self._queue.driver.write(self._base, banded))

    def fill(self, banded: NDArray[np.uint8], word: int) -> None:
        """Copy the bands, and fill the payload between them with a word of four bytes."""
        self._queue.guarded(lambda: self._filled(banded, word))

    def _filled(self, banded: NDArray[np.uint8], word: int) -> None:
        driver, inner_bytes = self._queue.driver, banded.nbytes - 2 * BAND_BYTES
        driver.repeat(self.payload, word, inner_bytes // 4)
        driver.write(self._base, banded[:BAND_BYTES])
        driver.write(self.payload + inner_bytes, banded[-BAND_BYTES:])  # which waits for all of it

    def read(self, banded: NDArray[np.uint8]) -> None:
        """Copy the whole buffer to host bytes."""
        self._queue.guarded(lambda: self._queue.driver.read(banded, self._base))


class BoundProgram:
    """Launches with their arguments."""

    _serials = count()

    def __init__(self, queue: Queue, launches: Sequence[Ready], buffers: Sequence[Buffer] = ()) -> None:
        self._queue = queue
        self._buffers = buffers  # the launches point into them
        self.launches = tuple(launches)
        self.serial = next(self._serials)
        """Names it in keys of graphs without keeping it alive."""
        self.pace_ns: float | None = None
        """Device time of one call when last measured."""
        self.spent_ns = 0.0
        self.spent_by_phase: dict[str, float] = {}
        self.graphs: dict[tuple[int, ...], Any] = {}
        """Captured sequences that begin with this program, by the serials of their programs."""

    def __del__(self) -> None:
        """Free the graphs."""
        for graph in getattr(self, "graphs", {}).values():
            self._queue.guarded(partial(self._queue.driver.drop, graph))

    def enqueue(self) -> None:
        """Note one call for submission."""
        self._queue.add(self)

    def finish(self) -> float | None:
        """Submit and wait; return the device time of this program's calls since the last time."""
        self._queue.drain()
        spent, self.spent_ns = self.spent_ns, 0.0
        return spent

    def phases(self) -> Mapping[str, float]:
        """Device ns by phase, known when the last `finish` covered a single call."""
        return self.spent_by_phase


class Queue:
    """What was enqueued and not yet submitted, and the clock around it."""

    def __init__(self, driver: Driver) -> None:
        self.driver = driver
        self.cold = False
        self._pending: list[BoundProgram] = []
        self._events: list[Any] = []
        self._scratch, self._scratch_bytes = 0, 0
        self.lead: Ready | None = None
        """What keeps the device busy before a batch; None while the device is being tried."""
        self.evict: Ready | None = None
        """What leaves the caches without anything to write back before a single call; None while the device is being tried."""

    def open(self, cache_bytes: int) -> None:
        """Get the scratch memory whose reading evicts the caches, on the device that was just opened."""
        self._events, self._pending, self.lead, self.evict = [], [], None, None
        self._scratch_bytes = max(cache_bytes, _LEAST_SCRATCH_BYTES)
        self._scratch = self.driver.allocate(self._scratch_bytes)
        self.driver.fill(self._scratch, self._scratch_bytes)

    def eviction(self) -> Launch:
        """Return the launch of `hotloop.drivers.driver.EVICT` over the scratch memory."""
        arguments = (Value(self._scratch, "int64"), Value(self._scratch_bytes // 16, "int64"), Value(1, "uint32"))
        return Launch("evict", arguments, _EVICT_THREADS[:1], _EVICT_THREADS[1:])

    def allocate(self, size_bytes: int) -> int:
        """Return device memory. Raises LaunchError."""
        try:
            return self.driver.allocate(size_bytes)
        except DriverError as error:
            self.check(str(error))
            raise LaunchError(f"cannot allocate {size_bytes} bytes: {error}") from None

    def free(self, address: int) -> None:
        """Free device memory."""
        self.guarded(lambda: self.driver.free(address))

    def guarded(self, act: Callable[[], None]) -> None:
        """Do something with the driver. Raises LaunchError; does not return when the device has faulted."""
        try:
            act()
        except DriverError as error:
            self.check(str(error))
            raise LaunchError(str(error)) from None

    def check(self, message: str) -> None:
        """End the process when an error was a fault of the device; `message` are its last words."""
        if not self.driver.healthy():
            die(message)

    def add(self, bound: BoundProgram) -> None:
        """Note one call."""
        if bound.launches:
            self._pending.append(bound)

    def drain(self) -> None:
        """Submit all noted calls and wait for them."""
        pending, self._pending = self._pending, []
        if not pending:
            return
        entry = pending[0].launches[-1].entry
        try:
            if self.cold or len(pending) == 1:
                self._one_by_one(pending)
            else:
                self._together(pending)
        except DriverError as error:
            self.check(f"{error} in {entry}")
            raise LaunchError(f"{entry}: {error}") from None

    def _one_by_one(self, pending: Sequence[BoundProgram]) -> None:
        """Time every launch by itself, each call behind an eviction."""
        driver, marks = self.driver, iter(self._marks(sum(len(bound.launches) + 1 for bound in pending)))
        timed: list[tuple[BoundProgram, Ready, Any, Any]] = []
        for bound in pending:
            if self.evict is not None:
                self._launch(self.evict)
            last = next(marks)
            driver.record(last)
            for ready in bound.launches:
                first, last = last, next(marks)
                self._launch(ready)
                driver.record(last)
                timed.append((bound, ready, first, last))
        driver.wait()
        spent: dict[BoundProgram, dict[str, float]] = defaultdict(lambda: defaultdict(float))
        for bound, ready, first, last in timed:
            spent[bound][ready.phase] += driver.elapsed_ns(first, last)
        for bound, phases in spent.items():
            total_ns, calls = sum(phases.values()), pending.count(bound)
            bound.spent_ns += total_ns
            bound.pace_ns = total_ns / calls
            bound.spent_by_phase = dict(phases)

    def _together(self, pending: Sequence[BoundProgram]) -> None:
        """Time all calls as one stretch of device time, and give every call the same part of it."""
        driver, (first, last) = self.driver, self._marks(2)
        submit = self._replayed(pending) if _short(pending) else lambda: self._submit(pending)
        if self.lead is not None:
            self._launch(self.lead)
        driver.record(first)
        submit()
        driver.record(last)
        driver.wait()
        call_ns = driver.elapsed_ns(first, last) / len(pending)
        for bound in pending:
            bound.spent_ns += call_ns
            bound.pace_ns = call_ns
            bound.spent_by_phase = {}

    def _replayed(self, pending: Sequence[BoundProgram]) -> Callable[[], None]:
        """Return what replays the calls from graphs, captured where they are new: outside the time."""
        parts = [pending[at : at + GRAPH_CALLS] for at in range(0, len(pending), GRAPH_CALLS)]
        graphs = [self._graph(part) for part in parts]

        def submit() -> None:
            for graph in graphs:
                self.driver.replay(graph)

        return submit

    def _graph(self, part: Sequence[BoundProgram]) -> Any:  # noqa: ANN401
        key, owner = tuple(bound.serial for bound in part), part[0]
        if key not in owner.graphs:
            owner.graphs[key] = self.driver.capture(lambda: self._submit(part))
        return owner.graphs[key]

    def _submit(self, pending: Sequence[BoundProgram]) -> None:
        for bound in pending:
            for ready in bound.launches:
                self._launch(ready)

    def _launch(self, ready: Ready) -> None:
        self.driver.launch(ready.function, ready.grid, ready.block, ready.shared_bytes, ready.packed, early=ready.early)

    def _marks(self, number: int) -> list[Any]:
        while len(self._events) < number:
            self._events.append(self.driver.event())
        return self._events[:number]


def _short(pending: Sequence[BoundProgram]) -> bool:
    """Tell whether launches are so short that the host could not submit them in time."""
    paces = [(bound.pace_ns, len(bound.launches)) for bound in set(pending) if bound.pace_ns is not None]
    return bool(paces) and all(pace_ns / launches < GRAPH_BELOW_NS for pace_ns, launches in paces)

"""Windows of energy: calls that follow one another from one update of a counter to a later one.

A counter moves in steps, some every millisecond, others ten times a second. Read at any moment it would be wrong by up to a step at
both ends; so a window begins and ends where it is seen to move. What is left of the error is the batch of calls during
which it moved. How long its steps are is watched once, not assumed.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from hotloop.errors import MachineError
from hotloop.host import board, rapl
from hotloop.model.device import Device
from hotloop.model.energy import Meter, Metering, Unmetered
from hotloop.model.outcome import Sample
from hotloop.targets.target import Target

LEAST_S = 0.1
"""Shortest window: a processor's power swings within milliseconds."""
PERIODS = 6
"""Steps of the counter that a window has at least."""
PARTS = 10
"""Batches that fit a step: which tell where it ends."""
SLOWEST_S = 1.0
"""Longest step of a counter that can be waited for."""
LONGEST_S = 2 * (PERIODS + 3) * SLOWEST_S
"""What a window takes at most, where calls are short."""
_STEPS = 4
"""Steps of a counter that are watched."""
_NAP_S = 2e-5

Batch = Callable[[int], Sample]
"""Runs a batch of calls, given how many went before."""


@dataclass(frozen=True, slots=True)
class Watch:
    """A meter whose steps are known."""

    meter: Meter
    period_s: float

    @property
    def batch_ns(self) -> float:
        """How long a batch should be."""
        return 1e9 * self.period_s / PARTS

    @property
    def window_s(self) -> float:
        """How long a window is at least."""
        return max(LEAST_S, PERIODS * self.period_s)


def watch(device: Device, backend: object) -> Watch:
    """Return the meter of a device, watched until its steps are known. Raises MachineError where there is none."""
    found = meter(device, backend)
    if isinstance(found, Unmetered):
        raise MachineError(f"energy cannot be measured: {found.reason}.")
    return Watch(found, found.period_s or period(found))


def meter(device: Device, backend: object = None) -> Meter | Unmetered:
    """Return what counts the energy of a device on this machine."""
    if isinstance(backend, Metering):
        return backend.meter
    if device.kind == "cpu":
        return rapl.meter()
    if Target.of(device.target).nvidia:
        return board.meter(device.name)
    return Unmetered(f"no energy counter is known for {device.name}: NVIDIA's GPUs and processors with RAPL have one")


def period(
    watched: Meter, now_s: Callable[[], float] = time.perf_counter, rest: Callable[[float], None] = time.sleep
) -> float:
    """Return the time between two updates of a meter in s. Raises MachineError where it does not move."""
    moves: list[float] = []
    before_j, began_s = watched.joules(), now_s()
    while len(moves) <= _STEPS:
        rest(_NAP_S)
        now_j, at_s = watched.joules(), now_s()
        if now_j != before_j:
            moves.append(at_s)
            before_j = now_j
        elif at_s - (moves[-1] if moves else began_s) > 2 * SLOWEST_S:
            raise MachineError(f"energy cannot be measured: the counter {watched.source} does not move.")
    return median(later - earlier for earlier, later in itertools.pairwise(moves))


def window(watched: Watch, batch: Batch, now_ns: Callable[[], int]) -> Sample:
    """Run batches of calls over a window, after a lead of one step in which they settle, and return their sum with its energy."""
    run = _Run(watched, batch, now_ns)
    run.until_moved(watched.period_s)
    first = run.mark()
    run.until_moved(watched.window_s)
    return run.since(first)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A moment at which the counter was seen to have moved."""

    at_ns: int
    joules: float
    step_ns: int
    """How long the batch took during which it moved."""
    samples: int


@dataclass(slots=True)
class _Run:
    watched: Watch
    batch: Batch
    now_ns: Callable[[], int]
    samples: list[Sample] = field(default_factory=list)
    calls: int = 0
    joules: float = field(init=False)
    at_ns: int = field(init=False)
    step_ns: int = 0

    def __post_init__(self) -> None:
        self.joules, self.at_ns = self.watched.meter.joules(), self.now_ns()

    def until_moved(self, least_s: float) -> None:
        """Go on for a time, and then until the counter moves."""
        began_ns = moved_ns = self.at_ns
        while True:
            before_j = self.joules
            self._step()
            long = self.at_ns - began_ns >= 1e9 * least_s
            if self.joules != before_j:
                moved_ns = self.at_ns
                if long:
                    return
            elif self.at_ns - moved_ns > 2e9 * SLOWEST_S + 2 * self.step_ns:
                source = self.watched.meter.source
                raise MachineError(f"energy cannot be measured: the counter {source} stopped moving.")

    def _step(self) -> None:
        sample = self.batch(self.calls)
        self.samples.append(sample)
        self.calls += sample.calls
        joules, at_ns = self.watched.meter.joules(), self.now_ns()
        self.step_ns, self.joules, self.at_ns = at_ns - self.at_ns, joules, at_ns

    def mark(self) -> _Mark:
        return _Mark(self.at_ns, self.joules, self.step_ns, len(self.samples))

    def since(self, first: _Mark) -> Sample:
        """Return the batches since a moment as one sample."""
        taken, spent_j = self.samples[first.samples :], self.joules - first.joules
        power_w = spent_j / (1e-9 * (self.at_ns - first.at_ns))
        blurred_s = min(1e-9 * max(first.step_ns, self.step_ns), self.watched.period_s)
        return Sample(
            wall_ns=sum(sample.wall_ns for sample in taken),
            calls=sum(sample.calls for sample in taken),
            device_ns=_total([sample.device_ns for sample in taken]),
            cpu_ns=_total([sample.cpu_ns for sample in taken]),
            dataset=taken[0].dataset,
            energy_j=spent_j,
            energy_error_j=self.watched.meter.resolution_j + power_w * blurred_s,
        )


def _total(values: Sequence[float | None]) -> float | None:
    known = [value for value in values if value is not None]
    return sum(known) if len(known) == len(values) else None

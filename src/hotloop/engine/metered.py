"""Energy measurement: a window is a sequence of calls between two updates of an energy counter.

A counter is updated in steps, some every millisecond, others ten times a second. Reading it at arbitrary moments would be
wrong by up to one step at each end, so a window begins and ends when the counter is seen to change. The remaining error is
the batch of calls during which it changed. The length of the steps is measured once, not assumed.
"""

from __future__ import annotations

import itertools
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from statistics import median

from hotloop.errors import MachineError
from hotloop.host.meters import board, rapl
from hotloop.model.device import Device
from hotloop.model.energy import Meter, Metering, Unmetered
from hotloop.model.outcome import Sample

LEAST_S = 0.1
"""Shortest window in s, because a processor's power varies within milliseconds."""
PERIODS = 6
"""Smallest number of counter steps in a window."""
PARTS = 10
"""Number of batches in a counter step, so that the end of the step is found accurately."""
SLOWEST_S = 1.0
"""Longest counter step in s that hotloop waits for."""
_STEPS = 4
"""Number of counter steps that are observed to measure their length."""
_NAP_S = 2e-5

Batch = Callable[[int], Sample]
"""Function that runs a batch of calls; its argument is the number of calls before it."""


@dataclass(frozen=True, slots=True)
class Watch:
    """An energy meter with the measured length of its steps."""

    meter: Meter
    period_s: float

    @property
    def batch_ns(self) -> float:
        """Target duration of a batch in ns."""
        return 1e9 * self.period_s / PARTS

    @property
    def window_s(self) -> float:
        """Shortest duration of a window in s."""
        return max(LEAST_S, PERIODS * self.period_s)


def watch(device: Device, backend: object) -> Watch:
    """Return the meter of a device after measuring the length of its steps. Raises MachineError if there is none."""
    counter = meter(device, backend)
    if isinstance(counter, Unmetered):
        raise MachineError(f"energy cannot be measured: {counter.reason}.")
    return Watch(counter, counter.period_s or period(counter))


def meter(device: Device, backend: object = None) -> Meter | Unmetered:
    """Return the energy meter of a device on this machine, or why there is none."""
    if isinstance(backend, Metering):
        return backend.meter
    if device.kind == "cpu":
        return rapl.meter()
    from hotloop.targets.target import Target  # a worker on a CPU needs no facts about GPUs

    if Target.of(device.target).nvidia:
        return board.meter(device.name)
    return Unmetered(f"no energy counter is known for {device.name}: NVIDIA's GPUs and processors with RAPL have one")


def period(
    watched: Meter, now_s: Callable[[], float] = time.perf_counter, rest: Callable[[float], None] = time.sleep
) -> float:
    """Return the time between two updates of a meter in s. Raises MachineError if it never changes."""
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
    """Run batches of calls over a window, after one step for power to settle, and return them as one sample with energy."""
    run = _Run(watched, batch, now_ns)
    run.until_moved(watched.period_s)
    first = run.mark()
    run.until_moved(watched.window_s)
    return run.since(first)


@dataclass(frozen=True, slots=True)
class _Mark:
    """A moment at which the counter had changed."""

    at_ns: int
    joules: float
    step_ns: int
    """Duration of the batch during which it changed."""
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
        """Run batches for a time, and then until the counter changes."""
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
        """Return the batches since a mark as one sample."""
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
    present = [value for value in values if value is not None]
    return sum(present) if len(present) == len(values) else None

"""Synthetic timing noise of busy and quiet machines, with which the statistics are tested.

Timing noise only adds time and comes in runs: a slow wander of the clock, jitter of each sample, steps of its frequency, a
machine that warms up, and bursts in which another process takes the core for some samples in a row. None of
them depends on where a round begins. `Recorded` replays samples of a real machine.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.outcome import Sample
from hotloop.ports import Round

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, slots=True, kw_only=True)
class Noise:
    """A model of one machine; all figures are relative to the undisturbed time."""

    jitter: float = 0.015
    """Standard deviation of the log of a single sample."""
    wander: float = 0.0
    """Standard deviation of a first-order autoregressive part."""
    keep: float = 0.9
    """Coefficient of the autoregressive part: the fraction of a deviation that remains one sample later."""
    drift: float = 0.0
    """Growth over the whole series, with a wave of the same size on top."""
    warmup: float = 0.0
    """How much slower (in ln) the first sample is: caches, clocks and first use; it fades exponentially."""
    warmup_samples: float = 40.0
    """Samples after which a third of that is left."""
    levels: float = 0.0
    """Standard deviation of the log of the processor's frequency, which stays at one level for a while and then jumps."""
    level_samples: float = 30.0
    """Mean length of a level, in samples."""
    bursts: float = 0.0
    """Expected bursts per round."""
    burst_low: float = 1.5
    burst_high: float = 5.0
    """Slow-down of a sample in a burst, uniform between the two."""
    burst_samples: int = 6
    """Longest burst, in samples."""

    def times(
        self, rng: np.random.Generator, rounds: int, ratio: float = 1.0, *, alternate: bool = False
    ) -> NDArray[np.float64]:
        """Return rounds of shape (rounds, 4): incumbent, candidate, candidate, incumbent, in units of the incumbent.

        Args:
            rng: source of randomness.
            rounds: how many.
            ratio: true time of the candidate over the incumbent's.
            alternate: every other round runs BAAB; its columns are still returned as A, B, B, A.
        """
        count = 4 * rounds
        series = np.exp(rng.normal(0, self.jitter, count) + self._wandering(rng, count) + self._drifting(rng, count))
        series *= np.exp(self._stepping(rng, count) + self.warmup * np.exp(-np.arange(count) / self.warmup_samples))
        for start in rng.integers(0, max(count, 1), rng.poisson(self.bursts * rounds)):
            piece = series[start : start + rng.integers(1, self.burst_samples + 1)]
            piece *= rng.uniform(self.burst_low, self.burst_high, piece.size)
        return _contenders(series, ratio, alternate=alternate)

    def rounds(self, rng: np.random.Generator, rounds: int, ratio: float = 1.0) -> tuple[Round, ...]:
        """Return the same as `times`, in ns of a kernel of 1 ms, as an engine would deliver it."""
        order = (0, 1, 1, 0)
        return tuple(
            Round(tuple((who, Sample(wall_ns=1e6 * float(t), calls=1)) for who, t in zip(order, row, strict=True)))
            for row in self.times(rng, rounds, ratio)
        )

    def _wandering(self, rng: np.random.Generator, count: int) -> NDArray[np.float64]:
        level, keep = np.zeros(count), self.keep
        steps = rng.normal(0, self.wander * (1 - keep**2) ** 0.5, count)
        for i in range(1, count):
            level[i] = keep * level[i - 1] + steps[i]
        return level

    def _drifting(self, rng: np.random.Generator, count: int) -> NDArray[np.float64]:
        phase = np.linspace(0, 1, count)
        wave = np.sin(2 * np.pi * rng.uniform(0.5, 3) * phase)
        return np.asarray(self.drift * (phase + wave), dtype=np.float64)

    def _stepping(self, rng: np.random.Generator, count: int) -> NDArray[np.float64]:
        if not self.levels:
            return np.zeros(count)
        jumps = np.cumsum(rng.random(count) < 1 / self.level_samples)
        return rng.normal(0, self.levels, int(jumps[-1]) + 1)[jumps]


@dataclass(frozen=True, slots=True, eq=False)
class Recorded:
    """Samples of one program timed again and again, as a machine gave them: any stretch of them is one comparison."""

    samples: NDArray[np.float64]
    """Times in order, in any unit."""

    def times(
        self, rng: np.random.Generator, rounds: int, ratio: float = 1.0, *, alternate: bool = False
    ) -> NDArray[np.float64]:
        """Return a random stretch as `Noise.times` does. Raises ValueError when the recording is shorter."""
        start = int(rng.integers(0, self.samples.size - 4 * rounds + 1))
        return _contenders(self.samples[start : start + 4 * rounds].copy(), ratio, alternate=alternate)


def _contenders(series: NDArray[np.float64], ratio: float, *, alternate: bool) -> NDArray[np.float64]:
    """Deal consecutive samples out to the contenders of rounds, and make the candidate's longer."""
    table = series.reshape(-1, 4)
    if alternate:
        table[1::2] = table[1::2][:, [1, 0, 3, 2]]
    table[:, 1:3] *= ratio
    return table


QUIET = Noise(jitter=0.015, drift=0.02)
"""A machine with nothing else to do."""
BUSY = Noise(jitter=0.03, wander=0.015, drift=0.05, bursts=0.2)
"""Another process now and then: a fifth of the rounds hold samples 1.5 to 5 times slower."""
CROWDED = Noise(jitter=0.03, wander=0.015, drift=0.05, bursts=0.6)
"""Another process most of the time."""
WARMING = Noise(jitter=0.015, drift=0.02, warmup=0.4)
"""A machine that rested: the first samples take half as long again."""
STEPPING = Noise(jitter=0.015, levels=0.10)
"""A processor whose frequency jumps by 10 % several times in a comparison."""
CORRELATED = Noise(jitter=0.01, wander=0.06, keep=0.98)
"""Slow noise: neighbouring samples err together for fifty samples."""
BURSTY = Noise(jitter=0.02, drift=0.02, bursts=0.04, burst_samples=60)
"""Seldom, but for many rounds in a row, another process takes most of the core."""

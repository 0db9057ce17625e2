"""When wall time cannot be trusted: the process did not get the processor it asked for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.model.outcome import Sample

FAIR_SHARE = 0.85
"""If CPU time / (wall time × threads) is below this, waiting for other processes affects wall time."""

TOO_SMALL_SHARE = 0.5
"""Share of the processors below which a verdict based on wall time is withheld, unless waiting cannot explain the difference."""


@dataclass(frozen=True, slots=True)
class Trust:
    """Share of the time in which the process really ran, and whether wall time can be trusted."""

    cpu_share: float
    """Process CPU time / (wall time × threads), over all samples."""
    disturbed: float
    """Fraction of the samples whose own share is below `FAIR_SHARE`, 0..1."""
    reason: str = ""
    """Why wall time cannot be trusted, one sentence; empty when it can."""

    @property
    def trusted(self) -> bool:
        """True when wall time may carry a verdict alone."""
        return not self.reason

    def withholds(self, least: float) -> bool:
        """Return whether a ratio of times means nothing because waiting alone could cause such a difference.

        A process that waits takes up to 1 / share times as long, and the contenders may have waited for unequal times.

        >>> Trust(0.25, 1.0, "busy").withholds(1.3), Trust(0.25, 1.0, "busy").withholds(5.0), Trust(0.7, 1.0, "busy").withholds(1.3)
        (True, False, False)
        """
        return self.cpu_share < TOO_SMALL_SHARE and least * self.cpu_share < 1


def cpu_trust(samples: Sequence[Sample], threads: int) -> Trust | None:
    """Judge wall time by process CPU time; None when the samples carry no CPU time (a GPU, another runtime).

    Args:
        samples: timed batches; CPU time is only updated at scheduler ticks, so sums over many samples count.
        threads: how many threads the kernel keeps busy when nobody disturbs it.

    Raises:
        ValueError: `threads` is below 1.
    """
    if threads < 1:
        raise ValueError(f"threads must be at least 1, not {threads}")
    pairs = [(s.cpu_ns, s.wall_ns * threads) for s in samples if s.cpu_ns is not None]
    asked = sum([wall for _, wall in pairs])
    if not asked:
        return None
    share = sum([cpu for cpu, _ in pairs]) / asked
    disturbed = sum([cpu < FAIR_SHARE * wall for cpu, wall in pairs]) / len(pairs)
    if share >= FAIR_SHARE:
        return Trust(share, disturbed)
    return Trust(
        share,
        disturbed,
        f"the machine is busy: the process got {share:.0%} of {threads} threads, wall time is inflated",
    )

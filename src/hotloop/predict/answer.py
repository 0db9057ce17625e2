"""What is predicted of one launch."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.targets.span import Span


@dataclass(frozen=True, slots=True)
class Term:
    """The time that one part of the machine needs for the whole launch, as if it alone took time."""

    name: str
    """A unit of a compute unit, ``latency``, ``code``, ``L2``, ``memory-side cache``, ``device memory`` ..."""
    ns: float
    low_ns: float
    """Time in ns with the most favourable figure that is plausible."""
    high_ns: float


@dataclass(frozen=True, slots=True, kw_only=True)
class Prediction:
    """Time of one call, all of it predicted and nothing measured."""

    kernel: str
    chip: str
    target: str
    time_ns: float
    low_ns: float
    """Everything overlaps perfectly, with the best plausible figures."""
    high_ns: float
    """Little overlaps, with the worst plausible figures."""
    choice_ns: Span
    """Time with the best and the worst replacement of private memory in the caches, and everything else as in `time_ns`."""
    bound: str
    """The term that needs most."""
    terms: tuple[Term, ...]
    """Terms of the time, the largest first."""
    launch_ns: float
    """Part of the time that the launch itself takes."""
    waves_per_simd: int
    groups: int
    waves: int
    wave_instructions: float
    """Executed by a wave, on average."""
    l1_hit: float
    l2_hit: float
    l2_bytes: float
    """Between the first- and the second-level caches."""
    moved_bytes: float
    """Bytes moved to and from device memory."""
    doubts: tuple[str, ...]
    """Why not to trust it; empty: nothing speaks against it."""
    remarks: tuple[str, ...] = ()
    """What is worth a look though nothing speaks against the time itself."""

    @property
    def trusted(self) -> bool:
        """False when the model knows that it does not see something that matters."""
        return not self.doubts

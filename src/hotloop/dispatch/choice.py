"""The answer of dispatch: what will run, where it comes from, and how far it can be trusted."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.record import Record
from hotloop.model.space import Config


class Origin(StrEnum):
    """Who knows a configuration, most trusted first."""

    STORE = "store"
    """A winner of the user's own runs."""
    PRESET = "preset"
    """Shipped with hotloop, measured elsewhere."""
    INFERRED = "inferred"
    """Measured on the nearest relative of the device: untuned, a guess until ``hotloop tune`` replaces it."""
    START = "start"
    """No measurement: the family's start, which is correct and not fast."""
    TORCH = "torch"
    """PyTorch's own function, because hotloop's kernels do not take the call."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Candidate:
    """A configuration that somebody measured."""

    origin: Origin
    implementation: str
    config: Config
    sizes: Record
    """Sizes of the problem that it was measured on."""
    source: str
    """Run, time and date, or the evidence of the shipped table; one line."""
    stale: str = ""
    """Why the measurement may no longer hold; empty when it does."""
    advised: bool = False
    """True when the family's thresholds name it for the asked problem, which distance alone cannot tell."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Choice:
    """The configuration that `hotloop.ops` uses for a problem on a device, and why."""

    problem: Problem
    shape: Record
    """Parts of the problem that matter for speed, in the terms in which shapes are compared."""
    device: Device
    implementation: str
    config: Config
    origin: Origin
    source: str
    """Where the configuration comes from, one line."""
    measured_on: Record | None
    """Shape that it was measured on, in the same terms; None when it was never measured."""
    distance: float | None
    """How unlike that shape is: 0 for the same, else ln of the factors between sizes; None when never measured."""
    advice: str
    """The command that makes this shape a known one; empty where there is none."""
    stale: str = ""
    """Why the measurement may no longer hold; empty when it does."""
    notes: tuple[str, ...] = ()
    """Changes that were made to fit the shape, and choices that were passed over, with reasons."""
    unsure: tuple[Choice, ...] = ()
    """Kernels of whose speed here nobody knows, this one perhaps among them: a first call may show which of them, or PyTorch, is fastest."""

    @property
    def exact(self) -> bool:
        """True when the configuration was measured on this very shape, on this device or one like it."""
        return self.distance == 0 and self.origin is not Origin.INFERRED

    @property
    def reason(self) -> str:
        """One sentence: why this configuration."""
        hint = f"; to tune it: {self.advice}" if self.advice else ""
        if self.distance is None or self.measured_on is None:
            return f"{self.source}{hint}"
        if self.exact:
            return f"measured on this shape ({self.source})"
        if not self.distance:
            return f"{self.source}{hint}"
        measured = self.measured_on
        changed = self.shape.changes_to(measured)
        other = " ".join(f"{name}={measured[name]}" if name in measured else f"no {name}" for name in changed)
        return f"nearest known shape has {other}, distance {self.distance:.2f} ({self.source}){hint}"

    def __str__(self) -> str:
        rows = [
            ("problem", f"{self.problem.family} {self.shape}"),
            ("device", f"{self.device.name} ({self.device.runtime_key}, {self.device.target or 'target unknown'})"),
            ("runs", f"{self.implementation} {self.config}".rstrip()),
            ("from", self.origin.value),
            ("because", self.reason),
        ]
        rows += [("stale", self.stale)] if self.stale else []
        rows += [("note", note) for note in self.notes]
        rows += [("note", "a first call compares it with PyTorch, unless HOTLOOP_GLANCE=off")] if self.unsure else []
        return "\n".join(f"{label:8} {text}" for label, text in rows)

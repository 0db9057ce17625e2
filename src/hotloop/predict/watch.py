"""What the executor tells about memory, kept: which bytes each access touches, and bank conflicts."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.emulate.sanitizer.access import Kind
from hotloop.errors import HotloopError
from hotloop.targets import banks
from hotloop.targets.bankmodel import BANK_BYTES, BankModel
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.emulate.cohort import Cohort
    from hotloop.emulate.instruction import Decoded
    from hotloop.emulate.sanitizer.access import Access

    Array = NDArray[Any]

_BITS = 8
_BANKS_PERIOD = 256
"""Bytes after which the banks of every known local memory repeat."""


@dataclass(frozen=True, slots=True)
class Touch:
    """One access to device memory that some waves make together."""

    instruction: int
    """Index in the program."""
    kind: Kind
    bytes: int
    """Bytes that each lane accesses."""
    waves: Array
    """Numbers of the waves; shape [waves]."""
    addresses: Array
    """Bytes from the beginning of the arena; shape [waves, lanes]."""
    lanes: Array
    """Which lanes take part; shape [waves, lanes]."""
    scalar: bool = False
    """True for a scalar instruction, whose accesses go through a cache of their own."""


@dataclass(slots=True)
class Ways:
    """An observer of how far waves go."""

    spent: Array = field(default_factory=lambda: np.zeros(0, np.int64), init=False)
    """Instructions executed, by wave."""

    def went(self, waves: Array, instructions: int) -> None:
        """Add what some waves executed together."""
        missing = int(waves.max()) + 1 - len(self.spent)
        if missing > 0:
            self.spent = np.pad(self.spent, (0, missing))
        self.spent[waves] += instructions

    def memory(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:
        """Take no note of it."""

    def local(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:
        """Take no note of it."""


@dataclass(slots=True)
class Watch(Ways):
    """An observer of an execution."""

    target: Target
    wave: int
    """Number of lanes of a wave."""
    touches: list[Touch] = field(default_factory=list)
    """Accesses of all waves that were executed, in the order of issue."""
    conflict_cycles: dict[int, float] = field(default_factory=dict)
    """Cycles that local memory takes for an instruction, summed over the waves executed."""
    _known: dict[tuple[int, str, int, bytes], float] = field(default_factory=dict)

    def memory(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:
        """Keep an access of some waves; shapes [waves, lanes]."""
        taking = np.flatnonzero(lanes.any(axis=1))
        if len(taking):
            touching = c.waves_at[taking], offsets[taking], lanes[taking]
            scalar = ins.mnemonic.startswith("s_")
            self.touches.append(Touch(ins.index, access.kind, access.bytes, *touching, scalar))

    def local(self, c: Cohort, ins: Decoded, offsets: Array, lanes: Array, access: Access) -> None:  # noqa: ARG002 - the protocol's arguments
        """Count the cycles of an access to local memory; shapes [waves, lanes]."""
        op = "read" if access.kind is Kind.READ else "write"
        spent = self._spent(access.bytes, op, _places(offsets, lanes))
        self.conflict_cycles[ins.index] = self.conflict_cycles.get(ins.index, 0.0) + spent

    def _spent(self, size: int, op: str, places: Array) -> float:
        """Return the cycles of some waves' accesses; in a loop the same waves mostly access the same banks again."""
        key = size, op, len(places), places.tobytes()
        if key not in self._known:
            self._known[key] = sum(self._cycles(size, op, row) for row in places)
        return self._known[key]

    def _cycles(self, size: int, op: str, places: Array) -> float:
        key = size, op, 0, places.tobytes()
        if key not in self._known:
            self._known[key] = _conflicts(self._model(size, op), size, places)
        return self._known[key]

    def _model(self, size: int, op: str) -> BankModel | None:
        try:
            return banks.model(self.target.name, op, size * _BITS, self.wave)
        except HotloopError:
            return None


def _places(offsets: Array, lanes: Array) -> Array:
    """Return the places in the banks of the waves that take part; -1: a lane that does not. Shapes [waves, lanes]."""
    rows = lanes.any(axis=1)
    if not rows.all():
        offsets, lanes = offsets[rows], lanes[rows]
    if not len(offsets):
        return offsets
    base = np.where(lanes, offsets, np.iinfo(offsets.dtype).max).min(axis=1, keepdims=True)
    return np.where(lanes, offsets - base // _BANKS_PERIOD * _BANKS_PERIOD, -1)


def _conflicts(model: BankModel | None, size: int, places: Array) -> float:
    """Return the cycles of one access: in each phase the bank with the most different words decides."""
    if model is None:
        return max(1.0, float((places >= 0).sum()) * size / 128)
    total = 0
    words = max(1, size // BANK_BYTES)
    for phase in model.phases:
        chosen = places[list(phase)]
        chosen = chosen[chosen >= 0]
        if not len(chosen):
            continue
        asked = np.unique((chosen[:, None] // BANK_BYTES + np.arange(words)).reshape(-1))
        total += int(np.bincount(asked % model.banks).max())
    return float(max(1, total))

"""What is executed: launches of compiled kernels on named arrays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.emulate.program import Program


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One launch of a task."""

    program: Program
    listing: str = field(repr=False)
    arguments: tuple[Any, ...]
    """Names of arrays, NumPy scalars, or None for a null pointer."""
    grid: tuple[int, int, int]
    workgroup: tuple[int, int, int]
    shared_bytes: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Hollow:
    """A kernel of which the compiler says that a variable may be used before it is set, or that a masked load leaves lanes undefined."""

    text: str
    """What the compiler says."""
    file: str
    line: int
    steps: tuple[Step, Step]
    """Its launch from two more builds: such variables and lanes hold zeros, and a pattern."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Task:
    """Launches in order, on arrays that they share."""

    label: str
    target: str
    steps: tuple[Step, ...]
    arrays: Mapping[str, NDArray[np.generic]]
    fresh: frozenset[str] = frozenset()
    """Arrays that hold nothing yet."""
    outputs: frozenset[str] = frozenset()
    """Fresh arrays that nothing but the execution judges: every element must be written."""
    inputs: frozenset[str] = frozenset()
    """Arrays that hold what a person's launch computes from; of others nobody asks what was read."""
    sizes: frozenset[int] = frozenset()
    """Numbers that the kernel was compiled for, which may be sizes of what it writes."""
    hollow: Hollow | None = None
    """None: the compiler knows of no variable without a value, or was not asked."""

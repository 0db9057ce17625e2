"""What a family's package of ladders offers beside its data files: sources, and checks of the machine code of its rungs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from hotloop.isa.instruction import Function
from hotloop.model.device import Device
from hotloop.model.kernel import Kernel
from hotloop.model.ladder import Gate, Ladder, Local, Numerics, Rung, Unit
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.record import Scalar


@dataclass(frozen=True, slots=True)
class Collection:
    """What a family's package of ladders offers beside its data files."""

    package: str
    accesses: Callable[[Ladder, Rung, int], tuple[Local, ...]] | None = None
    """Local memory accesses of a rung, for a wave size; empty where nothing is known."""
    numerics: Callable[[Ladder, Rung, str], Numerics | None] | None = None
    """Executes a rung's algorithm for a target, in NumPy; None: this rung is verified elsewhere."""
    unit: Callable[[Ladder, Rung, str, Mapping[str, Scalar]], Unit] | None = None
    """Source and launch of a rung on a target, for the problem's sizes that differ; None: a Python file or the family's plan."""
    program: Callable[[Ladder, Rung, Problem, Device], Program] | None = None
    """Program of a rung in a Python file, or whose implementation the family does not ship. Raises ValueError where it does not apply."""
    gates: Callable[[Ladder, Rung, Function], tuple[Gate, ...]] | None = None
    """Checks of the machine code that only this family needs."""
    posed: Callable[[Mapping[str, Scalar]], Kernel] | None = None
    """The family with the problem of these sizes and the arrays that the ladder's own programs take; None: as it is."""
    small: Callable[[Mapping[str, Scalar]], Mapping[str, Scalar]] | None = None
    """Given a rung's sizes, the sizes to change so that the emulator takes seconds and every rung still has whole tiles;
    None: the emulator runs the ladder's own problem."""

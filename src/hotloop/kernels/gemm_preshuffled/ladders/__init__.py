"""Ladders of products with weights in the operands' order: rungs as data (``cdna.toml``) in HIP C++ and FlyDSL, limits, checks."""

from __future__ import annotations

from hotloop.isa.instruction import Function
from hotloop.isa.rungs import Collection
from hotloop.kernels.gemm_preshuffled.ladders import counts, execute
from hotloop.kernels.gemm_preshuffled.ladders.layout import Layout
from hotloop.kernels.gemm_preshuffled.ladders.units import asked, config_of, posed, unit
from hotloop.model.ladder import Gate, Ladder, Local, Numerics, Rung


def layout_of(ladder: Ladder, rung: Rung, target: str = "") -> Layout:
    """Return the tile of a rung."""
    return Layout(asked(ladder, rung, {}).form, config_of(ladder, rung, target))


def _accesses(ladder: Ladder, rung: Rung, wave: int) -> tuple[Local, ...]:
    del wave  # always 64
    return layout_of(ladder, rung).accesses()


def _numerics(ladder: Ladder, rung: Rung, target: str) -> Numerics:
    return execute.verify(layout_of(ladder, rung, target), target)


def _gates(ladder: Ladder, rung: Rung, function: Function) -> tuple[Gate, ...]:
    return counts.gates(layout_of(ladder, rung), function)


LADDERS = Collection(
    __name__,
    accesses=_accesses,
    numerics=_numerics,
    unit=unit,
    gates=_gates,
    posed=posed,
    small=lambda _: {"m": 37, "n": 256, "k": 512},
)

"""What the machine code of a rung does per step: local memory operations of a wave, and barriers."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import Function, InstructionKind
from hotloop.kernels.attention.ladders.tile import Tile
from hotloop.model.ladder import Gate
from hotloop.model.record import Scalar

_LOCAL = "ds_"
_THOUSAND = 1000.0


def gates(tile: Tile, problem: Mapping[str, Scalar], function: Function) -> tuple[Gate, ...]:
    """Return the barriers of a step, checked, and the local memory operations, shown.

    The hot loop is one step: as many matrix instructions as the tile needs. If the compiler unrolled it or split it, nothing
    is claimed. Operations of a wave count the steps of a whole row of keys, as the figures reported elsewhere do.
    """
    code = hot_loop(function).instructions
    matrix = sum(i.kind is InstructionKind.MATRIX for i in code)
    wanted = tile.tiles * tile.steps + tile.columns * tile.packs
    steps = matrix / wanted
    if steps != int(steps) or not steps:
        return (Gate("a step", passed=False, words=f"{matrix} matrix instructions in the loop, a step has {wanted}"),)
    local = sum(i.mnemonic.startswith(_LOCAL) for i in code) / steps
    barriers = sum(i.kind is InstructionKind.BARRIER for i in code) / steps
    expected = barriers_of(tile)
    rounds = int(problem["keys"]) / tile.bn
    return (
        Gate("barriers", barriers == expected, f"{barriers:g} per step of {tile.bn} keys"),
        Gate(
            "LDS operations",
            passed=True,
            words=f"{local:g} per step, {local * rounds / _THOUSAND:.1f} thousand per wave and {tile.side} queries",
        ),
    )


def barriers_of(tile: Tile) -> int:
    """Return the barriers that a step needs.

    Four where K and V share a place (either is written and read), two with a place each, one with two places each.
    """
    return (4, 2, 1)[tile.buffers]

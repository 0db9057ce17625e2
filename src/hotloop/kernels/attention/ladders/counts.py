"""What the machine code of a rung does per step: local memory operations of a wave, barriers, and what its placement costs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from hotloop.isa.amdgcn.costs import cost
from hotloop.isa.hot import hot_loop
from hotloop.isa.instruction import Function, Instruction, InstructionKind
from hotloop.kernels.attention.ladders.tile import Tile
from hotloop.model.ladder import Gate
from hotloop.model.record import Scalar

_LOCAL = "ds_"
_THOUSAND = 1000.0
_COPY = "global_load_lds"
_MOVE = "v_accvgpr"
_VECTOR = "v_"
_PHASES = 2


def gates(tile: Tile, problem: Mapping[str, Scalar], function: Function) -> tuple[Gate, ...]:
    """Return the barriers of a step, checked, the local memory operations, shown, and what else the rung is about.

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
    rows = [
        Gate("barriers", barriers == expected, f"{barriers:g} per step of {tile.bn} keys"),
        Gate(
            "LDS operations",
            passed=True,
            words=f"{local:g} per step, {local * rounds / _THOUSAND:.1f} thousand per wave and {tile.side} queries",
        ),
    ]
    rows.append(overlap(function, code))
    if tile.stagger:
        rows.append(phases(code))
    if tile.direct:
        rows.append(_copies(tile, code, steps))
    if tile.agpr:
        rows.append(_moves(function, code, steps))
    return tuple(rows)


def barriers_of(tile: Tile) -> int:
    """Return the barriers that a step needs.

    Four where K and V share a place (either is written and read), two with a place each, one with two places each; two where
    halves of the waves take turns.
    """
    return _PHASES if tile.stagger else (4, 2, 1)[tile.buffers]


def overlap(function: Function, code: Sequence[Instruction]) -> Gate:
    """Return how many vector instructions of a loop one wave issues while the matrix unit still works for it; waits take no time."""
    clock = busy = beside = 0
    for instruction in code:
        spent = cost(instruction, function.target)
        if instruction.kind is InstructionKind.MATRIX:
            busy = max(busy, clock) + spent.matrix_cycles
        elif _is_vector(instruction):
            beside += clock < busy
        clock += spent.issue_cycles
    vector = sum(_is_vector(instruction) for instruction in code)
    return Gate("overlap", passed=True, words=f"{beside} of {vector} vector instructions beside matrix instructions")


def _is_vector(instruction: Instruction) -> bool:
    return instruction.mnemonic.startswith(_VECTOR) and instruction.kind is not InstructionKind.MATRIX


def phases(code: Sequence[Instruction]) -> Gate:
    """Return whether all matrix instructions of a loop lie between the same two of its barriers, and what lies in between."""
    at = [place for place, instruction in enumerate(code) if instruction.kind is InstructionKind.BARRIER]
    if not at:
        return Gate("phases", passed=False, words="the loop has no barrier")
    turned = [*code[at[0] :], *code[: at[0]]]
    parts: list[list[Instruction]] = []
    for instruction in turned:
        if instruction.kind is InstructionKind.BARRIER:
            parts.append([])
        parts[-1].append(instruction)
    matrix = [sum(i.kind is InstructionKind.MATRIX for i in part) for part in parts]
    vector = [sum(_is_vector(i) for i in part) for part in parts]
    full = max(range(len(parts)), key=matrix.__getitem__)
    words = (
        f"{matrix[full]} of {sum(matrix)} matrix instructions in one phase beside {vector[full]} vector ones, "
        f"{sum(vector) - vector[full]} vector instructions in the other"
    )
    return Gate("phases", len(parts) == _PHASES and matrix[full] == sum(matrix), words)


def _copies(tile: Tile, code: Sequence[Instruction], steps: float) -> Gate:
    """Return whether each step has as many copies from memory to LDS as it must, and how often it waits until all loads have arrived."""
    copies = sum(i.mnemonic.startswith(_COPY) for i in code) / steps
    waits = sum("vmcnt(0)" in i.operands for i in code) / steps
    wanted = tile.direct * tile.copies(tile.k_place)[0].shape[1]
    return Gate("copies to LDS", copies == wanted, f"{copies:g} per step, {waits:g} waits for everything")


def _moves(function: Function, code: Sequence[Instruction], steps: float) -> Gate:
    """Return whether matrix instructions write accumulation registers, and how often these are moved to others and back."""
    matrix = [i for i in code if i.kind is InstructionKind.MATRIX]
    there = sum(i.operands.lstrip().startswith("a[") for i in matrix)
    moves = sum(i.mnemonic.startswith(_MOVE) for i in code) / steps
    accumulators = function.resources.agprs if function.resources else None
    words = f"{there} of {len(matrix)} matrix instructions write them, {accumulators} of them, {moves:g} moves per step"
    return Gate("accumulation registers", there > 0, words)

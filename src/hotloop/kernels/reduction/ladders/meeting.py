"""How lanes and waves exchange values in a rung's machine code: instructions through local memory, instructions past it, and barriers."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.isa.instruction import Function, InstructionKind
from hotloop.model.ladder import Gate, Ladder, Rung

_WAYS: Mapping[str, tuple[str, ...]] = {
    "shuffles": ("ds_bpermute_b32",),
    "swizzles": ("ds_swizzle_b32",),
    "DPP": ("_dpp",),
    "row swaps": ("v_permlane16_swap", "v_permlane32_swap"),
    "reads of lanes": ("v_readlane_b32",),
    "LDS reads and writes": ("ds_read", "ds_write"),
}
_THROUGH_MEMORY = ("shuffles", "swizzles")
_NEEDED: Mapping[int, tuple[str, ...]] = {0: (), 1: ("swizzles",), 2: ("DPP",), 3: ("DPP", "row swaps")}
"""What must be found for a value of EXCHANGE (shuffles are what the compiler makes of them: FlyDSL's are swizzles and, on gfx950, row
swaps); from 2 on, nothing that passes through local memory's crossbar."""
_IN_REGISTERS = 2


def gates(ladder: Ladder, rung: Rung, function: Function) -> tuple[Gate, ...]:
    """Return whether the rung's lanes exchange values in the way that it states, with counts over the whole kernel."""
    counts = meetings(function)
    barriers = sum(i.kind is InstructionKind.BARRIER for i in function.instructions)
    words = ", ".join(f"{count} {way}" for way, count in counts.items() if count) or "no exchange of lanes"
    exchange = ladder.changes(rung).get("EXCHANGE")
    passed = exchange is None or _as_asked(int(exchange), counts)
    return (Gate("meeting", passed, f"{words}; {barriers} barriers"),)


def meetings(function: Function) -> dict[str, int]:
    """Return how many instructions of each kind exchange values of lanes."""
    names = [i.mnemonic for i in function.instructions]
    return {way: sum(_is(name, parts) for name in names) for way, parts in _WAYS.items()}


def _is(name: str, parts: tuple[str, ...]) -> bool:
    return any(part in name if part.startswith("_") else name.startswith(part) for part in parts)


def _as_asked(exchange: int, instructions: Mapping[str, int]) -> bool:
    there = all(instructions[way] for way in _NEEDED[exchange])
    return there and not (exchange >= _IN_REGISTERS and any(instructions[way] for way in _THROUGH_MEMORY))

"""Explaining a matrix instruction by any of its names."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Any

from hotloop.isa.matrix import catalogue
from hotloop.isa.matrix.instruction import Family, Instruction
from hotloop.isa.matrix.maps import ElementMap, element_map
from hotloop.isa.matrix.picture import formulas, rows


@dataclass(frozen=True, slots=True)
class Explanation:
    """One instruction with the maps of its operands."""

    instruction: Instruction
    maps: tuple[ElementMap, ...]
    """Maps of A, of B where a register holds it, and of D; C is laid out like D."""

    @property
    def text(self) -> str:
        """Text for the terminal."""
        return "\n".join(
            (*_head(self.instruction), *(line for m in self.maps for line in _operand(self.instruction, m)))
        )

    def as_json(self) -> dict[str, Any]:
        """Return shape, cost and complete maps: lists [lane][item] of block, row and column."""
        instruction = self.instruction
        return {
            **asdict(instruction),
            "flops": instruction.flops,
            "operands": [
                {
                    "operand": m.operand,
                    "bits": m.bits,
                    "items": m.items,
                    "registers": m.registers,
                    "copies": m.copies,
                    "formulas": formulas(instruction, m),
                    "block": m.block.tolist(),
                    "row": m.row.tolist(),
                    "column": m.column.tolist(),
                }
                for m in self.maps
            ],
        }


def explain_matrix(name: str, target: str | None = None) -> Explanation:
    """Return shape, cost and maps of an instruction, e.g. ``v_mfma_f32_32x32x8_f16`` or ``m16n8k16.f32.f16``.

    Raises:
        UsageError: no instruction has the name; the message lists similar ones.
    """
    instruction = catalogue.find(name, target)
    operands = "AD" if instruction.family is Family.WGMMA else "ABD"
    return Explanation(instruction, tuple(element_map(instruction, operand) for operand in operands))


def names(target: str | None = None) -> tuple[str, ...]:
    """Return the names of all instructions, or of one target's."""
    every = catalogue.instructions() if target is None else catalogue.of_target(target)
    return tuple(instruction.name for instruction in every)


def _head(found: Instruction) -> list[str]:
    blocks = f", {found.blocks} blocks" if found.blocks > 1 else ""
    lines = [
        f"{found.name}: D[{found.m}x{found.n}] = A[{found.m}x{found.k}] * B[{found.k}x{found.n}] + C{blocks}",
        f"A {found.a_type}, B {found.b_type}, C and D {found.c_type}; {found.lanes} lanes; {found.flops} operations",
        f"on {', '.join(found.targets)}",
    ]
    for cost in found.costs:
        passes = f" ({cost.passes} passes)" if cost.passes else ""
        lines.append(
            f"  {cost.target}: {cost.cycles} cycles{passes}, {found.flops // cost.cycles} operations per cycle and SIMD"
        )
    if not found.costs:
        lines.append("  cycles: not published by the vendor")
    if "scale" in found.name:
        lines.append(
            "scales: one E8M0 byte per 32 k; a lane's byte scales its own row (A) or column (B) of the lane's k block"
        )
    return [*lines, f"maps: {found.status}; {found.source}"]


def _operand(found: Instruction, where: ElementMap) -> list[str]:
    name = "C, D" if where.operand == "D" else where.operand
    kind = {"A": found.a_type, "B": found.b_type, "D": found.c_type}[where.operand]
    head = (
        f"{name}: {where.items} x {kind} in {where.registers} registers of a lane; {', '.join(formulas(found, where))}"
    )
    first = ["  block 0:"] if found.blocks > 1 else []
    return ["", head, *first, *(f"  {line}" for line in rows(where))]

"""Rings of stages in shared memory that copies fill and a loop empties, with mbarriers between them: Hopper and later.

A warp waits for the phase of a stage's barrier (``SYNCS.PHASECHK.TRANS64.TRYWAIT``), works on the stage and hands it back with an
arrival (``SYNCS.ARRIVE``), from which on copies may fill it anew: bulk copies of the loop itself, or of a warp that does nothing
else. The stages stand in the code: the number of the stage is counted up and set to zero where it equals their number, or is the
remainder of a division by their number. A barrier whose address does not change in the loop is a ring of one stage.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from hotloop.isa.instruction import Instruction, InstructionKind
from hotloop.isa.nvidia.registers import effects

_COMPARE = re.compile(r"(U?P\d+), U?PT, (U?R\d+), (0x[0-9a-f]+), U?PT")
_SELECT = re.compile(r"U?R\d+, (U?R\d+), U?RZ, !?(U?P\d+)|U?R\d+, U?RZ, (U?R\d+), !?(U?P\d+)")
_BEYOND = {"EQ": 0, "NE": 0, "GE": 0, "LT": 0, "GT": 1, "LE": 1}
"""How much larger the number of stages is than the constant that a stage's number is compared with."""
_REMAINDER = re.compile(r"U?R\d+, U?R\d+, -(0x[0-9a-f]+), U?R\d+")
_MASK = re.compile(r"(U?R\d+), (?:(?:U?R\d+|U?RZ), )?0xffffff([0-9a-f]{2}), .*")
"""Instruction with the mask that keeps the multiple of a power of two, which is then subtracted from a number: 0xfffffffe for 2."""
_MOST_STAGES = 64
_GROUPS_LEFT = re.compile(r"gsb0, (0x[0-9a-f]+)")


@dataclass(frozen=True, slots=True)
class Ring:
    """What a loop waits for."""

    waits: int
    """Waits for a phase in one iteration."""
    stages: int
    """Stages of the smallest ring."""
    left: int
    """Groups of matrix instructions that may still read their stages when the next wait comes: so many stages come back late."""
    apart: bool
    """Another warp issues the copies."""

    def cover(self, work_cycles: float, latency_cycles: float) -> float:
        """Return how much of the time until a stage is full again one warp's work fills; from 1 on it never waits.

        A stage is used once in `stages` iterations. Between two uses it is held, for the work of one iteration or until one or
        more later, and filled, which takes the latency.
        """
        held = 0 if self.left else work_cycles
        return work_cycles * max(0, self.stages - self.left) / (latency_cycles + held)


def ring(code: Sequence[Instruction]) -> Ring | None:
    """Return the ring that a loop walks through; None: it waits for no phase, or its stages cannot be told.

    Args:
        code: instructions of the loop that belong to no inner one, in address order.
    """
    waits = [i for i in code if i.mnemonic.startswith("SYNCS.PHASECHK")]
    stages = _wraps(code) or _remainders(code) or ([1] if waits and _still(waits, code) else [])
    if not waits or not stages:
        return None
    left = [int(match[1], 16) for i in code if i.mnemonic.startswith("WARPGROUP.DEPBAR") and (match := _GROUPS_LEFT.search(i.operands))]  # fmt: skip
    return Ring(len(waits), min(stages), min(left, default=0), not any(i.kind is InstructionKind.COPY for i in code))


def _wraps(code: Sequence[Instruction]) -> list[int]:
    """Return the numbers at which registers of a loop are set to zero."""
    compared: dict[str, tuple[str, int]] = {}
    wraps = []
    for instruction in (*code, *code):  # once more for what is compared behind the place where it is selected
        root, _, rest = instruction.mnemonic.partition(".")
        relation = rest.partition(".")[0]
        if root in ("ISETP", "UISETP") and (match := _COMPARE.fullmatch(instruction.operands)) and relation in _BEYOND:
            compared[match[1]] = match[2], int(match[3], 16) + _BEYOND[relation]
        elif root in ("SEL", "USEL") and (match := _SELECT.fullmatch(instruction.operands)):
            register, stages = compared.get(match[2] or match[4], ("", 0))
            wraps += [stages] if register == (match[1] or match[3]) and stages > 1 else []
    return wraps


def _remainders(code: Sequence[Instruction]) -> list[int]:
    """Return the numbers by which a loop divides to keep the remainder."""
    multiples: dict[str, int] = {}
    remainders = []
    for instruction in code:
        root = instruction.mnemonic.partition(".")[0]
        if root in ("IMAD", "UIMAD") and (match := _REMAINDER.fullmatch(instruction.operands)):
            remainders.append(int(match[1], 16))
        elif root in ("LOP3", "ULOP3") and (match := _MASK.fullmatch(instruction.operands)):
            multiple = 256 - int(match[2], 16)
            multiples |= {match[1]: multiple} if multiple.bit_count() == 1 else {}
        elif root in ("IADD3", "UIADD3"):
            remainders += [
                number for register, number in multiples.items() if re.search(rf"-{register}\b", instruction.operands)
            ]
    return [number for number in remainders if 1 < number <= _MOST_STAGES]


def _still(waits: Sequence[Instruction], code: Sequence[Instruction]) -> bool:
    """Tell whether no wait's barrier moves within the loop."""
    written = {register for instruction in code for register in effects(instruction).writes}
    return not any(register in written for wait in waits for register in re.findall(r"U?R\d+", _address(wait)))


def _address(wait: Instruction) -> str:
    match = re.search(r"\[([^]]*)\]", wait.operands)
    return match[1] if match else ""

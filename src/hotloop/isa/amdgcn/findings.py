"""What the wait analysis finds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from hotloop.isa.amdgcn.counters import Counter
from hotloop.isa.instruction import Instruction


class HazardKind(StrEnum):
    """Ways in which an operation in flight goes wrong, as the end of a sentence about it."""

    READ = "is read"
    OVERWRITTEN = "is written again"
    SOURCE = "is changed while the operation may still read it"
    BARRIER = "has a write of the local data share in flight at the barrier"
    COPY = "reads the local data share although no copy into it has been waited for"
    DRIFT = "is issued again and again without any wait that completes it"
    LOST = "is in flight at the end of the kernel, so no wait made it safe to read"
    SPLIT = "is in flight although the wait before completes a copy issued together with it"
    RETURN = "is in flight at the return, where the caller expects nothing"


_REMEDIES = {
    HazardKind.BARRIER: "other waves may read what was there before; wait for lgkmcnt(0), on gfx12 dscnt 0, ahead of it",
}
"""Description and remedy of each kind of finding, where they are always the same."""


@dataclass(frozen=True, slots=True)
class Hazard:
    """A missing or too weak wait."""

    kind: HazardKind
    operation: Instruction | None
    """Operation that is in flight; None: whatever the caller left in flight."""
    consumer: Instruction
    registers: tuple[str, ...] = ()

    def __str__(self) -> str:
        """Say it in one sentence, with both lines, and what to do where that is known."""
        issued = (
            f"{_place(self.operation)} {self.operation.mnemonic}" if self.operation else "an operation of the caller"
        )
        user = f"{_place(self.consumer)} {self.consumer.mnemonic}"
        if self.registers:
            return f"{user}: {', '.join(self.registers)} of {issued} {self.kind.value} before a sufficient wait"
        remedy = _REMEDIES.get(self.kind)
        return f"{user}: {issued} {self.kind.value}" + (f": {remedy}" if remedy else "")


@dataclass(frozen=True, slots=True)
class Blocked:
    """An operation that a wait may have to wait for."""

    operation: Instruction | None
    """None: whatever the caller left in flight."""
    instance: int
    """0: its latest issue, 1: the one before (a pipeline stage back), up to 3."""
    instructions: int
    """Between issue and wait, on the shortest path."""
    matrices: int
    """Matrix instructions between them."""
    cycles: int
    """Least cycles between them by `costs`: the matrix unit or the issue of everything, whichever is longer."""


@dataclass(frozen=True, slots=True)
class Wait:
    """One counter of one wait instruction."""

    instruction: Instruction
    counter: Counter
    count: int
    blocks_on: tuple[Blocked, ...]
    """Empty: nothing that old can be in flight, the wait is idle."""


@dataclass(frozen=True, slots=True)
class WaitReport:
    """Everything about the waits of one function."""

    function: str
    waits: tuple[Wait, ...]
    hazards: tuple[Hazard, ...]
    doubts: tuple[Hazard, ...] = ()
    """Probable mistakes: waits that separate the copies of one batch into local memory."""


def _place(instruction: Instruction) -> str:
    return f"line {instruction.line}" if instruction.line is not None else f"{instruction.address:#x}"

"""Uniform registers and predicates that SASS reads although nothing has written them: what a compiler's mistake looks like.

Compilers write such a register of a kernel before they read it: of 631 programs with 1.4 million instructions that Triton 3.6 had compiled
for random calls of this project's operators, none did otherwise. Such a read is a lost instruction, and what the register holds is left
over from another program. It was met in ptxas 12.8, which Triton 3.6 brings: a matrix descriptor was computed from a uniform register
without a value, and the kernel read outside shared memory. ptxas 12.9 writes the register.

A register counts as written where any path from the entry writes it, also under a predicate. Whether a device function's caller did is not
known, nor what a called function leaves, so neither is looked at. Vector registers are not either: compilers put predicates and halves
into bits of one that holds nothing else (in 112 of those programs).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from hotloop.isa.blocks import Block, blocks
from hotloop.isa.instruction import Function, Instruction
from hotloop.isa.nvidia.registers import effects

_ELSEWHERE = ("CALL", "RET", "BRX", "JMX", "JMP")
"""What leads to code, or comes from code, that the branches of a listing do not tell."""

_FILES = ("UR", "UP", "P")
_SAVES = ("P2R", "UP2UR")
"""What puts predicates into a register to keep them: of all that its mask names some may hold nothing yet."""
_PREAMBLE = 4
"""Instructions among which a kernel loads the stack pointer, R1, from what the driver tells it."""


@dataclass(frozen=True, slots=True)
class Unwritten:
    """A register without a value, and the instructions that read it, in address order."""

    register: str
    readers: tuple[Instruction, ...]

    def __str__(self) -> str:
        """Say it in one sentence."""
        first, *more = self.readers
        others = f" and {len(more)} more" if more else ""
        return (
            f"{first.mnemonic} at {first.address:#x}{others} reads {self.register}, which no instruction has written there: the "
            "compiler lost one (another version of ptxas, or a changed kernel, may not)"
        )


def unwritten(function: Function) -> tuple[Unwritten, ...]:
    r"""Return the registers of a kernel that are read without a value; none of parts of kernels, or of code whose paths are not known.

    >>> from hotloop.isa.dialects.sass import DIALECT
    >>> (kernel,) = DIALECT.parse("MOV R1, c[0x0][0x28] ;\n UIADD3 UR4, UR6, 0x20, URZ ;\n EXIT ;")
    >>> [str(found).partition(",")[0] for found in unwritten(kernel)]
    ['UIADD3 at 0x10 reads UR6']
    """
    if not _whole(function):
        return ()
    readers: dict[str, list[Instruction]] = defaultdict(list)
    code = blocks(function)
    for block, written in zip(code, _written(code), strict=True):
        for register, instruction in _early(block, written):
            readers[register].append(instruction)
    return tuple(Unwritten(register, tuple(found)) for register, found in sorted(readers.items()))


def _whole(function: Function) -> bool:
    """Tell whether the code is all of a kernel, from where it sets its stack pointer to an end, with branches that it names."""
    code = function.instructions
    begins = any("c[0x0]" in i.operands and "R1" in effects(i).writes for i in code[:_PREAMBLE])
    names = [instruction.mnemonic for instruction in code]
    ends = any(name.startswith("EXIT") for name in names)
    return begins and ends and code[0].address == 0 and not any(name.startswith(_ELSEWHERE) for name in names)


def _written(code: Sequence[Block]) -> list[set[str] | None]:
    """Return what some path may have written before each block; None for blocks that no path reaches."""
    own = [frozenset().union(*(effects(i).writes for i in block.instructions)) for block in code]
    before: list[set[str] | None] = [set(), *([None] * (len(code) - 1))]
    todo = [0]
    while todo:
        index = todo.pop()
        after = (before[index] or set()) | own[index]
        for successor in code[index].successors:
            known = before[successor]
            if known is None or not after <= known:
                before[successor] = after | (known or set())
                todo.append(successor)
    return before


def _early(block: Block, written: set[str] | None) -> Iterator[tuple[str, Instruction]]:
    """Yield the registers of a block that have no value where they are read."""
    if written is None:
        return
    known = set(written)
    for instruction in block.instructions:
        touched = effects(instruction)
        early = () if instruction.mnemonic.startswith(_SAVES) else sorted(touched.reads - known)
        yield from ((register, instruction) for register in early if register.startswith(_FILES))
        known |= touched.writes

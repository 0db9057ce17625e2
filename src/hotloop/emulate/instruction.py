"""One instruction, decoded once when a program is loaded."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from hotloop.emulate.errors import UnmodelledError
from hotloop.emulate.operands import Modifiers, Operand, parse
from hotloop.emulate.semantics.words import unknown
from hotloop.isa.amdgcn.counters import Generation, Issue, issues
from hotloop.isa.amdgcn.registers import ENCODING, access
from hotloop.isa.bitset import holding

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.emulate.arrays import World
    from hotloop.emulate.state import Layout
    from hotloop.isa.instruction import Instruction
    from hotloop.targets.target import Target


@dataclass(frozen=True, slots=True)
class Context:
    """What binding an instruction must know of the program and the processor."""

    target: Target
    family: Generation
    layout: Layout
    private: bool = False
    """The kernel has private memory."""

    @property
    def lanes(self) -> int:
        """Lanes of a wave."""
        return self.layout.lanes

    @property
    def zeroes_upper(self) -> bool:
        """Tell whether 16-bit results of the vector unit clear the upper half of their register."""
        return self.target.has("16-bit results that clear the upper half of their register")


@dataclass(slots=True)
class Decoded:
    """An instruction with what it touches and what it does; its step takes the cohort that executes it."""

    index: int
    address: int
    line: int | None
    mnemonic: str
    name: str
    """Mnemonic without the names of encodings."""
    text: str
    operands: tuple[Operand, ...]
    modifiers: Modifiers
    target: int | None
    """Index of the instruction that a direct branch goes to."""
    reads: int
    """Bits of the registers it reads, in the numbering of `hotloop.isa.amdgcn.registers`."""
    writes: int
    touches: int
    issues: tuple[Issue, ...]
    saturates: bool = False
    """The mode is set in which what is too large becomes the largest number (`hotloop.emulate.mode`)."""
    step: Callable[[World], None] = field(repr=False, default=lambda _: None)

    def where(self) -> str:
        """Return where it stands and what it says."""
        place = f"line {self.line}" if self.line is not None else f"address {self.address:#x}"
        return f"{place}: {self.mnemonic} {self.text}".rstrip()

    def unmodelled(self, why: str = "") -> UnmodelledError:
        """Return the error that this instruction, or its form, is not modelled."""
        reason = f" ({why})" if why else ""
        return UnmodelledError(f"{self.where()} is not modelled{reason}; hotloop emulate cannot execute this kernel.")


def decode(index: int, item: Instruction, branch: int | None, family: Generation) -> Decoded:
    """Return an instruction without its step. Raises UnmodelledError for operands that cannot be read."""
    try:
        used = access(item.mnemonic, item.operands)
        operands, modifiers = parse(item.operands) if "::" not in item.operands else ((), Modifiers())
    except (IndexError, ValueError) as error:
        place = f"line {item.line}" if item.line is not None else f"address {item.address:#x}"
        raise UnmodelledError(
            f"{place}: the operands of {item.mnemonic} {item.operands} cannot be read; hotloop emulate cannot execute this kernel."
        ) from error
    reads, writes = holding(used.reads) | holding(used.keeps), holding(used.writes)
    made = Decoded(
        index=index,
        address=item.address,
        line=item.line,
        mnemonic=item.mnemonic,
        name=ENCODING.sub("", item.mnemonic),
        text=item.operands,
        operands=operands,
        modifiers=modifiers,
        target=branch,
        reads=reads,
        writes=writes,
        touches=reads | writes,
        issues=issues(item.mnemonic, item.operands, family),
    )
    if word := unknown(item.mnemonic, modifiers):
        raise made.unmodelled(f"nothing is known of {word}")
    return made

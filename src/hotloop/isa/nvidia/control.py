"""Scheduling control that the compiler puts into every instruction of Volta and later.

Bits 105..125 of the 128-bit encoding: stall 4, yield 1, write barrier 3, read barrier 3, wait mask 6, reuse 4. The layout
follows the published work on Volta (Z. Jia et al., "Dissecting the NVIDIA Volta GPU architecture via microbenchmarking",
2018) and CuAssembler (MIT); it was the same in everything compiled for sm_75 to sm_120 that this was tried on.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from hotloop.errors import UsageError
from hotloop.isa.nvidia.listing import INSTRUCTION_BYTES

BARRIERS = 6
"""Scoreboards of a warp."""
FIRST_BIT = 105
_NONE = 7


@dataclass(frozen=True, slots=True)
class Control:
    """When an instruction may issue and what it reports."""

    stall_cycles: int
    """Cycles until the next instruction of this warp may issue, at least."""
    yields: bool
    """True when the scheduler is asked to go on with another warp (the bit is 0 then)."""
    write_barrier: int | None
    """Scoreboard that is held until the results are written."""
    read_barrier: int | None
    """Scoreboard that is held until the operands are read."""
    wait_mask: int
    """Bit n set: issues only when scoreboard n is free."""
    reuse_mask: int
    """Operands kept in the reuse cache."""

    @property
    def waits(self) -> tuple[int, ...]:
        """Scoreboards that are waited for."""
        return tuple(barrier for barrier in range(BARRIERS) if self.wait_mask >> barrier & 1)

    def __str__(self) -> str:
        """Write it as CuAssembler does.

        >>> str(decode(0x000ea2000c1e1900 << 64))
        'B------:R-:W2:-:S01'
        """
        waits = "".join(str(b) if self.wait_mask >> b & 1 else "-" for b in range(BARRIERS))
        read = "-" if self.read_barrier is None else self.read_barrier
        write = "-" if self.write_barrier is None else self.write_barrier
        return f"B{waits}:R{read}:W{write}:{'Y' if self.yields else '-'}:S{self.stall_cycles:02}"


def decode(encoding: int) -> Control:
    """Return the control information of a 128-bit instruction."""
    field = encoding >> FIRST_BIT
    write, read = field >> 5 & 7, field >> 8 & 7
    return Control(
        stall_cycles=field & 15,
        yields=not field >> 4 & 1,
        write_barrier=None if write == _NONE else write,
        read_barrier=None if read == _NONE else read,
        wait_mask=field >> 11 & 63,
        reuse_mask=field >> 17 & 15,
    )


def encodings(code: bytes) -> Iterator[int]:
    """Yield the instructions of a function's machine code.

    Raises:
        UsageError: the size is no multiple of 16 bytes: truncated, or not code of Volta or later.
    """
    if len(code) % INSTRUCTION_BYTES:
        raise UsageError(
            f"{len(code)} bytes are no whole number of 16-byte SASS instructions: give all of .text.<kernel>."
        )
    for start in range(0, len(code), INSTRUCTION_BYTES):
        yield int.from_bytes(code[start : start + INSTRUCTION_BYTES], "little")

"""SASS, the machine code of NVIDIA GPUs from Volta on, as nvdisasm and cuobjdump list it.

A predicate stands before the operands, as in ``@!P0 R4, R5``. Machine code itself is not decoded: it needs a disassembler,
which CUDA and Triton bring. `hotloop.isa.nvidia` reads the scheduling control from listings with encodings or from a cubin.
"""

from __future__ import annotations

from hotloop.isa.instruction import Function
from hotloop.isa.nvidia.listing import routines
from hotloop.isa.nvidia.scheduled import function


class Sass:
    """The machine code of NVIDIA GPUs."""

    name = "sass"

    def parse(self, listing: str) -> tuple[Function, ...]:
        """Return the functions of a listing (``nvdisasm -c``, ``cuobjdump -sass``), with or without addresses and encodings.

        Raises:
            UsageError: the code is for a processor before Volta.
        """
        return tuple(function(routine) for routine in routines(listing))

    def decode(self, code: bytes, address: int, name: str) -> Function:
        """Raise ValueError: the instruction set is not published, so hotloop reads listings."""
        raise ValueError(f"SASS of {name} ({len(code)} bytes at {address:#x}) needs nvdisasm: give its listing")


DIALECT = Sass()

"""What an instruction set must offer; adding one is adding a module to `hotloop.isa.dialects`."""

from __future__ import annotations

from typing import Protocol

from hotloop import registry
from hotloop.isa.instruction import Function


class Dialect(Protocol):
    """Turns listings, and where a decoder exists bytes, into the common schema."""

    name: str

    def parse(self, listing: str) -> tuple[Function, ...]:
        """Return the functions of a textual listing; empty when it has none."""

    def decode(self, code: bytes, address: int, name: str) -> Function:
        """Return one function decoded from its machine code.

        Raises:
            MissingExtraError: the decoder is not installed.
            ValueError: this dialect is read from listings only.
        """


def load(name: str) -> Dialect:
    """Return a dialect by name. Raises UnknownNameError."""
    dialect: Dialect = registry.load("hotloop.isa.dialects", name, "DIALECT")
    return dialect

"""What an instruction set must offer; adding one is adding a module to `hotloop.isa.dialects`, and what tells its code beside it.

That is a data file, ``dialects/sass.toml`` for example, whose keys are the fields of `Telltale`: so no dialect is loaded to find out whose
code something is. A dialect without such a file is read only where something names it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from typing import Protocol

from hotloop import registry
from hotloop.isa.instruction import Function

_DIALECTS = "hotloop.isa.dialects"


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
    dialect: Dialect = registry.load(_DIALECTS, name, "DIALECT")
    return dialect


@dataclass(frozen=True, slots=True)
class Telltale:
    """What tells that code is written in a dialect."""

    name: str
    """The dialect's module."""
    title: str
    """What people call it."""
    rows: re.Pattern[str]
    """What is found in a row of its listings, and hardly ever in others'."""
    machine: str = ""
    """Machine of the ELF files whose bytes it decodes, as pyelftools names it; empty: none."""
    cpu: bool = False
    """True for the machine code of processors that are no GPU."""


@cache
def of_cpus() -> frozenset[str]:
    """Return the names of the dialects whose code no GPU runs."""
    return frozenset(told.name for told in telltales() if told.cpu)


@cache
def telltales() -> tuple[Telltale, ...]:
    """Return what tells the dialects that have a data file, in the order of their names."""
    import tomllib
    from importlib.resources import files

    made = list[Telltale]()
    for name in registry.names(_DIALECTS):
        file = files(_DIALECTS).joinpath(f"{name}.toml")
        if file.is_file():
            facts = tomllib.loads(file.read_text(encoding="utf-8"))
            made.append(Telltale(name, rows=re.compile("|".join(facts.pop("rows"))), **facts))
    return tuple(made)

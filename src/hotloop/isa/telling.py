"""How dialects are told apart before one is loaded: each may have a data file beside its module, ``dialects/sass.toml`` for example.

Its keys are the fields of `Telltale`. A dialect without such a file is read only where something names it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from hotloop import registry

_DIALECTS = "hotloop.isa.dialects"


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

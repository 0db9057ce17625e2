"""Every matrix instruction that is known, and finding one by any of its names."""

from __future__ import annotations

import re
from functools import cache

from hotloop.errors import UsageError
from hotloop.isa.matrix import amd, nvidia
from hotloop.isa.matrix.instruction import Instruction

_NEAR = 6
"""How many similar names an error lists."""


@cache
def instructions() -> tuple[Instruction, ...]:
    """Return all, AMD first."""
    return (*amd.instructions(), *nvidia.instructions())


def of_target(target: str) -> tuple[Instruction, ...]:
    """Return the instructions of one target; empty when it has none or is not known."""
    return tuple(i for i in instructions() if target in i.targets)


def find(name: str, target: str | None = None) -> Instruction:
    """Return an instruction by mnemonic, older spelling or builtin; punctuation and case do not matter.

    Raises:
        UsageError: no instruction has the name, or not on this target.
    """
    wanted = _key(name)
    matching = [i for i in instructions() if wanted in {_key(n) for n in (i.name, *i.spellings)}]
    here = [i for i in matching if target is None or target in i.targets]
    if here:
        return here[0]
    if matching:
        raise UsageError(
            f"{target} has no {matching[0].name}; it is an instruction of {', '.join(matching[0].targets)}."
        )
    raise UsageError(f"no matrix instruction is called {name!r}; {_suggestion(name.lower(), target)}.")


def _suggestion(name: str, target: str | None) -> str:
    shape = re.search(r"\d+x\d+x\d+|m\d+n\d+k\d+", name)
    pool = [i.name for i in instructions() if target is None or target in i.targets]
    near = [other for other in pool if shape and re.search(rf"(?<!\d){shape[0]}(?!\d)", other)] or pool
    return f"some that exist: {', '.join(near[:_NEAR])}"


@cache
def _key(name: str) -> str:
    """Return a name without what people spell differently."""
    bare = name.strip().lower().removeprefix("__builtin_amdgcn_").removeprefix("v_")
    return re.sub(r"[^a-z0-9]", "", bare)

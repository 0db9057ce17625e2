"""Which CPU target a machine is, from its name and the flags of its processor."""

from __future__ import annotations

from hotloop.targets import data
from hotloop.targets.target import Target


def of_machine(machine: str, flags: frozenset[str]) -> str:
    """Return the last CPU target of the data file that fits; empty for machines that are not known.

    >>> of_machine("x86_64", frozenset({"avx2", "fma"}))
    'x86-64-avx2'
    """
    fitting = [name for name in data.names("cpu") if _fits(Target(name), machine, flags)]
    return fitting[-1] if fitting else ""


def _fits(target: Target, machine: str, flags: frozenset[str]) -> bool:
    return machine in target.names("machines") and flags.issuperset(target.names("flags"))

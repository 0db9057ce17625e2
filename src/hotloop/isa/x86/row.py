"""One row of x86 code: its prefixes, its operands in Intel's syntax, what it does and where it branches to."""

from __future__ import annotations

import re

from hotloop.isa.instruction import InstructionKind, Traits
from hotloop.isa.x86 import att
from hotloop.isa.x86.classify import classify

_BRANCH = InstructionKind.BRANCH
_AIM = re.compile(r"^(?:0x)?([0-9a-f]+)(?:\s|$)")
PREFIXES = frozenset(
    [
        "data16",
        "addr32",
        "lock",
        "rep",
        "repe",
        "repz",
        "repne",
        "repnz",
        "bnd",
        "notrack",
        "cs",
        "ds",
        "es",
        "ss",
        "fs",
        "gs",
        "xacquire",
        "xrelease",
        "{vex}",
        "{evex}",
    ]
)
Row = tuple[str, str, Traits, int | None]
"""Mnemonic, operands, meaning, target of a branch."""


def row(mnemonic: str, operands: str, *, turned: bool = False) -> Row:
    """Return what a row says, in Intel's syntax and without prefixes."""
    mnemonic, operands = mnemonic.lower(), operands.lower().strip()
    if mnemonic in PREFIXES:
        mnemonic, operands = _unprefixed(mnemonic, operands)
    if turned:
        mnemonic, operands = att.intel(mnemonic, operands)
    traits = classify(mnemonic, operands)
    return mnemonic, operands, traits, aim(operands) if traits.kind is _BRANCH else None


def aim(operands: str) -> int | None:
    """Return the address that a branch goes to; None: it is computed, or a name."""
    found = _AIM.match(operands)
    return int(found[1], 16) if found else None


def _unprefixed(mnemonic: str, operands: str) -> tuple[str, str]:
    """Return mnemonic and operands without prefixes; capstone keeps them in the mnemonic, objdump in front of it."""
    words = f"{mnemonic} {operands}".split()
    while len(words) > 1 and words[0] in PREFIXES:
        words.pop(0)
    return words[0], " ".join(words[1:])

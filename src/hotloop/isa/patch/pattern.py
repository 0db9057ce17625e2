"""One instruction with names for operands, compared with real ones."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.errors import UsageError
from hotloop.isa.instruction import Instruction

_ENCODING = re.compile(r"_(?:e32|e64)$")
_NAME = re.compile(r"\$(\w+)")
_SPLIT = re.compile(r",\s*(?![^\[]*\])")
"""A comma that is not inside brackets."""

Names = Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Pattern:
    """Mnemonic and operands; an encoding (``_e32``) counts only where the pattern writes one."""

    mnemonic: str
    operands: tuple[str, ...]
    text: str

    @classmethod
    def of(cls, text: str) -> Pattern:
        """Read ``v_fmac_f32 $acc, $w, $x``. Raises UsageError for an empty text."""
        mnemonic, _, rest = text.strip().partition(" ")
        if not mnemonic:
            raise UsageError("an instruction of a rule is empty.")
        return cls(mnemonic, fields(rest), text.strip())

    @property
    def names(self) -> frozenset[str]:
        """Names that it binds."""
        return frozenset(name for operand in self.operands for name in _NAME.findall(operand))

    @property
    def first(self) -> str:
        """Name of its first operand, what it writes; empty where that has none."""
        match = _NAME.fullmatch(self.operands[0]) if self.operands else None
        return match.group(1) if match else ""

    def match(self, instruction: Instruction, names: Names) -> dict[str, str] | None:
        """Return the names with those of this instruction added; None where it differs."""
        given = instruction.mnemonic
        if given != self.mnemonic and _ENCODING.sub("", given) != self.mnemonic:
            return None
        bindings, operands = dict(names), fields(instruction.operands)
        if len(operands) != len(self.operands):
            return None
        for pattern, operand in zip(self.operands, operands, strict=True):
            name = _NAME.fullmatch(pattern)
            if name is None:
                if pattern != operand:
                    return None
            elif bindings.setdefault(name.group(1), operand) != operand:
                return None
        return bindings


def fields(operands: str) -> tuple[str, ...]:
    """Return operands without needless blanks.

    >>> fields("v[0:3], v1,  s2 op_sel:[1,0]")
    ('v[0:3]', 'v1', 's2 op_sel:[1,0]')
    """
    text = " ".join(operands.split())
    return tuple(part.strip() for part in _SPLIT.split(text)) if text else ()


def filled(text: str, names: Names) -> str:
    """Return an instruction with its names replaced.

    Raises:
        UsageError: a name that nothing binds.
    """

    def value(found: re.Match[str]) -> str:
        if found.group(1) not in names:
            raise UsageError(f"{text!r} names ${found.group(1)}, which neither find, where nor scratch binds.")
        return names[found.group(1)]

    return _NAME.sub(value, text)

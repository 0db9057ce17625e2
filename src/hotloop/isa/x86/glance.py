"""Rows as compilers write most of them, told at a glance; all others are taken apart as `row` does it.

What repeats itself in a listing is looked at once: mnemonics with the kinds of their operands, addresses but for the number in them,
registers. A row's meaning does not depend on that number, nor on which register of a kind an operand is.
"""

from __future__ import annotations

from typing import NamedTuple

from hotloop.isa.instruction import InstructionKind, Traits
from hotloop.isa.x86 import att
from hotloop.isa.x86.classify import classify
from hotloop.isa.x86.row import PREFIXES, Row, aim, row

_NO_DIGITS = str.maketrans("", "", "0123456789")
_ODD = frozenset("%$:<[{(*")
"""Letters that a number or a name in an address has not."""
_MOST = 1 << 14
"""Pieces of each sort that are remembered from listing to listing."""


class _Around(NamedTuple):
    """An address without the number in it, with the operands beside it, in Intel's order."""

    name: str
    left: str
    right: str
    traits: Traits
    signed: bool
    """True when something stands before the number, which then takes a sign."""


class _Jumps(dict[str, "tuple[str, Traits] | None"]):
    """Instructions that go elsewhere by their mnemonics in AT&T syntax; None: others, and prefixes."""

    def __missing__(self, mnemonic: str) -> tuple[str, Traits] | None:
        name, _, jumps = att.named(mnemonic, vector=False)
        found = self[mnemonic] = (name, classify(name, "")) if jumps and mnemonic not in PREFIXES else None
        return found


class _Cells(dict[str, "tuple[str, str] | None"]):
    """Registers and constants in Intel's syntax, each with what matters of it in AT&T's; None: something else."""

    def __missing__(self, cell: str) -> tuple[str, str] | None:
        text = att.plain(cell)
        found = None
        if text is not None and not _ODD.intersection(text):
            found = (
                text,
                "$"
                if text[:1] != "%" and cell.strip()[:1] == "$" and "mm" not in cell
                else cell.strip().translate(_NO_DIGITS),
            )
        self[cell] = found
        return found


class _Kinds(dict[tuple[str, str], "tuple[str, Traits] | None"]):
    """Instructions without memory, by mnemonic and kinds of operands; None: a prefix."""

    def __missing__(self, key: tuple[str, str]) -> tuple[str, Traits] | None:
        mnemonic, shape = key
        name, operands = att.intel(mnemonic, shape)
        found = self[key] = None if mnemonic in PREFIXES else (name, classify(name, operands))
        return found


class _Arounds(dict[tuple[str, str, str], "_Around | None"]):
    """Instructions with memory, by mnemonic, the operands before the address, and what follows its parenthesis; None: odd ones."""

    def __missing__(self, key: tuple[str, str, str]) -> _Around | None:
        found = self[key] = _around(*key)
        return found


class _Numbers(dict[str, "tuple[str, str] | None"]):
    """Numbers and names in addresses, as they stand alone and behind a register; None: something else may be in them."""

    def __missing__(self, offset: str) -> tuple[str, str] | None:
        text = offset.strip()
        odd = _ODD.intersection(text) or "mm" in text or "rsp" in text
        found = self[offset] = None if odd else (text.replace("+-", "-"), f"+{text}".replace("+-", "-") if text else "")
        return found


def _around(mnemonic: str, lead: str, behind: str) -> _Around | None:
    name, size, jumps = att.named(mnemonic, vector=att.has_vector(f"{lead}({behind}"))
    inside, _, after = behind.partition(")")
    if jumps or mnemonic in PREFIXES or ":" in lead or ":" in behind or "mm" in inside or "<" in after:
        return None
    sides = att.around(mnemonic, lead, behind, size)
    if sides is None:
        return None
    left, right = (side.replace("+-", "-") for side in sides)
    return _Around(name, left, right, classify(name, left + right), left[-1] != "[")


class Glance:
    """Reads rows; what it has learnt holds for every listing, and is forgotten once it is too much."""

    def __init__(self) -> None:
        """Know nothing yet."""
        self._jumps, self._cells, self._kinds, self._arounds, self._numbers = (
            _Jumps(),
            _Cells(),
            _Kinds(),
            _Arounds(),
            _Numbers(),
        )
        self._alone = dict[str, Traits]()

    def forget(self) -> None:
        """Make room before a listing is read."""
        for known in (self._jumps, self._cells, self._kinds, self._arounds, self._numbers, self._alone):
            if len(known) > _MOST:
                known.clear()

    def turned(self, text: tuple[str, str]) -> Row:
        """Return a row in AT&T syntax: its first word and what follows."""
        mnemonic, operands = text[0].lower(), text[1].lower()
        before, opened, behind = operands.partition("(")
        if opened:
            lead, _, offset = before.rpartition(",")
            around, number = self._arounds[mnemonic, lead, behind], self._numbers[offset]
            if around is None or number is None:
                return row(mnemonic, operands, turned=True)
            name, left, right, traits, signed = around
            return name, f"{left}{number[signed]}{right}", traits, None
        jump = self._jumps[mnemonic]
        if jump is not None:
            return self._jump(jump, mnemonic, operands)
        cells = [*map(self._cells.__getitem__, operands.split(","))]
        if None in cells:
            return row(mnemonic, operands, turned=True)
        words, shapes = zip(*cells, strict=True)
        kind = self._kinds[mnemonic, ",".join(shapes)]
        return row(mnemonic, operands, turned=True) if kind is None else (kind[0], ",".join(words[::-1]), kind[1], None)

    @staticmethod
    def _jump(jump: tuple[str, Traits], mnemonic: str, operands: str) -> Row:
        if "%" in operands or "*" in operands or "[" in operands or ":" in operands:
            return row(mnemonic, operands, turned=True)
        name, traits = jump
        text = operands.strip()
        return name, text, traits, aim(text) if traits.kind is InstructionKind.BRANCH else None

    def row(self, text: tuple[str, str]) -> Row:
        """Return a row in Intel's syntax: its first word and what follows."""
        mnemonic, operands = text[0].lower(), text[1].lower().strip()
        if mnemonic in PREFIXES:
            return row(mnemonic, operands)
        if "[" in operands or "mm" in operands or ":" in operands:
            traits = classify(mnemonic, operands)
        else:
            traits = self._alone.get(mnemonic) or self._alone.setdefault(mnemonic, classify(mnemonic, ""))
        return mnemonic, operands, traits, aim(operands) if traits.kind is InstructionKind.BRANCH else None


GLANCE = Glance()
"""The one that every listing is read with."""

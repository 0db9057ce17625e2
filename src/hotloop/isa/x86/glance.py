"""Rows as compilers write most of them, told at a glance; all others are taken apart as `row` does it.

What repeats itself in a listing is looked at once: mnemonics with the kinds of their operands, addresses but for the number in them,
registers. A row's meaning does not depend on that number, nor on which register of a kind an operand is.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from hotloop.isa.instruction import InstructionKind, Traits
from hotloop.isa.x86 import att
from hotloop.isa.x86.classify import classify
from hotloop.isa.x86.row import PREFIXES, Row, aim, row

_BRANCH = InstructionKind.BRANCH
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


class _Kinds(dict[tuple[str, ...], "tuple[str, Traits] | None"]):
    """Instructions without memory, by mnemonic and kinds of operands; None: a prefix."""

    def __missing__(self, key: tuple[str, ...]) -> tuple[str, Traits] | None:
        mnemonic, *shapes = key
        name, operands = att.intel(mnemonic, ",".join(shapes))
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

    def turned(self, texts: Iterable[tuple[str, str]]) -> Iterator[Row]:
        """Yield rows in AT&T syntax, of which each has its first word and what follows; in one loop, as listings have many."""
        arounds, numbers, jumps = self._arounds, self._numbers, self._jumps
        for word, more in texts:
            mnemonic, operands = word.lower(), more.lower()
            before, opened, behind = operands.partition("(")
            if opened:
                lead, _, offset = before.rpartition(",")
                around, number = arounds[mnemonic, lead, behind], numbers[offset]
                if around and number:
                    name, left, right, traits, signed = around
                    yield name, f"{left}{number[signed]}{right}", traits, None
                else:
                    yield row(mnemonic, operands, turned=True)
            elif (jump := jumps[mnemonic]) is not None:
                yield self._jump(jump, mnemonic, operands)
            else:
                yield self._plain(mnemonic, operands)

    def _plain(self, mnemonic: str, operands: str) -> Row:
        """Return a row without memory."""
        first, comma, second = operands.partition(",")
        if comma and "," not in second:  # most have two
            one, two = self._cells[first], self._cells[second]
            kind = self._kinds[mnemonic, one[1], two[1]] if one and two else None
            return (
                (kind[0], f"{two[0]},{one[0]}", kind[1], None)
                if one and two and kind
                else row(mnemonic, operands, turned=True)
            )
        found = [self._cells[cell] for cell in operands.split(",")]
        known = [cell for cell in found if cell is not None]
        kind = self._kinds[mnemonic, *(shape for _, shape in known)] if len(known) == len(found) else None
        if kind is None:
            return row(mnemonic, operands, turned=True)
        return kind[0], ",".join(text for text, _ in reversed(known)), kind[1], None

    def aimed(self, branches: Iterable[tuple[str, int]], *, turned: bool) -> Iterator[Row]:
        """Yield the rows of branches whose targets are known, from mnemonics and targets."""
        for mnemonic, target in branches:
            text = f"{target:x}"
            jump = self._jumps[mnemonic] if turned else None
            if jump is not None and jump[1].kind is _BRANCH:
                yield jump[0], text, jump[1], target
            else:
                yield row(mnemonic, text, turned=turned)

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

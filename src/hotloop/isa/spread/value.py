"""Whole numbers as sums: multiples of named values and a constant, modulo 2^32.

A name is an instruction's result that nothing more is known of, or what the launch brings. Names are made once for the same
operation on the same values, so that two registers with the same sum hold the same number.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import Final

_BITS: Final = 32
_WORD: Final = 1 << _BITS
_MOST: Final = 16
"""Terms of a product that are multiplied out."""


class Kind(IntEnum):
    """How a named value differs among the lanes of a wave; of several the largest counts."""

    SHARED = 0
    GROUP = 1
    """The number of the work-group, the same for its lanes."""
    ROW = 2
    """The number of a work-item in another dimension than the first: the same for a row of lanes."""
    LANE = 3
    """The number of the work-item itself, one more from lane to lane."""
    APART = 4
    """A value of which nothing is known."""


LANE: Final = 0
"""The name of the lane's number."""
_LANE_BITS: Final = 10


@dataclass(frozen=True, slots=True)
class Sum:
    """A number as the sum of a constant and of multiples of named values."""

    terms: tuple[tuple[int, int], ...] = ()
    """Name and multiple, ascending, without zeros."""
    constant: int = 0

    @property
    def plain(self) -> int | None:
        """The number where it is known; None otherwise."""
        return None if self.terms else self.constant

    @property
    def lane(self) -> int:
        """What the number grows by from lane to lane."""
        return next((multiple for name, multiple in self.terms if name == LANE), 0)

    def __add__(self, other: Sum) -> Sum:
        """Return the sum of both."""
        if not other.terms:
            return Sum(self.terms, _signed(self.constant + other.constant))
        terms = dict(self.terms)
        for name, multiple in other.terms:
            terms[name] = _signed(terms.get(name, 0) + multiple)
        return Sum(tuple(sorted(pair for pair in terms.items() if pair[1])), _signed(self.constant + other.constant))

    def times(self, factor: int) -> Sum:
        """Return a multiple."""
        terms = ((name, _signed(multiple * factor)) for name, multiple in self.terms)
        return Sum(tuple(pair for pair in terms if pair[1]), _signed(self.constant * factor))

    def __sub__(self, other: Sum) -> Sum:
        """Return the difference."""
        return self + other.times(-1)


def _signed(number: int) -> int:
    number %= _WORD
    return number - _WORD if number >= _WORD >> 1 else number


@dataclass(frozen=True, slots=True)
class Bits:
    """The key of some of the bits of a lane's number: lanes that share them share what depends on nothing else of it."""

    low: int
    count: int

    def of(self, lane: int) -> int:
        """Return the bits of one lane."""
        return (lane >> self.low) & ((1 << self.count) - 1)


_WHOLE: Final = Bits(0, _LANE_BITS)


@dataclass(slots=True)
class Names:
    """The names given so far."""

    kinds: list[Kind] = field(default_factory=lambda: [Kind.LANE])
    parts: list[tuple[int, ...]] = field(default_factory=lambda: [()])
    """The names that went into each."""
    keys: list[Hashable] = field(default_factory=lambda: [None])
    factors: list[tuple[int, ...]] = field(default_factory=lambda: [(LANE,)])
    """The names that each is the product of, ascending; most are only themselves."""
    _known: dict[Hashable, int] = field(default_factory=dict)
    _alone: dict[int, Sum] = field(default_factory=dict)
    """The value of each name, one object, so that equal registers are mostly the same one."""

    def known(self, key: Hashable) -> int | None:
        """Return the name that a key was given."""
        return self._known.get(key)

    def of(self, key: Hashable, kind: Kind, *values: Sum) -> Sum:
        """Return the value that a key stands for, which was made of `values`."""
        name = self._known.get(key)
        if name is None:
            name = self._known[key] = len(self.kinds)
            self.kinds.append(kind)
            self.keys.append(key)
            self.factors.append((name,))
            self.parts.append(tuple(part for value in values for part, _ in value.terms))
            self._alone[name] = Sum(((name, 1),))
        return self._alone[name]

    def kind(self, value: Sum) -> Kind:
        """Return how a number differs among lanes."""
        return max((self.kinds[name] for name, _ in value.terms), default=Kind.SHARED)

    def made(self, key: Hashable, *values: Sum) -> Sum:
        """Return a name for the result of an operation other than addition; lanes differ in it where the lane's number is among its operands."""
        kind = max(map(self.kind, values), default=Kind.SHARED)
        return self.of((key, *values), Kind.APART if kind is Kind.LANE else kind, *values)

    def masked(self, value: Sum, mask: int) -> Sum | None:
        """Return the bits of a number that a mask leaves, where the number is the lane's, shifted or not; None elsewhere."""
        held = self._bits(value)
        low = (mask & -mask).bit_length() - 1
        if held is None or mask <= 0 or (mask >> low) & ((mask >> low) + 1):
            return None
        bits, by = held
        first = max(low, by)
        left = Bits(bits.low + first - by, min(mask.bit_length(), by + bits.count) - first)
        return self._of_bits(left).times(1 << first) if left.count > 0 else Sum()

    def shifted_down(self, value: Sum, by: int) -> Sum | None:
        """Return a number without its lowest bits, where it is the lane's; None elsewhere."""
        held = self._bits(value)
        if held is None or held[1] or not 0 <= by < _LANE_BITS:
            return None
        bits = held[0]
        return self._of_bits(Bits(bits.low + by, bits.count - by)) if by < bits.count else Sum()

    def joined_down(self, low: Sum, high: Sum, by: int | None) -> Sum | None:
        """Return the low word of two words shifted right; None where both would leave bits in it that cannot be told apart."""
        if by is None or by < 0:
            return None
        if by >= _BITS:
            return high if by == _BITS else self.shifted_down(high, by - _BITS)
        return high.times(1 << _BITS - by) if low.plain == 0 and by else None

    def _of_bits(self, bits: Bits) -> Sum:
        own = Sum(((LANE, 1),))
        return own if bits == _WHOLE else self.of(bits, Kind.LANE, own)

    def _bits(self, value: Sum) -> tuple[Bits, int] | None:
        """Return which bits of the lane's number a number is, and by how much they are shifted up."""
        if len(value.terms) != 1 or value.constant:
            return None
        (name, multiple), key = value.terms[0], self.keys[value.terms[0][0]]
        bits = _WHOLE if name == LANE else key if isinstance(key, Bits) else None
        plain = multiple > 0 and not multiple & (multiple - 1)
        return (bits, multiple.bit_length() - 1) if bits is not None and plain else None

    def grown(self, value: Sum, lane: int) -> int:
        """Return by how much a lane's number is larger than that of the first lane of its wave."""
        parts = ((multiple, self.keys[name]) for name, multiple in value.terms)
        return value.lane * lane + sum(multiple * key.of(lane) for multiple, key in parts if isinstance(key, Bits))

    def product(self, one: Sum, other: Sum) -> Sum:
        """Return a product, multiplied out, so that what a row of an image is long stays a factor of its own."""
        if len(one.terms) * len(other.terms) > _MOST:
            return self.made("*", *sorted((one, other), key=lambda value: value.terms))
        products = (self._term(*first, *second) for first in one.terms for second in other.terms)
        rest = one.times(other.constant) + Sum(other.terms).times(one.constant)
        return sum(products, rest)

    def _term(self, one: int, times: int, other: int, more: int) -> Sum:
        """Return the product of two multiples of names."""
        factors = tuple(sorted((*self.factors[one], *self.factors[other])))
        kind = max(self.kinds[one], self.kinds[other])
        made = self.of(
            ("*", factors), Kind.APART if kind is Kind.LANE else kind, *(Sum(((name, 1),)) for name in factors)
        )
        self.factors[made.terms[0][0]] = factors
        return made.times(times * more)

    def per(self, value: Sum, name: int) -> Sum:
        """Return what a number grows by when a name does by one."""
        grown = Sum()
        for product, multiple in value.terms:
            left = list(self.factors[product])
            if left.count(name) == 1:
                left.remove(name)
                known = self._known.get(("*", tuple(left))) if len(left) > 1 else left[0] if left else None
                grown += Sum((), multiple) if not left else Sum(((known, multiple),) if known is not None else ())
        return grown

    def either(self, one: Sum, other: Sum, key: Hashable) -> Sum:
        """Return what one of two numbers is: of bounds at an edge, and where paths meet, the same step from lane to lane if there is one.

        What is shared may differ there, by so much that only a name can say it.
        """
        if one is other or one == other:
            return one
        kinds, common = self.kinds, set(one.terms)
        between = max([kinds[name] for name, _ in common.symmetric_difference(other.terms)], default=Kind.SHARED)
        if between <= Kind.GROUP:
            common.intersection_update(other.terms)
            return Sum(tuple(pair for pair in one.terms if pair in common)) + self.of(key, between)
        return self.of((key, "apart"), Kind.APART, one, other)

    def chosen(self, one: Sum, other: Sum, key: Hashable) -> Sum:
        """Return what each lane takes of two numbers for itself: of two that all share, as the ends of a search, a number of its own."""
        if one != other and max(self.kind(one), self.kind(other)) <= Kind.GROUP:
            return self.of((key, "apart"), Kind.APART, one, other)
        return self.within(one, other, key)

    def within(self, one: Sum, other: Sum, key: Hashable) -> Sum:
        """Return a number held within bounds: inside of them it is what it was."""
        lanes = [value for value in (one, other) if self.kind(value) > Kind.GROUP]
        return lanes[0] if len(lanes) == 1 else self.either(one, other, key)


Registers = Mapping[str, Sum]

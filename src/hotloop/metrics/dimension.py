"""Units of counters and metrics as scale and dimension, so that a formula cannot mix cycles with quad-cycles or bytes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache

_UNITS: dict[str, tuple[float, dict[str, int]]] = {
    "1": (1.0, {}),
    "%": (0.01, {}),
    "wave": (1.0, {}),
    "group": (1.0, {}),
    "item": (1.0, {}),
    "cycle": (1.0, {"cycle": 1}),
    "quad": (4.0, {"cycle": 1}),
    "s": (1.0, {"s": 1}),
    "ns": (1e-9, {"s": 1}),
    "hz": (1.0, {"cycle": 1, "s": -1}),
    "B": (1.0, {"B": 1}),
    "KiB": (1024.0, {"B": 1}),
    "inst": (1.0, {"inst": 1}),
    "op": (1.0, {"op": 1}),
    "req": (1.0, {"req": 1}),
    "sector": (1.0, {"sector": 1}),
    "flop": (1.0, {"flop": 1}),
    "mop": (512.0, {"flop": 1}),
}
"""Scale and dimension of each word. Waves, groups and items are plain counts. ``quad``: AMD's shader counters of cycles
tick once per four clocks. ``mop``: AMD counts matrix arithmetic in 512 operations."""


@dataclass(frozen=True, slots=True)
class Unit:
    """A scale to base units and the exponents of the base dimensions, sorted by name."""

    scale: float
    dimension: tuple[tuple[str, int], ...]

    def times(self, other: Unit, sign: int = 1) -> Unit:
        """Return the product, or with `sign` -1 the quotient."""
        powers = dict(self.dimension)
        for name, power in other.dimension:
            powers[name] = powers.get(name, 0) + sign * power
        kept = tuple(sorted((name, power) for name, power in powers.items() if power))
        return Unit(self.scale * other.scale**sign, kept)

    def __str__(self) -> str:
        return "·".join(f"{name}^{power}" if power != 1 else name for name, power in self.dimension) or "1"


ONE = Unit(1.0, ())


@cache
def parse(text: str) -> Unit:
    """Return the unit that a text such as ``B/s``, ``inst*cycle`` or ``inst/wave`` names.

    Raises ValueError for a word that is no unit.

    >>> parse("quad").scale, str(parse("B/s"))
    (4.0, 'B·s^-1')
    """
    numerator, *denominators = text.split("/")
    unit = ONE
    for sign, part in ((1, numerator), *((-1, part) for part in denominators)):
        for word in part.split("*"):
            if word not in _UNITS:
                raise ValueError(f"{word!r} in unit {text!r} is not a unit; known: {', '.join(_UNITS)}")
            scale, powers = _UNITS[word]
            unit = unit.times(Unit(scale, tuple(sorted(powers.items()))), sign)
    return unit

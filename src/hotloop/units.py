"""Formatting of measured quantities for people; every other module keeps plain SI numbers.

>>> duration(1_234_567.0)
'1.23 ms'
>>> rate(182.4e9, "FLOP/s")
'182 GFLOP/s'
>>> size(262_144)
'256 KiB'
"""

from __future__ import annotations

TIMES = ((1e9, "s"), (1e6, "ms"), (1e3, "µs"), (1.0, "ns"))
"""Units of a time with their nanoseconds, the longest first."""
_ENERGIES = ((1.0, "J"), (1e-3, "mJ"), (1e-6, "µJ"), (1e-9, "nJ"))
_SCALES = ((1e12, "T"), (1e9, "G"), (1e6, "M"), (1e3, "k"), (1.0, ""))
_SIZES = ((2**40, "TiB"), (2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB"), (1, "B"))


def significant(value: float, digits: int = 3) -> str:
    """Return `value` with `digits` significant digits and no exponent.

    >>> significant(0.012345), significant(1234.5), significant(0.0)
    ('0.0123', '1234', '0')
    """
    if value == 0:
        return "0"
    magnitude = f"{value:.{digits - 1}e}"
    exponent = int(magnitude.partition("e")[2])
    return f"{float(magnitude):.{max(0, digits - 1 - exponent)}f}" if exponent < digits else f"{value:.0f}"


def duration(duration_ns: float) -> str:
    """Return a time given in nanoseconds with the unit a reader expects."""
    for scale, unit in TIMES:
        if abs(duration_ns) >= scale:
            return f"{significant(duration_ns / scale)} {unit}"
    return f"{significant(duration_ns)} ns"


def energy(joules: float) -> str:
    """Return an energy given in J with the unit a reader expects.

    >>> energy(0.01234), energy(2.5e-10)
    ('12.3 mJ', '0.250 nJ')
    """
    for scale, unit in _ENERGIES:
        if abs(joules) >= scale:
            return f"{significant(joules / scale)} {unit}"
    return f"{significant(joules / 1e-9)} nJ"


def rate(per_second: float, unit: str) -> str:
    """Return a rate with a decimal prefix, e.g. ``rate(1.5e9, "B/s") == "1.50 GB/s"``."""
    for scale, prefix in _SCALES:
        if abs(per_second) >= scale:
            return f"{significant(per_second / scale)} {prefix}{unit}"
    return f"{significant(per_second)} {unit}"


def size(size_bytes: float) -> str:
    """Return a number of bytes with a binary prefix."""
    for scale, unit in _SIZES:
        if abs(size_bytes) >= scale:
            return f"{significant(size_bytes / scale)} {unit}"
    return f"{significant(size_bytes)} B"


def percent(fraction: float) -> str:
    """Return a fraction as a percentage.

    >>> percent(0.0213), percent(-0.5)
    ('2.1 %', '-50.0 %')
    """
    return f"{100 * fraction:.1f} %"


def counted(number: int, what: str) -> str:
    """Return a number with the noun that it counts.

    >>> counted(1, "cycle"), counted(12, "launch"), counted(2, "access")
    ('1 cycle', '12 launches', '2 accesses')
    """
    plural = "es" if what.endswith(("s", "ch")) else "s"
    return f"{number} {what}{plural if number != 1 else ''}"


def parse_bytes(text: str) -> int:
    """Return the number of bytes that a text such as ``23k``, ``1.5M`` or ``4096`` names (binary prefixes).

    >>> parse_bytes("23k"), parse_bytes("4096")
    (23552, 4096)
    """
    scales = {"k": 2**10, "m": 2**20, "g": 2**30}
    body = text.strip().lower().removesuffix("b").removesuffix("i")
    scale = scales.get(body[-1:], 1)
    return int(float(body[:-1] if scale > 1 else body) * scale)

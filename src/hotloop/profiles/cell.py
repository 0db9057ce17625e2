"""One number as profilers print it; what is not a plain number is None, never 0.

>>> integer("1048576"), integer("64.0000"), integer("0x10"), integer(""), integer("8.1097E+14")
(1048576, 64, 16, None, None)
>>> real("499551.000000"), real("nan"), real("1_0")
(499551.0, None, None)
"""

from __future__ import annotations

import re
from fractions import Fraction
from math import isfinite

_INTEGER = re.compile(r"[+-]?[0-9]{1,38}(?:\.0*)?")
_HEX = re.compile(r"0[xX][0-9a-fA-F]{1,32}")
_REAL = re.compile(r"[+-]?(?:[0-9]{1,300}(?:\.[0-9]{0,300})?|\.[0-9]{1,300})(?:[eE][+-]?[0-9]{1,4})?")
_DECIMAL = re.compile(r"[+-]?[0-9]{1,38}\.[0-9]{0,38}")
_ROUNDED = re.compile(r"[+-]?[0-9.]+[eE]\+?[0-9]+")


def integer(text: str) -> int | None:
    """Return an integer; None for anything else, also for scientific notation, whose digits are lost."""
    body = text.strip()
    if _INTEGER.fullmatch(body):
        return int(body.partition(".")[0])
    return int(body, 16) if _HEX.fullmatch(body) else None


def real(text: str) -> float | None:
    """Return a finite number, or None."""
    body = text.strip()
    if not _REAL.fullmatch(body):
        return None
    value = float(body)
    return value if isfinite(value) else None


def fraction(text: str) -> Fraction | None:
    """Return a decimal number exactly, or None: means of time stamps have digits behind the point.

    >>> fraction("1248227792617386.5"), fraction("8.1097E+14")
    (Fraction(2496455585234773, 2), None)
    """
    body = text.strip()
    return Fraction(body) if _DECIMAL.fullmatch(body) else None


def rounded(text: str) -> bool:
    """Return True for a number in scientific notation, which a spreadsheet leaves of a long integer."""
    return _ROUNDED.fullmatch(text.strip()) is not None

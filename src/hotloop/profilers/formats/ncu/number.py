"""Numbers and units of Nsight Compute's pages, brought to base units.

>>> number("1,004,090,614,886.73"), number("43136"), number("nan"), number("PolicySpread")
(1004090614886.73, 43136.0, None, None)
>>> Spelling.COMMA.number("1.004.090,73"), Spelling.COMMA.number("16,7"), Spelling.APOSTROPHE.number("1'234.5")
(1004090.73, 16.7, 1234.5)
>>> Spelling.ENGLISH.contradicted("16,76"), Spelling.COMMA.contradicted("16.76"), Spelling.COMMA.contradicted("1.234")
(True, True, False)
>>> scale("Gbyte/second"), scale("usecond"), scale("cycle/nsecond"), scale("register/thread"), scale("%/Kbyte")
(1000000000.0, 1000.0, 1000000000.0, 1.0, 1000.0)

A prefix below the line multiplies as one above it does: Nsight Compute 2025.3 prints 5,460 %/byte of a report as 5.46 %/Kbyte.
"""

from __future__ import annotations

import re
from enum import Enum
from math import isfinite

_NUMBER = re.compile(r"([+-]?(?:\d{1,3}(?:,\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)(?: \(.*\))?")
_FOREIGN = re.compile(
    r"[+-]?(?:\d{1,3}(?:\.\d{3})+,\d+|\d{1,3}(?:\.\d{3}){2,}|\d+,\d{1,2}|\d+,\d{4,}|\d{1,3}(?:[\s\u00a0\u202f'’]\d{3})+(?:[.,]\d+)?)"
)
_COMMA = re.compile(r"([+-]?(?:\d{1,3}(?:[.\s\u00a0\u202f]\d{3})+|\d+)(?:,\d+)?(?:[eE][+-]?\d{1,3})?)(?: \(.*\))?")
_APOSTROPHE = re.compile(
    r"([+-]?(?:\d{1,3}(?:['\u2019\s\u00a0\u202f]\d{3})+|\d+)(?:\.\d+)?(?:[eE][+-]?\d{1,3})?)(?: \(.*\))?"
)
_LIKE_A_NUMBER = re.compile(r"[+-]?\d[\d.,'\u2019\s\u00a0\u202f]*(?:[eE][+-]?\d{1,3})?(?: \(.*\))?")
_PREFIXES = {"": 1.0, "K": 1e3, "k": 1e3, "M": 1e6, "G": 1e9, "T": 1e12, "P": 1e15}
_TIMES = {
    "s": 1e9, "second": 1e9, "ms": 1e6, "msecond": 1e6, "us": 1e3, "µs": 1e3, "usecond": 1e3, "ns": 1.0, "nsecond": 1.0,
}  # fmt: skip
_COUNTED = ("byte", "hz", "Hz", "inst", "cycle", "sector", "request", "warp", "thread", "block")


def number(text: str) -> float | None:
    """Return a value printed with or without thousands separators; None for text, ``nan``, ``no data`` or nothing."""
    match = _NUMBER.fullmatch(text.strip())
    value = float(match[1].replace(",", "")) if match else None
    return value if value is not None and isfinite(value) else None


def foreign(text: str) -> bool:
    """Tell whether a value is surely written in another locale: ``1.234,5``, ``16,76``, ``1 234``."""
    return _FOREIGN.fullmatch(text.strip()) is not None


class Spelling(Enum):
    """How a page spells its numbers: which mark parts decimals, and which ones part groups of three digits."""

    ENGLISH = _NUMBER
    COMMA = _COMMA
    """Decimals behind a comma, groups by points or blanks: German, French, Russian and most others."""
    APOSTROPHE = _APOSTROPHE
    """Decimals behind a point, groups by apostrophes or blanks: Swiss."""

    def number(self, text: str) -> float | None:
        """Return a value in this spelling; None for text, ``nan``, ``no data`` or nothing."""
        if self is Spelling.ENGLISH:
            return number(text)
        match = self.value.fullmatch(text.strip())
        if match is None:
            return None
        whole, mark, decimals = match[1].partition("," if self is Spelling.COMMA else ".")
        value = float(re.sub(r"[.'\u2019\s\u00a0\u202f]", "", whole) + mark.replace(",", ".") + decimals)
        return value if isfinite(value) else None

    def contradicted(self, text: str) -> bool:
        """Tell whether a value is surely in another spelling: ``1.234,5``, ``16,76`` and ``1 234`` are not English."""
        if self is Spelling.ENGLISH:
            return foreign(text)
        plain = text.strip()
        return _LIKE_A_NUMBER.fullmatch(plain) is not None and self.value.fullmatch(plain) is None


def scale(unit: str) -> float:
    """Return what a value must be multiplied with to be in bytes, ns, hz, plain counts, and per second."""
    above, _, below = unit.partition("/")
    if above == "cycle" and below in _TIMES:
        return 1e9 / _TIMES[below]
    if below in _TIMES:
        return _factor(above) * 1e9 / _TIMES[below]
    return _factor(above) * _factor(below)


def _factor(word: str) -> float:
    if word in _TIMES:
        return _TIMES[word]
    for name in _COUNTED:
        if word.endswith(name) and word[: -len(name)] in _PREFIXES:
            return _PREFIXES[word[: -len(name)]]
    return 1.0

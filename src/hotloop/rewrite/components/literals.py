"""What numbers in a text look like, by the type that C gives them."""

from __future__ import annotations

import re

from hotloop.rewrite import tree as t

SINGLE = re.compile(r"^(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?[fF]$")
"""Numbers that are ``float``."""
CONSTANT = re.compile(r"^M_[A-Z0-9_]+_F$|^(?:FLT_MAX|FLT_MIN|FLT_EPSILON|MAXFLOAT|INFINITY)$")
"""Numbers of single precision that OpenCL C has names for."""
LITERAL = re.compile(r"^(?:0[xX][0-7][0-9a-fA-F]{0,7}|0[xX][0-9a-fA-F]{1,7}|\d{1,9})[uU]?$")
"""Whole numbers that are ``int`` without a suffix."""
DOUBLE = re.compile(r"^(?:\d+\.\d*|\.\d+|\d+(?=[eE]))(?:[eE][+-]?\d+)?$")
"""Numbers that are ``double``."""
UNSIGNED = re.compile(r"^0[xX][89a-fA-F][0-9a-fA-F]{7}[uU]?$")
"""Whole numbers that are ``uint`` as they are too large for ``int``."""

_ENDINGS = {
    "u": "u",
    "l": "l",
    "unsigned": "u",
    "uint": "u",
    "long": "l",
    "ulong": "ul",
    "size_t": "ul",
}
"""Suffixes that give literals the type of a parameter, by the words of that type."""


def whole(value: int, kind: str) -> t.Number:
    """Return a literal of a type of whole numbers: a difference with one without a sign is never below zero.

    >>> whole(16, "unsigned int").text
    '16u'
    """
    return t.Number(f"{value}{''.join(_ENDINGS.get(word, '') for word in kind.split())}")

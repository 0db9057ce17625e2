"""Types of which vectors are made, and the types in which C calculates with elements and variables."""

from __future__ import annotations

from hotloop.rewrite.vectors.longer import ULONG

REALS = frozenset(["float", "double"])
WHOLES = frozenset(["int", "uint"])
PROMOTED = dict.fromkeys(["char", "uchar", "short", "ushort", "unsigned char", "unsigned short"], "int")
"""Short whole numbers, which C calculates with as ``int``."""
_SAME = {
    **dict.fromkeys(["unsigned", "unsigned int", "uint32_t"], "uint"),
    **dict.fromkeys(["int32_t", "signed int"], "int"),
    **dict.fromkeys(["size_t", "unsigned long"], ULONG),
}


def named(kind: str) -> str:
    """Return a type by OpenCL's own short name, where it has one for vectors.

    >>> named("unsigned"), named("uchar")
    ('uint', 'uchar')
    """
    return _SAME.get(kind, kind)


def calculated(kind: str) -> str:
    """Return the type in which C calculates with elements of a type.

    >>> calculated("uchar"), calculated("unsigned int"), calculated("float")
    ('int', 'uint', 'float')
    """
    return PROMOTED.get(kind) or named(kind)

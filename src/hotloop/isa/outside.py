"""Functions that AMD code calls and does not bring: what they do and cost is not in it."""

from __future__ import annotations

import re

from hotloop.isa.instruction import Function, InstructionKind

_FETCHED = re.compile(r"(\w+)@gotpcrel32@lo")
"""A symbol whose address comes from the table of what other objects bring."""
_MANGLED = re.compile(r"_Z(\d+)(\w+)")


def outside(function: Function) -> tuple[str, ...]:
    """Return the names of functions of other objects that a listing fetches the address of, where it calls any; sorted."""
    if not any(i.kind is InstructionKind.CALL for i in function.instructions):
        return ()
    fetched = (match[1] for i in function.instructions if (match := _FETCHED.search(i.operands)))
    return tuple(sorted(set(map(_plain, fetched))))


def _plain(symbol: str) -> str:
    """Return a function's name without the mangling of its types.

    >>> _plain("_Z11read_imagef14ocl_image2d_ro"), _plain("lookup")
    ('read_imagef', 'lookup')
    """
    mangled = _MANGLED.match(symbol)
    return mangled[2][: int(mangled[1])] if mangled else symbol

"""The values with which a rewrite applies to a source: of blocks, one of each kind speaks for all of its kind."""

from __future__ import annotations

import re
from collections.abc import Sequence

from hotloop.app.bare.expected import OUTPUTS
from hotloop.rewrite.catalogue import rewritten
from hotloop.rewrite.form import Posed, Rewrite
from hotloop.rewrite.shape import RefusedError

_BLOCKS = (
    "4x2x16",
    "4x4x16",
    "6x2x16",
    "2x2x16",
    "1x4x16",
    "1x2x16",
    "8x2x16",
    "4x2x8",
    "1x1x16",
    "1x4x16b8",
    "4x1x16b8",
    "1x4x16b32",
    "16x1x16",
    "4x1x8",
)
"""Rows, vectors and lanes of blocks with vectors, the usual one first."""
_SCALAR = ("4x4x1", "2x2x1", "3x3x1", "4x2x1", "1x4x1", "4x1x1", "2x1x1", "8x1x1")
"""Blocks without: where the lanes are those of a sum, or neighbours are not next to each other."""


def tried(behind: Sequence[Posed], rewrite: Rewrite) -> tuple[int | str, ...]:
    """Return the values with which a rewrite applies behind some of those before it; of blocks, one of each kind speaks for all of its kind."""
    told: dict[tuple[bool, ...] | int | str, bool] = {}
    for value in _values(rewrite):
        kind = _kind(value)
        if kind not in told:
            told[kind] = _ever(behind, rewrite, value)
    return tuple(value for value in _values(rewrite) if told[_kind(value)])


_BLOCK = re.compile(r"^(\d+)x(\d+)x(\d+)(b\d+)?$")


def _kind(value: int | str) -> tuple[bool, ...] | int | str:
    """Return what decides whether a block applies: whether it has several rows, several columns, lanes, and turns.

    >>> _kind("4x2x16"), _kind("1x1x16b8")
    ((True, True, True, False), (False, False, True, True))
    """
    match = _BLOCK.match(str(value))
    return value if match is None else (*(int(part) > 1 for part in match.groups()[:3]), bool(match[4]))


def _values(rewrite: Rewrite) -> tuple[int | str, ...]:
    return (*_BLOCKS, *_SCALAR) if rewrite.name == OUTPUTS else rewrite.values[1:]


def _ever(behind: Sequence[Posed], rewrite: Rewrite, value: int | str) -> bool:
    """Tell whether a rewrite applies behind some of those before it."""
    return any(applied(one, rewrite, value) is not None for one in behind)


def applied(posed: Posed, rewrite: Rewrite, value: int | str) -> Posed | None:
    """Return a rewritten function, None where the rewrite does not apply to it."""
    try:
        return rewritten(posed, {rewrite.name: value})
    except RefusedError:
        return None

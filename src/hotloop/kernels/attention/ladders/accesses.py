"""How the first wave of the attention kernel touches local memory in a step."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.kernels.attention.ladders.tile import LANES, Tile
from hotloop.model.ladder import Local

if TYPE_CHECKING:
    from collections.abc import Iterable

_BYTES = 2
_BOTH = 2
"""K and V are copied past the registers."""
_MIXED = 4
"""Bytes from which two neighbouring halves are one access."""


def accesses(tile: Tile) -> tuple[Local, ...]:
    """Return the accesses of local memory whose bank conflicts differ: one read or write of each of Q, K, V and P.

    Where the compiler splits an access because of its alignment, only the first part is returned. Copies that go from global to
    local memory without registers are left out: lanes write consecutive places, so they have no conflicts.
    """
    rows = [_access("read K", "read", tile.operand(0, 0)[:, 0], tile.width, tile.k_stride)]
    if tile.qfrom == 0:
        rows.insert(0, _access("read Q", "read", tile.operand(0, 0)[:, 0], tile.width, tile.k_stride))
    if tile.tr:
        rows.append(_access("read V", "read_tr", tile.corner(0, 0, 0), 4, tile.v_stride))
    else:
        wide = 4 if tile.vt else 1
        rows.append(_access("read V", "read", tile.values(0, 0)[:, 0], wide, tile.v_stride if tile.vt else 1))
    whole = tile.width if tile.swizzle else 8
    if not tile.direct:
        rows.append(_access("write K", "write", tile.put(tile.bn)[:LANES, 0, 0], whole, tile.k_stride))
    together, stride = (tile.vrows, tile.v_stride) if tile.vt else (8, tile.k_stride)
    if tile.direct < _BOTH:
        rows.append(_access("write V", "write", tile.put_v()[:LANES, 0, 0], together, stride))
    if not tile.preg:
        rows.append(_access("write P", "write", tile.p_write(0, 0), 1, 1))
        rows.append(_access("read P", "read", tile.p_read(0)[:, 0], tile.width, tile.bn))
    return tuple(rows)


def _access(what: str, op: str, halves: Iterable[int], width: int, stride: int) -> Local:
    """Return an access of `width` halves per lane as wide as rows of `stride` halves leave it aligned."""
    aligned = _BYTES * (stride & -stride)
    size = min(width * _BYTES, aligned if aligned >= _MIXED else _BYTES)
    return Local(what, op, 8 * size, tuple(_BYTES * int(half) for half in halves))

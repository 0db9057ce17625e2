"""The smallest padding and an XOR swizzle without conflicts, found and proven by trying every one.

Nothing is derived from a rule: each candidate layout is evaluated for every access, every loop value, every lane and phase,
and it must be injective over the whole tile. The textbook rule falls out: a column of 4-byte elements is free of conflicts
exactly when the row stride, counted in banks, is odd.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from hotloop.isa.banks.access import Access
from hotloop.isa.banks.layout import Layout, Swizzle, injective


@dataclass(frozen=True, slots=True)
class Solution:
    """A layout without conflicts."""

    layout: Layout
    rows: int
    extra_bytes: int
    """Local memory above the layout that was given."""
    aligned: bool
    """False: some lane's address is no multiple of its width, so compilers emit narrower accesses."""


@dataclass(frozen=True, slots=True)
class Solutions:
    """What was found; None: nothing among `tried` candidates."""

    padding: Solution | None
    narrow_padding: Solution | None
    """A smaller padding that breaks the alignment of the accesses."""
    swizzle: Solution | None
    tried: int


def solve(accesses: tuple[Access, ...], given: Layout, rows: int) -> Solutions:
    """Return the cheapest conflict-free layouts of each kind.

    Args:
        accesses: all that touch the tile; each must be free under the same layout.
        given: layout to start from, its own padding and swizzle left out.
        rows: rows of the tile.
    """
    bare = replace(given, pad=0, swizzle=None, intervals=())
    banks = max(access.model.banks for access in accesses)
    limit = -(-banks * 4 // bare.element_bytes)
    pads = [replace(bare, pad=pad) for pad in range(limit + 1)]
    swizzles = [replace(bare, swizzle=s) for s in _swizzles(accesses, bare, rows)]
    aligned = _first(accesses, pads, bare, rows, aligned=True)
    return Solutions(
        aligned,
        _cheaper(_first(accesses, pads, bare, rows, aligned=False), aligned),
        _first(accesses, swizzles, bare, rows, aligned=True),
        len(pads) + len(swizzles),
    )


def free(accesses: Iterable[Access], layout: Layout) -> bool:
    """Tell whether no access has conflicts for any loop value."""
    return all(conflicts.free for access in accesses for _, conflicts in access.evaluate(layout))


def aligned(accesses: Iterable[Access], layout: Layout) -> bool:
    """Tell whether every lane's address is a multiple of its width."""
    return not any(
        place % a.model.width_bytes for a in accesses for _, places in a.addresses(layout) for place in places
    )


def _first(
    accesses: tuple[Access, ...], candidates: Iterable[Layout], bare: Layout, rows: int, *, aligned: bool
) -> Solution | None:
    for layout in candidates:
        straight = _aligned(accesses, layout)
        if (
            straight is aligned
            and all(a.whole(layout) for a in accesses)
            and free(accesses, layout)
            and injective(layout, rows)
        ):
            return Solution(layout, rows, layout.size_bytes(rows) - bare.size_bytes(rows), straight)
    return None


_aligned = aligned


def _cheaper(solution: Solution | None, other: Solution | None) -> Solution | None:
    return solution if solution and (other is None or solution.extra_bytes < other.extra_bytes) else None


def _swizzles(accesses: tuple[Access, ...], bare: Layout, rows: int) -> Iterator[Swizzle]:
    """Yield swizzles that keep vectors whole, fewest phases first."""
    widest = max(access.model.width_bytes for access in accesses)
    vec = max(1, widest // bare.element_bytes)
    vecs = [v for v in _powers(vec, 4 * vec) if bare.leading % v == 0]
    for max_phase in _powers(2, 64):
        for per_phase in _powers(1, max(1, rows // 2)):
            for v in vecs:
                # A power-of-two share of the row: beyond it the XOR would leave the row.
                if bare.leading // v % max_phase == 0:
                    yield Swizzle(v, per_phase, max_phase)


def _powers(low: int, high: int) -> list[int]:
    return [1 << n for n in range(20) if low <= 1 << n <= high]

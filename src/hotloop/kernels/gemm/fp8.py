"""How a product of 8-bit floats is cut for a GPU; needs nothing but numbers.

The kernels are in `hotloop.kernels.gemm_fp8`.
"""

from __future__ import annotations

from dataclasses import dataclass

FEW, MANY, HOPPER = "scaled_few", "scaled", "scaled_hopper"
"""Entries of the sources."""
FEW_ROWS = 64
"""Up to here the weights set the pace and rows of W are the rows of the instruction."""
DEPTH = 128
"""Columns of k of one step: one swizzled line of 128 bytes."""
_MOST_SPLITS = 8
_STEPS = 4
"""Fewest steps of a slice."""


@dataclass(frozen=True, slots=True)
class Plan:
    """How one product is cut."""

    kernel: str
    """`FEW`, `MANY` or `HOPPER`."""
    rows: int
    """Rows of A of a tile."""
    columns: int
    """Columns of C of a tile: rows of W."""
    depth: int
    warps: int
    """That multiply, for `FEW` and `MANY` all of them, for `HOPPER` each half."""
    stages: int
    splits: int = 1
    """Slices of k, with `FEW` only."""
    group: int = 8
    """Tiles of a column before the next begins, without `FEW` only."""


def plan(m: int, n: int, k: int, units: int, *, hopper: bool, fast: bool) -> Plan:
    """Return the cut for a device of `units` multiprocessors; `hopper` tells whether it has the instructions of `HOPPER`."""
    if m <= FEW_ROWS:
        rows = next(size for size in (16, 32, 64) if m <= size)
        return Plan(FEW, rows, 64, 2 * DEPTH, 4, 4, _splits(n, k, units))
    if hopper and fast and -(-m // 256) * -(-n // 128) > units // 4:
        return Plan(HOPPER, 256, 128, DEPTH, 4, 4)  # these sums leave no registers for those of a block
    if hopper:
        return Plan(HOPPER, 128, 128, DEPTH, 4, 6)
    if -(-m // 128) * -(-n // 128) <= units // 2:
        return Plan(MANY, 64, 128, DEPTH, 4, 4)
    return Plan(MANY, 128, 128, DEPTH, 8, 4)


def _splits(n: int, k: int, units: int) -> int:
    """Return the most slices of k that still lie on the device side by side, a tile to a multiprocessor."""
    tiles, steps, splits = -(-n // 64), -(-k // (2 * DEPTH)), 1
    while splits < _MOST_SPLITS and 2 * splits * tiles <= units and steps >= 2 * splits * _STEPS:
        splits *= 2
    return splits

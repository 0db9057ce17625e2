"""Where element (row, column) of a tile lies: leading dimension, padding, XOR swizzle, and Triton's two shared layouts."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.errors import UsageError


@dataclass(frozen=True, slots=True)
class Swizzle:
    """Triton's and Gluon's ``SwizzledSharedLayout(vec, per_phase, max_phase)``, all in elements or rows.

    The column's vector index is XORed with ``(row // per_phase) % max_phase``; elements of a vector stay together.
    Source: triton/include/triton/Dialect/TritonGPU/IR/TritonGPUAttrDefs.td, SwizzledSharedEncodingAttr.
    """

    vec: int
    per_phase: int
    max_phase: int

    def column(self, row: int, column: int) -> int:
        """Return where a column of a row goes."""
        phase = row // self.per_phase % self.max_phase
        return (column // self.vec ^ phase) * self.vec + column % self.vec


MOST_ELEMENTS = 1 << 20
"""Most elements of a tile that is looked at: several times what the largest local memory (228 KiB) holds of elements of one byte."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """A tile in local memory, row-major before the swizzle."""

    element_bytes: int
    leading: int
    """Elements from one row to the next, without `pad`."""
    pad: int = 0
    """Elements added to every row."""
    swizzle: Swizzle | None = None
    intervals: tuple[tuple[int, int], ...] = ()
    """Gluon's ``PaddedSharedLayout``: (interval, padding) in elements of the linear offset."""
    base_bytes: int = 0

    def offset_bytes(self, row: int, column: int) -> int:
        """Return the byte offset of an element."""
        moved = self.swizzle.column(row, column) if self.swizzle else column
        linear = row * (self.leading + self.pad) + moved
        padded = linear + sum(linear // interval * padding for interval, padding in self.intervals)
        return self.base_bytes + padded * self.element_bytes

    def size_bytes(self, rows: int) -> int:
        """Return what a tile of so many rows takes; padding behind the last row is not counted."""
        linear = rows * (self.leading + self.pad) - self.pad
        padded = linear + sum((linear - 1) // interval * padding for interval, padding in self.intervals)
        return padded * self.element_bytes

    def check(self) -> None:
        """Raise UsageError for sizes that make no tile."""
        if self.element_bytes <= 0 or self.leading <= 0 or self.pad < 0 or self.base_bytes < 0:
            raise UsageError("--element and --ld must be positive, --pad and --base not negative.")
        if self.swizzle:
            numbers = (self.swizzle.vec, self.swizzle.per_phase, self.swizzle.max_phase)
            if any(n < 1 or n & (n - 1) for n in numbers):
                raise UsageError(f"--swizzle {','.join(map(str, numbers))} must be three powers of two.")
        if any(interval < 1 or padding < 0 for interval, padding in self.intervals):
            raise UsageError("--padded takes INTERVAL:PADDING, the interval positive and the padding not negative.")


def injective(layout: Layout, rows: int) -> bool:
    """Tell by enumeration whether no two elements of a tile of `rows` full rows share a place.

    Raises:
        UsageError: the tile is larger than any local memory.
    """
    if rows * layout.leading > MOST_ELEMENTS:
        raise UsageError(
            f"a tile of {rows} rows of {layout.leading} elements is larger than any local memory; see --access, --rows and --ld."
        )
    places = {layout.offset_bytes(row, column) for row in range(rows) for column in range(layout.leading)}
    return len(places) == rows * layout.leading

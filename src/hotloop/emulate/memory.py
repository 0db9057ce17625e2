"""Device memory: buffers with bounds in one arena, which is all that executed code can reach."""

from __future__ import annotations

from bisect import bisect_right
from dataclasses import dataclass
from itertools import accumulate
from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from hotloop.emulate.arrays import Array


BASE = 0x7F0000000000
"""Device address of the arena."""
_PAGE = 4096
_GAP = 1 << 16
"""Bytes between buffers; a nearer overrun is found by bounds, this keeps neighbours out of small negative offsets."""


def addresses(sizes: Sequence[int]) -> list[int]:
    """Return the device addresses of the first buffers of an arena, before there is one."""
    ends = accumulate((_room(size) for size in sizes), initial=BASE + _PAGE)
    return list(ends)[:-1]


def _room(size: int) -> int:
    return -(-size // _PAGE) * _PAGE + _GAP


@dataclass(slots=True)
class Buffer:
    """One allocation of device memory."""

    name: str
    address: int
    """Device address."""
    bytes: int
    writable: bool = True
    granule: int = 4
    """Bytes of an element, at most 4: what accesses are aligned to."""
    unit: int = 4
    """Bytes that the shadow memory tells apart: of an element, or of the narrowest store."""
    floats: np.dtype[np.generic] | None = None
    """Type of the elements where they are floats; None: whole numbers, or not known."""

    @property
    def offset(self) -> int:
        """Place in the arena."""
        return self.address - BASE


@dataclass(frozen=True, slots=True)
class Blank:
    """An argument that stands for a buffer of zeros which nobody wants back: pages that are not touched cost nothing."""

    nbytes: int
    itemsize: int = 4


class Memory:
    """The arena; `bytes` and `words` are views of the same memory."""

    __slots__ = ("_ends", "_next", "_starts", "buffers", "bytes", "ends", "starts", "words")

    def __init__(self, capacity: int) -> None:
        """Reserve bytes for all buffers and the gaps between them; untouched pages cost nothing."""
        self.bytes: NDArray[np.uint8] = np.zeros(-(-capacity // _PAGE) * _PAGE + _PAGE, np.uint8)
        self.words: NDArray[np.uint32] = self.bytes.view(np.uint32)
        self.buffers: list[Buffer] = []
        self._next = _PAGE
        self._starts: list[int] = []
        self._ends: list[int] = []
        self.starts = self.ends = np.zeros(0, np.int64)

    @staticmethod
    def needed(sizes: list[int]) -> int:
        """Return the capacity for buffers of some sizes."""
        return _PAGE + sum(_room(size) for size in sizes)

    def place(
        self,
        name: str,
        size: int,
        *,
        granule: int = 4,
        narrow: int = 4,
        writable: bool = True,
        floats: np.dtype[np.generic] | None = None,
    ) -> Buffer:
        """Return a new buffer, zeroed; `narrow`: bytes of the narrowest store of the program."""
        granule = max(1, min(4, granule))
        made = Buffer(name, BASE + self._next, size, writable, granule, min(granule, narrow), floats)
        self._next += _room(size)
        self.buffers.append(made)
        self._starts.append(made.offset)
        self._ends.append(made.offset + size)
        self.starts, self.ends = np.array(self._starts), np.array(self._ends)
        return made

    def view(self, buffer: Buffer) -> NDArray[np.uint8]:
        """Return a buffer's bytes."""
        return self.bytes[buffer.offset : buffer.offset + buffer.bytes]

    def find(self, low: int, high: int) -> int:
        """Return the buffer that holds a whole range of the arena; -1: none does."""
        place = bisect_right(self._starts, low) - 1
        return place if place >= 0 and high <= self._ends[place] else -1

    def holds(self, offsets: Array, size: int) -> Array:
        """Tell for each access whether it lies in one buffer."""
        place = np.searchsorted(self.starts, offsets, side="right") - 1
        return (place >= 0) & (offsets + size <= self.ends[np.maximum(place, 0)])

    def named(self, address: int) -> str:
        """Return the buffer nearest to a device address, and where that lies in it, in words."""
        offset = address - BASE
        place = min(max(bisect_right(self._starts, offset) - 1, 0), len(self.buffers) - 1)
        if not self.buffers or not -_GAP <= offset <= int(self.ends[-1]) + _GAP:
            return f"address {address:#x}, near no buffer"
        one = self.buffers[place]
        return f"byte {offset - one.offset} of {one.name} ({one.bytes} bytes)"


def gather(memory: NDArray[np.uint32], offsets: Array, count: int) -> list[Array]:
    """Return `count` words from each byte offset."""
    if int(np.bitwise_or.reduce(offsets, axis=None)) & 3:
        octets = memory.view(np.uint8)
        return [_word(octets, offsets + 4 * k) for k in range(count)]
    index = offsets >> 2
    return [memory[index + k] for k in range(count)] if count > 1 else [memory[index]]


def _word(octets: Array, offsets: Array) -> Array:
    parts = [octets[offsets + n].astype(np.uint32) << np.uint32(8 * n) for n in range(4)]
    return parts[0] | parts[1] | parts[2] | parts[3]


def in_turn(offsets: Array, values: list[Array], chosen: Array, *, late: bool) -> tuple[Array, list[Array]]:
    """Return what the chosen of [waves, lanes] write in their order: in each wave the last lane stays, with early memory the first."""
    if not late:
        offsets, chosen, values = offsets[:, ::-1], chosen[:, ::-1], [value[:, ::-1] for value in values]
    elif chosen.all():
        return offsets, values
    return offsets[chosen], [value[chosen] for value in values]


def scatter(memory: NDArray[np.uint32], offsets: Array, values: list[Array]) -> None:
    """Write words to byte offsets; where lanes collide the last one wins."""
    if offsets.size and int(np.bitwise_or.reduce(offsets, axis=None)) & 3:
        octets = memory.view(np.uint8)
        for k, value in enumerate(values):
            for n in range(4):
                octets[offsets + 4 * k + n] = (value >> np.uint32(8 * n)).astype(np.uint8)
        return
    index = offsets >> 2
    for k, value in enumerate(values):
        memory[index + k] = value

"""Overwriting what earlier launches left in local and private memory, on an OpenCL device that is a CPU.

There both are ordinary memory of the runtime's threads: what a kernel leaves in them is still there in its next call (found
out by reading it back), and groups of one call find what the group before left. A few work-items for each thread, one in a
group, overwrite them; or they change an eighth of the words by half of their value, so that a mark which says that the rest is still
good mostly stays, and the rest is not.
"""

from __future__ import annotations

import platform
import resource
import secrets
from collections.abc import Mapping
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pyopencl as cl

from hotloop.drivers import everywhere
from hotloop.drivers.depths import OPEN_BYTES, depths
from hotloop.drivers.everywhere import Everywhere
from hotloop.ports import LaunchError

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.ports import Bound

_NO_CACHE: Any = False

_DEEP_BYTES = 2**20
"""Private memory of a work-item in bytes; it lies on the stack of a thread, which has a few MiB. What lies deeper than that, and than
what a kernel needs, is closed."""
_ITEMS = 4
"""Work-items for each thread: several, because the runtime chooses which thread takes which item."""
_NEAR_BYTES = 2**17
"""Bytes of memory that are overwritten where a kernel comes first: what it meets when it reads before it has written."""
_STEP_BYTES = 2**18
_TELLING = "intel"
"""The runtime whose answer to how much private memory a kernel needs is true; others say nothing, so nothing is closed there."""
_SOURCE = """
__kernel ALONE void spoil(const uint pattern, __local uint4 *area, const uint words PARTAKING) {
    volatile __local uint4 *shared = area;
    for (uint k = 0; k < words; ++k) shared[k] = (uint4)(pattern);
    volatile uint4 own[DEEP];
    for (uint k = 0; k < DEEP; ++k) own[k] = (uint4)(pattern);
    TOOK_PART
}
uint4 changed(const uint4 word, const uint4 at, const uint seed) {
    uint4 h = (at + seed) * 2654435761u;
    h = (h ^ (h >> 15)) * 2246822519u;
    h ^= h >> 13;
    return select(word, (word & ~(uint4)(CHANGE)) | (h & CHANGE), h % 6u == 0u);
}
__kernel ALONE void disturb(const uint pattern, __local uint4 *area, const uint words PARTAKING) {
    const uint4 lane = (uint4)(0, 1, 2, 3);
    volatile __local uint4 *shared = area;
    for (uint k = 0; k < words; ++k) { const uint4 word = shared[k]; shared[k] = changed(word, 4 * k + lane, pattern); }
    volatile uint4 own[DEEP];
    for (uint k = 0; k < DEEP; ++k) { const uint4 word = own[k]; own[k] = changed(word, 4 * k + lane, pattern); }
    TOOK_PART
}
"""
_CHANGE = 0x00600000
"""Bits of a word that are drawn anew, in one word of six, so that one of eight is another: the highest of a float's fraction, a number
far from the old one as an integer. A second work-item on the same thread draws the same, so that nothing is changed back."""


_PARTAKING = ", __global ulong *took, __global volatile int *begun, const int wanted, const uint turns"
"""Further arguments where every thread is to be reached, see `hotloop.drivers.everywhere`."""


class Spoil:
    """Implements the `Bound` port: a launch that spoils local and private memory of all threads."""

    def __init__(self, device: Device, queue: Any, pattern: int | None, *, needed_bytes: int, whole: bool) -> None:  # noqa: ANN401
        self._queue, self._needed_bytes = queue, needed_bytes
        deep_bytes = max(_DEEP_BYTES if whole else 0, _depth_bytes(needed_bytes))
        local_bytes = min(device.local_mem_bytes or _NEAR_BYTES, deep_bytes)
        threads = device.compute_units or 1
        self._items = (_ITEMS * threads,)
        self._depths = depths(queue, threads) if whole and device.runtime_key == _TELLING else None
        try:
            name, word = ("disturb", secrets.randbits(32)) if pattern is None else ("spoil", pattern)
            every = device.runtime_key == _TELLING and platform.machine() == "x86_64"
            # With one processor Intel's runtime has a thread besides the launching one, too.
            self._everywhere = Everywhere(queue, self._items[0], max(1, threads - 1)) if every else None
            self._kernel: Any = cl.Kernel(_built(queue.context, deep_bytes // 16, every), name)
            area: Any = cl.LocalMemory(local_bytes)
            self._arguments = np.uint32(word), area, np.uint32(local_bytes // 16)
        except cl.Error as error:
            raise LaunchError(f"local memory cannot be spoiled: {error}") from None

    def enqueue(self) -> None:
        """Submit it, or do it where every thread can be reached; where all is spoiled, wait, and close what lies deeper until `finish`."""
        try:
            if self._depths is not None:
                self.finish()
            if self._everywhere is None:
                cl.enqueue_nd_range_kernel(self._queue, self._prepared(), self._items, (1,))
            else:
                self._everywhere.run(self._prepared)
            if self._depths is not None:
                self._depths.close(self._needed_bytes)
        except cl.Error as error:
            raise LaunchError(f"local memory cannot be spoiled: {error}") from None

    def _prepared(self, *more: object) -> Any:  # noqa: ANN401
        self._kernel.set_args(*self._arguments, *more)
        return self._kernel

    def finish(self) -> float | None:
        """Wait for everything submitted."""
        self._queue.finish()
        if self._depths is not None:
            self._depths.open()
        return None

    def phases(self) -> Mapping[str, float]:
        """Return nothing: it is never timed."""
        return {}


@cache
def _built(context: Any, deep: int, every: bool) -> Any:  # noqa: ANN401, FBT001 - pyopencl is untyped
    source = _SOURCE.replace("PARTAKING", _PARTAKING if every else "")
    source = source.replace("ALONE", everywhere.ALONE if every else "")
    source = source.replace("TOOK_PART", "took_part(took, begun, wanted, turns);" if every else "")
    return cl.Program(context, (everywhere.SOURCE if every else "") + source).build(
        options=[f"-DDEEP={deep}", f"-DCHANGE={_CHANGE}u"], cache_dir=_NO_CACHE
    )


def _depth_bytes(needed_bytes: int) -> int:
    """Return how many bytes of a thread's stack to overwrite so that a kernel meets no old values there.

    The number is rounded up, so that few programs are compiled, and never more than a stack surely has.

    >>> [_depth_bytes(needed) // 2**10 for needed in (0, 300, 70_000, 2_000_000)]
    [128, 128, 256, 2048]
    """
    met_bytes = max(_NEAR_BYTES, needed_bytes + OPEN_BYTES)
    if met_bytes <= _DEEP_BYTES:
        return 1 << (met_bytes - 1).bit_length()
    most, _ = resource.getrlimit(resource.RLIMIT_STACK)
    return min(-(-met_bytes // _STEP_BYTES) * _STEP_BYTES, max(_DEEP_BYTES, most - _DEEP_BYTES))


def spoil(device: Device, queue: Any, pattern: int | None, *, needed_bytes: int, whole: bool) -> Bound | None:  # noqa: ANN401
    """Return the launch; None where local and private memory are not a thread's own, or it cannot be had.

    Args:
        device: where.
        queue: of the device, in order.
        pattern: the 32 bits that every word will hold; None: some of the words that are there are changed.
        needed_bytes: what a kernel's own variables take of a thread's stack.
        whole: as much as there surely is, and nothing beyond what is needed can be reached until `finish`; otherwise only what
            kernels use first, see `_NEAR_BYTES`, and what this one needs.
    """
    if device.kind != "cpu":
        return None
    try:
        return Spoil(device, queue, pattern, needed_bytes=needed_bytes, whole=whole)
    except LaunchError:
        return None

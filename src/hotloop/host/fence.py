"""Memory that ends, or begins, at a page which nobody may touch: whoever reads beyond it is ended by the system at once.

Canary bands tell what was written beside an array; what was only read they tell when the value is used. Linux and other
systems with mprotect(2); elsewhere there are no fences.
"""

from __future__ import annotations

import ctypes
import mmap
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.ports import APART, END, START

if TYPE_CHECKING:
    from numpy.typing import NDArray

_GUARD_BYTES = 1 << 20
"""Size of the guard area on either side, in bytes: address space only, large enough for an index that is wrong by some rows."""
_ALIGNED_BYTES = 128
"""Alignment that OpenCL promises for a buffer's address (CL_DEVICE_MEM_BASE_ADDR_ALIGN is 1024 bits at least); kernels may rely on it."""
_NO_ACCESS, _READ_ONLY = 0, 1


class FenceError(OSError):
    """The system gives no such memory."""


class Fence:
    """Pages of memory between pages without access."""

    def __init__(self, payload_bytes: int, place: str) -> None:
        """Place a payload at one of `hotloop.ports.PLACES`. Raises FenceError."""
        page = mmap.PAGESIZE
        inner = (-(-max(payload_bytes, 1) // page) + (place == APART)) * page
        try:
            self._pages = mmap.mmap(-1, inner + 2 * _GUARD_BYTES)
        except (OSError, ValueError, OverflowError) as error:
            raise FenceError(str(error)) from error
        pages = np.frombuffer(self._pages, np.uint8)
        for start in (0, _GUARD_BYTES + inner):
            if _protect(pages.ctypes.data + start, _GUARD_BYTES):
                raise FenceError("mprotect")
        free = pages[_GUARD_BYTES : _GUARD_BYTES + inner]
        start = _start(inner - max(payload_bytes, 1), place, page)
        self.before: NDArray[np.uint8] = free[:start]
        """Bytes before the payload that may be touched; a page at most."""
        self.payload: NDArray[np.uint8] = free[start : start + max(payload_bytes, 1)]
        self.behind: NDArray[np.uint8] = free[start + payload_bytes :]
        """The same behind it."""
        self._inner = free.ctypes.data, inner

    def seal(self) -> None:
        """Let nobody write the payload from now on; where the system does not do that, anybody may."""
        _protect(*self._inner, _READ_ONLY)


def _start(spare_bytes: int, place: str, page_bytes: int) -> int:
    """Return how many of the spare bytes lie before the payload."""
    if place == START:
        return 0
    if place == END:
        return spare_bytes // _ALIGNED_BYTES * _ALIGNED_BYTES
    return spare_bytes - page_bytes * (place == APART)


@cache
def _mprotect() -> Any:  # noqa: ANN401 - a function of the C library, or None
    function = getattr(ctypes.CDLL(None), "mprotect", None)
    if function is not None:
        function.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int)
    return function


def _protect(address: int, size_bytes: int, access: int = _NO_ACCESS) -> bool:
    """Leave this access only; tell whether that failed."""
    function = _mprotect()
    return function is None or bool(function(address, size_bytes, access))

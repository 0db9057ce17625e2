"""Closing what lies deep on the stacks of the threads that run kernels, beyond what a kernel's own variables need.

A kernel on a CPU may keep a table at an address far below its own frame, for its next call or for the next group. While a queue is idle
nothing there is in use: the pages are given back, so that they hold zeros, and what a kernel cannot need is made inaccessible until
its call has ended, so that the worker ends with a kernel that looks there. Where a thread's stack lies is asked of the C library, by
the address of the thread's own block, which a kernel reads from segment FS ("ELF Handling For Thread-Local Storage": the block
begins with its own address; in glibc a `pthread_t` is that, too). Elsewhere than on Linux with glibc and x86-64 nothing is done.
"""

from __future__ import annotations

import ctypes
import mmap
import platform
import sys
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import pyopencl as cl

from hotloop.drivers.everywhere import slept_through

if TYPE_CHECKING:
    from collections.abc import Callable

_NO_CACHE: Any = False
_SOURCE = """
__kernel void whereabouts(__global ulong *told, const uint turns) {
    volatile uint spent = 0;
    for (uint k = 0; k < turns; ++k) spent += k;  /* so that no thread takes the items of others */
    const ulong own = *(__attribute__((address_space(257))) ulong *)0, same = *(__attribute__((address_space(257))) ulong *)16;
    told[2 * get_global_id(0)] = own == same ? own : 0;
    told[2 * get_global_id(0) + 1] = (ulong)&spent;
}
"""
_TURNS = 4000
_ITEMS = 8
"""Work-items for each thread."""
_IDLE_BYTES = 2**14
"""Bytes directly below a kernel's frame that are not given back, because an idle thread may use them."""
_RUNTIME_BYTES, _LAUNCHING_BYTES = 2**15, 2**15
"""What the runtime may need below a kernel's frame, and the thread that launches besides, in which Python runs."""
OPEN_BYTES = _RUNTIME_BYTES + _LAUNCHING_BYTES
"""Bytes below a kernel's variables that are never closed."""
_ATTRIBUTES_BYTES = 128
"""More than a ``pthread_attr_t`` has."""
_CONTEXT_BYTES, _STACK_POINTER = 4096, 160
"""More than a ``ucontext_t`` has, and where in it the register lies (sys/ucontext.h of glibc, x86-64)."""
_GIVE_BACK, _CLOSED, _OPEN = 4, 0, 3
"""MADV_DONTNEED, PROT_NONE, and PROT_READ | PROT_WRITE; linux/mman-common.h."""


class Depths:
    """The stacks of a queue's threads, as far as kernels were seen on them."""

    def __init__(self, queue: Any, threads: int) -> None:  # noqa: ANN401 - pyopencl's
        """Raises cl.Error where the kernel cannot be had, OSError where the C library is another one."""
        if not (sys.platform == "linux" and platform.machine() == "x86_64" and platform.libc_ver()[0] == "glibc"):
            raise OSError("only glibc on x86-64 is known")
        self._queue, self._items = queue, _ITEMS * threads
        self._told = np.zeros((self._items, 2), np.uint64)
        flags = cl.mem_flags.READ_WRITE
        self._memory: Any = cl.Buffer(queue.context, flags, self._told.nbytes)
        self._kernel: Any = cl.Kernel(cl.Program(queue.context, _SOURCE).build(cache_dir=_NO_CACHE), "whereabouts")
        self._kernel.set_args(self._memory, np.uint32(_TURNS))
        self._ends: dict[int, tuple[int, int]] = {}
        """Lowest address of each thread's stack, and of a frame that a kernel had on it, by the address of the thread's block."""
        self._closed: list[tuple[int, int]] = []
        self._look(slept_through)  # on a busy machine the threads that do not launch may take part in no other look

    def close(self, needed_bytes: int) -> None:
        """Wait for the queue, empty all stacks, and close what lies deeper than a kernel's variables of so many bytes."""
        self._look()
        own = _own()
        for low, frame in (own, *self._ends.values()):
            launching = low <= own[1] < frame + _LAUNCHING_BYTES
            begin, at = (own[0], min(frame, own[1])) if launching else (low, frame)
            _advise(begin, at - _IDLE_BYTES)
            self._closed.append((begin, at - needed_bytes - _RUNTIME_BYTES - (_LAUNCHING_BYTES if launching else 0)))
        for begin, end in self._closed:
            _protect(begin, end, _CLOSED)

    def open(self) -> None:
        """Make all accessible again."""
        for low, end in self._closed:
            _protect(low, end, _OPEN)
        self._closed = []

    def _look(self, wait: Callable[[Any, Any], None] | None = None) -> None:
        event = cl.enqueue_nd_range_kernel(self._queue, self._kernel, (self._items,), (1,))
        if wait is not None:
            wait(self._queue, event)
        cl.enqueue_copy(self._queue, self._told, self._memory)
        self._queue.finish()
        for thread, frame in self._told.tolist():
            if thread and (stack := self._ends.get(thread) or _stack(thread, frame)):
                self._ends[thread] = (stack[0], min(stack[1], frame))


@cache
def depths(queue: Any, threads: int) -> Depths | None:  # noqa: ANN401 - pyopencl is untyped
    """Return the stacks of a queue's threads; None where they cannot be found."""
    try:
        return Depths(queue, threads)
    except (cl.Error, OSError):
        return None


def _stack(thread: int, frame: int) -> tuple[int, int] | None:
    """Return the lowest address of a thread's stack, and that of the frame; None where the frame does not lie on it."""
    library = ctypes.CDLL(None)
    attributes = ctypes.create_string_buffer(_ATTRIBUTES_BYTES)
    begin, size = ctypes.c_void_p(), ctypes.c_size_t()
    if library.pthread_getattr_np(ctypes.c_void_p(thread), attributes):
        return None
    library.pthread_attr_getstack(attributes, ctypes.byref(begin), ctypes.byref(size))
    library.pthread_attr_destroy(attributes)
    low = begin.value or 0
    return (low, frame) if low < frame < low + size.value else None


def _own() -> tuple[int, int]:
    """Return the lowest address that the first thread's stack has so far (it grows), and where it stands; zeros for another thread."""
    context = ctypes.create_string_buffer(_CONTEXT_BYTES)
    ctypes.CDLL(None).getcontext(context)
    at = int.from_bytes(context.raw[_STACK_POINTER : _STACK_POINTER + 8], "little")
    for line in Path("/proc/self/maps").read_text(encoding="utf-8").splitlines():
        if line.endswith("[stack]"):
            low, high = (int(end, 16) for end in line.partition(" ")[0].split("-"))
            return (low, at) if low < at < high else (0, 0)
    return 0, 0


def _advise(low: int, end: int) -> None:
    begin, size = _pages(low, end)
    if size:
        ctypes.CDLL(None).madvise(begin, size, _GIVE_BACK)


def _protect(low: int, end: int, access: int) -> None:
    begin, size = _pages(low, end)
    if size:
        ctypes.CDLL(None).mprotect(begin, size, access)


def _pages(low: int, end: int) -> tuple[ctypes.c_void_p, ctypes.c_size_t | None]:
    """Return whole pages between two addresses; no size where there are none."""
    begin, beyond = -(-low // mmap.PAGESIZE) * mmap.PAGESIZE, end // mmap.PAGESIZE * mmap.PAGESIZE
    return ctypes.c_void_p(begin), ctypes.c_size_t(beyond - begin) if 0 < begin < beyond else None

"""Launches that every thread of Intel's OpenCL runtime takes part in: the one that launches, and the runtime's own.

A launch is shared by whoever is there. On a busy machine that is the launching thread alone, for the others are woken and get no processor
before all is done (398 of 400 small launches beside a load of 12); a kernel that comes later may run on one of the others. So what has to
happen on all of them is launched twice. First the launching thread waits in the queue, where it computes itself; a launch in which it did not
is repeated. Then it only submits and sleeps until the others are done (240 of 240 launches ran on them alone, in 0.12 ms beside the same load).
Where there are several others, each work-item waits a moment for as many to have begun, so that one thread does not take all.
"""

from __future__ import annotations

import threading
import time
from typing import TYPE_CHECKING, Any

import numpy as np
import pyopencl as cl

if TYPE_CHECKING:
    from collections.abc import Callable

_TRIES = 8
"""How often a launch is repeated in which the launching thread took no part."""
_NAP_S, _MOST_S = 5e-5, 0.5
"""Between two looks whether the others are done; after the longer one the launching thread helps."""
_TURNS = 50_000
"""Looks, each an atomic operation of some 20 ns, for which a work-item waits for others at most."""

SOURCE = """
void took_part(__global ulong *took, __global volatile int *begun, const int wanted, const uint turns) {
    took[get_group_id(0)] = *(__attribute__((address_space(257))) ulong *)0;  /* the thread's own block, by which glibc names it */
    atomic_inc(begun);
    for (uint k = 0; k < turns && atomic_add(begun, 0) < wanted; ++k);
}
"""
"""A function for a kernel's end; its arguments are the last four of the kernel."""


ALONE = "__attribute__((intel_vec_len_hint(1)))"
"""Attribute of a kernel that takes part: where there is an atomic operation Intel's compiler (2026.2) computes 16 work-items at once, of which
each has its own private memory on the thread's stack, so that what a kernel writes there lies 2 MiB below what others meet."""


class Everywhere:
    """Runs launches of kernels, one work-item in a group, on every thread of a queue's runtime."""

    def __init__(self, queue: Any, items: int, others: int) -> None:  # noqa: ANN401 - pyopencl is untyped
        """`items`: work-items of each launch; `others`: threads besides the launching one. Raises cl.Error."""
        self._queue, self._items, self._others = queue, items, others
        self._took = np.zeros(items, np.uint64)
        flags = cl.mem_flags.READ_WRITE
        self._memory: Any = cl.Buffer(queue.context, flags, self._took.nbytes)
        self._begun: Any = cl.Buffer(queue.context, flags, np.int32().nbytes)

    def run(self, prepare: Callable[..., Any]) -> None:
        """Launch a kernel until all threads have taken part; `prepare` sets its arguments, among them these four, and returns it."""
        for _ in range(_TRIES):
            self._launch(prepare(self._memory, self._begun, np.int32(0), np.uint32(0)))
            self._queue.finish()
            cl.enqueue_copy(self._queue, self._took, self._memory)
            if threading.get_ident() in self._took.tolist():
                break
        wanted = self._others if self._others > 1 else 0
        slept_through(
            self._queue, self._launch(prepare(self._memory, self._begun, np.int32(wanted), np.uint32(_TURNS)))
        )

    def _launch(self, kernel: Any) -> Any:  # noqa: ANN401
        cl.enqueue_copy(self._queue, self._begun, np.zeros(1, np.int32))
        return cl.enqueue_nd_range_kernel(self._queue, kernel, (self._items,), (1,))


def slept_through(queue: Any, event: Any) -> None:  # noqa: ANN401
    """Wait for a launch without computing any of it in this thread."""
    queue.flush()
    ends_s = time.monotonic() + _MOST_S
    while event.command_execution_status > cl.command_execution_status.COMPLETE and time.monotonic() < ends_s:
        time.sleep(_NAP_S)
    queue.finish()

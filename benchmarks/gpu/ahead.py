"""Device time of a batch of launches while the host is ahead: the same for OpenCL and for PyTorch.

A kernel waits on the device until the host has submitted the whole batch; the clock runs from its end to the end of the batch.
Calls from the host take longer than a short kernel runs, and a queue that records events' times takes longer still, on both
sides for reasons of their own; what is left here is what a CUDA graph would take: the kernels and the gaps between them.
"""

from __future__ import annotations

import time

import numpy as np

SOURCE = """
ulong now(void)
{
    ulong ns;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(ns) :: "memory");
    return ns;
}
__kernel void hold(ulong ns, __global ulong *stamps)
{
    const ulong began = now();
    while (now() - began < ns) ;
    stamps[0] = now();
}
__kernel void done(__global ulong *stamps)
{
    stamps[1] = now();
}
"""
PER_CALL_NS = 30_000
"""What the host may take for a call. On an H200's machine PyTorch took 13 to 25 µs, pyopencl 7.5 µs for an empty launch (from C
6.1), 13.4 µs where its times are recorded; the launch itself 3.6 µs on the device (2026-11-22)."""
CYCLES_PER_NS = 2
"""No fewer than the clock has; PyTorch's wait counts cycles."""


class Clock:
    """The device's clock read by kernels of an OpenCL queue of NVIDIA."""

    def __init__(self, cl, context, queue):
        self.cl, self.queue = cl, queue
        program = cl.Program(context, SOURCE).build(cache_dir=False)
        self.hold, self.done = cl.Kernel(program, "hold"), cl.Kernel(program, "done")
        self.stamps = cl.Buffer(context, cl.mem_flags.READ_WRITE, 16)
        self.done.set_args(self.stamps)
        self.late = 0
        """Batches that were submitted too late, so that the device waited for the host."""

    def ms(self, enqueue, batch, launches=1):
        """Return ms of one call over a batch."""
        held_ns = 100_000 + batch * launches * PER_CALL_NS
        self.queue.finish()
        began = time.perf_counter_ns()
        self.hold.set_args(np.uint64(held_ns), self.stamps)
        self.cl.enqueue_nd_range_kernel(self.queue, self.hold, (1,), (1,))
        self.queue.flush()
        for index in range(batch):
            enqueue(index)
        self.cl.enqueue_nd_range_kernel(self.queue, self.done, (1,), (1,))
        self.queue.flush()
        self.late += time.perf_counter_ns() - began > held_ns
        stamps = np.empty(2, np.uint64)
        self.cl.enqueue_copy(self.queue, stamps, self.stamps)
        return 1e-6 * float(stamps[1] - stamps[0]) / batch


def torch_ms(calls, batch):
    """Return ms of one call of PyTorch over a batch that rotates through `calls`."""
    import torch

    begin, end = torch.cuda.Event(enable_timing=True), torch.cuda.Event(enable_timing=True)
    torch.cuda.synchronize()
    torch.cuda._sleep(CYCLES_PER_NS * (100_000 + batch * PER_CALL_NS))  # noqa: SLF001 - nothing public waits on the device
    begin.record()
    for index in range(batch):
        calls[index % len(calls)]()
    end.record()
    end.synchronize()
    return begin.elapsed_time(end) / batch

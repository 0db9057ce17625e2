"""What a single call takes on CUDA by what was done to the caches before it: a fill, a reading, nothing, or the calls before it in a batch.

    PYTHONPATH=src python3 benchmarks/gpu/evictions.py [ROUNDS] [OUT.json]

Copies of several sizes, each round in a drawn order; medians in ns with the 10th and 90th hundredth, and of each way over a reading's.
A fill leaves lines of its own in the cache that must be written back while the call runs; a reading leaves none.
"""

# ruff: noqa: SLF001 - what is measured stands inside the queue
from __future__ import annotations

import json
import random
import statistics
import sys
from pathlib import Path

import numpy as np

from hotloop.backends.cuda import BACKEND
from hotloop.drivers.queue import BoundProgram, Queue
from hotloop.model.program import Array, Launch, Program, Value
from hotloop.ports import BAND_BYTES

COPY = """extern "C" __global__ void twice(const float4 *x, float4 *y, int n) {
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n) { float4 a = x[i]; a.x *= 2; a.y *= 2; a.z *= 2; a.w *= 2; y[i] = a; }
}
"""
SIZES_BYTES = (1 << 20, 8 << 20, 32 << 20, 64 << 20, 256 << 20)
"""Of the input; the output is as large."""
_BATCH = 20
"""Calls of a batch over four sets in turn."""


def bound(backend, size_bytes):
    count = size_bytes // 16
    arguments = (Array("x"), Array("y"), Value(count, "int32"))
    program = Program(
        "cuda", COPY, (), (Launch("twice", arguments, (-(-count // 256) * 256,), (256,)),), source_name="twice.cu"
    )
    sets = []
    for _ in range(4):
        buffers = {name: backend.allocate(size_bytes + 2 * BAND_BYTES) for name in "xy"}
        for buffer in buffers.values():
            buffer.write(np.zeros(size_bytes + 2 * BAND_BYTES, np.uint8))
        sets.append(backend.bind(program, buffers))
    return sets


def once(queue: Queue, program: BoundProgram, way: str) -> float:
    """Return the ns of one call behind what is done before it."""
    driver, (first, last) = queue.driver, queue._marks(2)
    if way == "fill":
        driver.fill(queue._scratch, queue._scratch_bytes)
    elif way == "read":
        queue._launch(queue.evict)
    else:
        queue._launch(queue.lead)
    driver.record(first)
    queue._launch(program.launches[0])
    driver.record(last)
    driver.wait()
    return driver.elapsed_ns(first, last)


def batch(sets) -> float:
    """Return the ns of a call among many."""
    for at in range(_BATCH):
        sets[at % 4].enqueue()
    return sum(program.finish() or 0.0 for program in sets) / _BATCH


def main() -> None:
    rounds = int(sys.argv[1]) if len(sys.argv) > 1 else 200
    backend, told = BACKEND(), []
    device = backend.select("")
    print(device.name, "cache", device.llc_bytes, "bytes")
    for size_bytes in SIZES_BYTES:
        sets = bound(backend, size_bytes)
        times = {way: [] for way in ("fill", "read", "lead", "batch")}
        for turn in range(rounds):
            for way in random.sample(list(times), len(times)):
                times[way].append(batch(sets) if way == "batch" else once(backend._queue, sets[turn % 4], way))
        middle = {way: statistics.median(ns[5:]) for way, ns in times.items()}
        for way, ns in times.items():
            tenths = statistics.quantiles(ns[5:], n=10)
            print(
                f"{size_bytes >> 20:4} MiB {way:6} {middle[way]:10.0f} ns ({tenths[0]:.0f}-{tenths[-1]:.0f}), over reading's {middle[way] / middle['read']:.3f}"
            )
        told.append({"size_bytes": size_bytes, "ns": times})
    if len(sys.argv) > 2:
        Path(sys.argv[2]).write_text(json.dumps({"device": device.name, "sizes": told}))


if __name__ == "__main__":
    main()

"""The OpenCL C implementation for GPUs: vectors through local memory, the next tile on its way, k shared among groups.

Where the textbook tile stops at a third of a GPU's rate, this one removes what stops it, one parameter each: aligned vector
accesses, registers that prefetch, a second buffer, a permutation against bank conflicts, addresses that advance by addition,
an order of the items in which neighbours read the same vector, slices of k for small problems. It never packs and takes every
problem of the family.

On an H200 the steps from 0.88 to 1.00 of cuBLAS at 2048 (2026-11-22, results/nvidia-h200-2026-11-22) were 16x8 outputs an
item with HOIST (0.88 → 0.98) and WEAVE (→ 1.00). Instructions that are no multiplications and shared memory's turns were
short, not the tail of the launch: 8192 had 0.92. REGISTERS was void before the group size was left unsaid with it.

On sizes that no tile divides, tiles at the far edges looked at every element; all tiles run at once, so the launch took as long
as they did: 0.82 of cuBLAS at 1000 with the tile of 1024, 0.51 with that of 2048. Since they begin earlier instead
(`stage.cl`), edges cost nothing there: 1.01 at 1000, 1.04 at 2000. `rounds` chooses the tile.

Few tiles leave multiprocessors idle: slices of k (SPLIT) make more of them. A second launch that adds took 4.2 to 11.8 µs on the
device and as long as the first to call. The last group at a tile (ARRIVE) mostly adds in 1 to 5 µs less (128x128x4096: 15.4 to
12.6 µs, cuBLAS 11.8), but with tiles of 64x64 and 24 slices or more, of which one group has much to read, in 1 to 12 µs more.
Small tiles whose parts share each step (SLICES) need fewer of them.
"""

from __future__ import annotations

from hotloop.kernels.gemm.pipelined.plan import plan, traits
from hotloop.kernels.gemm.pipelined.space import SPACE, START, simplicity
from hotloop.model.kernel import Implementation

PIPELINED = Implementation("opencl-pipelined", "opencl", SPACE, START, plan, simplicity, traits)

"""Counts of integers, added to counts that are there already: exact, with atomics."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from hotloop.model.kernel import Tolerance
from hotloop.model.program import Launch
from hotloop.model.record import Record
from hotloop.verify.catalogue.build import Draft, call, fewer_groups, twice, wide
from hotloop.verify.catalogue.mutant import Mutant, Specimen

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs
    from hotloop.model.problem import Problem
    from hotloop.model.space import Config

BINS = 61
SOURCE = """\
__kernel void histogram(__global const int *x, __global int *counts, const int n) {
    __local int mine[BINS];
    const int lane = get_local_id(0);
    for (int bin = lane; bin < BINS; bin += WG) mine[bin] = 0;
    barrier(CLK_LOCAL_MEM_FENCE);
    const int i = get_global_id(0);
    if (i < n && x[i] >= 0 && x[i] < BINS) atomic_inc(mine + x[i]);
    barrier(CLK_LOCAL_MEM_FENCE);
    for (int bin = lane; bin < BINS; bin += WG) atomic_add(counts + bin, mine[bin]);
}
"""


def _inputs(p: Problem, rng: np.random.Generator) -> Inputs:
    """Draw values in and out of range, and counts from an earlier call."""
    values = rng.integers(-5, BINS + 5, p.integer("n"), dtype=np.int32)
    return {"x": values, "counts": rng.integers(0, 2**24, BINS, dtype=np.int32)}


def _reference(_p: Problem, arrays: Inputs) -> Outputs:
    x, counts = wide(arrays, "x").astype(np.int64), wide(arrays, "counts").astype(np.int64)
    return {"counts": counts + np.bincount(x[(x >= 0) & (x < BINS)], minlength=BINS)}


def _launches(p: Problem, c: Config) -> tuple[Launch, ...]:
    return (call("histogram", ("x", "counts"), (p.integer("n"),), (p.integer("n"),), (c.integer("WG"),)),)


SPECIMEN = Specimen(
    name="histogram",
    language="opencl",
    kernel=Draft(
        name="histogram",
        sizes=Record(n=4096),
        source=SOURCE,
        inputs=_inputs,
        reference=_reference,
        launches=_launches,
        params={"WG": (64, 16), "BINS": (BINS,)},
        awkward=({"n": 1}, {"n": 63}, {"n": 1009}, {"n": 65}),
        tolerance=Tolerance(),
    ).kernel(),
    mutants=(
        Mutant.planted("overwrite", "inout", "earlier counts are overwritten", "atomic_add(counts + bin, mine[bin])", "atomic_xchg(counts + bin, mine[bin])"),
        Mutant.planted("last-bin", "bounds", "the last bin is never counted", "x[i] < BINS)", "x[i] < BINS - 1)"),
        Mutant.planted("bin-shift", "bounds", "each value is counted one bin too far", "atomic_inc(mine + x[i])", "atomic_inc(mine + (x[i] + 1) % BINS)"),
        Mutant.planted("negative", "negative", "negative values count in bin 0", "if (i < n && x[i] >= 0 && x[i] < BINS) atomic_inc(mine + x[i]);", "if (i < n && x[i] < BINS) atomic_inc(mine + max(x[i], 0));"),
        Mutant.planted("off-by-one", "bounds", "the last value is not counted", "i < n &&", "i < n - 1 &&"),
        Mutant.planted("clear-lost", "uninitialised", "the last bins of the local counts are not cleared", "bin < BINS; bin += WG) mine", "bin < BINS - 1; bin += WG) mine"),
        Mutant.planted("float-counts", "precision", "counts pass through float: exact to 24 bits only", "atomic_add(counts + bin, mine[bin])", "counts[bin] = (int)((float)counts[bin] * 1.0000001f) + mine[bin]"),
        Mutant.planted("overrun", "overrun", "a bin behind the last is written", "    for (int bin = lane; bin < BINS; bin += WG) atomic_add(counts + bin, mine[bin]);", "    for (int bin = lane; bin <= BINS; bin += WG) atomic_add(counts + bin, mine[bin % BINS]);"),
        Mutant(name="twice", kind="split-k", bug="the kernel is submitted twice", relaunch=twice),
        Mutant(name="last-group", kind="lost-tail", bug="the last work-group is never launched", relaunch=fewer_groups),
    ),
)  # fmt: skip

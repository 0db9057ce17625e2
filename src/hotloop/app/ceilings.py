"""Measuring a device's limits with the engine that times the candidates, in the same run."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.events import Notice, Stage
from hotloop.kernels.ceiling import opencl as ceiling
from hotloop.model.device import Ceilings
from hotloop.model.kernel import Empty
from hotloop.ports import BAND_BYTES, Executed, Timed, TimeRequest

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.program import Program
    from hotloop.ports import Dataset

COPY_ELEMENTS = 1 << 24
"""float32 elements copied: 64 MiB read and 64 MiB written, beyond the caches of the CPUs we know."""
_GPU_COPY_ELEMENTS = 1 << 26
"""256 MiB each way: GPUs have up to 256 MiB of last-level cache."""
_WIDTHS = (1, 4, 8, 16)
_ROUNDS = 12
_FIXED_POINT = 2.0
"""Where x ← 0.5·x + 1 converges; the FMA kernel's result shows that its loop ran."""


def measure(desk: Desk, dtype: str = "float32") -> Ceilings | None:
    """Return measured ceilings, recorded in the run's journal; None where they cannot be measured (no OpenCL)."""
    if desk.device.backend != "opencl":
        return None
    return desk.remember(f"ceilings {dtype}", Ceilings | None, lambda: _measure(desk, dtype))


def _measure(desk: Desk, dtype: str) -> Ceilings | None:
    desk.tell(Stage("measuring this machine's ceilings (FMA rate, copy bandwidth, launch cost)"))
    rates = tuple((width, rate) for width in _WIDTHS if (rate := fma_rate(desk, dtype, width)))
    bandwidth = copy_bandwidth(desk)
    if not rates or bandwidth is None:
        desk.tell(Notice("ceilings could not be measured; there will be no roofline"))
        return None
    best = max(rate for _, rate in rates)
    return Ceilings(
        flops_per_s=best,
        bytes_per_s=bandwidth,
        launch_ns=launch_cost(desk),
        flops_by_width=rates,
        dtype=dtype,
        source=f"measured on {desk.device.key}",
    )


def peak(desk: Desk, ceilings: Ceilings) -> Ceilings:
    """Return ceilings whose FMA rate was measured again at the best width; the higher of both counts."""
    width = max(ceilings.flops_by_width, key=lambda row: row[1])[0]
    again = fma_rate(desk, ceilings.dtype, width) or 0.0
    return replace(ceilings, flops_per_s=max(ceilings.flops_per_s, again))


def fma_rate(desk: Desk, dtype: str, width: int) -> float | None:
    """Return the FMA rate at one vector width in flop/s, or None when the kernel fails or computes nonsense."""
    made = ceiling.fma_rate(desk.device, dtype, width)
    dataset = desk.engine.dataset(f"fma{dtype}{width}", {"out": Empty((made.items,), dtype)}, ("out",))
    try:
        ran = desk.engine.execute(made.program, dataset)
        if not isinstance(ran, Executed):
            return None
        out = ran.arrays["out"][BAND_BYTES:-BAND_BYTES].view(dtype)
        if not np.allclose(out, _FIXED_POINT * ceiling.CHAINS * width, rtol=1e-2):
            return None
        call_ns = _best_ns(desk, made.program, dataset)
        return None if call_ns is None else made.flops / (1e-9 * call_ns)
    finally:
        desk.engine.discard(dataset)


def copy_bandwidth(desk: Desk) -> float | None:
    """Return bytes read and written per second by a plain copy, or None."""
    count = _GPU_COPY_ELEMENTS if desk.device.kind == "gpu" else COPY_ELEMENTS
    x = np.arange(count, dtype=np.float32)
    dataset = desk.engine.dataset("copy", {"x": x, "y": Empty((count,))}, ("y",))
    try:
        program = ceiling.copy(desk.device, count)
        ran = desk.engine.execute(program, dataset)
        if not isinstance(ran, Executed):
            return None
        if not np.array_equal(ran.arrays["y"][BAND_BYTES:-BAND_BYTES].view(np.float32), x):
            return None
        call_ns = _best_ns(desk, program, dataset)
        return None if call_ns is None else 2 * x.nbytes / (1e-9 * call_ns)
    finally:
        desk.engine.discard(dataset)


def launch_cost(desk: Desk) -> float | None:
    """Return the wall time of an empty launch in a batch of launches, in ns, or None."""
    dataset = desk.engine.dataset("launch", {"out": Empty((16,))}, ())
    try:
        return _best_ns(desk, ceiling.empty(), dataset)
    finally:
        desk.engine.discard(dataset)


def _best_ns(desk: Desk, program: Program, dataset: Dataset) -> float | None:
    """Return the fastest call: a ceiling is what the machine can do when nobody disturbs it."""
    request = TimeRequest(programs=(program,), datasets=(dataset,), rounds=_ROUNDS, target_sample_ns=3e6)
    timed = desk.engine.time(request)
    if not isinstance(timed, Timed):
        return None
    return min(sample.call_ns for one in timed.rounds for _, sample in one.samples)

"""Impossible times: below what the device's measured ceilings allow for the work of a problem."""

from __future__ import annotations

from typing import TYPE_CHECKING

from hotloop.model.outcome import Impossible, Measured
from hotloop.ports import HOT

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.device import Ceilings
    from hotloop.model.problem import Work

FLOOR_SLACK = 0.8
"""A time below this fraction of the roofline floor is impossible; the ceilings themselves are uncertain by a few per cent."""
BYTES_SLACK = 0.5
"""The same fraction for the floor by bytes: the ceiling is that of copying, and reading alone is faster."""


def impossible_speed(
    measured: Measured, work: Work, ceilings: Ceilings | None, cold_bytes: float = 0.0
) -> Impossible | None:
    """Return a refusal when a time is below what the device's ceilings allow for the problem's flops, or its bytes.

    `cold_bytes` are the bytes that must come from memory, see `cold_bytes_of`; small problems stay in caches and are not
    limited by the bandwidth of memory. Products as a program's own text computes them are no bound of another text.
    """
    if ceilings is None:
        return None
    flops_ns, bytes_ns = ceilings.floor_ns(work.flops, 0.0), ceilings.floor_ns(0.0, cold_bytes)
    if work.flops > 0 and not work.products and measured.call_ns < FLOOR_SLACK * flops_ns:
        return Impossible(measured.call_ns, flops_ns)
    if cold_bytes > 0 and measured.call_ns < BYTES_SLACK * bytes_ns:
        return Impossible(measured.call_ns, bytes_ns)
    return None


def cold_bytes_of(desk: Desk, workload: Workload, work: Work) -> float:
    """Return the bytes of a call that must come from memory: 0 unless the rotated inputs certainly exceed every cache.

    At most the size of the inputs counts, whatever the kernel declares, because what it writes may stay in a cache.
    """
    sets, cache_bytes = workload.sets(), desk.device.llc_bytes or 0
    read_bytes = sum(slot.payload_bytes for slot in sets[0].slots if slot.input)
    if not cache_bytes or desk.mode == HOT or len(sets) * read_bytes < 2 * cache_bytes:
        return 0.0
    return min(work.bytes, float(read_bytes))

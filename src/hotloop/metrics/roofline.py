"""Position of a measurement under the roofline.

S. Williams, A. Waterman and D. Patterson, "Roofline: An Insightful Visual Performance Model for Multicore Architectures",
CACM 52(4), 2009: no kernel is faster than ``max(flops / peak flop/s, bytes / peak B/s)``.
"""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.metrics.fact import absent, evidence, fact
from hotloop.model.device import Ceilings
from hotloop.model.evidence import Absent, Evidence, Fact, Provenance
from hotloop.model.problem import Work
from hotloop.units import rate

BEYOND = 1.1
"""Fraction of the floor up to which a kernel is at its roof, and above which the roof is no limit: small problems stay in caches. In between,
what mostly reads or works in place moves more a second than a copy, whose target is fetched before it is overwritten."""
_TIMED = ("roof.fraction", "roof.flops_per_s", "roof.flops_share", "roof.bytes_share")


def roofline(work: Work, ceilings: Ceilings, call_ns: float | None) -> Evidence:
    """Return ``work.*`` and ``roof.*``; `call_ns` is the time of one call, None when it was not measured.

    A problem without work has a floor of 0 ns, of which no fraction can be reached: what needs a floor is then absent.
    """
    return evidence((*stated(work), *_floor(work, ceilings), *_position(work, ceilings, call_ns)))


def stated(work: Work) -> Iterator[Fact]:
    """Yield ``work.flops`` and ``work.bytes``."""
    yield fact("work.flops", work.flops, Provenance.DERIVED, work.convention)
    yield fact("work.bytes", work.bytes, Provenance.DERIVED, work.convention)


def _floor(work: Work, ceilings: Ceilings) -> Iterator[Fact | Absent]:
    compute_ns, memory_ns = ceilings.floor_ns(work.flops, 0.0), ceilings.floor_ns(0.0, work.bytes)
    source = f"max(flops / {rate(ceilings.flops_per_s, 'flop/s')}, bytes / {rate(ceilings.bytes_per_s, 'B/s')}), {ceilings.source}"
    yield fact("roof.floor_ns", max(compute_ns, memory_ns), Provenance.DERIVED, source)
    if compute_ns or memory_ns:
        yield fact("roof.memory_bound", memory_ns > compute_ns, Provenance.DERIVED, source)
    else:
        yield absent("roof.memory_bound", "the problem has no work")


def _position(work: Work, ceilings: Ceilings, call_ns: float | None) -> Iterator[Fact | Absent]:
    if call_ns is None or call_ns <= 0:
        yield from (absent(name, "no time of a call") for name in _TIMED)
        return
    floor_ns = ceilings.floor_ns(work.flops, work.bytes)
    flops_per_s = 1e9 * work.flops / call_ns
    bytes_per_s = 1e9 * work.bytes / call_ns
    if floor_ns:
        yield fact("roof.fraction", floor_ns / call_ns, Provenance.DERIVED, "roof.floor_ns / time.call_ns")
    else:
        yield absent("roof.fraction", "the problem has no work")
    yield fact("roof.flops_per_s", flops_per_s, Provenance.DERIVED, "work.flops / time.call_ns")
    yield fact("roof.flops_share", flops_per_s / ceilings.flops_per_s, Provenance.DERIVED, "of the measured FMA rate")
    yield fact("roof.bytes_share", bytes_per_s / ceilings.bytes_per_s, Provenance.DERIVED, "of the measured bandwidth")

"""What thread traces and samples of the program counter say of a kernel, as facts that rules weigh."""

from __future__ import annotations

from collections.abc import Iterator

from hotloop.explain.material import Material, traces
from hotloop.explain.sampled import sampled
from hotloop.metrics.fact import stated
from hotloop.model.evidence import Evidence, Fact, Provenance
from hotloop.profiles.names import same
from hotloop.profiles.tracing import states
from hotloop.profiles.tracing.loop import weight
from hotloop.profiles.tracing.states import States

_FACTS = {
    states.GLOBAL: "gpu.global_wait_share", states.LOCAL: "gpu.lds_wait_share", states.CONSTANT: "gpu.constant_wait_share",
    states.STORES: "gpu.store_wait_share",
    states.BARRIER: "gpu.barrier_wait_share", states.FETCH: "gpu.fetch_wait_share", states.FIXED: "gpu.fixed_wait_share",
    states.READY: "gpu.ready_share", states.ISSUED: "gpu.issued_share",
}  # fmt: skip
_SPLIT = (states.READY, states.ISSUED, states.FIXED, states.FETCH)
"""States that host-trap samples cannot tell."""
_COUNTED = "ncu"
"""Tool that counts its samples by reason, as counters of the kernel: instructions need not tell what waves wait for."""
FEWEST = 30
"""Samples below which shares mean little."""


def traced(material: Material, kernel: str) -> Evidence:
    """Return the shares of waves' time; of a trace before samples, which say the same more coarsely. Nothing without either."""
    for source, facts, provenance in _found(material, kernel):
        rows = [
            stated(name, facts.shares.get(state, 0.0), provenance, source)
            for state, name in _FACTS.items()
            if facts.split or state not in _SPLIT
        ]
        if facts.spills is not None:
            rows.append(stated("gpu.spill_share", facts.spills, Provenance.MEASURED, f"scratch_* accesses, {source}"))
        if facts.queue is not None:
            rows.append(
                stated("gpu.lds_wait_ratio", facts.queue, provenance, f"stalls at accesses of local memory, {source}")
            )
        return Evidence(tuple(row for row in rows if isinstance(row, Fact)))
    return Evidence()


def _found(material: Material, kernel: str) -> Iterator[tuple[str, States, Provenance]]:
    for profile in traces(material):
        assert profile.trace is not None
        ran = [k for k in profile.trace.kernels if any(map(weight, k.instructions))]
        own = [k for k in ran if not k.name or same(k.name, kernel)] or ran[:1]
        for trace in own[:1]:
            facts = states.of_trace(trace.instructions)
            if facts is not None:
                recording = "samples of the program counter" if profile.trace.sampled else "thread trace"
                yield f"{recording}, {profile.source}", facts, Provenance.MEASURED
    for profile in material.profiles:
        if profile.tool == _COUNTED:
            continue
        counted = sampled(material, kernel, profile.source)
        places = states.of_samples(counted.rows) if sum(row.samples for row in counted.rows) >= FEWEST else None
        if places is not None:
            whose = " of several kernels" if counted.doubt else ""
            provenance = Provenance.ESTIMATED if counted.doubt else Provenance.MEASURED
            yield f"samples of the program counter{whose}, {profile.source}", places, provenance

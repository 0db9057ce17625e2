"""What a launch has to do: as a person or the profiled kernel's file says, or inferred from what it writes where that is safe to do."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from hotloop import units
from hotloop.metrics.counters import Counts
from hotloop.metrics.fact import fact
from hotloop.metrics.roofline import stated
from hotloop.model.evidence import Evidence, Provenance
from hotloop.model.problem import Work

_LEAST_REUSE = 1.3
"""L1 asks L2 for this many times what L2 reads from memory: groups share lines, as those of a stencil do."""
_READS = (1.1, 2.2)
"""Reads over writes between which one array of the output's size is read, and parts of it again."""
_ROUNDING = 0.06
"""Edges that a stencil leaves out, and write-backs of the launch before."""
_WIDTHS = tuple(2.0**power for power in range(2, 9))
"""Bytes that a work-item writes when the output is written once: 4 to 256."""


@dataclass(frozen=True, slots=True)
class Said:
    """What a person says of one launch; None: not said."""

    bytes: float | None = None
    """Bytes that the launch cannot avoid moving."""
    flops: float | None = None
    """Useful operations."""


def told(said: Said, works: Iterable[Work | None]) -> Evidence:
    """Return ``work.*`` as far as somebody says it: the person before the kernel's file."""
    of_file = next((stated(work) for work in works if work is not None and work.bytes + work.flops > 0), iter(()))
    spoken = (("work.bytes", said.bytes), ("work.flops", said.flops))
    facts = (fact(name, value, Provenance.DERIVED, "as you said") for name, value in spoken if value is not None)
    return Evidence(tuple(number for number in of_file if number.value > 0)).merged(Evidence(tuple(facts)))


def _product(evidence: Evidence) -> bool:
    """Tell whether matrix instructions ran: a product reads two arrays, of sizes that what it writes does not tell."""
    return bool(evidence.get("gpu.matrix_flops") or evidence.get("gpu.matrix_per_wave"))


def needed(evidence: Evidence, counts: Counts) -> Evidence:
    """Return ``work.bytes``, measured against which moved bytes are too many; nothing where it cannot be known, or is."""
    read, written, asked = (
        evidence.get(f"gpu.{name}") for name in ("hbm_read_bytes", "hbm_write_bytes", "l2_read_bytes")
    )
    items = counts.launch.items
    if not read or not written or not asked or not items or "work.bytes" in evidence or _product(evidence):
        return Evidence()
    once = any(abs(written / items / width - 1) <= _ROUNDING for width in _WIDTHS)
    if not once or not _READS[0] <= read / written <= _READS[1] or asked < _LEAST_REUSE * read:
        return Evidence()
    source = (
        f"twice the {units.size(written)} that are written, {written / items:.3g} B for each work-item: inferred for a kernel that reads "
        f"one array of that size, as a stencil does (work-groups ask for lines {asked / read:.3g} times); --bytes says otherwise"
    )
    return Evidence((fact("work.bytes", 2 * written, Provenance.ESTIMATED, source),))

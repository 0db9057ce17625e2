"""Bytes that a launch cannot avoid: as a person says, or inferred from what it writes where that is safe to do."""

from __future__ import annotations

from hotloop import units
from hotloop.metrics.counters import Counts
from hotloop.metrics.fact import fact
from hotloop.model.evidence import Evidence, Provenance

_LEAST_REUSE = 1.3
"""L1 asks L2 for this many times what L2 reads from memory: groups share lines, as those of a stencil do."""
_READS = (1.1, 2.2)
"""Reads over writes between which one array of the output's size is read, and parts of it again."""
_ROUNDING = 0.06
"""Edges that a stencil leaves out, and write-backs of the launch before."""
_WIDTHS = tuple(2.0**power for power in range(2, 9))
"""Bytes that a work-item writes when the output is written once: 4 to 256."""


def needed(evidence: Evidence, counts: Counts, stated_bytes: float | None = None) -> Evidence:
    """Return ``work.bytes``, measured against which moved bytes are too many; nothing where it cannot be known."""
    if stated_bytes is not None:
        return Evidence((fact("work.bytes", stated_bytes, Provenance.DERIVED, "as you said"),))
    read, written, asked = (
        evidence.get(f"gpu.{name}") for name in ("hbm_read_bytes", "hbm_write_bytes", "l2_read_bytes")
    )
    items = counts.launch.items
    if not read or not written or not asked or not items or "work.bytes" in evidence:
        return Evidence()
    once = any(abs(written / items / width - 1) <= _ROUNDING for width in _WIDTHS)
    if not once or not _READS[0] <= read / written <= _READS[1] or asked < _LEAST_REUSE * read:
        return Evidence()
    source = (
        f"twice the {units.size(written)} that are written, {written / items:.3g} B for each work-item: inferred for a kernel that reads "
        f"one array of that size, as a stencil does (work-groups ask for lines {asked / read:.3g} times); --bytes says otherwise"
    )
    return Evidence((fact("work.bytes", 2 * written, Provenance.ESTIMATED, source),))

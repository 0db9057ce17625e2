"""The vocabulary of evidence: one row of ``terms.txt`` for each fact that rules may use, with unit and meaning.

Rules and reports refer to facts by these names only; a collector that gives a fact another name is a defect that
`tests/unit/metrics` finds.
"""

from __future__ import annotations

from dataclasses import dataclass
from importlib.resources import files


@dataclass(frozen=True, slots=True)
class Term:
    """One name that evidence may carry."""

    name: str
    unit: str
    meaning: str


_ROWS = (files("hotloop.metrics") / "terms.txt").read_text(encoding="utf-8").splitlines()
TERMS = tuple(Term(*row.split(" | ")) for row in _ROWS if row)
"""Every name in use. Kernels' `traits` give the ``config.*`` facts that apply to them; the ``gpu.*`` facts come from counters
by the formulas of `hotloop.metrics.catalogue`, one name for all vendors, and hold for one launch under the profiler;
`hotloop.isa.summary.facts` gives the ``isa.*`` facts of one kernel's machine code, resources and occupancy."""

BY_NAME = {term.name: term for term in TERMS}

_PARTS = ("_share", "_utilization", "_hit_rate", "_miss_rate")
SHARES = frozenset(
    {name for name in BY_NAME if name.startswith(("gpu.", "cpu.")) and name.endswith(_PARTS)}
    | {"gpu.occupancy", "gpu.occupancy_limit", "gpu.imbalance", "gpu.wasted_sectors", "gpu.sector_use"}
) - {"gpu.counted_waves_share"}
"""Facts of counters that are parts of a whole, 0 to 1; a value outside is no fact (see `hotloop.metrics.fact`)."""


def meaning(fact: str) -> str:
    """Return what a fact says; empty for a name that is not in the vocabulary."""
    return BY_NAME[fact].meaning if fact in BY_NAME else ""

"""What rules about a GPU's machine code share: how much of a wave's waiting its neighbours leave open."""

from __future__ import annotations

from hotloop.diagnose.facts import Facts

WAITING = ("isa.stall_share", "isa.occupancy_waves")
"""What `uncovered` looks at; the occupancy may be absent."""
ASSUMED_WAVES = 2.0
"""Resident waves per SIMD where nothing tells: what most matrix kernels have."""


def uncovered(facts: Facts, stall_share: float, waves: float | None = None) -> float:
    """Return the share of run time that a part of one wave's standing explains.

    With w waves that each work a share (1 - s) of their time alone, the SIMD is idle for max(0, 1 - w·(1 - s)) at best;
    the idle time is shared out among the reasons for standing.

    >>> facts = Facts({"isa.stall_share": 0.75, "isa.occupancy_waves": 2.0}, frozenset({"isa.occupancy_waves"}))
    >>> uncovered(facts, 0.75), uncovered(facts, 0.25), uncovered(facts, 0.75, waves=4)
    (0.5, 0.16666666666666666, 0.0)
    """
    total = facts["isa.stall_share"]
    if total <= 0:
        return 0.0
    resident = waves or facts.get("isa.occupancy_waves") or ASSUMED_WAVES
    return max(0.0, 1 - resident * (1 - total)) * min(1.0, stall_share / total)


def waves_known(facts: Facts) -> str:
    """Return how many waves were reckoned with, in words."""
    known = facts.get("isa.occupancy_waves")
    return f"{known:g} resident waves" if known else f"{ASSUMED_WAVES:g} waves assumed"

"""What rules about a GPU's machine code share: how much of a wave's waiting its neighbours leave open."""

from __future__ import annotations

from hotloop.diagnose.facts import Facts

MODEL = ("isa.occupancy_waves", "isa.iteration_cycles", "isa.unit_cycles", "isa.memory_cycles", "isa.occupancy_open")
"""Facts that `uncovered` and `matrix_waves` use besides the stalls, where they are known."""
SERIAL = ("isa.serial_loads", "isa.global_loads")
"""Facts that `serial_part` uses, where they are known."""
_FEWEST = 2
TAKEN = ("isa.issue_share",)
"""Facts that `taken` uses, where they are known."""
ASSUMED_WAVES = 2.0
"""Resident waves per SIMD where nothing tells: what most matrix kernels have."""


def uncovered(facts: Facts, stall_share: float, waves: float | None = None) -> float:
    """Return the share of run time that a part of one wave's standing explains.

    By the timing model w waves need a w-th of one wave's time, or what the busiest unit or the memory takes, whichever is longer:
    the rest of that w-th nobody uses. Without the model, w waves that each work a share (1 - s) of their time leave
    max(0, 1 - w·(1 - s)) at best. Of either, what a wave stands is shared out among the reasons for it; the rest are instructions.

    >>> facts = Facts({"isa.stall_share": 0.75, "isa.occupancy_waves": 2.0}, frozenset(MODEL))
    >>> uncovered(facts, 0.75), uncovered(facts, 0.25), uncovered(facts, 0.75, waves=4)
    (0.5, 0.16666666666666666, 0.0)
    """
    total = facts["isa.stall_share"]
    return min(total, idle(facts, waves)) * min(1.0, stall_share / total) if total > 0 else 0.0


def idle(facts: Facts, waves: float | None = None) -> float:
    """Return the share of the time in which neither a unit nor the memory is taken all the time, with the resident waves.

    >>> one = Facts({"isa.stall_share": 0.1, "isa.iteration_cycles": 4000.0, "isa.unit_cycles": 2400.0}, frozenset(MODEL))
    >>> idle(one, 1), idle(one, 2), uncovered(one, 0.1, 1)
    (0.4, 0.0, 0.1)
    """
    held = waves or facts.get("isa.occupancy_waves") or ASSUMED_WAVES
    alone, unit = facts.get("isa.iteration_cycles"), facts.get("isa.unit_cycles")
    if alone and unit is not None:
        return max(0.0, 1 - held * max(unit, facts.get("isa.memory_cycles") or 0.0) / alone)
    return max(0.0, 1 - held * (1 - facts["isa.stall_share"]))


def matrix_waves(facts: Facts) -> float:
    """Return the waves to reckon with in a loop with matrix instructions.

    Its tiles lie in local memory: where the launch brings that, the registers alone say too many.
    """
    waves = facts.get("isa.occupancy_waves") or ASSUMED_WAVES
    return min(waves, ASSUMED_WAVES) if facts.get("isa.occupancy_open") else waves


def serial_part(facts: Facts) -> float:
    """Return the part of the waiting for global memory that is there because loads are waited for one by one, 0 to 1.

    >>> serial_part(Facts({"isa.serial_loads": 4.0, "isa.global_loads": 12.0}, frozenset(SERIAL)))
    0.25
    """
    serial = facts.get("isa.serial_loads") or 0.0
    loads = max(serial, facts.get("isa.global_loads") or 0.0)
    return (serial - 1) / loads if serial >= _FEWEST else 0.0


def taken(facts: Facts) -> float:
    """Return the share of run time for which the unit that computes is taken: fewer instructions save no more; 1: not known."""
    share = facts.get("isa.issue_share")
    return 1.0 if share is None else share


def waves_known(facts: Facts) -> str:
    """Return how many waves were reckoned with, in words."""
    waves = facts.get("isa.occupancy_waves")
    return resident(waves) if waves else f"{ASSUMED_WAVES:g} waves assumed"


def resident(waves: float) -> str:
    """Return a number of waves, which need not be whole on each SIMD, in words."""
    return f"{waves:g} resident wave{'s' if waves != 1 else ''}"

"""What rules about GPUs share: how busy the machine was, and how much of waiting nothing else covered."""

from __future__ import annotations

from hotloop.diagnose.facts import Facts

COMPUTE = ("gpu.matrix_utilization", "gpu.valu_utilization", "gpu.issue_utilization")
MEMORY = ("gpu.hbm_utilization", "gpu.l2_utilization", "gpu.l1_utilization")
FILLED = (("gpu.hbm_utilization",), MEMORY)
"""Facts that can show that waves wait because device memory is full. A rule about waiting can only guess where device memory was not
counted, because most waiting is for it, whatever is known of the caches."""
LIMITS = (*COMPUTE, *MEMORY)
"""Units that can be the limit; a rule that weighs waiting declares them as optional."""
COVER = ("gpu.busy_share", "gpu.running_share", "gpu.issued_share", "gpu.ready_share")
LOCAL = "gpu.l1_local_utilization"
"""Fact about how much of the first-level cache's peak local memory takes, where both share a data path (NVIDIA)."""
QUEUE = "gpu.lds_queue_share"
"""Waiting for a place in local memory's queue."""
QUEUED = 0.3
"""Share of waves' time in that queue from which a full path of the first-level cache is local memory's: loads from global memory
have a queue of their own."""
PIPE = "gpu.lds_active_share"
"""Clocks in which local memory worked, conflicts included (AMD): a data path of its own there, which no queue need stand before."""
WAITING = (*LIMITS, PIPE, *COVER)
"""Facts that `exposed` uses."""
MOSTLY = 0.5
"""Share of the counted clocks in which waves ran from which the rest is the profiler's, not an engine's that idled."""
FEWEST_ROUNDS = 0.9
"""Rounds of groups below which units stay without one."""
MOST_UNITS = 320
"""Compute units of the largest device so far, with some to spare."""
SATURATED = 0.85
"""A unit that is busier is the limit: latency and occupancy are none of the kernel's problems then."""


def busiest(facts: Facts, names: tuple[str, ...] = LIMITS) -> float:
    """Return the utilization of the busiest unit that is known, 0 when none is."""
    return max((facts.get(name) or 0.0 for name in names), default=0.0)


def saturated(facts: Facts) -> bool:
    """Tell whether a compute or memory unit is known to be the limit."""
    return busiest(facts) >= SATURATED


def local_load(facts: Facts) -> float | None:
    """Return local memory's part of the first-level cache's load; a rule declares `LOCAL`, `QUEUE` and the cache's load.

    Where it was not counted, waves that wait in local memory's queue for `QUEUED` of their time tell that a full path is its.
    """
    share = facts.get(LOCAL)
    queued = (facts.get(QUEUE) or 0.0) >= QUEUED
    return facts.get("gpu.l1_utilization") if share is None and queued else share


def saturated_elsewhere(facts: Facts) -> bool:
    """Tell whether a unit other than local memory is known to be the limit; a rule declares `LIMITS`, `LOCAL` and `QUEUE`.

    A first-level cache of whose work at least half is local memory's is not another unit.
    """
    cache, local = facts.get("gpu.l1_utilization") or 0.0, local_load(facts) or 0.0
    others = tuple(name for name in LIMITS if name != "gpu.l1_utilization" or local < cache / 2)
    return busiest(facts, others) >= SATURATED


def held(facts: Facts) -> float:
    """Return the share of the kernel's time in which a compute unit held work, 1 where it is not known.

    Clocks before and after the kernel, which AMD's counters contain, are left out where they are known.
    """
    busy = facts.get("gpu.busy_share")
    return 1.0 if busy is None else min(1.0, busy / (facts.get("gpu.running_share") or 1.0))


def few_groups(facts: Facts, busy: float) -> bool:
    """Tell whether the groups are less than a round; a rule declares ``gpu.rounds`` and ``gpu.groups``.

    Where nobody tells how many fit: so many units as groups over the busy share would each have held one group all the time;
    that is a device's number of units only if the groups were fewer than those.
    """
    rounds, groups = facts.get("gpu.rounds"), facts.get("gpu.groups")
    if rounds is not None:
        return rounds < FEWEST_ROUNDS
    return groups is not None and 0 < groups <= max(1.0, MOST_UNITS * busy)  # one group is a round of no GPU


def working(facts: Facts, name: str) -> float:
    """Return a unit's utilization over the clocks in which waves ran, where those are known; a rule declares ``gpu.running_share``.

    AMD's counting windows are longer than the kernel by clocks of the profiler's own, in which no unit can work. A unit that worked for longer
    than waves ran shows that their clocks are not all of them.
    """
    used, running = facts[name], facts.get("gpu.running_share") or 1.0
    return used / running if max(used, MOSTLY) <= running else used


def exposed(facts: Facts, waiting: float) -> float:
    """Return the share of run time that a kind of waiting explains.

    Where nothing tells how busy schedulers were, that is at most its share of waves' time. Waves wait most of the time on any GPU, and cost nothing while others issue. Cycles without an issued instruction are
    shared out among the reasons for waiting; a unit that is busy anyway sets the floor. Where the counted clocks include
    some before and after the kernel (AMD), the share is of the clocks in which waves ran.
    """
    issuing = max(facts.get("gpu.issue_utilization") or 0.0, facts.get("gpu.valu_utilization") or 0.0)
    reasons = 1 - (facts.get("gpu.issued_share") or 0.0) - (facts.get("gpu.ready_share") or 0.0)
    if reasons <= 0:
        return 0.0
    running = facts.get("gpu.running_share") or 1.0
    idle = (1 - min(1.0, issuing / running)) * min(1.0, waiting / reasons) * held(facts)
    counted = any(facts.get(name) is not None for name in ("gpu.issue_utilization", "gpu.valu_utilization"))
    return max(0.0, min(idle, 1 - busiest(facts, (*LIMITS, PIPE)), 1.0 if counted else waiting))

"""How well the latency of a group of memory operations is hidden, by what one wave alone does."""

from __future__ import annotations

from enum import StrEnum

from hotloop.units import counted

HIDDEN_SHARE = 0.5
"""Share of the latency that must pass before the wait for an operation to count as hidden: less is a matter of luck."""
EXPOSED_SHARE = 0.2
"""Share of a wait below which it counts as exposed: even four more waves in step, which wait at the same place, do not fill the rest."""
STANDING_SHARE = 0.1
"""Share of its time that the wave may stand at the waits of a group that is hidden: one late load of many costs as much as all. A tenth
is within what the nominal latencies leave open."""


class Verdict(StrEnum):
    """How well the latency of operations is covered."""

    EXPOSED = "exposed"
    PARTLY = "partly hidden"
    HIDDEN = "hidden"


def verdict(covered: float, stall_cycles: float, cycles: float) -> Verdict:
    """Return how well a group is hidden.

    Args:
        covered: mean share of the latency that passes before the waits, 0 to 1.
        stall_cycles: that the wave stands at them.
        cycles: of the iteration, or of the straight-line code, stalls included.

    >>> verdict(0.6, 0, 1000).value, verdict(0.69, 980, 4000).value, verdict(0.1, 10, 1000).value
    ('hidden', 'partly hidden', 'exposed')
    """
    if covered < EXPOSED_SHARE:
        return Verdict.EXPOSED
    standing = stall_cycles > STANDING_SHARE * cycles
    return Verdict.HIDDEN if covered >= HIDDEN_SHARE and not standing else Verdict.PARTLY


def sentence(
    group: str, count: int, far: str, cycles: int, *, carried: bool, judged: Verdict, stall_cycles: int
) -> str:
    """Say how far ahead a group's operations are issued.

    Args:
        group: what they are called; the singular where there is one.
        count: operations.
        far: what stands between issue and wait.
        cycles: from issue to wait.
        carried: whether a back edge lies between.
        judged: how well it is hidden.
        stall_cycles: cycles that the wave stands at the waits.
    """
    verb, pronoun = ("are", "they are") if count != 1 else ("is", "it is")
    back = ", across the back edge," if carried else ""
    stall = f" ({counted(stall_cycles, 'cycle')} of stall per iteration)" if stall_cycles else ""
    return f"{count} {group} {verb} issued {far} (≈ {counted(cycles, 'cycle')}){back} before {pronoun} needed: {judged.value}{stall}"

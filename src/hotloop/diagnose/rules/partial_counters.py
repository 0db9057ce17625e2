"""Miscounted waves: not all engines were counted, or other work was.

## What it shows
The counters saw fewer waves than were launched, or more.

## Why it costs
It costs no time, it makes numbers wrong: one engine's cycles over the clocks of the launch, or over all compute units,
mean nothing, and counts of other programs' work less. Ratios between counters of the same engine hold where too few were seen.

## What to try
Sum the rows of all shader engines and dies, or profile again with all instances. Too many waves come from a display or another
program on the card, and from profilers that read the wrong registers: leave the card alone, count one counter at a time, take another version.

## When it misleads
Groups that end early or a kernel cut off by the profiler launch fewer waves too. Passes are different executions, which
agree within some per cent.

## References
Reported MI350X conv3d: SQ_WAVES 3,776 where 120,832 waves were launched: one of 32 engines. Its bank conflicts came out as
107 % of the time instead of 13.4 %. Reports on ROCm's profiler: 4,301,154 waves of 1,024 when another counter was asked for as well
(gfx11, rocm-systems 6940), 0 or twice as many as launched in 37 % of the rows (gfx1151, 3828), 1,163 more, of the desktop
(gfx1152, 11595); on MI325X repeated counts differ by at most 0.12 % (12084).
"""

from __future__ import annotations

from hotloop.diagnose.facts import Facts
from hotloop.diagnose.rule import Rule, Symptom
from hotloop.units import percent

WHOLE = 0.95


def evaluate(facts: Facts) -> Symptom | None:
    """Return the part that was not counted, or that is not the kernel's: so much of what was measured is unknown."""
    seen = facts["gpu.counted_waves_share"]
    if WHOLE <= seen <= 1 / WHOLE:
        return None
    if seen > 1:
        return Symptom(
            1 - 1 / seen,
            f"the counters saw {_times(seen)} the waves that were launched: what they say is not of this kernel",
        )
    return Symptom(
        1 - seen, f"the counters saw {percent(seen)} of the waves that were launched: rates from them are wrong"
    )


def _times(ratio: float) -> str:
    return f"{ratio:,.0f} times" if ratio >= 10 else f"{ratio:.2g} times"


RULE = Rule(
    name="partial-counters",
    text=__doc__,
    needs=("gpu.counted_waves_share",),
    evaluate=evaluate,
)

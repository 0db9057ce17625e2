"""Two facts about waits of the hot loop that rules on pipelining use: how far global loads run ahead, and drained LDS queues.

The first is the stage-1 question, the second that of stage 2: counts of waits in the whole file answer neither, because
prologue and tail must wait, and a correct pipeline on gfx942 has more ``vmcnt(0)`` than none (reported Gluon guide, corrected).
"""

from __future__ import annotations

from collections.abc import Iterable

from hotloop.isa.amdgcn.counters import Counter
from hotloop.isa.amdgcn.findings import Wait, WaitReport
from hotloop.isa.amdgcn.pipeline import LoopPipeline
from hotloop.isa.amdgcn.slots import Group, group_of

_GLOBAL = (Group.GLOBAL, Group.COPY)
_LDS_COUNTERS = (Counter.LGKM, Counter.DS)


def load_cover(loop: LoopPipeline) -> float | None:
    """Return the least number of matrix instructions between a global load and its wait over those of the loop, at most 1.

    None when no wait of the loop completes a global load of the loop, or when it has no matrix instruction.
    """
    ahead = [d.matrices for group in _GLOBAL if (stage := loop.stage(group)) for d in stage.distances]
    return min(1.0, min(ahead) / loop.matrices) if ahead and loop.matrices else None


def drains(report: WaitReport, addresses: Iterable[int]) -> int:
    """Return how many waits at these addresses empty the queue of local memory while a read is in it."""
    own = frozenset(addresses)
    return sum(_drained(wait) for wait in report.waits if wait.instruction.address in own)


def _drained(wait: Wait) -> bool:
    """Tell whether a wait is for zero and a local memory read is among what it blocks on; scalar loads share the counter."""
    if wait.counter not in _LDS_COUNTERS or wait.count:
        return False
    return any(b.operation is not None and group_of(b.operation) is Group.LDS for b in wait.blocks_on)

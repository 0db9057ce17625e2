"""Variables of a program that outlive its calls: what is kept there may be a result, or a table that is right for all inputs.

No clock can tell such a table from speed: once made, it serves content that was never met, too. So a program that keeps more
than its incumbent does is not called better than it; what a call needs beyond its arguments belongs into local memory or a
scratch area, which are spoiled before what counts is timed. What one group leaves in local memory for the next one of the same call
is met by timing programs whose groups overwrite it first.
"""

from __future__ import annotations

from dataclasses import replace
from math import exp, log
from typing import TYPE_CHECKING

from hotloop.model.outcome import Artifact
from hotloop.model.verdict import Comparison, Verdict
from hotloop.ports import Timed, TimeRequest
from hotloop.units import size
from hotloop.verify.cleared import cleared

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.program import Program

_LEAD, _LOST = 0.2, 0.5
"""From which lead (ln) on groups that overwrite their local memory are timed, and which part of it must then be lost to doubt it."""
_ROUNDS, _SAMPLE_NS = 8, 2e6
_HIDDEN = (
    "the candidate has local memory that its text does not declare in plain sight, so that nobody can tell what groups leave there for "
    "others; write __local before each array"
)


def doubted(desk: Desk, workload: Workload, programs: tuple[Program, Program], found: Comparison) -> Comparison:
    """Return a comparison, UNCLEAR where the winner keeps more than the incumbent between calls, or anything between groups."""
    if found.verdict is not Verdict.FASTER:
        return found
    incumbent, candidate = (_kept_bytes(desk, program) for program in programs)
    if candidate <= incumbent:
        return _lent(desk, workload, programs, found)
    reason = (
        f"the candidate has {size(candidate)} of variables that outlive a call, where results may be kept; "
        "use local memory or a scratch area"
    )
    return replace(found, verdict=Verdict.UNCLEAR, reason=reason)


def _kept_bytes(desk: Desk, program: Program) -> int:
    built = desk.engine.build(program)
    return built.kept_bytes if isinstance(built, Artifact) else 0


def _lent(desk: Desk, workload: Workload, programs: tuple[Program, Program], found: Comparison) -> Comparison:
    """Return a comparison, UNCLEAR where the lead is lost when groups overwrite their local memory before they use it."""
    once, twice = (cleared(programs[1], times) for times in (1, 2))
    if desk.device.kind != "cpu" or log(found.speedup) < _LEAD:
        return found
    if once is None or twice is None:
        return (
            found
            if _local_bytes(desk, programs[1]) <= _local_bytes(desk, programs[0])
            else replace(found, verdict=Verdict.UNCLEAR, reason=_HIDDEN)
        )
    request = TimeRequest(
        programs=(programs[1], once, twice), datasets=workload.sets(), rounds=_ROUNDS, target_sample_ns=_SAMPLE_NS,
        mode=desk.mode, judged=(), suspects=(),
    )  # fmt: skip
    timed = desk.engine.time(request)
    if not isinstance(timed, Timed):
        return found  # the text may be such that it does not compile so, which says nothing
    plain, first, second = (_least_ns(timed, index) for index in range(3))
    if first - max(0.0, second - first) < plain * exp(_LOST * log(found.speedup)):
        return found
    reason = "with local memory overwritten at the start of each group the lead is lost: groups may use what others left there"
    return replace(found, verdict=Verdict.UNCLEAR, reason=reason)


def _local_bytes(desk: Desk, program: Program) -> int:
    """Return the local memory that the text of a program declares, in the kernel that has most; of arguments nothing counts."""
    if program.language != "opencl":
        return 0
    built = desk.engine.build(program)
    return max((used.local_bytes or 0 for _, used in built.resources), default=0) if isinstance(built, Artifact) else 0


def _least_ns(timed: Timed, index: int) -> float:
    """Return the least time of a call of a contender: of processors where they are counted, which others do not lengthen."""
    samples = [sample for each in timed.rounds for which, sample in each.samples if which == index]
    return min((sample.cpu_ns or sample.wall_ns) / sample.calls for sample in samples)

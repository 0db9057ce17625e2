"""Verdicts on a busy machine: whether the winner would also win where nobody else has the processors.

Other processes lengthen times, and not alike: a kernel that needs one core loses little where one of two is taken, one that
needs both loses half. So a kernel that is slower by itself can win beside others, and neither more rounds nor the sum of the
processor time of all threads tells it. What tells it is the thread that runs longest in a call: its processor time is the
same whoever else runs, and without others it is the time of the call. Where one thread did all of it because the other
processors were taken, the number of work-groups says how many could have shared it; that groups do unequal work is not seen.
"""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from statistics import fmean
from typing import TYPE_CHECKING

from hotloop.app.desk import placed
from hotloop.host import settings
from hotloop.host.meters import gpuclock
from hotloop.model.energy import Objective
from hotloop.model.verdict import Comparison, Verdict
from hotloop.ports import Surroundings, Timed, TimeRequest
from hotloop.stats.trust import Trust, cpu_trust

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.outcome import Sample
    from hotloop.model.program import Program
    from hotloop.ports import Round

WAITED = 0.05
"""Ratio of waiting to running time above which other processes must be active: an estimate, as threads of the runtime also wait for one another."""
_MOST_ROUNDS, _LEAST_ROUNDS, _LOOK_NS, _SHARE = 12, 2, 2.5e8, 0.1
"""Rounds of two single calls each, the time that they may take, and the part of the duel's time that they may take in any case."""
_QUARTER = 4


def judged(
    desk: Desk, workload: Workload, programs: tuple[Program, Program], comparison: Comparison, rounds: Sequence[Round],
    waited: float | None,
) -> Comparison:  # fmt: skip
    """Return a comparison with the reason, if there is one, why its wall times cannot be trusted; UNCLEAR where load may decide.

    Args:
        desk: where it was made.
        workload: whose input sets.
        programs: incumbent and candidate.
        comparison: what the wall times say.
        rounds: of the duel.
        waited: `Timed.waited` of these.
    """
    if desk.device.kind != "cpu" or comparison.reason:
        return comparison
    trust = cpu_trust([sample for each in rounds for _, sample in each.samples], desk.device.compute_units)
    if trust is None or trust.trusted or not _others(desk, waited):
        return comparison
    if comparison.objective is not Objective.TIME:  # an energy counter includes other processes
        return decided(
            comparison, replace(trust, reason=f"{trust.reason}, and other processes' energy is counted"), None
        )
    if comparison.verdict not in (Verdict.FASTER, Verdict.SLOWER):
        return replace(comparison, reason=trust.reason)
    return decided(comparison, trust, _alone(desk, workload, programs, rounds))


def decided(comparison: Comparison, trust: Trust, alone: float | None) -> Comparison:
    """Return a comparison made on a busy machine with the reason for distrust; UNCLEAR if load alone may explain it.

    Args:
        comparison: what the wall times say.
        trust: the share of the processors that the process got.
        alone: the speedup that the longest threads show, incumbent's over candidate's; None: unknown.
    """
    if comparison.verdict not in (Verdict.FASTER, Verdict.SLOWER):
        return replace(comparison, reason=trust.reason)
    least = max(comparison.low, 1 / comparison.high if comparison.high > 0 else 0.0)
    withheld = trust.withholds(least)
    if alone is not None:
        ahead = alone if comparison.verdict is Verdict.FASTER else 1 / alone
        withheld = ahead <= (1 + comparison.margin if withheld else sqrt(least))
    if not withheld:
        return replace(comparison, reason=trust.reason)
    more = "" if alone is None else f"; by the processor time of the longest thread the speedup is {alone:.2f}"
    return replace(comparison, verdict=Verdict.UNCLEAR, reason=trust.reason + more)


def surroundings(desk: Desk) -> Surroundings:
    """Return load and clocks of the measuring machine."""
    if (there := placed(desk.engine)) is not None:
        return there.surroundings
    return Surroundings(settings.load_average(), gpuclock.state(desk.device.name) if desk.device.kind == "gpu" else "")


def _others(desk: Desk, waited: float | None) -> bool:
    """Tell whether other processes had the processors."""
    if waited is not None and waited > WAITED:  # it is the worker who says so, and its silence proves nothing
        return True
    return crowded(desk)


def crowded(desk: Desk) -> bool:
    """Tell whether more wants to run than there are processors."""
    load = surroundings(desk).load_average
    return desk.device.kind == "cpu" and load is not None and load > desk.device.compute_units


def _alone(desk: Desk, workload: Workload, programs: tuple[Program, Program], rounds: Sequence[Round]) -> float | None:
    """Return the speedup by the processor time of the thread that runs longest in single calls; None: it cannot be told."""
    samples = [sample for each in rounds for _, sample in each.samples]
    spent_ns, round_ns = (
        sum(timed_sample.wall_ns for timed_sample in samples),
        4 * sum(timed_sample.call_ns for timed_sample in samples) / len(samples),
    )
    fitting = int(max(_LOOK_NS, _SHARE * spent_ns) / round_ns)
    request = TimeRequest(
        programs=programs, datasets=workload.sets(), rounds=max(_LEAST_ROUNDS, min(_MOST_ROUNDS, fitting)), calls=(1, 1),
        mode=desk.mode, judged=(), suspects=(), busiest=True,
    )  # fmt: skip
    timed = desk.engine.time(request)
    if not isinstance(timed, Timed):
        return None
    each = [
        [sample for timed_sample in timed.rounds for index, sample in timed_sample.samples if index == who]
        for who in (0, 1)
    ]
    incumbent, candidate = map(_least_ns, each)
    if not incumbent or not candidate:
        return None
    # Beside others one thread often does alone what two would do, so who can use fewer of them is not credited with that.
    units = desk.device.compute_units
    return incumbent / candidate * _spread(programs[1], units) / _spread(programs[0], units)


def _spread(program: Program, units: int) -> int:
    """Return over how many processors a program's work-groups can be spread, where it launches fewest."""
    return min((min(units, launch.groups or units) for launch in program.launches), default=units)


def _least_ns(samples: Sequence[Sample]) -> float | None:
    """Return the mean of the shorter quarter: how threads share the work changes from call to call, and never to less."""
    spent = sorted(sample.cpu_ns for sample in samples if sample.cpu_ns)
    return fmean(spent[: max(2, len(spent) // _QUARTER)]) if spent else None

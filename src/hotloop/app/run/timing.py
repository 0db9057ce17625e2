"""Timing of verified programs: paired duels with sequential stopping, single measurements, the noise floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, inf, log, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from hotloop.app.run import honest
from hotloop.app.run.aim import clock_of, metered_rounds, quantity_of
from hotloop.host import gpuclock, settings
from hotloop.model.check import CaseResult, CheckReport
from hotloop.model.energy import Objective
from hotloop.model.outcome import (
    Conditions,
    Failure,
    LaunchFailed,
    Measured,
    Sample,
    WrongResult,
)
from hotloop.model.verdict import Comparison, Verdict
from hotloop.ports import HOT, Placed, Round, Surroundings, Timed, TimeRequest
from hotloop.stats.paired import PairedTest, noise_floor
from hotloop.stats.rounds import Clock, beside, log_ratios
from hotloop.stats.trust import Trust, cpu_trust
from hotloop.units import percent

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.program import Program

SAMPLE_NS = 4e6
"""Aim for one sample; long against timer and wake-up, short against bursts of other processes."""
SLOW_CALL_NS = 5e7
"""Calls longer than this need few rounds alone: they average over disturbances by themselves."""
DUEL_NS = 1.2e10
"""Wall time after which a duel between slow programs ends, clear or not; the first planned look is always taken."""
_FIRST_NOISE = 3
"""Rounds that tell how many more of a program against itself fit a limit."""
_METERED_NOISE = 8
"""Rounds of windows of energy that tell how much a program differs from itself: the fewest whose ranks carry 99 %."""
_SURE = 2.0
"""Standard errors by which windows of energy must differ in time for a lead in time."""
ALONE_ROUNDS, SLOW_ROUNDS = 6, 2
"""Rounds of two samples when a program is timed alone."""


@dataclass(frozen=True, slots=True)
class Duel:
    """Two verified programs timed against each other."""

    comparison: Comparison
    incumbent: Measured
    candidate: Measured
    phases: tuple[Mapping[str, float], ...] = ()
    """Device ns per call by phase, of incumbent and candidate."""


@dataclass(frozen=True, slots=True)
class Timing:
    """Contenders timed in the same rounds."""

    rounds: tuple[Round, ...]
    measured: tuple[Measured, ...]
    phases: tuple[Mapping[str, float], ...] = field(default=())
    judged: tuple[int, ...] = ()
    """Timing sets whose results were kept."""


@dataclass(frozen=True, slots=True)
class Alone:
    """One verified program timed by itself."""

    measured: Measured
    phases: Mapping[str, float]
    """Device ns per call by phase."""


@dataclass(frozen=True, slots=True)
class Noise:
    """What a program differs by from itself."""

    floor: float | None
    """Relative difference that this machine cannot resolve; None: too few rounds to tell."""
    log_ratios: Sequence[float]
    """One a round: ln of first time over second."""


def time_together(
    desk: Desk,
    workload: Workload,
    programs: Sequence[Program],
    rounds: int,
    warm: int = 1,
    *,
    judged: bool | tuple[int, ...] = True,
    metered: bool | None = None,
) -> Timing | Failure:
    """Time contenders in `rounds` interleaved rounds after `warm` warm-up rounds that are thrown away.

    What timed calls left is kept unless nobody is going to judge it; `judged` may name the sets (`draw`). `metered`: with windows of energy, which are fewer and warm
    up themselves; None: where the run's objective needs them.
    """
    metered = desk.objective is not Objective.TIME if metered is None else metered
    rounds, warm = (metered_rounds(rounds), 0) if metered else (rounds, warm)
    request = TimeRequest(
        programs=tuple(programs),
        datasets=workload.sets(),
        rounds=rounds + warm,
        target_sample_ns=SAMPLE_NS,
        mode=desk.mode,
        judged=(draw(desk, workload) if judged is True else judged or ())[: 2 * (rounds + warm)],
        metered=metered,
    )
    timed = desk.engine.time(request)
    if not isinstance(timed, Timed):
        return timed
    return Timing(
        timed.rounds[warm:],
        tuple(_measured(desk, timed.rounds[warm:], i, programs) for i in range(len(programs))),
        timed.phases,
        request.judged,
    )


def draw(desk: Desk, workload: Workload) -> tuple[int, ...]:
    """Return which sets are to be judged; of hot calls there is only one."""
    return (0,) if desk.mode == HOT else honest.draw_judged(desk, workload)


def duel(
    desk: Desk,
    workload: Workload,
    incumbent: Program,
    candidate: Program,
    test: PairedTest,
    noise: float | None = None,
    limit_s: float = inf,
) -> Duel | Failure:
    """Compare two verified programs until the answer is clear, or the rounds or `limit_s` seconds are used up.

    The candidate's timed outputs are judged afterwards; a wrong one is a `WrongResult`, whatever its speed.
    """
    programs, judged = (incumbent, candidate), draw(desk, workload)
    if desk.objective is not Objective.TIME:
        judged = judged[: 2 * test.next_look(0)]  # no warm-up round has room for more
    fought = _fought(desk, workload, programs, judged, test, noise, limit_s)
    if not isinstance(fought, _Fought):
        return fought
    if wrong := misjudged(honest.kept(desk, workload, candidate, judged)):
        return wrong
    first, second = (_measured(desk, fought.taken, index, programs) for index in (0, 1))
    met = _on_new_content(desk, workload, programs, fought, first, second)
    if not isinstance(met, Comparison):
        return met
    return Duel(_trusted(desk, met, fought.taken), first, second, fought.phases)


@dataclass(frozen=True, slots=True)
class _Fought:
    """The rounds of a duel, and what they say."""

    comparison: Comparison
    taken: tuple[Round, ...]
    phases: tuple[Mapping[str, float], ...]


def _fought(
    desk: Desk, workload: Workload, programs: tuple[Program, Program], judged: tuple[int, ...], test: PairedTest,
    noise: float | None, limit_s: float,
) -> _Fought | Failure:  # fmt: skip
    """Take rounds until the answer is clear, or they or the seconds are used up."""
    taken, calls, began_s = list[Round](), tuple[int, ...](), desk.clock.monotonic_s()
    metered, quantity = desk.objective is not Objective.TIME, quantity_of(desk, programs)
    while True:
        warm = 0 if taken or metered else 1
        request = TimeRequest(
            programs=programs, datasets=workload.sets(), rounds=test.next_look(len(taken)) - len(taken) + warm, calls=calls,
            target_sample_ns=SAMPLE_NS, mode=desk.mode, judged=judged, suspects=(1,), metered=metered,
        )  # fmt: skip
        asked_s = desk.clock.monotonic_s()
        timed = desk.engine.time(request)
        if not isinstance(timed, Timed):
            return timed
        # A window begins and ends with waiting that no sample shows.
        took_ns = 1e9 * (desk.clock.monotonic_s() - asked_s) if metered else _spent_ns(timed.rounds)
        if not taken:
            test = test.within(_affordable(timed.rounds, DUEL_NS, took_ns))
        taken += timed.rounds[warm:]
        calls, ratios = timed.calls, log_ratios(taken, clock=quantity)
        comparison = resolved(test.decide(ratios, noise), last=len(taken) >= test.looks[-1])
        left_ns = 1e9 * (limit_s - (desk.clock.monotonic_s() - began_s))
        if comparison is None and test.next_look(len(taken)) - len(taken) > _affordable(timed.rounds, left_ns, took_ns):
            comparison = test.ended(ratios, noise)
        if comparison is not None:
            return _Fought(comparison, tuple(taken), timed.phases)


def _on_new_content(
    desk: Desk, workload: Workload, programs: tuple[Program, Program], fought: _Fought, incumbent: Measured, candidate: Measured
) -> Comparison | WrongResult | LaunchFailed:  # fmt: skip
    """Return what is to be told of a duel once the candidate has met content that it did not know."""
    clock, found = clock_of(desk, programs), fought.comparison
    metered = desk.objective is not Objective.TIME
    times_ns = None if metered else beside(fought.taken, found.speedup, clock)
    paired = replace(found, times_ns=times_ns, objective=desk.objective)
    lead = _lead(fought, clock, metered=metered)
    if lead is None:
        renewed = honest.judged_once(desk, workload, programs[1])
        return misjudged(renewed.wrong) or paired
    stand = honest.Beside(programs[0], lead.usual, lead.least, incumbent.best_ns, clock)
    spent_ns = _spent_ns(fought.taken)
    renewed = honest.renewed(desk, workload, programs[1], candidate.best_ns, beside=stand, spent_ns=spent_ns)
    if wrong := misjudged(renewed.wrong):
        return wrong
    if not renewed.owes(lead.usual):
        return paired
    longer = percent(exp(max(renewed.seen.mean, renewed.seen.shortest)) - 1)
    reason = f"on inputs that it had not met the candidate took {longer} longer: its lead may be kept results"
    return replace(paired, verdict=Verdict.UNCLEAR, reason=reason)


@dataclass(frozen=True, slots=True)
class _Lead:
    """By how much time (ln) a candidate is ahead."""

    usual: float
    least: float


def _lead(fought: _Fought, clock: Clock, *, metered: bool) -> _Lead | None:
    """Return the lead in time that new content must confirm; None where there is none.

    Who takes less energy may be no faster, but whoever keeps results is: so it is the time of the windows that counts there.
    """
    if fought.comparison.verdict is not Verdict.FASTER:
        return None
    if not metered:
        return _Lead(log(fought.comparison.speedup), log(fought.comparison.low))
    ratios = log_ratios(fought.taken, clock=clock)
    spread = stdev(ratios) / sqrt(len(ratios)) if len(ratios) > 1 else inf
    least = fmean(ratios) - _SURE * spread
    return _Lead(fmean(ratios), least) if least > 0 else None


def resolved(comparison: Comparison | None, *, last: bool) -> Comparison | None:
    """Return a comparison whose difference this machine can resolve; None where more rounds may tell, else UNCLEAR.

    The noise floor is what a program differs by from itself. A difference that does not exceed it is not one of the programs.
    """
    if comparison is None or comparison.noise is None or comparison.verdict not in (Verdict.FASTER, Verdict.SLOWER):
        return comparison
    least = max(comparison.low, 1 / comparison.high) - 1
    if least > comparison.noise:
        return comparison
    reason = f"a difference of {percent(least)} may be noise: this machine tells {percent(comparison.noise)} apart"
    return replace(comparison, verdict=Verdict.UNCLEAR, reason=reason) if last else None


def _affordable(rounds: Sequence[Round], limit_ns: float, took_ns: float | None = None) -> int:
    """Return how many rounds of a duel fit a limit, judged by some of them; `took_ns`: what these took, samples alone if None."""
    return int(min(DUEL_NS, max(0.0, limit_ns)) * len(rounds) / (took_ns or _spent_ns(rounds)))


def measure(desk: Desk, workload: Workload, program: Program, rounds: int) -> Alone | Failure:
    """Time one verified program alone; wrong timed outputs are a `WrongResult`."""
    warm = 0 if rounds <= SLOW_ROUNDS else 1  # what is slow has warmed up in the call that tells how slow it is
    timing = time_together(desk, workload, (program,), rounds, warm)
    if not isinstance(timing, Timing):
        return timing
    wrong = misjudged(honest.kept(desk, workload, program, timing.judged))
    best_ns, spent_ns = timing.measured[0].best_ns, _spent_ns(timing.rounds)
    wrong = wrong or misjudged(honest.renewed(desk, workload, program, best_ns, beside=None, spent_ns=spent_ns).wrong)
    return wrong or Alone(timing.measured[0], timing.phases[0] if timing.phases else {})


def _spent_ns(rounds: Sequence[Round]) -> float:
    return sum(sample.wall_ns for each in rounds for _, sample in each.samples)


def noise(desk: Desk, workload: Workload, program: Program, rounds: int = 16, limit_s: float = inf) -> Noise | Failure:
    """Time a program against itself; in fewer rounds where `limit_s` seconds do not suffice."""
    metered = desk.objective is not Objective.TIME
    rounds, warm = (_METERED_NOISE, 0) if metered else (rounds, 1)
    first = TimeRequest(
        programs=(program, program),
        datasets=workload.sets(),
        rounds=(rounds if limit_s == inf else _FIRST_NOISE) + warm,
        target_sample_ns=SAMPLE_NS,
        mode=desk.mode,
        metered=metered,
    )
    began_s = desk.clock.monotonic_s()
    timed = desk.engine.time(first)
    if not isinstance(timed, Timed):
        return timed
    taken = list(timed.rounds[warm:])
    left_ns = 1e9 * (limit_s - (desk.clock.monotonic_s() - began_s))
    took_ns = 1e9 * (desk.clock.monotonic_s() - began_s) if metered else None
    if more := min(rounds - len(taken), _affordable(timed.rounds, left_ns, took_ns)):
        timed = desk.engine.time(replace(first, rounds=more, calls=timed.calls))
        taken += timed.rounds if isinstance(timed, Timed) else ()
    ratios = log_ratios(taken, clock=quantity_of(desk, (program, program)))
    return Noise(noise_floor(ratios), ratios)


def conditions(desk: Desk, samples: Sequence[Sample], clock: str) -> Conditions:
    """Return under which circumstances samples were taken."""
    trust = cpu_trust(samples, desk.device.compute_units) if desk.device.kind == "cpu" else None
    return Conditions(
        device_fingerprint=desk.device.fingerprint,
        clock=clock,
        mode=desk.mode,
        load_average=(around := _surroundings(desk)).load_average,
        cpu_share=trust.cpu_share if trust else None,
        note=around.clocks,
        place=desk.engine.place if isinstance(desk.engine, Placed) else "",
    )


def _surroundings(desk: Desk) -> Surroundings:
    """Return what the machine that measures is like now."""
    if isinstance(desk.engine, Placed):
        return desk.engine.surroundings
    return Surroundings(settings.load_average(), gpuclock.state(desk.device.name) if desk.device.kind == "gpu" else "")


def _measured(desk: Desk, rounds: Sequence[Round], index: int, programs: Sequence[Program]) -> Measured:
    samples = tuple(sample for each in rounds for contender, sample in each.samples if contender == index)
    return Measured(samples=samples, conditions=conditions(desk, samples, clock_of(desk, programs)))


def misjudged(result: CaseResult | LaunchFailed | None) -> WrongResult | LaunchFailed | None:
    """Return what is wrong with the outputs of timed calls, None when nothing is."""
    if not isinstance(result, CaseResult):
        return result  # of None, nothing
    return None if result.passed else WrongResult(CheckReport((replace(result, reason=f"timed run: {result.reason}"),)))


def _trusted(desk: Desk, comparison: Comparison, rounds: Sequence[Round]) -> Comparison:
    """Add to a comparison why its wall time cannot be trusted, where that is so."""
    if desk.device.kind != "cpu" or comparison.reason:
        return comparison
    trust = cpu_trust([sample for each in rounds for _, sample in each.samples], desk.device.compute_units)
    load = _surroundings(desk).load_average
    busy = trust is not None and not trust.trusted and load is not None and load > desk.device.compute_units
    if trust is None or not busy:
        return comparison
    if comparison.objective is not Objective.TIME:  # the counter counts what others take, too: time does not confirm it
        return judged_busy(comparison, replace(trust, reason=f"{trust.reason}, and other processes' energy is counted"))
    return judged_busy(comparison, trust, _by_cpu_time(comparison, rounds))


def _by_cpu_time(comparison: Comparison, rounds: Sequence[Round]) -> float:
    """Return the speedup in processor time that most of the rounds show at least; 1 where they carry none.

    Waiting for other processes costs none of it, but two contenders may use unlike numbers of cores: it confirms, never decides.
    """
    try:
        ratios = sorted(log_ratios(rounds, clock="cpu"))
    except ValueError:
        return 1.0
    least = ratios[len(ratios) // _FEW]
    return exp(least if comparison.speedup >= 1 else -ratios[-1 - len(ratios) // _FEW])


_FEW = 8
"""One round in so many may disagree."""


def judged_busy(comparison: Comparison, trust: Trust, by_cpu_time: float = 1.0) -> Comparison:
    """Return a comparison from a busy machine: with the reason not to trust it, UNCLEAR where the load may be all there is.

    A verdict stands where the difference is larger than waiting can make it, or where processor time shows it, too.
    """
    least = max(comparison.low, 1 / comparison.high if comparison.high > 0 else 0.0)
    told = by_cpu_time > 1 + comparison.margin
    if comparison.verdict in (Verdict.FASTER, Verdict.SLOWER) and trust.withholds(least) and not told:
        return replace(comparison, verdict=Verdict.UNCLEAR, reason=trust.reason)
    return replace(comparison, reason=trust.reason)

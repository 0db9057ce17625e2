"""Timing of verified programs: paired duels with sequential stopping, single measurements, the noise floor."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import exp, inf, log, sqrt
from statistics import fmean, stdev
from typing import TYPE_CHECKING

from hotloop.app.desk import placed
from hotloop.app.run import busy, honest, seen
from hotloop.app.run.aim import clock_of, metered_rounds, quantity_of
from hotloop.app.run.inputs.due import due
from hotloop.app.run.lent import keeping
from hotloop.engine.rounds import even, turned
from hotloop.model.check import CaseResult, CheckReport
from hotloop.model.energy import Objective
from hotloop.model.language import language
from hotloop.model.outcome import (
    Conditions,
    Failure,
    LaunchFailed,
    Measured,
    Sample,
    WrongResult,
)
from hotloop.model.verdict import Comparison, Verdict
from hotloop.ports import HOT, Round, Timed, TimeRequest
from hotloop.stats.paired import LANDSLIDE_ROUNDS, PairedTest, noise_floor
from hotloop.stats.rounds import Clock, beside, log_ratios
from hotloop.stats.trust import cpu_trust
from hotloop.units import percent

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.program import Program
    from hotloop.ports import Surroundings

SAMPLE_NS = 4e6
"""Target duration of one sample: long compared with timer resolution and wake-up, short compared with bursts of load."""
BRIEF_NS, _BRIEF_WARMUP_NS = 5e5, 4e6
"""The same, and the running before the first sample, where the device's own events time the calls and a look is all that is
wanted: neither the host's clock nor its load is in such a time, and whatever looks fast is timed again in a duel."""
HOPELESS, HOPELESS_HERE = (1.5, 1.2, 1.1), (inf, 2.0, 1.5)
"""By rounds taken: a candidate whose fastest sample of a look took so many times the incumbent's slowest one is timed no further; by
events of the device, and by the host's clock, which bursts of load lengthen. Of candidates as fast as the incumbent or up to 5 % slower
none ended so, in 4,000 looks each over every recorded noise (``benchmarks/selection_bias.py --ends``)."""
_WARMUP_NS = 2e7
"""Time in ns for which each contender runs before its first sample."""
SLOW_CALL_NS = 5e7
"""Calls longer than this need few rounds when timed alone, because one call already averages over disturbances."""
LONG_CALL_NS = 5e8
"""Call time in ns from which calls are rationed: no warm-up besides the calibration, a single round alone, and the short test in duels."""
DUEL_NS = 1.2e10
"""Wall time after which a duel between slow programs ends, decided or not; the first planned test is always made."""
_FIRST_NOISE = 3
"""First rounds of a noise measurement, from whose duration the number of further rounds is computed."""
_METERED_NOISE = 8
"""Rounds of energy windows in a noise measurement: the fewest for which a rank test reaches 99 % confidence."""
_SURE = 2.0
"""Number of standard errors by which the times of energy windows must differ to count as a lead in time."""
ALONE_ROUNDS, SLOW_ROUNDS, LONG_ROUNDS = 6, 2, 1
"""Rounds of two samples when a program is timed alone: usually, and where a call is slow or long."""


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
    """Indices of the input sets whose outputs were kept for verification."""


@dataclass(frozen=True, slots=True)
class Alone:
    """One verified program timed by itself."""

    measured: Measured
    phases: Mapping[str, float]
    """Device ns per call by phase."""


@dataclass(frozen=True, slots=True)
class Noise:
    """Difference of a program from itself, measured in interleaved rounds (A/A)."""

    floor: float | None
    """Smallest relative difference that this machine resolves; None if there were too few rounds."""
    log_ratios: Sequence[float]
    """Per round: ln(first time / second time)."""


def time_together(
    desk: Desk,
    workload: Workload,
    programs: Sequence[Program],
    rounds: int,
    warm: int = 1,
    *,
    judged: bool | tuple[int, ...] = True,
    metered: bool | None = None,
    paces_ns: Sequence[float] | None = None,
) -> Timing | Failure:
    """Time contenders in `rounds` interleaved rounds after `warm` warm-up rounds that are discarded.

    `paces_ns`: what a call of each takes, as far as a verification tells; then it is a quick look, by short samples where events of
    the device time them, and ends early where the last contender is slower than the first beyond doubt (`HOPELESS`).
    Outputs of timed calls are kept for verification, of the input sets `judged` (see `draw`) if they are given. `metered`:
    measure windows of energy, which are fewer and need no warm-up; None: only if the run's objective needs them.
    """
    metered = desk.objective is not Objective.TIME if metered is None else metered
    rounds, warm = (metered_rounds(rounds), 0) if metered else (rounds, warm)
    brief = paces_ns is not None and not metered and by_events(programs)
    request = TimeRequest(
        programs=tuple(programs),
        datasets=workload.sets(),
        rounds=rounds + warm,
        target_sample_ns=BRIEF_NS if brief else SAMPLE_NS,
        calls=_brief_calls(paces_ns or (), len(workload.sets())) if brief else (),
        hopeless=() if paces_ns is None or metered else HOPELESS if brief else HOPELESS_HERE,
        warmup_ns=_BRIEF_WARMUP_NS if brief else _WARMUP_NS,
        mode=desk.mode,
        judged=(draw(desk, workload) if judged is True else judged or ())[: 2 * (rounds + warm)],
        metered=metered,
    )
    timed = desk.engine.time(request)
    if not isinstance(timed, Timed):
        return timed
    taken, around = timed.rounds[warm:] or timed.rounds, busy.surroundings(desk)
    return Timing(
        taken,
        tuple(_measured(desk, taken, i, programs, around) for i in range(len(programs))),
        timed.phases,
        request.judged,
    )


def _brief_calls(paces_ns: Sequence[float], sets: int) -> tuple[int, ...]:
    """Return calls per sample of a quick look: whole turns of so many input sets where calls are short; empty where a pace is not known."""
    return turned(even([BRIEF_NS / pace_ns for pace_ns in paces_ns]), sets) if all(paces_ns) else ()


def by_events(programs: Sequence[Program]) -> bool:
    """Tell whether the device's own events time all of some programs, so that short samples suffice for a look."""
    return all(language(program.language).events for program in programs)


def draw(desk: Desk, workload: Workload) -> tuple[int, ...]:
    """Draw the indices of the input sets whose outputs are verified; with hot caches there is only one set."""
    return (0,) if desk.mode == HOT else honest.draw_judged(desk, workload)


def duel(
    desk: Desk,
    workload: Workload,
    incumbent: Program,
    candidate: Program,
    test: PairedTest,
    noise: float | None = None,
    limit_s: float = inf,
    *,
    call_ns: float = 0.0,
) -> Duel | Failure:
    """Compare two verified programs until the verdict is clear, or the rounds or `limit_s` seconds are used up.

    `call_ns` is the incumbent's time of a call as far as it is known; where it is long, few rounds decide what is overwhelming.
    The candidate's timed outputs are verified afterwards, fewer where it is slower; a wrong one gives `WrongResult`, whatever the speed.
    """
    test = replace(test, brief=call_ns >= LONG_CALL_NS)
    warm = (
        0 if test.brief or desk.objective is not Objective.TIME else 1
    )  # a warm-up round would not fit into the limit
    # Of each sample one call's outputs are kept: of more sets than the first request has samples nobody could read any.
    programs, judged = (incumbent, candidate), draw(desk, workload)[: 2 * (test.next_look(0) + warm)]
    fought = _fought(desk, workload, programs, judged, test, noise, limit_s)
    if not isinstance(fought, _Fought):
        return fought
    if wrong := misjudged(honest.kept(desk, workload, candidate, due(judged, fought.comparison.verdict))):
        return wrong
    first, second = (_measured(desk, fought.taken, index, programs) for index in (0, 1))
    met = _on_new_content(desk, workload, programs, fought, first, second)
    if not isinstance(met, Comparison):
        return met
    looked = keeping.doubted(desk, workload, programs, met, seen.worked_lead(fought.taken))
    judgement = busy.judged(desk, workload, programs, looked, fought.taken, fought.waited)
    return Duel(judgement, first, second, fought.phases)


@dataclass(frozen=True, slots=True)
class _Fought:
    """The rounds of a duel and the comparison that follows from them."""

    comparison: Comparison
    taken: tuple[Round, ...]
    phases: tuple[Mapping[str, float], ...]
    waited: float | None
    """See `Timed`; the most of all requests."""


def _fought(
    desk: Desk, workload: Workload, programs: tuple[Program, Program], judged: tuple[int, ...], test: PairedTest,
    noise: float | None, limit_s: float,
) -> _Fought | Failure:  # fmt: skip
    """Time rounds until the verdict is clear, or the rounds or seconds are used up."""
    taken, calls, began_s = list[Round](), tuple[int, ...](), desk.clock.monotonic_s()
    waits = list[float]()
    metered, quantity = desk.objective is not Objective.TIME, quantity_of(desk, programs)
    while True:
        warm = 0 if taken or metered or test.brief else 1
        request = TimeRequest(
            programs=programs, datasets=workload.sets(), rounds=test.next_look(len(taken)) - len(taken) + warm, calls=calls,
            target_sample_ns=SAMPLE_NS, mode=desk.mode, judged=judged, suspects=(1,), metered=metered,
        )  # fmt: skip
        asked_s = desk.clock.monotonic_s()
        timed = desk.engine.time(request)
        if not isinstance(timed, Timed):
            return timed
        # A window of energy begins and ends with waiting that the samples do not include.
        took_ns = 1e9 * (desk.clock.monotonic_s() - asked_s) if metered else _spent_ns(timed.rounds)
        if not taken:
            test = test.within(int(_affordable(timed.rounds, DUEL_NS, took_ns)))
        taken += timed.rounds[warm:]
        waits += [] if timed.waited is None else [timed.waited]
        calls, ratios = timed.calls, log_ratios(taken, clock=quantity)
        comparison = resolved(test.decide(ratios, noise), last=len(taken) >= test.looks[-1])
        left_ns = 1e9 * (limit_s - (desk.clock.monotonic_s() - began_s))
        next_rounds = test.next_look(len(taken))
        most_ns = inf if next_rounds <= LANDSLIDE_ROUNDS else DUEL_NS  # the first planned tests are always made
        if comparison is None and next_rounds - len(taken) > _affordable(timed.rounds, left_ns, took_ns, most_ns):
            comparison = test.ended(ratios, noise)
        if comparison is not None:
            return _Fought(comparison, tuple(taken), timed.phases, max(waits, default=None))


def _on_new_content(
    desk: Desk, workload: Workload, programs: tuple[Program, Program], fought: _Fought, incumbent: Measured, candidate: Measured
) -> Comparison | WrongResult | LaunchFailed:  # fmt: skip
    """Return the result of a duel after the candidate was also timed on inputs that it had not seen."""
    clock, comparison = clock_of(desk, programs), fought.comparison
    metered = desk.objective is not Objective.TIME
    times_ns = None if metered else beside(fought.taken, comparison.speedup, clock)
    paired = replace(comparison, times_ns=times_ns, objective=desk.objective)
    lead = _lead(fought, clock, metered=metered)
    if lead is None:
        renewed = honest.judged_once(desk, workload, programs[1])
        return misjudged(renewed.wrong) or paired
    if incumbent.best_ns >= LONG_CALL_NS and workload.cleared.get(programs[1].fingerprint, inf) <= lead.least:
        return paired
    worked = seen.worked_lead(fought.taken)
    stand = seen.Beside(programs[0], lead.usual, lead.least, incumbent.best_ns, clock, worked)
    spent_ns = _spent_ns(fought.taken)
    renewed = honest.renewed(desk, workload, programs[1], candidate.best_ns, beside=stand, spent_ns=spent_ns)
    if wrong := misjudged(renewed.wrong):
        return wrong
    if renewed.blind:
        return replace(paired, verdict=Verdict.UNCLEAR, reason=seen.BLIND)
    if not renewed.owes:
        workload.cleared[programs[1].fingerprint] = lead.least
        return paired
    longer = percent(exp(max(renewed.seen.mean, renewed.seen.shortest)) - 1)
    reason = f"on inputs that it had not met the candidate took {longer} longer: its lead may be kept results"
    return replace(paired, verdict=Verdict.UNCLEAR, reason=reason)


@dataclass(frozen=True, slots=True)
class _Lead:
    """How far a candidate is ahead in time, as a natural logarithm of the ratio."""

    usual: float
    least: float


def _lead(fought: _Fought, clock: Clock, *, metered: bool) -> _Lead | None:
    """Return the lead in time that timing on new inputs must confirm; None if there is no lead.

    A candidate that needs less energy may be no faster, but one that stores results is; so with energy as objective the
    lead is computed from the times of the windows.
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
    """Return the comparison if its difference exceeds the noise floor; None if more rounds may decide; else UNCLEAR.

    The noise floor is the difference of a program from itself; a smaller difference cannot be attributed to the programs.
    """
    if comparison is None or comparison.noise is None or comparison.verdict not in (Verdict.FASTER, Verdict.SLOWER):
        return comparison
    least = max(comparison.low, 1 / comparison.high) - 1
    if least > comparison.noise:
        return comparison
    reason = f"a difference of {percent(least)} may be noise: this machine tells {percent(comparison.noise)} apart"
    return replace(comparison, verdict=Verdict.UNCLEAR, reason=reason) if last else None


def _affordable(
    rounds: Sequence[Round], limit_ns: float, took_ns: float | None = None, most_ns: float = DUEL_NS
) -> float:
    """Return how many rounds of a duel fit into a limit, at most `most_ns`, extrapolated from some rounds.

    `took_ns` is the time that these took; None: the sum of their samples.
    """
    return min(most_ns, max(0.0, limit_ns)) * len(rounds) / (took_ns or _spent_ns(rounds))


def measure(desk: Desk, workload: Workload, program: Program, rounds: int) -> Alone | Failure:
    """Time one verified program alone; return `WrongResult` if its timed outputs are wrong."""
    warm = 0 if rounds <= SLOW_ROUNDS else 1  # a slow program is warmed up by the call that measures how slow it is
    timing = time_together(desk, workload, (program,), rounds, warm)
    if not isinstance(timing, Timing):
        return timing
    wrong = misjudged(honest.kept(desk, workload, program, timing.judged))
    best_ns, spent_ns = timing.measured[0].best_ns, _spent_ns(timing.rounds)
    if wrong is None and best_ns >= LONG_CALL_NS:
        wrong = misjudged(honest.judged_once(desk, workload, program).wrong)
        return wrong or Alone(timing.measured[0], timing.phases[0] if timing.phases else {})
    wrong = wrong or misjudged(honest.renewed(desk, workload, program, best_ns, beside=None, spent_ns=spent_ns).wrong)
    return wrong or Alone(timing.measured[0], timing.phases[0] if timing.phases else {})


def _spent_ns(rounds: Sequence[Round]) -> float:
    return sum(sample.wall_ns for each in rounds for _, sample in each.samples)


def noise(desk: Desk, workload: Workload, program: Program, rounds: int = 16, limit_s: float = inf) -> Noise | Failure:
    """Time a program against itself, in fewer rounds if `limit_s` seconds do not suffice."""
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
    if more := min(rounds - len(taken), int(_affordable(timed.rounds, left_ns, took_ns))):
        timed = desk.engine.time(replace(first, rounds=more, calls=timed.calls))
        taken += timed.rounds if isinstance(timed, Timed) else ()
    ratios = log_ratios(taken, clock=quantity_of(desk, (program, program)))
    return Noise(noise_floor(ratios), ratios)


def conditions(desk: Desk, samples: Sequence[Sample], clock: str, around: Surroundings | None = None) -> Conditions:
    """Return the conditions under which samples were taken; `around`: what was on the machine then, None: look now."""
    around = around or busy.surroundings(desk)
    trust = cpu_trust(samples, desk.device.compute_units) if desk.device.kind == "cpu" else None
    return Conditions(
        device_fingerprint=desk.device.fingerprint,
        clock=clock,
        mode=desk.mode,
        load_average=around.load_average,
        cpu_share=trust.cpu_share if trust else None,
        note=around.clocks,
        place=there.place if (there := placed(desk.engine)) is not None else "",
    )


def _measured(
    desk: Desk, rounds: Sequence[Round], index: int, programs: Sequence[Program], around: Surroundings | None = None
) -> Measured:
    samples = tuple(sample for each in rounds for contender, sample in each.samples if contender == index)
    return Measured(samples=samples, conditions=conditions(desk, samples, clock_of(desk, programs), around))


def misjudged(result: CaseResult | LaunchFailed | None) -> WrongResult | LaunchFailed | None:
    """Return the failure that the outputs of timed calls show, or None."""
    if not isinstance(result, CaseResult):
        return result  # of None, nothing
    return None if result.passed else WrongResult(CheckReport((replace(result, reason=f"timed run: {result.reason}"),)))

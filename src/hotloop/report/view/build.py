"""`build`: the reader's view of a recorded run, by arithmetic on recorded numbers only."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TYPE_CHECKING

from hotloop.metrics.levels import Levels, of_run
from hotloop.model.check import Accuracy, CheckReport
from hotloop.model.energy import Objective
from hotloop.model.outcome import CompileFailed, Measured, Outcome, WrongResult, describe
from hotloop.model.step import STANDING, Decision, PeerResult, Step
from hotloop.model.verdict import Comparison, Verdict
from hotloop.report.plain import discreet
from hotloop.report.view import front
from hotloop.report.view.conditions import gather
from hotloop.report.view.page import (
    Calibration,
    FailureRow,
    Headline,
    PeerRow,
    Prediction,
    Ratio,
    Roofline,
    RoofPoint,
    StepRow,
    View,
)
from hotloop.report.view.timing import floor_ns, rate, share, time_ns

if TYPE_CHECKING:
    from hotloop.report.view.record import RunRecord


def build(record: RunRecord) -> View:
    """Return the view of a run."""
    steps = _steps(record)
    peers = tuple(_peer(record, peer) for peer in record.peers)
    roofline, why_not = _roofline(record, steps, peers)
    return View(
        title=record.title,
        kind=record.kind,
        problem=record.problem,
        state=record.state,
        stop_reason=record.stop_reason,
        started=record.started,
        finished=record.finished,
        headline=_headline(record, steps),
        floor_ns=floor_ns(record),
        steps=steps,
        roofline=roofline,
        roofline_absent=why_not,
        peers=peers,
        calibration=_calibration(steps),
        findings=tuple(sorted(record.findings, key=lambda finding: -finding.share)),
        failures=_failures(record),
        search=record.search,
        conditions=gather(record),
        command=tuple(map(discreet, record.command)),
        levels=_levels(record, steps),
        front=front.of(record),
    )


# --- steps -----------------------------------------------------------------------------------------------------------


def _steps(record: RunRecord) -> tuple[StepRow, ...]:
    rows = []
    incumbent: float | None = None
    for step in record.steps:
        if step.decision in STANDING:
            incumbent = time_ns(step.outcome)
        rows.append(_step(record, step, incumbent))
    return _same_rounds(record, rows)


def _same_rounds(record: RunRecord, rows: list[StepRow]) -> tuple[StepRow, ...]:
    """Return the rows with baseline and winner timed in the rounds of the final comparison, whose ratio stands beside them."""
    times = record.overall.times_ns if record.overall else None
    if times is None or not rows:
        return tuple(rows)
    own = {0: times[0], record.winner: times[1]}
    floor = floor_ns(record)
    return tuple(
        replace(row, time_ns=own[row.index], roof_fraction=share(floor, own[row.index])) if row.index in own else row
        for row in rows
    )


def _step(record: RunRecord, step: Step, incumbent_ns: float | None) -> StepRow:
    time = time_ns(step.outcome)
    comparison = step.comparison
    check = step.outcome.check if isinstance(step.outcome, Measured | WrongResult) else None
    return StepRow(
        index=step.index,
        technique=step.technique,
        change=step.change,
        why=step.why,
        rule=step.rule,
        implementation=step.implementation,
        config=tuple((name, str(value)) for name, value in step.config.items()),
        decision=str(step.decision),
        reason=step.reason,
        verdict=comparison.word if comparison else "",
        predicted=step.promised or step.predicted,
        mechanism=step.predicted,
        measured=paired(comparison),
        hit=_hit(step),
        time_ns=time,
        joules=front.joules(step.outcome),
        incumbent_ns=incumbent_ns,
        roof_fraction=share(floor_ns(record), time),
        failure="" if isinstance(step.outcome, Measured) else describe(step.outcome),
        check=check.summary if check else "",
        rounds=comparison.rounds if comparison else 0,
        confidence=comparison.confidence if comparison else None,
        facts=step.evidence.facts,
        absent=step.evidence.absent,
        elapsed_s=step.elapsed_s,
        winner=step.index == record.winner,
    )


def paired(comparison: Comparison | None) -> Ratio | None:
    """Return a comparison's speedup with its interval."""
    return Ratio(comparison.speedup, comparison.low, comparison.high) if comparison else None


def _hit(step: Step) -> bool | None:
    """Score a prediction; an UNCLEAR measurement is no measure of it."""
    promised = step.promised or step.predicted
    if promised is None or step.comparison is None or step.comparison.verdict is Verdict.UNCLEAR:
        return None
    return promised.contains(step.comparison.speedup)


# --- headline --------------------------------------------------------------------------------------------------------


def _headline(record: RunRecord, steps: tuple[StepRow, ...]) -> Headline:
    baseline = steps[0] if steps else None
    winner = next((row for row in steps if row.winner), None)
    before = baseline.time_ns if baseline else None
    after = winner.time_ns if winner else None
    speed, unit = rate(record, after)
    moved = winner is not None and winner is not baseline
    count = [row.decision for row in steps].count
    return Headline(
        technique=winner.technique if winner and moved else "",
        winner=winner.index if winner else None,
        baseline_ns=before,
        winner_ns=after,
        speedup=_speedup(record, before, after) if moved else None,
        roof_fraction=share(floor_ns(record), after),
        rate=speed,
        rate_unit=unit,
        kept=count(Decision.KEEP),
        rejected=count(Decision.REVERT),
        refused=count(Decision.REFUSE),
        objective=record.objective,
        baseline_joules=baseline.joules if baseline else None,
        winner_joules=winner.joules if winner else None,
        accuracy=Accuracy.of(_report(record, 0), _report(record, winner.index)) if winner and moved else None,
    )


def _report(record: RunRecord, index: int) -> CheckReport | None:
    outcome = next((step.outcome for step in record.steps if step.index == index), None)
    return outcome.check if isinstance(outcome, Measured) else None


def _speedup(record: RunRecord, before_ns: float | None, after_ns: float | None) -> Ratio | None:
    """Return baseline over winner from the strongest evidence there is: direct, chained, or unpaired medians."""
    if record.overall:
        return paired(record.overall)
    before_ns, after_ns = (before_ns, after_ns) if record.objective is Objective.TIME else (None, None)
    kept = [s for s in record.steps if s.decision is Decision.KEEP and s.index <= record.winner]
    comparisons = [s.comparison for s in kept if s.comparison is not None]
    if kept and len(comparisons) == len(kept):
        return chain(comparisons)
    return Ratio(before_ns / after_ns, basis="medians") if before_ns and after_ns else None


def chain(comparisons: list[Comparison]) -> Ratio:
    """Return the product of consecutive paired speedups.

    The comparisons are independent, so the half widths of their log intervals add in quadrature.

    >>> step = dict(verdict=Verdict.FASTER, confidence=0.95, margin=0.02, log_ratios=())
    >>> two = chain([Comparison(speedup=2.0, low=2.0, high=2.0, **step), Comparison(speedup=1.5, low=1.2, high=1.8, **step)])
    >>> round(two.value, 3), round(two.low, 3), round(two.high, 3), two.basis
    (3.0, 2.4, 3.6, 'chained')
    """
    value = math.fsum(math.log(c.speedup) for c in comparisons)
    below = math.hypot(*(math.log(c.speedup / c.low) if c.low > 0 else math.inf for c in comparisons))
    above = math.hypot(*(math.log(c.high / c.speedup) for c in comparisons))
    return Ratio(math.exp(value), math.exp(value - below), math.exp(value + above), basis="chained")


# --- peers -----------------------------------------------------------------------------------------------------------


def _peer(record: RunRecord, peer: PeerResult) -> PeerRow:
    time = time_ns(peer.outcome)
    return PeerRow(
        name=peer.name,
        time_ns=time,
        rate=rate(record, time)[0],
        ratio=paired(peer.comparison) or _unpaired(record, time),
        verdict=peer.comparison.word if peer.comparison else "",
        objective=peer.comparison.objective if peer.comparison else Objective.TIME,
        roof_fraction=share(floor_ns(record), time),
        failure="" if isinstance(peer.outcome, Measured) else describe(peer.outcome),
    )


def _unpaired(record: RunRecord, peer_ns: float | None) -> Ratio | None:
    winner = next((time_ns(s.outcome) for s in record.steps if s.index == record.winner), None)
    return Ratio(peer_ns / winner, basis="medians") if peer_ns and winner else None


# --- roofline --------------------------------------------------------------------------------------------------------


def _roofline(record: RunRecord, steps: tuple[StepRow, ...], peers: tuple[PeerRow, ...]) -> tuple[Roofline | None, str]:
    """Return the plot's data, or why there is none."""
    ceilings, work = record.ceilings, record.work
    if ceilings is None:
        return None, "no ceilings were measured in this run"
    if not (work.flops > 0 and work.bytes > 0):
        return None, "the problem counts no flops or no bytes, so it has no arithmetic intensity"
    moving = work.intensity * ceilings.bytes_per_s
    shown = Roofline(
        flops_per_s=ceilings.flops_per_s,
        bytes_per_s=ceilings.bytes_per_s,
        widths=tuple((w, f) for w, f in ceilings.flops_by_width if 0 < f < 0.9 * ceilings.flops_per_s),
        intensity=work.intensity,
        ridge=ceilings.flops_per_s / ceilings.bytes_per_s,
        attainable=min(ceilings.flops_per_s, moving),
        floor_ns=ceilings.floor_ns(work.flops, work.bytes),
        memory_bound=moving < ceilings.flops_per_s,
        dtype=ceilings.dtype,
        source=ceilings.source,
        points=_points(work.flops, steps, peers),
    )
    return (shown, "") if shown.points else (None, "nothing was timed")


def _points(flops: float, steps: tuple[StepRow, ...], peers: tuple[PeerRow, ...]) -> tuple[RoofPoint, ...]:
    standing = [(_label(row), _role(row), row.time_ns) for row in steps if row.decision in STANDING]
    others = [(peer.name, "peer", peer.time_ns) for peer in peers]
    return tuple(
        RoofPoint(label=label, role=role, flops_per_s=1e9 * flops / time, time_ns=time)
        for label, role, time in standing + others
        if time
    )


def _label(row: StepRow) -> str:
    return "baseline" if row.decision == Decision.BASELINE else f"{row.index} {row.technique}"


def _role(row: StepRow) -> str:
    if row.winner:
        return "winner"
    return "baseline" if row.decision == Decision.BASELINE else "kept"


def _levels(record: RunRecord, steps: tuple[StepRow, ...]) -> Levels | None:
    """Return the picture by memory level of the winner, or else of the last step whose evidence has counters."""
    ranked = sorted(steps, key=lambda row: (row.winner, row.index), reverse=True)
    return next((levels for row in ranked if (levels := of_run(row.facts, record.ceilings))), None)


# --- predictions and failures ----------------------------------------------------------------------------------------


def _calibration(steps: tuple[StepRow, ...]) -> Calibration | None:
    rows = tuple(
        Prediction(index=s.index, technique=s.technique, predicted=s.predicted, measured=s.measured, hit=s.hit)
        for s in steps
        if s.hit is not None and s.predicted and s.measured and s.predicted.expected > 0
    )
    if not rows:
        return None
    logs = [math.log(row.measured.value / row.predicted.expected) for row in rows]
    return Calibration(rows=rows, hits=sum(row.hit for row in rows), bias=math.exp(math.fsum(logs) / len(logs)))


def _failures(record: RunRecord) -> tuple[FailureRow, ...]:
    tried = [(f"step {s.index} · {s.technique}: {s.change}", s.outcome) for s in record.steps]
    tried += [(f"peer {p.name}", p.outcome) for p in record.peers]
    failed = tuple(
        FailureRow(where=where, what=describe(outcome), detail=_detail(outcome))
        for where, outcome in tried
        if not isinstance(outcome, Measured)
    )
    counted = ", ".join(f"{n} × {failure}" for failure, n in record.search.failures) if record.search else ""
    return (*failed, FailureRow(where="search", what=counted, detail="")) if counted else failed


def _detail(outcome: Outcome) -> str:
    match outcome:
        case CompileFailed(log=log):
            return log.strip()
        case WrongResult(check=check):
            bad = [case for case in check.cases if not case.passed]
            if len(bad) < 2:
                return ""  # the one line says it all
            return "\n".join(f"{c.problem} ({c.distribution}, seed {c.seed}): {c.reason}" for c in bad)
        case _:
            return ""

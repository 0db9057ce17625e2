"""Benchmark of variants and peers on one problem: all are verified and timed in the same rounds, on every device there is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from math import exp
from statistics import median
from typing import TYPE_CHECKING

from hotloop.app.events import Stage
from hotloop.app.run import aim, checking, honest, timing
from hotloop.app.run.devices import lanes, spread
from hotloop.engine import metered
from hotloop.errors import HotloopError
from hotloop.model.check import CheckReport
from hotloop.model.device import Ceilings, Device
from hotloop.model.energy import Joules, Objective, Unmetered
from hotloop.model.outcome import Artifact, Failure, Measured, NotApplicable, Outcome, WrongResult
from hotloop.model.subject import Subject
from hotloop.ports import COLD, ROTATED, Numerous
from hotloop.stats.energy import per_call
from hotloop.stats.rounds import log_ratios

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.kernel import Variant
    from hotloop.model.program import Program

BENCH_ROUNDS = 9


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One contender of a benchmark."""

    name: str
    outcome: Outcome
    flops_per_s: float | None = None
    ratio: float | None = None
    """Median over rounds of (first contender that is right / this contender), of times or of the objective; above 1 is better than that."""
    ratios: tuple[float, ...] = ()
    """The quotient of each round."""
    roof_fraction: float | None = None
    joules: Joules | None = None
    """Energy of one call; None where it was not measured."""
    elsewhere: tuple[tuple[str, float | None], ...] = ()
    """(device, ratio) of each other device of a cluster, timed at the same time; None: it could not be timed there."""


@dataclass(frozen=True, slots=True)
class BenchAnswer:
    """All contenders timed in the same rounds."""

    device: Device
    problem: str
    rows: tuple[BenchRow, ...]
    ceilings: Ceilings | None
    mode: str = ROTATED
    """How warm the caches were."""
    objective: Objective = Objective.TIME
    """Quantity that the ratios compare."""
    unmetered: str = ""
    """Why energy was not measured; empty if it was."""


def contest(
    made: Desk,
    workload: Workload,
    variants: Sequence[tuple[str, Variant]],
    ceilings: Ceilings | None = None,
    *,
    energy: bool = False,
) -> BenchAnswer:
    """Do what `bench` does, at a desk that may serve further problems; each variant comes with the name for its row.

    Outputs of timed calls are verified again; a contender whose outputs were wrong gets no time. `energy`: also measure
    energy, if the device has a counter.
    """
    at, subjects = spread.desks(made), _subjects(made, workload, variants)
    if len(at) > 1:
        spread.prepare(made, workload, [subject for _, subject in subjects])
    results = spread.shared(at, [partial(_named, workload, name, subject) for name, subject in subjects])
    contenders = [sound for sound in results if isinstance(sound, _Contender)]
    failures = [row for row in results if isinstance(row, BenchRow)]
    made.tell(Stage("timing all of them in the same rounds"))
    rows = _rows(at, workload, contenders, ceilings) if contenders else []
    unmetered = _unmetered(made) if energy and made.objective is Objective.TIME else ""
    if energy and made.objective is Objective.TIME and not unmetered:
        made.tell(Stage("measuring the energy of all of them"))
        rows = _with_energy(made, workload, contenders, rows)
    return BenchAnswer(
        made.device, workload.problem.key, (*rows, *failures), ceilings, made.mode, made.objective, unmetered
    )


def _unmetered(made: Desk) -> str:
    """Return why energy is not measured beside time; empty if it is."""
    if made.mode == COLD:
        return "emptying the caches before each call takes energy, too"
    if isinstance(made.engine, Numerous):
        return "on a cluster it is with --objective energy only"
    meter = metered.meter(made.device)
    return meter.reason if isinstance(meter, Unmetered) else ""


def _with_energy(made: Desk, workload: Workload, contenders: list[_Contender], rows: list[BenchRow]) -> list[BenchRow]:
    """Return the rows with the energy of one call added for the contenders that passed."""
    right = [index for index, row in enumerate(rows) if isinstance(row.outcome, Measured)]
    programs = [contenders[index].program for index in right]
    together = timing.time_together(made, workload, programs, 1, judged=False, metered=True) if programs else None
    if not isinstance(together, timing.Timing):
        return rows
    taken = {index: per_call(timed.samples) for index, timed in zip(right, together.measured, strict=True)}
    return [replace(row, joules=taken.get(index)) for index, row in enumerate(rows)]


@dataclass(frozen=True, slots=True)
class _Contender:
    """A verified program with the name for its row."""

    name: str
    program: Program


def _subjects(made: Desk, workload: Workload, variants: Sequence[tuple[str, Variant]]) -> list[tuple[str, Subject]]:
    """Return the variants, then the peers that exist on this device."""
    peers = workload.kernel.peers_on(made.device)
    rows = [(name, workload.subject(variant)) for name, variant in variants]
    return rows + [(peer.name, Subject.peer(peer, workload.problem, made.device)) for peer in peers]


def _contender(made: Desk, workload: Workload, name: str, subject: Subject) -> _Contender | Failure:
    workload.sets()
    try:
        planned = subject.plan(workload.problem, made.device)
        if planned is None:
            return NotApplicable("cannot run this problem")
        program = workload.resolved(planned)
        built = made.engine.build(program)
    except (ValueError, HotloopError) as reason:
        return NotApplicable(str(reason))
    if not isinstance(built, Artifact):
        return built
    verified = checking.check(made, workload, subject)
    if not isinstance(verified.answer, CheckReport):
        return verified.answer
    library = f" ({built.log})" if built.log and program.language != "opencl" else ""
    return _Contender(name + library, program)


def _named(workload: Workload, name: str, subject: Subject, made: Desk) -> _Contender | BenchRow:
    """Verify a contender on a device; return it, or a row with the reason for its failure."""
    made.tell(Stage(f"verifying {name}"))
    sound = _contender(made, workload, name, subject)
    return sound if isinstance(sound, _Contender) else BenchRow(name, sound)


def _rows(
    at: Sequence[Desk], workload: Workload, contenders: list[_Contender], ceilings: Ceilings | None
) -> list[BenchRow]:
    """Time contenders on each device; return the rows of the first device with the ratios of the others added."""
    programs = [contender.program for contender in contenders]
    judged = timing.draw(at[0], workload)
    timed = spread.everywhere(
        at, lambda made: timing.time_together(made, workload, programs, BENCH_ROUNDS, judged=judged)
    )
    tables = [
        (lanes.place(made.engine), _table(made, workload, contenders, together, ceilings)) for made, together in timed
    ]
    (_, first), *others = tables
    return [_beside(row, [(place, rows[index]) for place, rows in others]) for index, row in enumerate(first)]


def _beside(row: BenchRow, others: Sequence[tuple[str, BenchRow]]) -> BenchRow:
    """Return a row with the ratios of other devices added; a failure on any device is a failure of the row."""
    wrong = next((other for _, other in others if isinstance(other.outcome, WrongResult)), None)
    if wrong is not None and isinstance(row.outcome, Measured):
        return wrong
    return replace(row, elsewhere=tuple((place, other.ratio) for place, other in others))


def _table(
    made: Desk,
    workload: Workload,
    contenders: list[_Contender],
    together: timing.Timing | Failure,
    ceilings: Ceilings | None,
) -> list[BenchRow]:
    if not isinstance(together, timing.Timing):
        return [BenchRow(contender.name, together) for contender in contenders]
    clock = aim.quantity_of(made, [contender.program for contender in contenders])
    wrong = [timing.misjudged(honest.kept(made, workload, each.program, together.judged)) for each in contenders]
    first = next((index for index, failure in enumerate(wrong) if failure is None), 0)
    rows = []
    for index, (contender, failure) in enumerate(zip(contenders, wrong, strict=True)):
        if failure is not None:
            rows.append(BenchRow(contender.name, failure))
            continue
        ratios = tuple(map(exp, log_ratios(together.rounds, first, index, clock=clock)))
        rows.append(_row(workload, contender.name, together.measured[index], ratios, ceilings))
    return rows


def _row(
    workload: Workload, name: str, measured: Measured, ratios: tuple[float, ...], ceilings: Ceilings | None
) -> BenchRow:
    work = workload.kernel.work(workload.problem)
    fraction = _fraction(measured, work.flops, work.bytes, ceilings)
    rate = 1e9 * work.flops / measured.call_ns
    return BenchRow(name, measured, rate, median(ratios), ratios, fraction, per_call(measured.samples))


def _fraction(measured: Measured, flops: float, moved: float, ceilings: Ceilings | None) -> float | None:
    """Return the fraction of the roofline; None when it is unknown, or above 1, which shows that the ceiling is wrong."""
    fraction = ceilings.floor_ns(flops, moved) / measured.call_ns if ceilings else None
    return fraction if fraction is not None and fraction <= 1 else None

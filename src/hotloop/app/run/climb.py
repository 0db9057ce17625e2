"""The use cases `optimize` and `tune`: a loop with a store around it."""

from __future__ import annotations

import gc
from contextlib import ExitStack
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING

from hotloop.app import leaving, userfile
from hotloop.app.events import Event, Listener, Notice, Silent, Took
from hotloop.app.run import seeds
from hotloop.app.run.decision import predictions
from hotloop.app.run.devices import elsewhere
from hotloop.app.run.kept import host, patch, record, seal
from hotloop.app.run.kept.result import Result
from hotloop.app.run.optimize import Loop
from hotloop.app.run.plan import Plan
from hotloop.app.session import Options, recorded_desk
from hotloop.errors import HotloopError
from hotloop.host import settings
from hotloop.host.clock import SystemClock
from hotloop.model.energy import WORDS, Objective
from hotloop.model.finding import Gain
from hotloop.model.kernel import Variant
from hotloop.model.outcome import Artifact, Measured
from hotloop.model.program import Program
from hotloop.model.space import Config
from hotloop.ports import ROTATED
from hotloop.report.plain import discreet
from hotloop.report.view import RunRecord
from hotloop.search.foretold import Foretold
from hotloop.targets.target import Target
from hotloop.techniques.calibration import Record

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from hotloop.app.desk import Desk
    from hotloop.model.device import Device
    from hotloop.model.kernel import Implementation, Kernel
    from hotloop.model.problem import Problem
    from hotloop.model.step import Step
    from hotloop.ports import Engine
    from hotloop.store import Store

    Foretell = Callable[[Kernel, Implementation, Problem, Device, float, int, Callable[[Event], object]], Foretold]
    """A function from kernel, implementation, problem, device, budget in seconds, seed and whom to tell to predicted times."""


_GARBAGE = 20_000
"""Threshold of Python's garbage collector: a search creates few cycles, and each collection costs a millisecond."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One optimize or tune run."""

    kind: str
    kernel: Kernel
    spec: str
    """How the user named the kernel."""
    problem: Problem
    plan: Plan
    options: Options
    command: tuple[str, ...] = ()
    fresh: bool = False
    """True: start anew even if an unfinished run of the same request exists."""
    began_s: float | None = None
    """Reading of the monotonic clock at which the budget starts; None: when the run begins."""
    foretell: Foretell | None = None
    """Function that predicts times for the start of the search; None: the search starts without predictions."""


@dataclass(frozen=True, slots=True)
class Told:
    """Tables of earlier runs as the journal stores them: rows of configuration and ns; None for a configuration that failed."""

    tables: tuple[tuple[tuple[Config, float | None], ...], ...]


@dataclass(slots=True)
class _Recorder:
    """Writes steps to the journal before it passes events on."""

    walk: record.Walk
    listener: Listener

    def notify(self, event: Event) -> None:
        if isinstance(event, Took):
            self.walk.write(event.step)
        self.listener.notify(event)


class _Stopped(KeyboardInterrupt):
    """Ctrl-C with the record so far; as it passes through the store's run handle, the run is marked as interrupted."""

    def __init__(self, made: RunRecord) -> None:
        super().__init__()
        self.record = made


def run(request: Request, listener: Listener | None = None) -> RunRecord:
    """Run an optimization or a search to its end and return its record; after Ctrl-C, the record of what was done so far.

    Everything is stored as it happens; repeating the request continues a run that was interrupted or killed.
    """
    before = gc.get_threshold()
    gc.freeze()  # imported modules stay alive: without freezing them, every full collection would traverse them for tens of milliseconds
    gc.set_threshold(_GARBAGE)
    try:
        return _run(request, listener)
    except _Stopped as stopped:
        return stopped.record
    finally:  # C++ extension modules print warnings at exit about objects that were never collected
        gc.set_threshold(*before)
        gc.unfreeze()


def _run(request: Request, listener: Listener | None) -> RunRecord:
    title = f"{request.spec} {userfile.brief(request.kernel, request.problem)}"
    options = request.options.running(request.kernel.implementation(request.plan.implementation or None))
    with ExitStack() as stack:
        # A cluster's start does not count; a machine's does, and may take longer than all of a budget.
        began_s = None if options.engine else request.began_s
        with leaving.starting(request.plan.budget_s, began_s, SystemClock()):
            desk, store, resumed = stack.enter_context(
                recorded_desk(
                    options,
                    request.kind,
                    _identity(request),
                    title,
                    listener,
                    fresh=request.fresh,
                    began_s=request.began_s,
                )
            )
        if resumed:
            desk.tell(Notice(f"continuing run {desk.run_id[:8]}, which had not finished"))
        head = _head(request, desk, title)
        desk.listener = _Recorder(record.Walk(desk.journal, head), listener or Silent())
        record.write_head(desk.journal, head)
        planned, learned = _planned(store, desk, request), _calibration(store, desk)
        beside = _elsewhere(store, desk, request)
        loop = Loop(
            desk,
            request.kernel,
            request.problem,
            planned,
            learned,
            beside,
            _foretold(desk, request, beside),
        )
        state = "finished"
        try:
            loop.run()
        except KeyboardInterrupt:
            state = "interrupted"
            loop.result.stop_reason = "stopped by hand"
        tail = record.tail_of(loop.result, desk.clock.utc(), state, _conditions(desk))
        record.write_tail(desk.journal, tail)
        made = record.compose(head, tuple(loop.result.steps), tail)
        if state == "interrupted":
            raise _Stopped(made)
        _keep_patch(desk, request, loop.result)
        _remember_winner(store, desk, request, loop.result)
        return made


def _keep_patch(desk: Desk, request: Request, result: Result) -> None:
    """Store the user's source as the winner changes it, for `hotloop apply`."""
    winner = result.winner
    if winner is None:
        return
    gain = result.overall
    text = host.said(gain, request.problem.key, desk.device.name)
    steps, built = (result.steps[0], winner), partial(_building_ns, desk.engine)
    patch.record(desk.journal, request.kernel, request.problem, desk.device, steps, text, gain, result.hosted, built)


def _building_ns(engine: Engine, program: Program) -> float | None:
    """Return how long compiling a program takes, None where it cannot be told: the run's result does not wait for it.

    It is compiled once more, as another text, for in a search much else is compiled beside it. Where it is known, the time of the
    processor counts: other processes make the rest of it longer.
    """
    try:
        made = [engine.build(one) for one in (program, replace(program, source=f"{program.source}\n"))]
    except HotloopError:
        return None
    done = [one for one in made if isinstance(one, Artifact)]
    return min(
        (one.build_ns if one.build_busy_ns is None else min(one.build_ns, one.build_busy_ns) for one in done),
        default=None,
    )


def _identity(request: Request) -> dict[str, object]:
    """Return the identity of a request; requests with the same identity continue the same run."""
    plan = request.plan
    return {
        "spec": request.spec,
        "origin": userfile.place(request.kernel),
        "problem": request.problem.key,
        "implementation": plan.implementation,
        "start": dict(plan.start) if plan.start else None,
        "budget_s": plan.budget_s,
        "margin": plan.margin,
        "techniques": plan.techniques,
        "strategies": list(plan.strategies),
    }


def _head(request: Request, desk: Desk, title: str) -> record.Head:
    return record.Head(
        title=title,
        kind=request.kind,
        command=request.command,
        started=desk.clock.utc(),
        device=desk.device,
        problem=request.problem.key,
        work=request.kernel.work(request.problem),
        objective=desk.objective,
    )


def _calibration(store: Store, desk: Desk) -> list[Record]:
    """Return the calibration of predictions from earlier runs on this target."""
    rows = store.calibration(target=desk.device.target)
    return [Record(r.technique, r.target, r.predicted, r.measured) for r in rows if r.run != desk.run_id and r.measured]


def _planned(store: Store, desk: Desk, request: Request) -> Plan:
    """Return the plan with the configurations that are tried first."""
    if not request.plan.known_best:
        return request.plan
    implementation = request.kernel.implementation(request.plan.implementation or None)
    best = seeds.known(desk, store, request.kernel, request.problem, implementation)
    return replace(request.plan, seeds=tuple(dict.fromkeys((*request.plan.seeds, *best))))


def _elsewhere(store: Store, desk: Desk, request: Request) -> Sequence[Mapping[Config, float | None]]:
    """Return times that other devices and problems had, for the search; the same tables whenever the run is resumed.

    They are read when the run begins and stored in its journal, because results that other runs add must not change its path.
    """
    family = userfile.kept_as(request.kernel)
    implementation = request.kernel.implementation(request.plan.implementation or None).name

    def read() -> Told:
        tables = elsewhere.tables(store, family, implementation, request.problem.sizes, desk.device.key, desk.run_id)
        return Told(tuple(tuple((config, ns) for config, ns in table.items()) for table in tables))

    answer = desk.remember("elsewhere", Told, read)
    if answer.tables:
        desk.tell(
            Notice(
                f"the search begins with what earlier searches of other problems or devices found ({len(answer.tables)})"
            )
        )
    return tuple(dict(table) for table in answer.tables)


def _foretold(desk: Desk, request: Request, beside: Sequence[Mapping[Config, float | None]]) -> Foretold:
    """Return predicted times on this card, computed when the run begins and stored in its journal: trusted ones, then doubted ones.

    `beside` are other devices' times: with them a search does without doubted predictions.
    """
    foretell, chosen = request.foretell, request.kernel.implementation(request.plan.implementation or None)
    if foretell is None or not Target.of(desk.device.target).amd:
        return Foretold()

    def made() -> Told:
        table = foretell(
            request.kernel, chosen, request.problem, desk.device, request.plan.budget_s, desk.seed, desk.tell
        )
        rows = tuple(table.times_ns.items())
        return Told(((), rows) if table.doubted else (rows,))

    tables = desk.remember("foretold", Told, made).tables
    times = {config: ns for config, ns in tables[-1] if ns is not None}
    told = Foretold(times, doubted=len(tables) > 1)
    if times and told.doubted:
        words = "the search believes them only as far as its results agree"
        left_out = "the search leaves them out, having times of other problems or devices"
        desk.tell(Notice(f"{len(times)} predictions are doubted: {left_out if beside else words}"))
    elif times:
        desk.tell(Notice(f"the search begins with the best of {len(times)} predicted configurations"))
    return told


def _remember_winner(store: Store, desk: Desk, request: Request, result: Result) -> None:
    """Store the confirmed winner and the results of predictions, unless the cache mode or objective was not the default."""
    if desk.mode != ROTATED:
        desk.tell(
            Notice(f"timed with {desk.mode} caches: the winner is in this run's record, not among the best known")
        )
        return
    if desk.objective is not Objective.TIME:
        quantity = WORDS[desk.objective].quantity
        desk.tell(Notice(f"chosen by its {quantity}: the winner is in this run's record, not among the best known"))
        return
    _remember_predictions(store, desk, result)
    winner = result.winner
    if winner is None:
        return
    assert isinstance(winner.outcome, Measured)
    if _uncontested(request, result):
        desk.tell(Notice("nothing but the start was timed: it is not kept as the best known configuration"))
        return
    variant = Variant(request.kernel.implementation(winner.implementation), winner.config)
    desk.remember(seal.KEY, seal.Seal, lambda: seal.of(desk, variant.program(request.problem, desk.device)))
    from hotloop.store import Winner

    store.add_winner(
        Winner(
            family=userfile.kept_as(request.kernel),
            problem=request.problem.key,
            sizes=Config(request.problem.sizes),
            device=desk.device.key,
            device_fingerprint=desk.device.fingerprint,
            implementation=winner.implementation,
            config=winner.config,
            call_ns=winner.outcome.call_ns,
            comparison=winner.comparison,
            fingerprint=_fingerprint(request, desk, winner),
            run=desk.run_id,
        )
    )


def _remember_predictions(store: Store, desk: Desk, result: Result) -> None:
    from hotloop.store import Calibration

    for step, measured in predictions(result.steps):
        store.add_calibration(
            Calibration(
                technique=step.technique,
                rule=step.rule,
                target=desk.device.target,
                predicted=step.predicted or Gain(1.0, 1.0),
                measured=measured,
                verdict=step.comparison.verdict.value if step.comparison else "REFUSED",
                run=desk.run_id,
            )
        )


def _uncontested(request: Request, result: Result) -> bool:
    """Return whether the winner was never compared although other configurations exist; operators must not take it as best."""
    chosen = request.kernel.implementation(request.plan.implementation or None)
    return len(result.steps) == 1 and not (result.search and result.search.evaluated) and bool(chosen.space.parameters)


def _fingerprint(request: Request, desk: Desk, winner: Step) -> str:
    """Return a fingerprint that changes with the winner's source or the way it is built."""
    variant = Variant(request.kernel.implementation(winner.implementation), winner.config)
    return variant.fingerprint(request.problem, desk.device)


def _conditions(desk: Desk) -> tuple[tuple[str, str], ...]:
    load = settings.load_average()
    restarts = getattr(desk.engine, "restarts", 0)
    rows = [("load average at the end", f"{load:.2f}" if load is not None else "unknown"), ("seed", str(desk.seed))]
    if restarts:
        rows.append(("worker restarts", str(restarts)))
    rows += [(s.name, discreet(s.get())) for s in settings.ALL if s.get()]
    return tuple(rows)

"""The use cases `check`, `compare` and `bench`: single answers about given variants."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import exp
from statistics import median
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app.candidate.remote import Remote
from hotloop.app.events import Listener, Notice, Stage
from hotloop.app.run import aim, checking, honest, timing
from hotloop.app.run import ceilings as limits
from hotloop.app.run.workload import Workload
from hotloop.app.session import Options, desk, open_store
from hotloop.app.spec import Spec
from hotloop.engine import metered
from hotloop.errors import HotloopError, NoStoreError, UsageError
from hotloop.model.check import CheckReport
from hotloop.model.device import Ceilings, Device
from hotloop.model.energy import Joules, Objective, Unmetered
from hotloop.model.outcome import Artifact, Failure, Impossible, Measured, NotApplicable, Outcome, describe
from hotloop.model.subject import Subject
from hotloop.model.verdict import Comparison, Verdict
from hotloop.ports import COLD, ROTATED, Numerous
from hotloop.stats.energy import per_call
from hotloop.stats.paired import PairedTest
from hotloop.stats.rounds import log_ratios
from hotloop.verify.cases import Level

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.kernel import Kernel, Variant
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program
    from hotloop.store import Store

BENCH_ROUNDS = 9


@dataclass(frozen=True, slots=True)
class CheckAnswer:
    """What `check` found."""

    label: str
    device: Device
    answer: CheckReport | Failure

    @property
    def passed(self) -> bool:
        """True when every case passed."""
        return isinstance(self.answer, CheckReport)


@dataclass(frozen=True, slots=True)
class CompareAnswer:
    """What `compare` found: a duel, or why there was none."""

    incumbent: str
    candidate: str
    device: Device
    outcomes: tuple[Outcome, Outcome]
    comparison: Comparison | None
    noise: float | None
    mode: str = ROTATED
    """How warm the caches were."""


@dataclass(frozen=True, slots=True)
class BenchRow:
    """One contender of a benchmark."""

    name: str
    outcome: Outcome
    flops_per_s: float | None = None
    ratio: float | None = None
    """Median over rounds of first contender's time, or of the objective, over this one's; above 1 is better than the first."""
    ratios: tuple[float, ...] = ()
    """The same, round by round."""
    roof_fraction: float | None = None
    joules: Joules | None = None
    """Energy of one call; None where it was not measured."""


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
    """What the ratios are of."""
    unmetered: str = ""
    """Why no energy was measured; empty where it was."""


def check(spec: Spec, problem: Problem, options: Options, listener: Listener, level: Level = "full") -> CheckAnswer:
    """Verify a variant on every case of a level."""
    with desk(options.running(spec.chosen), listener) as made, _store(options, made, spec) as store:
        variant = spec.variant(problem, made.device, store, options)
        workload = Workload(made.engine, spec.kernel, problem, made.device, made.seed)
        return checked(made, workload, variant, level)


def checked(made: Desk, workload: Workload, variant: Variant, level: Level = "full") -> CheckAnswer:
    """Do what `check` does at a desk that may serve further problems."""
    built = _build(made, workload, variant)
    if not isinstance(built, Artifact):
        return CheckAnswer(variant.label, made.device, built)
    subject = Subject.of(variant, workload.problem, workload.device)
    verified = checking.check(made, workload, subject, level, to_the_end=True)
    return CheckAnswer(variant.label, made.device, verified.answer)


def compare(
    incumbent: Spec,
    candidate: Spec | Remote,
    problem: Problem,
    options: Options,
    listener: Listener,
    margin: float = 0.02,
) -> CompareAnswer:
    """Verify two variants on the incumbent's inputs and reference, then time them against each other.

    A candidate in a process of its own has lost it before anything is timed.

    Raises:
        UsageError: the two kernels do not take the same inputs.
    """
    options = options.running(incumbent.chosen)
    local = (incumbent, candidate) if isinstance(candidate, Spec) else (incumbent,)
    with desk(options, listener) as made, _store(options, made, *local) as store:
        workload = Workload(made.engine, incumbent.kernel, problem, made.device, made.seed)
        variants = [spec.variant(problem, made.device, store, options) for spec in local]
        if isinstance(candidate, Remote):
            _same_clock(incumbent, candidate)
            variants.append(candidate.variant)
        _same_inputs(incumbent, candidate, problem, workload)
        answers: list[CheckReport | Failure] = []
        for spec, variant in zip((incumbent, candidate), variants, strict=True):
            made.tell(Stage(f"verifying {spec.text}"))
            answers.append(_verified(made, workload, variant))
        labels = (incumbent.text, candidate.text)
        if any(not isinstance(outcome, CheckReport) for outcome in answers):
            first, second = (NotApplicable("verified, not timed") if isinstance(o, CheckReport) else o for o in answers)
            return CompareAnswer(*labels, made.device, (first, second), None, None)
        programs = [workload.program(v) for v in variants]
        if isinstance(candidate, Remote):
            candidate.close()
        return _duel(made, workload, labels, programs, margin)


def bench(kernel: Kernel, specs: Sequence[Spec], problem: Problem, options: Options, listener: Listener) -> BenchAnswer:
    """Verify variants and peers, then time all that are correct in the same interleaved rounds."""
    options = options.running(specs[0].chosen)
    with desk(options, listener) as made, _store(options, made, *specs) as store:
        variants = [spec.variant(problem, made.device, store, options) for spec in specs]
        named = [(spec.text, variant) for spec, variant in zip(specs, variants, strict=True)]
        workload = Workload(made.engine, kernel, problem, made.device, made.seed)
        return contest(made, workload, named, limits.of(made, workload), energy=True)


def contest(
    made: Desk,
    workload: Workload,
    variants: Sequence[tuple[str, Variant]],
    ceilings: Ceilings | None = None,
    *,
    energy: bool = False,
) -> BenchAnswer:
    """Do what `bench` does at a desk that may serve further problems; a variant comes with the name that its row bears.

    What the timed calls computed is judged once more: a contender that was wrong there has no time. `energy`: a round of
    windows follows where the device counts what it takes.
    """
    contenders: list[_Contender] = []
    failures: list[BenchRow] = []
    for name, subject in _subjects(made, workload, variants):
        made.tell(Stage(f"verifying {name}"))
        sound = _contender(made, workload, name, subject)
        if isinstance(sound, _Contender):
            contenders.append(sound)
        else:
            failures.append(BenchRow(name, sound))
    made.tell(Stage("timing all of them in the same rounds"))
    rows = _rows(made, workload, contenders, ceilings) if contenders else []
    unmetered = _unmetered(made) if energy and made.objective is Objective.TIME else ""
    if energy and made.objective is Objective.TIME and not unmetered:
        made.tell(Stage("measuring the energy of all of them"))
        rows = _with_energy(made, workload, contenders, rows)
    return BenchAnswer(
        made.device, workload.problem.key, (*rows, *failures), ceilings, made.mode, made.objective, unmetered
    )


def _unmetered(made: Desk) -> str:
    """Return why energy is not measured beside time; empty where it is."""
    if made.mode == COLD:
        return "emptying the caches before each call takes energy, too"
    if isinstance(made.engine, Numerous):
        return "on a cluster it is with --objective energy only"
    found = metered.meter(made.device)
    return found.reason if isinstance(found, Unmetered) else ""


def _with_energy(made: Desk, workload: Workload, contenders: list[_Contender], rows: list[BenchRow]) -> list[BenchRow]:
    """Return the rows with the energy of a call of those that were right."""
    right = [index for index, row in enumerate(rows) if isinstance(row.outcome, Measured)]
    programs = [contenders[index].program for index in right]
    together = timing.time_together(made, workload, programs, 1, judged=False, metered=True) if programs else None
    if not isinstance(together, timing.Timing):
        return rows
    taken = {index: per_call(one.samples) for index, one in zip(right, together.measured, strict=True)}
    return [replace(row, joules=taken.get(index)) for index, row in enumerate(rows)]


def _duel(
    made: Desk, workload: Workload, labels: tuple[str, str], programs: list[Program], margin: float
) -> CompareAnswer:
    made.tell(Stage("measuring the noise floor"))
    noise = timing.noise(made, workload, programs[0])
    floor = noise.floor if isinstance(noise, timing.Noise) else None
    made.tell(Stage("comparing in interleaved rounds"))
    duel = timing.duel(made, workload, programs[0], programs[1], PairedTest(margin=margin), floor)
    if not isinstance(duel, timing.Duel):
        return CompareAnswer(*labels, made.device, (NotApplicable("verified"), duel), None, floor)
    if duel.comparison.verdict is Verdict.FASTER and (refused := _impossible(made, workload, duel.candidate)):
        return CompareAnswer(*labels, made.device, (duel.incumbent, refused), None, floor, made.mode)
    outcomes = (duel.incumbent, duel.candidate)
    return CompareAnswer(*labels, made.device, outcomes, duel.comparison, floor, made.mode)


def _impossible(made: Desk, workload: Workload, measured: Measured) -> Impossible | None:
    """Refuse a winner's time below the roofline floor: the ceilings are measured for it."""
    work = workload.kernel.work(workload.problem)
    cold_bytes = timing.cold_bytes_of(made, workload, work)
    if work.flops <= 0 and not cold_bytes:
        return None
    ceilings = limits.of(made, workload)
    suspect = timing.impossible_speed(measured, work, ceilings, cold_bytes)
    if suspect is None or ceilings is None:
        return None
    return timing.impossible_speed(measured, work, limits.peak(made, ceilings), cold_bytes)


@dataclass(frozen=True, slots=True)
class _Contender:
    """A verified program under the name that its row bears."""

    name: str
    program: Program


def _subjects(made: Desk, workload: Workload, variants: Sequence[tuple[str, Variant]]) -> list[tuple[str, Subject]]:
    """Return the variants, then the peers that this device can have."""
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


def _rows(made: Desk, workload: Workload, contenders: list[_Contender], ceilings: Ceilings | None) -> list[BenchRow]:
    programs = [contender.program for contender in contenders]
    together = timing.time_together(made, workload, programs, BENCH_ROUNDS)
    if not isinstance(together, timing.Timing):
        return [BenchRow(contender.name, together) for contender in contenders]
    clock = aim.quantity_of(made, programs)
    rows = []
    for index, contender in enumerate(contenders):
        wrong = timing.misjudged(honest.kept(made, workload, contender.program, together.judged))
        if wrong is not None:
            rows.append(BenchRow(contender.name, wrong))
            continue
        ratios = tuple(map(exp, log_ratios(together.rounds, 0, index, clock=clock)))
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
    """Return the share of the roofline; None where it is not known, or a time beyond it shows that it is none."""
    found = ceilings.floor_ns(flops, moved) / measured.call_ns if ceilings else None
    return found if found is not None and found <= 1 else None


def _verified(made: Desk, workload: Workload, variant: Variant) -> CheckReport | Failure:
    built = _build(made, workload, variant)
    return (
        built
        if not isinstance(built, Artifact)
        else checking.check(made, workload, Subject.of(variant, workload.problem, workload.device)).answer
    )


def _build(made: Desk, workload: Workload, variant: Variant) -> Artifact | Failure:
    try:
        return made.engine.build(workload.program(variant))
    except ValueError as reason:
        return NotApplicable(str(reason))


_REAL = frozenset({"opencl", "cuda", "hip", "triton", "gluon"})
"""Languages of kernel files whose calls a real clock times."""


def _same_clock(incumbent: Spec, candidate: Remote) -> None:
    """Raise UsageError for a candidate whose times would not be of this machine."""
    language = candidate.variant.implementation.language
    if language not in _REAL and language != incumbent.chosen.language:
        raise UsageError(f"{candidate.text} is in {language}, which is not compared with {incumbent.chosen.language}.")


def _same_inputs(incumbent: Spec, candidate: Spec | Remote, problem: Problem, workload: Workload) -> None:
    if isinstance(candidate, Remote):
        if candidate.given and set(workload.timed().inputs) != set(given := candidate.inputs(problem)):
            raise _unlike(incumbent, candidate, workload, given)
        return
    if candidate.kernel is incumbent.kernel or candidate.kernel.family == incumbent.kernel.family == problem.family:
        return
    ours = workload.timed().inputs
    try:
        theirs = candidate.kernel.inputs(problem, np.random.default_rng(0))
    except Exception as error:  # the other file's function may raise anything on a foreign problem
        reason = f"it has no size {error}" if isinstance(error, KeyError) else error
        raise UsageError(f"{candidate.text} cannot take the problem {problem.key}: {reason}.") from error
    if set(ours) != set(theirs):
        raise _unlike(incumbent, candidate, workload, theirs)


def _unlike(incumbent: Spec, candidate: Spec | Remote, workload: Workload, theirs: Iterable[str]) -> UsageError:
    return UsageError(
        f"{incumbent.text} takes {', '.join(workload.timed().inputs)} but {candidate.text} takes {', '.join(theirs)}; "
        "only kernels with the same inputs can be compared."
    )


class _store:  # noqa: N801 - used as a function
    """Open the store for reading when the best known variant is asked for; one that is not there yet knows nothing.

    Raises:
        StoreError: the store is there and cannot be read.
    """

    def __init__(self, options: Options, made: Desk, *specs: Spec) -> None:
        self._store: Store | None = None
        if not any(spec.best for spec in specs):
            return
        try:
            self._store = open_store(options, read_only=True)
        except NoStoreError as error:
            made.tell(Notice(str(error)))

    def __enter__(self) -> Store | None:
        return self._store

    def __exit__(self, *_: object) -> None:
        if self._store is not None:
            self._store.close()


__all__ = ["BenchAnswer", "CheckAnswer", "CompareAnswer", "bench", "check", "checked", "compare", "describe"]

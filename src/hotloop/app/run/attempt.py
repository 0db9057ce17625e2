"""One attempt at a variant: compile it, verify it, compare it with the incumbent. Each attempt is recorded and never repeated."""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, field, replace
from math import exp, inf
from statistics import fmean, median
from typing import TYPE_CHECKING

from hotloop.app.run import aim, checking, floor, timing
from hotloop.app.run import ceilings as limits
from hotloop.app.run.inputs.chosen import SEARCHED, searched
from hotloop.engine import fit, names
from hotloop.errors import HotloopError
from hotloop.model.check import CheckReport
from hotloop.model.energy import Objective
from hotloop.model.outcome import Impossible, Measured, NotApplicable, Outcome, Sample
from hotloop.model.space import Config
from hotloop.model.trial import SEARCH, Trial
from hotloop.model.verdict import Comparison
from hotloop.ports import Numerous, TimeRequest
from hotloop.stats.rounds import log_ratios

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.app.run.inputs.workload import Workload
    from hotloop.model.device import Ceilings
    from hotloop.model.kernel import Variant
    from hotloop.model.problem import Work
    from hotloop.model.program import Program
    from hotloop.stats.paired import PairedTest

HOPELESS = 4.0
"""The search does not time a candidate whose verification run took this many times as long as a call of the incumbent."""
_IDLE = 4.0
"""Additional factor on `HOPELESS` when energy is the objective: a slower candidate can need less energy if the device idles."""
RECENT_LOOKS = 15
"""Number of recent quick looks whose incumbent times are remembered; the incumbent counts as no slower than their median.
Otherwise a disturbance that slows the incumbent would flatter the candidate timed beside it, and the best of hundreds of
candidates would be one that profited from a disturbance (``benchmarks/selection_bias.py`` compares both rules)."""
QUICK_ROUNDS = 3
"""Interleaved rounds with which the search judges one configuration; the winner is confirmed by a full duel."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """Result of an attempt: outcome, and comparison with the incumbent."""

    outcome: Outcome
    comparison: Comparison | None = None
    """Comparison with the incumbent; None for a baseline, a failure, or a quick look of the search."""
    ratio: float | None = None
    """Candidate time over incumbent time, from a quick look."""
    beside_ns: float | None = None
    """Fastest call of the incumbent in that look, in ns, unless it ended early."""
    created: str = ""
    """UTC time; part of the trial's identity, so that storing the trial twice has no effect."""
    phases: Mapping[str, float] = field(default_factory=dict)
    """Device ns per call by phase."""

    @property
    def call_ns(self) -> float | None:
        """Median call time, or None when it was not timed."""
        return self.outcome.call_ns if isinstance(self.outcome, Measured) else None


@dataclass(frozen=True, slots=True)
class _Sound:
    """A candidate that passed its verification and may be timed."""

    program: Program
    report: CheckReport
    device_ns: float | None
    """Device time of one call during verification, without warm-up."""


@dataclass(slots=True)
class Attempts:
    """Makes attempts on one workload and stores their trials."""

    desk: Desk
    workload: Workload
    ceilings: Ceilings | None
    test: PairedTest
    noise: float | None = None
    start: CheckReport | None = None
    """Verification of the first baseline, beside whose errors those of all others are judged."""
    _paces: dict[str, float] = field(default_factory=dict)
    _looks: dict[str, deque[float]] = field(default_factory=dict)
    """Fastest calls of each incumbent in its last quick looks, in ns."""

    def baseline(self, variant: Variant) -> Attempt:
        """Verify and time a variant alone."""
        key = self.workload.subject(variant).key("baseline")
        attempt = self._remembered(key, variant, lambda: self._baseline(variant))
        if self.start is None and isinstance(attempt.outcome, Measured):
            self.start = attempt.outcome.check
        return attempt

    def against(
        self,
        incumbent: Variant,
        candidate: Variant,
        purpose: str = "step",
        limit_s: float = inf,
        *,
        there: Attempts | None = None,
    ) -> Attempt:
        """Verify a candidate and compare it with the incumbent; after `limit_s` seconds the comparison ends in any case.

        `there` is the desk whose device is used; None: this one.
        """
        key = self.workload.subject(candidate).key(purpose, self.workload.subject(incumbent))
        device = there or self
        return self._remembered(key, candidate, lambda: device._against(incumbent, candidate, limit_s), purpose)  # noqa: SLF001 - of its own class

    def glance(self, incumbent: Variant, candidate: Variant, look: Callable[[], Attempt] | None = None) -> Attempt:
        """Verify a candidate and time it in a few rounds beside the incumbent, as the search does.

        `look` returns the attempt when another device makes it.
        """
        key = self.glance_key(incumbent, candidate)
        attempt = self._remembered(key, candidate, look or (lambda: self._glance(incumbent, candidate)), SEARCH)
        if attempt.beside_ns is not None and look is None:
            self._recent(incumbent).append(attempt.beside_ns)
        return attempt

    def look(self, incumbent: Variant, candidate: Variant) -> Attempt:
        """Do what `glance` does, without the journal; call `prepare` first."""
        attempt = self._glance(incumbent, candidate)
        if attempt.beside_ns is not None:
            self._recent(incumbent).append(attempt.beside_ns)
        return attempt

    def prepare(self, incumbent: Variant) -> None:
        """Make what all quick looks beside an incumbent share, so that they can then run without the journal and in parallel."""
        self._recent(incumbent)
        self.workload.program(incumbent)
        for case in self.workload.cases("quick", self.desk.seed):
            if case.added:
                self.workload.attempt(case)
            else:
                self.workload.prepare(case)

    def settle(self, incumbent: Variant) -> None:
        """Have the incumbent and the arrays that all quick looks share loaded on this device, or its first look takes seconds."""
        program, sets = self.workload.program(incumbent), self.workload.sets()
        request = TimeRequest(
            programs=(program,), datasets=sets, rounds=1, target_sample_ns=1.0, warmup_ns=0.0, mode=self.desk.mode, judged=()
        )  # fmt: skip
        with suppress(HotloopError):  # which the first look meets, too
            self.desk.engine.time(request)

    def _settle_others(self, baseline: Variant) -> None:
        """Settle GPUs that are not timed yet, beside what this one does: in the search the first second of each would go into it."""
        engine = self.desk.engine
        for other in engine.lanes()[1:] if isinstance(engine, Numerous) and self.desk.device.kind == "gpu" else ():
            there = replace(self, desk=replace(self.desk, engine=other), _paces={}, _looks={})
            threading.Thread(target=there.settle, args=(baseline,), daemon=True).start()

    def glance_key(self, incumbent: Variant, candidate: Variant) -> str:
        """Return the journal's key of a quick look."""
        return self.workload.subject(candidate).key("glance", self.workload.subject(incumbent))

    def slow(self, incumbent: Variant) -> bool:
        """Tell whether the calls themselves take most of a look's time."""
        return (self._pace(incumbent) or 0.0) >= timing.SLOW_CALL_NS

    def known(self, incumbent: Variant, candidate: Variant) -> bool:
        """Return whether the journal already has the answer of `glance`."""
        return self.desk.journal.recall(self.glance_key(incumbent, candidate)) is not None

    def applies(self, variant: Variant) -> bool:
        """Tell whether a variant has a program for this problem that the device could launch; any other need not be tried, and is no trial."""
        try:
            program = self.workload.program(variant)
        except ValueError:
            return False
        return fit.impossible((program,), self.desk.device) is None

    def programs(self, variant: Variant) -> list[Program]:
        """Return the programs that `glance` will run for a variant, one for each build; none when the variant does not apply."""
        try:
            programs = [self.workload.program(variant)]
        except ValueError:
            return []
        subject = self.workload.subject(variant)
        every = self.workload.cases("quick", self.desk.seed)
        for case in searched(subject, every, self.desk.device):
            with suppress(ValueError):
                planned = subject.plan(case.problem, self.desk.device)
                if planned is not None and self.workload.prepared(case):  # some compilers' code depends on numbers
                    planned = planned.resolved(self.workload.prepare(case).scalars)
                programs += [planned] if planned is not None else []
        return list({names.build(program): program for program in programs}.values())

    def _recent(self, incumbent: Variant) -> deque[float]:
        key = self._pace_key(incumbent)
        if key not in self._looks:
            pace_ns = self._pace(incumbent)
            # a few per cent less than in short samples: beside it whatever is a little faster would look slower
            alike = pace_ns is not None and not timing.by_events([self.workload.program(incumbent)])
            self._looks[key] = deque([pace_ns] if alike and pace_ns else [], maxlen=RECENT_LOOKS)
        return self._looks[key]

    def _remembered(
        self, key: str, variant: Variant, make: Callable[[], Attempt], purpose: str = "baseline"
    ) -> Attempt:
        """Return the recorded attempt, or make it and record it together with its trial."""

        def made() -> Attempt:
            return replace(make(), created=self.desk.clock.utc())

        def trial(attempt: Attempt) -> Trial:
            return self._trial(variant, attempt, purpose)

        return self.desk.remember(key, Attempt, made, trial)

    def _verified(self, variant: Variant) -> _Sound | Attempt:
        """Build and verify a candidate; return an `Attempt` when that already decides, for example by a failure."""
        try:
            program = self.workload.program(variant)
        except ValueError as reason:
            return Attempt(outcome=NotApplicable(str(reason)))
        verified = checking.check(self.desk, self.workload, self.workload.subject(variant), programs=SEARCHED)
        if not isinstance(verified.answer, CheckReport):
            return Attempt(outcome=verified.answer)
        if lossy := checking.lossy(self.desk, self.workload, self.start, verified.answer):
            return Attempt(outcome=lossy)
        return _Sound(program, verified.answer, verified.device_ns)

    def _baseline(self, variant: Variant) -> Attempt:
        sound = self._verified(variant)
        if isinstance(sound, Attempt):
            return sound
        work = self.workload.kernel.work(self.workload.problem)
        once_ns = sound.device_ns or 0.0
        self._settle_others(variant)
        rounds = timing.SLOW_ROUNDS if once_ns > timing.SLOW_CALL_NS else timing.ALONE_ROUNDS
        rounds = timing.LONG_ROUNDS if once_ns >= timing.LONG_CALL_NS else rounds
        alone = timing.measure(self.desk, self.workload, sound.program, rounds)
        if not isinstance(alone, timing.Alone):
            return Attempt(outcome=alone)
        captured = self.workload.kernel.launched and variant.implementation.looks
        # Of a program's own launch the count of bytes may be wrong: its data decide what it touches.
        if not captured and (impossible := self._impossible(alone.measured, work)):
            return Attempt(outcome=impossible)
        return Attempt(outcome=replace(alone.measured, check=sound.report), phases=alone.phases)

    def _against(self, incumbent: Variant, candidate: Variant, limit_s: float) -> Attempt:
        began_s = self.desk.clock.monotonic_s()
        sound = self._verified(candidate)
        if isinstance(sound, Attempt):
            return sound
        programs = self.workload.program(incumbent), sound.program
        left_s = limit_s - (self.desk.clock.monotonic_s() - began_s)
        pace_ns = self._pace(incumbent) or 0.0
        duel = timing.duel(self.desk, self.workload, *programs, self.test, self.noise, left_s, call_ns=pace_ns)
        if not isinstance(duel, timing.Duel):
            return Attempt(outcome=duel)
        work = self.workload.kernel.work(self.workload.problem)
        # Only of a program's own launch may the count be wrong: elsewhere a lucky incumbent would excuse a cheat.
        if (impossible := self._impossible(duel.candidate, work)) and not (
            self.workload.kernel.launched and self._impossible(duel.incumbent, work)
        ):
            return Attempt(outcome=impossible)
        phases = duel.phases[1] if len(duel.phases) > 1 else {}
        return Attempt(outcome=replace(duel.candidate, check=sound.report), comparison=duel.comparison, phases=phases)

    def _impossible(self, measured: Measured, work: Work) -> Impossible | None:
        """Refuse a time below the roofline floor, after measuring the ceiling again, which may have been disturbed at first."""
        cold_bytes = floor.cold_bytes_of(self.desk, self.workload, work)
        suspect = floor.impossible_speed(measured, work, self.ceilings, cold_bytes)
        if suspect is None or self.ceilings is None:
            return None
        self.ceilings = limits.peak(self.desk, self.ceilings)  # the higher ceiling also applies to later attempts
        return floor.impossible_speed(measured, work, self.ceilings, cold_bytes)

    def _glance(self, incumbent: Variant, candidate: Variant) -> Attempt:
        sound = self._verified(candidate)
        if isinstance(sound, Attempt):
            return sound
        slow = self._hopeless(incumbent, sound)
        if slow is not None:
            return slow
        programs = (self.workload.program(incumbent), sound.program)
        paces_ns = self._pace(incumbent) or 0.0, sound.device_ns or 0.0
        together = timing.time_together(
            self.desk, self.workload, programs, QUICK_ROUNDS, judged=False, paces_ns=paces_ns
        )
        if not isinstance(together, timing.Timing):
            return Attempt(outcome=together)
        old, new = together.measured
        if self.desk.objective is not Objective.TIME:
            gains = log_ratios(together.rounds, clock=aim.quantity_of(self.desk, programs))
            return Attempt(outcome=replace(new, check=sound.report), ratio=exp(-fmean(gains)))
        usual_ns = median([*self._recent(incumbent), old.best_ns])
        ratio = new.best_ns / min(old.best_ns, usual_ns)
        beside_ns = old.best_ns if len(together.rounds) >= QUICK_ROUNDS else None  # the best of fewer is less of a best
        return Attempt(outcome=replace(new, check=sound.report), ratio=ratio, beside_ns=beside_ns)

    def _hopeless(self, incumbent: Variant, sound: _Sound) -> Attempt | None:
        """Return an attempt without timing when the verification run shows that the candidate is far slower than the incumbent."""
        pace_ns = self._pace(incumbent)
        limit = HOPELESS * (_IDLE if self.desk.objective is Objective.ENERGY else 1.0)
        if pace_ns is None or sound.device_ns is None or sound.device_ns < limit * pace_ns:
            return None
        sample = Sample(wall_ns=sound.device_ns, calls=1, device_ns=sound.device_ns)
        conditions = replace(
            timing.conditions(self.desk, (), "device"), note="single run: far slower than the incumbent"
        )
        outcome = Measured(samples=(sample,), conditions=conditions, check=sound.report)
        return Attempt(outcome=outcome, ratio=sound.device_ns / pace_ns)

    def _pace_key(self, variant: Variant) -> str:
        return self.workload.subject(variant).key("pace")

    def _pace(self, variant: Variant) -> float | None:
        """Return the recorded time of one call in ns; the journal is read only once."""
        key = self._pace_key(variant)
        if key not in self._paces:
            recorded = self.desk.journal.recall(key)
            if recorded is None:
                return None
            self._paces[key] = float(recorded)
        return self._paces[key]

    def pace(self, variant: Variant, call_ns: float) -> None:
        """Record how fast a variant is, for `glance` to recognise hopeless candidates."""
        key = self._pace_key(variant)
        self.desk.journal.record(key, str(call_ns))
        self._paces.setdefault(key, call_ns)

    def _trial(self, variant: Variant, attempt: Attempt, purpose: str) -> Trial:
        problem, device = self.workload.problem, self.desk.device
        return Trial(
            family=problem.family,
            problem=problem.key,
            sizes=Config(problem.sizes),
            implementation=variant.implementation.name,
            config=variant.config,
            fingerprint=self.workload.subject(variant).fingerprint,
            device=device.key,
            device_fingerprint=device.fingerprint,
            outcome=attempt.outcome,
            created=attempt.created,
            run=self.desk.run_id,
            purpose=purpose,
        )

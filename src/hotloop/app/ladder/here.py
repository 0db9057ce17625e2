"""A ladder run on the device at hand: every rung verified, then timed in pairs against the last rung that paid."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hotloop.app import userfile
from hotloop.app.events import Listener, Stage
from hotloop.app.ladder import data as ladder_data
from hotloop.app.ladder.second import second
from hotloop.app.run import checking, timing
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.session import Options, desk
from hotloop.errors import UsageError
from hotloop.model.check import CheckReport
from hotloop.model.kernel import Kernel, Variant
from hotloop.model.ladder import Ladder, Rung
from hotloop.model.outcome import Artifact, Failure, NotApplicable, describe
from hotloop.model.space import Config
from hotloop.model.subject import Subject
from hotloop.model.verdict import Comparison, Verdict
from hotloop.report.ladder.view import Climbed, ClimbView, Second
from hotloop.stats.paired import PairedTest
from hotloop.targets.target import Target

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.device import Device
    from hotloop.model.program import Program


@dataclass(frozen=True, slots=True)
class _Stand:
    """The last rung that paid."""

    name: str
    config: Config
    program: Program
    call_ns: float | None = None


def climb(
    family: str, shape: str, options: Options, listener: Listener, *, rungs: Sequence[str] = (), margin: float = 0.02
) -> ClimbView:
    """Run a family's ladder for this device.

    A rung that is not FASTER than what it stands on is left out of the rungs above it, whatever the data file's order says.

    Args:
        family: kernel family.
        shape: as ``--shape``; empty: the ladder's own problem.
        options: device, seed, limit.
        listener: is told what happens.
        rungs: only these, and the first; empty: all.
        margin: below which two rungs are the same.

    Raises:
        UsageError: no such ladder or shape.
        NoDeviceError: no runtime works here.
    """
    ladder_data.collection(family)
    kernel = userfile.find(ladder_data.family_of(family))
    with desk(options.running(kernel.implementation()), listener) as made:
        ladder = ladder_of(family, made.device)
        default = kernel.problem.replace(**ladder.problem)
        problem = userfile.problem_of(replace(kernel, problem=default), shape)
        workload = Workload(made.engine, kernel, problem, made.device, made.seed)
        return _Climb(made, ladder, kernel, workload, margin).run(_asked(ladder, made.device, rungs))


def ladder_of(family: str, device: Device) -> Ladder:
    """Return the ladder that a device runs: by its processor, else the CPU's."""
    target = Target.of(device.target).name
    by_target = {name: ladder for ladder in ladder_data.ladders(family) for name in ladder.targets if not ladder.source}
    if target in by_target:
        return by_target[target]
    if device.kind == "cpu" and "cpu" in by_target:
        return by_target["cpu"]
    if not by_target:
        targets = " or ".join(ladder_data.targets(family))
        raise UsageError(f"{family} has no ladder that runs on {device.name}; compile one with --target {targets}.")
    raise UsageError(
        f"{family} has no ladder for {device.name} ({target or device.kind}); it has some for {', '.join(by_target)}."
    )


def _asked(ladder: Ladder, device: Device, names: Sequence[str]) -> tuple[Rung, ...]:
    for name in names:
        ladder.rung(name)
    chosen = [r for r in ladder.rungs if r.exists_on(device.target) and not r.series]
    return tuple(r for place, r in enumerate(chosen) if not place or not names or r.name in names)


class _Climb:
    """One walk up a ladder."""

    def __init__(self, made: Desk, ladder: Ladder, kernel: Kernel, workload: Workload, margin: float) -> None:
        self.made, self.ladder, self.kernel, self.workload, self.margin = made, ladder, kernel, workload, margin
        self.noise: float | None = None
        self.first: Program | None = None
        self.start: Config | None = None

    def run(self, rungs: Sequence[Rung]) -> ClimbView:
        """Return all rungs with verdicts."""
        stand: _Stand | None = None
        rows = []
        for rung in rungs:
            row, stand = self._rung(rung, stand)
            rows.append(row)
        device = self.made.device
        return ClimbView(
            ladder=self.ladder,
            device=device.name,
            device_key=device.key,
            runtime=device.runtime_key,
            problem=userfile.brief(self.kernel, self.workload.problem),
            noise=self.noise,
            rungs=tuple(rows),
            total=self._total(stand),
            second=self._second(stand),
        )

    def _rung(self, rung: Rung, stand: _Stand | None) -> tuple[Climbed, _Stand | None]:
        config = self._config(rung, stand)
        self.made.tell(Stage(f"{rung.name}: verifying"))
        program = self._verified(rung, config)
        if isinstance(program, Failure):
            return self._row(rung, stand, config, reason=describe(program)), stand
        if stand is None:
            return self._start(rung, config, program)
        self.made.tell(Stage(f"{rung.name}: comparing with {stand.name}"))
        duel = timing.duel(self.made, self.workload, stand.program, program, PairedTest(margin=self.margin), self.noise)
        if not isinstance(duel, timing.Duel):
            return self._row(rung, stand, config, reason=describe(duel)), stand
        kept = duel.comparison.verdict is Verdict.FASTER
        row = self._row(rung, stand, config, duel.candidate.call_ns, duel.comparison, duel.comparison.reason, kept=kept)
        return row, _Stand(rung.name, config, program, duel.candidate.call_ns) if kept else stand

    def _config(self, rung: Rung, stand: _Stand | None) -> Config:
        """Return what the rung changes of the last one that paid, not of one that was left out."""
        own = {**rung.config, **rung.config_on.get(self.made.device.target, {})}
        if stand is None:
            return self.kernel.implementation().start.replace(**{**self.ladder.start, **own})
        return stand.config.replace(**own)

    def _verified(self, rung: Rung, config: Config) -> Program | Failure:
        if rung.problem or rung.options or rung.wave or rung.mode:
            return NotApplicable("changes the problem or the compiler, so it is only compiled, not compared")
        variant = Variant(self.kernel.implementation(), config)
        try:
            program = self.workload.program(variant)
        except ValueError as reason:
            return NotApplicable(str(reason))
        built = self.made.engine.build(program)
        if not isinstance(built, Artifact):
            return built
        answer = checking.check(
            self.made, self.workload, Subject.of(variant, self.workload.problem, self.workload.device)
        ).answer
        return program if isinstance(answer, CheckReport) else answer

    def _start(self, rung: Rung, config: Config, program: Program) -> tuple[Climbed, _Stand]:
        self.first, self.start = program, config
        self.made.tell(Stage("measuring the noise floor"))
        noise = timing.noise(self.made, self.workload, program)
        self.noise = noise.floor if isinstance(noise, timing.Noise) else None
        alone = timing.measure(self.made, self.workload, program, timing.SLOW_ROUNDS)
        call_ns = alone.measured.call_ns if isinstance(alone, timing.Alone) else None
        return self._row(rung, None, config, call_ns, kept=True), _Stand(rung.name, config, program, call_ns)

    def _row(
        self,
        rung: Rung,
        stand: _Stand | None,
        config: Config,
        call_ns: float | None = None,
        comparison: Comparison | None = None,
        reason: str = "",
        *,
        kept: bool = False,
    ) -> Climbed:
        work = self.kernel.work(self.workload.problem)
        return Climbed(
            rung=rung,
            over=stand.name if stand else "",
            config=str(config),
            call_ns=call_ns,
            flops_per_s=1e9 * work.flops / call_ns if call_ns else None,
            comparison=comparison,
            kept=kept,
            reason=reason,
        )

    def _total(self, stand: _Stand | None) -> Comparison | None:
        if stand is None or self.first is None or stand.program is self.first:
            return None
        self.made.tell(Stage(f"comparing {stand.name} with the first rung"))
        duel = timing.duel(
            self.made, self.workload, self.first, stand.program, PairedTest(margin=self.margin), self.noise
        )
        return duel.comparison if isinstance(duel, timing.Duel) else None

    def _second(self, stand: _Stand | None) -> Second | None:
        """Return what another device says of the last rung and the first."""
        if stand is None or self.first is None or stand.program is self.first or self.start is None:
            return None
        implementation, workload = self.kernel.implementation(), self.workload
        subjects = [
            Subject.of(Variant(implementation, config), workload.problem, workload.device)
            for config in (self.start, stand.config)
        ]
        contenders = list(zip(subjects, (self.first, stand.program), strict=True))
        return second(self.made, workload, contenders, PairedTest(margin=self.margin))

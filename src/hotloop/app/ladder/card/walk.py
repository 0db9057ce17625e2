"""One walk up a ladder on an NVIDIA card: rungs through the engine, verified, timed in pairs, explained by what moved."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from importlib import metadata
from math import inf
from pathlib import Path
from typing import TYPE_CHECKING

from hotloop.app.events import Stage
from hotloop.app.ladder.card import code, counts
from hotloop.app.ladder.card.rows import row
from hotloop.app.ladder.second import second
from hotloop.app.ladder.subjects import problem_of, subject_of, verified_on
from hotloop.app.run import checking, rivals, timing
from hotloop.app.run.inputs.workload import Workload
from hotloop.host import scratch
from hotloop.model.check import CheckReport
from hotloop.model.ladder import Ladder, Rung
from hotloop.model.outcome import Artifact, Measured, WrongResult, describe
from hotloop.model.subject import Subject
from hotloop.model.verdict import Comparison
from hotloop.report.ladder.cardview import CardRungView, CardView, PeerView
from hotloop.report.ladder.view import Second
from hotloop.stats.paired import PairedTest

if TYPE_CHECKING:
    from hotloop.app.desk import Desk
    from hotloop.model.kernel import Kernel, Peer
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program

Samples = tuple[tuple[float, ...], tuple[float, ...]]
Keep = Callable[[CardView], None]
_DRIVER_IS = {"cuda": "driver"}
"""What a backend reports as its driver version: that of the kernel module, otherwise the CUDA version that PyTorch was built with."""


@dataclass(slots=True)
class Standing:
    """What is known of a rung so far."""

    rung: Rung
    workload: Workload
    code: code.Code
    program: Program | None = None
    """Verified on the problem that is timed; None: refused."""
    errors: tuple[float, ...] = ()
    over: str = ""
    call_ns: float | None = None
    comparison: Comparison | None = None
    samples_ms: Samples = field(default=((), ()))


class Walk:
    """All rungs on one device."""

    def __init__(
        self, desk: Desk, kernel: Kernel, ladder: Ladder, margin: float, device_name: str = "", budget_s: float = inf
    ) -> None:
        self.desk, self.kernel, self.ladder = desk, kernel, ladder
        self.end_s = desk.clock.monotonic_s() + budget_s
        """When nothing more is begun, by the desk's clock."""
        self.device_name = device_name
        """By which the device was selected; empty: the first that works."""
        self.test = PairedTest(margin=margin)
        self.standing: dict[str, Standing] = {}
        self._workloads: dict[Problem, Workload] = {}
        self.second: Second | None = None

    def run(self, names: tuple[str, ...], *, counters: bool, keep: Keep | None) -> CardView:
        """Return the named rungs and those below them with verdicts; `keep` gets what there is after every step."""
        report = keep or (lambda _made: None)
        no_counters = "not yet counted" if counters else "left out"
        for rung in self.ladder.chosen(names):
            if self._late():
                self._tell(f"{rung.name}: left out, the time is over")
                continue
            self._tell(f"{rung.name}: compiling and verifying")
            standing = self.standing[rung.name] = self._verified(rung)
            self._compare(standing)
            report(self._view(None, (), no_counters))
        best = self._view(None, (), "").best
        top = self.standing[best.rung.name] if best and not self._late() else None
        total, peers = self._total(top), self._peers(top)
        self.second = self._second(top) if total else None
        report(made := self._view(total, peers, no_counters))
        if not counters:
            return made
        return self._view(total, peers, self._count(lambda: report(self._view(total, peers, no_counters))))

    def _late(self) -> bool:
        return self.desk.clock.monotonic_s() >= self.end_s

    def _tell(self, words: str) -> None:
        self.desk.tell(Stage(words))

    def _workload(self, rung: Rung) -> Workload:
        """Return inputs and references of a rung's problem, made once."""
        problem, desk = problem_of(self.kernel, self.ladder, rung), self.desk
        if problem not in self._workloads:
            kernel, prefix = verified_on(self.kernel, self.ladder, problem), f"problem{len(self._workloads)}-"
            self._workloads[problem] = Workload(desk.engine, kernel, problem, desk.device, desk.seed, prefix)
        return self._workloads[problem]

    def _verified(self, rung: Rung) -> Standing:
        standing = Standing(rung, self._workload(rung), code.Code())
        problem, device = standing.workload.problem, self.desk.device
        subject = subject_of(self.kernel, self.ladder, rung, problem, device)
        try:
            planned = subject.plan(problem, device)
        except ValueError as reason:
            return self._refused(standing, str(reason))
        assert planned is not None
        program = planned.resolved(standing.workload.timed().scalars)
        built = self.desk.engine.build(program)
        if not isinstance(built, Artifact):
            return self._refused(standing, describe(built))
        answer = checking.check(self.desk, standing.workload, subject).answer
        report = answer.check if isinstance(answer, WrongResult) else answer
        if isinstance(report, CheckReport):
            standing.errors = tuple(case.worst_ratio for case in report.cases if case.worst_ratio is not None)
        standing.code = code.of_program(self.desk.engine, program, built, self.desk.device)
        if not isinstance(answer, CheckReport):
            return self._refused(standing, describe(answer))
        standing.program = program
        return standing

    def _refused(self, standing: Standing, why: str) -> Standing:
        standing.program, standing.code = None, replace(standing.code, failure=why)
        return standing

    def _below(self, standing: Standing) -> Standing | None:
        """Return the nearest rung below that is right."""
        below = self.standing.get(standing.rung.after)
        while below is not None and below.program is None:
            below = self.standing.get(below.rung.after)
        return below

    def _compare(self, standing: Standing) -> None:
        below = self._below(standing)
        if below is None or below.program is None or standing.program is None:
            return
        self._tell(f"{standing.rung.name}: comparing with {below.rung.name}")
        standing.over = below.rung.name
        duel = timing.duel(self.desk, standing.workload, below.program, standing.program, self.test)
        if not isinstance(duel, timing.Duel):
            self._refused(standing, describe(duel))
            return
        standing.comparison, standing.call_ns = duel.comparison, duel.candidate.call_ns
        standing.samples_ms = _times_ms(duel.incumbent), _times_ms(duel.candidate)
        below.call_ns = below.call_ns or duel.incumbent.call_ns

    def _total(self, top: Standing | None) -> Comparison | None:
        first = next((standing for standing in self.standing.values() if standing.program is not None), None)
        if top is None or first is None or top is first or top.workload is not first.workload:
            return None
        if top.program is None or first.program is None:
            return None
        self._tell(f"comparing {top.rung.name} with {first.rung.name}")
        duel = timing.duel(self.desk, top.workload, first.program, top.program, self.test)
        return duel.comparison if isinstance(duel, timing.Duel) else None

    def _second(self, top: Standing | None) -> Second | None:
        """Return what another device says of the top and the first rung, which have been compared here."""
        first = next((standing for standing in self.standing.values() if standing.program is not None), None)
        if top is None or first is None or top.program is None or first.program is None:
            return None
        problem, device = top.workload.problem, self.desk.device
        subjects = [subject_of(self.kernel, self.ladder, climber.rung, problem, device) for climber in (first, top)]
        contenders = list(zip(subjects, (first.program, top.program), strict=True))
        return second(self.desk, top.workload, contenders, self.test)

    def _peers(self, top: Standing | None) -> tuple[PeerView, ...]:
        if top is None or top.program is None:
            return ()
        return tuple(self._peer(top, top.program, peer) for peer in self.kernel.peers_on(self.desk.device))

    def _peer(self, top: Standing, program: Program, peer: Peer) -> PeerView:
        self._tell(f"comparing {top.rung.name} with {peer.name}")
        subject = Subject.peer(peer, top.workload.problem, self.desk.device)
        result = rivals.meet(self.desk, top.workload, program, subject, self.test)
        if not isinstance(result.outcome, Measured):
            return PeerView(
                name=peer.name, rung=top.rung.name, call_ns=None, comparison=None, failure=describe(result.outcome)
            )
        return PeerView(
            name=peer.name, rung=top.rung.name, call_ns=result.outcome.call_ns, comparison=result.comparison,
            samples_ms=(_times_ms(result.outcome), ()),
        )  # fmt: skip

    def _count(self, told: Callable[[], None]) -> str:
        """Add what Nsight Compute counts, and call `told` after each rung; returns why it did not, or not all."""
        asked = [
            counts.Asked(name, climber.program, climber.workload.sets()[0])
            for name, climber in self.standing.items()
            if climber.program is not None
        ]
        with scratch.folder() as folder:
            counter = counts.Counter(self.desk, self.device_name, Path(folder))
            for place, climber in enumerate(asked):
                if self._late():
                    return f"the time was over before {len(asked) - place} of {len(asked)} rungs were counted"
                self._tell(f"{climber.name}: counting with Nsight Compute")
                facts, why = counter.count(climber)
                if why:
                    return why
                standing = self.standing[climber.name]
                standing.code = replace(standing.code, facts={**standing.code.facts, **facts})
                told()
        return ""

    def _view(self, total: Comparison | None, peers: tuple[PeerView, ...], no_counters: str) -> CardView:
        rows = tuple(self._row(standing) for standing in self.standing.values())
        return CardView(
            ladder=self.ladder, target=self.desk.device.target, rungs=rows, device=self._device(), peers=peers,
            total=total, no_counters=no_counters, top=peers[0].rung if peers else "", second=self.second,
        )  # fmt: skip

    def _device(self) -> Mapping[str, str | int]:
        device = self.desk.device
        described: dict[str, str | int] = {
            "name": device.name,
            "target": device.target,
            "multiprocessors": device.compute_units,
            "driver": f"{_DRIVER_IS.get(device.backend, 'CUDA')} {device.driver}",
        }
        return described | {name: version for name in ("torch", "triton") if (version := _version(name))}

    def _row(self, standing: Standing) -> CardRungView:
        rung, call_ns = standing.rung, standing.call_ns
        below = self.standing.get(standing.over or rung.after)
        work = self.kernel.work(standing.workload.problem)
        return replace(
            row(self.ladder, rung, standing.over, standing.code, below.code if below else None),
            errors=standing.errors,
            call_ns=call_ns,
            flops_per_s=1e9 * work.flops / call_ns if call_ns else None,
            bytes_per_s=1e9 * work.bytes / call_ns if call_ns else None,
            comparison=standing.comparison,
            samples_ms=standing.samples_ms,
        )


def _times_ms(measured: Measured) -> tuple[float, ...]:
    """Return the time of a call in each sample, by the device's clock where it has one."""
    return tuple((s.device_ns if s.device_ns is not None else s.wall_ns) / s.calls / 1e6 for s in measured.samples)


def _version(package: str) -> str:
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return ""

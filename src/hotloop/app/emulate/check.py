"""The usual verification with the executor as device: every case of a level, judged against the float64 reference."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from math import inf

from hotloop.app import spec as specs
from hotloop.app.code import offline
from hotloop.app.emulate import ask, judged
from hotloop.app.emulate.execute import Adversary
from hotloop.app.events import Checked, Listener
from hotloop.app.run.faceoff import CheckAnswer
from hotloop.emulate.answer import Answer
from hotloop.errors import UsageError
from hotloop.host.clock import SystemClock
from hotloop.model.check import CaseResult, CheckReport
from hotloop.model.kernel import Kernel
from hotloop.model.outcome import LaunchFailed, NotApplicable, WrongResult
from hotloop.model.problem import Problem
from hotloop.targets.target import Target
from hotloop.verify.cases import Case, Level, cases, declared, tamed


def check(
    parsed: specs.Spec, problem: Problem, target: str, listener: Listener, level: Level = "quick", seed: int = 1, *, shrink: bool = True
) -> CheckAnswer:  # fmt: skip
    """Verify a variant by executing its code for a processor that is not here.

    Args:
        parsed: kernel and variant.
        problem: what was asked for.
        target: processor.
        listener: is told of each case.
        level: how many cases.
        seed: of the inputs.
        shrink: make a problem smaller that would take longer than seconds.

    Raises:
        UsageError: it does not compile, or cannot be executed.
    """
    aim = Target.parse(target)
    if not (aim.amd and aim.wave_sizes):
        raise UsageError(f"{aim.name} cannot be emulated; AMD's gfx942, gfx950, gfx1012, gfx1100 and others can.")
    device = replace(offline.device_for(aim), name=f"{aim.name}, emulated", runtime="emulation", runtime_key="emulated")
    asked = judged.smaller(parsed.kernel, problem) if shrink else problem
    pose, results = ask.poser(parsed, aim), list[CaseResult]()
    every = tuple(tamed(case, parsed.chosen.spreads) for case in cases(parsed.kernel, asked, level, seed))
    for case in _affordable(parsed.kernel, every):
        try:
            run = judged.attempt if case.added else judged.run
            answer = run(parsed.kernel, case, pose, Adversary())
        except UsageError as reason:
            if case.added or _ruled_out(reason):
                continue
            return CheckAnswer(parsed.text, device, LaunchFailed(str(reason)))
        if answer is None:
            continue
        assert answer.result is not None
        results.append(answer.result)
        listener.notify(Checked(answer.result.problem, answer.result.distribution, answer.passed, _reason(answer)))
        if answer.findings:
            return CheckAnswer(parsed.text, device, LaunchFailed(_reason(answer)))
        if not answer.passed:
            break
    if not results:
        return CheckAnswer(parsed.text, device, NotApplicable("no verification case applies to this configuration"))
    report = CheckReport(tuple(results))
    return CheckAnswer(parsed.text, device, report if report.passed else WrongResult(report))


def _affordable(kernel: Kernel, every: tuple[Case, ...]) -> Iterator[Case]:
    """Yield the cases of a file, then those that hotloop chose, small ones first and as long as there is time for them.

    In the time that one kind of input takes at the asked size all of them are met at small ones.
    """
    yield from (case for case in declared(every) if kernel.work(case.problem).flops <= 4 * judged.MOST_FLOPS)
    clock = SystemClock()
    began_s = clock.computing_s()
    sized = [(size, case) for case in every if case.added and (size := _size(kernel, case.problem)) <= _ADDED_WORK]
    for _, case in sorted(sized, key=lambda one: one[0]):
        if clock.computing_s() - began_s > _ADDED_S:
            return
        yield case


def _size(kernel: Kernel, problem: Problem) -> float:
    """Return the flops or bytes of a problem, whichever are more; infinity where the file's function refuses it."""
    try:
        work = kernel.work(problem)
    except Exception:  # noqa: BLE001 - nobody promised the file's functions such sizes
        return inf
    return max(work.flops, work.bytes)


_ADDED_S, _ADDED_WORK = 8.0, 1 << 20
"""Processor time in s after which no further case is tried that hotloop chose, and the most flops and bytes of one."""


def _ruled_out(reason: UsageError) -> bool:
    return isinstance(reason.__context__, ValueError)


def _reason(answer: Answer) -> str:
    if answer.findings:
        first = answer.findings[0]
        more = f" (and {len(answer.findings) - 1} more)" if len(answer.findings) > 1 else ""
        return f"{first.finding.trouble} in {first.kernel}, line {first.finding.line}: {first.finding.text}{more}"
    return answer.result.reason if answer.result else ""

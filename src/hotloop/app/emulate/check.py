"""The usual verification with the executor as device: every case of a level, judged against the float64 reference."""

from __future__ import annotations

from dataclasses import replace

from hotloop.app import spec as specs
from hotloop.app.code import offline
from hotloop.app.emulate import ask, judged
from hotloop.app.emulate.execute import Adversary
from hotloop.app.events import Checked, Listener
from hotloop.app.run.faceoff import CheckAnswer
from hotloop.emulate.answer import Answer
from hotloop.errors import UsageError
from hotloop.model.check import CaseResult, CheckReport
from hotloop.model.outcome import LaunchFailed, NotApplicable, WrongResult
from hotloop.model.problem import Problem
from hotloop.targets.target import Target
from hotloop.verify.cases import Level, cases, declared


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
    for case in declared(cases(parsed.kernel, asked, level, seed)):
        if parsed.kernel.work(case.problem).flops > 4 * judged.MOST_FLOPS:
            continue
        try:
            answer = judged.run(parsed.kernel, case, pose, Adversary())
        except UsageError as reason:
            if _ruled_out(reason):
                continue
            return CheckAnswer(parsed.text, device, LaunchFailed(str(reason)))
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


def _ruled_out(reason: UsageError) -> bool:
    return isinstance(reason.__context__, ValueError)


def _reason(answer: Answer) -> str:
    if answer.findings:
        first = answer.findings[0]
        more = f" (and {len(answer.findings) - 1} more)" if len(answer.findings) > 1 else ""
        return f"{first.finding.trouble} in {first.kernel}, line {first.finding.line}: {first.finding.text}{more}"
    return answer.result.reason if answer.result else ""

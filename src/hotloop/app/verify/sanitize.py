"""The use case `check --sanitize`: small problems on a simulator that sees races and wild accesses.

A CPU runtime runs the work-items of a group in an order that hides races, and a read beyond an array that changes no
result is right by luck; "verified on the CPU" therefore needs this beside it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from hotloop.app.desk import Desk, MemoryJournal
from hotloop.app.events import Listener, Notice, Stage
from hotloop.app.run.inputs.sizes import size_bytes
from hotloop.app.run.inputs.workload import Workload
from hotloop.app.session import Options, worker_environment
from hotloop.engine.local import LocalEngine
from hotloop.errors import MachineError
from hotloop.host import oclgrind
from hotloop.host.clock import SystemClock
from hotloop.model.outcome import describe
from hotloop.ports import Executed
from hotloop.verify.cases import Case
from hotloop.verify.distributions import NORMAL
from hotloop.verify.judge import judge
from hotloop.verify.mirror import loses
from hotloop.verify.sanitizer import SanitizerFinding, gave_up, merge, parse

if TYPE_CHECKING:
    from hotloop.model.device import Device
    from hotloop.model.kernel import Kernel, Variant
    from hotloop.model.problem import Problem
    from hotloop.model.program import Program

LANGUAGE = "oclgrind"
AFFORDABLE = 1.5e5
"""Multiply-adds, or bytes, of a problem: the simulator manages some 10^5 a second with all checks on."""
MOST_PROBLEMS = 5


@dataclass(frozen=True, slots=True)
class SanitizeAnswer:
    """Defects that the simulator reported."""

    findings: tuple[SanitizerFinding, ...]
    problems: tuple[str, ...]
    """Keys of the problems that were run."""
    failures: tuple[str, ...] = ()
    """Problems that did not run, or whose results were wrong on the simulator."""

    @property
    def silent(self) -> bool:
        """True when the simulator could run none of the problems, as with types that it does not have: it says nothing."""
        return not (self.problems or self.findings or self.failures)

    @property
    def passed(self) -> bool:
        """True when something ran and nothing was found."""
        return bool(self.problems) and not self.findings and not self.failures


_HIDDEN = re.compile(
    r"\b(?:barrier|work_group_barrier)\s*\(|\b(?:__local|local)\b"
    r"|\*\s*\w+\s*(?:[-+|&^]=|\+\+|--)|\(\s*\*\s*\w+\s*\)\s*(?:[-+|&^]=|\+\+|--)|(?:\+\+|--)\s*\(?\s*\*"
)
"""Local memory and barriers; and additions to what a pointer leads to, which all work-items may do at once, as to places read from an array."""


_STAND = (
    "local memory, barriers or additions that may meet stand in the source, and nobody looked at them as a GPU would"
)


def hides(variant: Variant, problem: Problem, device: Device) -> bool:
    """Tell whether a variant has what a CPU may get right by luck, in OpenCL C: local memory, barriers, or additions that meet."""
    if variant.implementation.language != "opencl":
        return False
    try:
        text = variant.program(problem, device).source
        return bool(_HIDDEN.search(text)) or loses(text)
    except ValueError:  # it does not apply to the problem
        return False


def absent() -> str:
    """Return why the simulator was not asked, one sentence; empty where it is there."""
    try:
        oclgrind.library()
    except MachineError as reason:
        return f"{_STAND}: {reason}"
    return ""


SILENT = f"{_STAND}: oclgrind can run none of the problems"


def sanitize(
    kernel: Kernel, variant: Variant, problem: Problem, options: Options, listener: Listener
) -> SanitizeAnswer:
    """Run a variant on the kernel's small problems under oclgrind.

    Raises:
        MachineError: oclgrind is not installed.
    """
    passes = [_simulated(kernel, variant, problem, options, listener, check) for check in oclgrind.CHECKS]
    return SanitizeAnswer(
        merge(finding for run in passes for finding in run.findings),
        tuple(dict.fromkeys(key for run in passes for key in run.problems)),
        tuple(dict.fromkeys(failure for run in passes for failure in run.failures)),
    )


def _simulated(
    kernel: Kernel, variant: Variant, problem: Problem, options: Options, listener: Listener, check: str
) -> SanitizeAnswer:
    """Run the small problems once, with one of the simulator's checks on."""
    failures: list[str] = []
    problems: list[str] = []
    with oclgrind.session(check) as session:
        environment = worker_environment() | session.environment
        with LocalEngine(environment, build_limit_s=options.limit_s, run_limit_s=options.limit_s) as engine:
            device = engine.select("", LANGUAGE)
            made = Desk(engine, device, MemoryJournal(), SystemClock(), listener=listener, seed=options.seed)
            for small in _affordable(kernel, problem, made):
                made.tell(Stage(f"simulating {small.key}"))
                failure = _run(made, kernel, variant, small)
                if failure is None:
                    continue
                problems.append(small.key)
                failures += [f"{small.key}: {failure}"] if failure else []
        log = session.read()
    failures += [f"oclgrind gave up: {reason}" for reason in gave_up(log)]
    return SanitizeAnswer(parse(log), tuple(problems), tuple(failures))


def _affordable(kernel: Kernel, problem: Problem, made: Desk) -> list[Problem]:
    """Return a few problems that the simulator can run in seconds, the largest first; the smallest if none can."""
    every = sorted(dict.fromkeys((problem, *kernel.awkward(problem))), key=lambda p: _cost(kernel, p))
    small = [case for case in every if _cost(kernel, case) <= AFFORDABLE]
    if not small:
        made.tell(Notice(f"all problems are large for a simulator; running {every[0].key} may take long"))
        return every[:1]
    return small[::-1][:MOST_PROBLEMS]


def _cost(kernel: Kernel, problem: Problem) -> float:
    work = kernel.work(problem)
    if work.flops > 0:
        return work.flops / 2
    from numpy.random import default_rng

    return float(sum(size_bytes(value) for value in kernel.inputs(problem, default_rng(0)).values()))


def _simulable(program: Program) -> Program:
    """Return the program for the simulator; optimised code has instructions (``freeze``) that its checks do not know."""
    return replace(program, language=LANGUAGE, options=(*program.options, "-cl-opt-disable"))


def _run(made: Desk, kernel: Kernel, variant: Variant, problem: Problem) -> str | None:
    """Run one problem; returns why it failed, an empty text, or None when the configuration does not apply."""
    workload = Workload(made.engine, kernel, problem, made.device, made.seed)
    case = Case(problem, NORMAL, made.seed, 0)
    prepared = workload.prepare(case)
    try:
        program = _simulable(variant.program(problem, made.device)).resolved(prepared.scalars)
    except ValueError:
        made.engine.discard(prepared.dataset)
        return None
    ran = made.engine.execute(program, prepared.dataset)
    made.engine.discard(prepared.dataset)
    if not isinstance(ran, Executed):
        return describe(ran)
    return judge(kernel, case, prepared.inputs, ran.arrays, expected=prepared.expected).reason

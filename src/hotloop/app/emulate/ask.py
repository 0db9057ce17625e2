"""The use case `emulate`: a listing, a source file, a family's variant or a ladder's rung, executed."""

from __future__ import annotations

import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING

import numpy as np

from hotloop.app import spec as specs
from hotloop.app import userfile
from hotloop.app.code import content, offline
from hotloop.app.emulate import automatic, compiled, hollow, judged, launched, objects, rung
from hotloop.app.emulate.execute import Adversary, execute
from hotloop.app.emulate.preprocessed import Preprocessed
from hotloop.app.emulate.task import Hollow, Task
from hotloop.emulate import program as executable
from hotloop.emulate.answer import Answer
from hotloop.errors import HotloopError, KernelFileError, UsageError
from hotloop.targets.target import Target
from hotloop.verify.cases import cases, draw

if TYPE_CHECKING:
    from hotloop.app.emulate.judged import Pose
    from hotloop.compilers.offer import Compiled
    from hotloop.model.kernel import Inputs, Kernel
    from hotloop.model.problem import Problem
    from hotloop.verify.cases import Case

_OBJECTS = frozenset({".hsaco", ".o", ".co", ".out"})
_LAUNCH = "e.g. --grid 16 --arg x=f32:4096 --arg n=i32:=4096 -P BLOCK=256"
_JITTED = re.compile(r"^@(?:triton|gluon)\.jit\b[^\n]*\n(?:@[^\n]*\n)*def (\w+)", re.MULTILINE)
"""Functions of Triton and Gluon in a file's text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(launched.Described):
    """A kernel to execute on the CPU, and how thoroughly."""

    target: str = ""
    rung: str = ""
    how: Adversary = field(default_factory=Adversary)


def emulate(request: Request) -> Answer:
    """Execute what a request names.

    Raises:
        UsageError: it cannot be read, compiled or executed; the sentence says what is missing.
        MissingExtraError: a compiler is not installed.
    """
    task = _own(request)
    if task is not None:
        return execute(task, request.how)
    kernel, case, pose = _known(request)
    return judged.run(kernel, case, pose, request.how)


def task_of(request: Request) -> Task:
    """Return what a request names without executing it; raises as `emulate`."""
    task = _own(request)
    if task is not None:
        return task
    kernel, case, pose = _known(request)
    return pose(case.problem, draw(kernel, case), case.poison)


def _own(request: Request) -> Task | None:
    """Return the task of a file with given arguments; None: the kernel knows its own inputs."""
    path = request.path
    given = Preprocessed(request.folders, request.macros)
    if not request.rung and (
        path.suffix in launched.SOURCES or (request.given and path.suffix not in launched.LISTINGS | _OBJECTS)
    ):
        return _compiled(request, given)
    given.refuse(request.text)
    if request.rung:
        return None
    _refuse_unread(request)
    if path.suffix in launched.LISTINGS:
        text = launched.text(path)
        with content.told(str(path)):
            return _launched(request, executable.load(text, request.kernel, request.target), text)
    if path.suffix in _OBJECTS:
        return _launched(request, *objects.read(path, request.target, request.kernel))
    return None


def _refuse_unread(request: Request) -> None:
    """Refuse a file of a kind that nothing here reads. Raises UsageError."""
    path = request.path
    kinds = (*sorted(launched.SOURCES), ".py", *sorted(launched.LISTINGS), *sorted(_OBJECTS))
    if not path.suffix[1:].isalpha() or path.suffix in kinds or "@" in request.text or path.is_dir():
        return
    what = f"{path} is none of the files that are executed" if path.exists() else f"there is no file {path}"
    raise UsageError(f"{what}: their names end in {', '.join(kinds[:-1])} or {kinds[-1]}.")


def _launched(request: Request, program: executable.Program, listing: str, code: Compiled | None = None) -> Task:
    return launched.task(request, program, listing, np.random.default_rng(request.seed), code)


def _compiled(request: Request, given: Preprocessed) -> Task:
    """Return the launch of a source file's kernel."""

    def built(more: tuple[str, ...] = ()) -> tuple[Task, Compiled]:
        code = compiled.of_source(request.text, _target(request), request.parameters, given, more, request.given)
        program = executable.load(code.listing, request.kernel or code.kernel, request.target)
        return _launched(request, program, code.listing, code), code

    task, code = built()
    unset = automatic.arrays(launched.text(request.path)) if request.path.suffix in launched.SOURCES else ()
    if not (fills := hollow.fills(code, unset)):
        return task
    try:
        zero, pattern = (built(more)[0].steps[0] for more in fills)
    except (
        HotloopError
    ):  # older ones than clang 16 do not begin variables with zeros for anybody, and other code may not be modelled
        return task
    file, line, text = hollow.said(code, str(request.path), unset)
    return replace(task, hollow=Hollow(text=text, file=file, line=line, steps=(zero, pattern)))


def _known(request: Request) -> tuple[Kernel, Case, Pose]:
    """Return the case of a rung, a family's variant or a kernel file."""
    request.refuse_launch(*(("--shape", "--param") if request.rung else ()))
    if request.rung:
        kernel, pose = rung.of(request.text, request.rung, _target(request).name)
        return kernel, cases(kernel, kernel.problem, "quick", request.seed)[0], pose
    kernel, pose, problem = _variant(request)
    return kernel, cases(kernel, problem, "quick", request.seed)[0], pose


def _target(request: Request) -> Target:
    if not request.target:
        raise UsageError(f"{request.text} must be compiled for a processor: name one, e.g. --target gfx942 or gfx1100.")
    aim = Target.parse(request.target)
    if not aim.amd:
        raise UsageError(
            f"{aim.name} cannot be emulated; AMD's gfx90a, gfx942, gfx950, gfx1012, gfx103x, gfx110x, gfx1201 can."
        )
    return aim


def _variant(request: Request) -> tuple[Kernel, Pose, Problem]:
    """Return a family's kernel, how its tasks are made, and a problem that is executed in seconds."""
    parsed = _parsed(request)
    if parsed.best:
        raise UsageError(f"{request.text}: what is best is not looked up for this; name its values.")
    parsed = replace(parsed, changes=tuple({**dict(parsed.changes), **request.parameters}.items()))
    problem = userfile.problem_of(parsed.kernel, request.shape)
    if not request.shape:
        problem = judged.smaller(parsed.kernel, problem)
    return parsed.kernel, poser(parsed, _target(request)), problem


def _parsed(request: Request) -> specs.Spec:
    try:
        return specs.parse(request.text)
    except KernelFileError as error:
        functions = _JITTED.findall(launched.text(request.path)) if request.path.suffix == ".py" else []
        if not functions:
            raise
        raise KernelFileError(
            f"{error} A jitted function is executed as {request.path}:{functions[0]} with its launch, {_LAUNCH}."
        ) from None


def poser(parsed: specs.Spec, target: Target) -> Pose:
    """Return how tasks of a variant are made: planned, compiled once for each source, launched."""
    variant = userfile.starting(parsed.kernel, parsed.implementation, dict(parsed.changes))
    compiled_for: dict[str, compiled.Code] = {}

    def pose(problem: Problem, inputs: Inputs, pattern: int) -> Task:
        try:
            program = variant.program(problem, offline.device_for(target))
        except ValueError as reason:
            raise UsageError(f"{variant.label} on {problem.key}: {reason}.") from None
        if program.build_key not in compiled_for:
            compiled_for[program.build_key] = compiled.compiled(program, target)
        return compiled.task(variant.label, program, compiled_for[program.build_key], inputs, pattern)

    return pose

"""Predicting what a text names, on one target or several."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from hotloop.app import spec as specs
from hotloop.app import userfile
from hotloop.app.code import content, offline
from hotloop.app.emulate import compiled, launched
from hotloop.app.emulate.preprocessed import Preprocessed
from hotloop.app.emulate.task import Step, Task
from hotloop.app.predict import unrolled
from hotloop.app.predict.quiet import Quiet
from hotloop.emulate import program as executable
from hotloop.emulate.launch import Launch
from hotloop.emulate.memory import Blank
from hotloop.errors import UsageError
from hotloop.isa.dialects.amdgcn import DIALECT
from hotloop.predict.answer import Prediction
from hotloop.predict.ask import Kernel, ask
from hotloop.predict.card import Card, card
from hotloop.predict.sequence import Sequel, sequel
from hotloop.targets.target import Target

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    from hotloop.compilers.offer import Compiled
    from hotloop.model.kernel import Inputs

_MOST_BYTES = 1 << 28
"""Size from which an array's contents are not used for a prediction: they would cost more time and memory than the groups that are executed."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Request(launched.Described):
    """A kernel and the GPUs for which its time is predicted."""

    targets: Sequence[str] = ()
    chip: str = ""
    """The chip as it is sold; empty: the default chip of each target."""
    implementation: str = ""
    """Implementation of a family; empty: the one that the text names, or the family's first."""


def predict(request: Request, tell: Callable[[str], object] = lambda _: None) -> tuple[Sequel, ...]:
    """Return the prediction for each target, and `tell` what is done in the meantime.

    Raises:
        UsageError: it cannot be read, compiled or executed, or nothing is known of the chip.
        MissingExtraError: a compiler is not installed.
    """
    for target in request.targets:  # before anything is compiled: is the chip known, and is it one of these?
        aim = Target.parse(target)
        if aim.amd:
            _card(request, aim.name)
    return tuple(_predicted(request, target, tell) for target in request.targets or ("",))


def _predicted(request: Request, target: str, tell: Callable[[str], object]) -> Sequel:
    tell(f"compiling {request.text}" + (f" for {target}" if target else ""))
    task, doubts = _task(request, target)
    tell(f"executing work-groups of {task.label} on this CPU")
    return of_task(task, _card(request, task.target), doubts)


def _card(request: Request, target: str) -> Card:
    """Return the card that code for a target is to run on. Raises UsageError where the chip is not known, or is another."""
    device = card(request.chip or target)
    if device.target.name != Target.of(target).name:
        raise UsageError(
            f"{device.name} is a {device.target.name}, the code is for {target}: give --target {device.target.name}."
        )
    return device


def of_task(task: Task, device: Card, doubts: tuple[str, ...] = ()) -> Sequel:
    """Return the prediction of a task's launches one after another, with what speaks against all of them."""
    steps = [_step(step, task, device) for step in task.steps]
    return sequel(
        task.label, device, [replace(prediction, doubts=(*prediction.doubts, *doubts)) for prediction in steps]
    )


def _step(step: Step, task: Task, device: Card) -> Prediction:
    function = next(f for f in DIALECT.parse(step.listing) if f.name == step.program.name)
    values = [_value(item, task) for item in step.arguments]
    launch = Launch(
        arguments=values,
        grid=step.grid,
        workgroup=step.workgroup,
        dynamic_lds_bytes=step.shared_bytes,
        fresh=frozenset(n for n, item in enumerate(step.arguments) if item in task.fresh),
        names=tuple(map(str, step.arguments)),
    )
    return ask(Kernel(step.program, function), launch, device)


def _value(item: Any, task: Task) -> Any:  # noqa: ANN401 - an argument of any kind
    """Return an argument: contents as they were drawn, as they may decide where code goes; of what is too large, or only written, zeros."""
    if not isinstance(item, str):
        return item
    array = task.arrays[item]
    return Blank(array.nbytes, array.itemsize) if item in task.fresh or not _drawn(array) else array


def _drawn(array: NDArray[np.generic]) -> bool:
    return array.nbytes < _MOST_BYTES


def _task(request: Request, target: str) -> tuple[Task, tuple[str, ...]]:
    """Return what is launched, and what its compiler's words say against a prediction."""
    path = request.path
    given = Preprocessed(request.folders, request.macros)
    source = path.suffix in launched.SOURCES or (request.given and path.suffix not in launched.LISTINGS)
    if not source:
        given.refuse(request.text)
    if path.suffix in launched.LISTINGS:
        with content.told(str(path)):
            return _launched(request, launched.text(path), request.kernel, target), ()
    if not target and not source:
        specs.parse(request.text)  # what no kernel is says so before a processor is asked for
    aim = _aim(request, target)
    if source:
        code = compiled.of_source(request.text, aim, request.parameters, given, unrolled.OPTIONS, request.given)
        made = _launched(request, code.listing, request.kernel or code.kernel, target, code)
        return made, unrolled.doubts(code.log, launched.text(path))
    return _variant(request, aim), ()


def _aim(request: Request, target: str) -> Target:
    if not target:
        raise UsageError(f"{request.text} must be compiled for a processor: name one, e.g. --target gfx942 or gfx1100.")
    aim = Target.parse(target)
    if not aim.amd:
        raise UsageError(
            f"times are predicted for AMD GPUs, not for {aim.name}; hotloop isa {request.text} --target {aim.name} times its hot loop."
        )
    return aim


def _launched(request: Request, listing: str, kernel: str, target: str, code: Compiled | None = None) -> Task:
    program = executable.load(listing, kernel, target)
    return launched.task(request, program, listing, Quiet(request.seed), code)


def _variant(request: Request, aim: Target) -> Task:
    request.refuse_launch()
    parsed = specs.parse(request.text)
    if parsed.best:
        raise UsageError(f"{request.text}: what is best is not looked up for this; name its values.")
    kernel = parsed.kernel
    problem = userfile.timed(kernel, request.shape)
    variant = userfile.starting(
        kernel, request.implementation or parsed.implementation, {**dict(parsed.changes), **request.parameters}
    )
    inputs: Inputs = kernel.inputs(problem, Quiet(request.seed))
    try:
        program = variant.program(problem, offline.device_for(aim))
    except ValueError as reason:
        raise UsageError(f"{variant.label} on {problem.key}: {reason}.") from None
    label = f"{variant.label} at {userfile.brief(kernel, problem)}"
    return compiled.task(label, program, compiled.compiled(program, aim), inputs)

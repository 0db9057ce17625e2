"""From programs and rungs to tasks: compiled offline, with the launches and arrays that they are verified with."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np

from hotloop import registry
from hotloop.app.code import offline
from hotloop.app.emulate import arguments, hollow, jitted
from hotloop.app.emulate.task import Step, Task
from hotloop.compilers.offer import Compiled, Compiler, Request
from hotloop.emulate import program as executable
from hotloop.errors import UsageError
from hotloop.model.dtype import dtype_of
from hotloop.model.kernel import Empty
from hotloop.model.outcome import Crashed, NotApplicable, TimedOut, describe
from hotloop.model.program import Array, Launch, Local, Program, Value, three
from hotloop.targets.target import Target
from hotloop.verify import poison

if TYPE_CHECKING:
    from hotloop.app.emulate.preprocessed import Preprocessed
    from hotloop.compilers.offer import Result
    from hotloop.model.kernel import Inputs

_MOST_CHOSEN = 256
"""Work-items of a work-group whose size is left to the implementation: at most so many, and all groups are whole."""
_CLANG, _LINES = frozenset({".hip", ".cl", ".cpp"}), ("-gline-tables-only", *hollow.WARNINGS)
"""Sources that clang compiles, and what makes it write where instructions come from and of variables without a value; Triton always does."""


class UnbuiltError(UsageError):
    """A compiler took too long or was killed: on a machine with less to do, or more memory, it may end well."""


class Code(Protocol):
    """The code of a program's launches for a processor."""

    @property
    def target(self) -> str:
        """Return the processor."""

    def serving(self, launch: Launch) -> tuple[Compiled, Launch]:
        """Return the code of a launch, and the launch with the arguments that it takes. Raises UsageError where it does not compile."""


@dataclass(frozen=True, slots=True)
class Whole:
    """One code for all launches, as C has."""

    code: Compiled

    @property
    def target(self) -> str:
        """Return the processor."""
        return self.code.target

    def serving(self, launch: Launch) -> tuple[Compiled, Launch]:
        """Return the code, and the launch as it is."""
        return self.code, launch


def compiled(program: Program, target: Target) -> Code:
    """Compile a program's source for a target; what Triton and Gluon compile follows when its launches are known.

    Raises:
        UsageError: it does not compile, or its language cannot be.
    """
    if program.language in jitted.LANGUAGES:
        return jitted.Each(program, target)
    if program.language not in ("opencl", "hip"):
        raise UsageError(
            f"programs in {program.language} are not compiled for {target.name} from here; give the file of the kernel, "
            "FILE.py:KERNEL, with its arguments."
        )
    front: Compiler = registry.load(offline.COMPILERS, program.language, "COMPILER")
    entries = {launch.entry for launch in program.launches}
    request = Request(
        source=Path(program.source_name or "kernel.cl"),
        text=program.source,
        target=target,
        kernel=next(iter(entries)) if len(entries) == 1 else "",
        options=program.options,
    )
    return Whole(made(front.compile(request), program.source_name or program.language, target))


def made(result: Result | NotApplicable, what: str, target: Target) -> Compiled:
    """Return what a compiler made. Raises UsageError with its own words when it failed, UnbuiltError where it did not come to its end."""
    if isinstance(result, Compiled):
        return result
    kind = UnbuiltError if isinstance(result, TimedOut | Crashed) else UsageError
    raise kind(f"{what} for {target.name}: {describe(result).rstrip('.')}.")


def task(label: str, program: Program, code: Code, inputs: Inputs, pattern: int = 0) -> Task:
    """Return the task of a program's launches on some inputs; outputs hold a pattern that is no number.

    Args:
        label: for the reader.
        program: launches with arguments.
        code: its code for the target.
        inputs: arrays, `Empty` outputs and scalars.
        pattern: of the poison, as in a verification.
    """
    numbers = {name: value for name, value in inputs.items() if not isinstance(value, np.ndarray | Empty)}
    resolved = program.resolved(numbers)
    arrays, fresh = posed(inputs, pattern)
    for area in program.scratch:
        arrays[area.name] = np.zeros(area.scratch_bytes, np.uint8)
        if not area.zeroed:
            fresh.add(area.name)
    steps = tuple(_served(launch, code) for launch in resolved.launches if launch.work_items)
    return Task(label=label, target=code.target, steps=steps, arrays=arrays, fresh=frozenset(fresh))


def _served(launch: Launch, code: Code) -> Step:
    own, taken = code.serving(launch)
    return step(
        taken, own, executable.load(own.listing, own.kernel, own.target) if own.language in jitted.LANGUAGES else None
    )


def posed(inputs: Inputs, pattern: int = 0) -> tuple[dict[str, Any], set[str]]:
    """Return arrays to execute on, and which of them hold nothing yet."""
    arrays: dict[str, Any] = {}
    fresh = set()
    for name, value in inputs.items():
        if isinstance(value, Empty):
            arrays[name] = np.empty(value.shape, dtype_of(value.dtype))
            poison.fill(arrays[name].reshape(-1).view(np.uint8), value.dtype, pattern)
            fresh.add(name)
        elif isinstance(value, np.ndarray):
            arrays[name] = np.array(value, order="C")
    return arrays, fresh


def step(launch: Launch, code: Compiled, program: executable.Program | None = None) -> Step:
    """Return one launch of compiled code."""
    given: list[Any] = []
    for item in launch.arguments:
        if isinstance(item, Array):
            given.append(item.name)
        elif isinstance(item, Value):
            given.append(np.array(item.value).astype(dtype_of(item.dtype))[()])
        elif isinstance(item, Local):
            given.append(item)
    local = launch.local_size or (_dividing(launch.global_size[0]), *(1,) * (len(launch.global_size) - 1))
    grid = tuple(-(-extent // part) for extent, part in zip(launch.global_size, local, strict=True))
    loaded = program or executable.load(code.listing, launch.entry, code.target)
    values, shared = arguments.laid(given, loaded)
    return Step(
        program=loaded,
        listing=code.listing,
        arguments=values,
        grid=three(grid),
        workgroup=three(local),
        shared_bytes=shared or launched_bytes(code, loaded),
    )


def launched_bytes(code: Compiled, program: executable.Program) -> int:
    """Return the local memory that a launch brings beyond what the code states: all of it with Triton."""
    declared = next((resources.lds_bytes or 0 for resources in code.resources if resources.name == program.name), 0)
    return max(0, declared - program.descriptor.lds_bytes)


def _dividing(extent: int) -> int:
    """Return a size of work-groups that divides an extent, as the one must that an implementation of OpenCL chooses.

    >>> _dividing(4096), _dividing(12000), _dividing(7)
    (256, 250, 7)
    """
    return next(size for size in range(min(_MOST_CHOSEN, extent), 0, -1) if extent % size == 0)


def of_source(
    spec: str, target: Target, parameters: Mapping[str, Any], given: Preprocessed, more: tuple[str, ...] = (),
    launched: Sequence[str] = (),
) -> Compiled:  # fmt: skip
    """Compile a source file that a text names for the arguments that it is `launched` with, with debug lines.

    `more`: what one of the builds is like that `hotloop.app.emulate.hollow` asks for: options of clang, or what masked loads bring.

    Raises:
        UsageError: it does not compile, or an argument is not understood.
    """
    path = Path(spec.partition(":")[0])
    if path.suffix not in _CLANG:
        given.refuse(spec)
    options = (*_LINES, *given.options, *more) if path.suffix in _CLANG else ()
    passed, vacant = arguments.passed(launched), "" if path.suffix in _CLANG else "".join(more)
    result = offline.compile_offline(
        spec, str(target), parameters=parameters, options=options, passed=passed, vacant=vacant
    )
    return made(result, spec, target)

"""A program compiled and ready to be launched on new memory, in a few microseconds of Python a call."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import pyopencl as cl

from hotloop.errors import MachineError, first_line
from hotloop.model.program import Array, Local, Value
from hotloop.ops import memory

if TYPE_CHECKING:
    import threading
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from hotloop.dispatch.choice import Choice
    from hotloop.model.program import Argument, Launch, Program


class Opened(Protocol):
    """What a prepared program needs of an opened device."""

    context: Any
    queue: Any
    in_place: bool
    """True when kernels work on the caller's memory, without copies."""
    scratch: memory.Scratch
    launching: threading.Lock
    """Held while arguments are set and launches submitted."""

    def build(self, program: Program) -> Any:  # noqa: ANN401 - pyopencl is untyped
        """Compile, once per build key. Raises BuildError."""


@dataclass(frozen=True, slots=True)
class Step:
    """One launch with the arguments that change from call to call."""

    kernel: Any
    arrays: tuple[tuple[int, str], ...]
    """(argument position, name of the caller's array)."""
    areas: tuple[tuple[int, str, int], ...]
    """(argument position, name of the scratch area, bytes)."""
    global_size: tuple[int, ...]
    local_size: tuple[int, ...] | None


class Prepared:
    """One choice, compiled for one problem. Safe to run from several threads."""

    def __init__(self, session: Opened, choice: Choice, program: Program) -> None:
        """Compile and set what never changes. Raises BuildError."""
        self.choice = choice
        self._session = session
        built = session.build(program)
        sizes = {area.name: area.scratch_bytes for area in program.scratch}
        self._steps = tuple(_step(built, launch, sizes) for launch in program.launches if launch.work_items)

    def run(self, inputs: Mapping[str, NDArray[Any]], output: str, target: NDArray[Any]) -> None:
        """Run on C-contiguous arrays by name; `target` is written before this returns.

        Raises:
            MachineError: the runtime refused or aborted a launch.
        """
        session = self._session
        try:
            buffers = {
                name: memory.operand(session.context, array, in_place=session.in_place)
                for name, array in inputs.items()
            }
            buffers[output] = memory.result(session.context, target, in_place=session.in_place)
            self._launch(buffers).wait()
            if not session.in_place:
                cl.enqueue_copy(session.queue, target, buffers[output])
        except cl.Error as error:
            message = f"{self.choice.device.name} could not run {self.choice.problem.key}: {first_line(error)}."
            raise MachineError(message) from error

    def _launch(self, buffers: Mapping[str, Any]) -> Any:  # noqa: ANN401
        """Submit all launches and return the last one's event.

        Kernel objects and scratch are shared, so setting arguments and submitting is one critical section; waiting is
        not, and what other threads submit runs after this on the same in-order queue.
        """
        session, event = self._session, None
        with session.launching:
            for step in self._steps:
                kernel = step.kernel
                for index, name in step.arrays:
                    kernel.set_arg(index, buffers[name])
                for index, name, size in step.areas:
                    kernel.set_arg(index, session.scratch.area(name, size))
                event = cl.enqueue_nd_range_kernel(session.queue, kernel, step.global_size, step.local_size)
            session.queue.flush()
        return event


def _step(built: Any, launch: Launch, sizes: Mapping[str, int]) -> Step:  # noqa: ANN401
    kernel = cl.Kernel(built, launch.entry)
    arrays, areas = [], []
    for index, argument in enumerate(launch.arguments):
        if isinstance(argument, Array) and argument.name in sizes:
            areas.append((index, argument.name, sizes[argument.name]))
        elif isinstance(argument, Array):
            arrays.append((index, argument.name))
        else:
            kernel.set_arg(index, _constant(argument))
    return Step(kernel, tuple(arrays), tuple(areas), launch.global_size, launch.local_size)


def _constant(argument: Argument) -> Any:  # noqa: ANN401
    match argument:
        case Value(value=value, dtype=dtype):
            return np.dtype(dtype).type(value)
        case Local(local_bytes=local_bytes):
            return cl.LocalMemory(local_bytes)
        case _:
            raise ValueError(f"argument {argument} has no value that dispatch could pass")


def names(program: Program) -> Sequence[str]:
    """Return the caller's arrays that a program's launches take."""
    areas = {area.name for area in program.scratch}
    arguments = (argument for launch in program.launches for argument in launch.arguments)
    return sorted({a.name for a in arguments if isinstance(a, Array)} - areas)

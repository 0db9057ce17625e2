"""Building blocks of the specimens: kernels as a user would write them, without a file."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.model.kernel import Empty, Implementation, Kernel, Tolerance
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Argument, Array, Launch, Program, Scratch, Value
from hotloop.model.record import Record, Scalar
from hotloop.model.space import Config, Parameter, Space

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from hotloop.model.kernel import Inputs, Outputs

    Wide = NDArray[np.float64]
    Launches = Callable[[Problem, Config], tuple[Launch, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Draft:
    """A kernel in OpenCL C with one configuration, or a few values of one parameter."""

    name: str
    sizes: Record
    source: str
    inputs: Callable[[Problem, np.random.Generator], Inputs]
    reference: Callable[[Problem, Inputs], Outputs]
    launches: Launches
    params: Mapping[str, Sequence[Scalar]]
    awkward: tuple[Mapping[str, Scalar], ...]
    tolerance: Tolerance
    linear: tuple[str, ...] = ()
    scratch: Callable[[Problem, Config], tuple[Scratch, ...]] = lambda _p, _c: ()

    def kernel(self) -> Kernel:
        """Return the kernel."""
        space = Space(tuple(Parameter(name, tuple(values)) for name, values in self.params.items()))
        start = Config({name: values[0] for name, values in self.params.items()})
        return Kernel(
            family=self.name,
            problem=Problem(self.name, self.sizes),
            inputs=self.inputs,
            reference=self.reference,
            work=lambda _problem: Work(0.0, 1.0),
            implementations=(Implementation("opencl", "opencl", space, start, self._plan),),
            tolerance=self.tolerance,
            magnitude=self._magnitude if self.linear else None,
            awkward=lambda problem: tuple(problem.replace(**changes) for changes in self.awkward),
            linear=self.linear,
            origin=f"catalogue specimen {self.name}",
        )

    def _plan(self, problem: Problem, config: Config, _device: object) -> Program:
        macros = tuple(f"-D{name}={value}" for name, value in config.items())
        launches, scratch = self.launches(problem, config), self.scratch(problem, config)
        return Program("opencl", self.source, macros, launches, scratch, f"{self.name}.cl")

    def _magnitude(self, problem: Problem, arrays: Inputs) -> Outputs:
        """Return the reference of absolute values, as the decorator of user files does for linear inputs."""
        return self.reference(
            problem, {k: np.abs(wide(arrays, k)) if k in self.linear else v for k, v in arrays.items()}
        )


def wide(arrays: Inputs, name: str) -> Wide:
    """Return an input as float64; an output that was never written as zeros."""
    value: Any = arrays[name]
    return np.zeros(value.shape) if isinstance(value, Empty) else np.asarray(value, np.float64)


def normal(rng: np.random.Generator, *shape: int) -> NDArray[np.float32]:
    """Return standard normal float32."""
    return rng.standard_normal(shape, np.float32)


def call(
    entry: str, arrays: Sequence[str], numbers: Sequence[int], size: Sequence[int], group: Sequence[int]
) -> Launch:
    """Return a launch whose arguments are arrays, then int32 numbers; the size is rounded up to whole groups."""
    arguments: tuple[Argument, ...] = (*map(Array, arrays), *(Value(number, "int32") for number in numbers))
    whole = tuple(-(-extent // items) * items for extent, items in zip(size, group, strict=True))
    return Launch(entry, arguments, whole, tuple(group))


def fewer_groups(program: Program) -> Program:
    """Return the program whose main launch lacks its last work-group."""
    last = program.launches[-1]
    assert last.local_size is not None
    size = (max(last.local_size[0], last.global_size[0] - last.local_size[0]), *last.global_size[1:])
    return replace(program, launches=(*program.launches[:-1], replace(last, global_size=size)))


def twice(program: Program) -> Program:
    """Return the program with its main launch submitted twice."""
    return replace(program, launches=(*program.launches, *program.launches[-1:]))


def never(program: Program) -> Program:
    """Return the program without any launch."""
    return replace(program, launches=())


def reversed_order(program: Program) -> Program:
    """Return the program with its launches in the opposite order."""
    return replace(program, launches=program.launches[::-1])


def without_first(program: Program) -> Program:
    """Return the program without its first launch, where it has several."""
    return replace(program, launches=program.launches[1:] or program.launches)


def same_array(first: str, second: str) -> Callable[[Program], Program]:
    """Return a change that passes the array `first` where `second` is due."""

    def change(program: Program) -> Program:
        def one(argument: Argument) -> Argument:
            return Array(first) if argument == Array(second) else argument

        launches = tuple(replace(la, arguments=tuple(one(a) for a in la.arguments)) for la in program.launches)
        return replace(program, launches=launches)

    return change

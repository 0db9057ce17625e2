"""What a user's kernel file imports as ``import hotloop as hl``: the decorator and the languages.

    @hl.kernel(problem=dict(n=1 << 24), work=lambda p: hl.Work(flops=2 * p.n, bytes=12 * p.n))
    class saxpy:
        def inputs(p, rng): return dict(a=2.0, x=rng.standard_normal(p.n, "f4"), y=rng.standard_normal(p.n, "f4"))
        def reference(p, a, x, y): return dict(y=a * x.astype("f8") + y)
        opencl = hl.OpenCL("saxpy.cl", entry="saxpy", params=dict(VW=[1, 4, 8]), techniques=dict(VW="vectorize"),
                           global_size=lambda p, c: (p.n // c.VW,))

Inputs are given in kernel argument order: arrays become buffers, numbers are passed by value (a Python float as 32-bit
float, an int as 32-bit int, a NumPy scalar as its own type), `empty` makes an output array. Arrays that the reference
returns are outputs; all others must come back unchanged.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from hotloop.errors import KernelFileError
from hotloop.model.device import Device
from hotloop.model.kernel import Empty, Implementation, Kernel, Tolerance
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Argument, Array, Input, Launch, Program
from hotloop.model.record import Record, Scalar
from hotloop.model.space import Config, Constraint, Parameter, Space

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs

Geometry = Callable[[Problem, Config], tuple[int, ...]]
DEFINED: list[Kernel] = []
"""Kernels in the order in which their decorators ran; read by whoever loads the file."""


def empty(shape: int | tuple[int, ...], dtype: str = "float32") -> Empty:
    """Return an output array for a kernel's inputs: its content is poison until the kernel writes it."""
    import numpy as np

    return Empty((shape,) if isinstance(shape, int) else tuple(shape), np.dtype(dtype).name)


@dataclass(frozen=True)
class OpenCL:
    """An OpenCL C implementation; every parameter reaches the source as a macro of its name."""

    source: str
    """File beside the kernel file, or the source text itself when it contains a newline."""
    entry: str
    params: Mapping[str, Sequence[Scalar]] = field(default_factory=dict)
    global_size: Geometry | None = None
    local_size: Geometry | None = None
    """Work-group size; None leaves it to the runtime."""
    techniques: Mapping[str, str] = field(default_factory=dict)
    """Parameter name to technique name; parameters without one are moved by the search only."""
    constraints: Sequence[Callable[[Config], bool]] = ()
    start: Mapping[str, Scalar] | None = None
    """Where optimize begins; default: the first value of each parameter."""
    args: Sequence[str] | None = None
    """Input names in kernel argument order; default: the order of `inputs`."""
    defines: Callable[[Problem, Config], Mapping[str, object]] | None = None
    """Further macros, such as sizes."""
    options: Sequence[str] = ()
    """Further build options."""
    traits: Callable[[Problem, Config, Device], Mapping[str, float]] | None = None
    """Facts for the rules, such as ``{"config.accumulators": 8}``."""


def kernel(
    *,
    problem: Mapping[str, Scalar],
    work: Callable[[Problem], Work],
    tolerance: Tolerance | None = None,
    awkward: Callable[[Problem], Sequence[Mapping[str, Scalar]]] | None = None,
    linear: Sequence[str] = (),
) -> Callable[[type], Kernel]:
    """Turn a class with ``inputs``, ``reference`` and implementations into a kernel.

    Args:
        problem: default sizes by name.
        work: useful flops and compulsory bytes of a problem.
        tolerance: error bound; default: 4 · eps of the output type times the reference's magnitude.
        awkward: further problems to verify on, as changed sizes.
        linear: arrays in each of which the outputs are linear (both operands of a product, image and taps of a
            convolution). Sums cancel there, so errors are judged by the sum of magnitudes, and more kinds of input
            are tried. A function ``magnitude(p, ...)`` in the class overrides that scale.

    Raises:
        KernelFileError: the class lacks a member, or a member has the wrong form.
    """
    caller = inspect.stack()[1].filename

    def define(body: type) -> Kernel:
        made = _kernel(body, Path(caller), problem, work, tolerance or Tolerance(), awkward, tuple(linear))
        DEFINED.append(made)
        return made

    return define


def _kernel(
    body: type,
    file: Path,
    sizes: Mapping[str, Scalar],
    work: Callable[[Problem], Work],
    tolerance: Tolerance,
    awkward: Callable[[Problem], Sequence[Mapping[str, Scalar]]] | None,
    linear: tuple[str, ...],
) -> Kernel:
    name = body.__name__
    members = vars(body)
    for needed in ("inputs", "reference"):
        if not callable(members.get(needed)):
            raise KernelFileError(f"kernel {name} in {file.name} needs a function {needed!r}; see hotloop init.")
    inputs, reference = members["inputs"], members["reference"]
    problem = Problem(name, Record(sizes))
    languages = {key: value for key, value in members.items() if isinstance(value, OpenCL)}
    if not languages:
        raise KernelFileError(f"kernel {name} in {file.name} has no implementation; add one with hl.OpenCL(...).")
    more = awkward or (lambda _problem: ())
    return Kernel(
        family=name,
        problem=problem,
        inputs=inputs,
        reference=lambda p, arrays: reference(p, **arrays),
        work=work,
        implementations=tuple(_opencl(key, value, file, inputs) for key, value in languages.items()),
        tolerance=tolerance,
        magnitude=_magnitude(members, linear),
        linear=linear,
        awkward=lambda p: tuple(p.replace(**changes) for changes in more(p)),
        origin=str(file),
    )


def _magnitude(members: Mapping[str, Any], linear: tuple[str, ...]) -> Callable[[Problem, Inputs], Outputs] | None:
    """Return the scale of rounding errors: the class's own, or the reference of absolute values for linear inputs."""
    if "magnitude" in members:
        own = members["magnitude"]
        return lambda p, arrays: own(p, **arrays)
    if not linear:
        return None
    reference = members["reference"]

    def of_absolutes(problem: Problem, arrays: Inputs) -> Outputs:
        given: dict[str, Any] = dict(arrays)
        return reference(problem, **{k: abs(v) if k in linear else v for k, v in given.items()})  # type: ignore[no-any-return]

    return of_absolutes


def _opencl(name: str, made: OpenCL, file: Path, inputs: Callable[..., Any]) -> Implementation:
    source, source_name = _source(made.source, file)
    space = Space(
        tuple(Parameter(p, tuple(values), made.techniques.get(p, "")) for p, values in made.params.items()),
        tuple(Constraint(_text(check), check) for check in made.constraints),
    )
    unknown = set(made.techniques) - set(made.params)
    if unknown:
        raise KernelFileError(
            f"{file.name}: techniques names {', '.join(sorted(unknown))}, which params does not have."
        )
    start = Config({p: values[0] for p, values in made.params.items()} | dict(made.start or {}))
    if violation := space.violation(start):
        raise KernelFileError(f"{file.name}: the start configuration of {name} is not valid: {violation}.")

    arguments = _signature(inputs, made.args)

    def plan(problem: Problem, config: Config, _device: Device) -> Program:
        macros = {**config, **(made.defines(problem, config) if made.defines else {})}
        options = tuple(f"-D{key}={_macro(value)}" for key, value in macros.items()) + tuple(made.options)
        if made.global_size is None:
            raise KernelFileError(f"{file.name}: {name} needs global_size=lambda p, c: (...).")
        local = made.local_size(problem, config) if made.local_size else None
        launch = Launch(
            made.entry, arguments(problem), _sizes(made.global_size(problem, config)), local and _sizes(local)
        )
        if launch.local_size and any(g % n for g, n in zip(launch.global_size, launch.local_size, strict=True)):
            raise ValueError(
                f"global size {launch.global_size} is not a multiple of work-group size {launch.local_size}"
            )
        return Program("opencl", source, options, (launch,), source_name=source_name)

    traits = made.traits or (lambda _p, _c, _d: {})
    return Implementation(name, "opencl", space, start, plan, traits=traits)


def _source(source: str, file: Path) -> tuple[str, str]:
    if "\n" in source:
        return source, f"{file.name} (inline)"
    path = file.parent / source
    try:
        return path.read_text(), path.name
    except OSError as error:
        raise KernelFileError(
            f"{file.name} names the source {source!r}, which cannot be read: {error.strerror}."
        ) from None


def _signature(inputs: Callable[..., Any], order: Sequence[str] | None) -> Callable[[Problem], tuple[Argument, ...]]:
    """Return a function that gives the kernel arguments of a problem; it runs `inputs` once per problem."""
    known: dict[Problem, tuple[Argument, ...]] = {}

    def arguments(problem: Problem) -> tuple[Argument, ...]:
        if problem not in known:
            import numpy as np

            values = inputs(problem, np.random.default_rng(0))
            names = list(order) if order else list(values)
            known[problem] = tuple(_argument(name, values[name]) for name in names)
        return known[problem]

    return arguments


def _argument(name: str, value: object) -> Argument:
    import numpy as np

    if isinstance(value, np.ndarray | Empty):
        return Array(name)
    if isinstance(value, np.generic):
        return Input(name, value.dtype.name)
    return Input(name, "int32" if isinstance(value, int) else "float32")


def _macro(value: object) -> str:
    return str(int(value)) if isinstance(value, bool) else str(value)


def _sizes(sizes: Sequence[int]) -> tuple[int, ...]:
    return tuple(int(size) for size in sizes)


def _text(check: Callable[..., object]) -> str:
    try:
        return " ".join(inspect.getsource(check).split())[:120]
    except (OSError, TypeError):
        return "constraint of the kernel file"


__all__ = ["Config", "Empty", "Kernel", "OpenCL", "Problem", "Tolerance", "Work", "empty", "kernel"]

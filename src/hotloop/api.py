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
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from hotloop.errors import KernelFileError
from hotloop.model.device import Device
from hotloop.model.kernel import Empty, Implementation, Kernel, Tolerance
from hotloop.model.problem import Problem, Work
from hotloop.model.program import Argument, Array, Input, Launch, Program
from hotloop.model.record import Record, Scalar
from hotloop.model.space import Config, Constraint, Parameter, Space

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs, Outputs

P = ParamSpec("P")
R = TypeVar("R")
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
    odd = [size for size, value in sizes.items() if not isinstance(value, bool | int | float | str)]
    if odd:
        raise KernelFileError(f"problem of kernel {name} in {file.name}: {odd[0]} is not a number or a text.")
    problem = Problem(name, Record(sizes))
    languages = {key: value for key, value in members.items() if isinstance(value, OpenCL)}
    if not languages:
        raise KernelFileError(f"kernel {name} in {file.name} has no implementation; add one with hl.OpenCL(...).")
    where = f"of kernel {name} in {file.name}"
    return Kernel(
        family=name,
        problem=problem,
        inputs=inputs,
        reference=lambda p, arrays: reference(p, **arrays),
        work=_working(f"work {where}", work),
        implementations=tuple(_opencl(key, value, file, inputs) for key, value in languages.items()),
        tolerance=replace(tolerance, terms=_guarded(f"terms of the tolerance {where}", tolerance.terms)),
        magnitude=_magnitude(members, linear),
        linear=linear,
        awkward=_awkward(f"awkward {where}", awkward) if awkward else lambda _problem: (),
        origin=str(file),
    )


def _guarded(what: str, function: Callable[P, R], *, refusing: bool = False) -> Callable[P, R]:
    """Return a function of the user's whose mistakes become one sentence.

    A `refusing` one rules a configuration out by raising ValueError, or ArithmeticError, which becomes one.
    """

    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except Exception as error:  # the user's code may raise anything
            if refusing and isinstance(error, ValueError):
                raise
            kind = ValueError if refusing and isinstance(error, ArithmeticError) else KernelFileError
            raise kind(f"{what} raises {type(error).__name__}: {error}.") from error

    return guarded


def _working(what: str, work: Callable[[Problem], Work]) -> Callable[[Problem], Work]:
    asked = _guarded(what, work)

    def working(problem: Problem) -> Work:
        found = asked(problem)
        if not isinstance(found, Work):
            raise KernelFileError(f"{what} must return hl.Work(flops=..., bytes=...), not {type(found).__name__}.")
        return found

    return working


def _awkward(
    what: str, awkward: Callable[[Problem], Sequence[Mapping[str, Scalar]]]
) -> Callable[[Problem], tuple[Problem, ...]]:
    asked = _guarded(what, awkward)

    def problems(problem: Problem) -> tuple[Problem, ...]:
        found = tuple(asked(problem))
        for changes in found:
            if not isinstance(changes, Mapping) or not set(changes) <= set(problem.sizes):
                raise KernelFileError(f"{what} gives {changes!r}; it must change sizes of: {', '.join(problem.sizes)}.")
        return tuple(problem.replace(**changes) for changes in found)

    return problems


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
    where = f"of {name} in {file.name}"
    source, source_name = _source(made.source, file)
    space = Space(
        tuple(Parameter(p, tuple(values), made.techniques.get(p, "")) for p, values in made.params.items()),
        tuple(Constraint(_text(check), _guarded(f"a constraint {where}", check)) for check in made.constraints),
    )
    for option, names in (("techniques", made.techniques), ("start", made.start or {})):
        if unknown := sorted(set(names) - set(made.params)):
            raise KernelFileError(f"{option} {where} names {', '.join(unknown)}, which params does not have.")
    start = Config({p: values[0] for p, values in made.params.items()} | dict(made.start or {}))
    if violation := space.violation(start):
        raise KernelFileError(f"the start configuration {where} is not valid: {violation}.")
    geometry = _geometry(made, where)
    arguments = _signature(inputs, made.args, where)
    defines = _guarded(f"defines {where}", made.defines or (lambda _p, _c: {}), refusing=True)

    def plan(problem: Problem, config: Config, _device: Device) -> Program:
        options = tuple(f"-D{key}={_macro(value)}" for key, value in {**config, **defines(problem, config)}.items())
        launch = Launch(made.entry, arguments(problem), *geometry(problem, config))
        return Program("opencl", source, options + tuple(made.options), (launch,), source_name=source_name)

    return Implementation(name, "opencl", space, start, plan, traits=made.traits or (lambda _p, _c, _d: {}))


def _geometry(made: OpenCL, where: str) -> Callable[[Problem, Config], tuple[tuple[int, ...], tuple[int, ...] | None]]:
    """Return a function that gives global and local size; ValueError where a configuration has none that is valid."""
    if made.global_size is None:
        raise KernelFileError(f"global_size {where} is missing; give a function of problem and configuration.")
    whole = _guarded(f"global_size {where}", made.global_size, refusing=True)
    part = _guarded(f"local_size {where}", made.local_size, refusing=True) if made.local_size else None

    def geometry(problem: Problem, config: Config) -> tuple[tuple[int, ...], tuple[int, ...] | None]:
        sizes = _sizes(f"global_size {where}", whole(problem, config))
        if part is None:
            return sizes, None
        groups = _sizes(f"local_size {where}", part(problem, config), least=1)
        if len(sizes) != len(groups):
            raise KernelFileError(f"global_size and local_size {where} have different lengths: {sizes} and {groups}.")
        if any(extent % group for extent, group in zip(sizes, groups, strict=True)):
            raise ValueError(f"global size {sizes} is not a multiple of work-group size {groups}")
        return sizes, groups

    return geometry


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


def _signature(
    inputs: Callable[..., Any], order: Sequence[str] | None, where: str
) -> Callable[[Problem], tuple[Argument, ...]]:
    """Return a function that gives the kernel arguments of a problem; it runs `inputs` once per problem."""
    known: dict[Problem, tuple[Argument, ...]] = {}

    def arguments(problem: Problem) -> tuple[Argument, ...]:
        if problem not in known:
            import numpy as np

            values = inputs(problem, np.random.default_rng(0))
            names = list(order) if order else list(values)
            if unknown := sorted(set(names) - set(values)):
                raise KernelFileError(f"args {where} names {', '.join(unknown)}, which inputs does not return.")
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


def _sizes(what: str, sizes: Sequence[int], least: int = 0) -> tuple[int, ...]:
    try:
        found = tuple(int(size) for size in sizes)
    except (TypeError, ValueError):
        raise KernelFileError(f"{what} must return whole numbers, one for each dimension, not {sizes!r}.") from None
    if not found or min(found) < least:
        raise ValueError(f"{what} is {found}")
    return found


def _text(check: Callable[..., object]) -> str:
    try:
        return " ".join(inspect.getsource(check).split())[:120]
    except (OSError, TypeError):
        return "constraint of the kernel file"


__all__ = ["Config", "Empty", "Kernel", "OpenCL", "Problem", "Tolerance", "Work", "empty", "kernel"]

"""How a kernel file declares an implementation in Triton or Gluon: the decorated function, unchanged, and what it is called with.

    @triton.jit
    def scale(y, x, n, BLOCK: tl.constexpr): ...

    @hl.kernel(problem=dict(n=1 << 24), work=lambda p: hl.Work(flops=p.n, bytes=8 * p.n))
    class scaled:
        def inputs(p, rng): return dict(x=rng.standard_normal(p.n, "f4"), y=hl.empty(p.n), n=p.n)
        def reference(p, x, y, n): return dict(y=2 * x.astype("f8"))
        triton = hl.Triton(scale, params=dict(BLOCK=[128, 1024], num_warps=[4, 8]),
                           techniques=dict(BLOCK="work-per-item"), grid=lambda p, c: (-(-p.n // c.BLOCK),))

A parameter of the function gets its value from `params` or `constants` if one of them has its name; the others get the
inputs that `args` names in their order, or the inputs of their own names. Options of the compiler (``num_warps``,
``num_stages``, ``maxnreg`` ...) may stand in either; what is left only serves `grid` and `constants`. Only the function and
what it refers to in its module go to the worker, so the file may do whatever else it wants.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Mapping, Sequence
from dataclasses import KW_ONLY, dataclass, field
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from hotloop.errors import KernelFileError
from hotloop.languages.declaration import Geometry, facts, guarded, mapped, sizes, spanned, texts
from hotloop.languages.enclosed import plain
from hotloop.languages.excerpt import Excerpt, excerpt
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta, item_of, threads
from hotloop.model.kernel import Empty, Implementation
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Input, Launch, Program
from hotloop.model.record import Scalar
from hotloop.model.space import Config
from hotloop.offline_api import Offline, Pointer, Start, jitted

if TYPE_CHECKING:
    from hotloop.model.kernel import Inputs

Given = Callable[[Problem, Config], Mapping[str, object]]
WARPS = 4
"""Triton's own choice where nothing is said."""
USUAL = {"num_warps": "workgroup-size", "num_stages": "prefetch", "maxnreg": "lower-registers"}
"""Techniques that the compiler's options embody, unless the file says something else."""
_COMPILER = frozenset((
    "num_warps", "num_stages", "num_ctas", "maxnreg", "enable_fp_fusion", "launch_pdl", "launch_cooperative_grid",
    "waves_per_eu", "matrix_instr_nonkdim", "kpack", "schedule_hint",
))  # fmt: skip
"""Options of Triton's compiler for NVIDIA and AMD, 3.6 to 3.9."""
_DIMENSIONS = 3


@dataclass(frozen=True)
class Jit:
    """What Triton and Gluon have in common."""

    language: ClassVar[str]

    kernel: object
    """The decorated function; of an autotuner, the function that it tunes."""
    params: Mapping[str, Sequence[Scalar]] = field(default_factory=dict)
    """Values of each parameter that the loop may change: compile-time parameters of the kernel and compiler options."""
    _: KW_ONLY
    grid: Geometry | None = None
    """Programs per dimension, at most three."""
    args: Sequence[str] | None = None
    """Input names for the parameters that neither `params` nor `constants` has; default: each parameter's own name."""
    constants: Given | None = None
    """Values of further parameters for a problem and a configuration: sizes, strides, layouts."""
    descriptors: Callable[[Problem, Config], Mapping[str, Descriptor]] | None = None
    """Inputs that are passed as tensor descriptors."""
    dtypes: Mapping[str, str] = field(default_factory=dict)
    """Types that the kernel sees arrays with, where NumPy has none (``dict(x="bfloat16")`` for 16-bit integers)."""
    techniques: Mapping[str, str] = field(default_factory=dict)
    """Parameter name to technique name; ``num_warps`` and ``num_stages`` have their own by default."""
    constraints: Sequence[Callable[[Config], bool]] = ()
    start: Mapping[str, Scalar] | None = None
    """Configuration with which `optimize` begins; default: the first value of each parameter."""
    traits: Callable[[Problem, Config, Device], Mapping[str, float]] | None = None
    """Facts for the rules, such as ``{"config.barriers": 2}``."""

    def implementation(self, name: str, file: Path, inputs: Callable[..., Any]) -> Implementation:
        """Return the implementation; its plan runs the file's functions. Raises KernelFileError."""
        where = f"of {name} in {file.name}"
        source = excerpt(self.kernel, where)
        usual = {option: technique for option, technique in USUAL.items() if option in self.params}
        space, start = spanned(where, self.params, {**usual, **self.techniques}, self.constraints, self.start)
        plan = _Plan(self, where, source, _known(inputs, where))
        traits = facts(where, self.traits)
        return Implementation(name, self.language, space, start, plan, traits=traits)


@dataclass(frozen=True)
class Triton(Jit):
    """A Triton implementation: an existing function of ``triton.jit`` and what it is called with."""

    language: ClassVar[str] = "triton"


@dataclass(frozen=True)
class Gluon(Jit):
    """A Gluon implementation: an existing function of ``gluon.jit`` and what it is called with."""

    language: ClassVar[str] = "gluon"


class _Plan:
    """From problem and configuration to a program."""

    def __init__(self, made: Jit, where: str, source: Excerpt, known: Callable[[Problem], Inputs]) -> None:
        if made.grid is None:
            raise KernelFileError(f"grid {where} is missing; give a function of problem and configuration.")
        self._made, self._where, self._source, self._known = made, where, source, known
        function = plain(made.kernel)
        assert function is not None
        self._declared = inspect.signature(function).parameters
        self._grid = guarded(f"grid {where}", made.grid, refusing=True)
        self._constants = mapped(f"constants {where}", made.constants or (lambda _p, _c: {}), refusing=True)
        self._descriptors = mapped(f"descriptors {where}", made.descriptors or (lambda _p, _c: {}), refusing=True)

    def __call__(self, problem: Problem, config: Config, device: Device) -> Program:
        values: dict[str, object] = {**config, **self._constants(problem, config)}
        names = self._names(values)
        inputs = self._known(problem)
        if unknown := sorted(set(names) - set(inputs)):
            raise KernelFileError(f"args {self._where} names {', '.join(unknown)}, which inputs does not return.")
        meta = Meta.of(
            {name: value for name, value in values.items() if name in self._declared or name in _COMPILER},
            dtypes=self._dtypes(inputs, names),
            descriptors=dict(self._descriptors(problem, config)),
            search=self._source.search,
            package=self._source.package,
            uses=self._source.uses,
        )
        arguments = tuple(_argument(name, inputs[name]) for name in names)
        launch = Launch(self._source.entry, arguments, *self._geometry(problem, config, values, device))
        return Program(
            self._made.language, self._source.text, meta.options, (launch,), source_name=self._source.file.name
        )

    def beginning(self, problem: Problem, config: Config) -> Start:
        """Return how the kernel is compiled offline unless something else is asked for; the file's functions run later."""
        return Start(self._source.entry, partial(self.offline, problem, config))

    def offline(self, problem: Problem, config: Config, changes: Mapping[str, object] | None = None) -> Offline:
        """Return what the kernel is launched with in a configuration, changed in its own parameters; nothing is launched."""
        taken = {name: value for name, value in (changes or {}).items() if name in config}
        config = type(config)({**config, **taken})  # type: ignore[dict-item]
        values: dict[str, object] = {**config, **self._constants(problem, config)}
        names, inputs = self._names(values), self._known(problem)
        dtypes = self._dtypes(inputs, names)
        inner = jitted(self._made.kernel)
        assert inner is not None
        constants = {name: item_of(value) for name, value in values.items() if name in self._declared}
        # as in a real launch, arguments given by position follow the order of the parameters that are left
        free = [name for name in self._declared if name not in values]
        passed = {at: _passed(inputs[name], dtypes.get(name, "")) for at, name in zip(free, names, strict=False)}
        described = {name: made for name, made in self._descriptors(problem, config).items() if name in names}
        return Offline(
            inner.__name__,
            inner,
            descriptors={at: described[name] for at, name in zip(free, names, strict=False) if name in described},
            arguments={**constants, **passed},
            options={name: value for name, value in values.items() if name in _COMPILER - set(self._declared)},
            settled=frozenset(taken),
        )

    def _names(self, values: Mapping[str, object]) -> tuple[str, ...]:
        """Return the inputs that fill the parameters which have no value."""
        declared = self._declared
        free = [name for name in declared if name not in values]
        if self._made.args is not None:
            given = texts(f"args {self._where}", self._made.args)
            left = free[len(given) :]
        else:
            given = tuple(name for name in free if declared[name].default is inspect.Parameter.empty)
            left = []
        missing = [name for name in left if declared[name].default is inspect.Parameter.empty]
        compile_time = [name for name in (*free[: len(given)], *missing) if _constexpr(declared[name].annotation)]
        if missing or compile_time or len(given) > len(free):
            self._refuse(missing, compile_time, len(given) - len(free))
        return given

    def _refuse(self, missing: Sequence[str], compile_time: Sequence[str], surplus: int) -> None:
        entry = self._source.entry
        if compile_time:
            raise KernelFileError(
                f"{entry} {self._where} needs a value of {compile_time[0]} when it is compiled; "
                "give it in params or constants."
            )
        if missing:
            raise KernelFileError(f"{entry} {self._where} has a parameter {missing[0]} that args gives nothing for.")
        raise KernelFileError(f"args {self._where} has {surplus} names more than {entry} has parameters left.")

    def _dtypes(self, inputs: Inputs, names: Sequence[str]) -> dict[str, str]:
        dtypes = {name: value.dtype for name in names if isinstance(value := inputs[name], Empty)}
        return {**dtypes, **{name: dtype for name, dtype in self._made.dtypes.items() if name in dtypes}}

    def _geometry(
        self, problem: Problem, config: Config, values: Mapping[str, object], device: Device
    ) -> tuple[tuple[int, ...], tuple[int, ...]]:
        """Return threads in all and of one group: along the first dimension only, as Triton's programs have no others."""
        groups = sizes(f"grid {self._where}", self._grid(problem, config))
        if len(groups) > _DIMENSIONS:
            raise KernelFileError(f"grid {self._where} has {len(groups)} dimensions; a GPU has three.")
        warps = values.get("num_warps", WARPS)
        group = threads(warps if isinstance(warps, int) else WARPS, device.target)
        if group > device.max_workgroup:
            raise ValueError(f"a group of {group} threads is more than the {device.max_workgroup} of this device")
        return (groups[0] * group, *groups[1:]), (group, *(1,) * (len(groups) - 1))


def _known(inputs: Callable[..., Any], where: str) -> Callable[[Problem], Inputs]:
    """Return a function that gives the inputs of a problem, drawn once; only their types and shapes count here."""
    seen: dict[Problem, Inputs] = {}
    draw = guarded(f"inputs {where}", inputs)

    def known(problem: Problem) -> Inputs:
        if problem not in seen:
            import numpy as np

            drawn = draw(problem, np.random.default_rng(0))
            seen[problem] = {name: _light(value) for name, value in drawn.items()}
        return seen[problem]

    return known


def _light(value: object) -> Any:  # noqa: ANN401
    """Return an input without the memory of its array."""
    import numpy as np

    return Empty(tuple(value.shape), value.dtype.name) if isinstance(value, np.ndarray) else value


def _passed(value: object, dtype: str) -> object:
    """Return what a launch passes for an input: a number as Python's, an array by its type alone."""
    return Pointer(dtype or value.dtype) if isinstance(value, Empty) else item_of(value)


def _argument(name: str, value: object) -> Argument:
    import numpy as np

    if isinstance(value, Empty):
        return Array(name)
    if isinstance(value, np.generic):
        return Input(name, value.dtype.name)
    if isinstance(value, bool):
        return Input(name, "bool")
    return Input(name, "int64" if isinstance(value, int) else "float32")


def _constexpr(annotation: object) -> bool:
    """Tell whether an annotation says that a parameter's value must be known when the kernel is compiled."""
    text = annotation if isinstance(annotation, str) else getattr(annotation, "__name__", "")
    return str(text).rpartition(".")[2].strip("'\"") == "constexpr"


__all__ = ["Descriptor", "Gluon", "Triton"]

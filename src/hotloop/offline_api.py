"""How a file tells what its Triton, Gluon or FlyDSL kernels are called with, so that they compile without being called.

    @hl.offline(signature=dict(x="*fp16", n="i32"), constexprs=dict(BLOCK=1024), num_warps=8)
    @triton.jit
    def scale(x, n, BLOCK: tl.constexpr): ...

    hl.offline(scale, name="scale_small", constexprs=dict(BLOCK=128))   # the same kernel once more

    @hl.offline(signature=dict(x="fp16[4096, 128]"), constexprs=dict(rows=4096))                 # FlyDSL: the launcher
    @flyc.jit
    def launch(x: fx.Tensor, rows: fx.Constexpr[int]): ...

Nothing has to be said about a parameter that is annotated: with a Triton type as text (``"*fp16"``, ``"i64"``), with
``int``, ``float`` or ``bool``, or with ``tl.constexpr`` and a default. What is left over is guessed: a name that ends in
``ptr`` points to 32-bit floats, anything else is a 32-bit integer.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from types import FunctionType
from typing import Any, Protocol, TypeVar, cast

from hotloop.errors import KernelFileError, UnsetParameterError
from hotloop.model.jit import Descriptor

K = TypeVar("K")
_WRAPPERS = 8
"""More decorators than anybody puts above ``triton.jit``."""
_SCALARS = ("u1", "i8", "i16", "i32", "i64", "u8", "u16", "u32", "u64")
_FLOATS = ("fp8e4nv", "fp8e4b8", "fp8e4b15", "fp8e5", "fp8e5b16", "fp16", "bf16", "fp32", "fp64")
_TYPES = frozenset((*_SCALARS, *_FLOATS, "i1"))
_DESCRIPTOR = re.compile(r"tensordesc<(\w+)\[\d+(?:, *\d+)*\]>")
SPECIALISED = ("i32", "i64", "u32", "u64")
"""Integers for which Triton notes at a launch whether they are multiples of 16."""
NUMPY = {
    "i1": "bool", "fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "fp8e4nv": "float8_e4m3fn",
    "fp8e5": "float8_e5m2", **{f"i{bits}": f"int{bits}" for bits in (8, 16, 32, 64)}, **{f"u{bits}": f"uint{bits}" for bits in (8, 16, 32, 64)},
}  # fmt: skip
"""Names of types by Triton's."""


class _Parameter(Protocol):
    """What Triton keeps about a parameter of a kernel."""

    name: str
    annotation: str
    is_constexpr: bool
    do_not_specialize: bool
    do_not_specialize_on_alignment: bool
    has_default: bool
    default: object


class Jitted(Protocol):
    """What ``triton.jit`` and ``gluon.jit`` make of a function."""

    __name__: str
    arg_names: Sequence[str]
    params: Sequence[_Parameter]


@dataclass(frozen=True)
class Offline:
    """One kernel as it is to be compiled."""

    name: str
    kernel: Jitted
    signature: Mapping[str, str] = field(default_factory=dict)
    """Types by parameter name, as far as they were given."""
    constexprs: Mapping[str, object] = field(default_factory=dict)
    divisible: Sequence[str] | None = None
    """Parameters that are multiples of 16; None: all pointers and integers, as in most launches."""
    num_warps: int = 4
    num_stages: int | None = None
    """None leaves it to the target's own default."""
    descriptors: Mapping[str, Descriptor] = field(default_factory=dict)
    """Arrays that are passed as tensor descriptors; their types stand in `arguments`."""
    arguments: Mapping[str, object] | None = None
    """What a launch passes, by parameter: numbers, None, values of compile-time parameters, `Pointer` for an array; None: no
    launch is known, and types are as declared, annotated or guessed."""
    options: Mapping[str, object] = field(default_factory=dict)
    """Further options of the compiler that the launch has."""
    heuristics: Mapping[str, Callable[[Mapping[str, object]], object]] = field(default_factory=dict)
    """Functions that compute parameters from the others, as ``triton.heuristics`` declares them."""
    numbers: Mapping[str, object] = field(default_factory=dict)
    """Values that a launch passes for parameters that are no constants, for `heuristics` to use."""
    settled: frozenset[str] = frozenset()
    """Parameters of the command line that `arguments` and `options` follow already."""


@dataclass(frozen=True, slots=True)
class Pointer:
    """An array as a launch passes it: aligned to 16 bytes."""

    dtype: str
    """NumPy's or PyTorch's name."""


@dataclass(frozen=True)
class Signature:
    """What ``triton.compile`` wants to know."""

    types: Mapping[str, str]
    """Per parameter; ``constexpr`` for those with a value."""
    constexprs: Mapping[str, object]
    divisible: tuple[str, ...]


@dataclass(frozen=True)
class Start:
    """An implementation in Triton or Gluon of a kernel that a file declares with hl.kernel."""

    name: str
    """Name of the decorated function."""
    make: Callable[[Mapping[str, object]], Offline]
    """Works out what it is launched with when some parameters have other values; runs functions of the file."""


REGISTERED: list[Offline] = []
"""Declarations in the order in which they ran; read by whoever loads the file."""
IMPLEMENTED: list[Start] = []
"""Implementations in the order of the file; a declaration above has precedence."""


def offline(
    kernel: K | None = None,
    *,
    signature: Mapping[str, str] | None = None,
    constexprs: Mapping[str, object] | None = None,
    divisible: Sequence[str] | None = None,
    num_warps: int = 4,
    num_stages: int | None = None,
    name: str = "",
) -> Any:  # noqa: ANN401 - the kernel itself, or a decorator
    """Declare what a kernel is compiled for, as a decorator or as a call; more than once under several names.

    Args:
        kernel: the decorated function; it is returned unchanged.
        signature: Triton types by parameter name (``"*bf16"``, ``"i32"``) where annotation and default do not fit.
        constexprs: values of compile-time parameters; any parameter may be fixed so, such as a stride that is 1.
        divisible: parameters that are multiples of 16 (pointers: aligned to 16 bytes). Default: all.
        num_warps: warps of a work-group.
        num_stages: depth of software pipelining; default: the target's.
        name: how the command line calls it; default: the function's name.

    Raises:
        KernelFileError: not a Triton or Gluon function, or a name that it has no parameter for.
    """

    def declare(made: K) -> K:
        inner = jitted(made) or launcher(made)
        if inner is None:
            raise KernelFileError(
                f"hl.offline: {made!r} is no Triton, Gluon or FlyDSL kernel; put it above triton.jit or flyc.jit."
            )
        _known(inner, (*(signature or ()), *(constexprs or ()), *(divisible or ())))
        given = (dict(signature or {}), dict(constexprs or {}), divisible, num_warps, num_stages)
        REGISTERED.append(Offline(name or inner.__name__, inner, *given))
        return made

    declare_it: Callable[[K], K] = declare
    return declare_it if kernel is None else declare_it(kernel)


def jitted(value: object) -> Jitted | None:
    """Return the JIT function inside a value, below ``triton.autotune`` and ``heuristics``, or None."""
    for _ in range(_WRAPPERS):
        if hasattr(value, "arg_names") and hasattr(value, "params") and hasattr(value, "cache_key"):
            return cast("Jitted", value)
        value = getattr(value, "fn", None)
    return None


class Launcher:
    """A launcher of FlyDSL: what ``flyc.jit`` makes of a function."""

    params: Sequence[_Parameter] = ()
    """Parameters as Triton describes them; FlyDSL has none."""

    def __init__(self, call: Callable[..., object], written: FunctionType) -> None:
        self.__name__ = written.__name__
        self.call = call
        self.written = written
        """The function, whose annotations and defaults are those of the source."""
        code = written.__code__
        self.arg_names: Sequence[str] = code.co_varnames[: code.co_argcount + code.co_kwonlyargcount]


def launcher(value: object) -> Launcher | None:
    """Return the launcher that a value of FlyDSL's ``JitFunction`` is, or None."""
    kind, written = type(value), getattr(value, "func", None)
    if (
        kind.__name__ != "JitFunction"
        or not kind.__module__.startswith("flydsl.")
        or not isinstance(written, FunctionType)
    ):
        return None
    return Launcher(cast("Callable[..., object]", value), written)


def undeclared(value: object) -> Offline:
    """Return what is known about a kernel without a declaration: the first configuration of an autotuner, if any."""
    inner = jitted(value)
    if inner is None:
        raise KernelFileError(f"{value!r} is no Triton or Gluon kernel.")
    layers = list(_layers(value))
    config = next((tuned for layer in layers for tuned in getattr(layer, "configs", ())), None)
    rules = [layer.values for layer in layers if isinstance(getattr(layer, "values", None), Mapping)]
    return Offline(
        inner.__name__,
        inner,
        constexprs=dict(getattr(config, "kwargs", {})),
        num_warps=getattr(config, "num_warps", 4),
        num_stages=getattr(config, "num_stages", None),
        heuristics={name: rule for rules_ in rules for name, rule in rules_.items()},
    )


def _layers(value: object) -> Iterator[Any]:
    """Yield a decorated function with what is below each of its decorators, the outermost first."""
    for _ in range(_WRAPPERS):
        if value is None:
            return
        yield value
        value = getattr(value, "fn", None)


class _Present:
    """An argument of which only is known that there is one."""


def _ruled(made: Offline, values: Mapping[str, object]) -> dict[str, object]:
    """Return what ``triton.heuristics`` computes for parameters without a value, as far as it can be computed."""
    computed: dict[str, object] = {}
    for name, rule in made.heuristics.items():
        if name in values:
            continue
        arguments = {p.name: values.get(p.name, made.numbers.get(p.name, _Present())) for p in made.kernel.params}
        with suppress(Exception):  # the user's function may ask for more than is known: then the value has to be given
            computed[name] = rule({**arguments, **computed})
    return computed


def resolve(made: Offline, overrides: Mapping[str, object], guesses: Mapping[str, str] | None = None) -> Signature:
    """Return the types and values of all parameters; `overrides` wins over the declaration.

    Args:
        made: the declaration.
        overrides: values, or types such as ``*bf16`` of parameters that need no value when they are compiled; the text
            ``None`` is Python's.
        guesses: types that the function's text suggests, by parameter.

    Raises:
        KernelFileError: a ``tl.constexpr`` parameter has no value, an override is unknown, or a type is not Triton's.
    """
    _known(made.kernel, tuple(overrides))
    compile_time = {p.name for p in made.kernel.params if p.is_constexpr}
    asked = {n: str(v) for n, v in overrides.items() if n not in compile_time and is_type(str(v))}
    defaults = {p.name: p.default for p in made.kernel.params if p.is_constexpr and p.has_default}
    given = {n: None if v == "None" else v for n, v in overrides.items() if n not in asked}
    values = {**defaults, **{n: v for n, v in made.constexprs.items() if n not in asked}, **given}
    values |= _ruled(made, values)
    types = {
        p.name: "constexpr" if p.name in values else asked.get(p.name) or _type(made, p, guesses or {})
        for p in made.kernel.params
    }
    loose = {p.name for p in made.kernel.params if p.do_not_specialize or p.do_not_specialize_on_alignment}
    able = [n for n, kind in types.items() if n not in loose and (kind.startswith("*") or kind in SPECIALISED)]
    wanted = able if made.divisible is None else [name for name in able if name in made.divisible]
    return Signature(types, {name: values[name] for name in types if name in values}, tuple(wanted))


def _known(kernel: Jitted, names: Sequence[str]) -> None:
    unknown = sorted(set(names) - set(kernel.arg_names))
    if unknown:
        listed = ", ".join(kernel.arg_names)
        raise KernelFileError(f"kernel {kernel.__name__} has no parameter {unknown[0]!r}; it has: {listed}.")


def guessed(made: Offline, signature: Signature, overrides: Mapping[str, object]) -> tuple[str, ...]:
    """Return the parameters whose types nobody gave."""
    return tuple(
        p.name for p in made.kernel.params
        if p.name not in overrides and signature.types[p.name] != "constexpr" and p.name not in made.signature and not annotated(p)
    )  # fmt: skip


def annotated(parameter: _Parameter) -> str:
    """Return the Triton type that a parameter is annotated with, or an empty text."""
    text = str(parameter.annotation).strip("'\"")
    return text if is_type(text) else ""


def _type(made: Offline, parameter: _Parameter, guesses: Mapping[str, str]) -> str:
    name = parameter.name
    if parameter.is_constexpr:
        raise UnsetParameterError(
            f"kernel {made.name}: the constexpr {name} has no value; "
            f"declare hl.offline(..., constexprs=dict({name}=...)) in its file or give -P {name}=VALUE."
        )
    given = made.signature.get(name)
    if given is None:
        named = "*fp32" if name.lower().endswith("ptr") else "i32"
        return annotated(parameter) or guesses.get(name) or named
    if not is_type(given):
        raise KernelFileError(
            f"kernel {made.name}: {given!r} of parameter {name} is not a Triton type such as '*fp16' or 'i32'."
        )
    return given


def is_type(text: str) -> bool:
    """Tell whether a text is a Triton type of a parameter, such as ``*fp16``, ``i32`` or ``tensordesc<fp16[64, 32]>``."""
    if found := _DESCRIPTOR.fullmatch(text):
        return found[1] in _TYPES
    return text.removeprefix("*").removeprefix("k") in _TYPES


__all__ = ["Offline", "offline"]

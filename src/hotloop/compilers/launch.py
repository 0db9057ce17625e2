"""Compiling a declared kernel exactly as its launch would: Triton itself finds types, alignment, divisibility and constants."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Mapping
from math import prod
from typing import Any

from hotloop import offline_api
from hotloop.errors import KernelFileError
from hotloop.model.jit import Descriptor

OPTIONS = ("num_warps", "num_stages", "num_ctas", "waves_per_eu", "matrix_instr_nonkdim", "kpack", "maxnreg")
"""Parameters that are options of the compiler unless the kernel has a parameter of that name."""
_ALIGNED = 1 << 12
"""An address; allocators of GPUs align to at least 256 bytes, which is all that Triton asks about."""


class _Type:
    """What Triton reads of a type of PyTorch: its name."""

    def __init__(self, name: str) -> None:
        self._name = name
        bits = int(re.findall(r"\d+", name)[0]) if name != "bool" else 8  # float8_e4m3fn has 8, too
        self.itemsize = bits // 8

    def __str__(self) -> str:
        return f"torch.{self._name}"

    def __repr__(self) -> str:
        return str(self)

    def __hash__(self) -> int:
        return hash(self._name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Type) and other._name == self._name


class _Array:
    """What Triton reads of an array: its type and whether it is aligned."""

    def __init__(self, dtype: str) -> None:
        self.dtype = _Type(dtype)
        self.shape = (1,)

    def data_ptr(self) -> int:
        return _ALIGNED

    def ptr_range(self) -> int:
        return 0

    def stride(self) -> tuple[int, ...]:
        return (1,)


def compiled(made: offline_api.Offline, overrides: Mapping[str, object]) -> tuple[Any, tuple[tuple[str, object], ...]]:
    """Return what Triton compiles for a launch, with parameters and options as texts; `overrides` wins over the launch.

    Raises:
        KernelFileError: an override is unknown.
    """
    kernel: Any = made.kernel
    names = list(kernel.arg_names)
    options = {
        **made.options,
        **{name: value for name, value in overrides.items() if name in OPTIONS and name not in names},
    }
    changed = {name: value for name, value in overrides.items() if name not in options}
    if unknown := sorted(set(changed) - set(names)):
        raise KernelFileError(f"kernel {made.name} has no parameter {unknown[0]!r}; it has: {', '.join(names)}.")
    given = {**(made.arguments or {}), **{name: _override(value) for name, value in changed.items()}}
    passed = {name: _passed(value, made.descriptors.get(name)) for name, value in given.items() if name in names}
    result = kernel.warmup(grid=(1,), **passed, **options)
    values = ((name, value) for name, value in given.items() if not isinstance(value, offline_api.Pointer))
    return result, (*values, *options.items())


def plain(kernel: object) -> Callable[..., Any]:
    """Return the Python function of a kernel."""
    return kernel.fn  # type: ignore[attr-defined,no-any-return]


def _override(value: object) -> object:
    """Return a value of the command line; ``*bf16`` is the type of an array, ``None`` Python's."""
    if isinstance(value, str) and value.startswith("*") and offline_api.is_type(value):
        return offline_api.Pointer(offline_api.NUMPY.get(value[1:], value[1:]))
    return None if value == "None" else value


def _passed(value: object, described: Descriptor | None) -> object:
    if not isinstance(value, offline_api.Pointer):
        return value
    return _descriptor(_Array(value.dtype), described) if described else _Array(value.dtype)


def _descriptor(base: _Array, made: Descriptor) -> object:
    shape, block = list(made.shape), list(made.block)
    strides = list(made.strides) or [prod(shape[axis + 1 :]) for axis in range(len(shape))]
    if made.layout:
        from triton.experimental.gluon.nvidia.hopper import TensorDescriptor as Laid

        return Laid(base, shape, strides, block, layout(made.layout))
    from triton.tools.tensor_descriptor import TensorDescriptor

    return TensorDescriptor(base, shape, strides, block)


def layout(text: str) -> Any:  # noqa: ANN401
    """Return a layout of Gluon's that is written as an expression. Raises KernelFileError for a name that Gluon does not have."""
    from triton.experimental import gluon
    from triton.experimental.gluon import language

    names = {**vars(language.amd), **vars(language), "gluon": gluon, "gl": language, "ttgl": language}
    return _value(ast.parse(text, mode="eval").body, names)


def _value(node: ast.expr, names: Mapping[str, Any]) -> Any:  # noqa: ANN401
    """Return what the text of a layout means: a call of what is known, with literals.

    Raises:
        KernelFileError: a name that Gluon does not have.
    """
    match node:
        case ast.Call(func=function, args=args, keywords=keywords):
            named = {keyword.arg: _value(keyword.value, names) for keyword in keywords if keyword.arg}
            return _value(function, names)(*[_value(argument, names) for argument in args], **named)
        case ast.Attribute(value=owner, attr=name) if not name.startswith("_"):
            return getattr(_value(owner, names), name)
        case ast.Name(id=name):
            if name not in names:
                raise KernelFileError(f"a layout names {name}, which Gluon does not have.")
            return names[name]
        case _:
            return ast.literal_eval(node)

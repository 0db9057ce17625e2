"""The tensor behind what a Triton launch is given for one, and what is said of arguments that are none.

Triton takes every object with an address and a type: a tensor that `triton.reinterpret` gives another type, a package's own class.
"""

from __future__ import annotations

import sys
from typing import Any

_FORMER = {
    "int1": "bool", "fp16": "float16", "bf16": "bfloat16", "fp32": "float32", "fp64": "float64", "fp8e4nv": "float8_e4m3fn",
    "fp8e5": "float8_e5m2", "fp8e4b8": "float8_e4m3fnuz", "fp8e5b16": "float8_e5m2fnuz",
}  # fmt: skip
"""PyTorch's names of types that Triton prints otherwise."""
_INNER = ("base", "data", "tensor", "storage.data")
"""Where classes that stand for a tensor keep it."""
_LONGEST = 200


def tensor(value: Any) -> bool:  # noqa: ANN401
    """Tell whether it has all that is recorded of a tensor."""
    return all(hasattr(value, name) for name in ("data_ptr", "stride", "untyped_storage", "dtype"))


def behind(value: Any) -> Any:  # noqa: ANN401
    """Return the tensor with the same address and type, where there is one; else the value itself."""
    if tensor(value) or not (hasattr(value, "data_ptr") and hasattr(value, "dtype")):
        return value
    for path in _INNER:
        inner = value
        for name in path.split("."):
            inner = getattr(inner, name, None)
        if tensor(inner) and inner.data_ptr() == value.data_ptr() and (typed := _typed(inner, value.dtype)) is not None:
            return typed
    return value


def _typed(inner: Any, dtype: Any) -> Any:  # noqa: ANN401
    """Return a tensor's memory as elements of a type that are as wide; None where there is no such type."""
    if inner.dtype == dtype:
        return inner
    name = str(dtype).removeprefix("torch.")
    wanted = getattr(sys.modules["torch"], _FORMER.get(name, name), None)
    if wanted is None or getattr(wanted, "itemsize", 0) != inner.element_size():
        return None
    return inner.detach().view(wanted)


def described(value: Any) -> str:  # noqa: ANN401
    """Return what an argument is, without the content of arrays in it."""
    if isinstance(value, tuple | list):
        inner = ", ".join(described(each) for each in value)
        text = f"({inner},)" if len(value) == 1 else f"({inner})"
    elif tensor(value):
        text = f"{str(value.dtype).removeprefix('torch.')}{list(value.shape)}"
    elif tensor(getattr(value, "base", None)):
        text = f"{type(value).__name__} of {described(value.base)}, blocks of {getattr(value, 'block_shape', '?')}"
    elif value is None or isinstance(value, bool | int | float | str):
        text = repr(value)
    else:
        text = type(value).__name__
    return text[:_LONGEST]

"""Arguments of C functions: what kernels on a GPU and the routines of a library are called with."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Mapping
from typing import Any

import numpy as np

from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.ports import Buffer, LaunchError


class LibraryBackend:
    """Base of backends that call a library's routines; the library's machine code is not analysed."""

    def binary(self, program: Program) -> bytes:  # noqa: ARG002
        """Return nothing."""
        return b""


class UntimedCalls:
    """Base of bound routines of a library, whose phases are not timed one by one."""

    def phases(self) -> Mapping[str, float]:
        """Return nothing."""
        return {}


def scalar(value: float, dtype: str) -> Any:  # noqa: ANN401 - a ctypes value
    """Return a number as a ctypes value of the size that the callee sees. Raises LaunchError when it does not fit."""
    try:
        kind = np.dtype(dtype)
        exact = kind.type(value)
        if kind == np.float16:  # which ctypes does not have
            return ctypes.c_uint16(int(exact.view(np.uint16)))
        return np.ctypeslib.as_ctypes_type(kind)(exact.item())
    except (TypeError, ValueError, OverflowError, NotImplementedError) as error:
        raise LaunchError(f"{value!r} cannot be passed as {dtype}: {error}") from None


def passed(
    launch: Launch, buffers: Mapping[str, Buffer], address: Callable[[Buffer], int], callee: str
) -> tuple[Any, ...]:
    """Return a launch's arguments as ctypes values; `address` is that of a buffer's payload. Raises LaunchError."""

    def given(argument: Argument) -> Any:  # noqa: ANN401
        match argument:
            case Array(name=name):
                return ctypes.c_void_p(address(buffers[name]))
            case Value(value=value, dtype=dtype):
                return scalar(value, dtype)
            case _:
                raise LaunchError(f"{callee} cannot take {argument}")

    return tuple(given(argument) for argument in launch.arguments)

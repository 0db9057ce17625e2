"""Launches with a configuration: CUDA's cuLaunchKernelEx by ctypes, since through cuda.bindings it takes three times as long.

Source: NVIDIA, CUDA Driver API reference manual, execution control.
"""

from __future__ import annotations

import ctypes
import sys
from functools import cache
from typing import Any

_SERIALIZED_BY_PROGRAM = 6
"""CU_LAUNCH_ATTRIBUTE_PROGRAMMATIC_STREAM_SERIALIZATION: a kernel may begin while the one before ends."""
_VALUE_BYTES = 64


class _Attribute(ctypes.Structure):
    """CUlaunchAttribute."""

    _fields_ = [  # ctypes wants a list
        ("id", ctypes.c_int),
        ("padding", ctypes.c_int),
        ("value", ctypes.c_int),
        ("rest", ctypes.c_char * (_VALUE_BYTES - 4)),
    ]


_EARLY = _Attribute(_SERIALIZED_BY_PROGRAM, 0, 1)
"""The driver only reads it, so all launches share it."""


class LaunchConfig(ctypes.Structure):
    """CUlaunchConfig."""

    _fields_ = [  # ctypes wants a list
        *((name, ctypes.c_uint) for name in ("grid_x", "grid_y", "grid_z", "block_x", "block_y", "block_z", "shared_bytes")),
        ("stream", ctypes.c_void_p), ("attributes", ctypes.c_void_p), ("count", ctypes.c_uint),
    ]  # fmt: skip


def configured(shape: tuple[int, ...], *, early: bool) -> LaunchConfig:
    """Return the configuration of a launch: blocks and threads in three dimensions, bytes of shared memory; the stream is to be set."""
    config = LaunchConfig(*shape)
    config.attributes, config.count = attributes(early=early)
    return config


def attributes(*, early: bool) -> tuple[int, int]:
    """Return the address of a launch's attributes, and how many there are."""
    return (ctypes.addressof(_EARLY), 1) if early else (0, 0)


@cache
def library() -> ctypes.CDLL:
    """Return the driver's library."""
    return ctypes.CDLL("nvcuda.dll" if sys.platform == "win32" else "libcuda.so.1")


@cache
def launch_function() -> Any:  # noqa: ANN401
    """Return the driver's cuLaunchKernelEx(configuration, function, arguments, nothing)."""
    return library().cuLaunchKernelEx

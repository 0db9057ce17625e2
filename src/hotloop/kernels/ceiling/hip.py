"""The ceilings of `hotloop.kernels.ceiling.cuda` through HIP, whose compiler takes the same text.

There is none for 16-bit types: AMD's matrix units have other instructions, and an FMA rate would call fast kernels impossible.
"""

from __future__ import annotations

from dataclasses import replace

from hotloop.kernels.ceiling import cuda
from hotloop.kernels.ceiling.opencl import FmaRate
from hotloop.model.device import Device
from hotloop.model.program import Program


def fma_rate(device: Device, dtype: str, width: int, iterations: int | None = None) -> FmaRate | None:
    """Return the program that runs FMA chains on every compute unit, and its flops per call; None for 16-bit types."""
    made = cuda.fma_rate(device, dtype, width, iterations)
    return replace(made, program=_hip(made.program)) if made else None


def copy(device: Device, count: int) -> Program:
    """Return the program that copies `count` float32, a multiple of 4."""
    return _hip(cuda.copy(device, count))


def empty() -> Program:
    """Return the program that does nothing, to time a launch."""
    return _hip(cuda.empty())


def _hip(program: Program) -> Program:
    return replace(program, language="hip")

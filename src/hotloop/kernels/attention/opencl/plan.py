"""From problem and configuration to source, macros and launch."""

from __future__ import annotations

from functools import partial

from hotloop.kernels import _text
from hotloop.kernels.attention.problem import shape_of
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.model.space import Config

source = partial(_text.read, "hotloop.kernels.attention.opencl", "attention.cl")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration.

    Raises:
        ValueError: the problem has no meaning, the device lacks the group size or half precision, or SPLIT does not divide a head.
    """
    shape = shape_of(problem)
    lx, split = config.integer("LX"), config.integer("SPLIT")
    if lx > device.max_workgroup:
        raise ValueError(f"{lx} work-items per group exceed the device's {device.max_workgroup}")
    if shape.lse or shape.shift or shape.scale or shape.window:
        raise ValueError("the OpenCL kernel has neither logarithms nor shifts, scales or windows")
    if shape.size % split:
        raise ValueError(f"a head of {shape.size} does not divide into {split} sums")
    if shape.dtype == "float16" and not device.fp16:
        raise ValueError(f"{device.name} has no float16 in OpenCL C")
    macros = {**config, "SIZE": shape.size, "HALF": int(shape.dtype == "float16"), "CAUSAL": int(shape.causal)}
    numbers = (shape.heads, shape.group, shape.length_q, shape.length_k)
    arguments: tuple[Argument, ...] = (
        *(Array(name) for name in ("q", "k", "v", "o")),
        *(Value(number, "int32") for number in numbers),
        Value(shape.size**-0.5, "float32"),
    )
    rows = -(-shape.length_q // lx) * lx
    launch = Launch("attention", arguments, (rows, shape.batch * shape.heads), (lx, 1))
    options = tuple(f"-D{name}={value}" for name, value in macros.items())
    return Program("opencl", source(), options, (launch,), source_name="attention.cl")

"""From problem and configuration to source, macros and launch."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from hotloop.kernels import _text
from hotloop.kernels.reduction.geometry import ELEMENT_BYTES, OPERATIONS
from hotloop.kernels.reduction.problem import rows_of
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.model.space import Config

source = partial(_text.read, "hotloop.kernels.reduction.opencl", "rows.cl")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration.

    Raises:
        ValueError: the problem has no meaning, or the device lacks the group size or half precision.
    """
    rows = rows_of(problem)
    lx = config.integer("LX")
    if lx > device.max_workgroup:
        raise ValueError(f"{lx} work-items per group exceed the device's {device.max_workgroup}")
    if rows.dtype == "bfloat16":
        raise ValueError("OpenCL C has no bfloat16")
    if rows.dtype == "float16" and not device.fp16:
        raise ValueError(f"{device.name} has no float16 in OpenCL C")
    macros = {**config, "OP": OPERATIONS.index(rows.operation), "HALF": int(rows.dtype == "float16")}
    arguments: tuple[Argument, ...] = (
        *(Array(name) for name in ("x", "scale", "shift", "y")),
        Value(rows.rows, "int32"),
        Value(rows.columns, "int32"),
        Value(rows.epsilon, "float32"),
    )
    launch = Launch("reduce_rows", arguments, (lx, -(-rows.rows // config.integer("RPI"))), (lx, 1))
    options = tuple(f"-D{name}={value}" for name, value in macros.items())
    return Program("opencl", source(), options, (launch,), source_name="rows.cl")


def traits(problem: Problem, config: Config, device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts; names and units in `hotloop.metrics.vocabulary`."""
    rows = rows_of(problem)
    lx, vw = config.integer("LX"), config.integer("VW")
    meetings = {"sum": 1, "max": 1, "softmax": 2, "rmsnorm": 1, "layernorm": 2}[rows.operation]
    element = ELEMENT_BYTES[rows.dtype]
    facts = {
        "config.accumulators": float(vw * config.integer("UNROLL")),
        "config.local_bytes": 4.0 * lx,
        "config.barriers": float(meetings * config.integer("RPI") * (2 + lx.bit_length() - 1)) if lx > 1 else 0.0,
        "config.vector_elements": float(vw),
        "config.contiguous_bytes": float(vw * element),
        "config.stride_bytes": float(lx * vw * element),
        "config.working_set_bytes": float(rows.columns * element),
    }
    if lanes := device.lanes(4):
        facts["config.accumulator_registers"] = float(config.integer("UNROLL") * max(1, -(-vw // lanes)))
    return facts

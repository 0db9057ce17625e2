"""From a problem and a configuration to a launch of attention's Hopper kernel on packed sequences: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels.attention.gluon.plan import Strides, Sweep, refuse, swept
from hotloop.kernels.attention.gluon.space import SIZES, rows, shared_bytes
from hotloop.kernels.attention_packed.problem import shape_of
from hotloop.kernels.attention_packed.shape import Shape
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.space import Config


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch.

    Raises:
        ValueError: the problem has no meaning, or its type or size, or the device, rule the configuration out.
    """
    shape = shape_of(problem)
    return program(shape, _dense(shape), config, device)


def program(shape: Shape, strides: Strides, config: Config, device: Device) -> Program:
    """Return the program for arrays seen as [1, heads, rows, size] that lie as they do. Raises ValueError as `plan` does."""
    # Rows that are no whole tile are written by addresses, where zeros beside a head would be written, too.
    if shape.size not in SIZES:
        raise ValueError(f"head size {shape.size} is not one of {', '.join(map(str, SIZES))}")
    refuse(shape.bound, config, device)
    packed = shape.rows_q, shape.rows_k
    sweep = Sweep(shape=shape.bound, strides=strides, sums="lse" if shape.lse else "", packed=packed)
    return swept(sweep, config, device)


def _dense(shape: Shape) -> Strides:
    """Return the strides of arrays without gaps."""
    queries = (shape.heads * shape.size, shape.size, shape.heads * shape.size, 1)
    keys = (shape.kv_heads * shape.size, shape.size, shape.kv_heads * shape.size, 1)
    return Strides(queries, keys, keys, queries)


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts."""
    size = shape_of(problem).size
    return {
        "config.accumulators": float(config.integer("keys") // 2 + size // 2),
        "config.local_bytes": float(shared_bytes(config, size)),
        "config.reuse": float(rows(config)),
    }

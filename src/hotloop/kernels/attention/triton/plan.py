"""From a problem and a configuration to a launch of the plain Triton kernel: pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from hotloop.kernels import _text
from hotloop.kernels.attention.problem import Shape, shape_of
from hotloop.kernels.attention.triton.space import SIZES, shared_bytes
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value
from hotloop.model.space import Config

DTYPES = ("bfloat16", "float16")
Steps = tuple[int, int, int, int]
_MOST_BLOCKS = 65535
"""Blocks along the second dimension of a grid: CUDA programming guide, compute capabilities."""


source = partial(_text.read, "hotloop.kernels.attention.triton", "kernel.py")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch.

    Raises:
        ValueError: the problem has no meaning, or its type or size, or the device, rule the configuration out.
    """
    return program(shape_of(problem), None, config, device)


def program(shape: Shape, strides: Mapping[str, Steps] | None, config: Config, device: Device) -> Program:
    """Return the program for arrays that lie as they do, by name; None: without gaps. Raises ValueError as `plan` does."""
    _refuse(shape, config, device)
    group = threads(config.integer("warps"), device.target)
    blocks = -(-shape.length_q // config.integer("rows"))
    sums = (Array("lse"),) if shape.lse else ()
    numbers = (shape.heads, shape.group, shape.length_q, shape.length_k)
    arguments: tuple[Argument, ...] = (
        *(Array(name) for name in "qkvo"), *sums, Value(shape.factor, "float32"),
        *(Value(number, "int32") for number in numbers),
    )  # fmt: skip
    launch = Launch("forward", arguments, (blocks * group, shape.batch * shape.heads), (group, 1))
    return Program("triton", source(), _meta(shape, strides or {}, config).options, (launch,), source_name="kernel.py")


def fit_grid(batch: int, heads: int) -> None:
    """Raise ValueError when there are more heads of all batches than blocks along a grid's second dimension."""
    if batch * heads > _MOST_BLOCKS:
        raise ValueError(
            f"{batch} batches of {heads} heads exceed the {_MOST_BLOCKS} blocks of a grid's second dimension"
        )


def _refuse(shape: Shape, config: Config, device: Device) -> None:
    if shape.dtype not in DTYPES:
        raise ValueError(f"the kernel takes {' and '.join(DTYPES)}, not {shape.dtype}")
    if shape.size not in SIZES:
        raise ValueError(f"head size {shape.size} is not one of {', '.join(map(str, SIZES))}")
    if shape.window:
        raise ValueError("the plain kernel has no window")
    if shape.shift and shape.causal:
        raise ValueError("the plain kernel's causal mask has no shift")
    fit_grid(shape.batch, shape.heads)
    if shape.dtype == "bfloat16" and device.interpreted:
        raise ValueError("Triton's interpreter multiplies the bits of bfloat16 as integers")
    device.check_shared(shared_bytes(config, shape.size))


def _meta(shape: Shape, strides: Mapping[str, Steps], config: Config) -> Meta:
    rows, keys = config.integer("rows"), config.integer("keys")
    queries = (shape.batch, shape.heads, shape.length_q, shape.size)
    pairs = (shape.batch, shape.kv_heads, shape.length_k, shape.size)
    tiles = {"q": (queries, rows), "k": (pairs, keys), "v": (pairs, keys), "o": (queries, rows)}
    return Meta(
        values={
            "BM": rows, "BN": keys, "D": shape.size, "CAUSAL": shape.causal, "LSE": shape.lse,
            "KEEP": bool(config["keep"]), "EXIT": bool(config["exit"]), "num_warps": config.integer("warps"),
            "num_stages": config.integer("stages"), "enable_fp_fusion": True, **({} if shape.lse else {"lse": None}),
        },
        dtypes={**dict.fromkeys("qkvo", shape.dtype), **({"lse": "float32"} if shape.lse else {})},
        descriptors={
            name: Descriptor(extents, (1, 1, height, shape.size), strides.get(name, ()))
            for name, (extents, height) in tiles.items()
        },
    )  # fmt: skip


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts."""
    shape, width = shape_of(problem), 32 * config.integer("warps")
    rows, keys = config.integer("rows"), config.integer("keys")
    return {
        "config.accumulators": rows * (keys + shape.size) / width,
        "config.local_bytes": float(shared_bytes(config, shape.size)),
        "config.reuse": float(rows),
    }

"""From a problem and a configuration to the launches of the kernel for every head size: pure."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from hotloop.kernels import _text
from hotloop.kernels.attention.general.space import LEAST, MOST, STEP, shared_bytes, widths
from hotloop.kernels.attention.problem import Shape, shape_of
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Scratch, Value
from hotloop.model.space import Config

DTYPES = ("bfloat16", "float16")
Steps = tuple[int, int, int, int]
_PARTS, _LOGS = "parts", "logs"
_MERGE_WARPS = 4
_UNIT = 8
"""Elements of 16 bytes, which one access of a thread takes."""


source = partial(_text.read, "hotloop.kernels.attention.general", "kernel.py")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch, or two where keys are cut into pieces.

    Raises:
        ValueError: the problem has no meaning, or its type or size, or the device, rule the configuration out.
    """
    return program(shape_of(problem), None, config, device)


def program(shape: Shape, strides: Mapping[str, Steps] | None, config: Config, device: Device) -> Program:
    """Return the program for arrays that lie as they do, by name; None: without gaps. Raises ValueError as `plan` does."""
    _refuse(shape, config, device)
    lying = {**_dense(shape), **(strides or {})}
    unit = _UNIT if all(step % _UNIT == 0 for name in "qkvo" for step in lying[name][:3]) else 1
    meta = _meta(shape, config, device, unit)
    if config.integer("split") == 1:
        return Program(
            "triton", source(), meta.options, (_attend(shape, lying, config, device, unit),), source_name="kernel.py"
        )
    rows = shape.batch * shape.heads * config.integer("split") * shape.length_q
    scratch = (Scratch(_PARTS, 4 * rows * shape.size), Scratch(_LOGS, 4 * rows))
    launches = (_attend(shape, lying, config, device, unit), _merged(shape, lying["o"], device))
    return Program("triton", source(), meta.options, launches, scratch, "kernel.py")


def _refuse(shape: Shape, config: Config, device: Device) -> None:
    if shape.dtype not in DTYPES:
        raise ValueError(f"the kernel takes {' and '.join(DTYPES)}, not {shape.dtype}")
    if shape.size % STEP or not LEAST <= shape.size <= MOST:
        raise ValueError(f"head size {shape.size} is no multiple of {STEP} from {LEAST} to {MOST}")
    device.check_shared(shared_bytes(config, shape.size))


def _dense(shape: Shape) -> dict[str, Steps]:
    queries = (shape.heads * shape.length_q * shape.size, shape.length_q * shape.size, shape.size, 1)
    keys = (shape.kv_heads * shape.length_k * shape.size, shape.length_k * shape.size, shape.size, 1)
    return {"q": queries, "k": keys, "v": keys, "o": queries}


def _meta(shape: Shape, config: Config, device: Device, unit: int) -> Meta:
    split = config.integer("split")
    wide, rest = widths(shape.size)
    values: dict[str, object] = {
        "BM": config.integer("rows"), "BN": config.integer("keys"), "D": shape.size, "WIDTH": wide, "REST": rest,
        "CAUSAL": shape.causal, "WINDOW": shape.window, "PACK": bool(config.integer("pack")), "SPLIT": split,
        "WIDEN": shape.dtype == "bfloat16" and device.interpreted, "UNIT": unit,
        "num_warps": config.integer("warps"), "num_stages": config.integer("stages"), "merged.num_warps": _MERGE_WARPS,
    }  # fmt: skip
    if split > 1:
        values |= {"PIECES": split, "WHOLE": 1 << (shape.size - 1).bit_length()}
    else:
        del values["merged.num_warps"]
    values |= {} if shape.lse else {"sums" if split > 1 else _LOGS: None}
    floats = dict.fromkeys((_PARTS, _LOGS, "lse"), "float32")
    return Meta(values=values, dtypes={**dict.fromkeys("qkvo", shape.dtype), **floats})


def _attend(shape: Shape, lying: Mapping[str, Steps], config: Config, device: Device, unit: int) -> Launch:
    split, pack = config.integer("split"), config.integer("pack")
    group = threads(config.integer("warps"), device.target)
    count, heads = (shape.length_q * shape.group, shape.kv_heads) if pack else (shape.length_q, shape.heads)
    blocks = -(-count // config.integer("rows")) * heads * shape.batch
    made = (Array(_PARTS), Array(_LOGS)) if split > 1 else (Array("o"), *((Array("lse"),) if shape.lse else ()))
    arguments: tuple[Argument, ...] = (
        *(Array(name) for name in "qkv"), *made, Value(shape.factor, "float32"),
        *(Value(number, "int32") for number in (shape.heads, shape.group, shape.length_q, shape.length_k, shape.shift)),
        *(Value(step // unit, "int64") for name in "qkvo" for step in lying[name][:3]),
    )  # fmt: skip
    return Launch("attend", arguments, (blocks * group, split), (group, 1))


def _merged(shape: Shape, lying: Steps, device: Device) -> Launch:
    group = threads(_MERGE_WARPS, device.target)
    sums = (Array("lse"),) if shape.lse else ()
    arguments: tuple[Argument, ...] = (
        Array(_PARTS), Array(_LOGS), Array("o"), *sums, *(Value(number, "int32") for number in (shape.heads, shape.length_q)),
        *(Value(step, "int64") for step in lying[:3]),
    )  # fmt: skip
    return Launch("merged", arguments, (shape.batch * shape.heads * shape.length_q * group,), (group,), "merge")


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts."""
    shape, width = shape_of(problem), 32 * config.integer("warps")
    rows, keys = config.integer("rows"), config.integer("keys")
    return {
        "config.accumulators": rows * (keys + sum(widths(shape.size))) / width,
        "config.local_bytes": float(shared_bytes(config, shape.size)),
        "config.reuse": float(rows),
    }

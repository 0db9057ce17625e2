"""From problem and configuration to source, macros and launches: pure."""

from __future__ import annotations

from functools import partial

from hotloop.kernels import _text
from hotloop.kernels.conv3d_depthwise.problem import shape_of
from hotloop.kernels.conv3d_depthwise.shape import Shape
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Scratch
from hotloop.model.space import Config

source = partial(_text.read, "hotloop.kernels.conv3d_depthwise.opencl", "conv3d.cl")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: a padding launch where it packs, then the main launch.

    Raises:
        ValueError: the problem has no meaning, or the device lacks the group size or half precision.
    """
    shape = shape_of(problem)
    lx, ly = config.integer("LX"), config.integer("LY")
    if lx * ly > device.max_workgroup:
        raise ValueError(f"{lx * ly} work-items per group exceed the device's {device.max_workgroup}")
    if shape.dtype == "bfloat16":
        raise ValueError("OpenCL C has no bfloat16")
    if shape.dtype == "float16" and not device.fp16:
        raise ValueError(f"{device.name} has no float16 in OpenCL C")
    packed = config.integer("PACK") == 1
    depth, rows, columns = padded(shape, config)
    launches, scratch = [], []
    if packed:
        images = shape.n * shape.c
        scratch.append(Scratch("padded", 4 * images * depth * rows * columns))
        launches.append(Launch("pad", (Array("x"), Array("padded")), (rows, depth, images), (1, 1, 1), "pack"))
    size = (
        _up(_blocks(shape.output[2], width(config)), lx),
        _up(_blocks(shape.output[1], config.integer("HWI")), ly),
        shape.n * shape.c * shape.multiplier * _blocks(shape.output[0], config.integer("PLANES")),
    )
    arguments: tuple[Argument, ...] = (Array("padded" if packed else "x"), Array("weights"), Array("y"))
    arguments += (Array("bias"),) if shape.bias else ()
    launches.append(Launch("conv3d", arguments, size, (lx, ly, 1)))
    return Program("opencl", source(), options(shape, config), tuple(launches), tuple(scratch), "conv3d.cl")


def options(shape: Shape, config: Config) -> tuple[str, ...]:
    """Return the build options: one macro per parameter and size."""
    macros: dict[str, object] = dict(config)
    for prefix, values in (
        ("", shape.size), ("O", shape.output), ("K", shape.kernel), ("S", shape.stride), ("P", shape.padding),
        ("L", shape.dilation),
    ):  # fmt: skip
        macros |= {prefix + axis: value for axis, value in zip("DHW", values, strict=True)}
    macros |= {
        "C": shape.c,
        "MULT": shape.multiplier,
        "CHANNELS_LAST": int(shape.channels_last),
        **({"BIAS": 1} if shape.bias else {}),
        "HALF": int(shape.dtype == "float16"),
        "SOURCE": "float" if config.integer("PACK") or shape.dtype == "float32" else "half",
    }
    return tuple(f"-D{name}={value}" for name, value in macros.items())


def width(config: Config) -> int:
    """Return the columns of a work-item's tile."""
    return config.integer("VW") * config.integer("NWI")


def padded(shape: Shape, config: Config) -> tuple[int, int, int]:
    """Return planes, rows and columns of the zero-padded copy, whole tiles included; the source says the same."""
    tiles = (1, config.integer("HWI"), width(config))
    d, h, w = (
        (_up(out, tile) - 1) * step + (taps - 1) * far + 1
        for out, tile, step, taps, far in zip(
            shape.output, tiles, shape.stride, shape.kernel, shape.dilation, strict=True
        )
    )
    return d, h, w


def _blocks(extent: int, block: int) -> int:
    return -(-extent // block)


def _up(extent: int, block: int) -> int:
    return _blocks(extent, block) * block

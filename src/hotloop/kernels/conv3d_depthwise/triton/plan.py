"""From a configuration to a launch of the Triton kernel: multiply-adds for every problem of the family, matrix products of small patches for 16-bit elements.

Sums are float32. Triton's interpreter multiplies the bits of bfloat16 as integers, so there operands are widened first.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial

from hotloop.kernels import _text
from hotloop.kernels.conv3d_depthwise.problem import shape_of
from hotloop.kernels.conv3d_depthwise.shape import ELEMENT_BYTES, Shape, blocks_of
from hotloop.kernels.conv3d_depthwise.triton.space import NAIVE, PARAMETERS, TILES
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program
from hotloop.model.space import Config
from hotloop.targets.machine import multiprocessors

_MOST_TAPS = 512
"""Taps of a window; larger ones were never tried."""
_MOST_WRITTEN = 128
"""Taps that are written out; of larger windows only rows are. With 343 taps Triton 3.6 took 83 s to compile what takes 1.4 s so, with 147 10 s and 0.7."""
_MOST_HELD = 128
"""Weights or inputs, or sums of matrix products, of a thread, which has at most 255 registers."""
_MOST_SUMS = 64
"""Sums of a thread that multiplies tap by tap; the inputs of several taps are on their way at the same time."""
_LEAST_DEEP, _MOST_DEEP = 16, 256
"""Inputs of a patch: what a matrix instruction takes of 16 bits, and what shared memory holds."""
_LEAST_OUT = 8
"""Columns of a matrix instruction."""
_WARP = 32
_MULTIPROCESSORS, _MOST_COLUMN = multiprocessors("sm_90"), 20
"""Multiprocessors of an H200, and the most planes that a program takes which multiplies tap by tap."""
_BUSY_WARPS = {"patches with strides": 4, "patches": 8, "taps": 12, "channels last": 16}
"""Warps that keep a multiprocessor busy, by kernel."""
_PACED_WARPS = 12
"""Those of patches up to which none slows another one down; with fewer, longer walks along depth pay."""
_MANY_TAPS = 25
"""Taps of a plane from which matrix products pay with strides, too."""
_FEW_TAPS = 9
"""Taps up to which more positions of a program pay where channels lie last."""
_TIGHT = "Triton 3.6"
_MANY = 1000
"""Programs of one warp that occupy a large GPU; with fewer, more warps share a program."""
_MOST_ELEMENTS = 1 << 31


@dataclass(frozen=True, slots=True)
class Patch:
    """One row of the matrix product: a rectangle of outputs and the inputs around it, in powers of two."""

    tile: tuple[int, int]
    inputs: tuple[int, int]
    outputs: int

    @property
    def deep(self) -> int:
        """Number of inputs of the patch: the inner dimension of the matrix product."""
        return self.inputs[0] * self.inputs[1]


def patch_of(shape: Shape, height: int, width: int) -> Patch:
    """Return the patch of `height` x `width` outputs."""
    tile = (height, width)
    rows, columns = (
        _power((out - 1) * step + (taps - 1) * far + 1)
        for out, step, taps, far in zip(tile, shape.stride[1:], shape.kernel[1:], shape.dilation[1:], strict=True)
    )
    columns = max(columns, _LEAST_DEEP // rows)
    return Patch(tile, (rows, columns), max(_LEAST_OUT, _power(height * width)))


def _power(extent: int) -> int:
    return 1 << (extent - 1).bit_length()


source = partial(_text.read, "hotloop.kernels.conv3d_depthwise.triton", "kernel.py")


def best(shape: Shape, runtime: str = "") -> Config:
    """Return the configuration to use for a shape of which nothing was measured.

    On an H200 the video problem takes 0.238 ms with one warp (64 patches of 4 x 4, whole depths), 0.271 ms with four, 0.83 ms tap
    by tap. One warp is chosen where `runtime`, the device's text, names the compiler that this was measured with: Triton 3.9
    spills 392 B there. What else decides was measured on 81 shapes (results/nvidia-h200-2026-11-22/conv3d-rules.json.gz):
    weights in registers take 0.7 to 1.0 of the time; a window of one tap of a plane shares nothing, and taps take 0.65 to 1.0 of
    the time of patches; strides leave three quarters of a patch's products idle, so that patches pay with 5 x 5 taps (45.5 µs
    against 70.5) and not with 3 x 3 (37.8 against 14.9).
    """
    if shape.channels_last:
        return _last(shape)
    rows, columns = shape.kernel[1:]
    stride = max(shape.stride[1:])
    if shape.dtype == "float32" or rows * columns == 1 or max(shape.dilation[1:]) > 1:
        return _tap_by_tap(shape)
    if stride > 1:
        patch = patch_of(shape, 4, 4)
        pays = rows * columns >= _MANY_TAPS and _is_light(shape, patch)
        return _in_patches(shape, patch) if pays else _tap_by_tap(shape)
    fitting = [tile for tile in (patch_of(shape, h, w) for h in TILES for w in TILES[1:]) if _is_light(shape, tile)]
    if not fitting:
        return _tap_by_tap(shape)
    patch = min(fitting, key=lambda tile: _cost(shape, tile))
    chosen = _in_patches(shape, patch)
    if (patch.tile, patch.deep) != ((4, 4), 64) or shape.kernel[0] > 3:
        return chosen
    if (rows, columns) != (5, 5):
        # with one warp 3 x 3 x 5 was wrong on an H200 with Triton 3.6 (384 channels of 2 x 112 x 112), 5 x 5 right at 12 shapes
        return chosen.replace(JOIN=int(can_join(shape)))
    alone = chosen.replace(num_warps=1, num_stages=1)
    tight = runtime.startswith(_TIGHT) and programs(shape, alone) >= _MANY
    return alone if tight else chosen.replace(JOIN=int(can_join(shape)))


def estimate_us(shape: Shape, config: Config) -> float:
    """Return about how long patches of 16-bit elements take on an H200, right to a quarter for 66 shapes; infinite for taps.

    A step of a program with four warps takes 0.6 µs, 6 ns for each input of a patch, and 0.04 ns for each of its products: inputs
    times columns of the matrix times planes of the window. Twelve warps of a multiprocessor work at that pace.
    """
    if config["FORM"] != "patches":
        return float("inf")
    patch = _patch(shape, config)
    each_us = 0.6 + 0.006 * patch.deep + 4e-5 * patch.deep * patch.outputs * shape.kernel[0]
    return _steps(shape, config, _PACED_WARPS) * each_us


def _in_patches(shape: Shape, patch: Patch) -> Config:
    some = NAIVE.replace(FORM="patches", TILE_H=patch.tile[0], TILE_W=patch.tile[1], num_stages=3)
    cuts = [some.replace(PLANES=planes) for planes in reversed(PARAMETERS[1].values)]
    return min(cuts, key=lambda cut: _steps(shape, cut))


def _tap_by_tap(shape: Shape) -> Config:
    taps = shape.kernel[0] * shape.kernel[1] * shape.kernel[2]
    some = NAIVE.replace(HOLD=int(taps <= _MOST_HELD))
    cuts = [some.replace(PLANES=planes, BLOCK=block) for planes in _columns(shape) for block in (128, 256)]
    return min(cuts, key=lambda cut: _steps(shape, cut) * (0.5 + cut.integer("BLOCK") / 128))


def _last(shape: Shape) -> Config:
    channels = min(64, max(8, _power(shape.c * shape.multiplier)))
    some = NAIVE.replace(CHANNELS=channels, BLOCK=16, num_warps=2)
    if shape.kernel[0] * shape.kernel[1] * shape.kernel[2] <= _FEW_TAPS:
        some = some.replace(BLOCK=32, num_warps=4)  # 5.9 µs against 9.1 with 1 x 3 x 3, 8.0 against 9.4 with 3 x 1 x 1
    return min((some.replace(PLANES=planes) for planes in _columns(shape)), key=lambda cut: _steps(shape, cut))


def _columns(shape: Shape) -> list[int]:
    """Return the planes of a program to compare; a window of one plane shares nothing along depth, and one took 0.45 to 0.9."""
    most = _MOST_COLUMN if shape.kernel[0] > 1 else 1
    return [int(planes) for planes in reversed(PARAMETERS[1].values) if int(planes) <= most]


def _steps(shape: Shape, config: Config, busy_warps: int = 0) -> float:
    """Return the input planes that a multiprocessor goes through one after the other: those of a program, more where it is busy.

    A program begins with a step in which it waits. Programs that share a multiprocessor do not slow each other down until its
    warps keep it busy: `busy_warps`, or as many as chose best. On an H200, over the cuts of depth that were measured, the least
    takes 1.02 times as long as the fastest for patches (48 shapes, 1.28 at most), 1.06 for taps (17 shapes, 1.38).
    """
    depth = min(config.integer("PLANES"), shape.output[0])
    along = shape.kernel[0] - 1 if shape.stride[0] == shape.dilation[0] == 1 else depth * (shape.kernel[0] - 1)
    shared = blocks_of(programs(shape, config), _MULTIPROCESSORS) * config.integer("num_warps")
    return (1 + depth + along) * max(1.0, shared / (busy_warps or _BUSY_WARPS[_kind(shape, config)]))


def _kind(shape: Shape, config: Config) -> str:
    if config["FORM"] == "patches":
        return "patches" if max(shape.stride) == 1 else "patches with strides"
    return "channels last" if shape.channels_last else "taps"


def _is_light(shape: Shape, patch: Patch) -> bool:
    """Tell whether 64 patches of four warps leave the other registers free."""
    return patch.deep <= _MOST_DEEP and shape.kernel[0] * patch.outputs <= 3 * 64


def _cost(shape: Shape, patch: Patch) -> float:
    """Return inputs that are read for each output of a plane, and products at a fiftieth: what times on an H200 fit best."""
    down, across = (blocks_of(out, size) for out, size in zip(shape.output[1:], patch.tile, strict=True))
    return down * across * patch.deep * (1 + patch.outputs / 50) / (shape.output[1] * shape.output[2])


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch.

    Raises:
        ValueError: the problem has no meaning, or its type, layout or sizes rule the configuration out.
    """
    shape = shape_of(problem)
    values = dict(constants(shape, config))
    if config["FORM"] == "patches":
        values["WIDEN"] = shape.dtype == "bfloat16" and device.interpreted
    warps, stages = config.integer("num_warps"), config.integer("num_stages")
    shared = shared_bytes(shape, config)
    device.check_shared(shared)
    names = ("x", "weights", "y", "bias") if shape.bias else ("x", "weights", "y")
    meta = Meta(
        values={**values, "num_warps": warps, "num_stages": stages},
        dtypes=dict.fromkeys(names, shape.dtype),
    )
    group = threads(warps, device.target)
    launch = Launch(
        str(config["FORM"]), tuple(map(Array, names)), (programs(shape, config) * group,), (group,)
    )  # fmt: skip
    return Program("triton", source(), meta.options, (launch,), source_name="kernel.py")


def constants(shape: Shape, config: Config) -> Mapping[str, object]:
    """Return the values of the kernel's compile-time parameters.

    Raises:
        ValueError: type, layout or sizes rule the configuration out.
    """
    values: dict[str, object] = {"C": shape.c, "MULT": shape.multiplier}
    for form, sizes in (
        ("{}", shape.size), ("O{}", shape.output), ("K{}", shape.kernel), ("S{}", shape.stride), ("P{}", shape.padding),
        ("L{}", shape.dilation),
    ):  # fmt: skip
        values |= {form.format(axis): size for axis, size in zip("DHW", sizes, strict=True)}
    if not shape.bias:
        values["bias"] = None
    values["PLANES"] = min(config.integer("PLANES"), shape.output[0])
    values.update(_of_patches(shape, config) if config["FORM"] == "patches" else _of_taps(shape, config))
    return values


def _of_taps(shape: Shape, config: Config) -> Mapping[str, object]:
    block, channels, hold = (config.integer(name) for name in ("BLOCK", "CHANNELS", "HOLD"))
    taps = shape.kernel[0] * shape.kernel[1] * shape.kernel[2]
    if channels > 1 and not shape.channels_last:
        raise ValueError("CHANNELS above 1 is for channels that lie last")
    if taps > _MOST_TAPS:
        raise ValueError(f"a window of {taps} taps; {_MOST_TAPS} are the most")
    kept = taps * -(-channels // _WARP) if hold else 0
    sums = shape.kernel[0] * block * channels // (_WARP * config.integer("num_warps"))
    if kept > _MOST_HELD or sums > _MOST_SUMS:
        raise ValueError(f"{kept} weights and {sums} sums of a thread; {_MOST_HELD} and {_MOST_SUMS} are the most")
    if (
        max(shape.size[1] * shape.size[2] * shape.c, shape.output[1] * shape.output[2] * shape.c * shape.multiplier)
        >= _MOST_ELEMENTS
    ):
        raise ValueError("a plane exceeds 32-bit indices")
    rolled = int(not hold and taps > _MOST_WRITTEN)
    return {"BLOCK": block, "CHANNELS": channels, "HOLD": hold, "LAST": int(shape.channels_last), "ROLL": rolled}


def _of_patches(shape: Shape, config: Config) -> Mapping[str, object]:
    if shape.dtype == "float32" or shape.channels_last:
        raise ValueError("patches take 16-bit elements, channels first")
    patches, patch = config.integer("PATCHES"), _patch(shape, config)
    if patch.deep > _MOST_DEEP:
        raise ValueError(f"a patch of {patch.deep} inputs; {_MOST_DEEP} are the most")
    per_thread = patches / (_WARP * config.integer("num_warps"))
    sums, inputs = shape.kernel[0] * patch.outputs * per_thread, patch.deep * per_thread
    if config.integer("JOIN") and not can_join(shape):
        raise ValueError("JOIN is for windows of 2 to 4 planes, with neither stride nor dilation along depth")
    if max(sums, inputs) > _MOST_HELD:
        raise ValueError(f"{sums:g} sums and {inputs:g} inputs of a thread; {_MOST_HELD} are the most of each")
    return {
        "PATCHES": patches, "TH": patch.tile[0], "TW": patch.tile[1], "IH": patch.inputs[0], "IW": patch.inputs[1],
        "N": patch.outputs, "DEPTHS": _power(shape.kernel[0]) if config.integer("JOIN") else 1, "WIDEN": False,
    }  # fmt: skip


def can_join(shape: Shape) -> bool:
    """Tell whether one matrix product may serve all depths of the window."""
    return shape.kernel[0] in (2, 3, 4) and shape.stride[0] == shape.dilation[0] == 1


def _patch(shape: Shape, config: Config) -> Patch:
    return patch_of(shape, config.integer("TILE_H"), config.integer("TILE_W"))


def programs(shape: Shape, config: Config) -> int:
    """Return how many programs a launch has."""
    depth, height, width = shape.output
    strips = blocks_of(depth, min(config.integer("PLANES"), depth))
    made = shape.c * shape.multiplier
    if config["FORM"] == "patches":
        tile_h, tile_w = config.integer("TILE_H"), config.integer("TILE_W")
        return shape.n * made * strips * blocks_of(
            blocks_of(height, tile_h) * blocks_of(width, tile_w), config.integer("PATCHES")
        )  # fmt: skip
    groups = blocks_of(made, config.integer("CHANNELS"))
    return shape.n * groups * strips * blocks_of(height * width, config.integer("BLOCK"))


def shared_bytes(shape: Shape, config: Config) -> int:
    """Return the shared memory that staged inputs and bands of weights take, at least."""
    if config["FORM"] == "taps":
        return 0
    patch, element = _patch(shape, config), ELEMENT_BYTES[shape.dtype]
    planes = max(1, config.integer("num_stages") - 1) * config.integer("PATCHES")
    return (planes + shape.kernel[0] * patch.outputs) * patch.deep * element


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts."""
    shape = shape_of(problem)
    taps = shape.kernel[0] * shape.kernel[1] * shape.kernel[2]
    width = _WARP * config.integer("num_warps")
    element = ELEMENT_BYTES[shape.dtype]
    facts = {"config.local_bytes": float(shared_bytes(shape, config)), "config.barriers": 0.0}
    if config["FORM"] == "patches":
        patch = _patch(shape, config)
        useful = 2.0 * taps * patch.tile[0] * patch.tile[1]
        return facts | {
            "config.accumulators": shape.kernel[0] * patch.outputs * config.integer("PATCHES") / width,
            "config.reuse": useful / (patch.deep * element),
            "config.contiguous_bytes": float(patch.inputs[1] * element),
        }
    step = shape.c if shape.channels_last else 1
    run = config.integer("CHANNELS") if shape.channels_last else config.integer("BLOCK")
    return facts | {
        "config.accumulators": shape.kernel[0] * config.integer("BLOCK") * config.integer("CHANNELS") / width,
        "config.reuse": 2.0 * shape.kernel[0] / element,
        "config.contiguous_bytes": float(min(run, 32) * element),
        "config.stride_bytes": float(step * element),
    }

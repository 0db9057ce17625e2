"""From a configuration to the CUDA C++ text of a convolution that walks along depth, and its launch."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hotloop.kernels import _text
from hotloop.kernels.conv3d_depthwise.cuda import plan as cuda
from hotloop.kernels.conv3d_depthwise.cuda.rungs import Rung
from hotloop.kernels.conv3d_depthwise.problem import shape_of
from hotloop.kernels.conv3d_depthwise.shape import ELEMENT_BYTES, Shape
from hotloop.kernels.conv3d_depthwise.walking import rungs
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Program
from hotloop.model.space import Config
from hotloop.targets.machine import multiprocessors

SHARED_PARTS = {"conv3d_carry": ("port",), "conv3d_turn": ("port", "exact", "bands")}
"""Texts of the folder ``cuda`` that a kernel includes, by kernel."""
_OWN_PARTS = {"conv3d_carry": ("carry",), "conv3d_turn": ("turned", "turn")}
"""Texts of this folder that a kernel consists of, by kernel: what it calls, then the kernel itself."""

ROUND = multiprocessors("sm_90")
"""Multiprocessors of an H200: so many blocks run at a time where one fits each, and WHOLE counts them as one."""


@cache
def source(entry: str) -> str:
    """Return the C++ text of a kernel."""
    parts = [cuda.part(name) for name in SHARED_PARTS[entry]]
    own = (_text.read("hotloop.kernels.conv3d_depthwise.walking", f"{name}.cuh") for name in _OWN_PARTS[entry])
    return _text.cxx((*parts, *own))


def rung_of(shape: Shape, config: Config) -> Rung:
    """Return the kernel that a configuration means. Raises ValueError when the shape does not fit it."""
    planes, channels, blocks = (config.integer(name) for name in ("PLANES", "CHANNELS", "BLOCKS"))
    if "HEIGHT" in config:
        height, stages = config.integer("HEIGHT"), config.integer("STAGES")
        return rungs.carry(shape, height=height, channels=channels, stages=stages, planes=planes, blocks=blocks)
    # Winners of older stores do not name these.
    further = {
        name.lower(): int(config.get(name, 0)) for name in ("AHEAD", "TOGETHER", "STREAM", "LINES", "EARLY", "STEADY")
    }
    further |= {"each": int(config.get("EACH", 1)), "slots": int(config.get("SLOTS", 2))}
    further["whole"] = int(config.get("WHOLE", 0)) * ROUND
    return rungs.turn(
        shape,
        quads=config.integer("QUADS"),
        channels=channels,
        planes=planes,
        blocks=blocks,
        **further,
    )


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration.

    Raises:
        ValueError: the problem does not fit the kernel, or the kernel does not fit the device.
    """
    rung = rung_of(shape_of(problem), config)
    device.check_shared(rung.shared_bytes)
    return program_of(rung)


def program_of(rung: Rung) -> Program:
    """Return the program of a kernel."""
    return cuda.program_of("cuda", rung, source(rung.entry))


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts."""
    shape = shape_of(problem)
    try:
        rung = rung_of(shape, config)
    except ValueError:
        return {}
    return {
        "config.local_bytes": float(rung.shared_bytes),
        "config.contiguous_bytes": 16.0 if shape.channels_last else float(ELEMENT_BYTES[shape.dtype]),
    }

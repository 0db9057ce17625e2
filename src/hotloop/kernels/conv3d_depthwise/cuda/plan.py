"""From a configuration to a rung of the CUDA C++ or HIP C++ text and its launch."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from hotloop.kernels import _text
from hotloop.kernels.conv3d_depthwise.cuda import rungs
from hotloop.kernels.conv3d_depthwise.cuda.rungs import Rung
from hotloop.kernels.conv3d_depthwise.problem import shape_of
from hotloop.kernels.conv3d_depthwise.shape import ELEMENT_BYTES, Shape
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Local, Program
from hotloop.model.space import Config
from hotloop.targets.target import Target

_HEIGHT = 5
"""Rows of a strip."""
_WAVES = {"cuda": 32, "hip": 64}
"""Work-items of a wave that the text is compiled for; under HIP that fits AMD's CDNA processors (gfx9) only."""
_ANY_WAVE = ("direct", "tile")


@cache
def source() -> str:
    """Return the C++ text: all parts, of which macros choose one kernel."""
    return _text.cxx(map(part, rungs.PARTS))


def part(name: str) -> str:
    """Return one part of the text."""
    return _text.read("hotloop.kernels.conv3d_depthwise.cuda", f"{name}.cuh")


def rung_of(shape: Shape, config: Config, wave: int = _WAVES["cuda"]) -> Rung:
    """Return the rung that a configuration means. Raises ValueError when the shape does not fit it."""
    planes = config.integer("PLANES")
    match config["RUNG"]:
        case "direct":
            return rungs.direct(shape)
        case "tile":
            return rungs.tile(shape)
        case "strip":
            depth, width, wide = min(planes, shape.output[0]), config.integer("WIDTH"), bool(config.integer("WIDE"))
            return rungs.strip(shape, height=_HEIGHT, width=width, planes=depth, wide=wide, wave=wave)
        case _:
            return _toeplitz(shape, config, planes, wave)


def _toeplitz(shape: Shape, config: Config, planes: int, wave: int) -> Rung:
    vertical = config.integer("VERTICAL")
    made = rungs.toeplitz(
        shape, quads=config.integer("QUADS"), planes=planes, stages=config.integer("STAGES"), loader=str(config["LOADER"]),
        blocks=config.integer("BLOCKS"), vertical=vertical, wave=wave,
    )  # fmt: skip
    if vertical and dict(made.macros)["BANDS"] == 1:  # one program, one configuration
        raise ValueError(f"{vertical} waves on top of each other have all rows of the plane, which is VERTICAL=0")
    return made


def plan(language: str, problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration.

    Raises:
        ValueError: the problem does not fit the rung, or the rung does not fit the device.
    """
    if (
        language == "hip"
        and Target.of(device.target).wave_sizes != (_WAVES["hip"],)
        and config["RUNG"] not in _ANY_WAVE
    ):
        raise ValueError(
            f"the {config['RUNG']} rung is written for waves of {_WAVES['hip']}, {device.target} has others"
        )
    rung = rung_of(shape_of(problem), config, _WAVES[language])
    device.check_shared(rung.shared_bytes)
    return program_of(language, rung)


def program_of(language: str, rung: Rung, text: str = "") -> Program:
    """Return the program of a rung; `text` is its own where that is not `source`."""
    arguments: tuple[Argument, ...] = (Array("x"), Array("weights"), Array("y"))
    if "BIAS" in dict(rung.macros):
        arguments += (Array("bias"),)
    if rung.shared_bytes:
        arguments += (Local(rung.shared_bytes),)
    width, height, depth = rung.grid
    launch = Launch(rung.entry, arguments, (width * rung.threads, height, depth), (rung.threads, 1, 1))
    return Program(language, text or source(), rung.options, (launch,), source_name="conv3d.cuh")


def traits(language: str, problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts."""
    shape = shape_of(problem)
    try:
        rung = rung_of(shape, config, _WAVES[language])
    except ValueError:
        return {}
    return {
        "config.local_bytes": float(rung.shared_bytes),
        "config.contiguous_bytes": float(ELEMENT_BYTES[shape.dtype]),
    }

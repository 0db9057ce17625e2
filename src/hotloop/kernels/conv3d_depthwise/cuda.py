"""The CUDA C++ and HIP C++ implementations: the rungs of `hotloop.kernels.conv3d_depthwise.rungs` as one space.

A parameter that the chosen rung does not have keeps its starting value, so that every kernel has one configuration.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from importlib import resources

from hotloop.kernels.conv3d_depthwise import rungs
from hotloop.kernels.conv3d_depthwise.problem import ELEMENT_BYTES, shape_of
from hotloop.kernels.conv3d_depthwise.rungs import Rung, Shape
from hotloop.model.device import Device
from hotloop.model.kernel import Implementation
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Local, Program
from hotloop.model.space import Config, Constraint, Parameter, Space
from hotloop.targets.target import Target

PARAMETERS = (
    Parameter("RUNG", ("direct", "tile", "strip", "toeplitz"), "cache-block", "where the window's inputs are kept"),
    Parameter("PLANES", (1, 5, 10, 20, 30, 60), "work-per-item", "output planes that a block walks through"),
    Parameter("WIDTH", (4, 8), "register-tile", "strip: outputs per thread along w"),
    Parameter("WIDE", (0, 1), "convert-once", "strip: 1 keeps float32 in shared memory"),
    Parameter("QUADS", (2, 3, 4, 6), "register-tile", "toeplitz: output rows of a segment, in fours"),
    Parameter("LOADER", ("registers", "async", "bulk"), "async-copy", "toeplitz: how planes come to shared memory"),
    Parameter("STAGES", (2, 3, 4, 6, 8), "prefetch", "toeplitz: planes in shared memory at once"),
    Parameter(
        "BLOCKS", (1, 2, 3, 4), "lower-registers", "toeplitz: blocks per multiprocessor that registers are left for"
    ),
    Parameter(
        "VERTICAL",
        (0, 1, 2, 3, 4),
        "workgroup-size",
        "toeplitz: waves of a block on top of each other; 0 has the plane's",
    ),
)
NAIVE = Config(RUNG="direct", PLANES=20, WIDTH=8, WIDE=0, QUADS=3, LOADER="async", STAGES=4, BLOCKS=2, VERTICAL=0)
"""One thread per output, everything from global memory."""
_NAIVE_HIP = NAIVE.replace(LOADER="registers")
_USED = {
    "direct": frozenset[str](),
    "tile": frozenset[str](),
    "strip": frozenset({"PLANES", "WIDTH", "WIDE"}),
    "toeplitz": frozenset({"PLANES", "QUADS", "LOADER", "STAGES", "BLOCKS", "VERTICAL"}),
}
_HEIGHT = 5
"""Rows of a strip."""
_WAVES = {"cuda": 32, "hip": 64}
"""Work-items of a wave that the text is compiled for; under HIP that fits AMD's CDNA processors (gfx9) only."""
_ANY_WAVE = ("direct", "tile")


def _only_used(name: str, start: Config, config: Config) -> bool:
    return name in _USED[str(config["RUNG"])] or config[name] == start[name]


def _staged(start: Config, config: Config) -> bool:
    return config["LOADER"] != "registers" or config["STAGES"] == start["STAGES"]


def _space(start: Config) -> Space:
    names = [p.name for p in PARAMETERS if p.name != "RUNG"]
    rules = tuple(
        Constraint(f"{name} belongs to another rung", partial(_only_used, name, start), ("RUNG", name))
        for name in names
    )
    staged = Constraint("through registers there are two stages", partial(_staged, start), ("LOADER", "STAGES"))
    return Space(PARAMETERS, (*rules, staged))


@cache
def source() -> str:
    """Return the C++ text: all parts, of which macros choose one kernel."""
    folder = resources.files("hotloop.kernels.conv3d_depthwise") / "sources"
    return "\n".join((folder / f"{part}.cuh").read_text() for part in rungs.PARTS)


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
    if device.local_mem_bytes is not None and rung.shared_bytes > device.local_mem_bytes:
        raise ValueError(f"{rung.shared_bytes} B of shared memory, {device.local_mem_bytes} B is all a block can have")
    arguments: tuple[Argument, ...] = (Array("x"), Array("weights"), Array("y"))
    if rung.shared_bytes:
        arguments += (Local(rung.shared_bytes),)
    width, height, depth = rung.grid
    launch = Launch(rung.entry, arguments, (width * rung.threads, height, depth), (rung.threads, 1, 1))
    return Program(language, source(), rung.options, (launch,), source_name="conv3d.cuh")


def simplicity(config: Config) -> float:
    """Return how far a rung is from the plain loop."""
    return float(PARAMETERS[0].index(config["RUNG"]) + config.integer("WIDE"))


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


CUDA = Implementation("cuda", "cuda", _space(NAIVE), NAIVE, partial(plan, "cuda"), simplicity, partial(traits, "cuda"))
HIP = Implementation(
    "hip", "hip", _space(_NAIVE_HIP), _NAIVE_HIP, partial(plan, "hip"), simplicity, partial(traits, "hip")
)

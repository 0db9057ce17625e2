"""The OpenCL C implementation that decides which group computes what: Z-order, persistent groups, stream-K, shared lanes.

Its tiles are those of `hotloop.kernels.gemm.pipelined`, with the same parameters and the same way through local memory. Groups
may follow the Z-order curve, take tile after tile, or share out the steps of k of all tiles evenly, whatever tiles they belong
to; neighbouring lanes may pass elements of A on instead of each reading all of them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.kernels.gemm import pipelined
from hotloop.kernels.gemm.pipelined import options, shape
from hotloop.kernels.gemm.plan import Geometry, located, refuse, text, values
from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm, gemm
from hotloop.model.device import Device
from hotloop.model.kernel import Implementation
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Scratch, Value
from hotloop.model.space import Config, Constraint, Parameter, Space

_LEFT_OUT = ("SPLIT", "ARRIVE", "SLICES", "COPY", "HOIST", "EARLY", "WEAVE")
"""Parameters of the pipelined implementation that belong to its own loop over k."""
_PLAIN = {name: pipelined.START[name] for name in _LEFT_OUT}
_GROUPS = (0, 1, 2, 4, 6, 8, 12, 16)
PARAMETERS = (
    *(parameter for parameter in pipelined.PARAMETERS if parameter.name not in _LEFT_OUT),
    Parameter("ORDER", (0, 1), "rasterize", "1 numbers the tiles along the Z-order curve"),
    Parameter("PERSISTENT", _GROUPS, "persistent", "groups per compute unit that take tile after tile; 0 is one per tile"),
    Parameter("STREAM_K", _GROUPS, "stream-k", "groups per compute unit that share the steps of all tiles; 0 is whole tiles"),
    Parameter("LANES", (0, 16, 32), "lane-broadcast", "neighbours that read one element of A each and pass it on"),
    Parameter("FUSED", (0, 1), "lane-broadcast", "1 multiplies by the neighbour's element in one instruction; AMD only"),
)  # fmt: skip

START = Config(
    **{name: value for name, value in pipelined.START.items() if name not in _LEFT_OUT},
    ORDER=0, PERSISTENT=0, STREAM_K=0, LANES=0, FUSED=0,
)  # fmt: skip
"""The textbook register tile, one group per tile in rows of tiles."""

_ROW = 16
"""Lanes of a row of AMD's data-parallel primitives."""
_MOST_STEPS = 2**31 - 1
"""Of all tiles together: the kernel counts them in 32 bits."""


def _v(config: Config, *names: str) -> list[int]:
    return [config.integer(name) for name in names]


def _one_order(config: Config) -> bool:
    order, raster = _v(config, "ORDER", "RASTER")
    return order == 0 or raster == 1


def _one_share(config: Config) -> bool:
    persistent, stream_k = _v(config, "PERSISTENT", "STREAM_K")
    return persistent == 0 or stream_k == 0


def _fused_rows(config: Config) -> bool:
    lanes, fused = _v(config, "LANES", "FUSED")
    return fused == 0 or lanes == _ROW


def _lanes_share_rows(config: Config) -> bool:
    lanes, ndim, mwi = _v(config, "LANES", "NDIM", "MWI")
    return lanes == 0 or (ndim % lanes == 0 and lanes % mwi == 0)


def _lanes_cover_steps(config: Config) -> bool:
    lanes, mwi, unroll = _v(config, "LANES", "MWI", "KUNROLL")
    return lanes == 0 or unroll * mwi % lanes == 0


SPACE = Space(
    PARAMETERS,
    (
        *(rule for rule in pipelined.SPACE.constraints if not set(rule.names) & set(_LEFT_OUT)),
        Constraint("ORDER 1 leaves RASTER at 1", _one_order, ("ORDER", "RASTER")),
        Constraint("PERSISTENT or STREAM_K, not both", _one_share, ("PERSISTENT", "STREAM_K")),
        Constraint(f"FUSED needs LANES of {_ROW}", _fused_rows, ("LANES", "FUSED")),
        Constraint("LANES divides NDIM and is a multiple of MWI", _lanes_share_rows, ("LANES", "NDIM", "MWI")),
        Constraint("KUNROLL·MWI is a multiple of LANES", _lanes_cover_steps, ("LANES", "MWI", "KUNROLL")),
    ),
)


@dataclass(frozen=True, slots=True)
class Shares:
    """How the steps of k of all tiles are divided among groups."""

    tiles: int
    steps: int
    """Of each tile; at least one, so that a tile without any is still stored."""
    groups: int

    def begin(self, group: int) -> int:
        """Return the first step of a group's share; the first shares have one step more."""
        each, more = divmod(self.tiles * self.steps, self.groups)
        return group * each + min(group, more)

    @property
    def cut(self) -> bool:
        """True when a share begins inside a tile, so that somebody must add the pieces."""
        return any(self.begin(group) % self.steps for group in range(1, self.groups))


def shares(form: Gemm, config: Config, geometry: Geometry, device: Device) -> Shares:
    """Return who computes what on a device; an empty problem has no groups."""
    steps = max(1, -(-form.k // config.integer("KWG"))) if form.reads_operands else 1
    tiles, units = geometry.groups, max(1, device.compute_units)
    persistent, stream_k = _v(config, "PERSISTENT", "STREAM_K")
    if stream_k:
        return Shares(tiles, steps, min(tiles * steps, stream_k * units))
    return Shares(tiles, steps, min(tiles, persistent * units) if persistent else tiles)


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch, and where stream-K cuts a tile a second one that mends it.

    Raises:
        ValueError: the problem has no meaning, or the device lacks local memory, group size or a data type.
    """
    form = gemm(problem)
    geometry = shape(form, config)
    refuse(form, config, geometry, device)
    macros, source = options(form, config, device), text("prelude", "epilogue", "stage", "scheduled")
    if form.empty:
        return Program("opencl", source, macros, source_name="gemm.cl")
    shared = shares(form, config, geometry, device)
    if shared.tiles * shared.steps > _MOST_STEPS:
        raise ValueError(f"{shared.tiles} tiles of {shared.steps} steps are too many for 32-bit numbers")
    pieces = config.integer("STREAM_K") > 0 and shared.cut
    main = _launch("gemm", form, config, shared.groups, (*located(form.a), *located(form.b)), pieces=pieces)
    if not pieces:
        return Program("opencl", source, macros, (main,), (), "gemm.cl")
    mend = _launch("mend", form, config, shared.groups - 1, (), pieces=True, phase="add", groups=shared.groups)
    piece_bytes = geometry.tile_m * geometry.tile_n * ELEMENT_BYTES[form.accumulate]
    scratch = Scratch("work", 2 * shared.groups * piece_bytes)  # a share may begin and end inside a tile
    return Program("opencl", source, macros, (main, mend), (scratch,), "gemm.cl")


def _launch(
    entry: str,
    form: Gemm,
    config: Config,
    count: int,
    operands: tuple[Argument, ...],
    *,
    pieces: bool,
    phase: str = "main",
    groups: int = 0,
) -> Launch:
    arguments = (
        *values("int32", form.m, form.n, form.k),
        *values(form.accumulate, form.alpha, form.beta),
        *operands,
        *located(form.c),
        Array("c" if form.bias == "none" else "bias"),
        Array("work" if pieces else "c"),
        *((Value(groups, "int32"),) if groups else ()),
    )
    items = config.integer("MDIM") * config.integer("NDIM")
    return Launch(entry, arguments, (count * items,), (items,), phase)


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond the register tile."""
    own = sum(config.integer(name) > 0 for name in ("ORDER", "PERSISTENT", "LANES", "FUSED"))
    return pipelined.simplicity(config.replace(**_PLAIN)) + own + 2 * (config.integer("STREAM_K") > 0)


def traits(problem: Problem, config: Config, device: Device) -> Mapping[str, float]:
    """Return the ``config.*`` facts; none for an empty problem."""
    form = gemm(problem)
    if form.empty:
        return {}
    shared = shares(form, config, shape(form, config), device)
    if config.integer("STREAM_K"):
        steps = -(-shared.tiles * shared.steps // shared.groups)
        tiles = (steps + shared.steps - 2) // shared.steps + 1  # that so many steps can touch
    else:
        tiles = -(-shared.tiles // shared.groups)
        steps = tiles * shared.steps
    barriers = tiles + steps * (1 if config.integer("BUFFERS") > 1 else 2)
    return {
        **pipelined.traits(problem, config.replace(**_PLAIN), device),
        "config.barriers": float(barriers),
    }


SCHEDULED = Implementation("opencl-scheduled", "opencl", SPACE, START, plan, simplicity, traits)

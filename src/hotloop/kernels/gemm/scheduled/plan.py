"""From problem and configuration of the scheduled implementation to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.kernels.gemm.pipelined.plan import options, shape
from hotloop.kernels.gemm.pipelined.plan import traits as pipelined_traits
from hotloop.kernels.gemm.problem import ELEMENT_BYTES, Gemm, gemm
from hotloop.kernels.gemm.scheduled.space import PLAIN
from hotloop.kernels.gemm.shared.geometry import Geometry, located, refuse, text, values
from hotloop.model.device import Device
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Scratch, Value
from hotloop.model.space import Config

_MOST_STEPS = 2**31 - 1
"""Most steps of all tiles together: the kernel counts them in 32 bits."""


@dataclass(frozen=True, slots=True)
class Shares:
    """How the steps of k of all tiles are divided among groups."""

    tiles: int
    steps: int
    """Steps along k of each tile; at least one, so that a tile without any is still stored."""
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
    persistent, stream_k = config.integers("PERSISTENT", "STREAM_K")
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
    macros, source = (
        options(form, config, device),
        text("shared/prelude", "shared/epilogue", "shared/stage", "scheduled/scheduled"),
    )
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
        **pipelined_traits(problem, config.replace(**PLAIN), device),
        "config.barriers": float(barriers),
    }

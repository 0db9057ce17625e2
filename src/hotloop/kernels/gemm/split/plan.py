"""From problem and configuration of the kernels that split k to their programs: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels import _jit
from hotloop.kernels.gemm.persistent.space import operand_bytes
from hotloop.kernels.gemm.problem import Gemm
from hotloop.kernels.gemm.shared import tiles
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program
from hotloop.model.space import Config

_SOURCE = "hotloop.kernels.gemm.split.kernel"


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of `split`: one launch, whose last program at a tile adds the slices of that.

    Raises:
        ValueError: the kernel does not take the problem, or the device lacks instructions or shared memory.
    """
    tiles.refuse_device(device, interpreted=True)
    return _program("split", tiles.taken(problem), config, device)


def plan_meet(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of `meet`: one launch of programs that wait for one another and must all be resident.

    Raises:
        ValueError: the kernel does not take the problem, or the device lacks instructions, shared memory or multiprocessors.
    """
    tiles.refuse_device(device)
    form = tiles.taken(problem)
    programs = _tiles(form, config) * config.integer("SPLITS")
    if programs > device.compute_units:
        raise ValueError(f"{programs} programs wait for one another on {device.compute_units} multiprocessors")
    return _program("meet", form, config, device, {"launch_cooperative_grid": True})


def _program(
    entry: str, form: Gemm, config: Config, device: Device, more: Mapping[str, object] | None = None
) -> Program:
    tiles.refuse_gaps(form)
    tiles.refuse_shared(device, operand_bytes(config))
    options, count, splits = (
        _meta(form, config, device, more or {}).options,
        _tiles(form, config),
        config.integer("SPLITS"),
    )
    if form.empty:
        return Program("triton", _jit.text(_SOURCE), options, source_name="kernel.py")
    sliced = splits > 1
    work, arrived = (Array("work"), Array("arrived")) if sliced else (tiles.unread(), tiles.unread())
    operands = Array(form.a.name), Array(form.b.name), Array("c"), tiles.bias(form)
    group = threads(config.integer("num_warps"), device.target)
    launch = Launch(entry, (*operands, work, arrived, *tiles.sizes(form)), (count * group, splits), (group, 1))
    return Program(
        "triton", _jit.text(_SOURCE), options, (launch,), tiles.areas(config, count) if sliced else (), "kernel.py"
    )


def _tiles(form: Gemm, config: Config) -> int:
    return tiles.tiles(form.m, config.integer("BM")) * tiles.tiles(form.n, config.integer("BN"))


def _meta(form: Gemm, config: Config, device: Device, more: Mapping[str, object]) -> Meta:
    bm, bn, bk = config.integers("BM", "BN", "BK")
    values: Mapping[str, object] = {
        **{name: config[name] for name in ("BM", "BN", "BK", "GROUP", "SPLITS", "num_warps", "num_stages")},
        **tiles.epilogue(form),
        **tiles.turns(form),
        **_jit.chained(config, device),
        **more,
    }
    descriptors = tiles.operands(form, bm, bn, bk)
    return Meta(
        values=values, dtypes=tiles.dtypes(form), descriptors=descriptors, uses=_jit.uses("hotloop.kernels.gemm.shared.jit")
    )  # fmt: skip

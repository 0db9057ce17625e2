"""From problem and configuration of the warp-specialized kernel to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels import _jit
from hotloop.kernels._jit import GROUP_THREADS
from hotloop.kernels.gemm.hopper.space import ALONE_REGISTERS, group_rows, shared_bytes, strip
from hotloop.kernels.gemm.problem import Gemm, Matrix
from hotloop.kernels.gemm.shared import tiles
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program, Scratch, Value
from hotloop.model.space import Config

WARPS = 4
"""Warps of each warp group that multiplies."""
_SOURCE = "hotloop.kernels.gemm.hopper.kernel"
_SUM_BYTES = 4
_FINISH = 1024
"""Elements of one program of the kernel that adds slices."""


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch of resident programs, and with SPLITS one more that adds.

    Raises:
        ValueError: the kernel does not take the problem, or the device lacks instructions or shared memory.
    """
    form = tiles.taken(problem, turns_a=False)
    tiles.refuse_rows(form.c)
    tiles.refuse_device(device, least=tiles.HOPPER)
    tiles.refuse_shared(device, shared_bytes(config))
    bm, bn, splits = config.integers("BM", "BN", "SPLITS")
    if splits > 1:
        _refuse_slices(form, bm)
    count = tiles.tiles(form.m, bm) * tiles.tiles(form.n, bn) * splits
    programs = min(device.compute_units, count)
    options = _meta(form, config, device).options
    if form.empty:
        return Program("gluon", _jit.text(_SOURCE), options, source_name="kernel.py")
    group, target = threads(WARPS, device.target), "work" if splits > 1 else "c"
    operands = Array(form.a.name), Array(form.b.name), Array(target), tiles.bias(form)
    main = Launch("hopper", (*operands, *tiles.sizes(form)), (programs * group,), (group,))
    if splits == 1:
        return Program("gluon", _jit.text(_SOURCE), options, (main,), source_name="kernel.py")
    scratch = (Scratch("work", _SUM_BYTES * splits * form.m * form.n),)
    return Program("gluon", _jit.text(_SOURCE), options, (main, _addition(form, group)), scratch, "kernel.py")


def _refuse_slices(form: Gemm, rows: int) -> None:
    """Raise ValueError where slices would overlap in the workspace, or be added to the wrong places."""
    if form.m % rows:
        raise ValueError(f"{form.m} rows are no multiple of {rows}")
    tiles.refuse_gaps(form)


def _addition(form: Gemm, group: int) -> Launch:
    extents = (Value(extent, "int32") for extent in (form.m, form.n))
    arguments = (Array("work"), Array("c"), tiles.bias(form), *extents)
    return Launch("add_slices", arguments, (tiles.tiles(form.m * form.n, _FINISH) * group,), (group,), "add")


def _meta(form: Gemm, config: Config, device: Device) -> Meta:
    splits, groups = config.integers("SPLITS", "GROUPS")
    values: Mapping[str, object] = {
        **{name: config[name] for name in ("GROUP", "SPLITS", "STAGES", "BUFFERS", "GROUPS", "AHEAD")},
        **tiles.epilogue(form),
        **tiles.turns(form),
        **_jit.chained(config, device),
        "TAKE_TURNS": bool(config["TAKE_TURNS"]),
        "PROGRAMS": device.compute_units,  # also where there are fewer tiles, so that all shapes share what was compiled
        "num_warps": WARPS,
        **({"maxnreg": ALONE_REGISTERS} if groups == 1 else {}),
        **({"BLOCK": _FINISH} if splits > 1 else {}),
    }
    return Meta(
        values=values,
        dtypes=tiles.dtypes(form),
        descriptors=_descriptors(form, config),
        uses=_jit.uses("hotloop.kernels.gemm.shared.jit"),
    )


def _descriptors(form: Gemm, config: Config) -> dict[str, Descriptor]:
    bm, bn, bk, splits = config.integers("BM", "BN", "BK", "SPLITS")
    element = _SUM_BYTES if splits > 1 else tiles.ELEMENT
    target = Matrix("work", splits * form.m, form.n, form.n, 0) if splits > 1 else form.c
    return {
        form.a.name: tiles.laid(form.a, bm, bk),
        form.b.name: tiles.laid(form.b, bk, bn, turned=form.transposed_b),
        f"{target.name}@hopper": tiles.laid(target, group_rows(config), strip(config, element), element),
    }


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return what the configuration alone tells."""
    bm, bn, bk, stages, groups = config.integers("BM", "BN", "BK", "STAGES", "GROUPS")
    sharing = 1 if config.integer("TAKE_TURNS") else groups
    return tiles.facts_of(problem, (bm, bn, bk), GROUP_THREADS * sharing, stages)

"""From problem and configuration of the stream-K kernel for few rows to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels import _jit
from hotloop.kernels.gemm.hopper_skinny.space import GROUP_THREADS, REGISTERS, shared_bytes
from hotloop.kernels.gemm.problem import Gemm
from hotloop.kernels.gemm.shared import tiles
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program, Scratch
from hotloop.model.space import Config

WARPS = 4
"""Warps of the warp group that multiplies."""
_SOURCE = "hotloop.kernels.gemm.hopper_skinny.kernel"
_SUM_BYTES = 4


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch of programs that share the reading of B evenly.

    Raises:
        ValueError: the kernel does not take the problem, or the device lacks instructions or shared memory.
    """
    form = tiles.taken(problem, turns_a=False)
    tiles.refuse_gaps(form)
    tiles.refuse_device(device, least=tiles.HOPPER)
    tiles.refuse_shared(device, shared_bytes(config))
    bm, bn, bk = config.integers("BM", "BN", "BK")
    if form.m > bm:
        raise ValueError(f"{form.m} rows exceed its {bm}")
    columns = tiles.tiles(form.n, bn)
    programs = min(device.compute_units, columns * tiles.tiles(form.k, bk))
    options = _meta(form, config, device, programs).options
    if form.empty:
        return Program("gluon", _jit.text(_SOURCE), options, source_name="kernel.py")
    operands = Array(form.a.name), Array(form.b.name), Array("c"), tiles.bias(form), Array("work"), Array("arrived")
    group = threads(WARPS, device.target)
    launch = Launch("skinny", (*operands, *tiles.sizes(form)), (programs * group,), (group,))
    scratch = (
        Scratch("work", _SUM_BYTES * 2 * programs * bn * bm),
        Scratch("arrived", 4 * columns, zeroed=True),
    )
    return Program("gluon", _jit.text(_SOURCE), options, (launch,), scratch, "kernel.py")


def _meta(form: Gemm, config: Config, device: Device, programs: int) -> Meta:
    bm, bn, bk = config.integers("BM", "BN", "BK")
    values: Mapping[str, object] = {
        "STAGES": config["STAGES"],
        **tiles.epilogue(form),
        **tiles.turns(form),
        **_jit.chained(config, device),
        "PROGRAMS": programs,
        "num_warps": WARPS,
        "maxnreg": REGISTERS,
    }
    descriptors = {
        form.a.name: tiles.laid(form.a, bm, bk),
        form.b.name: tiles.laid(form.b, bk, bn, turned=form.transposed_b),
    }
    return Meta(
        values=values,
        dtypes=tiles.dtypes(form),
        descriptors=descriptors,
        uses=_jit.uses("hotloop.kernels.gemm.hopper.kernel", "hotloop.kernels.gemm.shared.jit"),
    )


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return what the configuration alone tells."""
    bm, bn, bk, stages = config.integers("BM", "BN", "BK", "STAGES")
    return tiles.facts_of(problem, (bm, bn, bk), GROUP_THREADS, stages)

"""From problem and configuration of the stream-K kernel for few rows to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from hotloop.kernels import _jit
from hotloop.kernels._jit import GROUP_THREADS
from hotloop.kernels.gemm.hopper_skinny.space import REGISTERS, shared_bytes
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
    if form.m > config.integer("BM"):
        raise ValueError(f"{form.m} rows exceed its {config.integer('BM')}")
    return shared_out(form, config, device, Threads(WARPS, REGISTERS))


@dataclass(frozen=True, slots=True)
class Threads:
    """Warps that multiply, and the registers that each of their threads may have."""

    warps: int
    registers: int


def shared_out(form: Gemm, config: Config, device: Device, crew: Threads) -> Program:
    """Return the program that shares steps of tiles evenly, for as many rows as there are.

    Raises:
        ValueError: the kernel does not take the operands, or the device lacks instructions or shared memory.
    """
    tiles.refuse_gaps(form)
    tiles.refuse_device(device, least=tiles.HOPPER)
    tiles.refuse_shared(device, shared_bytes(config))
    bm, bn, bk = config.integers("BM", "BN", "BK")
    count = tiles.tiles(form.n, bn) * tiles.tiles(form.m, bm)
    programs = min(device.compute_units, count * tiles.tiles(form.k, bk))
    options = _meta(form, config, device, programs, crew).options
    if form.empty:
        return Program("gluon", _jit.text(_SOURCE), options, source_name="kernel.py")
    operands = Array(form.a.name), Array(form.b.name), Array("c"), tiles.bias(form), Array("work"), Array("arrived")
    group = threads(crew.warps, device.target)
    launch = Launch("skinny", (*operands, *tiles.sizes(form)), (programs * group,), (group,))
    scratch = (
        Scratch("work", _SUM_BYTES * 2 * programs * bn * bm),
        Scratch("arrived", 4 * count, zeroed=True),
    )
    return Program("gluon", _jit.text(_SOURCE), options, (launch,), scratch, "kernel.py")


def _meta(form: Gemm, config: Config, device: Device, programs: int, crew: Threads) -> Meta:
    bm, bn, bk = config.integers("BM", "BN", "BK")
    values: Mapping[str, object] = {
        "STAGES": config["STAGES"],
        **tiles.epilogue(form),
        **tiles.turns(form),
        **_jit.chained(config, device),
        "PROGRAMS": programs,
        "num_warps": crew.warps,
        "maxnreg": crew.registers,
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

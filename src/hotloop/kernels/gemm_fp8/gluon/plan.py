"""From problem and configuration of the Gluon kernel for 8-bit floats to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels import _jit
from hotloop.kernels.gemm_fp8 import operands
from hotloop.kernels.gemm_fp8.gluon.space import STRIP, shared_bytes
from hotloop.kernels.gemm_fp8.problem import Product, product
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Launch, Program
from hotloop.model.space import Config

_SOURCE = "hotloop.kernels.gemm_fp8.gluon.scaled_hopper"
_IMPORTED = ("hotloop.kernels.gemm.hopper.kernel",)
_WARPS = 4
"""Warps of one warp group."""
TARGET = "sm_90"


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch.

    Raises:
        ValueError: the problem has no meaning, or the device is no Hopper GPU.
    """
    form = product(problem)
    if device.target != TARGET:
        raise ValueError(f"{device.name} is no Hopper GPU, whose matrix instructions of a warp group the kernel uses")
    tiles = -(-form.m // config.integer("BM")) * -(-form.n // config.integer("BN"))
    programs = min(tiles, device.compute_units) if config.integer("PERSISTENT") else tiles
    values = {
        **{name: config[name] for name in ("GROUP", "STAGES", "BUFFERS")},
        **operands.constants(form),
        **_jit.chained(config, device),
        "PROGRAMS": programs,
        "EXACT": 0 if form.fast else config.integer("BLOCKS"),
        "num_warps": _WARPS,
    }
    meta = Meta(
        values=values,
        dtypes=operands.dtypes(form),
        descriptors=_descriptors(form, config),
        uses=_jit.uses(*_IMPORTED),
    )
    group = threads(_WARPS, device.target)
    launch = Launch("scaled_hopper", operands.arguments(form), (programs * group,), (group,))
    return Program("gluon", _jit.text(_SOURCE), meta.options, (launch,), source_name="scaled_hopper.py")


def _descriptors(form: Product, config: Config) -> Mapping[str, Descriptor]:
    bm, bn, bk = config.integers("BM", "BN", "BK")
    return {
        "a": Descriptor((form.m, form.k), (bm, bk), (form.lda, 1), layout=_jit.swizzled(bk, 1)),
        "w": Descriptor((form.n, form.k), (bn, bk), (form.ldw, 1), layout=_jit.swizzled(bk, 1)),
        "c": Descriptor((form.m, form.n), (bm // 2, STRIP), layout=_jit.swizzled(STRIP, 2)),
    }


def traits(problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return what the configuration alone tells; sums of a block stand beside those of all k."""
    bm, bn = config.integers("BM", "BN")
    sets = 1 if product(problem).fast else 2
    return {
        "config.accumulators": sets * bm * bn / (2 * 32 * _WARPS),
        "config.reuse": 2.0 * bm * bn / (bm + bn),
        "config.local_bytes": float(shared_bytes(config)),
    }

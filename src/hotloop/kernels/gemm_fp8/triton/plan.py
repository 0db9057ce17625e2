"""From problem and configuration of the Triton kernels for 8-bit floats to their program: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels import _jit
from hotloop.kernels.gemm.shared.tiles import areas
from hotloop.kernels.gemm_fp8 import operands
from hotloop.kernels.gemm_fp8.problem import Product, product
from hotloop.kernels.gemm_fp8.triton.space import shared_bytes
from hotloop.model.device import Device
from hotloop.model.jit import Descriptor, Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program
from hotloop.model.space import Config

_SOURCE = "hotloop.kernels.gemm_fp8.triton.scaled"
_IMPORTED = ("hotloop.kernels.gemm.shared.jit", "hotloop.kernels.gemm.shared.slices_jit")
_CHOSEN = {
    0: ("BM", "BN", "BK", "GROUP", "num_warps", "num_stages"),
    1: ("BM", "BN", "BK", "SPLITS", "num_warps", "num_stages"),
}
"""Parameters that reach the kernel, by SWAP."""


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch.

    Raises:
        ValueError: the problem has no meaning, or the device has no such instructions.
    """
    form = product(problem)
    operands.refuse(device)
    swap, splits = config.integers("SWAP", "SPLITS")
    tiles = -(-form.m // config.integer("BM")) * -(-form.n // config.integer("BN"))
    programs = min(tiles, device.compute_units) if config.integer("PERSISTENT") else tiles
    meta = Meta(
        values=_values(form, config, device, programs),
        dtypes={**operands.dtypes(form), "work": "float32", "arrived": "int32"},
        descriptors=_descriptors(form, config),
        uses=_jit.uses(*_IMPORTED),
    )
    group = threads(config.integer("num_warps"), device.target)
    shelf = (Array("work"), Array("arrived")) if splits > 1 else (Array("c"), Array("c"))
    arguments = operands.arguments(form, shelf if swap else ())
    if swap:
        launch = Launch("scaled_few", arguments, (tiles * group, splits), (group, 1))
    else:
        launch = Launch("scaled", arguments, (programs * group,), (group,))
    scratch = areas(config, tiles) if splits > 1 else ()
    return Program("triton", _jit.text(_SOURCE), meta.options, (launch,), scratch, "scaled.py")


def _values(form: Product, config: Config, device: Device, programs: int) -> Mapping[str, object]:
    swap = config.integer("SWAP")
    return {
        **{name: config[name] for name in _CHOSEN[swap]},
        **({} if swap else {"PROGRAMS": programs}),
        **operands.constants(form),
        **_jit.chained(config, device),
        "EXACT": not form.fast,
        "WIDEN": device.interpreted,
    }


def _descriptors(form: Product, config: Config) -> Mapping[str, Descriptor]:
    bm, bn, bk = config.integers("BM", "BN", "BK")
    read = {
        "a": Descriptor((form.m, form.k), (bm, bk), (form.lda, 1)),
        "w": Descriptor((form.n, form.k), (bn, bk), (form.ldw, 1)),
    }
    return read if config.integer("SWAP") else {**read, "c": Descriptor((form.m, form.n), (bm, bn))}


def traits(_problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return what the configuration alone tells."""
    bm, bn = config.integers("BM", "BN")
    return {
        "config.accumulators": bm * bn / (32 * config.integer("num_warps")),
        "config.reuse": 2.0 * bm * bn / (bm + bn),
        "config.local_bytes": float(shared_bytes(config)),
    }

"""From problem and configuration of the persistent kernel to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels import _jit
from hotloop.kernels.gemm.persistent.space import shared_bytes
from hotloop.kernels.gemm.problem import Gemm
from hotloop.kernels.gemm.shared import tiles
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program
from hotloop.model.space import Config

_SOURCE = "hotloop.kernels.gemm.persistent.kernel"


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch of resident programs.

    Raises:
        ValueError: the kernel does not take the problem, or the device lacks instructions or shared memory.
    """
    form = tiles.taken(problem)
    tiles.refuse_rows(form.c)
    tiles.refuse_device(device, interpreted=True)
    tiles.refuse_shared(device, shared_bytes(config))
    count = tiles.tiles(form.m, config.integer("BM")) * tiles.tiles(form.n, config.integer("BN"))
    most = config.integer("RESIDENT") * device.compute_units
    programs = min(count, most)
    options = _meta(form, config, device, most).options
    if form.empty:
        return Program("triton", _jit.text(_SOURCE), options, source_name="kernel.py")
    arguments = (Array(form.a.name), Array(form.b.name), Array("c"), tiles.bias(form), *tiles.sizes(form))
    group = threads(config.integer("num_warps"), device.target)
    launch = Launch("persistent", arguments, (programs * group,), (group,))
    return Program("triton", _jit.text(_SOURCE), options, (launch,), source_name="kernel.py")


def _meta(form: Gemm, config: Config, device: Device, most: int) -> Meta:
    bm, bn, bk, halves = config.integers("BM", "BN", "BK", "HALVES")
    values: Mapping[str, object] = {
        **{name: config[name] for name in ("BM", "BN", "BK", "GROUP", "num_warps", "num_stages")},
        **{name: bool(config[name]) for name in ("HALVES", "FLATTEN")},
        **tiles.epilogue(form),
        **tiles.turns(form),
        **_jit.chained(config, device),
        "PROGRAMS": most,  # also where there are fewer tiles, so that all shapes share what was compiled
        "SPECIALIZE": False,
    }
    descriptors = {
        **tiles.operands(form, bm, bn, bk),
        "c": tiles.described(form.c, bm, bn // (1 + halves)),
    }
    return Meta(
        values=values, dtypes=tiles.dtypes(form), descriptors=descriptors, uses=_jit.uses("hotloop.kernels.gemm.shared.jit")
    )  # fmt: skip

"""From problem and configuration of the Triton kernel for 4-bit weights to its program: pure."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.kernels import _jit
from hotloop.kernels.gemm.shared.tiles import areas
from hotloop.kernels.gemm_int4.problem import Product, product
from hotloop.kernels.gemm_int4.storage import COLUMNS
from hotloop.kernels.gemm_int4.triton.space import WARPS, shared_bytes
from hotloop.model.device import Device
from hotloop.model.jit import Meta, threads
from hotloop.model.problem import Problem
from hotloop.model.program import Array, Launch, Program, Value
from hotloop.model.space import Config
from hotloop.targets.target import Target

CAPABILITY = 80
"""Compute capability times ten, from which on there are matrix instructions for bfloat16."""
_SOURCE = "hotloop.kernels.gemm_int4.triton.weights4"
_IMPORTED = ("hotloop.kernels.gemm.shared.jit", "hotloop.kernels.gemm.shared.slices_jit")


def plan(problem: Problem, config: Config, device: Device) -> Program:
    """Return the program of a configuration: one launch.

    Raises:
        ValueError: the problem has no meaning, or the device has no such instructions.
    """
    form, target = product(problem), Target.of(device.target)
    if target.nvidia and not target.at_least(CAPABILITY):
        raise ValueError(f"{device.name} has no matrix instructions for bfloat16, which compute capability 8.0 brought")
    config = fitted(form, config)
    splits = config.integer("SPLITS")
    tiles = -(-form.m // config.integer("BM")) * (form.n // config.integer("BN"))
    group = threads(WARPS, device.target)
    meta = Meta(values=_values(form, config, device), dtypes=_dtypes(form), uses=_jit.uses(*_IMPORTED))
    launch = Launch("weights4", _arguments(form, splits), (tiles * group, splits), (group, 1))
    scratch = areas(config, tiles) if splits > 1 else ()
    return Program("triton", _jit.text(_SOURCE), meta.options, (launch,), scratch, "weights4.py")


def fitted(form: Product, config: Config) -> Config:
    """Return the configuration that is really built: columns that do not divide n give way to those of a stored block."""
    return config.replace(BN=COLUMNS) if form.n % config.integer("BN") else config


def _values(form: Product, config: Config, device: Device) -> Mapping[str, object]:
    return {
        **{name: config[name] for name in ("BM", "BN", "SPLITS", "num_stages")},
        "BIAS": form.bias,
        "ACT": form.act,
        "FAST": config.integer("PACKED") == 1
        and Target.of(device.target).nvidia
        and not device.interpreted,  # machine instructions
        "WIDEN": device.interpreted,
        "num_warps": WARPS,
    }


def _dtypes(form: Product) -> Mapping[str, str]:
    wide = ("a", "scale", "c", *(("bias",) if form.bias else ()))
    return {**dict.fromkeys(wide, form.dtype), "w": "uint8", "work": "float32", "arrived": "int32"}


def _arguments(form: Product, splits: int) -> tuple[Array | Value, ...]:
    """Return the kernel's arguments; C stands for what is not read."""
    names = ("a", "w", "scale", "c", "bias" if form.bias else "c", *(("work", "arrived") if splits > 1 else ("c", "c")))
    sizes = (form.m, form.n, form.k, form.lda)
    return (*map(Array, names), *(Value(size, "int32") for size in sizes))


def traits(_problem: Problem, config: Config, _device: Device) -> Mapping[str, float]:
    """Return what the configuration alone tells; sums of a group of k stand beside those of all k."""
    bm, bn = config.integers("BM", "BN")
    return {
        "config.accumulators": 2.0 * bm * bn / (32 * WARPS),
        "config.local_bytes": float(shared_bytes(config)),
    }

"""Launches of the matrix products on checked tensors: descriptors, grids and workspaces of each kind."""

# mypy: disable-error-code="no-untyped-call"
from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING, Any

import torch

from hotloop.dispatch import counters
from hotloop.kernels.gemm.persistent import kernel as persistent
from hotloop.kernels.gemm.shared import jit
from hotloop.kernels.gemm.split import kernel as split
from hotloop.ops.tensors.products import ACTIVATIONS

if TYPE_CHECKING:
    from collections.abc import Callable

    from hotloop.model.space import Config

_STRIP_BYTES = 128
"""Widest row of a block that the tensor memory accelerator swizzles: CUDA driver API, cuTensorMapEncodeTiled."""
_FINISH = 1024
"""Elements of one program of the kernel that adds slices."""


def run(
    kind: str, config: Config, units: int, a: torch.Tensor, b: torch.Tensor, bias: torch.Tensor | None, function: str
) -> torch.Tensor:
    """Return act(a · b + bias) for row-major operands; `units` are the device's multiprocessors."""
    c = torch.empty((a.shape[0], b.shape[1]), dtype=a.dtype, device=a.device)
    with on(a):
        _KINDS[kind](config, units, a, b, c, bias, ACTIVATIONS.index(function))
    return c


def on(tensor: torch.Tensor) -> Any:  # noqa: ANN401 - a context manager
    """Return what makes a tensor's device current."""
    return torch.cuda.device(tensor.device)


def _persistent(
    config: Config, units: int, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, bias: torch.Tensor | None, act: int
) -> None:
    bm, bn, bk = (config.integer(name) for name in ("BM", "BN", "BK"))
    (m, k), n = a.shape, b.shape[1]
    halves = bool(config["HALVES"])
    programs = min(units * config.integer("RESIDENT"), _tiles(m, bm) * _tiles(n, bn))
    persistent.persistent[(programs,)](
        described(a, bm, bk), described(b, bk, bn), described(c, bm, bn // 2 if halves else bn), _given(bias, a),
        m, n, k, BM=bm, BN=bn, BK=bk, GROUP=config.integer("GROUP"), PROGRAMS=programs, BIAS=bias is not None, ACT=act,
        HALVES=halves, FLATTEN=bool(config["FLATTEN"]), SPECIALIZE=False,
        num_warps=config.integer("num_warps"), num_stages=config.integer("num_stages"), **early(config, a.device),
    )  # fmt: skip


def _split(
    config: Config, units: int, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, bias: torch.Tensor | None, act: int,
    *, together: bool = False,
) -> None:  # fmt: skip
    del units
    bm, bn, bk, splits = (config.integer(name) for name in ("BM", "BN", "BK", "SPLITS"))
    (m, k), n = a.shape, b.shape[1]
    tiles = _tiles(m, bm) * _tiles(n, bn)
    work = torch.empty((tiles * splits * bm * bn,), dtype=torch.float32, device=a.device)
    # the counters of `meet` count on from launch to launch, by its slices
    arrived = counters.zeros(a.device, tiles, f"meet {splits}" if together else "split")
    kernel, more = (split.meet, {"launch_cooperative_grid": True}) if together else (split.split, {})
    kernel[(tiles, splits)](
        described(a, bm, bk), described(b, bk, bn), c, _given(bias, c), work, arrived, m, n, k,
        BM=bm, BN=bn, BK=bk, GROUP=config.integer("GROUP"), SPLITS=splits, BIAS=bias is not None, ACT=act,
        num_warps=config.integer("num_warps"), num_stages=config.integer("num_stages"), **more, **early(config, a.device),
    )  # fmt: skip


def _meet(
    config: Config, units: int, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, bias: torch.Tensor | None, act: int
) -> None:
    _split(config, units, a, b, c, bias, act, together=True)


def _hopper(
    config: Config, units: int, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, bias: torch.Tensor | None, act: int
) -> None:
    from hotloop.kernels.gemm.hopper import kernel as gluon_hopper

    bm, bn, bk, groups = (config.integer(name) for name in ("BM", "BN", "BK", "GROUPS"))
    turns, splits = bool(config["TAKE_TURNS"]), int(config.get("SPLITS", 1))
    (m, k), n = a.shape, b.shape[1]
    rows = bm if groups == 1 or turns else bm // 2
    programs = min(units, _tiles(m, bm) * _tiles(n, bn) * splits)
    target = c if splits == 1 else torch.empty((splits * m, n), dtype=torch.float32, device=a.device)
    given, inside = _given(bias, a), splits == 1
    gluon_hopper.hopper[(programs,)](
        laid(a, bm, bk), laid(b, bk, bn), laid(target, rows, min(bn, _STRIP_BYTES // target.element_size())),
        given, m, n, k, GROUP=config.integer("GROUP"), PROGRAMS=programs, SPLITS=splits,
        STAGES=config.integer("STAGES"), BUFFERS=config.integer("BUFFERS"), GROUPS=groups, TAKE_TURNS=turns,
        BIAS=bias is not None and inside, ACT=act if inside else 0, AHEAD=int(config.get("AHEAD", 0)), num_warps=4,
        **_capped(groups), **early(config, a.device),
    )  # fmt: skip
    if not inside:
        jit.add_slices[(_tiles(m * n, _FINISH),)](
            target, c, given, m, n, SPLITS=splits, BLOCK=_FINISH, BIAS=bias is not None, ACT=act, num_warps=4
        )


def _skinny(
    config: Config, units: int, a: torch.Tensor, b: torch.Tensor, c: torch.Tensor, bias: torch.Tensor | None, act: int
) -> None:
    from hotloop.kernels.gemm.hopper_skinny import kernel as gluon_skinny

    mt, bn, bk = (config.integer(name) for name in ("BM", "BN", "BK"))
    (m, k), n = a.shape, b.shape[1]
    tiles = _tiles(n, bn)
    programs = min(units, tiles * _tiles(k, bk))
    work = torch.empty((2 * programs * bn * mt,), dtype=torch.float32, device=a.device)
    arrived = counters.zeros(a.device, tiles, "skinny")
    gluon_skinny.skinny[(programs,)](
        laid(a, mt, bk), laid(b, bk, bn), c, _given(bias, a), work, arrived, m, n, k,
        PROGRAMS=programs, STAGES=config.integer("STAGES"), BIAS=bias is not None, ACT=act, num_warps=4, **_capped(1),
        **early(config, a.device),
    )  # fmt: skip


_KINDS: dict[str, Callable[..., None]] = {
    "persistent": _persistent,
    "split": _split,
    "meet": _meet,
    "hopper": _hopper,
    "hopper-skinny": _skinny,
}


def _tiles(extent: int, block: int) -> int:
    return -(-extent // block)


def _given(bias: torch.Tensor | None, other: torch.Tensor) -> torch.Tensor:
    """Return the bias, or what stands for one that is not read."""
    return other if bias is None else bias


def _capped(groups: int) -> dict[str, int]:
    """Return the limit of registers that one warp group and a loader leave room for several programs with."""
    return {"maxnreg": 128} if groups == 1 else {}


def early(config: Config, device: torch.device) -> dict[str, int | bool]:
    """Return what lets a kernel be launched while the one before it ends; it then waits by itself before it reads."""
    chain = int(config.get("CHAIN", 0)) if chains(device) else 0
    return {"CHAIN": chain, "launch_pdl": True} if chain else {"CHAIN": 0}


@cache
def chains(device: torch.device) -> bool:
    """Tell whether a device knows launches that depend on the one before: CUDA programming guide, from 9.0 on."""
    return bool(device.type == "cuda" and torch.cuda.get_device_capability(device) >= (9, 0))


def _strides(x: torch.Tensor) -> list[int]:
    """Return strides in elements; that of a single row means nothing and may be anything."""
    return [x.shape[1] if x.shape[0] == 1 else x.stride(0), 1]


def described(x: torch.Tensor, rows: int, columns: int) -> Any:  # noqa: ANN401
    """Return Triton's descriptor of a row-major matrix."""
    from triton.tools.tensor_descriptor import TensorDescriptor

    return TensorDescriptor(x, list(x.shape), _strides(x), [rows, columns])


def laid(x: torch.Tensor, rows: int, columns: int) -> Any:  # noqa: ANN401
    """Return Gluon's descriptor with the widest swizzle that the block allows."""
    from triton.experimental.gluon.nvidia.hopper import TensorDescriptor

    return TensorDescriptor(x, list(x.shape), _strides(x), [rows, columns], _layout(columns, x.element_size()))


@cache
def _layout(columns: int, element: int) -> Any:  # noqa: ANN401
    from triton.experimental.gluon.language import NVMMASharedLayout

    width = next(width for width in (128, 64, 32) if columns * element % width == 0)
    return NVMMASharedLayout(width, 8 * element)

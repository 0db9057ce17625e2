"""The bf16 GEMM kernels of `hotloop.kernels.gemm` as calls without arguments, with workspaces of their own, for benchmarks."""

from __future__ import annotations

from dataclasses import dataclass
from functools import partial

import torch
import triton
from triton.experimental.gluon.language._layouts import NVMMASharedLayout
from triton.experimental.gluon.nvidia.hopper import TensorDescriptor as GluonDescriptor
from triton.tools.tensor_descriptor import TensorDescriptor

from hotloop.kernels.gemm.hopper import kernel as gluon_hopper
from hotloop.kernels.gemm.hopper_skinny import kernel as gluon_skinny
from hotloop.kernels.gemm.persistent import kernel as persistent_kernel
from hotloop.kernels.gemm.shared import jit
from hotloop.kernels.gemm.split import kernel as split_kernel

DEVICE = "cuda"
MULTIPROCESSORS = 132


@dataclass(frozen=True)
class Candidate:
    """A kernel and its constants."""

    kind: str
    config: tuple[int | bool, ...]
    chain: int = 0
    """How a launch begins while the kernel before it ends: not, or as `jit.py` and `gluon_skinny.skinny` say."""

    def call(self, inputs, act=0):
        """Return a call on operands, bias and result; `act` is the kernels' number, 0 without bias too."""
        a, b, bias, c = inputs
        early = {"CHAIN": self.chain, "launch_pdl": self.chain > 0}
        return MAKE[self.kind](self.config, a, b, c, bias if act else None, act, early)


def persistent(config, a, b, c, bias, act, early):
    bm, bn, bk, group, warps, stages, halves_, flatten, resident = config
    (m, k), n = a.shape, b.shape[1]
    da = TensorDescriptor.from_tensor(a, [bm, bk])
    db = TensorDescriptor.from_tensor(b, [bk, bn])
    dc = TensorDescriptor.from_tensor(c, [bm, bn // 2 if halves_ else bn])
    programs = min(MULTIPROCESSORS * resident, triton.cdiv(m, bm) * triton.cdiv(n, bn))

    def run():
        persistent_kernel.persistent[(programs,)](
            da, db, dc, bias if bias is not None else a, m, n, k,
            BM=bm, BN=bn, BK=bk, GROUP=group, PROGRAMS=programs, BIAS=bias is not None, ACT=act,
            HALVES=halves_, FLATTEN=flatten, SPECIALIZE=False, num_warps=warps, num_stages=stages, **early,
        )  # fmt: skip

    return run


def split(config, a, b, c, bias, act, early, together=False):
    bm, bn, bk, group, warps, stages, splits = config
    (m, k), n = a.shape, b.shape[1]
    da = TensorDescriptor.from_tensor(a, [bm, bk])
    db = TensorDescriptor.from_tensor(b, [bk, bn])
    grid = (triton.cdiv(m, bm) * triton.cdiv(n, bn), splits)
    if together and grid[0] * splits > MULTIPROCESSORS:
        raise ValueError("more programs than multiprocessors")
    work = torch.empty((grid[0] * splits * bm * bn,), dtype=torch.float32, device=DEVICE)
    arrived = torch.zeros((grid[0],), dtype=torch.int32, device=DEVICE)
    kernel, more = (split_kernel.meet, {"launch_cooperative_grid": True}) if together else (split_kernel.split, {})

    def run():
        kernel[grid](
            da, db, c, bias if bias is not None else c, work, arrived, m, n, k,
            BM=bm, BN=bn, BK=bk, GROUP=group, SPLITS=splits, BIAS=bias is not None, ACT=act,
            num_warps=warps, num_stages=stages, **more, **early,
        )  # fmt: skip

    return run


def described(tensor, block):
    """Return a Gluon descriptor with the widest swizzle that the block allows."""
    bits = tensor.element_size() * 8
    width = next(w for w in (128, 64, 32) if block[1] * bits // 8 % w == 0)
    return GluonDescriptor.from_tensor(tensor, list(block), NVMMASharedLayout(width, bits))


def hopper(config, a, b, c, bias, act, early, last="SPLITS"):
    bm, bn, bk, stages, groups, turns, buffers, group = config[:8]
    splits, ahead = (config[8], 0) if last == "SPLITS" and len(config) > 8 else (1, config[8] if len(config) > 8 else 0)
    (m, k), n = a.shape, b.shape[1]
    rows = bm if groups == 1 or turns else bm // 2
    tiles = triton.cdiv(m, bm) * triton.cdiv(n, bn) * splits
    programs = min(MULTIPROCESSORS, tiles)
    target = c if splits == 1 else torch.empty((splits * m, n), dtype=torch.float32, device=DEVICE)
    da, db = described(a, (bm, bk)), described(b, (bk, bn))
    dc = described(target, (rows, min(bn, 128 // target.element_size())))
    inside = splits == 1
    given = bias if bias is not None else a
    more = {"maxnreg": 128} if groups == 1 else {}

    def run():
        gluon_hopper.hopper[(programs,)](
            da, db, dc, given, m, n, k,
            GROUP=group, PROGRAMS=programs, SPLITS=splits, STAGES=stages, BUFFERS=buffers, GROUPS=groups,
            TAKE_TURNS=turns, BIAS=bias is not None and inside, ACT=act if inside else 0, AHEAD=ahead, num_warps=4,
            **more, **early,
        )  # fmt: skip
        if not inside:
            jit.add_slices[(triton.cdiv(m * n, 1024),)](
                target, c, given, m, n, SPLITS=splits, BLOCK=1024, BIAS=bias is not None, ACT=act, num_warps=4
            )

    return run


def skinny(config, a, b, c, bias, act, early):
    mt, bn, bk, stages = config
    (m, k), n = a.shape, b.shape[1]
    tiles = triton.cdiv(n, bn)
    programs = min(MULTIPROCESSORS, tiles * triton.cdiv(k, bk))
    work = torch.empty((2 * programs * bn * mt,), dtype=torch.float32, device=DEVICE)
    arrived = torch.zeros((tiles,), dtype=torch.int32, device=DEVICE)
    da, db = described(a, (mt, bk)), described(b, (bk, bn))

    def run():
        gluon_skinny.skinny[(programs,)](
            da, db, c, bias if bias is not None else a, work, arrived, m, n, k,
            PROGRAMS=programs, STAGES=stages, BIAS=bias is not None, ACT=act, num_warps=4, maxnreg=128, **early,
        )  # fmt: skip

    return run


MAKE = {
    "persistent": persistent,
    "split": split,
    "meet": partial(split, together=True),
    "hopper": hopper,
    "hopper-ahead": partial(hopper, last="AHEAD"),
    "hopper-split": hopper,
    "skinny": skinny,
}

"""Which implementation and configuration serve a shape on a device: a rule that covers every shape, fitted on an H200."""

from __future__ import annotations

from hotloop.kernels.gemm_fp8.gluon import GLUON
from hotloop.kernels.gemm_fp8.gluon.plan import TARGET
from hotloop.kernels.gemm_fp8.problem import Product, product
from hotloop.kernels.gemm_fp8.triton import TRITON
from hotloop.model.device import Device
from hotloop.model.kernel import Variant
from hotloop.model.problem import Problem
from hotloop.model.space import Config

FEW_ROWS = 64
"""Largest number of rows for which reading the weights decides the time, and rows of W are the rows of the instruction."""
FEW = Config(
    SWAP=1, BM=16, BN=64, BK=256, GROUP=1, SPLITS=1, PERSISTENT=0, CHAIN=1, num_warps=4, num_stages=4
)  # fmt: skip
"""Configuration for up to 16 rows; SPLITS is chosen so that the programs fill the device."""
MANY = Config(
    SWAP=0, BM=128, BN=128, BK=128, GROUP=8, SPLITS=1, PERSISTENT=1, CHAIN=1, num_warps=8, num_stages=4
)  # fmt: skip
"""Configuration for more rows on GPUs that Gluon's kernel is not written for."""
EXACT = Config(BM=128, BN=128, BK=128, STAGES=6, BLOCKS=2, BUFFERS=1, GROUP=8, PERSISTENT=1, CHAIN=1)
"""Configuration for Hopper that adds up two blocks of k by themselves before it adds them to the sums of all k."""
FAST = EXACT.replace(BM=256, STAGES=4)
"""Configuration for Hopper where the matrix instruction may add up all k: without sums of blocks there is room for twice the rows."""
_MOST_SPLITS = 8
_STEPS = 4
"""Fewest steps of a slice of k."""


def variant(problem: Problem, device: Device) -> Variant:
    """Return what serves a problem on an NVIDIA GPU from compute capability 9.0 on. Raises ValueError for no problem."""
    form, units = product(problem), device.compute_units
    if form.m <= FEW_ROWS:
        rows = next(size for size in (16, 32, 64) if form.m <= size)
        return Variant(TRITON, FEW.replace(BM=rows, SPLITS=_splits(form, units)))
    if device.target == TARGET:
        return Variant(GLUON, FAST if form.fast and _tiles(form, 256) > units // 4 else EXACT)
    few = _tiles(form, 128) <= units // 2
    return Variant(TRITON, MANY.replace(BM=64, num_warps=4) if few else MANY)


def _tiles(form: Product, rows: int) -> int:
    """Return the tiles of `rows` by 128."""
    return -(-form.m // rows) * -(-form.n // 128)


def _splits(form: Product, units: int) -> int:
    """Return the most slices of k that still lie on the device side by side, a tile to a multiprocessor."""
    width, depth = FEW.integers("BN", "BK")
    tiles, steps, splits = -(-form.n // width), -(-form.k // depth), 1
    while splits < _MOST_SPLITS and 2 * splits * tiles <= units and steps >= 2 * splits * _STEPS:
        splits *= 2
    return splits

"""Which configuration serves a shape on a device: a rule that covers every shape; it fits what was measured on an H200 within 4 %."""

from __future__ import annotations

from hotloop.kernels.gemm_int4.problem import Product, product
from hotloop.kernels.gemm_int4.storage import COLUMNS, GROUP
from hotloop.kernels.gemm_int4.triton import TRITON
from hotloop.model.device import Device
from hotloop.model.kernel import Variant
from hotloop.model.problem import Problem
from hotloop.model.space import Config

SHIPPED = Config(BM=16, BN=COLUMNS, SPLITS=1, PACKED=1, num_stages=4)
"""Configuration for up to 16 rows; SPLITS is chosen so that the programs fill the device."""
_MOST_SPLITS = 16
_SHARE = {16: 7.0, 32: 4.0, 64: 2.0}
"""Most programs for a multiprocessor by rows: some wait for memory while others multiply; more only add up each other's."""
_STEPS = {16: 4, 32: 8, 64: 4}
"""Fewest stored blocks of k of a program."""
_ROWS_WIDE = 64
_STEPS_WIDE = 12
"""Fewest blocks of k with which a tile of twice the width pays: it reads A half as often."""


def variant(problem: Problem, device: Device) -> Variant:
    """Return what serves a problem. Raises ValueError for one without meaning."""
    form, units = product(problem), device.compute_units
    rows = next((size for size in (16, 32) if form.m <= size), 64)
    wide = SHIPPED.replace(BM=rows, BN=2 * COLUMNS, SPLITS=_splits(form, rows, 2 * COLUMNS, units))
    divides, deep = not form.n % (2 * COLUMNS), form.k // GROUP >= _STEPS_WIDE * wide.integer("SPLITS")
    if rows == _ROWS_WIDE and divides and deep:
        return Variant(TRITON, wide)
    return Variant(TRITON, wide.replace(BN=COLUMNS, SPLITS=_splits(form, rows, COLUMNS, units)))


def _splits(form: Product, rows: int, columns: int, units: int) -> int:
    """Return the most slices of k that leave each program some blocks and the device not too many programs."""
    tiles, steps, splits = -(-form.m // rows) * -(-form.n // columns), form.k // GROUP, 1
    most = _SHARE[rows] * units
    while splits < _MOST_SPLITS and 2 * splits * tiles <= most and steps >= 2 * splits * _STEPS[rows]:
        splits *= 2
    return splits

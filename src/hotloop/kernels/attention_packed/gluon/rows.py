"""Configurations for packed sequences that won on an H200: those of attention, measured on packed problems."""

from __future__ import annotations

from hotloop.kernels.attention.gluon import rows as dense
from hotloop.kernels.attention.gluon.rows import Row
from hotloop.model.record import Record

TARGET = dense.TARGET


def _row(heads: int, kv_heads: int, size: int, causal: int) -> Row:
    sizes = Record(heads=heads, kv_heads=kv_heads, size=size, dtype="bfloat16", causal=causal)
    evidence = f"faster on an H200 than PyTorch's flash kernel for packed heads of {size}"
    return Row(dense.row_for(size).config, sizes, evidence)


TABLE = (_row(16, 16, 64, 0), _row(32, 8, 128, 1), _row(16, 4, 256, 1))
"""Sequences of 128 to 1024, 128 to 4096 and 128 to 2048 rows, drawn at random: results/nvidia-h200-2026-11-22/attention.json."""


def row_for(size: int) -> Row:
    """Return the row of a head size that the kernel takes."""
    return next(row for row in TABLE if row.sizes["size"] == size)

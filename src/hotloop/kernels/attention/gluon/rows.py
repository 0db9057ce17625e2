"""Configurations of the Hopper kernel that won on an H200, with the problems on which they were measured."""

from __future__ import annotations

from dataclasses import dataclass

from hotloop.kernels.attention.gluon.space import ROWS, SIZES, rows, width
from hotloop.kernels.attention.problem import Shape
from hotloop.model.record import Record
from hotloop.model.space import Config

TARGET = "sm_90"


@dataclass(frozen=True, slots=True)
class Row:
    """The fastest configuration tried for one head size, with many or few queries."""

    config: Config
    sizes: Record
    evidence: str
    few: bool = False
    """True for so few queries that memory bandwidth decides: then as many bytes are in flight as fit."""


def _sizes(batch: int, heads: int, kv_heads: int, length_q: int, length_k: int, size: int, causal: int) -> Record:
    return Record(
        batch=batch, heads=heads, kv_heads=kv_heads, length_q=length_q, length_k=length_k, size=size, dtype="bfloat16",
        causal=causal,
    )  # fmt: skip


_BASE = Config(groups=2, keys=128, stages=2, band=8, overlap=1, stagger=0, share=0, resident=1)
_WIDE = _BASE.replace(keys=64, share=1, resident=0)
TABLE = (
    Row(_BASE.replace(stages=3), _sizes(1, 32, 32, 8192, 8192, 64, 1), "the fastest tried for heads of 64 on an H200"),
    Row(_BASE, _sizes(1, 64, 64, 8192, 8192, 128, 1), "the fastest tried for heads of 128 on an H200"),
    Row(_WIDE, _sizes(1, 16, 16, 8192, 8192, 256, 0), "the fastest tried for heads of 256 on an H200"),
    Row(
        _BASE.replace(stages=4), _sizes(32, 16, 16, 1, 2048, 64, 0),
        "the fastest tried for few queries with heads of 64 on an H200", few=True,
    ),
    Row(
        _BASE.replace(stages=3, share=1), _sizes(16, 32, 8, 1, 4096, 128, 0),
        "the fastest tried for few queries with heads of 128 on an H200", few=True,
    ),
    Row(
        _WIDE, _sizes(8, 16, 4, 8, 4100, 256, 0),
        "the fastest tried for few queries with heads of 256 on an H200", few=True,
    ),
)  # fmt: skip
"""With causal masks: 457 (size 64) and 662 TFLOP/s (size 128), 1.06 and 1.17 times cuDNN's speed; size 256 without one: 710 TFLOP/s,
1.01 times; results/nvidia-h200-2026-11-22/attention.json, which has the rows for few queries too. Since then sums
of rows wait for nobody, and heads of 64 have three stages: 1.005 to 1.08 and 0.99 to 1.08 times as fast (results/nvidia-h200-2026-11-30-sums)."""


def row_for(size: int, *, few: bool = False) -> Row:
    """Return the row of a head size. Raises ValueError when there is none."""
    for row in TABLE:
        if row.sizes["size"] == size and row.few == few:
            return row
    have = ", ".join(str(row.sizes["size"]) for row in TABLE if not row.few)
    raise ValueError(f"head size {size} is not one of {have}")


def padded_row(shape: Shape) -> Row | None:
    """Return the row whose tiles hold a head that none was measured for, with zeros beside it; None where its queries do not fill one."""
    return None if shape.size in SIZES or shape.length_q < ROWS else row_for(width(shape.size))


def few_queries(shape: Shape, config: Config) -> bool:
    """Tell whether one tile holds the queries of a group of heads, and all see all keys, so that memory sets the pace."""
    return shape.sees_all and shape.length_q * shape.group <= rows(config)

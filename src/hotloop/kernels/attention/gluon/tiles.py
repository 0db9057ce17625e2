"""Which part of the work a program of the Hopper kernel has: query block and head of a tile, rows and keys of a sequence."""

# ruff: noqa: ANN001, ANN201, N803 - a language inside Python
# mypy: disable-error-code="no-untyped-def, no-untyped-call, untyped-decorator, misc, no-any-return, attr-defined"
from __future__ import annotations

from triton.experimental import gluon
from triton.experimental.gluon import language as gl


@gluon.jit
def place(tile, heads, blocks, BAND: gl.constexpr, CAUSAL: gl.constexpr):
    """Return query block and head of a tile: bands of heads, within them the longest rows of every head first."""
    band = tile // (BAND * blocks)
    rest = tile % (BAND * blocks)
    width = gl.minimum(heads - band * BAND, BAND)
    block = rest // width
    if CAUSAL:
        block = blocks - 1 - block
    return block, band * BAND + rest % width


@gluon.jit
def span(starts, batch, length, VARLEN: gl.constexpr):
    """Return the first row of a sequence and its length."""
    first = 0
    if VARLEN:
        first = gl.load(starts + batch)
        length = gl.load(starts + batch + 1) - first
    return first, length


@gluon.jit
def piece(number, length, split, BN: gl.constexpr):
    """Return the first key of one of `split` pieces of a sequence, whole blocks, and the piece's length."""
    each = gl.cdiv(gl.cdiv(length, BN), split) * BN
    first = number * each
    return first, gl.minimum(gl.maximum(length - first, 0), each)


@gluon.jit
def extent(block, length_q, length_k, shift, BM: gl.constexpr, BN: gl.constexpr, CAUSAL: gl.constexpr):
    """Return how many key blocks a query block sees, and how many of them, from the left, need no mask."""
    total = gl.cdiv(length_k, BN)
    whole = length_k // BN
    if CAUSAL:
        total = gl.minimum(total, gl.cdiv(gl.maximum(block * BM + BM + shift, 0), BN))
        whole = gl.minimum(whole, gl.maximum(block * BM + 1 + shift, 0) // BN)
    total = gl.where(block * BM < length_q, total, 0)
    return total, whole

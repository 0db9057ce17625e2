"""The tile algorithm of ``preshuffled.cuh`` in NumPy: local memory by its index arithmetic, stored weights bit by bit, lanes by the maps.

A's rows pass through an array of bytes at the places of `Layout`; weights are taken from what `storage` makes and unpacked by the same
operations on words; every product goes through the registers of a matrix instruction with the element maps of `isa.matrix`. So a
wrong place, a wrong lane, weights that meet the wrong numbers of A, and a wrong block's power of two show. Waits and barriers do not.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from hotloop.isa.matrix import catalogue
from hotloop.isa.matrix.execute import gather, scatter
from hotloop.isa.matrix.instruction import Instruction
from hotloop.isa.matrix.maps import element_map
from hotloop.kernels.gemm_preshuffled.hip.space import THREADS, UNIT_BYTES
from hotloop.kernels.gemm_preshuffled.ladders.layout import LANES, Layout
from hotloop.kernels.gemm_preshuffled.problem import BLOCK_N, DEFAULT, MX_BLOCK, Form, product
from hotloop.kernels.gemm_preshuffled.reference import inputs, magnitude, reference, tolerances
from hotloop.model.dtype import dtype_of
from hotloop.model.ladder import Numerics
from hotloop.model.problem import Problem

Array = Any
CASES = ((37, 32, 256), (16, 16, 512))
"""Rows, columns, k: ragged in both, and one whole tile of many steps."""
_FACTOR = 4.0
_MIDDLE = 127


def verify(layout: Layout, target: str) -> Numerics:
    """Execute a tile and compare with float64 by the family's own bound, sums not yet rounded to bfloat16."""
    return _verify(layout, target)


@lru_cache(maxsize=64)
def _verify(layout: Layout, target: str) -> Numerics:
    return Numerics(len(CASES), max(error(layout, target, *case) for case in CASES))


def error(layout: Layout, target: str, m: int, n: int, k: int) -> float:
    """Return the largest error over its bound; infinite for NaN and for results that nothing writes."""
    problem = DEFAULT.replace(form=layout.form.name, m=m, n=n, k=k)
    arrays = inputs(problem, np.random.default_rng(m + k))
    want, size = (np.asarray(judge(problem, arrays)["c"]) for judge in (reference, magnitude))
    result = run(layout, target, problem, arrays)
    ratio = np.abs(result - want) / (_FACTOR * tolerances(problem) * np.finfo(np.float32).eps * np.maximum(size, 1e-30))
    return float(ratio.max()) if np.isfinite(ratio).all() else float("inf")


def run(layout: Layout, target: str, problem: Problem, arrays: Array) -> Array:
    """Return C of one work-group's rows, all columns, in float64."""
    asked, out = product(problem), np.full((problem.integer("m"), problem.integer("n")), np.nan)
    rows = np.ascontiguousarray(arrays["a"]).view(np.uint8).reshape(asked.m, -1)
    bm, step_bytes = layout.of("BM"), layout.of("BKB")
    for top in range(0, asked.m, bm):
        for block in range(asked.n // BLOCK_N):
            sums = np.zeros((layout.row_tiles, LANES, 4))
            for step in range(rows.shape[1] // step_bytes):
                lds = stage(layout, rows, top, step)
                sums = _step(layout, target, lds, arrays, (top, block, step), sums)
            _write(layout, target, out, sums, top, block)
    return _scaled(layout, arrays, out)


def stage(layout: Layout, rows: Array, top: int, step: int) -> Array:
    """Return local memory after every thread has moved its units of A; a row behind the end is the last one."""
    lds = np.full((layout.of("BM") * layout.units, UNIT_BYTES), 0x7F, np.uint8)
    places = [layout.written(thread, move) for thread in range(THREADS) for move in range(layout.moves)]
    at, units = np.array(places).T
    first = step * layout.of("BKB") + units * UNIT_BYTES
    taken = rows[np.minimum(top + at, len(rows) - 1)[:, None], first[:, None] + np.arange(UNIT_BYTES)]
    lds[[layout.unit(*place) for place in places]] = taken
    return lds


def instruction_of(layout: Layout, target: str) -> Instruction:
    """Return the matrix instruction of a configuration."""
    form, wide = layout.form, layout.of("WIDE") == 1
    if layout.deep:
        return catalogue.find("v_mfma_scale_f32_16x16x128_f8f6f4 f8 f8", target)
    if form.integers:
        return catalogue.find("v_mfma_i32_16x16x64_i8" if wide else "v_mfma_i32_16x16x32_i8", target)
    if form.activation_bytes == 1:
        return catalogue.find("v_mfma_f32_16x16x32_fp8_fp8", target)
    return catalogue.find("v_mfma_f32_16x16x32_bf16" if wide else "v_mfma_f32_16x16x16_bf16", target)


def _step(layout: Layout, target: str, lds: Array, arrays: Array, at: tuple[int, int, int], sums: Array) -> Array:
    top, block, step = at
    instruction, kind = instruction_of(layout, target), dtype_of(layout.form.activations)
    together = 2 if layout.deep else 1
    for segment in range(0, layout.segments, together):
        parts = range(segment, segment + together)
        w = np.concatenate([weights(layout, arrays["w"], block, step, s) for s in parts], axis=1)
        for tile in range(layout.row_tiles):
            units = [[layout.read(lane, tile, s) for lane in range(LANES)] for s in parts]
            a = np.concatenate([lds[u].view(kind).astype(np.float64) for u in units], axis=1)
            first = step * layout.of("BKB") // layout.form.activation_bytes + segment * layout.form.segment
            factors = _factors(layout, arrays, top + 16 * tile, block, first)
            sums[tile] = _multiply(layout, instruction, a, w, sums[tile], factors)
    return sums


def _multiply(
    layout: Layout, instruction: Instruction, a: Array, w: Array, c: Array, factors: tuple[Array, Array]
) -> Array:
    """Return the accumulator's registers after the instructions of one segment."""
    left, right = (w, a) if layout.of("SWAP") else (a, w)
    maps = {name: element_map(instruction, name) for name in "ABD"}
    items = maps["A"].row.shape[1]
    for first in range(0, a.shape[1], items):
        x, y = (gather(maps[n], v[:, first : first + items]) for n, v in (("A", left), ("B", right)))
        rows, columns = factors[::-1] if layout.of("SWAP") else factors
        c = scatter(maps["D"], (x * rows[None]) @ (y * columns.T[None]) + gather(maps["D"], c))
    return c


def _factors(layout: Layout, arrays: Array, row: int, block: int, k: int) -> tuple[Array, Array]:
    """Return what multiplies the 16 rows and columns along k: lane 16 g + i brings that of block g of row or column i."""
    if not layout.form.blocks:
        return np.ones((16, 1)), np.ones((16, 1))
    rows, first = arrays["scale_a"], k // MX_BLOCK
    mine = np.minimum(row + np.arange(16), len(rows) - 1)
    lanes = arrays["scale_w"][block, k // 128].reshape(4, 16).T
    powers = (rows[mine, first : first + 4], lanes)
    a, w = (np.repeat(np.ldexp(1.0, power.astype(int) - _MIDDLE), MX_BLOCK, axis=1) for power in powers)
    return a, w


def weights(layout: Layout, stored: Array, block: int, step: int, segment: int) -> Array:
    """Return [lanes, numbers] of W's operand of a segment, unpacked by the source's own operations."""
    form = layout.form
    pack = np.ascontiguousarray(stored[block, step * layout.packs + segment // form.segments]).view(np.uint32)
    if form.weight_bits > 4:
        return pack.view(np.uint8).view(dtype_of(form.activations)).astype(np.float64)
    part = segment % form.segments
    words = pack[:, part : part + 1] if form.activation_bytes == 2 else pack[:, 2 * part : 2 * part + 2]
    return unpacked(form, words, layout.of("UNPACK"))


def unpacked(form: Form, words: Array, way: int) -> Array:
    """Return the numbers of words of eight 4-bit weights."""
    if form.activation_bytes == 2:  # nibbles 0, 2, 4, 6 and then 1, 3, 5, 7 of a word, as numbers with a sign
        order = (0, 8, 16, 24, 4, 12, 20, 28)
        halves = np.concatenate([words >> shift & 15 for shift in order], axis=1).astype(np.int64)
        return ((halves ^ 8) - 8).astype(np.float64)
    if way:
        low, high = words << np.uint32(4) & np.uint32(0xF0F0F0F0), words & np.uint32(0xF0F0F0F0)
    else:
        low, high = (_signed(w) for w in (words, words >> np.uint32(4)))
    flat = np.stack((low, high), axis=2).reshape(LANES, -1)
    return np.ascontiguousarray(flat).view(np.int8).astype(np.float64) / (16 if way else 1)


def _signed(words: Array) -> Array:
    mask, sign = np.uint32(0x0F0F0F0F), np.uint32(0x08080808)
    return words & mask | (words & sign) * np.uint32(30)


def _write(layout: Layout, target: str, out: Array, sums: Array, top: int, block: int) -> None:
    where = element_map(instruction_of(layout, target), "D")
    for tile in range(layout.row_tiles):
        inner, outer = (where.row, where.column) if not layout.of("SWAP") else (where.column, where.row)
        rows, columns = top + 16 * tile + inner, BLOCK_N * block + outer
        there = rows < len(out)
        out[rows[there], columns[there]] = sums[tile][there]


def _scaled(layout: Layout, arrays: Array, out: Array) -> Array:
    form = layout.form
    if form.row_scales:
        out = out * arrays["scale_a"].astype(np.float64)[:, None]
    return out * arrays["scale_w"].astype(np.float64)[None, :] if form.column_scales else out

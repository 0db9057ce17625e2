"""The tile algorithm of ``attention.hip`` in NumPy, with the element maps of the matrix instructions.

Local memory is one array of halves that starts as NaN; every access goes through the index arithmetic of `Tile`, and every
product through the registers of matrix instructions, lane by lane, with the maps of `isa.matrix`. So a wrong address, a wrong
lane and an operand of the wrong step show. Barriers do not: all waves go in step here (the tests run the source itself, wave
by wave). Not modelled: the order of the sums inside an instruction.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from hotloop.isa.matrix.execute import element_maps, gather, scatter
from hotloop.kernels.attention.ladders.tile import LANES, D, Tile
from hotloop.model.ladder import Numerics

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Array = NDArray[np.floating[Any]]

_SLACK = 8.0
"""Powers of two by which a maximum may grow before sums are rescaled."""
GROWTH = 0.125
"""Growth of scores from step to step, chosen so that some maxima grow by more than the slack in a step and others do not."""
CASES = ((1, 1), (37, 90), (97, 97))
"""Queries and keys: less than a tile, ragged, and more than one tile of both."""


@lru_cache(maxsize=64)
def verify(tile: Tile) -> Numerics:
    """Execute a tile with and without the causal mask and compare with float64."""
    tiles = [replace(tile, causal=causal) for causal in (1, 0)]
    return Numerics(2 * len(CASES), max(error(block, *case) for block in tiles for case in CASES))


def inputs(queries: int, keys: int, growth: float = 0.0) -> tuple[Array, Array, Array]:
    """Return Q [queries, 128], K and V [keys, 128] in half precision, normal; K's rows grow by `growth` each."""
    rng = np.random.default_rng(queries * 1009 + keys)
    q, k, v = (rng.standard_normal((rows, D)) for rows in (queries, keys, keys))
    k *= 1.0 + growth * np.arange(keys)[:, None]
    return q.astype(np.float16), k.astype(np.float16), v.astype(np.float16)


def error(tile: Tile, queries: int, keys: int) -> float:
    """Return the largest error over its bound; infinite for NaN."""
    arrays, expected = _asked(queries, keys, GROWTH if tile.lazy else 0.0, bool(tile.causal))
    return worst(run(tile, *arrays), *expected)


@lru_cache(maxsize=4 * len(CASES))
def _asked(queries: int, keys: int, growth: float, causal: bool) -> tuple[tuple[Array, ...], tuple[Array, Array]]:  # noqa: FBT001 - a key
    """Return inputs and what is expected of them, which all rungs share."""
    arrays = inputs(queries, keys, growth)
    return arrays, reference(*arrays, causal=causal)


def worst(output: Array, expected: Array, bound: Array) -> float:
    """Return the largest error of an output over its bound, infinite for NaN."""
    ratio = np.abs(output.astype(np.float64) - expected) / bound
    return float(ratio.max()) if np.isfinite(ratio).all() else float("inf")


def reference(q: Array, k: Array, v: Array, *, causal: bool) -> tuple[Array, Array]:
    """Return O in float64 and the bound of its errors.

    P and the output are rounded to half precision (2^-11 of each, or 2^-25 where it is subnormal; P is at most 1 and its sum
    at least 1), and S has the error of a float32 sum of 128 products, which the exponential makes a relative one of P.
    """
    left, right, values = (array.astype(np.float64) for array in (q, k, v))
    s = left @ right.T * D**-0.5
    if causal:
        s[np.arange(len(k)) > np.arange(len(q))[:, None]] = -np.inf
    p = np.exp(s - s.max(axis=1, keepdims=True))
    p /= p.sum(axis=1, keepdims=True)
    size, eps = (np.abs(left) @ np.abs(right).T * D**-0.5).max(axis=1, keepdims=True), float(np.finfo(np.float32).eps)
    bound = (2.0**-10 + 2 * D * eps * size) * (p @ np.abs(values)) + (len(k) + 1) * 2.0**-25 * np.abs(values).max()
    return p @ values, bound


def run(tile: Tile, q: Array, k: Array, v: Array) -> Array:
    """Return O of one head; rows that no work-group writes are NaN."""
    out = np.full(q.shape, np.nan, np.float16)
    for first in range(0, len(q), tile.rows):
        end = min(len(k), first + tile.rows) if tile.exit and tile.causal else len(k)
        if tile.stagger:
            for half in _staggered(tile, q, k, v, first, end):
                half.finish(out)
            continue
        group = _Group(tile, q, k, v, first)
        (_overlapped if tile.overlap else _fetched_ahead if tile.prefetch else _in_turn)(group, end)
        group.finish(out)
    return out


# -- the orders of a step -----------------------------------------------------------------------------------------------


def _in_turn(group: _Group, end: int) -> None:
    tile = group.tile
    for key in range(0, end, tile.bn):
        group.put_k(group.fetch_k(key), 0)
        if tile.buffers:
            group.put_v(group.fetch_v(key), 0)
        group.score(0)
        group.soften(key)
        group.rescale()
        group.pack()
        if not tile.buffers:
            group.put_v(group.fetch_v(key), 0)
        group.gather(0)


def _fetched_ahead(group: _Group, end: int) -> None:
    tile, slot = group.tile, 0
    group.put_k(group.fetch_k(0), 0)
    group.put_v(group.fetch_v(0), 0)
    for key in range(0, end, tile.bn):
        k, v = group.fetch_k(key + tile.bn), group.fetch_v(key + tile.bn)
        group.score(slot)
        group.soften(key)
        group.rescale()
        group.pack()
        group.gather(slot)
        slot = tile.slots - 1 - slot
        group.put_k(k, slot)
        group.put_v(v, slot)


def _overlapped(group: _Group, end: int) -> None:
    tile, last = group.tile, group.tile.slots - 1
    group.put_k(group.fetch_k(0), 0)
    group.score(0)
    group.soften(0)
    group.pack()
    group.put_k(group.fetch_k(tile.bn), last)
    group.put_v(group.fetch_v(0), 0)
    slot = last
    for key in range(tile.bn, end, tile.bn):
        group.score(slot)
        group.gather(last - slot)
        group.soften(key)
        group.rescale()
        group.pack()
        group.put_k(group.fetch_k(key + tile.bn), last - slot)
        group.put_v(group.fetch_v(key), slot)
        slot = last - slot
    group.gather(last - slot)


def _staggered(tile: Tile, q: Array, k: Array, v: Array, first: int, end: int) -> tuple[_Group, _Group]:
    """Run the two halves of the waves in turns of half a step, the second one behind the first."""
    early = _Group(tile, q, k, v, first, range(tile.waves // 2))
    late = _Group(tile, q, k, v, first, range(tile.waves // 2, tile.waves), early.lds)
    halves = [_half(early, end, 0), _half(late, end, 0 if tile.direct else 1)]
    phases = 2 * -(-end // tile.bn) + 1
    for half in halves:
        next(half)  # what is done before the first phase
    for phase in range(phases + 1):
        for half, delay in zip(halves, (0, 1), strict=True):
            if delay <= phase < phases + delay:
                next(half)
    return early, late


def _half(group: _Group, end: int, ahead: int) -> Iterator[None]:
    """One half of the waves; each yield is a barrier."""
    tile, slot = group.tile, 0
    group.put_k(group.fetch_k(0), 0)
    if ahead:
        group.put_k(group.fetch_k(tile.bn), 1)
        group.put_v(group.fetch_v(0), 0)
    yield
    for key in range(0, end, tile.bn):
        other = 1 - slot
        k, v = group.fetch_k(key + (1 + ahead) * tile.bn), group.fetch_v(key + ahead * tile.bn)
        places = (slot, other) if ahead else (other, slot)
        if tile.direct:
            group.put_k(k, places[0])
            group.put_v(v, places[1])
        group.score(slot)
        if key:
            group.gather(other)
        yield
        group.soften(key)
        group.rescale()
        group.pack()
        if not tile.direct:
            group.put_k(k, places[0])
            group.put_v(v, places[1])
        yield
        slot = other
    group.gather(1 - slot)
    yield


# -- one work-group ----------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Group:
    """State of a work-group, or of some of its waves; per-lane values are [waves, ..., lanes, items]."""

    tile: Tile
    q: Array
    k: Array
    v: Array
    first: int
    waves: range = range(0)
    lds: Any = None
    held: Any = field(init=False)
    s: Any = field(init=False)
    p: Any = field(init=False)
    o: Any = field(init=False)
    top: Any = field(init=False)
    sum: Any = field(init=False)
    shrink: Any = field(init=False)

    def __post_init__(self) -> None:
        tile = self.tile
        self.waves = self.waves or range(tile.waves)
        if self.lds is None:
            self.lds = np.full(tile.lds_bytes // 2, np.nan, np.float16)
        stats = 1 if tile.preg else tile.registers
        self.top = np.full((len(self.waves), LANES, stats), -np.inf, np.float32)
        self.sum = np.zeros((len(self.waves), LANES, stats), np.float32)
        self.o = np.zeros((len(self.waves), tile.columns, LANES, tile.registers), np.float32)
        if tile.qfrom == 2:
            n, g = tile.lane()
            rows = self.first + tile.side * self._numbers() + n[:, None]
            steps = np.arange(tile.steps)[:, None, None] * tile.depth
            columns = steps + tile.width * g[:, None] + np.arange(tile.width)
            inside = rows < len(self.q)
            self.held = np.where(inside, self.q[np.where(inside, rows, 0), columns], 0)
            return
        row, column = tile.moves(tile.rows, 1)
        self.lds[tile.put(tile.rows)] = _chunks(self.q, self.first + row, column)
        where = [[tile.operand(w * tile.side, step) for step in range(tile.steps)] for w in self.waves]
        self.held = self.lds[np.array(where)]

    def _numbers(self) -> NDArray[np.int64]:
        """Return the waves, to be broadcast to per-lane values."""
        return np.arange(self.waves.start, self.waves.stop)[:, None, None, None]

    def _mine(self, threads: Any) -> Any:  # noqa: ANN401 - index arrays
        """Return the part of an array of threads that belongs to these waves."""
        return threads[LANES * self.waves.start : LANES * self.waves.stop]

    def fetch_k(self, key: int) -> Array:
        """Return the chunks of a tile of K; rows behind the end are zero, or repeat the last one past the registers."""
        if self.tile.direct:
            row, column, _ = map(self._mine, self.tile.copies(self.tile.k_place))
            return _copied(self.k, key + row, column, self.tile.unit)
        row, column = map(self._mine, self.tile.moves(self.tile.bn, 1))
        return _chunks(self.k, key + row, column)

    def fetch_v(self, key: int) -> Array:
        if self.tile.direct == 2:
            row, column, _ = map(self._mine, self.tile.copies(self._v_place))
            return _copied(self.v, key + row, column, self.tile.unit)
        row, column = map(self._mine, self.tile.moves(self.tile.bn, self.tile.vrows if self.tile.vt else 1))
        return _chunks(self.v, key + row, column)

    def _v_place(self, key: Any, d: Any) -> Any:  # noqa: ANN401 - index arrays
        return self.tile.v_place(d, key)

    def put_k(self, moved: Array, slot: int) -> None:
        places = (
            self._places(self.tile.copies(self.tile.k_place)[2]) if self.tile.direct else self.tile.put(self.tile.bn)
        )
        self.lds[self.tile.k_at + slot * self.tile.k_size + self._mine(places)] = moved

    def put_v(self, moved: Array, slot: int) -> None:
        copied = self.tile.direct == 2
        places = self._places(self.tile.copies(self._v_place)[2]) if copied else self.tile.put_v()
        self.lds[self.tile.v_at + slot * self.tile.v_size + self._mine(places)] = moved

    def _places(self, at: Any) -> Any:  # noqa: ANN401 - index arrays
        return at[..., None] + np.arange(self.tile.unit)

    def score(self, slot: int) -> None:
        """S, or with P in registers its transpose."""
        tile, at = self.tile, self.tile.k_at + slot * self.tile.k_size
        self.s = np.zeros((len(self.waves), tile.tiles, LANES, tile.registers), np.float32)
        for step in range(tile.steps):
            mine = self.held[:, step]
            for t in range(tile.tiles):
                other = self.lds[at + tile.operand(tile.side * t, step)]
                self.s[:, t] = self._multiply(mine, other, self.s[:, t])

    def soften(self, key0: int) -> None:
        """Mask S and make it P; all sums of a lane belong to one query with P in registers, else to one per register."""
        tile = self.tile
        self._mask(key0)
        s = np.moveaxis(self.s, 2, 1)  # waves, lanes, tiles, registers
        s = s.reshape(len(self.waves), LANES, 1, -1) if tile.preg else np.moveaxis(s, 2, 3)
        scale = np.float32(D**-0.5 * np.log2(np.e))
        now = self._across(np.maximum(self.top, s.max(axis=-1)), np.maximum)
        if tile.lazy:
            grown = ((now - self.top) * scale > _SLACK).any(axis=1, keepdims=True)
            now = np.where(grown, now, self.top)
        self.shrink = np.exp2((self.top - now) * scale)
        p = np.exp2(s * scale - (now * scale)[..., None])
        part = p.sum(axis=-1, dtype=np.float32)
        self.sum = self.sum * self.shrink + (part if tile.late else self._across(part, np.add))
        self.top = now
        p = p.reshape(len(self.waves), LANES, tile.tiles, tile.registers) if tile.preg else np.moveaxis(p, 3, 2)
        self.s = np.moveaxis(p, 1, 2)

    def _mask(self, key0: int) -> None:
        tile = self.tile
        n = tile.lane()[0][:, None]
        row = np.stack([tile.row(i) for i in range(tile.registers)], axis=1)
        across, along = (row, n) if tile.preg else (n, row)
        key = key0 + tile.side * np.arange(tile.tiles)[:, None, None] + across
        query = self.first + tile.side * self._numbers() + along
        hidden = key >= len(self.k)
        if tile.causal:
            hidden = hidden | (key > query)
        self.s = np.where(hidden, -np.inf, self.s).astype(np.float32)

    def _across(self, values: Array, join: Callable[[Array, Array], Array]) -> Array:
        """Join lanes that hold parts of one row, in the order of the source."""
        masks = [m for m in (32, 16, 8, 4, 2, 1) if (m >= self.tile.side) == bool(self.tile.preg)]
        for mask in reversed(masks) if self.tile.preg else masks:
            values = join(values, values[:, np.arange(LANES) ^ mask])
        return values

    def rescale(self) -> None:
        self.o = self.o * self.shrink[:, None]

    def pack(self) -> None:
        """P in half precision as operands: in place, or through local memory."""
        tile, p = self.tile, self.s.astype(np.float16)
        if tile.preg:
            flat = np.moveaxis(p, 1, 2).reshape(len(self.waves), LANES, tile.packs, tile.width)
            self.p = np.moveaxis(flat, 2, 1)
            return
        for w in range(tile.waves):
            at = tile.p_at + w * tile.side * tile.bn
            for t in range(tile.tiles):
                for i in range(tile.registers):
                    self.lds[at + tile.p_write(t, i)] = p[w, t, :, i]
        bases = tile.p_at + np.arange(tile.waves)[:, None, None, None] * tile.side * tile.bn
        self.p = self.lds[bases + np.stack([tile.p_read(u) for u in range(tile.packs)])]

    def gather(self, slot: int) -> None:
        """Add P V, or with P in registers its transpose."""
        tile, at = self.tile, self.tile.v_at + slot * self.tile.v_size
        for c in range(tile.columns):
            for u in range(tile.packs):
                other = self.lds[at + tile.values(c, u)]
                self.o[:, c] = self._multiply(self.p[:, u], other, self.o[:, c])

    def _multiply(self, mine: Array, other: Array, sums: Array) -> Array:
        """One matrix instruction of every wave; with P in registers the operands are exchanged."""
        a, b = (other, mine) if self.tile.preg else (mine, other)
        maps = element_maps(self.tile.instruction)
        left, right = (gather(maps[name], x.astype(np.float32)) for name, x in (("A", a), ("B", b)))
        made: Array = scatter(maps["D"], left @ right + gather(maps["D"], sums)).astype(np.float32)
        return made

    def finish(self, out: Array) -> None:
        tile = self.tile
        total = self._across(self.sum, np.add) if tile.late else self.sum
        o = (self.o / total[:, None]).astype(np.float16)
        n = tile.lane()[0][:, None]
        row = np.stack([tile.row(i) for i in range(tile.registers)], axis=1)
        along, across = (n, row) if tile.preg else (row, n)
        shape = o.shape
        query = self.first + tile.side * self._numbers() + along
        d = tile.side * np.arange(tile.columns)[:, None, None] + across
        query, d = np.broadcast_to(query, shape), np.broadcast_to(d, shape)
        inside = query < len(out)
        out[query[inside], d[inside]] = o[inside]


def _chunks(array: Array, row: Any, column: Any) -> Array:  # noqa: ANN401 - index arrays
    inside = row < len(array)
    values = array[np.where(inside, row, 0)[..., None], column[..., None] + np.arange(8)]
    return np.where(inside[..., None], values, 0).astype(np.float16)


def _copied(array: Array, row: Any, column: Any, width: int) -> Array:  # noqa: ANN401 - index arrays
    values: Array = array[np.minimum(row, len(array) - 1)[..., None], column[..., None] + np.arange(width)]
    return values

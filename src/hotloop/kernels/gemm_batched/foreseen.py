"""Tiles in the order in which they should be fast: an estimate of one multiprocessor's clocks, for choosing what a first call tries.

It was not fitted to measurements. It knows what separates tiles of one kernel: rows and columns that fill none, products that leave
multiprocessors idle, and whether multiplying, fetching or waiting for the first bytes sets the pace.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from hotloop.kernels._jit import SHARED_BYTES
from hotloop.kernels.gemm_batched.triton.space import shared_bytes
from hotloop.model.space import Config
from hotloop.targets.machine import multiprocessors, nvidia

if TYPE_CHECKING:
    from hotloop.kernels.gemm_batched.problem import Form

_UNITS, _HOPPER = multiprocessors("sm_90"), nvidia("sm_90")
_FLOPS_PER_CLOCK = 4096.0
"""Of a multiprocessor with 16-bit operands: 989 Tflop/s of 132 at 1.83 GHz, NVIDIA's H100 white paper."""
_BYTES_PER_CLOCK = 50.0
"""Bytes of operands that a multiprocessor fetches: 12.9 TB/s for all (`hotloop.kernels.gemm.expected`)."""
_WAIT_CLOCKS, _AROUND_CLOCKS = 900.0, 1800.0
"""From the request of a step's operands to their arrival, and a tile's beginning and end: estimates."""
_GROUP_ROWS = 64
"""Rows of the matrix instruction of four warps; lower tiles use those of a warp, at half the rate."""
_OWN_REGISTERS = 64
"""Registers of a thread beside its sums: an estimate."""
_TILES = (
    (256, 128, 8), (128, 256, 8), (128, 128, 8), (128, 128, 4), (128, 64, 4), (64, 256, 4), (64, 128, 4), (64, 64, 4),
    (32, 128, 4), (32, 64, 4), (16, 128, 4), (16, 64, 4),
)  # fmt: skip
"""Rows, columns and warps."""
_DEPTH, _MOST_STAGES = 64, 5
"""Elements of k at a time, a line of memory; and steps of the operands in shared memory."""


@dataclass(frozen=True, slots=True)
class Tile:
    """A configuration on 16-bit operands."""

    config: Config

    @property
    def resident(self) -> int:
        """Return the tiles at work on a multiprocessor at a time."""
        bm, bn, warps = self.config.integers("BM", "BN", "num_warps")
        return max(
            1, min(SHARED_BYTES // shared_bytes(self.config, 2), _sums_fit(bm, bn, warps), _HOPPER.warps // warps)
        )

    def clocks(self, form: Form) -> float:
        """Return a multiprocessor's clocks for its share of all tiles."""
        bm, bn, bk, stages = self.config.integers("BM", "BN", "BK", "num_stages")
        tiles = form.batch * -(-form.m // bm) * -(-form.n // bn)
        mine, steps = -(-tiles // _UNITS), -(-form.k // bk)
        at_once = min(self.resident, mine)
        flops = 2.0 * bm * bn * bk * (1 if bm >= _GROUP_ROWS else 2)
        work = mine * max(flops / _FLOPS_PER_CLOCK, 2.0 * (bm + bn) * bk / _BYTES_PER_CLOCK)
        rounds = -(-mine // at_once)
        waits = rounds * _WAIT_CLOCKS / max(1, stages - 1)
        return rounds * (_AROUND_CLOCKS + _WAIT_CLOCKS) + steps * max(work, waits)


def best(form: Form, count: int) -> tuple[Config, ...]:
    """Return the configurations on descriptors that should take least time, best first, each with another tile."""
    made = sorted((_config(form, *tile) for tile in _TILES), key=lambda config: Tile(config).clocks(form))
    unlike: dict[frozenset[int], Config] = {}  # turned tiles and other warps are too much alike to be tried both
    for config in made:
        unlike.setdefault(frozenset(config.integers("BM", "BN")), config)
    return tuple(unlike.values())[:count]


def _sums_fit(bm: int, bn: int, warps: int) -> int:
    """Return the tiles whose sums fit into a multiprocessor's registers."""
    return max(1, _HOPPER.registers // (_HOPPER.warp * warps * _OWN_REGISTERS + bm * bn))


def _config(form: Form, bm: int, bn: int, warps: int) -> Config:
    bk = _DEPTH if form.k > _DEPTH // 2 else _DEPTH // 2
    room = SHARED_BYTES // min(2, _sums_fit(bm, bn, warps))
    stages = max(2, min(_MOST_STAGES, -(-form.k // bk), room // (2 * (bm + bn) * bk)))
    return Config(
        BM=bm, BN=bn, BK=bk, GROUP=8, PATH="descriptors", PRECISION="ieee", num_warps=warps, num_stages=stages
    )

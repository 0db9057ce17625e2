"""Configurations of the Gluon kernel: what fits an H100 or H200 and was measured to be good there.

Needs the standard library only.
"""

from __future__ import annotations

from dataclasses import dataclass

ROWS = 64
"""Query rows of a warp group: the height of ``wgmma``."""
SHARED_BYTES = 227 * 1024
"""Most shared memory of a block of compute capability 9.0: CUDA programming guide, table of compute capabilities."""
REGISTER_FILE = 65536
SIZES = (64, 128, 256)


@dataclass(frozen=True, slots=True)
class Config:
    """One configuration; the kernel's compile-time parameters, without those that the problem sets."""

    groups: int = 2
    """Consumer warp groups, 2 or 3; each computes 64 rows."""
    keys: int = 128
    """Keys of a block."""
    stages: int = 2
    """Blocks of K and of V in flight, at least 2."""
    band: int = 8
    """Heads that run side by side, so that their keys and values stay in the second-level cache."""
    overlap: bool = True
    """The softmax of a block runs under the output product of the block before."""
    stagger: bool = False
    """Warp groups issue their products in turn, so that one's softmax runs under the other's products."""
    share: bool = False
    """Outputs are staged where the queries were."""
    resident: bool = True
    """One program per multiprocessor fetches tiles from a counter; else one program per tile."""

    @property
    def registers(self) -> int:
        """Registers of a consumer's thread: what the producer's 24 leave of an equal share, in steps of 8."""
        return 240 if self.groups == 2 else 160

    @property
    def spare(self) -> int:
        """Registers of a producer's thread: a multiple of 8, at least 24."""
        return 24 if self.groups == 2 else 32

    @property
    def rows(self) -> int:
        """Query rows of a tile."""
        return ROWS * self.groups

    def shared_bytes(self, size: int) -> int:
        """Return the shared memory of the tiles of 2-byte elements; barriers add less than 512 bytes."""
        tiles = self.rows * (1 if self.share else 2) + 2 * self.stages * self.keys
        return tiles * size * 2


@dataclass(frozen=True, slots=True)
class Plain:
    """One configuration of the plain Triton kernel; all but the sizes are rungs that the Gluon kernel is built on."""

    rows: int = 128
    keys: int = 64
    warps: int = 8
    stages: int = 2
    """Key blocks in flight."""
    keep: bool = True
    """Queries are loaded once."""
    exit: bool = True
    """A causal mask ends the loop at the diagonal, and only blocks on it are masked."""


MEASURED = {
    64: Config(),
    128: Config(),
    256: Config(keys=64, share=True, resident=False),
}
"""The fastest of each head size on an H200, see results/."""


FEW = {
    64: Config(stages=4),
    128: Config(stages=3, share=True),
    256: MEASURED[256],
}
"""For few queries, where memory sets the pace: as many bytes under way as fit."""


def config_for(size: int) -> Config:
    """Return the configuration of a head size. Raises ValueError when the kernel has none."""
    if size not in MEASURED:
        raise ValueError(f"head size {size} is not one of {', '.join(map(str, SIZES))}")
    return MEASURED[size]


def pieces(tiles: int, blocks: int, units: int) -> int:
    """Return into how many pieces the keys are cut, so that few tiles keep `units` multiprocessors busy.

    `blocks` are those of the keys; a piece has two at least, so that one is loaded while another is multiplied.
    """
    return max(1, min(units // tiles, blocks // 2))

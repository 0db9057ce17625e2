"""Parameters of the Hopper kernel, and what a configuration takes of a multiprocessor."""

from __future__ import annotations

from hotloop.kernels._jit import SHARED_BYTES
from hotloop.model.space import Config, Constraint, Parameter, Space

PARAMETERS = (
    Parameter("groups", (2, 3), "larger-tile", "consumer warp groups; each computes 64 query rows of a tile"),
    Parameter("keys", (32, 64, 128), "larger-tile", "keys of a block"),
    Parameter("stages", (2, 3, 4, 5), "prefetch", "blocks of K and of V in flight"),
    Parameter("band", (1, 2, 4, 8, 16), "rasterize", "heads side by side, so that their keys stay in the L2 cache"),
    Parameter(
        "overlap", (0, 1), "overlap-vector-work", "1 runs a block's softmax under the output product of the one before"
    ),
    Parameter("stagger", (0, 1), "stagger-waves", "1 lets warp groups issue their products in turn"),
    Parameter("share", (0, 1), "overlay-local", "1 stages outputs where the queries were"),
    Parameter("resident", (0, 1), "persistent", "1: a program per multiprocessor fetches tiles from a counter"),
)
START = Config(groups=2, keys=32, stages=2, band=1, overlap=0, stagger=0, share=0, resident=0)
"""Warp-specialized, but short blocks of keys, a program for each tile, and softmax and products one after the other."""
ROWS = 64
"""Query rows of a warp group: the height of ``wgmma``."""
SIZES = (64, 128, 256)
"""Elements of a head that tiles are made for; a head between them has zeros beside it, which no copy from or to memory moves, and of which `parts` says how many are multiplied."""
_LEAST_PART, _RESTS = 32, (16, 32, 64)
"""Least elements of a head that are multiplied, and those beyond half of a tile: the instruction takes 16 at a time, Triton powers of two."""
STEP = 8
"""Number that a head size must be a multiple of: rows of 16 bytes, as copies by tensor descriptors need."""
_BARRIER_BYTES = 512
"""Bytes set aside for the barriers in shared memory; they take less."""
_REGISTERS = {2: (240, 24), 3: (160, 32)}
"""Registers of a thread of the consumers and of the producer, by groups: the producer's are at least 24, the consumers' what an
equal share of 65536 leaves, all in steps of 8."""
_LEAST_BYTES = SHARED_BYTES // 128
"""Largest size of a head in bytes: with a larger one the smallest tiles do not fit in shared memory."""


def _blocks_fit(config: Config) -> bool:
    return _tile_rows(config) <= _LEAST_BYTES


def _tile_rows(config: Config) -> int:
    """Return the rows of all tiles in shared memory."""
    queries = rows(config) * (1 if config.integer("share") else 2)
    return queries + 2 * config.integer("stages") * config.integer("keys")


SPACE = Space(
    PARAMETERS,
    (
        Constraint(
            "queries, outputs and blocks of 64 elements a row fit in 227 KiB of shared memory", _blocks_fit,
            ("groups", "keys", "stages", "share"),
        ),
    ),
)  # fmt: skip


def rows(config: Config) -> int:
    """Return the query rows of a tile."""
    return ROWS * config.integer("groups")


def threads(config: Config) -> int:
    """Return the threads of a program: its consumers, and a fourth of a warp group's width for the producer, rounded up to a group."""
    return 128 * (config.integer("groups") + 1)


def registers(config: Config) -> tuple[int, int]:
    """Return the registers of a consumer's and of the producer's thread."""
    return _REGISTERS[config.integer("groups")]


def width(size: int) -> int:
    """Return the elements of a row of the tiles for heads of a size. Raises ValueError where there is none.

    >>> [width(size) for size in (8, 64, 72, 80, 128, 136)]
    [64, 64, 128, 128, 128, 256]
    """
    if size % STEP or not 0 < size <= SIZES[-1]:
        raise ValueError(f"head size {size} is no multiple of {STEP} up to {SIZES[-1]}")
    return next(tile for tile in SIZES if tile >= size)


def parts(size: int) -> tuple[int, int]:
    """Return the elements of a tile's row that are multiplied for heads of a size: one or two powers of two, 0 for none.

    >>> [parts(size) for size in (24, 32, 56, 64, 72, 80, 96, 104, 128, 144, 192, 200, 256)]
    [(32, 0), (32, 0), (64, 0), (64, 0), (64, 16), (64, 16), (64, 32), (128, 0), (128, 0), (128, 16), (128, 64), (256, 0), (256, 0)]
    """
    tile = width(size)
    if size <= _LEAST_PART:
        return _LEAST_PART, 0
    half = tile // 2
    rest = next((part for part in _RESTS if half + part >= size), half)
    return (half, rest) if size > half and rest < half else (tile, 0)


def shared_bytes(config: Config, size: int) -> int:
    """Return the shared memory of tiles of 2-byte elements, and a bound of what barriers add."""
    return _tile_rows(config) * width(size) * 2 + _BARRIER_BYTES


def held(config: Config, size: int) -> int:
    """Return the registers of a thread that hold scores, their weights of 16 bits, and sums of the output."""
    return config.integer("keys") // 2 + config.integer("keys") // 4 + sum(parts(size)) // 2


def simplicity(config: Config) -> float:
    """Return how many features a configuration uses beyond a producer and its consumers."""
    switched = sum(config.integer(name) for name in ("overlap", "stagger", "share", "resident"))
    return float(switched + (config.integer("band") > 1) + (config.integer("stages") > 2))

"""Parameters of the convolutions that walk along depth, and the two as spaces."""

from __future__ import annotations

from hotloop.model.space import Config, Parameter, Space

_PLANES = Parameter(
    "PLANES", (1, 5, 8, 10, 12, 15, 20, 30, 60), "work-per-item", "output planes that a block walks through"
)
_BLOCKS = Parameter("BLOCKS", (1, 2, 3), "lower-registers", "blocks per multiprocessor that registers are left for")
CARRY_SPACE = Space(
    (
        _PLANES,
        Parameter("HEIGHT", (2, 3, 4, 5, 6), "register-tile", "output rows of a thread"),
        Parameter("CHANNELS", (1, 2, 3, 4), "workgroup-size", "channels of a block"),
        Parameter("STAGES", (2, 3, 4, 5), "prefetch", "planes in shared memory at once"),
        _BLOCKS,
    )
)
CARRY_START = Config(PLANES=20, HEIGHT=5, CHANNELS=1, STAGES=3, BLOCKS=1)
TURN_SPACE = Space(
    (
        _PLANES,
        Parameter("QUADS", (1, 2, 3, 4, 6), "register-tile", "output rows of a segment, in fours"),
        Parameter("CHANNELS", (8, 16, 24, 32), "coalesce", "channels of a block"),
        Parameter("EACH", (1, 2), "work-per-item", "channels of a warp"),
        Parameter(
            "EARLY",
            (0, 1, 2, 3),
            "interleave",
            "warps that move before they multiply: none, half, all, each its own order",
        ),
        Parameter(
            "AHEAD",
            (0, 1, 2, 3, 4),
            "prefetch",
            "planes read before they are needed, by asynchronous copies; 0: into registers",
        ),
        Parameter("TOGETHER", (0, 1), "rasterize", "1: blocks for the channels of one place follow each other"),
        Parameter(
            "STREAM", (0, 1), "non-temporal", "1: results are the first to be evicted from the second-level cache"
        ),
        Parameter(
            "SLOTS",
            (2, 3, 4),
            "pipeline-depth",
            "planes in shared memory; with more than 2 no warp waits for all others",
        ),
        Parameter(
            "WHOLE", (0, 1, 2, 3, 4, 5, 6), "work-per-item", "rounds of blocks that walk the whole depth, not PLANES"
        ),
        Parameter("STEADY", (0, 1), "hoist-addresses", "1: addresses of reads go on from plane to plane"),
        Parameter("LINES", (0, 1), "prefetch", "1: what is read ahead brings its whole line of memory into that cache"),
        _BLOCKS,
    )
)
TURN_START = Config(
    PLANES=20,
    QUADS=3,
    CHANNELS=16,
    AHEAD=0,
    TOGETHER=1,
    STREAM=0,
    LINES=0,
    EACH=1,
    EARLY=0,
    SLOTS=2,
    WHOLE=0,
    STEADY=0,
    BLOCKS=1,
)

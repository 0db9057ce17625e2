"""Mutants of who computes what in hotloop's OpenCL GEMM: shares of stream-K, their fix-up, the Z-order curve, persistent groups."""

from __future__ import annotations

from hotloop.model.record import Record
from hotloop.model.space import Config
from hotloop.verify.catalogue.mutant import Edit, Mutant, Specimen

SMALL = Config(
    MDIM=4, NDIM=8, MWI=4, NWI=4, KWG=8, KUNROLL=8, WIDE=4, BUFFERS=1, PAD=0, SWZ=1, RASTER=1, REGISTERS=0, ORDER=0,
    PERSISTENT=0, STREAM_K=0, LANES=0, FUSED=0,
)  # fmt: skip
"""Tiles of 16 x 32, so that small problems have many."""
STREAMS = SMALL.replace(STREAM_K=4)

SPECIMEN = Specimen(
    name="gemm_scheduled",
    language="opencl",
    family="gemm",
    implementation="opencl-scheduled",
    sizes=Record(m=96, n=128, k=256),
    config=STREAMS,
    mutants=(
        Mutant(
            name="double-count",
            kind="split-k",
            bug="a step of k at a boundary is in both shares",
            edits=(
                Edit(
                    "last = min(steps, first + end - at);",
                    "last = min(steps, first + end - at + (end - at < steps - first));",
                ),
            ),
        ),
        Mutant(
            name="fix-up-lost",
            kind="split-k",
            bug="tiles that were cut are never mended",
            edits=(Edit("if (begin_of(went_on, groups, all) == began ||", "if (groups > 0 ||"),),
        ),
        Mutant(
            name="last-piece-lost",
            kind="split-k",
            bug="of a tile in several shares the last piece is not added",
            edits=(
                Edit(
                    "begin_of(g, groups, all) < began + steps; ++g)",
                    "begin_of(g + 1, groups, all) < began + steps; ++g)",
                ),
            ),
        ),
        Mutant(
            name="z-order-square",
            kind="bounds",
            bug="the curve takes the grid of tiles for a square",
            edits=(
                Edit(
                    "z_order(tile, blocks_m, blocks_n)",
                    "z_order(tile, max(blocks_m, blocks_n), max(blocks_m, blocks_n))",
                ),
            ),
            config=SMALL.replace(ORDER=1),
        ),
        Mutant(
            name="tile-skipped",
            kind="lost-tail",
            bug="persistent groups stop one tile early",
            edits=(Edit("tile < blocks_m * blocks_n; tile +=", "tile < blocks_m * blocks_n - 1; tile +="),),
            config=SMALL.replace(PERSISTENT=2),
        ),
    ),
)

"""The parameters of the Triton form."""

from __future__ import annotations

from hotloop.model.space import Config, Parameter, Space

MOST_BLOCK = 16384
"""Longest row that one program holds in registers."""
SPACE = Space(
    (
        Parameter(
            "BLOCK",
            tuple(1 << power for power in range(MOST_BLOCK.bit_length())),
            "work-per-item",
            "elements that a program holds: a power of two, no shorter than a row",
        ),
        Parameter("num_warps", (1, 2, 4, 8, 16), "workgroup-size", "warps that share a row"),
    )
)
NAIVE = Config(BLOCK=MOST_BLOCK, num_warps=4)
"""Room for the longest row, whatever the row."""

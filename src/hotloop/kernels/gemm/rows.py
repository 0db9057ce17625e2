"""All configurations of the family that were measured to be good somewhere: the implementations' own tables together."""

from __future__ import annotations

from hotloop.kernels.gemm.hopper import rows as hopper
from hotloop.kernels.gemm.hopper_skinny import rows as hopper_skinny
from hotloop.kernels.gemm.opencl import rows as opencl
from hotloop.kernels.gemm.persistent import rows as persistent
from hotloop.kernels.gemm.pipelined import rows as pipelined
from hotloop.kernels.gemm.shared.row import Row
from hotloop.kernels.gemm.skinny import rows as skinny
from hotloop.kernels.gemm.split import rows as split

TABLE: tuple[tuple[str, Row], ...] = tuple(
    (name, row)
    for name, rows in (
        ("persistent", persistent.TABLE),
        ("split", split.SPLIT),
        ("meet", split.MEET),
        ("hopper", hopper.TABLE),
        ("hopper-skinny", hopper_skinny.TABLE),
    )
    for row in rows
)
"""Implementation and row of the 16-bit kernels for NVIDIA's Hopper."""
PRESETS = (*opencl.PRESETS, *pipelined.PRESETS, *skinny.PRESETS, *(row.preset(name) for name, row in TABLE))

"""Ladder of the depthwise conv3d in HIP C++ for CDNA3 and CDNA4: rungs as data (``*.toml``), limits and predictions."""

from __future__ import annotations

from hotloop.isa.rungs import Collection
from hotloop.kernels.conv3d_depthwise.ladders.execute import verify
from hotloop.kernels.conv3d_depthwise.ladders.gates import gates
from hotloop.kernels.conv3d_depthwise.ladders.hip import unit
from hotloop.kernels.conv3d_depthwise.ladders.posed import posed

LADDERS = Collection(__name__, numerics=verify, unit=unit, gates=gates, posed=posed)

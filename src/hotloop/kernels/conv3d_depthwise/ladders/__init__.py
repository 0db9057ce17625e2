"""Ladder of the depthwise conv3d in HIP C++ for CDNA3 and CDNA4: rungs as data (``*.toml``), limits and predictions."""

from __future__ import annotations

from collections.abc import Mapping

from hotloop.isa.rungs import Collection
from hotloop.kernels.conv3d_depthwise.ladders.execute import verify
from hotloop.kernels.conv3d_depthwise.ladders.gates import gates
from hotloop.kernels.conv3d_depthwise.ladders.hip import unit
from hotloop.kernels.conv3d_depthwise.ladders.posed import posed
from hotloop.model.record import Scalar


def _small(sizes: Mapping[str, Scalar]) -> Mapping[str, Scalar]:
    """Return sizes for the emulator; rungs with channels last take all channels of a tile, so their extents shrink instead."""
    return {"n": 1, "d": 3, "h": 5, "w": 8} if sizes.get("layout") == "ndhwc" else {"n": 1, "c": 16, "d": 3}


LADDERS = Collection(__name__, numerics=verify, unit=unit, gates=gates, posed=posed, small=_small)

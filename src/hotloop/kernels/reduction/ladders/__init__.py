"""Ladder of the row reductions on NVIDIA cards: rungs as data (``hopper.toml``) and a source with two earlier forms."""

from __future__ import annotations

from hotloop.isa.rungs import Collection
from hotloop.kernels.reduction.ladders.forms import program

LADDERS = Collection(__name__, program=program)

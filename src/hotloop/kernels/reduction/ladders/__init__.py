"""Ladders of the row reductions as data: on NVIDIA cards (``hopper.toml``) with a source of earlier forms, on AMD (``cdna.toml``)."""

from __future__ import annotations

from hotloop.isa.rungs import Collection
from hotloop.kernels.reduction.ladders.amd import posed, unit
from hotloop.kernels.reduction.ladders.forms import program
from hotloop.kernels.reduction.ladders.meeting import gates

LADDERS = Collection(__name__, program=program, unit=unit, gates=gates, posed=posed, small=lambda _: {"rows": 5})

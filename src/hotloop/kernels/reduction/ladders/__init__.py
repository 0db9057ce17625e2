"""Ladder of the row reductions on NVIDIA cards: rungs as data (``hopper.toml``) and a source with two earlier forms."""

from __future__ import annotations

from hotloop.isa.rungs import Collection

LADDERS = Collection(__name__)

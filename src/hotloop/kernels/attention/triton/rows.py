"""The configurations of the plain Triton kernel where nothing was measured."""

from __future__ import annotations

from hotloop.model.space import Config

_LARGE = 256
"""Head size from which smaller tiles are taken."""
_USUAL = Config(rows=128, keys=64, warps=8, stages=2, keep=1, exit=1)


def config_for(size: int) -> Config:
    """Return the configuration of a head size."""
    return _USUAL if size < _LARGE else _USUAL.replace(rows=64, keys=32)

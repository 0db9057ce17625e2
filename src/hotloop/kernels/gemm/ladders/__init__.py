"""Ladders of the matrix multiplication: rungs as data (``*.toml``), Gluon sources, limits and predictions."""

from __future__ import annotations

from hotloop.kernels.gemm.ladders.accesses import accesses
from hotloop.kernels.gemm.ladders.execute import verify
from hotloop.model.ladder import Collection

LADDERS = Collection(__name__, accesses, verify)

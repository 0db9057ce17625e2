"""Ladders of the matrix multiplication: rungs as data (``*.toml``), Gluon sources, limits and predictions."""

from __future__ import annotations

from hotloop.isa.rungs import Collection
from hotloop.kernels.gemm.ladders.accesses import accesses, pipelined, scheduled
from hotloop.kernels.gemm.ladders.execute import verify
from hotloop.kernels.gemm.ladders.gates import gates
from hotloop.kernels.gemm.ladders.program import posed, program
from hotloop.kernels.gemm.pipelined import PIPELINED
from hotloop.kernels.gemm.scheduled import SCHEDULED
from hotloop.model.ladder import Ladder, Local, Numerics, Rung


def _accesses(ladder: Ladder, rung: Rung, wave: int) -> tuple[Local, ...]:
    """Return the accesses of the OpenCL form; those of the Gluon form are the compiler's."""
    if ladder.source:
        return ()
    touches = {PIPELINED.name: pipelined, SCHEDULED.name: scheduled}.get(ladder.implementation(rung) or "", accesses)
    return touches(ladder.changes(rung), wave)


def _numerics(ladder: Ladder, rung: Rung, target: str) -> Numerics | None:
    """Execute the Gluon form; the OpenCL form is verified where it runs."""
    return verify(rung.kernel, target) if ladder.source else None


LADDERS = Collection(
    __name__,
    accesses=_accesses,
    numerics=_numerics,
    gates=gates,
    program=program,
    posed=posed,
    small=lambda _: {"m": 256, "n": 256, "k": 128},
)

"""Static checks of the conv3d ladder's machine code: every weight that is loaded reaches a multiply-add."""

from __future__ import annotations

from hotloop.isa.amdgcn.weights import Weights, weight_flow
from hotloop.isa.instruction import Function
from hotloop.kernels.conv3d_depthwise.ladders import hip
from hotloop.model.ladder import Gate, Ladder, Rung

WEIGHTS = "weights"
_ARGUMENT = 1
"""All kernels take x, weights, y."""
_BY_LOCAL_MEMORY = 2
"""The switch TAPS of ``pairs.cuh`` for weights that pass through local memory."""


def gates(ladder: Ladder, rung: Rung, function: Function) -> tuple[Gate, ...]:
    """Return what became of the weights; nothing for the strip, which reads them from places known at run time."""
    followed = weights_of(ladder, rung)
    if followed is None:
        return ()
    report = weight_flow(function, followed)
    return (Gate(WEIGHTS, report.kept, str(report)),)


def weights_of(ladder: Ladder, rung: Rung) -> Weights | None:
    """Return what is to be followed in a rung's code; None where it cannot be."""
    if rung.kernel == "strip":
        return None
    chosen = hip.switches(hip.SWITCHES[rung.kernel], ladder.changes(rung))
    if rung.kernel == "last":
        return Weights(argument=_ARGUMENT, all_local=chosen["STAGED"] > 0)
    if rung.kernel != "pairs":
        return Weights(argument=_ARGUMENT)
    shape = hip.shape_of(ladder.varied(rung))
    chosen["ROWS"] = chosen["ROWS"] or shape.output[1]
    kd, kh, kw = shape.kernel
    local: frozenset[int] = frozenset()
    if chosen["TAPS"] == _BY_LOCAL_MEMORY:
        tile, even = hip.tile_bytes(shape, chosen), -(-kw // 2) * 2
        local = frozenset(tile + 2 * (line * even + k) for line in range(kd * kh) for k in range(kw))
    return Weights(argument=_ARGUMENT, expected=kd * kh * kw, local=local)

"""PyTorch's row operations, as peers: as they are, and through ``torch.compile``."""

from __future__ import annotations

from functools import partial

from hotloop.kernels.reduction.problem import rows_of
from hotloop.model import call
from hotloop.model.call import Call, View
from hotloop.model.device import Device
from hotloop.model.kernel import Peer
from hotloop.model.problem import Problem
from hotloop.model.program import Program

_FUNCTIONS = {"sum": "sum", "max": "max", "softmax": "softmax", "rmsnorm": "rms_norm", "layernorm": "layer_norm"}
_WEIGHTS = {"rmsnorm": ("scale",), "layernorm": ("scale", "shift")}
"""Arrays that an operation reads besides x."""


def reduce(problem: Problem, device: Device, *, compiled: bool) -> Program:
    """Return PyTorch's function for the operation."""
    del device
    rows = rows_of(problem)
    weights = _WEIGHTS.get(rows.operation, ())
    extents = (rows.rows, rows.columns)
    views = {
        "x": View(rows.dtype, extents),
        **{name: View(rows.dtype, (rows.columns,)) for name in weights},
        "y": View(rows.dtype, extents[:1] if rows.operation in ("sum", "max") else extents),
    }
    constants: dict[str, object] = {"epsilon": rows.epsilon} if weights else {}
    return Call(_FUNCTIONS[rows.operation], views, {**constants, **({"compiled": True} if compiled else {})}).program


PEERS = (
    Peer("PyTorch", partial(reduce, compiled=False), call.exists),
    Peer("torch.compile", partial(reduce, compiled=True), call.exists),
)

"""PyTorch's flash attention of packed sequences, as a peer."""

from __future__ import annotations

from functools import partial

from hotloop.kernels.attention.peers import any_length
from hotloop.kernels.attention_packed.problem import shape_of
from hotloop.model import call
from hotloop.model.call import Call, View
from hotloop.model.device import Device
from hotloop.model.kernel import Peer
from hotloop.model.problem import Problem
from hotloop.model.program import Program

_WIDEST = 256
"""Elements of a head: flash attention's documentation of its forward kernel."""


def attend(problem: Problem, device: Device) -> Program | None:
    """Return the call; None for what it does not take."""
    del device
    shape = shape_of(problem)
    if shape.lse or shape.dtype == "float32" or shape.size % 8 or shape.size > _WIDEST:
        return None
    queries = View(shape.dtype, (shape.rows_q, shape.heads, shape.size))
    keys = View(shape.dtype, (shape.rows_k, shape.kv_heads, shape.size))
    starts = View("int32", (shape.sequences + 1,))
    views = {"q": queries, "k": keys, "v": keys, "starts_q": starts, "starts_k": starts, "o": queries}
    constants = {"longest_q": shape.longest_q, "longest_k": shape.longest_k, "causal": shape.causal}
    return Call("attention_packed", views, constants).program


PEERS = (Peer("flash attention", attend, partial(call.exists, runtimes=(call.NVIDIA,)), any_length),)

"""PyTorch's scaled dot product attention, as peers: by cuDNN and by flash attention."""

from __future__ import annotations

from functools import partial

from hotloop.kernels.attention.problem import shape_of
from hotloop.model import call
from hotloop.model.call import Call, View
from hotloop.model.device import Device
from hotloop.model.kernel import Peer
from hotloop.model.problem import Problem
from hotloop.model.program import Program

_ROUND = {"CUDNN_ATTENTION": 64, "FLASH_ATTENTION": 1}
"""Lengths are multiples of it: what cuDNN refuses among others differs between its versions."""
_WIDEST = {"CUDNN_ATTENTION": 128, "FLASH_ATTENTION": 256}
"""Elements of a head: cuDNN's and flash attention's documentation of their forward kernels."""


def attend(backend: str, problem: Problem, device: Device) -> Program | None:
    """Return the call by one of PyTorch's backends; None for what it does not take."""
    del device
    shape = shape_of(problem)
    uneven = shape.length_q % _ROUND[backend] or shape.length_k % _ROUND[backend] or shape.size % 8
    masked = shape.causal and shape.length_q != shape.length_k
    if shape.lse or shape.shift or shape.scale or shape.window:
        return None
    if shape.dtype == "float32" or uneven or masked or shape.size > _WIDEST[backend]:
        return None
    queries = View(shape.dtype, (shape.batch, shape.heads, shape.length_q, shape.size))
    keys = View(shape.dtype, (shape.batch, shape.kv_heads, shape.length_k, shape.size))
    constants = {"backend": backend, "causal": shape.causal, "grouped": shape.group > 1}
    return Call("attention", {"q": queries, "k": keys, "v": keys, "o": queries}, constants).program


def any_length(problem: Problem) -> bool:
    """Tell that tiles hold keys beyond an end or a mask, whose zero weights times infinity are no numbers."""
    del problem
    return True


PEERS = (
    Peer("cuDNN", partial(attend, "CUDNN_ATTENTION"), partial(call.exists, runtimes=(call.NVIDIA,))),
    Peer("flash attention", partial(attend, "FLASH_ATTENTION"), call.exists, any_length),
)

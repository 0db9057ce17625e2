"""PyTorch's own product of 8-bit floats, as a peer."""

from __future__ import annotations

from functools import partial

from hotloop.kernels.gemm_fp8.problem import ALIGNED_K, OPERANDS, product
from hotloop.model import call
from hotloop.model.call import Call, View
from hotloop.model.device import Device
from hotloop.model.kernel import Peer
from hotloop.model.problem import Problem
from hotloop.model.program import Program


def scaled(problem: Problem, device: Device) -> Program | None:
    """Return the call of ``torch._scaled_mm``, which takes factors of both operands alike; None for what follows a product."""
    del device
    form = product(problem)
    single = not (form.row_scales or form.column_scales)
    every = form.row_scales and form.column_scales and form.dtype == "bfloat16"
    if form.n % ALIGNED_K or form.bias or form.activation != "none" or not (single or every):
        return None
    views = {
        "a": View(OPERANDS, (form.m, form.k), (form.lda, 1)),
        "w": View(OPERANDS, (form.k, form.n), (1, form.ldw)),
        "scale_a": View("float32", () if single else (form.m, 1)),
        "scale_b": View("float32", () if single else (1, form.n)),
        "c": View(form.dtype, (form.m, form.n)),
    }
    return Call("scaled_matmul", views, {"fast": form.fast}).program


PEERS = (Peer("PyTorch's _scaled_mm", scaled, partial(call.exists, runtimes=(call.NVIDIA,))),)

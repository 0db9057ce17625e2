"""The vendors' BLAS through PyTorch, as peers: cuBLAS on NVIDIA's GPUs, hipBLASLt or rocBLAS on AMD's."""

from __future__ import annotations

from functools import partial

from hotloop.kernels.gemm.problem import Matrix, gemm
from hotloop.model import call
from hotloop.model.call import Call, View
from hotloop.model.device import Device
from hotloop.model.kernel import Peer
from hotloop.model.problem import Problem
from hotloop.model.program import Program


def product(problem: Problem, device: Device) -> Program | None:
    """Return ``torch.matmul``, or a linear layer with bias and activation; None for what neither of them computes."""
    del device
    form = gemm(problem)
    halves = form.dtype in ("float16", "bfloat16") and form.accumulate != "float32"
    if form.empty or not form.k or form.alpha != 1 or form.beta != 0 or halves:
        return None
    a, b = _view(form.a, form.dtype, flipped=form.transposed_a), _view(form.b, form.dtype, flipped=form.transposed_b)
    c = _view(form.c, form.dtype, flipped=False)
    if form.bias == "none" and form.activation == "none":
        return Call("matmul", {form.a.name: a, form.b.name: b, "c": c}).program
    if form.bias != "columns":
        return None
    views = {form.a.name: a, form.b.name: b, "bias": View(form.dtype, (form.n,)), "c": c}
    return Call("linear", views, {"activation": form.activation}).program


def _view(matrix: Matrix, dtype: str, *, flipped: bool) -> View:
    shape, strides = (matrix.rows, matrix.columns), (matrix.ld, 1)
    return View(dtype, shape[::-1] if flipped else shape, strides[::-1] if flipped else strides, matrix.offset)


PEERS = (
    Peer("cuBLAS", product, partial(call.exists, runtimes=(call.NVIDIA,))),
    Peer("AMD's BLAS", product, partial(call.exists, runtimes=(call.AMD,))),
)

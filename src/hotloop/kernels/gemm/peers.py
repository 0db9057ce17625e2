"""What a user would otherwise call for the same problem."""

from __future__ import annotations

from hotloop.kernels.gemm.problem import gemm
from hotloop.model.device import Device
from hotloop.model.kernel import Peer
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value

_FUNCTION = {"float32": "sgemm", "float64": "dgemm"}
_ROW_MAJOR, _PLAIN, _TRANSPOSED = 101, 111, 112
"""CblasRowMajor, CblasNoTrans and CblasTrans of cblas.h."""


def blas(problem: Problem, device: Device) -> Program | None:
    """Return the CBLAS call of a problem; None on other devices and where BLAS has no such operation."""
    form = gemm(problem)
    plain = form.bias == "none" and form.activation == "none"
    offset = form.a.offset or form.b.offset or form.c.offset
    if device.kind != "cpu" or form.dtype not in _FUNCTION or not plain or offset or form.empty or not form.k:
        return None
    enums = (_ROW_MAJOR, *(_TRANSPOSED if t else _PLAIN for t in (form.transposed_a, form.transposed_b)))
    arguments: tuple[Argument, ...] = (
        *(Value(value, "int32") for value in enums),
        *(Value(size, "int64") for size in (form.m, form.n, form.k)),
        Value(form.alpha, form.dtype),
        *(Array(form.a.name), Value(form.a.ld, "int64")),
        *(Array(form.b.name), Value(form.b.ld, "int64")),
        Value(form.beta, form.dtype),
        *(Array("c"), Value(form.c.ld, "int64")),
    )
    return Program("blas", "", (), (Launch(_FUNCTION[form.dtype], arguments, (1,)),))


PEERS = (Peer("BLAS of NumPy", blas),)

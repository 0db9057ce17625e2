"""General matrix multiplication, ``C = act(alpha · op(A) · op(B) + beta · C + bias)``."""

from __future__ import annotations

from hotloop.kernels.gemm.opencl import OPENCL
from hotloop.kernels.gemm.peers import PEERS
from hotloop.kernels.gemm.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.gemm.reference import inputs, magnitude, reference, tolerances
from hotloop.model.kernel import Kernel, Tolerance

KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(OPENCL,),
    tolerance=Tolerance(terms=tolerances),
    magnitude=magnitude,
    awkward=awkward,
    peers=PEERS,
    linear=("a",),
    origin=__name__,
)

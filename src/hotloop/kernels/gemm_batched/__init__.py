"""Products of a batch, of one height or of uneven ones as experts have them, with bias, activation and a residual."""

from __future__ import annotations

from hotloop.kernels.gemm_batched.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.gemm_batched.reference import inputs, magnitude, reference, tolerances
from hotloop.kernels.gemm_batched.triton import TRITON
from hotloop.model.kernel import Kernel, Tolerance

KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(TRITON,),
    tolerance=Tolerance(terms=tolerances),
    magnitude=magnitude,
    awkward=awkward,
    linear=("a", "b"),
    origin=__name__,
)

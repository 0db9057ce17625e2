"""Products with weights in the order of AMD's matrix instructions, ``C = scale_a · (A · Wᵀ) · scale_w``, of 16, 8 and 4 bits."""

from __future__ import annotations

from hotloop.kernels.gemm_preshuffled.hip import HIP
from hotloop.kernels.gemm_preshuffled.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.gemm_preshuffled.reference import inputs, magnitude, reference, tolerances
from hotloop.model.kernel import Kernel, Tolerance

KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(HIP,),
    tolerance=Tolerance(terms=tolerances, eps_dtype="float32"),
    magnitude=magnitude,
    awkward=awkward,
    linear=("a",),
    origin=__name__,
)

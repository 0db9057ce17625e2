"""Products of 16-bit activations with 4-bit weights and a scale for each 128 of them, ``C = act(A · W + bias)``."""

from __future__ import annotations

from hotloop.kernels.gemm_int4.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.gemm_int4.reference import inputs, magnitude, reference, tolerances
from hotloop.kernels.gemm_int4.rows import PRESETS
from hotloop.kernels.gemm_int4.triton import TRITON
from hotloop.model.kernel import Kernel, Tolerance

KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(TRITON,),
    tolerance=Tolerance(terms=tolerances, eps_dtype="float32"),
    magnitude=magnitude,
    awkward=awkward,
    presets=PRESETS,
    linear=("a",),
    origin=__name__,
)

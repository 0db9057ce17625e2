"""Products of 8-bit floats with factors, bias and activation, ``C = act(scale_a · scale_b · (A · Wᵀ) + bias)``."""

from __future__ import annotations

from hotloop.kernels.gemm_fp8.gluon import GLUON
from hotloop.kernels.gemm_fp8.peers import PEERS
from hotloop.kernels.gemm_fp8.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.gemm_fp8.reference import inputs, magnitude, reference, tolerances
from hotloop.kernels.gemm_fp8.rows import PRESETS
from hotloop.kernels.gemm_fp8.triton import TRITON
from hotloop.model.kernel import Kernel, Tolerance

KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(TRITON, GLUON),
    tolerance=Tolerance(terms=tolerances, eps_dtype="float32"),
    magnitude=magnitude,
    awkward=awkward,
    peers=PEERS,
    presets=PRESETS,
    linear=("a", "w"),
    origin=__name__,
)

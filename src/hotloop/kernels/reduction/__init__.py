"""Row sum, max, softmax, RMS norm and layer norm: OpenCL C here, CUDA and HIP through `rows`."""

from __future__ import annotations

from hotloop.kernels.reduction.plan import OPENCL
from hotloop.kernels.reduction.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.reduction.reference import inputs, magnitude, reference, tolerances
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
    origin=__name__,
)

"""Row sum, max, softmax, RMS norm and layer norm: in OpenCL C, CUDA C++, HIP C++ and Triton."""

from __future__ import annotations

from hotloop.kernels.reduction.cuda import CUDA, HIP
from hotloop.kernels.reduction.opencl import OPENCL
from hotloop.kernels.reduction.peers import PEERS
from hotloop.kernels.reduction.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.reduction.reference import inputs, magnitude, reference, tolerances
from hotloop.kernels.reduction.triton import TRITON
from hotloop.model.kernel import Kernel, Tolerance

KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(OPENCL, CUDA, HIP, TRITON),
    tolerance=Tolerance(terms=tolerances),
    magnitude=magnitude,
    awkward=awkward,
    peers=PEERS,
    origin=__name__,
)

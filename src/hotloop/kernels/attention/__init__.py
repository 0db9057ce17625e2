"""Attention forward: OpenCL C here, Triton and Gluon for tensors of PyTorch through `launch`."""

from __future__ import annotations

from hotloop.kernels.attention.opencl import OPENCL
from hotloop.kernels.attention.peers import PEERS
from hotloop.kernels.attention.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.attention.reference import inputs, magnitude, reference, tolerances
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
    linear=("v",),
    origin=__name__,
)

"""Depthwise conv3d, every stride, dilation, padding and layout: in OpenCL C, CUDA C++, HIP C++ and Triton."""

from __future__ import annotations

from hotloop.kernels.conv3d_depthwise.cuda import CUDA, HIP
from hotloop.kernels.conv3d_depthwise.opencl import OPENCL
from hotloop.kernels.conv3d_depthwise.peers import PEERS
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.conv3d_depthwise.reference import inputs, magnitude, reference, tolerances
from hotloop.kernels.conv3d_depthwise.triton import TRITON
from hotloop.kernels.conv3d_depthwise.walking import CARRY, TURN
from hotloop.model.kernel import Kernel, Tolerance

KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(OPENCL, CUDA, HIP, TRITON, CARRY, TURN),
    tolerance=Tolerance(terms=tolerances),
    magnitude=magnitude,
    awkward=awkward,
    peers=PEERS,
    linear=("x",),
    origin=__name__,
)

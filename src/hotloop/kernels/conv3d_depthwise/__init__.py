"""Depthwise conv3d, every stride, dilation, padding and layout: OpenCL C here, CUDA and HIP through `rungs`."""

from __future__ import annotations

from hotloop.kernels.conv3d_depthwise.opencl import OPENCL
from hotloop.kernels.conv3d_depthwise.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.conv3d_depthwise.reference import inputs, magnitude, reference, tolerances
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
    linear=("x",),
    origin=__name__,
)

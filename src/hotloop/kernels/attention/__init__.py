"""Attention forward: OpenCL C, plain Triton, Triton for every head size and window, and Gluon for Hopper."""

from __future__ import annotations

from hotloop.kernels.attention.general import GENERAL
from hotloop.kernels.attention.gluon import GLUON
from hotloop.kernels.attention.gluon.rows import TABLE, TARGET
from hotloop.kernels.attention.opencl import OPENCL
from hotloop.kernels.attention.peers import PEERS
from hotloop.kernels.attention.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.attention.reference import inputs, magnitude, reference, tolerances
from hotloop.kernels.attention.triton import TRITON
from hotloop.model.kernel import Kernel, Preset, Tolerance

PRESETS = tuple(
    Preset(config=row.config, implementation=GLUON.name, target=TARGET, sizes=row.sizes, evidence=row.evidence)
    for row in TABLE
)
KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(OPENCL, TRITON, GLUON, GENERAL),
    tolerance=Tolerance(terms=tolerances),
    magnitude=magnitude,
    awkward=awkward,
    peers=PEERS,
    linear=("v",),
    presets=PRESETS,
    origin=__name__,
)

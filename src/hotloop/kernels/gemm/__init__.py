"""General matrix multiplication, ``C = act(alpha · op(A) · op(B) + beta · C + bias)``."""

from __future__ import annotations

from hotloop.kernels.gemm import (
    cublas,
    hopper,
    hopper_cluster,
    hopper_skinny,
    hopper_stream,
    opencl,
    persistent,
    pipelined,
    rows,
    scheduled,
    skinny,
    split,
    triton,
)
from hotloop.kernels.gemm.peers import PEERS
from hotloop.kernels.gemm.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.gemm.reference import arithmetic, inputs, magnitude, reference, tolerances
from hotloop.model.kernel import Kernel, Tolerance

KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(
        opencl.OPENCL,
        pipelined.PIPELINED,
        scheduled.SCHEDULED,
        skinny.SKINNY,
        triton.TRITON,
        persistent.PERSISTENT,
        split.SPLIT,
        split.MEET,
        hopper.HOPPER,
        hopper_skinny.HOPPER_SKINNY,
        hopper_stream.HOPPER_STREAM,
        hopper_cluster.HOPPER_CLUSTER,
    ),
    tolerance=Tolerance(terms=tolerances, eps_dtype=arithmetic),
    magnitude=magnitude,
    awkward=awkward,
    peers=(*PEERS, *cublas.PEERS),
    presets=rows.PRESETS,
    linear=("a", "b"),
    origin=__name__,
)

"""General matrix multiplication, ``C = act(alpha · op(A) · op(B) + beta · C + bias)``."""

from __future__ import annotations

from hotloop.kernels.gemm import cublas, known_opencl, known_skinny
from hotloop.kernels.gemm.known import TABLES
from hotloop.kernels.gemm.opencl import OPENCL
from hotloop.kernels.gemm.peers import PEERS
from hotloop.kernels.gemm.pipelined import PIPELINED
from hotloop.kernels.gemm.problem import DEFAULT, FAMILY, awkward, work
from hotloop.kernels.gemm.reference import arithmetic, inputs, magnitude, reference, tolerances
from hotloop.kernels.gemm.scheduled import SCHEDULED
from hotloop.kernels.gemm.skinny import SKINNY
from hotloop.kernels.gemm.triton import TRITON
from hotloop.model.kernel import Kernel, Preset, Tolerance
from hotloop.model.record import Record

PRESETS = tuple(
    Preset(
        config=known.config,
        implementation=OPENCL.name,
        target=target,
        sizes=Record(DEFAULT.sizes).replace(m=known.n, n=known.n, k=known.n),
        evidence=f"{known.machine}, {known.runtime}, {known.date}: {known.ratio:.2f} of OpenBLAS at n={known.n}",
    )
    for target, rows in TABLES.items()
    for known in rows
) + tuple(
    Preset(
        config=known.config,
        implementation=PIPELINED.name,
        target=known_opencl.TARGET,
        sizes=Record(DEFAULT.sizes).replace(**dict(zip("mnk", known.shape, strict=True))),
        evidence=known.evidence,
    )
    for known in known_opencl.TABLE
)
PRESETS += tuple(
    Preset(
        config=known.config,
        implementation=SKINNY.name,
        target=target,
        sizes=Record(DEFAULT.sizes).replace(op=known.op, **dict(zip("mnk", known.shape, strict=True))),
        evidence=known.evidence,
    )
    for target, rows in known_skinny.TABLES.items()
    for known in rows
)

KERNEL = Kernel(
    family=FAMILY,
    problem=DEFAULT,
    inputs=inputs,
    reference=reference,
    work=work,
    implementations=(OPENCL, PIPELINED, SCHEDULED, SKINNY, TRITON),
    tolerance=Tolerance(terms=tolerances, eps_dtype=arithmetic),
    magnitude=magnitude,
    awkward=awkward,
    peers=(*PEERS, *cublas.PEERS),
    presets=PRESETS,
    linear=("a", "b"),
    origin=__name__,
)

"""What a user would otherwise call for the same problem."""

from __future__ import annotations

from hotloop.kernels.gemm.problem import Gemm, Matrix, gemm
from hotloop.model.device import Device
from hotloop.model.kernel import Peer
from hotloop.model.problem import Problem
from hotloop.model.program import Argument, Array, Launch, Program, Value

_FUNCTION = {"float32": "sgemm", "float64": "dgemm"}
_ROW_MAJOR, _PLAIN, _TRANSPOSED = 101, 111, 112
"""CblasRowMajor, CblasNoTrans and CblasTrans of cblas.h."""


def blas(problem: Problem, device: Device) -> Program | None:
    """Return the CBLAS call of a problem; None on other devices and where BLAS has no such operation."""
    form = gemm(problem)
    if device.kind != "cpu" or form.a.offset or form.b.offset or form.c.offset or not _callable(form):
        return None
    return Program("blas", "", (), (Launch(_FUNCTION[form.dtype], _arguments(form, "int64", offsets=False), (1,)),))


_XGEMM = [
    "GEMMK",
    "MWG",
    "NWG",
    "KWG",
    "MDIMC",
    "NDIMC",
    "MDIMA",
    "NDIMB",
    "KWI",
    "VWM",
    "VWN",
    "STRM",
    "STRN",
    "SA",
    "SB",
    "KREG",
]
_TUNED = {
    ("x86-64-avx2", "intel"): "0 32 64 32 16 8 16 8 2 1 4 0 0 0 0 1",
    ("x86-64-avx512", "intel"): "0 64 64 16 16 8 8 8 2 1 4 1 0 0 0 1",
    ("x86-64-avx512", "pocl"): "0 128 64 32 8 16 16 32 2 8 2 1 0 1 1 1",
}
"""Best parameters of CLBlast's own tuner by (target, runtime), float32, 512³, values in the order of `_XGEMM`.

AVX2: ``clblast_tuner_xgemm`` 1.5.3, 511 of 578 configurations, Zen 3, 2026-11-21, a busy machine. AVX-512: 309 (Intel)
and 195 (PoCL) configurations of the tuner of 1.7.0, Zen 5, November 2026. None of them is proven to be the optimum."""


def clblast(problem: Problem, device: Device) -> Program | None:
    """Return CLBlast's call, with tuned parameters and its tuned kernel at every size where some are known.

    Without them it runs its defaults, and says so in its build log. One process cannot hold both: an override counts
    for the device.
    """
    values = _TUNED.get((device.target, device.runtime_key))
    if values is None or problem.dtype != "float32":
        return _clblast(problem, device, ())
    pairs = ",".join(f"{name}={value}" for name, value in zip(_XGEMM, values.split(), strict=True))
    return _clblast(problem, device, (f"Xgemm/32:{pairs}", "GemmRoutine/32:XGEMM_MIN_INDIRECT_SIZE=0"))


def _clblast(problem: Problem, device: Device, overrides: tuple[str, ...]) -> Program | None:
    form = gemm(problem)
    if device.backend != "opencl" or not _callable(form):
        return None
    routine = f"CLBlast{_FUNCTION[form.dtype].capitalize()}"
    return Program("clblast", "", overrides, (Launch(routine, _arguments(form, "uint64", offsets=True), (1,)),))


def _callable(form: Gemm) -> bool:
    """Tell whether BLAS has the operation; products of nothing are left out."""
    plain = form.bias == "none" and form.activation == "none"
    return form.dtype in _FUNCTION and plain and not form.empty and form.k > 0


def _arguments(form: Gemm, size: str, *, offsets: bool) -> tuple[Argument, ...]:
    """Return what ``gemm`` takes; `size` is the library's type of sizes, and with offsets each matrix begins at one."""

    def matrix(name: str, layout: Matrix) -> tuple[Argument, ...]:
        offset = (Value(layout.offset, size),) if offsets else ()
        return (Array(name), *offset, Value(layout.ld, size))

    sides = (_TRANSPOSED if transposed else _PLAIN for transposed in (form.transposed_a, form.transposed_b))
    return (
        *(Value(value, "int32") for value in (_ROW_MAJOR, *sides)),
        *(Value(extent, size) for extent in (form.m, form.n, form.k)),
        Value(form.alpha, form.dtype),
        *matrix(form.a.name, form.a),
        *matrix(form.b.name, form.b),
        Value(form.beta, form.dtype),
        *matrix("c", form.c),
    )


PEERS = (
    Peer("BLAS of NumPy", blas),
    Peer("CLBlast", clblast),
)

"""Which kernel family OpenBLAS should use, since its own detection picks a slow one on processors it does not know."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass

_AVX512 = frozenset({"avx512f", "avx512dq", "avx512bw", "avx512vl", "avx512cd"})
"""CPU flags of the instructions that OpenBLAS's SkylakeX kernels use."""


@dataclass(frozen=True, slots=True)
class CoreType:
    """A value for the environment variable ``OPENBLAS_CORETYPE``, to be set before OpenBLAS is loaded."""

    name: str | None
    """None: leave the choice to OpenBLAS."""
    reason: str


def coretype(flags: AbstractSet[str], machine: str) -> CoreType:
    """Return the best core type that a processor can execute.

    ``SkylakeX`` on a processor without AVX-512 is not a slow choice but a crash, so each step asks for what its kernels
    use. ``Zen`` is never recommended: NumPy's OpenBLAS builds leave it out and run ``Haswell`` for it, and in OpenBLAS
    itself Zen shares Haswell's matrix kernels.

    Args:
        flags: processor flags as the kernel names them.
        machine: machine name as ``uname -m`` gives it.

    >>> coretype({"avx2", "fma"}, "x86_64").name
    'Haswell'
    """
    if machine not in ("x86_64", "amd64"):
        return CoreType(None, f"{machine or 'unknown machine'}: OpenBLAS chooses among its own kernels")
    if flags >= _AVX512:
        return CoreType("SkylakeX", "AVX-512; unknown processors fall to the AVX2 kernels, about half as fast")
    if flags >= {"avx2", "fma"}:
        return CoreType(
            "Haswell", "AVX2 with FMA and no AVX-512; Zen has the same kernels and is absent from many builds"
        )
    if "avx" in flags:
        return CoreType("Sandybridge", "AVX without AVX2 or FMA")
    return CoreType("Nehalem", "SSE only") if "sse4_2" in flags else CoreType(None, "older than SSE 4.2")
